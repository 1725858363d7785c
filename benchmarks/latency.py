"""Latency from a move to the other players' screens, with many tables on one host.

A real server is used, and simulated browsers in this process: `--tables` tables of `--people` players, with one
decision per table every `--every` seconds. The time is measured from the request with the decision. It ends when
another player at the table has received the event and has fetched the new part of the page.

    python -m benchmarks.latency --game connect_four --tables 50 --seconds 30
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from platformdirs import user_cache_path

from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.engine.match import Seat
from wongar_dsl.web.security import SecurityMiddleware
from wongar_dsl.web.server import address_of, listen, new_host, serve

#: Target for the 95th percentile, in milliseconds.
GOAL = 150


@dataclass
class Person:
    """Simulated browser of a player: cookie, current page part, and fetch times by version."""

    address: tuple[str, int]
    cookie: str = ""
    key: str = ""
    page: str = ""
    fetched: dict[int, float] = field(default_factory=dict)
    new: asyncio.Event = field(default_factory=asyncio.Event)
    waiting: set[asyncio.Task[None]] = field(default_factory=set)

    async def ask(self, method: str, path: str, form: str = "", part: bool = False) -> tuple[int, dict[str, str], str]:
        """Send a request on a new connection; return status, headers and body."""
        reader, writer = await asyncio.open_connection(*self.address)
        host = f"{self.address[0]}:{self.address[1]}"
        lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", f"Origin: http://{host}", "Connection: close"]
        lines += [f"Cookie: {self.cookie}"] if self.cookie else []
        lines += ["X-Part: 1"] if part else []
        lines += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(form)}"] if form else []
        writer.write("\r\n".join([*lines, "", form]).encode())
        await writer.drain()
        answer = (await reader.read()).decode()
        writer.close()
        head, _, body = answer.partition("\r\n\r\n")
        status, *named = head.split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in named)}
        return int(status.split()[1]), headers, body

    async def join(self, link: str, seat: int) -> None:
        status, headers, _ = await self.ask("POST", link, f"seat={seat}&name=P{seat}&lang=en")
        assert status == 303, status
        self.cookie = headers["set-cookie"].partition(";")[0]
        self.key = headers["location"]

    async def see_more(self) -> None:
        """Poll for forecasts that were not ready, like the script of the page."""
        while "data-unfinished" in self.page:
            await asyncio.sleep(0.7)
            if "data-unfinished" in self.page:
                _, _, self.page = await self.ask("GET", f"{self.key}/part")

    async def listen(self) -> None:
        """Read the event stream, and fetch the part of the page for each new version."""
        reader, writer = await asyncio.open_connection(*self.address)
        host = f"{self.address[0]}:{self.address[1]}"
        writer.write(f"GET {self.key}/events HTTP/1.1\r\nHost: {host}\r\nCookie: {self.cookie}\r\n\r\n".encode())
        try:
            while line := await reader.readline():
                if line.startswith(b"data: "):
                    version = json.loads(line[6:])["version"]
                    status, _, self.page = await self.ask("GET", f"{self.key}/part")
                    if status == 200:
                        shown = re.findall(r'data-version="(\d+)"', self.page)
                        self.fetched[max([version, *map(int, shown)])] = time.perf_counter()
                        self.new.set()
                        later = asyncio.create_task(self.see_more())
                        self.waiting.add(later)
                        later.add_done_callback(self.waiting.discard)
        finally:
            writer.close()


async def table(people: list[Person], every: float, end: float, found: list[float], wrong: list[int]) -> None:
    """Let a player at a table decide every `every` seconds, and record the latencies."""
    dice = random.Random(people[0].key)
    await asyncio.sleep(dice.random() * every)
    while time.perf_counter() < end:
        started = time.perf_counter()
        mover = next((candidate for candidate in people if 'name="choice" value=' in candidate.page), None)
        if mover is None:
            await asyncio.sleep(0.2)
            continue
        choices = re.findall(r'name="choice" value="([^"]*)"', mover.page)
        version = re.findall(r'name="version" value="(\d+)"', mover.page)[0]
        form = f"version={version}&once={dice.random()}&choice={dice.choice(choices).replace(' ', '+')}"
        sent = time.perf_counter()
        status, _, page = await mover.ask("POST", f"{mover.key}/move", form, part=True)
        if status != 200:
            wrong.append(status)
        else:
            new = int(re.findall(r'data-version="(\d+)"', page)[0])
            for observer in people:
                if observer is mover:
                    continue
                while not any(shown > int(version) for shown in observer.fetched):
                    observer.new.clear()
                    await asyncio.wait_for(observer.new.wait(), 30)
                found.append(
                    min(fetched_at for shown, fetched_at in observer.fetched.items() if shown > int(version)) - sent
                )
            mover.page = page if new >= int(version) else mover.page
        await asyncio.sleep(max(0.0, every * (0.7 + 0.6 * dice.random()) - (time.perf_counter() - started)))


async def measure(links: list[str], seats: int, every: float, seconds: float) -> tuple[list[float], list[int]]:
    delays: list[float] = []
    wrong: list[int] = []
    people: list[list[Person]] = []
    address = re.findall(r"http://([^:]+):(\d+)", links[0])[0]
    for link in links:
        seated = [Person((address[0], int(address[1]))) for _ in range(seats)]
        for seat, person in enumerate(seated):
            await person.join("/" + link.split("/", 3)[3], seat)
        people.append(seated)
    listening = [asyncio.create_task(person.listen()) for seated in people for person in seated]
    await asyncio.sleep(10 + 0.2 * len(people))
    end = time.perf_counter() + seconds
    await asyncio.gather(*(table(seated, every, end, delays, wrong) for seated in people))
    for task in listening:
        task.cancel()
    return delays, wrong


def serve_tables(folder: str, game: str, tables: str, people: str, bots: str) -> None:
    """Open many tables on a server, and print their links."""
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


def main() -> None:
    if sys.argv[1:2] == ["--serve"]:
        serve_tables(*sys.argv[2:])
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="wongar")
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--people", type=int, default=3, help="people at each table; bots fill the others")
    parser.add_argument("--bots", type=int, default=1)
    parser.add_argument("--every", type=float, default=5.0)
    parser.add_argument("--seconds", type=float, default=30.0)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.latency", "--serve", folder, args.game, str(args.tables),
             str(args.people), str(args.bots)],
            stdout=subprocess.PIPE, text=True, env=os.environ, cwd=Path(__file__).parents[1],
        )  # fmt: skip
        assert process.stdout is not None
        links = [process.stdout.readline().strip() for _ in range(args.tables)]
        try:
            delays, wrong = asyncio.run(measure(links, args.people, args.every, args.seconds))
        finally:
            process.terminate()
            process.wait(20)
    sorted_ms = sorted(1000 * delay for delay in delays)
    if len(sorted_ms) < 20:
        raise SystemExit("too little was measured")
    p50, p95 = statistics.median(sorted_ms), sorted_ms[int(len(sorted_ms) * 0.95)]
    print(f"{args.game}: {args.tables} tables of {args.people} people and {args.bots} bots, {len(sorted_ms)} screens")
    print(f"p50 {p50:.0f} ms, p95 {p95:.0f} ms (goal {GOAL}), most {sorted_ms[-1]:.0f} ms; refused {len(wrong)}")


if __name__ == "__main__":
    main()
