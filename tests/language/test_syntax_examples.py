"""Syntax examples shown next to a faulty line are valid lines."""

from __future__ import annotations

import pytest

from tests.small_games import built
from wongar_dsl.base.diagnostics import Diagnostic
from wongar_dsl.base.span import Source
from wongar_dsl.language.parser import parse
from wongar_dsl.language.parser.keywords import ARTICLE_FORMS, INNER_FORMS, NAMED_FORMS

#: Lines above and below an example that is not valid alone.
AROUND = (
    "{}\n", "{}\n    nothing\n", "{}\n    most points of p\n", "{}\n    a\n", "{}\n    a 1\n",
    "{}\n    early 2 spaces\n",
    "{}\n    row a b\n", "{}\n    1 a\n", "{}\n    a xx\n", "{}\n    a 0-1\n", "{}\n    a b\n",
    "game a\n    {}\n", "board a\n    {}\n    row a b\n", "rule a()\n    {}\n", "rule a()\n    {}\n        nothing\n",
    "rule a()\n    {}\n        go\n            nothing\n",
)  # fmt: skip


@pytest.mark.parametrize("form", [*ARTICLE_FORMS.values(), *INNER_FORMS.values(), *NAMED_FORMS.values()])
def test_syntax_example_is_a_valid_line(form: str) -> None:
    texts = [around.format(form) for around in AROUND]
    codes_by_context = [[d.code for d in parse(Source("form.rules", text))[1] if d.code != "R0110"] for text in texts]
    assert [] in codes_by_context


PURSE = """\
game purse
    players 2
    source house rule

enum place = market, harbour
score coins by place

play
    for each p in player
        {}
    end game

winner p
    most coins of p
"""


def test_a_gain_without_its_group_of_points_is_shown_with_one() -> None:
    def errors(line: str) -> list[Diagnostic]:
        return [d for d in built(PURSE.format(line))[1] if d.code == "R0107"]

    (error,) = errors("p gains 2 coins")
    assert error.code == "R0107"
    assert error.hint is not None
    assert error.hint.arguments["form"] == "p gains 3 coins for market"
    assert errors(str(error.hint.arguments["form"])) == []
