"""Server for `benchmarks.latency`: opens many tables and prints their links."""

from __future__ import annotations

import sys
from pathlib import Path

from platformdirs import user_cache_path

from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.engine.match import Seat
from wongar_dsl.web.security import SecurityMiddleware
from wongar_dsl.web.server import address_of, listen, new_host, serve


def main() -> None:
    folder, game, tables, people, bots = sys.argv[1:]
    # All browsers join at once from one address, so there is no rate limit.
    SecurityMiddleware.UNKNOWN = (1e9, 1e9)
    cache = Cache(user_cache_path("wongar", appauthor=False))
    host = new_host(Path(folder), cache, [], "auto", "en")
    listening = listen("127.0.0.1", 0)
    host.address = address_of(listening)
    seats = [Seat("human")] * int(people) + [Seat("easy")] * int(bots)
    for seed in range(int(tables)):
        table_session = host.create_table(game, seats, [], seed)
        print(f"{host.address}/join/{host.guests.key('any', table_session.key)}", flush=True)
    serve(host, listening)


if __name__ == "__main__":
    main()
