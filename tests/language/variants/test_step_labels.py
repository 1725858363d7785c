"""Changes of steps and choices: they apply to all steps of a name, nested ones too, and to every end of a rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.base.span import Source
from wongar_dsl.engine import Game
from wongar_dsl.engine.library import builtin_names, inspect, load
from wongar_dsl.language import ast as s
from wongar_dsl.language.ast import walk
from wongar_dsl.language.parser import parse

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


def messages_and_game(change: str, folder: Path) -> tuple[list[str], Game]:
    """Return the messages of a game in which the last option is always chosen, and the game."""
    (folder / "base.rules").write_text(BASE, encoding="utf-8")
    text = f"variant changed of base\n    source house rule\n{change}\n"
    (folder / "changed.rules").write_text(text, encoding="utf-8")
    rules, diagnostics = inspect(folder / "changed.rules")
    assert not diagnostics
    assert rules is not None
    game = rules.game(2)
    state, events = game.start(1)
    while not state.over:
        events = (*events, *state.apply(state.legal_moves()[-1]))
    return [event.spec.message for event in events if event.spec.message], game


REFUSE = "add to choice answer\n    no_\n        tell refused\n"
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
    REFUSE: ["late", *["refused"] * 6],
    "after rule twice\n    nothing": ["late"],
    # A condition applies to every choice with the option.
    f"{REFUSE}allow no_ in choice answer only if points of who < 3": ["late", *["refused"] * 6],
    f"{REFUSE}allow no_ in choice answer only if rounds > 0": ["late"],
    "set rounds in play to 7\nafter rounds in play\n    tell seven(n: rounds)": ["late", "seven"],
}


@pytest.mark.parametrize("change", CHANGES)
def test_change_of_steps_takes_effect(change: str, tmp_path: Path) -> None:
    assert messages_and_game(change, tmp_path)[0] == CHANGES[change]


def test_option_can_be_added_first(tmp_path: Path) -> None:
    _, game = messages_and_game("add to choice answer before yes_\n    no_\n        tell refused", tmp_path)
    assert [name for name, _ in game.model.decisions["answer"].options] == ["no_", "yes_"]


NIM = "variant last_loses of nim\n    source house rule\n"
EARLIER = """
after taken in play
    if (every h in stack has matches of h is empty)
        left of p wins
"""


def test_winner_can_be_changed_by_a_partial_change(tmp_path: Path) -> None:
    (tmp_path / "last_loses.rules").write_text(f"{NIM}\nremove wins from play{EARLIER}", encoding="utf-8")
    rules, diagnostics = inspect(tmp_path / "last_loses.rules")
    assert not diagnostics
    assert rules is not None
    [play] = (a for a in rules.model.merged.articles if isinstance(a, s.Play))
    assert [player_text(step.player) for step in walk(play) if isinstance(step, s.Wins)] == ["left"]


def player_text(player: s.Expression) -> str:
    return player.name if isinstance(player, s.Of) else ""


@pytest.mark.parametrize("name", [*builtin_names()])
def test_every_step_of_a_rule_can_be_named(name: str) -> None:
    """Steps without a name of their own are named by a keyword of the language."""
    merged = load(name).model.merged
    rules = [article for article in merged.articles if isinstance(article, s.Procedure)]
    nameless = [step for rule in rules for step in rule.steps if not step.label]
    assert nameless == []
    called = {step.label for rule in rules for step in rule.steps if step.label}
    for name_of_step in sorted(called):
        for change in (f"remove {name_of_step} from play\n", f"before {name_of_step} in play\n    nothing\n"):
            source = Source("changed.rules", f"variant changed of base\n    source house rule\n{change}")
            assert parse(source)[1] == (), change


INSERTED_STEP = "    move 1 match from box to matches of chosen quietly\n"
OTHER = EARLIER.replace("every h", "some h").replace("has matches of h is empty", "where matches of h is empty")


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        pytest.param(EARLIER, ["R0410"], id="the same condition is asked before and ends the game"),
        pytest.param("\nbefore wins in play\n    left of p wins\n", ["R0410"], id="the game has ended before"),
        pytest.param(EARLIER + INSERTED_STEP, [], id="what is asked may have changed in between"),
        pytest.param(OTHER, [], id="another condition is asked before"),
        pytest.param(EARLIER.replace("left of p wins", "tell nearly"), [], id="the game goes on"),
    ],
)
def test_base_line_made_unreachable_is_reported(tmp_path: Path, change: str, codes: list[str]) -> None:
    (tmp_path / "last_loses.rules").write_text(NIM + change, encoding="utf-8")
    _, diagnostics = inspect(tmp_path / "last_loses.rules")
    assert [diagnostic.code for diagnostic in diagnostics] == codes
    for diagnostic in diagnostics:
        assert diagnostic.span is not None
        assert diagnostic.span.source.name.endswith("last_loses.rules"), "it is told where the variant was written"
