"""`wongar serve`: web server for tables played in the browser."""

from __future__ import annotations

import contextlib
import errno
import socket
from pathlib import Path

import wongar_dsl.web.app  # noqa: F401 - Without its library this command is not available.
from wongar_dsl.nlg.narration import narrator
from wongar_dsl.nlg.words import Listing, Text, Translator, quoted
from wongar_dsl.web import server
from wongar_dsl.web.host import Host
from wongar_dsl.web.server import EVERYWHERE, HERE, listen
from wongar_dsl.web.store import StoreInUseError
from wongar_dsl.web.views.lobby_view import in_blocks

from .. import save_paths
from ..declarations import PORT
from ..errors import SUCCESS, USAGE, UserError, write_error
from ..language import cache, language_folders
from ..load_game import open_game, read_seats
from ..terminal.screen import Screen
from ..terminal.signals import raise_on_signal

#: Number of ports tried if none is specified and the first is in use.
MAX_PORTS_TRIED = 10


def serve_command(
    words: Translator, game: str | None, seats: str | None, seed: int | None, options: tuple[str, ...], port: int,
    address: str | None, lan: bool, folder: str | None, backend: str,
) -> int:  # fmt: skip
    """Run `wongar serve`."""
    if lan and address is not None:
        raise UserError(words.say("cli.serve.both"), USAGE)
    for name, value in (("--seats", seats), ("--seed", seed), ("--set", options or None)):
        if game is None and value is not None:
            raise UserError(words.say("cli.serve.only_with_game", option=Text(name)), USAGE)
    with _listening(EVERYWHERE if lan else address or HERE, port, words) as listening:
        host = _host(folder, backend, words)
        with contextlib.closing(host.store):
            host.address, restored = server.address_of(listening), len(host.table_sessions)
            if game is not None:
                _create_table(host, game, seats, seed, options, words)
            _print_links(host, server.reachable(listening), words, restored)
            # Ctrl-C is the normal way to stop the server.
            with contextlib.suppress(KeyboardInterrupt), raise_on_signal():
                server.serve(host, listening)
    return SUCCESS


def _listening(address: str, port: int, words: Translator) -> socket.socket:
    """Return a listening socket; raise `UserError` if the address cannot be used."""
    try:
        # Only of the default port, the next ones are as good.
        for number in range(port, port + MAX_PORTS_TRIED) if port == PORT else ():
            with contextlib.suppress(OSError):
                return listen(address, number)
        return listen(address, port)
    except (OSError, OverflowError, UnicodeError) as error:
        in_use = getattr(error, "errno", None) in (errno.EADDRINUSE, errno.EACCES)
        why = Text(words.say("cli.serve.taken" if in_use else "cli.serve.not_here"))
        raise UserError(
            words.say("cli.serve.no_address", address=quoted(f"{address}:{port}"), why=why), USAGE
        ) from None


def _host(folder: str | None, backend: str, words: Translator) -> Host:
    """Return the host for a folder of saves; raise `UserError` if another program already hosts its tables."""
    place = save_paths.resolve_path(folder, words) if folder else save_paths.folder()
    try:
        return server.new_host(Path(place), cache(), language_folders(), backend, words.language)
    except StoreInUseError:
        raise UserError(words.say("cli.serve.in_use", path=quoted(str(place)))) from None
    except OSError as error:
        raise write_error(place, error, words) from None


def _create_table(
    host: Host, game: str, seats: str | None, seed: int | None, options: tuple[str, ...], words: Translator
) -> None:
    """Create a new table.

    Raises `UserError`, `SessionSetupError`, `SaveError`, `RulesError` or `PlayFault`.
    """
    chosen_seats = read_seats(seats) or open_game(game, words).seats("human", "human")
    try:
        host.create_table(game, chosen_seats, list(options), seed)
    except OSError as error:
        raise write_error(host.saves, error, words) from None


def _print_links(host: Host, open_to_others: bool, words: Translator, restored: int) -> None:
    """Print the invitation links and the network access of the server.

    The first `restored` tables were restored from saves.
    """
    screen, say = Screen(), words.say
    newest = list(host.table_sessions.values())[-1:]
    for number, table_session in enumerate(host.table_sessions.values()):
        link = f"{host.address}/join/{host.store.key('any', table_session.key)}"
        spoken = host.spoken(words.language, table_session.session.rules)
        title = narrator.title(spoken, table_session.match.game.name)
        if number < restored:
            names = Listing(tuple(map(Text, table_session.session.names)))
            standing = "cli.serve.over" if table_session.match.state.over else "cli.serve.goes_on"
            title = say(standing, None, title=Text(title), players=names)
        elif restored:
            title = say("cli.serve.new", None, title=Text(title))
        screen.text(title, "strong")
        screen.text(say("cli.serve.join"))
        screen.line([("number", f"  {link}")])
        if table_session in newest and screen.unicode and screen.stream.isatty():
            screen.line()
            for line in in_blocks(link):
                screen.line([("", "  "), ("code", line)])
        screen.line()
    screen.text(say("cli.serve.manage"))
    screen.line([("number", f"  {host.address}/join/{host.store.invite('host')}")])
    screen.line()
    screen.text(say("cli.serve.network" if open_to_others else "cli.serve.loopback"), "faint")
    screen.text(say("cli.serve.end"), "faint")
    screen.stream.flush()
    host.store.write()
