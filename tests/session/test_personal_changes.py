"""Personal changes: consequences of other players' moves for one seat."""

from __future__ import annotations

from functools import cache

from tests.session.test_changes_since import questions
from tests.session.test_forecast import match, narrator
from wongar_dsl.compiler.ir.containers import size_at
from wongar_dsl.engine import State
from wongar_dsl.engine.match import Match
from wongar_dsl.session.changes import CAUSE, MAX_SENTENCES, changes_since, last_decision_of
from wongar_dsl.session.menu import forced_move


def islands_of(at: Match, cells: list[int], seat: int) -> set[int]:
    """Return the islands where a seat has ships, counted from the cells."""
    berth = at.game.fields["berth"]
    throne = at.game.fields["throne"]
    occupied = set()
    for island in range(berth.sizes[0]):
        spots = [(berth, berth.at(island, beach, seat)) for beach in range(berth.sizes[1])]
        spots.append((throne, throne.at(island, seat)))
        if any(size_at(cells, place, address) for place, address in spots):
            occupied.add(island)
    return occupied


def test_digest_begins_with_lost_and_new_islands() -> None:
    lost = gained = 0
    for seed in (7, 9):
        for sample in questions("tongiaki", 3, seed):
            since = last_decision_of(sample, 0)
            others = [n for n in range(since, len(sample.steps)) if sample.steps[n].seat]
            if not since or not others:
                continue
            was, now = (
                islands_of(sample, sample.state_before(since), 0),
                islands_of(sample, sample.state_before(others[-1] + 1), 0),
            )
            changes = changes_since(sample, narrator(sample), 0, since)
            lines = [line for line in changes.lines if line.startswith(("You are no longer on", "You are now also on"))]
            assert tuple(lines) == changes.lines[: len(lines)]
            assert len(lines) == bool(was - now) + bool(now - was)
            for island in was ^ now:
                name = narrator(sample).term(sample.game.model.enums["island"][island])
                assert any(name in line for line in lines)
            lost, gained = lost + bool(was - now), gained + bool(now - was)
    assert min(lost, gained) > 1


def test_personal_changes_yield_to_the_cause_of_the_decision() -> None:
    full = 0
    for sample in questions("wongar", 3, 9):
        changes = changes_since(sample, narrator(sample), 0, last_decision_of(sample, 0))
        assert len(changes.lines) <= MAX_SENTENCES
        causes = [line for line in changes.sentences if line.weight >= CAUSE]
        if changes.personal_changes and changes.omitted_count and causes:
            full += 1
            assert not changes.lines[0].startswith("… ")
            short = changes
            while len(short.sentences) > len(causes):
                short = short.shorter()
            assert list(short.sentences) == causes
    assert full > 2


def test_successive_points_are_summed() -> None:
    checked = 0
    for sample in questions("wongar", 3, 9):
        since = last_decision_of(sample, 0)
        changes = changes_since(sample, narrator(sample), 0, since)
        total = next((line for line in changes.personal_changes if "in total" in line), None)
        if total is not None:
            events = sample.history()[sample.event_count_before(since) :]
            points = [e.fields() for e in events if e.spec.kind == "points"]
            gains = [f["n"][1] for f in points if f["player"][1] == 0]
            assert len(gains) > 1
            assert f"{sum(gains)} " in total
            checked += 1
    assert checked > 0


def test_pieces_outside_areas_have_no_personal_change() -> None:
    sample = match("nim", 2)
    sample.play(sample.state.legal_moves()[0])
    sample.play(sample.state.legal_moves()[0])
    assert changes_since(sample, narrator(sample), 0, 1).personal_changes == ()


def test_forced_move_is_skipped_in_any_part_of_a_game() -> None:
    """The previous turn ends with a decision too, even if other moves follow it."""
    checked = 0
    public = cache(lambda sample, n: forced_move(State(sample.game, sample.state_before(n))) == "public")
    for sample in (position for seed in (5, 7, 9, 11) for position in questions("tongiaki", 3, seed)):
        for end in range(len(sample.steps) + 1):
            since = last_decision_of(sample, 0, end)
            own = [n for n in range(end) if sample.steps[n].seat == 0]
            forced = {n for n in own if public(sample, n)}
            assert since == max((n + 1 for n in own if n not in forced), default=0)
            checked += any(n >= since for n in forced)
        if checked > 3:
            return
    raise AssertionError("no forced move after a decision")
