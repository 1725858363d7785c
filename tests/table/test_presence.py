"""What it means for somebody that others went on."""

from __future__ import annotations

from tests.table.test_digest import questions
from tests.table.test_forecast import match, narrator
from wongar_dsl.engine import State
from wongar_dsl.engine.match import Match
from wongar_dsl.ir.containers import size_at
from wongar_dsl.table.asking import forced
from wongar_dsl.table.digest import MOST, digest, last_decided
from wongar_dsl.table.weight import CAUSE


def islands(at: Match, cells: list[int], seat: int) -> set[int]:
    """Where a seat has ships, counted by hand."""
    berth = at.game.fields["berth"]
    throne = at.game.fields["throne"]
    found = set()
    for island in range(berth.sizes[0]):
        spots = [(berth, berth.at(island, beach, seat)) for beach in range(berth.sizes[1])]
        spots.append((throne, throne.at(island, seat)))
        if any(size_at(cells, place, address) for place, address in spots):
            found.add(island)
    return found


def test_the_digest_begins_with_the_islands_where_one_is_no_longer_and_where_one_has_come_to() -> None:
    left = come = 0
    for seed in (7, 9, 12):
        for at in questions("tongiaki", 3, seed):
            since = last_decided(at, 0)
            others = [n for n in range(since, len(at.steps)) if at.steps[n].seat]
            if not since or not others:
                continue
            was, now = islands(at, at.before(since), 0), islands(at, at.before(others[-1] + 1), 0)
            found = digest(at, narrator(at), 0, since)
            told = [line for line in found.lines if line.startswith(("You are no longer on", "You are now also on"))]
            assert tuple(told) == found.lines[: len(told)]
            assert len(told) == bool(was - now) + bool(now - was)
            for island in was ^ now:
                name = narrator(at).term(at.game.model.enums["island"][island])
                assert any(name in line for line in told)
            left, come = left + bool(was - now), come + bool(now - was)
    assert min(left, come) > 1


def test_what_it_means_is_one_of_six_sentences_and_gives_way_to_why_one_is_asked() -> None:
    full = 0
    for at in questions("wongar", 3, 9):
        found = digest(at, narrator(at), 0, last_decided(at, 0))
        assert len(found.lines) <= MOST
        causes = [one for one in found.told if one.weight >= CAUSE]
        if found.meant and found.left_out and causes:
            full += 1
            assert not found.lines[0].startswith("… ")
            short = found
            while len(short.told) > len(causes):
                short = short.shorter()
            assert list(short.told) == causes
    assert full > 2


def test_points_that_came_one_after_the_other_are_added_up() -> None:
    checked = 0
    for at in questions("wongar", 3, 9):
        since = last_decided(at, 0)
        found = digest(at, narrator(at), 0, since)
        told = next((line for line in found.meant if "in total" in line), None)
        if told is not None:
            events = at.history()[at.happened(since) :]
            points = [e.fields() for e in events if e.spec.kind == "points"]
            own = [f["n"][1] for f in points if f["player"][1] == 0]
            assert len(own) > 1
            assert f"{sum(own)} " in told
            checked += 1
    assert checked > 0


def test_what_lies_before_somebody_or_in_no_area_is_not_said_to_be_somewhere() -> None:
    at = match("nim", 2)
    at.play(at.state.legal_moves()[0])
    at.play(at.state.legal_moves()[0])
    assert digest(at, narrator(at), 0, 1).meant == ()


def test_a_move_that_was_the_only_one_is_no_decision_of_which_one_would_know_what_came_before() -> None:
    checked = 0
    for at in (one for seed in (5, 7, 9, 11) for one in questions("tongiaki", 3, seed)):
        if at.steps and at.steps[-1].seat == 0:
            only = forced(State(at.game, at.before(len(at.steps) - 1))) == "openly"
            assert (last_decided(at, 0) == len(at.steps)) != only
            checked += only
    assert checked > 1
