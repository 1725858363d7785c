"""The rule that is given as the reason of a decision."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from tests.session.test_forecast import match, narrator
from wongar_dsl.engine.match import Match


def positions_of_random_game(name: str, seed: int) -> Iterator[Match]:
    played, chance = match(name, 3, seed), random.Random(seed)
    while not played.state.over and len(played.steps) < 400:
        yield played
        played.play(chance.choice(played.state.legal_moves()))


def reason(at: Match) -> str | None:
    assert at.state.decision is not None
    return at.game.knowledge.reason(at.state.decision, at.state.cells)


def test_elder_privilege_is_given_as_the_reason_of_a_search() -> None:
    counts = {True: 0, False: 0}
    for played in positions_of_random_game("wongar/initiated", 5):
        if played.state.decision is None or played.state.decision.name != "search":
            continue
        # The privilege comes right after the start of a round, before any other choice.
        since = played.history()[played.event_count_before(len(played.steps) - 1) :]
        begun = played.history()[-1].spec.message in ("round_begins", "turned_up") or "round_begins" in {
            event.spec.message for event in since
        }
        assert (reason(played) == "elder_privilege") == begun
        assert narrator(played).prompt(played.state).startswith("The privilege of the elder: ") == begun
        counts[begun] += 1
    assert min(counts.values()) > 2


@pytest.mark.parametrize("name", ["nim", "tictactoe", "goofspiel"])
def test_decision_used_by_one_rule_has_no_reason(name: str) -> None:
    played = match(name, 2)
    while not played.state.over:
        assert reason(played) is None
        played.play(played.state.legal_moves()[0])


def test_deciding_rule_is_not_given_as_reason() -> None:
    for played in positions_of_random_game("wongar", 7):
        rule_name = reason(played)
        assert rule_name is None or all(rule_name != decision.rule for decision in played.game.program.decisions)
