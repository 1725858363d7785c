"""Steps and choices: all of a name are meant, also those inside of others, and a rule has more than one end."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.engine import Game
from wongar_dsl.library import inspect

BASE = """
game base
    players 2
    source house rule

remember rounds: number 0 to 9 = 0

score points

play
    early(0)
    early(1)
    for each p in player
        ask(p)
    ask(player(1))
    set rounds to rounds + 1
    end game

rule early(n: number)
    if n = 0
        end rule
    tell late(n)

rule ask(who: player)
    who chooses answer
        yes_
            who gains 1 points
    again(who)

rule again(who: player)
    who chooses answer
        yes_
            who gains 2 points

rule twice(n: number) gives number
    if n > 3
        give 3
    give 2 * n

winner p
    most points of p
    then most twice(rounds)
"""


def played(change: str, folder: Path) -> tuple[list[str], Game]:
    """What is told when the first option is always taken."""
    (folder / "base.rules").write_text(BASE, encoding="utf-8")
    text = f"variant changed of base\n    source house rule\n{change}\n"
    (folder / "changed.rules").write_text(text, encoding="utf-8")
    rules, found = inspect(folder / "changed.rules")
    assert not found
    assert rules is not None
    game = rules.game(2)
    state, events = game.start(1)
    while not state.over:
        events = (*events, *state.apply(state.legal_moves()[-1]))
    return [event.spec.message for event in events if event.spec.message], game


CHANGES = {
    "after rule early\n    tell done(n)": ["done", "late", "done"],
    "before rule early\n    tell begun(n)": ["begun", "begun", "late"],
    "after early in play\n    tell done": ["done", "late", "done"],
    "before early in play\n    tell begun": ["begun", "begun", "late"],
    "after late in rule early\n    tell done(n)": ["late", "done"],
    "before late in rule early\n    tell begun(n)": ["begun", "late"],
    "before rounds in play\n    tell begun": ["late", "begun"],
    "after play\n    tell over": ["late", "over"],
    "remove late from rule early": [],
    "after ask in play\n    tell asked": ["late", "asked", "asked", "asked"],
    "add to choice answer\n    no_\n        tell refused": ["late", *["refused"] * 6],
    "set rounds in play to 7\nafter rounds in play\n    tell seven(n: rounds)": ["late", "seven"],
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_steps(change: str, tmp_path: Path) -> None:
    assert played(change, tmp_path)[0] == CHANGES[change]


def test_what_is_done_after_a_rule_is_done_before_it_gives_its_value(tmp_path: Path) -> None:
    told, _ = played("after rule twice\n    nothing", tmp_path)
    assert told == ["late"]


def test_a_condition_holds_wherever_the_option_is_offered(tmp_path: Path) -> None:
    change = "add to choice answer\n    no_\n        tell refused\nallow no_ in choice answer only if points of who < 3"
    told, _ = played(change, tmp_path)
    assert told == ["late", *["refused"] * 6]
    change = change.replace("points of who < 3", "rounds > 0")
    assert played(change, tmp_path)[0] == ["late"]


def test_an_option_can_stand_first(tmp_path: Path) -> None:
    _, game = played("add to choice answer before yes_\n    no_\n        tell refused", tmp_path)
    assert [name for name, _ in game.model.decisions["answer"].options] == ["no_", "yes_"]
