"""Rulebooks of games without words of their own still tell things of one kind apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import write_rules

from .books import LANGUAGES, rules_in, text_of_book

GAME = """
enum plot = north_plot, south_plot
board land
    grid 3 by 3
remember owner of each plot: player
remember height of each land: number 0 to 9
play
    repeat 3 times
        for each p in player
            p chooses turn
                claim(one: plot, other: plot where other is not one and owner of other is not p)
                    set owner of one to p
                    set owner of other to left of p
                build(here: land where height of here < 9)
                    set height of here to 3
                    if height of here > 2
                        set height of here to 4
                rest
                    set owner of north_plot to p
                    set owner of south_plot to p
    nobody wins
"""
#: A named value without a term, and the words for the two things that it belongs to.
TWO = {
    "en": ("owner of plot “one”", "owner of the other plot"),
    "de": ("owner von plot „one“", "owner vom anderen plot"),
    "nl": ("owner van plot “one”", "owner van de andere plot"),
    "it": ("owner di plot «one»", "owner dell’altro plot"),
}
#: The words that name the whole of a value.
OF = {"en": "of ", "de": "von ", "nl": "van ", "it": "di "}


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_things_without_a_term_are_told_apart(language: str, tmp_path: Path) -> None:
    text = text_of_book(rules_in(write_rules(tmp_path, GAME)), language, "play").casefold()
    assert [name for name in TWO[language] if text.count(name) != 1] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_value_without_a_term_is_always_told_with_what_it_belongs_to(language: str, tmp_path: Path) -> None:
    text = text_of_book(rules_in(write_rules(tmp_path, GAME)), language, "play").casefold()
    assert text.count("height") == text.count(f"height {OF[language]}") == 4


STACKS = """
enum piece = pebble
tokens pot holds piece, seen by all
tokens own of each player holds piece, seen by all
setup
    fill pot with {} pebble
play
    for each p in player
        p chooses turn
            grab
                move {} pebble from pot to own of p
            rest
                nothing
    nobody wins
"""
#: The verbs for one and for several things without a term.
GO = {"en": ("goes", "go"), "de": ("kommt", "kommen"), "nl": ("komt", "komen"), "it": ("va", "vanno")}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("number", [1, 2, 20])
def test_verb_agrees_with_a_number_of_things_without_a_term(language: str, number: int, tmp_path: Path) -> None:
    text = text_of_book(rules_in(write_rules(tmp_path, STACKS.format(number, number))), language)
    wanted, other = GO[language] if number == 1 else reversed(GO[language])
    moves = [line for line in text.splitlines() if f"{number} pebble " in line and len(line.split()) > 3]
    assert len(moves) == 2
    assert all(wanted in line.split() and other not in line.split() for line in moves)


PRIZES = """
score gems
rule prize_of(n: number) gives number
    if n > 2
        give 7
    give 1
play
    for each p in player
        p chooses turn
            grab(n: 1 to 3)
                p gains prize_of(n) gems
                p gains 1 gems
            rest
                nothing
    nobody wins
"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_that_are_plurals_or_end_in_of_fit_the_sentence(language: str, tmp_path: Path) -> None:
    text = text_of_book(rules_in(write_rules(tmp_path, PRIZES)), language)
    assert "1 gem " in text or "1 gem." in text
    assert "1 gems" not in text
    assert "prize " in text
    assert f"prize of {OF[language].strip()}" not in text
