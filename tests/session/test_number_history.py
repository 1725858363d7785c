"""Option numbers after resuming a save equal those during play."""

from __future__ import annotations

from random import Random

import pytest

from tests.web.viewings import game, rules
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.engine.moves import Move
from wongar_dsl.session.menu import OptionNumbers, assign_numbers, renumber


@pytest.mark.parametrize(("name", "seats"), [("tongiaki", 2), ("wongar", 3), ("goofspiel", 2)])
def test_resumed_match_has_the_original_option_numbers(name: str, seats: int) -> None:
    random, played, seen = Random(3), OptionNumbers(), list[dict[Move, int]]()
    match = Match.begin(game(name, seats), [Seat("human", label) for label in "ABC"[:seats]], 7, rules(name).hash)
    step_count = 0
    while not match.state.over and len(match.steps) < 60:
        step_count = renumber(played, match, step_count)
        seen.append(assign_numbers(match.state, played))
        match.play(random.choice(match.state.legal_moves()))
    replayed = Match.begin(game(name, seats), match.seats, 7, rules(name).hash)
    for step, before in zip(match.steps, seen, strict=True):
        resumed = OptionNumbers()
        renumber(resumed, replayed)
        assert assign_numbers(replayed.state, resumed) == before
        replayed.play(step.move)
    if name == "tongiaki":
        # The numbers are not just positions in a menu.
        assert any(sorted(numbers.values()) != list(range(1, len(numbers) + 1)) for numbers in seen)


def test_bot_decisions_use_no_option_numbers() -> None:
    random = Random(3)
    match = Match.begin(game("tongiaki", 2), [Seat("human", "A"), Seat("easy", "B")], 7, rules("tongiaki").hash)
    alone = OptionNumbers()
    while len(match.steps) < 60:
        if match.state.seat == 0:
            renumber(alone, match, len(match.steps))
        match.play(random.choice(match.state.legal_moves()))
    while match.state.seat != 0:
        match.play(random.choice(match.state.legal_moves()))
    resumed = OptionNumbers()
    renumber(resumed, match)
    renumber(alone, match, len(match.steps))
    assert assign_numbers(match.state, resumed) == assign_numbers(match.state, alone)
