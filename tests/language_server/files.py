"""A small game and a variant of it for the tests of the language server, and how a place in them is found."""

from __future__ import annotations

from pathlib import Path

from wongar_dsl.language_server.positions import Position
from wongar_dsl.language_server.snapshot import Snapshot, View, take
from wongar_dsl.language_server.symbols import Occurrence

GAME = """\
game meadow
    players 2 to 4
    book leaflet "The rules of the meadow"

enum token = disc, cube
    source leaflet "Contents"

table worth
    disc 1
    cube 2
    source leaflet "Scoring"

option plenty = 3 in 1 to 9
    source leaflet "Limits"

tokens supply of each player holds token, seen by all
tokens ground of each player holds token, seen by all

remember rounds: number 0 to 20 = 0

# What somebody still has.
define left_over(p: player) =
    supply[p, disc] + supply[p, cube]
    source house rule

setup
    source leaflet "Setting up"
    for each p in player
        fill supply of p with plenty disc
        fill supply of p with 2 cube

play
    source leaflet "Play"
    repeat while rounds < 5
        set rounds to rounds + 1
        for each p in player
            take_turn(p)
    end game

rule take_turn(me: player)
    source leaflet "Play"
    I choose turn
        place(kind: token where supply[me, kind] > 0)
            move 1 kind from supply of me to ground of me as placed(player: me, token)
        pass
            tell passed(player: me)

winner p
    most left_over(p) * worth[disc]
    source leaflet "The end"
"""

VARIANT = """\
variant rich of meadow

set plenty to 5
    source house rule

set worth[cube] to 4
    source house rule

allow place in choice turn only if kind is disc or rounds > 1
    source house rule

before turn in rule take_turn
    source house rule
    if left_over(me) > 9
        tell wealthy(player: me)
"""

BASE_AT, VARIANT_AT = Path("/nowhere/meadow.rules"), Path("/nowhere/rich.rules")
TEXTS = {BASE_AT: GAME, VARIANT_AT: VARIANT}


def read(path: Path = BASE_AT, **changed: str) -> Snapshot:
    """A snapshot of one of the files, which lie nowhere; `base` and `variant` go before what they hold."""
    texts = {BASE_AT: changed.get("base", GAME), VARIANT_AT: changed.get("variant", VARIANT)}
    return take(path, texts)


def view(path: Path = BASE_AT) -> View:
    """What somebody sees who has opened one of the files."""
    return View(TEXTS[path], read(path))


def place(text: str, words: str, inside: str | None = None) -> Position:
    """Where words stand first in a text, or one of them."""
    at = text.index(words) + (words.index(inside) if inside is not None else 0)
    return Position(text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))


def shown(names: tuple[Occurrence, ...]) -> list[str]:
    """Names with their places."""
    return [f"{name.symbol.name} {name.span.source.name.rpartition('/')[2]}:{name.span.line}" for name in names]
