"""Keywords as names: the declaration is reported, and not the lines that cannot be parsed because of it."""

from __future__ import annotations

import pytest

from tests.small_games import built
from wongar_dsl.language.parser import reserved_words

GAME = """\
game named
    players 2
    source house rule

enum hue = red, blue
{declaration}
remember fine: number = 0

play
    repeat 3 times
        {use}
        set fine to fine + 1
    end game

winner p
    most fine
"""

#: A declaration of a name and a statement that uses it.
FORMS = {
    "value": ("remember {w}: number = 0", "set {w} to {w} + 1"),
    "value of each player": (
        "remember {w} of each player: number = 0",
        "for each p in player\n            set {w} of p to {w} of p + 1",
    ),
    "rule": ("rule {w}(n: number)\n    set fine to n", "{w}(3)"),
    "definition": ("define {w}(n: number) = n + 1", "set fine to {w}(3)"),
    "enumeration": ("enum {w} = dark, light", "for each k in {w}\n            set fine to 3"),
    "value of an enumeration": ("enum shade = {w}, light\nremember kept: shade = light", "set kept to {w}"),
    "zone": ("tokens {w} holds hue, seen by all", "if red in {w}\n            set fine to 3"),
    "table": ("table {w}\n    red 3\n    blue 4", "set fine to {w} of red + 1"),
}


@pytest.mark.parametrize("number", range(len(FORMS)))
def test_a_keyword_as_a_name_is_reported_where_it_is_declared(number: int) -> None:
    """Each keyword is used in every other form."""
    declaration, use = list(FORMS.values())[number]
    for word in sorted(reserved_words())[number % 2 :: 2]:
        source, diagnostics = built(GAME.format(declaration=declaration.format(w=word), use=use.format(w=word)))
        first = diagnostics[0]
        assert first.code == "R0205", (word, [str(d) for d in diagnostics])
        assert first.span is not None
        assert source.line(first.span.line) in declaration.format(w=word), (word, first)
        assert not [d for d in diagnostics if d.code.startswith("R01")], word
