"""The fallback of a choice with one option: its lines are distinct from the consequences of the option."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import write_rules
from wongar_dsl.nlg.prose.micro.plan_text import text_of
from wongar_dsl.nlg.prose.pipeline import plan_of

from .books import LANGUAGES, rules_in, words

RULES = """
board cell
    grid 2 by 2
remember mark of each cell: yes or no = no
remember tide: number 0 to 99 = 0
score points
play
    repeat until tide > 9
        for each p in player
            turn(p)
    end game
rule turn(me: player)
    I choose walk
        go(here: cell where not mark of here)
            set mark of here to yes
{then}
        otherwise
{fallback}
    set tide to tide + 1
winner p
    most points of p
"""
CONSEQUENCES = (("I gain 11 points",), ("I gain 11 points", "set tide to 22"))
LASTING = (("I gain 77 points",), ("set tide to 77",), ("set tide to 66", "I gain 77 points"))
ENDING = (("end game",), ("end rule",), ("I gain 77 points", "end rule"))


def lines_of_turn(
    then: tuple[str, ...], fallback: tuple[str, ...], folder: Path, language: str
) -> list[tuple[int, str]]:
    """Return the lines of the rule with the choice, with their depths."""
    indented = ["".join(f"            {line}\n" for line in block).rstrip("\n") for block in (then, fallback)]
    rules = rules_in(write_rules(folder, RULES.format(then=indented[0], fallback=indented[1])))
    plans, _ = plan_of(rules, rules.code.rules["turn"], words(language))
    return [(unit.depth, unit.text) for unit in text_of(plans, words(language), rules.scope)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("then", CONSEQUENCES)
@pytest.mark.parametrize("fallback", LASTING)
def test_consequences_are_grouped_above_a_fallback_after_which_play_continues(
    then: tuple[str, ...], fallback: tuple[str, ...], tmp_path: Path, language: str
) -> None:
    (depth, _), *below = lines_of_turn(then, fallback, tmp_path, language)
    consequences = [at for at, (_, text) in enumerate(below) if "11" in text or "22" in text]
    assert all(below[at][0] > depth for at in consequences)
    [after] = [at for at, (_, text) in enumerate(below) if "77" in text]
    assert len(consequences) == len(then)
    assert max(consequences) < after
    assert below[max(consequences) + 1][0] == depth


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("fallback", ENDING)
def test_consequences_follow_a_fallback_that_ends_the_rule(
    fallback: tuple[str, ...], tmp_path: Path, language: str
) -> None:
    lines = lines_of_turn(CONSEQUENCES[0], fallback, tmp_path, language)
    assert [depth for depth, text in lines if "11" in text] == [lines[0][0]]
