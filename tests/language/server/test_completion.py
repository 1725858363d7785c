"""Completion: keywords of the language, and names of the expected kind and type."""

from __future__ import annotations

import pytest

from wongar_dsl.language.server.completion import complete
from wongar_dsl.language.server.symbols import DocumentView, TextPosition
from wongar_dsl.nlg.words import Translator

from .files import BASE_AT, GAME, VARIANT, VARIANT_AT, snapshot_of

ENGLISH = Translator.load("en")


def completions(before: str, typed: str, variant: bool = False) -> list[str]:
    """Return the completions after `typed`, inserted after `before`, with the most relevant first."""
    text = VARIANT if variant else GAME
    offset = text.index(before) + len(before)
    text = text[:offset] + typed + text[offset:]
    above = text[: offset + len(typed)]
    position = TextPosition(above.count("\n") + 1, len(above) - above.rfind("\n"))
    items = complete(DocumentView(text, snapshot_of(VARIANT_AT if variant else BASE_AT)), position, ENGLISH)
    return [c.text for c in sorted(items, key=lambda c: (not c.wanted or c.sort == "word", c.text))]


def test_line_start_offers_words_that_can_begin_a_line() -> None:
    articles = completions("\n\n", "ta")
    assert {"table", "tokens", "rule"} <= set(articles)
    # A game has no base to change, and `game` occurs once.
    assert not {"set", "replace", "if", "disc", "game", "variant"} & set(articles)
    changes = completions("\n\n", "s", variant=True)
    assert {"set", "replace", "before"} <= set(changes)
    assert not {"game", "variant"} & set(changes)
    statements = completions("            take_turn(p)\n", "            ")
    assert {"if", "take_turn", "p", "move"} <= set(statements)
    assert "table" not in statements
    assert statements[:2] == ["p", "take_turn"]


def test_file_start_offers_game_and_variant() -> None:
    for text in ("", "g", "# A game.\n\nva"):
        position = TextPosition(text.count("\n") + 1, len(text) - text.rfind("\n"))
        assert [c.text for c in complete(DocumentView(text, snapshot_of(BASE_AT)), position, ENGLISH)] == [
            "game",
            "variant",
        ]


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
def test_names_of_the_expected_type_are_first(typed: str, first: list[str]) -> None:
    items = completions("            take_turn(p)\n", typed)
    assert [name for name in items if name in first][: len(first)] == first
    assert items[0] == first[0]


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("remember x: ", {"token", "player", "number", "yes"}),
        ("tokens x of each ", {"token", "player"}),
        ("tokens x holds ", {"token", "at"}),
        ("rule ", set()),
    ],
)
def test_only_names_of_the_expected_kind_are_offered(typed: str, names: set[str]) -> None:
    assert set(completions("", typed)) == names


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("set ", {"plenty", "worth", "disc", "cube", "row", "players", "age", "minutes"}),
        ("remove rule ", {"take_turn"}),
        ("allow pass in choice ", {"turn"}),
        ("    source ", {"leaflet", "house", "inferred", "reconstruction"}),
    ],
)
def test_variant_is_offered_names_of_its_base(typed: str, names: set[str]) -> None:
    assert names <= set(completions("    source house rule\n", typed, variant=True))


def test_local_names_are_offered_only_in_scope() -> None:
    inside = completions("        place(kind: token where supply[me, kind] > 0)\n", "            move 1 ")
    assert {"kind", "me"} <= set(inside)
    assert "p" not in inside
    assert "kind" not in completions("            tell passed(player: me)\n", "            take_turn(")


def test_second_word_of_a_keyword_pair_is_offered() -> None:
    assert {"game", "rule"} <= set(completions("            take_turn(p)\n", "            end "))
    assert "loop" in completions("            take_turn(p)\n", "            leave lo")


def test_completion_works_below_a_wrong_line() -> None:
    assert "take_turn" in completions(
        "            take_turn(p)\n", "            if = 3\n                x\n            "
    )


@pytest.mark.parametrize(
    "typed", ["# ", '    source leaflet "', "            \ud800 ", "\0", "            ((((((", "\t"]
)
def test_comments_and_texts_have_no_completions(typed: str) -> None:
    items = completions("            take_turn(p)\n", typed)
    assert not items or typed.strip() not in ("#", '    source leaflet "')
