"""An option about a whole row or column names it instead of its defining square."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.engine import Game
from wongar_dsl.session.menu import Menu

from .told import game_of, narrator, shipped

GAME = """
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
    options = option_texts(game_of(tmp_path, GAME), language)
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
