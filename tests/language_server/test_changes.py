"""What stood in the base is shown beside what a variant sets."""

from __future__ import annotations

import pytest

from wongar_dsl.language_server.changes import before
from wongar_dsl.language_server.snapshot import View
from wongar_dsl.words import Words

from .files import GAME, VARIANT, VARIANT_AT, read, view

ENGLISH = Words.load("en")


def hints(change: str, base: str = GAME) -> list[str]:
    """What is shown beside the lines of a variant."""
    text = f"variant rich of meadow\n\n{change}\n    source house rule\n"
    return [hint.text for hint in before(View(text, read(VARIANT_AT, base=base, variant=text)), ENGLISH)]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("set plenty to 5", "instead of 3"),
        ("set worth[disc] to 4  # more", "instead of 1"),
        ("set row cube of worth to 3", "instead of 2"),
        ("set players to 3", "instead of 2 to 4"),
        ("set kind of place in choice turn to token", "instead of token where supply[me, kind] > 0"),
        ("set rounds in play to rounds + 2", "instead of rounds + 1"),
    ],
)
def test_each_set_is_shown_with_what_it_replaces(change: str, said: str) -> None:
    assert hints(change) == [said]


def test_the_number_of_cards_is_shown_also_where_there_were_none() -> None:
    cards = "cards picture\n    sun\n    moon\n    source house rule\n\n"
    deck = "deck pack of picture\n    2 sun\n    source house rule\n\n"
    base = GAME.replace("setup\n", f"{cards}{deck}setup\n")
    assert hints("set sun in pack to 9", base) == ["instead of 2"]
    assert hints("set moon in pack to 9", base) == ["instead of 0"]


def test_the_value_stands_behind_the_line_and_before_its_comment() -> None:
    (first, *_) = before(view(VARIANT_AT), ENGLISH)
    assert (first.place.line, first.place.column) == (3, len("set plenty to 5") + 1)


def test_a_line_that_is_being_changed_and_a_game_without_base_show_nothing() -> None:
    typed = VARIANT.replace("to 5", "to 55")
    shown = before(View(typed, read(VARIANT_AT)), ENGLISH)
    assert [hint.text for hint in shown] == ["instead of 2"]
    assert before(view(), ENGLISH) == ()


@pytest.mark.parametrize(
    "change", ["set nothing_there to 4", "set worth[moon] to 4", "set worth[disc, disc] to 2", "set x in y to 2"]
)
def test_what_is_set_and_is_not_there_does_no_harm(change: str) -> None:
    assert hints(change) in ([], ["instead of 1"], ["instead of 0"])
