"""After a save was resumed, options have the numbers that they had when the match was played."""

from __future__ import annotations

from random import Random

import pytest

from tests.web.viewings import game, rules
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.engine.moves import Move
from wongar_dsl.table.menu import offers
from wongar_dsl.table.numbering import Numbering
from wongar_dsl.table.renumbering import catch_up


@pytest.mark.parametrize(("name", "seats"), [("tongiaki", 2), ("wongar", 3), ("goofspiel", 2)])
def test_numbers_are_those_that_were_seen_while_the_match_was_played(name: str, seats: int) -> None:
    random, played, seen = Random(3), Numbering(), list[dict[Move, int]]()
    match = Match.begin(game(name, seats), [Seat("human", one) for one in "ABC"[:seats]], 7, rules(name).hash)
    known = 0
    while not match.state.over and len(match.steps) < 60:
        known = catch_up(played, match, known)
        seen.append(offers(match.state, played))
        match.play(random.choice(match.state.legal_moves()))
    again = Match.begin(game(name, seats), match.seats, 7, rules(name).hash)
    for step, before in zip(match.steps, seen, strict=True):
        resumed = Numbering()
        catch_up(resumed, again)
        assert offers(again.state, resumed) == before
        again.play(step.move)
    if name == "tongiaki":
        # They are no numbers of a menu alone.
        assert any(sorted(numbers.values()) != list(range(1, len(numbers) + 1)) for numbers in seen)


def test_what_bots_were_asked_takes_no_numbers() -> None:
    random = Random(3)
    match = Match.begin(game("tongiaki", 2), [Seat("human", "A"), Seat("easy", "B")], 7, rules("tongiaki").hash)
    alone = Numbering()
    while len(match.steps) < 60:
        if match.state.seat == 0:
            catch_up(alone, match, len(match.steps))
        match.play(random.choice(match.state.legal_moves()))
    while match.state.seat != 0:
        match.play(random.choice(match.state.legal_moves()))
    resumed = Numbering()
    catch_up(resumed, match)
    catch_up(alone, match, len(match.steps))
    assert offers(match.state, resumed) == offers(match.state, alone)
