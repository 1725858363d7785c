"""An equation of two values that may both be missing also says so, since it holds then."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import write_rules

from .books import LANGUAGES, rules_in
from .test_antecedents import lines

GAME = """
enum glow = red, white
board coast
    row cape bay
    cape touches bay
    bay touches cape
cards lamp
    lit(light: glow)
    dark
cards flag
    plain(dye: glow)
deck lamps of lamp
    2 lit(red), 1 lit(white), 1 dark
deck flags of flag
    2 plain(red), 1 plain(white)
figure ghost on coast held by player
figure guard on coast held by player
pile stock holds lamp, seen by all
pile rest holds lamp, seen by all
hand grip of each player holds lamp, seen by owner
pile mast holds flag, seen by all
hand bundle of each player holds flag, seen by owner
remember owner of each coast: player
remember team of each player: glow
remember mood of each player: glow = red
remember favourite: glow
remember trump: glow
score points
setup
    fill stock with lamps
    fill mast with flags
    draw_teams()
    set trump to red
    set holder of guard to player(1)
rule draw_teams()
    for each p in player
        set team of p to random g in glow
play
    {statement}
    set owner of cape to player(1)
    set favourite to white
    set place of ghost to bay
    set holder of ghost to player(2)
    set mood of player(1) to white
    player(2) wins
"""
GAINS = "\n        player(1) gains 77 points"
#: Statements with an equation of values that may both be missing.
DOUBTFUL = (
    f"if owner of cape is owner of bay{GAINS}",
    f"if light of top of stock is light of top of rest{GAINS}",
    f"if light of top of stock is favourite{GAINS}",
    f"if dye of top of mast is favourite{GAINS}",
    f"if top of stock is top of rest{GAINS}",
    f"if holder of ghost is owner of cape{GAINS}",
    f"for each l in grip of player(1) where light of l is favourite{GAINS}",
    "player(1) chooses two\n        pair(a: grip of player(1), b: grip of player(1) where light of a is light of b)\n"
    "            player(1) gains 77 points\n        otherwise\n            nothing",
    f"let cape_owner = owner of cape\n    if cape_owner is owner of bay{GAINS}",
    f"if some c in coast where c is not cape and owner of c is owner of cape{GAINS}",
)
#: Comparisons with a value that always exists, or is known to exist.
CERTAIN = (
    f"if owner of cape is player(1){GAINS}",
    f"if team of player(1) is team of player(2){GAINS}",
    f"if team of player(1) is light of top of stock{GAINS}",
    f"if mood of player(1) is favourite{GAINS}",
    f"if trump is favourite{GAINS}",
    f"if holder of guard is holder of ghost{GAINS}",
    f"if owner of cape is not nobody and owner of cape is owner of bay{GAINS}",
    f"if not (owner of cape is nobody or owner of cape is not owner of bay){GAINS}",
    f"if stock is not empty and top of stock is top of rest{GAINS}",
    f"if favourite is red and favourite is light of top of stock{GAINS}",
    f"for each f in bundle of player(1) where dye of f is favourite{GAINS}",
    f"if (first p in player with most points of p) is owner of cape{GAINS}",
)
BOTH = {"en": "both are missing", "de": "beide fehlen", "nl": "beide ontbreken", "it": "mancano entrambi"}


def text_of(folder: Path, statement: str, language: str) -> str:
    rules = rules_in(write_rules(folder, GAME.format(statement=statement)))
    return " ".join(lines(rules, "play", language))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("statement", DOUBTFUL)
def test_values_that_are_both_missing_are_equal(statement: str, tmp_path: Path, language: str) -> None:
    assert BOTH[language] in (text := text_of(tmp_path, statement, language)), text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("statement", CERTAIN)
def test_a_value_that_is_there_is_not_called_missing(statement: str, tmp_path: Path, language: str) -> None:
    assert BOTH[language] not in (text := text_of(tmp_path, statement, language)), text


DENIED = {"en": "not both are missing", "de": "nicht beide fehlen", "nl": "niet beide ontbreken",
          "it": "non mancano entrambi"}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("statement", DOUBTFUL)
def test_values_that_are_both_missing_do_not_differ(statement: str, tmp_path: Path, language: str) -> None:
    *before, equation = statement.partition(" where " if " where " in statement else "if ")
    opposite = "".join(before) + (" is not ".join(equation.rsplit(" is ", 1)))
    assert DENIED[language] in (text := text_of(tmp_path, opposite, language)), text
