"""Local names after the end of their scope: the diagnostic shows where the name was introduced."""

from __future__ import annotations

import pytest

from tests.small_games import built
from wongar_dsl.base.diagnostics import Diagnostic
from wongar_dsl.base.span import Source

GAME = """\
game scoped
    players 2
    source house rule

enum hue = red, blue, dim_red
remember fine: number = 0
remember paint of each hue: number = 1

play
    repeat 3 times
        for each p in player
            p chooses turn
                paint_one(shade: hue, amount: 1 to 3)
                    set fine to fine + 1
{line}
    end game

winner p
    most fine
"""

#: Lines that use the name `dim` after the end of its scope.
LINES = {
    "let in a condition": """
            if fine > 3
                let dim = fine - 1
            set fine to dim""",
    "loop": """
            for each dim in hue
                set paint of dim to 2
            set paint of dim to 3""",
    "quantifier": """
            if (every dim in hue has paint of dim > 2 or paint of dim = 1)
                set fine to 0""",
    "sum": """
            set fine to (sum of paint of dim for dim in hue) + paint of dim""",
    "simultaneous choice": """
            each dim in player chooses colour at once
                keep
                    set fine to 4
            if dim is p
                set fine to 5""",
    "option": """
            p chooses colour
                keep(dim: 1 to 3)
                    set fine to dim
            set fine to dim""",
}


def _errors(line: str) -> tuple[Source, list[Diagnostic]]:
    source, diagnostics = built(GAME.format(line=line.strip("\n")))
    return source, [d for d in diagnostics if d.code == "R0201"]


@pytest.mark.parametrize("form", LINES)
def test_a_name_after_its_scope_is_shown_where_it_was_introduced(form: str) -> None:
    source, errors = _errors(LINES[form])
    assert len(errors) == 1
    (label,) = errors[0].labels
    assert label.name == "scope"
    assert source.line(label.span.line)[label.span.column - 1 :].startswith("dim")
    assert errors[0].span is not None
    assert (label.span.line, label.span.column) < (errors[0].span.line, errors[0].span.column)
    assert errors[0].suggestion is None, "a similar name is not what the author means"


def test_a_name_of_another_rule_is_unknown_without_a_place() -> None:
    _, errors = _errors(
        LINES["loop"].replace("            set paint of dim to 3", "            set paint of shade to 3")
    )
    assert [d.labels[0].name for d in errors] == ["scope"], "the option of the same article introduces it"
    _, diagnostics = built(GAME.format(line="").replace("most fine", "most paint of shade"))
    (error,) = [d for d in diagnostics if d.code == "R0201"]
    assert error.labels == ()
