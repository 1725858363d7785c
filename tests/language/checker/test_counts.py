"""Ranges that are empty, counts with which nothing would happen, and names of options that a variant cannot write.

The forms are compared with the grammar, so that a new place for a range or a count needs a row here.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.small_games import checked
from wongar_dsl.base.diagnostics import Diagnostic, Severity
from wongar_dsl.language.parser.keywords import grammar_text, reserved_words
from wongar_dsl.language.semantics.builtins import TAKEN

#: A game with a place for one more article, statement and expression.
GAME = """\
game counts
    players 2 to 4
    source house rule

enum colour = red, blue
board square
    grid 3 by 3
cards picture
    plain
deck pack of picture
    2 plain
tokens heap_of of each player holds colour, seen by all
tokens box holds colour, seen by all
pile stack holds picture, seen by nobody
pile spare holds picture, seen by nobody
score points
track clock
    red 2 spaces
    blue 2 spaces

option bonus = 2 in 0 to 3

setup
    fill stack with pack

play
    for each p in player
        {statement}
        p gains 2 points as scored(player: p)
        if {condition}
            advance clock by bonus
            move top of stack to stack quietly
    move 1 red from heap_of of player(1) to box as paid(n: 1, stone: red)
    nobody wins

{article}
"""
FREE = {"statement": "p gains 1 points", "condition": "yes", "article": ""}
CHOICE = "p chooses act\n            {}\n                end game\n            rest\n                end game"

#: By grammar rule, or alias of an alternative: a part of the game or its head, and a form with a range.
RANGES = {
    "players": ("players 2 to 4", "players {low} to {high}"),
    "set_players": ("", "set players to {low} to {high}"),
    "minutes": ("    source house", "    minutes {low} to {high}\n    source house"),
    "set_minutes": ("", "set minutes to {low} to {high}"),
    "type_number": ("article", "rule extra(n: number {low} to {high})\n    tell seen(n)"),
    "setting": ("option bonus = 2 in 0 to 3", "option bonus = 2 in {low} to {high}"),
    "span_of": ("statement", CHOICE.format("go(n: {low} to {high})")),
}
#: The same for counts, with the least that is allowed.
COUNTS = {
    "players": ("players 2 to 4", "players {n}", 1),
    "set_players": ("", "set players to {n}", 1),
    "age": ("    source house", "    age {n}\n    source house", 1),
    "set_age": ("", "set age to {n}", 1),
    "minutes": ("    source house", "    minutes {n}\n    source house", 1),
    "set_minutes": ("", "set minutes to {n}", 1),
    "square_lattice": ("grid 3 by 3", "grid 3 by {n}", 1),
    "hexagon_lattice": ("grid 3 by 3", "hexagons {n} by 3", 1),
    "at_most": ("pile spare holds", "pile spare holds at most {n}", 1),
    "track_phase": ("red 2 spaces", "red {n} spaces", 1),
    "repeat_times": ("statement", "repeat {n} times\n            p gains 1 points", 1),
    "clock": ("statement", CHOICE.format("go").replace(" act", " act by time from 5 within {n} seconds"), 1),
    "move_tokens": ("statement", "move {n} red from box to heap_of of p", 1),
    "fill_kind": ("statement", "fill box with {n} red", 1),
    "advance": ("statement", "advance clock by {n}", 1),
    "lines_on": ("condition", "(some l in lines of {n} on square where yes)", 2),
    "lines_through": ("condition", "(some l in lines of {n} through a1 where yes)", 2),
    "random": ("statement", "let drawn = random c in colour weighted by {n}", 1),
}
#: Rules of the grammar with numbers that may be 0 or are no counts.
ANY_NUMBER = frozenset(
    {
        "round_lattice",
        "type_number",
        "gain",
        "deck",
        "copies",
        "negative",
        "path",
        "setting",
        "ranked",
        "set_count",
        "move",
    }
    | {"lay", "fill", "perform", "domain", "all_of", "span_of", "touching", "within", "along", "reached", "number"}
    | {"clockwise_from", "clockwise_after", "compare", "chain", "is_same", "is_other", "is_empty", "is_filled"}
    | {"comparison", "binary", "sum_of", "highest", "lowest", "tally"}
)


def grammar_forms(pattern: str) -> set[str]:
    """Return the rules of the grammar, or the aliases of their alternatives, that match a pattern."""
    found = set()
    rule = ""
    for line in re.sub(r"//.*", "", grammar_text()).splitlines():
        named = re.match(r"\??([a-z_]+): ", line)
        rule = named[1] if named else "" if not line.startswith(" ") else rule
        if rule and re.search(pattern, line.removeprefix(named[0] if named else "")):
            alias = re.search(r"-> (\w+)", line)
            found.add(alias[1] if alias else rule)
    return found


def errors(folder: Path, part: str, form: str, base: str = FREE["statement"]) -> list[Diagnostic]:
    """Return the errors of the game with a form in place of a part: a field of it, a line, or in a variant.

    `base` is the statement of the game.
    """
    text = GAME.format(**{**FREE, "statement": base, **({part: form} if part in FREE else {})})
    path = folder / "counts.rules"
    path.write_text(text.replace(part, form, 1) if part and part not in FREE else text, encoding="utf-8")
    if not part:
        path = folder / "changed.rules"
        path.write_text(f"variant changed of counts\n    source house rule\n\n{form}\n", encoding="utf-8")
    return [d for d in checked(path) if d.severity is Severity.ERROR]


def test_every_range_of_the_grammar_has_a_row() -> None:
    assert grammar_forms(r'(INT|sum) \[?"to" (INT|sum)') == set(RANGES)


def test_every_number_of_the_grammar_has_a_row() -> None:
    assert grammar_forms(r"\b(INT|sum)\b") == set(COUNTS) | ANY_NUMBER


@pytest.mark.parametrize("name", RANGES)
def test_a_range_that_begins_with_its_larger_number_is_an_error(tmp_path: Path, name: str) -> None:
    part, form = RANGES[name]
    assert errors(tmp_path, part, form.format(low=2, high=3)) == []
    (wrong,) = errors(tmp_path, part, form.format(low=3, high=2))
    assert wrong.code == "R0307"
    assert wrong.suggestion is not None
    assert wrong.suggestion.endswith("2 to 3")


@pytest.mark.parametrize("name", COUNTS)
def test_a_count_with_which_nothing_happens_is_an_error(tmp_path: Path, name: str) -> None:
    part, form, least = COUNTS[name]
    assert errors(tmp_path, part, form.format(n=least)) == []
    (wrong,) = errors(tmp_path, part, form.format(n=least - 1))
    assert (wrong.code, wrong.arguments["low"]) == ("R0305", least)


@pytest.mark.parametrize("written", ["-2", "(0)", "2 - 2"])
def test_a_calculated_count_is_checked_too(tmp_path: Path, written: str) -> None:
    (wrong,) = errors(tmp_path, "statement", f"fill box with {written} red")
    assert (wrong.code, wrong.arguments["value"]) == ("R0305", -2 if written == "-2" else 0)


def test_a_wrong_count_is_the_only_mistake_of_its_message(tmp_path: Path) -> None:
    statement = "move -2 red from box to heap_of of p as paid(n: bonus, stone: red)"
    assert [d.code for d in errors(tmp_path, "statement", statement)] == ["R0305"]
    assert [d.code for d in errors(tmp_path, "statement", statement.replace("-2", "1"))] == ["R0424"]


#: Statements of a variant that name an option, each in a choice of its own.
CHANGES = (
    "remove {} from choice act",
    "allow {} in choice act_again only if position of p > 3",
    "set n of {} in choice act_later to 1 to 3",
    "add to choice act_last before {}\n    more\n        end game",
)


#: Words of the language; what stands at `otherwise` is no option.
WORDS = sorted({*reserved_words(), *TAKEN} - {"otherwise"})


@pytest.mark.parametrize("words", [WORDS[i : i + 16] for i in range(0, len(WORDS), 16)], ids=lambda words: words[0])
def test_an_option_is_refused_or_can_be_named_by_a_variant(tmp_path: Path, words: list[str]) -> None:
    def choices(options: list[str]) -> str:
        forms = [f"{word}(n: 1 to 2)\n                tell seen(n)" for word in options]
        choice = CHOICE.format("\n            ".join([*forms, "other"]))
        names = ("act", "act_again", "act_later", "act_last")
        return "\n        ".join(choice.replace("chooses act", f"chooses {name}") for name in names)

    refused = set()
    for diagnostic in errors(tmp_path, "statement", choices(words)):
        assert diagnostic.code in ("R0205", "R0215")
        assert diagnostic.span is not None
        refused.add(diagnostic.span.source.line(diagnostic.span.line).strip().partition("(")[0])
    allowed = [word for word in words if word not in refused]
    assert errors(tmp_path, "statement", choices(allowed)) == []
    changes = "\n\n".join("\n\n".join(CHANGES).replace("{}", word).replace("more", f"more_{word}") for word in allowed)
    assert errors(tmp_path, "", changes, choices(allowed)) == []
