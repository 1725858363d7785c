"""Inlay hints with the base values that a variant changes."""

from __future__ import annotations

import pytest

from wongar_dsl.language.server.display import inlay_hints
from wongar_dsl.language.server.symbols import DocumentView
from wongar_dsl.nlg.words import Translator

from .files import GAME, VARIANT, VARIANT_AT, snapshot_of, view_of

ENGLISH = Translator.load("en")


def hint_texts(change: str, base: str = GAME) -> list[str]:
    """Return the hints next to the lines of a variant."""
    text = f"variant rich of meadow\n\n{change}\n    source house rule\n"
    return [
        hint.text for hint in inlay_hints(DocumentView(text, snapshot_of(VARIANT_AT, base=base, variant=text)), ENGLISH)
    ]


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
def test_hint_shows_the_replaced_value(change: str, said: str) -> None:
    assert hint_texts(change) == [said]


def test_hint_shows_replaced_card_counts_including_zero() -> None:
    cards = "cards picture\n    sun\n    moon\n    source house rule\n\n"
    deck = "deck pack of picture\n    2 sun\n    source house rule\n\n"
    base = GAME.replace("setup\n", f"{cards}{deck}setup\n")
    assert hint_texts("set sun in pack to 9", base) == ["instead of 2"]
    assert hint_texts("set moon in pack to 9", base) == ["instead of 0"]


def test_hint_is_before_the_comment() -> None:
    (first, *_) = inlay_hints(view_of(VARIANT_AT), ENGLISH)
    assert (first.place.line, first.place.column) == (3, len("set plenty to 5") + 1)


def test_edited_lines_and_games_without_base_have_no_hints() -> None:
    typed = VARIANT.replace("to 5", "to 55")
    shown = inlay_hints(DocumentView(typed, snapshot_of(VARIANT_AT)), ENGLISH)
    assert [hint.text for hint in shown] == ["instead of 2"]
    assert inlay_hints(view_of(), ENGLISH) == ()


@pytest.mark.parametrize(
    "change", ["set nothing_there to 4", "set worth[moon] to 4", "set worth[disc, disc] to 2", "set x in y to 2"]
)
def test_invalid_change_is_handled(change: str) -> None:
    assert hint_texts(change) in ([], ["instead of 1"], ["instead of 0"])
