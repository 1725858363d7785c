"""A rulebook says who begins, who has the number 1, and which player has won only where nothing else decides it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import write_rules

from .books import LANGUAGES, rules_in, rules_of, text_of_book

GAME = """
remember gold of each player: number 0 to 9
score points
{setup}play
    {play}
{end}
winner p
    most points of p
"""
TURN = "for each p in player{where}\n        p chooses pay\n            pay\n                p gains 1 points"
SETUP = "setup\n    set gold of player(2) to 3\n"
BEGINS = {"en": "who goes first;", "de": "wer beginnt;", "nl": "wie begint;", "it": "chi comincia;"}
FIRST = {
    "en": "who goes first, as the player with the number 1;", "de": "wer beginnt und die Nummer 1 hat;",
    "nl": "wie begint en nummer 1 is;", "it": "chi comincia e ha il numero 1;",
}  # fmt: skip
NUMBERED = {
    "en": "who has the number 1;", "de": "wer die Nummer 1 hat;", "nl": "wie nummer 1 is;", "it": "chi ha il numero 1;"
}  # fmt: skip
YOUNGEST = {
    "en": "youngest player goes first;", "de": "jüngste Spieler beginnt;", "nl": "jongste speler begint;",
    "it": "giocatore più giovane;",
}  # fmt: skip
COUNTED = {
    "en": "Whoever goes first has the number 1;", "de": "Wer beginnt, hat die Nummer 1;",
    "nl": "Wie begint, is nummer 1;", "it": "Chi comincia ha il numero 1;",
}  # fmt: skip
#: Changes to Tongiaki, and whether they name a seat by its number.
VARIANTS = {
    "before rule take_turn\n    if me is player(2)\n        me gains 1 points for royal_islands\n": True,
    "after setup\n    set chain_over to no\n": False,
    "before rule place_first_ships\n    player(3) gains 1 points for royal_islands\n": True,
}
WINS = {"en": "the most points wins", "de": "wer die meisten points hat", "nl": "de meeste points", "it": "più points"}


def book(folder: Path, language: str, play: str, setup: str = "", end: str = "") -> str:
    return text_of_book(rules_in(write_rules(folder, GAME.format(setup=setup, play=play, end=end))), language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("where", "setup", "said"),
    [
        ("", "", BEGINS),
        (" where gold of p > 1", "", BEGINS),
        (" where gold of p > 1", SETUP, FIRST),
        (" clockwise from player(2)", "", NUMBERED),
        (" where p is not player(1)", "", NUMBERED),
        (" clockwise from (first q in player with most gold of q)", "", None),
    ],
)
def test_the_book_says_who_begins_and_who_has_which_number(
    tmp_path: Path, where: str, setup: str, said: dict[str, str] | None, language: str
) -> None:
    text = book(tmp_path, language, TURN.format(where=where), setup)
    counts = [text.count(sentences[language]) for sentences in (BEGINS, FIRST, NUMBERED)]
    assert counts == [int(sentences is said) for sentences in (BEGINS, FIRST, NUMBERED)], text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("change", "numbered"), VARIANTS.items())
def test_words_of_the_game_for_who_begins_stay_and_leave_no_number_open(
    change: str, numbered: bool, language: str
) -> None:
    changed = rules_of("other.rules", f"variant other of tongiaki\n    source house rule\n\n{change}")
    text = text_of_book(changed, language)
    counts = [text.count(sentences[language]) for sentences in (BEGINS, FIRST, YOUNGEST, COUNTED)]
    assert counts == [0, 0, 1, int(numbered)], text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("play", "end", "told"),
    [
        (TURN.format(where=""), "", True),
        (TURN.format(where=""), "    if gold of player(1) > 2\n        player(1) wins\n    nobody wins", False),
        (TURN.format(where=""), "    if gold of player(1) > 2\n        player(1) wins", True),
        (TURN.format(where=""), "    if gold of player(1) > 2\n        end game\n    nobody wins", True),
        (TURN.format(where=""), "    decide()\nrule decide()\n    if gold of player(1) > 2\n        end rule\n"
         "    nobody wins", True),
        (TURN.format(where=""), "    decide()\nrule decide()\n    nobody wins", False),
        ("repeat\n        player(1) gains 1 points\n        if points of player(1) > 3\n            player(1) wins",
         "", False),
        ("repeat\n        player(1) gains 1 points\n        if points of player(1) > 3\n            leave loop",
         "", True),
    ],
)  # fmt: skip
def test_the_winner_is_only_told_where_no_statement_always_decides(
    tmp_path: Path, play: str, end: str, told: bool, language: str
) -> None:
    text = book(tmp_path, language, play, end=end)
    assert (WINS[language] in text) == told, text
