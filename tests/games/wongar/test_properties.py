"""Properties of Wongar games: the pieces, the set-up, and what records hide from other seats."""

from __future__ import annotations

import json

import pytest

from tests.games.wongar.pieces import conservation_check
from tests.properties.play import game, play
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.compiler.ir.containers import container
from wongar_dsl.engine import State
from wongar_dsl.engine.hidden_information.information import copies
from wongar_dsl.engine.hidden_information.observation import content
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.engine.saves import lines

SECRET = {"ritual_drawn", "ritual_dealt", "ritual_chosen"}


@pytest.mark.parametrize(("name", "seats"), [("wongar", 3), ("wongar", 5), ("wongar/initiated", 4)])
def test_no_piece_is_lost(name: str, seats: int) -> None:
    """Thousands of games: `python -m benchmarks.soak --only pieces`."""
    check = conservation_check(game(name, seats))
    for seed in range(2):
        assert play(game(name, seats), seed, lambda cells, _: check(cells))[ir.AT_WINNERS] > 0


def zone_contents(state: State) -> dict[str, list[object]]:
    zones = (field for field in state.game.program.fields if container(field) is not None)
    return {zone.name: [content(state, zone, address) for _, address in copies(zone)] for zone in zones}


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_setup_of_the_base_game(seats: int) -> None:
    played = game("wongar", seats)
    under = 0
    firsts = set()
    for seed in range(100):
        state, events = played.start(seed)
        places = zone_contents(state)
        ground = places["ground"]
        in_areas = [sum(sum(t.values()) for t in ground[i * seats : (i + 1) * seats]) for i in range(10)]  # type: ignore[attr-defined]
        assert in_areas == [seats * (2 if i in (4, 5) else 1) for i in range(10)]
        assert "scorpion_card" not in places["face_up"]
        for pile in places["area_pile"]:
            assert isinstance(pile, list)
            assert len(pile) == 14
            assert pile.count("scorpion_card") == 2
            under += pile[-1] == "scorpion_card"
        drawn = {e.spec.message for e in events} & {"scorpion_drawn"}
        if not drawn:
            assert places["ritual_pile"][0].count("ritual_scorpion") == 2  # type: ignore[attr-defined]
        holders = next(e for e in events if e.spec.message == "first_holders").slots()
        ancestor, elder = (holders[n][1] for n in ("ancestor_holder", "elder_holder"))
        assert ancestor != elder
        firsts.add((ancestor, elder))
        assert state.seat == ancestor
    # A pile has 15 cards with 2 scorpions, so one is at the bottom with probability 2/15; more often, since revealed
    # ones go there.
    assert under / 1000 > 2 / 15
    assert len(firsts) == seats * (seats - 1)


@pytest.mark.parametrize(("name", "seats"), [("wongar", 3), ("wongar/initiated", 5)])
def test_record_for_a_seat_hides_other_hands(name: str, seats: int) -> None:
    match = Match.begin(game(name, seats), [Seat("random")] * seats, 0, "hash")
    generator = Generator(0)
    while not match.state.over:
        moves = match.state.legal_moves()
        match.play(moves[generator.below(len(moves))])
    hidden = shown = 0
    for viewer in (*range(seats), None):
        for text in lines(match, viewer):
            line = json.loads(text)
            for event in [*line.get("setup", ()), *line.get("events", ())]:
                if event.get("message") in SECRET:
                    is_own = viewer is not None and event["arguments"]["player"] == viewer + 1
                    assert (event["arguments"]["card"] is not None) == is_own
                    shown, hidden = shown + is_own, hidden + (not is_own)
                if event["event"] == "shuffled":
                    assert not any(isinstance(v, list) for v in event.values())
            if "seat" in line:
                is_own = viewer is not None and line["seat"] == viewer + 1
                assert ("options" in line) == is_own
                if line["decision"] == "search" and not is_own:
                    assert line["taken"] == "pick(?)"
    assert hidden
    assert shown
