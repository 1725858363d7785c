"""What a variant changes, in words and in play."""

from __future__ import annotations

from pathlib import Path

import pytest

from .command import Command

FAR = """variant far of wongar

set cards_bonus to 10
set points_for[ancestor_alone, early] to 6

replace effect elder_card for me at here: area
    source house rule
    I take elder as figure_taken(player: me, figure)
    I choose elder_walk
        walk(there: area within 3 of place of elder)
            move elder to there as figure_moved(player: me, figure, area)
            ceremony(there, elder_alone)
"""


@pytest.fixture
def far(tmp_path: Path) -> str:
    path = tmp_path / "far.rules"
    path.write_text(FAR, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("language", "elder", "bonus"),
    [
        ("de", "das höchstens 3 statt 2 Schritte vom Gebiet des Ältesten entfernt ist.", "10 statt 8 Siegpunkte"),
        ("nl", "dat hoogstens 3 in plaats van 2 stappen van het gebied van de", "10 in plaats van 8 winstpunten"),
        ("it", "che dista al massimo 3 invece di 2 passi dall’area dell’Anziano.", "10 invece di 8 punti"),
        (
            "en",
            "that is at most 3 instead of 2 steps away from the area of the elder.",
            "10 instead of 8 victory points",
        ),
    ],
)
def test_a_changed_number_is_said_beside_the_one_that_it_was(
    wongar: Command, far: str, language: str, elder: str, bonus: str
) -> None:
    done = wongar("diff", "wongar", far, "--lang", language)
    assert done.code == 0
    assert elder in done.out
    assert bonus in done.out
    assert not [line for line in done.out.splitlines() if line.startswith(("+", "-"))]


def test_a_changed_cell_of_a_table_is_named_by_its_row_and_column(wongar: Command, far: str) -> None:
    assert "phase 1: 6 instead of 4" in wongar("diff", "wongar", far, "--lang", "en").out.replace("  ", " ").lower()


def test_two_games_that_are_the_same_differ_in_nothing(wongar: Command) -> None:
    assert "The rules of the two say the same." in wongar("diff", "nim", "nim", "--lang", "en").out


def test_what_is_new_and_what_is_gone_stands_under_the_headings_of_the_rulebook(wongar: Command) -> None:
    out = wongar("diff", "wongar", "wongar/initiated", "--lang", "en").out
    assert "- If a player has fewer victory points than the player" in out
    assert "+     play an area card" in out


def test_the_first_position_where_two_games_part_is_shown_with_the_choices_of_both(wongar: Command) -> None:
    out = wongar("diff", "wongar", "wongar/initiated", "--position", "--lang", "en").out
    assert "Random game 1: after 0 decisions the two part." in out
    assert "Take the card from the emu area" in out
    assert "Place a disc in the kangaroo area" in out


def test_games_that_never_part_are_said_to_go_alike(wongar: Command) -> None:
    assert "the two never part" in wongar("diff", "nim", "nim", "--position", "--lang", "en").out
