"""The one layout of rule files: what it looks like, and that nothing but the layout changes.

Other layouts and damage by the thousand: `python -m benchmarks.soak --only layouts`.
"""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest

from benchmarks.mutations import damaged
from tests.editor.layouts import EXAMPLES, check, relaid, too_long
from tests.language.test_manual import ALL
from wongar_dsl.editor import format_source
from wongar_dsl.parser import parser
from wongar_dsl.text.span import Source

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = sorted((ROOT / "rules").rglob("*.rules"))
FILES = [path for path in sorted((ROOT / "tests").rglob("*.rules")) if path.stat().st_size < 4000]


@cache
def texts() -> list[str]:
    """Small rule files of all sorts that can be read."""
    read = [path.read_bytes().decode("utf-8", "replace") for path in FILES]
    return [text for text in (*read, *EXAMPLES) if format_source(Source("text", text)).text is not None]


def laid(text: str) -> str:
    found = check(text)
    assert found is not None
    return found


def game(body: str) -> str:
    """The body of `play`, with four spaces before each line, in a game."""
    return f"game small\n    players 2\n\nplay\n{body}"


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_the_shipped_rules_are_in_the_layout(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert laid(text) == text
    assert not too_long(text)


@pytest.mark.parametrize("folder", ["attacks", "data", "diagnostics", "games", "language"])
def test_every_rule_file_keeps_its_meaning_and_its_comments(folder: str) -> None:
    read = [path for path in FILES if path.is_relative_to(ROOT / "tests" / folder)]
    assert sum(check(path.read_bytes().decode("utf-8", "replace")) is not None for path in read)


def test_every_example_of_the_manual_keeps_its_meaning() -> None:
    assert sum(check(text) is not None for text in EXAMPLES) > 40


def test_games_in_the_manual_are_in_the_layout() -> None:
    for example in ALL:
        if example.kind == "":
            assert laid(example.text) == example.text, example


def test_other_layouts_of_the_same_rules_become_the_same() -> None:
    chance = random.Random(7)
    for text in chance.sample(texts(), 8):
        bare = [
            line for line in laid(relaid(text, random.Random(1), noted=False)).replace("\r\n", "\n").split("\n") if line
        ]
        other = laid(relaid(text, chance, noted=False)).replace("\r\n", "\n").split("\n")
        assert [line for line in other if line] == bare


def test_comments_anywhere_and_damage_by_chance() -> None:
    chance = random.Random(8)
    known = texts()
    used = 0
    for _ in range(40):
        text = relaid(chance.choice(known), chance)
        used += check(damaged(text, chance, known) if chance.random() < 0.4 else text) is not None
    assert used > 15


def test_a_file_with_mistakes_has_no_layout_but_diagnostics() -> None:
    formatted = format_source(Source("wrong", "game  small\n  players 2\nplay\n  bla bla\n"))
    assert formatted.text is None
    assert [diagnostic.code for diagnostic in formatted.found] == ["R0101"]


def test_comments_stay_above_behind_inside_and_at_the_end() -> None:
    text = game(
        "  # first\n  if 1=1 # behind\n    nothing # one\n    leave loop #two\n    # end of the block\n"
        "  # above\n  f( # open\n  1, 2 # second\n  # own\n )#closed\n  # end of play\n# end of file"
    )
    assert laid(text) == game(
        "    # first\n    if 1 = 1  # behind\n        nothing     # one\n        leave loop  #two\n"
        "        # end of the block\n    # above\n    f(  # open\n        1,\n        2  # second\n        # own\n"
        "    )  #closed\n    # end of play\n\n# end of file\n"
    )


def test_blank_lines_part_articles_and_never_begin_a_block() -> None:
    text = (
        "\n\ngame small\n\n  players 2\nenum a = b\n# of c\nenum c = d\n\n\n\nenum e = f\n# of play\nplay\n  nothing\n"
    )
    text += "\n\n  nothing\n# apart\n\nenum g = h\n\n"
    assert laid(text) == (
        "game small\n    players 2\n\nenum a = b\n# of c\nenum c = d\n\nenum e = f\n\n# of play\nplay\n    nothing\n\n"
        "    nothing\n\n# apart\n\nenum g = h\n"
    )


def test_the_longest_bracket_of_a_long_line_is_opened() -> None:
    names = [f"a_rather_long_name_{i}" for i in range(8)]
    call = f"start_of_it(x) + something_longer({', '.join(names[:4])})"
    assert laid(game(f"  let y = {call} + {names[5]}\n")) == game(
        f"    let y = start_of_it(x) + something_longer(\n        {', '.join(names[:4])}\n    ) + {names[5]}\n"
    )
    assert laid(game(f"  f({', '.join(names)})\n")) == game(
        "    f(\n" + "".join(f"        {name},\n" for name in names[:-1]) + f"        {names[-1]}\n    )\n"
    )
    conditions = [f"{name} is one_of_many" for name in names]
    assert laid(game(f"  let z = ({' or '.join(conditions)})\n")) == game(
        f"    let z = (\n        {conditions[0]}\n"
        + "".join(f"        or {condition}\n" for condition in conditions[1:])
        + "    )\n"
    )


def test_a_definition_that_is_too_long_has_its_value_below() -> None:
    value = " + ".join(f"a_rather_long_name_{i}" for i in range(5))
    text = f"game small\n    players 2\n\ndefine total() = {value}\n    source house rule\n"
    assert laid(text) == text.replace("() = ", "() =\n    ")


def test_a_row_of_cards_that_is_too_long_becomes_two() -> None:
    cards = [f"1 card_number({i}, {i + 1})" for i in range(100, 108)]
    text = f"game small\n    players 2\n\ndeck pack of card\n    {', '.join(cards)}\n"
    rows = laid(text).split("\n")[4:-1]
    assert [row.strip() for row in rows] == [", ".join(cards[:4]), ", ".join(cards[4:])] or len(rows) == 2


def test_rows_stand_in_columns() -> None:
    text = (
        "game small\n    players 2\n\ntable worth early late\n  red 4 nobody\n  blue -12 7 # less\n\n"
        "table price\n  a 12\n  long 1\n\ndeck pack of card\n  14 a, 2 b\n  1 c\n\n"
        "paths ways of card\n  a 0-1: 2,2-3\n  bc 0-2,1-3\n\nshapes piece\n  a x. xx\n  long xx\n"
    )
    assert laid(text) == (
        "game small\n    players 2\n\ntable worth  early  late\n    red         4   nobody\n    "
        "blue      -12     7  # less\n\n"
        "table price\n    a    12\n    long  1\n\ndeck pack of card\n    14 a, 2 b\n    1  c\n\n"
        "paths ways of card\n    a   0-1: 2, 2-3\n    bc  0-2,    1-3\n\nshapes piece\n    a     x. xx\n    long  xx\n"
    )


def test_signs_and_operators_are_told_apart() -> None:
    text = game("    let a = -b - -1 * (-c)\n    let d = f[-1, e(2)] div 3\n")
    assert laid(text.replace(" ", "  ").replace("    ", "  ")) == text


def test_the_ends_of_lines_are_those_of_the_first() -> None:
    text = game("    nothing\n")
    assert laid(text.replace("\n", "\r\n")) == text.replace("\n", "\r\n")
    assert laid(text.replace("\n", "\r\n").replace("\r\n", "\n", 1)) == text


def test_rules_that_would_get_too_long_by_breaking_are_not_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser, "MAX_LINES_OF_ARTICLE", 20)
    line = f"    f({', '.join(['a_rather_long_name'] * 7)})\n"
    text = game(line * 15)
    assert laid(text) == text
    assert laid(game(line)) != game(line)
