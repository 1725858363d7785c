"""By which rule somebody is asked."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from tests.table.test_forecast import match, narrator
from wongar_dsl.engine.match import Match


def questions(name: str, seed: int) -> Iterator[Match]:
    at, chance = match(name, 3, seed), random.Random(seed)
    while not at.state.over and len(at.steps) < 400:
        yield at
        at.play(chance.choice(at.state.legal_moves()))


def reason(at: Match) -> str | None:
    assert at.state.decision is not None
    return at.game.knowledge.reason(at.state.decision, at.state.cells)


def test_who_is_asked_for_the_privilege_of_the_elder_reads_that_and_for_a_card_does_not() -> None:
    told = {True: 0, False: 0}
    for at in questions("wongar/initiated", 5):
        if at.state.decision is None or at.state.decision.name != "search":
            continue
        # The privilege comes right after a new round has begun, and nobody has chosen anything since then.
        last = at.history()[-1].spec.message
        begun = last in ("round_begins", "turned_up") or "round_begins" in {
            event.spec.message for event in at.history()[at.happened(len(at.steps) - 1) :]
        }
        assert (reason(at) == "elder_privilege") == begun
        assert narrator(at).prompt(at.state).startswith("The privilege of the elder: ") == begun
        told[begun] += 1
    assert min(told.values()) > 2


@pytest.mark.parametrize("name", ["nim", "tictactoe", "goofspiel"])
def test_a_question_that_only_one_rule_asks_needs_no_reason(name: str) -> None:
    at = match(name, 2)
    while not at.state.over:
        assert reason(at) is None
        at.play(at.state.legal_moves()[0])


def test_a_rule_in_which_somebody_decides_is_no_reason() -> None:
    for at in questions("wongar", 7):
        found = reason(at)
        assert found is None or all(found != decision.rule for decision in at.game.program.decisions)
