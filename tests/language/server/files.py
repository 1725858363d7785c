"""A small game with a variant for the tests of the language server, and functions to find positions in them."""

from __future__ import annotations

from pathlib import Path

from wongar_dsl.language.server.symbols import DocumentView, Occurrence, Snapshot, TextPosition, read_snapshot

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


def snapshot_of(path: Path = BASE_AT, **changed: str) -> Snapshot:
    """Return a snapshot of one of the files, which exist only in memory; `base` and `variant` replace their texts."""
    texts = {BASE_AT: changed.get("base", GAME), VARIANT_AT: changed.get("variant", VARIANT)}
    return read_snapshot(path, texts)


def view_of(path: Path = BASE_AT) -> DocumentView:
    """Return the view of an editor that has opened one of the files."""
    return DocumentView(TEXTS[path], snapshot_of(path))


def position_of(text: str, words: str, inside: str | None = None) -> TextPosition:
    """Return the position of the first occurrence of words in a text, or of a part of them."""
    offset = text.index(words) + (words.index(inside) if inside is not None else 0)
    return TextPosition(text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))


def occurrence_lines(names: tuple[Occurrence, ...]) -> list[str]:
    """Return names with their file and line."""
    return [f"{name.symbol.name} {name.span.source.name.rpartition('/')[2]}:{name.span.line}" for name in names]
