"""Formatter of rule files: the canonical layout, and that only the layout changes.

Thousands of other layouts and damaged files: `python -m benchmarks.soak --only layouts`.
"""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest

from benchmarks.text_mutations import damaged
from tests.language.printer.layouts import EXAMPLES, checked_layout, random_layout, too_long_lines
from tests.language.test_manual import ALL
from wongar_dsl.base.span import Source
from wongar_dsl.language.parser import parse, parser
from wongar_dsl.language.printer import format_source

ROOT = Path(__file__).resolve().parents[3]
SHIPPED = sorted((ROOT / "rules").rglob("*.rules"))
FILES = [path for path in sorted((ROOT / "tests").rglob("*.rules")) if path.stat().st_size < 4000]


@cache
def small_texts() -> list[str]:
    """Return small rule files of all kinds that can be parsed."""
    read = [path.read_bytes().decode("utf-8", "replace") for path in FILES]
    return [text for text in (*read, *EXAMPLES) if not parse(Source("text", text))[1]]


def formatted_text(text: str) -> str:
    text_or_none = checked_layout(text)
    assert text_or_none is not None
    return text_or_none


def in_game(body: str) -> str:
    """Return the statements, indented by four spaces each, as the body of `play` in a game."""
    return f"game small\n    players 2\n\nplay\n{body}"


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_rules_are_formatted(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert formatted_text(text) == text
    assert not too_long_lines(text)


@pytest.mark.parametrize("part", range(3))
def test_formatting_keeps_meaning_and_comments_of_rule_files_and_examples(part: int) -> None:
    """All of them in other layouts: `python -m benchmarks.soak --only layouts`."""
    read = [path.read_bytes().decode("utf-8", "replace") for path in FILES[part::6]]
    assert sum(checked_layout(text) is not None for text in (*read, *EXAMPLES[part::3])) > 20


def test_games_in_the_manual_are_formatted() -> None:
    for example in ALL:
        if example.kind == "":
            assert formatted_text(example.text) == example.text, example


def test_different_layouts_are_formatted_alike() -> None:
    chance = random.Random(7)
    for text in chance.sample(small_texts(), 5):
        layouts = (random_layout(text, order, noted=False) for order in (random.Random(1), chance))
        first, second = (formatted_text(layout).replace("\r\n", "\n").split("\n") for layout in layouts)
        assert [line for line in first if line] == [line for line in second if line]


def test_random_comments_and_damage_are_handled() -> None:
    chance = random.Random(8)
    known_texts = small_texts()
    used = 0
    for _ in range(40):
        text = random_layout(chance.choice(known_texts), chance)
        used += checked_layout(damaged(text, chance, known_texts) if chance.random() < 0.4 else text) is not None
    assert used > 15


def test_file_with_errors_has_diagnostics_and_no_layout() -> None:
    formatted = format_source(Source("wrong", "game  small\n  players 2\nplay\n  bla bla\n"))
    assert formatted.text is None
    assert [diagnostic.code for diagnostic in formatted.diagnostics] == ["R0101"]


def test_comments_keep_their_positions() -> None:
    text = in_game(
        "  # first\n  if 1=1 # behind\n    nothing # one\n    leave loop #two\n    # end of the block\n"
        "  # above\n  f( # open\n  1, 2 # second\n  # own\n )#closed\n  # end of play\n# end of file"
    )
    assert formatted_text(text) == in_game(
        "    # first\n    if 1 = 1  # behind\n        nothing     # one\n        leave loop  #two\n"
        "        # end of the block\n    # above\n    f(  # open\n        1,\n        2  # second\n        # own\n"
        "    )  #closed\n    # end of play\n\n# end of file\n"
    )


def test_blank_lines_separate_declarations_but_never_begin_a_block() -> None:
    text = (
        "\n\ngame small\n\n  players 2\nenum a = b\n# of c\nenum c = d\n\n\n\nenum e = f\n# of play\nplay\n  nothing\n"
    )
    text += "\n\n  nothing\n# apart\n\nenum g = h\n\n"
    assert formatted_text(text) == (
        "game small\n    players 2\n\nenum a = b\n# of c\nenum c = d\n\nenum e = f\n\n# of play\nplay\n    nothing\n\n"
        "    nothing\n\n# apart\n\nenum g = h\n"
    )


def test_longest_bracket_of_a_long_line_is_broken() -> None:
    names = [f"a_rather_long_name_{i}" for i in range(8)]
    call = f"start_of_it(x) + something_longer({', '.join(names[:4])})"
    assert formatted_text(in_game(f"  let y = {call} + {names[5]}\n")) == in_game(
        f"    let y = start_of_it(x) + something_longer(\n        {', '.join(names[:4])}\n    ) + {names[5]}\n"
    )
    assert formatted_text(in_game(f"  f({', '.join(names)})\n")) == in_game(
        "    f(\n" + "".join(f"        {name},\n" for name in names[:-1]) + f"        {names[-1]}\n    )\n"
    )
    conditions = [f"{name} is one_of_many" for name in names]
    assert formatted_text(in_game(f"  let z = ({' or '.join(conditions)})\n")) == in_game(
        f"    let z = (\n        {conditions[0]}\n"
        + "".join(f"        or {condition}\n" for condition in conditions[1:])
        + "    )\n"
    )


def test_value_of_a_long_definition_is_on_the_next_line() -> None:
    value = " + ".join(f"a_rather_long_name_{i}" for i in range(5))
    text = f"game small\n    players 2\n\ndefine total() = {value}\n    source house rule\n"
    assert formatted_text(text) == text.replace("() = ", "() =\n    ")


def test_long_row_of_cards_is_split() -> None:
    cards = [f"1 card_number({i}, {i + 1})" for i in range(100, 108)]
    text = f"game small\n    players 2\n\ndeck pack of card\n    {', '.join(cards)}\n"
    rows = formatted_text(text).split("\n")[4:-1]
    assert [row.strip() for row in rows] == [", ".join(cards[:4]), ", ".join(cards[4:])] or len(rows) == 2


def test_rows_are_aligned_in_columns() -> None:
    text = (
        "game small\n    players 2\n\ntable worth early late\n  red 4 nobody\n  blue -12 7 # less\n\n"
        "table price\n  a 12\n  long 1\n\ndeck pack of card\n  14 a, 2 b\n  1 c\n\n"
        "paths ways of card\n  a 0-1: 2,2-3\n  bc 0-2,1-3\n\nshapes piece\n  a x. xx\n  long xx\n"
    )
    assert formatted_text(text) == (
        "game small\n    players 2\n\ntable worth  early  late\n    red         4   nobody\n    "
        "blue      -12     7  # less\n\n"
        "table price\n    a    12\n    long  1\n\ndeck pack of card\n    14 a, 2 b\n    1  c\n\n"
        "paths ways of card\n    a   0-1: 2, 2-3\n    bc  0-2,    1-3\n\nshapes piece\n    a     x. xx\n    long  xx\n"
    )


def test_signs_and_operators_are_spaced_differently() -> None:
    text = in_game("    let a = -b - -1 * (-c)\n    let d = f[-1, e(2)] div 3\n")
    assert formatted_text(text.replace(" ", "  ").replace("    ", "  ")) == text


def test_line_endings_follow_the_first_line() -> None:
    text = in_game("    nothing\n")
    assert formatted_text(text.replace("\n", "\r\n")) == text.replace("\n", "\r\n")
    assert formatted_text(text.replace("\n", "\r\n").replace("\r\n", "\n", 1)) == text


def test_lines_are_not_broken_beyond_the_line_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser, "MAX_LINES_OF_ARTICLE", 20)
    line = f"    f({', '.join(['a_rather_long_name'] * 7)})\n"
    text = in_game(line * 15)
    assert formatted_text(text) == text
    assert formatted_text(in_game(line)) != in_game(line)
