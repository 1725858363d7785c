"""What can stand at a place: words of the language, and names of the sort and type that is wanted there."""

from __future__ import annotations

import pytest

from wongar_dsl.language_server.completion import complete
from wongar_dsl.language_server.positions import Position
from wongar_dsl.language_server.snapshot import View
from wongar_dsl.words import Words

from .files import BASE_AT, GAME, VARIANT, VARIANT_AT, read

ENGLISH = Words.load("en")


def offered(before: str, typed: str, variant: bool = False) -> list[str]:
    """What is offered behind `typed`, which somebody types behind `before`: what is wanted most goes first."""
    text = VARIANT if variant else GAME
    at = text.index(before) + len(before)
    text = text[:at] + typed + text[at:]
    above = text[: at + len(typed)]
    place = Position(above.count("\n") + 1, len(above) - above.rfind("\n"))
    found = complete(View(text, read(VARIANT_AT if variant else BASE_AT)), place, ENGLISH)
    return [c.text for c in sorted(found, key=lambda c: (not c.wanted or c.sort == "word", c.text))]


def test_a_line_begins_with_the_words_that_can_begin_it() -> None:
    articles = offered("\n\n", "ta")
    assert {"table", "tokens", "rule"} <= set(articles)
    # A game has no base to change, and begins once.
    assert not {"set", "replace", "if", "disc", "game", "variant"} & set(articles)
    changes = offered("\n\n", "s", variant=True)
    assert {"set", "replace", "before"} <= set(changes)
    assert not {"game", "variant"} & set(changes)
    statements = offered("            take_turn(p)\n", "            ")
    assert {"if", "take_turn", "p", "move"} <= set(statements)
    assert "table" not in statements
    assert statements[:2] == ["p", "take_turn"]


def test_a_file_begins_with_what_it_is() -> None:
    for text in ("", "g", "# A game.\n\nva"):
        place = Position(text.count("\n") + 1, len(text) - text.rfind("\n"))
        assert [c.text for c in complete(View(text, read(BASE_AT)), place, ENGLISH)] == ["game", "variant"]


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("            let x = worth[", ["cube", "disc", "number"]),
        ("            let x = supply[", ["p", "bottom"]),
        ("            let x = supply[p, ", ["cube", "disc"]),
        ("            take_turn(", ["p"]),
        ("            tell ", ["passed", "placed"]),
    ],
)
def test_names_of_the_wanted_type_go_first(typed: str, first: list[str]) -> None:
    found = offered("            take_turn(p)\n", typed)
    assert [name for name in found if name in first][: len(first)] == first
    assert found[0] == first[0]


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("remember x: ", {"token", "player", "number", "yes"}),
        ("tokens x of each ", {"token", "player"}),
        ("tokens x holds ", {"token", "at"}),
        ("rule ", set()),
    ],
)
def test_only_names_of_the_sort_that_is_wanted_are_offered(typed: str, names: set[str]) -> None:
    assert set(offered("", typed)) == names


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("set ", {"plenty", "worth", "disc", "cube", "row", "players"}),
        ("remove rule ", {"take_turn"}),
        ("allow pass in choice ", {"turn"}),
        ("    source ", {"leaflet", "house", "inferred", "reconstruction"}),
    ],
)
def test_a_variant_is_offered_what_its_base_has(typed: str, names: set[str]) -> None:
    assert names <= set(offered("    source house rule\n", typed, variant=True))


def test_names_inside_of_a_rule_are_offered_where_they_are_known() -> None:
    inside = offered("        place(kind: token where supply[me, kind] > 0)\n", "            move 1 ")
    assert {"kind", "me"} <= set(inside)
    assert "p" not in inside
    assert "kind" not in offered("            tell passed(player: me)\n", "            take_turn(")


def test_the_second_word_of_two_is_offered_behind_the_first() -> None:
    assert {"game", "rule"} <= set(offered("            take_turn(p)\n", "            end "))
    assert "loop" in offered("            take_turn(p)\n", "            leave lo")


def test_a_line_above_with_a_mistake_does_not_hinder() -> None:
    assert "take_turn" in offered("            take_turn(p)\n", "            if = 3\n                x\n            ")


@pytest.mark.parametrize(
    "typed", ["# ", '    source leaflet "', "            \ud800 ", "\0", "            ((((((", "\t"]
)
def test_nothing_is_offered_in_comments_and_texts_and_nothing_fails(typed: str) -> None:
    found = offered("            take_turn(p)\n", typed)
    assert not found or typed.strip() not in ("#", '    source leaflet "')
