"""View of the host's lobby: tables with links and QR codes, playable games, and saves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from wongar_dsl.base.markup import Tag, tag
from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.engine.library import Rules, builtin_names, load
from wongar_dsl.engine.notation import write_value
from wongar_dsl.engine.saves import SaveError, read_save
from wongar_dsl.nlg.narration.narrator import title
from wongar_dsl.nlg.words import Translator
from wongar_dsl.nlg.words.box_facts import box_facts, players_fact
from wongar_dsl.session.game_session import save_files
from wongar_dsl.session.seats import names_of
from wongar_dsl.session.tutorial import lesson_of

from ..host import Host
from ..render_worker import BookRequest
from ..store import WATCHING, Guest
from ..table_session import HUMAN, TableSession
from .view_models import GameChoice, HostedSeat, HostedTable, SaveRow, SeatRow, SettingField

#: Width of the quiet zone in modules.
QUIET = 3


def matrix(text: str) -> list[list[bool]]:
    """Return the modules of a text's QR code by row, with the quiet zone; dark ones are True.

    Raises ImportError if the library is missing.
    """
    import segno

    rows = segno.make(text, error="m", micro=False).matrix
    width = len(rows[0]) + 2 * QUIET
    free = [[False] * width for _ in range(QUIET)]
    return [*free, *([False] * QUIET + [bool(dark) for dark in row] + [False] * QUIET for row in rows), *free]


def picture(text: str) -> Tag:
    """Return the QR code as SVG."""
    rows = matrix(text)
    dark = "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, is_dark in enumerate(row) if is_dark)
    size = len(rows)
    return tag(
        "svg",
        tag("rect", width=size, height=size, fill="#fff"),
        tag("path", d=dark, fill="#000"),
        viewBox=f"0 0 {size} {size}",
        class_="code",
        role="img",
        aria_label=text,
        shape_rendering="crispEdges",
    )


def in_blocks(text: str) -> list[str]:
    """Return the QR code in half blocks, with light modules filled, for a dark background."""
    rows = matrix(text)
    if len(rows) % 2:
        rows.append([False] * len(rows[0]))
    signs = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
    return [
        "".join(signs[pair] for pair in zip(upper, lower, strict=True))
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    ]


#: The bots on offer, and the maximum number of saves listed.
LEVELS, MAX_SAVES = ("easy", "medium", "hard"), 30
#: Maximum size in bytes of saves read for the list.
MAX_SAVE_BYTES = 2_000_000


def lobby(host: Host, guest: Guest, problem: str = "", code: str = "") -> dict[str, Any]:
    """Return the values of `pages.lobby_page`, with the newest table first.

    A QR code is drawn for the newest table and for the one with the key `code`: drawing one for each takes seconds.
    """
    words = host.words(guest.language)
    coded = {next(reversed(host.table_sessions), ""), code}
    return {
        "words": words,
        "tables": [
            hosted_table(host, table_session, words, guest, key in coded)
            for key, table_session in reversed(host.table_sessions.items())
        ],
        "games": [game_choice(host, name, words) for name in builtin_names()],
        "saves": list(saves(host, words)),
        "levels": list(levels(words)),
        "scheme": guest.scheme,
        "problem": problem,
    }


def levels(words: Translator) -> Iterator[tuple[str, str]]:
    """Yield the bot levels on offer with their names."""
    for kind in LEVELS:
        yield kind, words.say(f"cli.kind.{kind}")


def hosted_table(host: Host, table_session: TableSession, words: Translator, guest: Guest, coded: bool) -> HostedTable:
    """Return the view of a table for its host; `coded` adds a QR code of the link."""
    key, store = table_session.key, host.store
    present, free = host.presence.announced(key), host.free_seats(table_session, None)

    def link(kind: str, seat: int = -1) -> str:
        token = store.key(kind, key, seat)
        return f"{host.address}/join/{token}" if token is not None else ""

    seats = tuple(
        HostedSeat(n, name, seat.kind, n in present, store.is_seated(key, n), link("seat", n) if n in free else "")
        for n, (seat, name) in enumerate(zip(table_session.match.seats, table_session.session.names, strict=True))
    )
    join_link = link("any")
    spoken = host.spoken(words.language, table_session.session.rules)
    inviting = bool(host.free_seats(table_session, guest)) and guest.seats.get(key, WATCHING) == WATCHING
    return HostedTable(
        f"/t/{key}", title(spoken, table_session.match.game.name), seats, join_link, link("watch"),
        picture(join_link) if join_link and coded else None, table_session.match.state.over, inviting,
    )  # fmt: skip


def game_choice(host: Host, name: str, words: Translator) -> GameChoice:
    """Return the view of a playable game, with the sentence about its last variant that has one, or about the game."""
    rules = _shipped(name, host.worker_settings.cache)
    low, high = rules.model.players
    spoken = host.spoken(words.language, rules)
    messages = (*(f"rules.{variant}" for variant in reversed(rules.model.merged.names[1:])), "rules.1")
    summary = next((spoken.say(m, rules.name) for m in messages if spoken.has_message(m, rules.name)), "")
    facts = (players_fact(spoken, low, high), *box_facts(spoken, rules.model.box).values())
    return GameChoice(name, title(spoken, rules.name), low, high, summary, facts)


@cache
def _shipped(name: str, folder: str) -> Rules:
    return load(name, Cache(Path(folder)))


def saves(host: Host, words: Translator) -> Iterator[SaveRow]:
    """Yield the newest saves that are not open on a table."""
    open_now = {table_session.session.path.name for table_session in host.table_sessions.values()}
    files = (entry for entry in save_files(host.saves) if entry[1].name.isprintable() and entry[1].name not in open_now)
    for written, file in islice(files, MAX_SAVES):
        try:
            saved = read_save(file) if file.stat().st_size <= MAX_SAVE_BYTES else None
        except (OSError, SaveError):
            continue
        if saved is None:
            continue
        names = tuple(names_of(saved.seats))
        yield SaveRow(file.name, title(words, saved.game), names, words.moment(written), saved.over)


# ---- new table -----------------------------------------------------------------------------------------------------


def book_of_game(host: Host, name: str, language: str) -> BookRequest:
    """Return the request for the rulebook of a game; raise KeyError for an unknown game."""
    if name not in builtin_names():
        raise KeyError(name)
    return BookRequest(name, _shipped(name, host.worker_settings.cache).hash, None, None, language)


def new_table_view(host: Host, guest: Guest, name: str, sent: Mapping[str, str], problem: str = "") -> dict[str, Any]:
    """Return the values of `pages.new_page`; raise KeyError for an unknown game."""
    if name not in builtin_names():
        raise KeyError(name)
    rules = _shipped(name, host.worker_settings.cache)
    words = host.spoken(guest.language, rules)
    game = game_choice(host, name, words)
    seats = tuple(
        (sent.get(f"kind-{n}", HUMAN if n < game.low else ""), sent.get(f"name-{n}", "")[:60]) for n in range(game.high)
    )
    kinds = ((HUMAN, words.say("cli.kind.human")), *levels(words))
    nobody = ("", words.say("web.choosing.nobody"))
    return {
        "words": words,
        "game": game,
        "seats": [
            SeatRow(kind, called, kinds if number < game.low else (nobody, *kinds))
            for number, (kind, called) in enumerate(seats)
        ],
        "settings": list(_settings(rules, words, sent)),
        "scheme": guest.scheme,
        "problem": problem,
        "lesson": lesson_of(rules) is not None,
    }


def _settings(rules: Rules, words: Translator, sent: Mapping[str, str]) -> Iterator[SettingField]:
    """Yield the settings of a game with their submitted or default values."""
    model = rules.model
    for name, (kind, start, low, high) in model.settings.items():
        term = words.term(name, rules.name) if words.has_term(name, rules.name) else name.replace("_", " ")
        shown = words.capital(term)
        value = sent.get(f"set-{name}", write_value(model, kind, start))[:60]
        if kind.kind == "number":
            yield SettingField(name, shown, value, (), low, high)
        elif kind.kind == "truth":
            yield SettingField(
                name, shown, value, tuple((answer, words.say(f"serve.{answer}")) for answer in ("yes", "no"))
            )
        else:
            values = (model.value_name(kind, number) for number in range(model.size(kind, 1)))
            named = tuple((answer, words.term(answer, rules.name)) for answer in values)
            yield SettingField(name, shown, value, named)


def chosen_seats(sent: Mapping[str, str], most: int) -> str:
    """Return the seats of a form in command line syntax."""
    seats = []
    for number in range(most):
        kind, name = sent.get(f"kind-{number}", ""), sent.get(f"name-{number}", "")
        if kind:
            seats.append(f"{kind}:{name.replace(',', ' ')}" if name.strip() else kind)
    return ",".join(seats)


def chosen_settings(rules: Rules, sent: Mapping[str, str]) -> list[str]:
    """Return the settings of a form in command line syntax."""
    return [f"{name}={sent[f'set-{name}']}" for name in rules.model.settings if sent.get(f"set-{name}")]
