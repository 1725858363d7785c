"""Directions and lines of boards: numbers in rules and records, words and whole rows in text for players."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.engine import Game
from wongar_dsl.engine.events import event_json
from wongar_dsl.nlg.translation import messages_of, missing_text_warnings
from wongar_dsl.session.menu import Menu

from .told import game_of, narrator, shipped, write_words

GAME = """
board place_of
    {}
play
    for each begun in direction of place_of where begun = {}
        player(1) chooses slide
            go(here: place_of, way: direction of place_of where step(here, way) is not nobody)
                tell gone(here, way)
                nobody wins
            otherwise
                impossible
"""


def compass(folder: Path, board: str, first: int = 1) -> Game:
    return game_of(folder, GAME.format(board, first), 1)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["north", "northeast", "east"]),
        ("de", ["Norden", "Nordosten", "Osten"]),
        ("nl", ["noorden", "noordoosten", "oosten"]),
        ("it", ["nord", "nord-est", "est"]),
    ],
)
def test_players_read_direction_words_and_records_hold_numbers(tmp_path: Path, language: str, words: list[str]) -> None:
    game = compass(tmp_path, "grid 2 by 2")
    state, _ = game.start(1)
    told = narrator(game, language)
    moves = [move for move in state.legal_moves() if state.write(move).startswith("go(a1, ")]
    assert [told.option(state, move).rpartition(" ")[2] for move in moves] == words
    assert state.read("go(a1, 2)") == moves[2]
    assert state.write(moves[2]) == "go(a1, 2)"
    (event, *_) = state.apply(moves[2])
    assert (told.event(event, None) or "").endswith(f"(a1, {words[2]})")
    assert event_json(game.model, game.fields, event)["arguments"] == {"here": "a1", "way": 2}


def test_hexagon_directions_have_different_words(tmp_path: Path) -> None:
    game = compass(tmp_path, "hexagons radius 1")
    state, _ = game.start(1)
    told = narrator(game)
    middle = [move for move in state.legal_moves() if state.write(move).startswith("go(h2_2,")]
    directions = [told.option(state, move).rpartition(" ")[2] for move in middle]
    assert directions == ["northeast", "east", "southeast", "southwest", "west", "northwest"]


def test_direction_slots_have_the_term_type(tmp_path: Path) -> None:
    messages = {message.name: message.slots for message in messages_of(compass(tmp_path, "grid 2 by 2"))}
    ways = {
        (name, slot) for name, slots in messages.items() for slot, kind in slots.items() if kind == "term:direction"
    }
    assert ways >= {("gone", "way"), ("decision.slide.go", "way"), ("decision.slide", "begun")}


def test_missing_direction_words_are_reported(tmp_path: Path) -> None:
    lexicon = "name: Xx\nnumbers: {other: pl}\nfeatures: {number: [sg, pl]}\ngames:\n  small:\n    small: compass\n"
    folder = write_words(tmp_path, lexicon, language="xx")
    diagnostics = missing_text_warnings(compass(tmp_path, "grid 2 by 2"), [folder])
    assert {"north", "southwest"} <= {d.arguments["name"] for d in diagnostics if d.code == "R0501"}


PASSED_ON = """
board square
    grid 3 by 3
remember way_now: number
define onward(w: number) = (w if way_now = 0 otherwise north)
rule either_way(w: number) gives number
    if way_now = 0
        give w
    give first d in direction of square where d > 2
rule slide(here: square, way: number, far: number)
    let again = onward(either_way(way))
    let turned = way
    set turned to (way + 4) mod 8
    tell slid(here, way, again, turned, far)
rule shove(here: square, way: number)
    slide(here, way, 1)
play
    player(1) chooses slide_on
        go(here: square, way: direction of square)
            shove(here, way)
        go_north(here: square)
            slide(here, north, way_now)
        otherwise
            impossible
    nobody wins
"""


@pytest.mark.parametrize(("north", "way"), [("north", "term:direction"), ("2", "number")])
def test_direction_type_is_inferred_through_calls(north: str, way: str, tmp_path: Path) -> None:
    """A parameter that also gets a plain number is one."""
    rules = PASSED_ON.replace("slide(here, north,", f"slide(here, {north},")
    messages = {message.name: message.slots for message in messages_of(game_of(tmp_path, rules, 1))}
    assert messages["slid"]["way"] == way


def test_inferred_directions_are_told_in_words(tmp_path: Path) -> None:
    game = game_of(tmp_path, PASSED_ON, 1)
    slots = next(message.slots for message in messages_of(game) if message.name == "slid")
    assert slots == {
        "here": "text", "way": "term:direction", "again": "term:direction", "turned": "number", "far": "number"
    }  # fmt: skip
    state, _ = game.start(1)
    (event, *_) = state.apply(state.read("go_north(b2)"))
    assert (narrator(game).event(event, None) or "").endswith("(b2, north, north, 4, 0)")


SHELF = """
board shelf
    grid 12 by 3
remember owner of each shelf: player
remember pawn of each shelf: player
remember filled of each shelf: number 0 to 12
define open_row(edge: shelf) =
    column of edge = 1
rule push(edge: shelf, p: player)
    let here = step(edge, east, filled of edge)
    set filled of edge to filled of edge + 1
    set owner of here to p
rule enter(door: shelf, p: player)
    set pawn of door to p
play
    repeat
        for each p in player
            p chooses turn
                shove(edge: shelf where open_row(edge) and filled of edge < 12)
                    push(edge, p)
                lower(upper: shelf where row of upper = 3)
                    set filled of upper to 1
                put(here: shelf where row of here = 1 and pawn of here is nobody)
                    set pawn of here to p
                admit(door: shelf where row of door = 2 and pawn of door is nobody)
                    enter(door, p)
                otherwise
                    nobody wins
"""


def menu_of(game: Game, language: str = "en") -> Menu:
    return Menu.of(game.start(1)[0], narrator(game, language))


def option_texts(game: Game, language: str) -> dict[str, str]:
    return {entry.notation: entry.text for entry in menu_of(game, language).entries}


@pytest.mark.parametrize(
    ("language", "row", "column"),
    [("en", "row 2", "column l"), ("de", "Reihe 2", "Spalte l"), ("nl", "rij 2", "kolom l"),
     ("it", "riga 2", "colonna l")],
)  # fmt: skip
def test_option_names_the_row_or_column_of_its_square(language: str, row: str, column: str, tmp_path: Path) -> None:
    options = option_texts(game_of(tmp_path, SHELF), language)
    assert options["shove(a2)"].endswith(f": {row}")
    assert options["lower(l3)"].endswith(f": {column}")
    # A placed piece stands on its square.
    assert "b1" in options["put(b1)"]
    assert "c2" in options["admit(c2)"]
    assert not any("1" in text for text in option_texts(shipped("connect_four").game(2), language).values())


def test_column_is_chosen_by_letter_square_or_number() -> None:
    menu = menu_of(shipped("connect_four").game(2))
    entries = [menu.match_one(said) for said in ("b", "b1", "2")]
    assert [entry and entry.notation for entry in entries] == ["drop(b1)"] * 3
