"""Changes since a player's last decision, news for one player, and replay step by step."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.session.test_ending import SECRET, finished_match
from tests.session.test_forecast import match, match_after, narrator, random_game
from tests.small_games import write_rules
from wongar_dsl.compiler.ir.containers import size_at
from wongar_dsl.engine import State
from wongar_dsl.engine.events import EVERYTHING, Event
from wongar_dsl.engine.match import Match
from wongar_dsl.language.semantics import Type
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.narration.story import Story, StoryLine
from wongar_dsl.session.changes import (
    AFFECTS_VIEWER,
    CAUSE,
    MAX_SENTENCES,
    Replay,
    ReplayPosition,
    changes_since,
    last_decision_of,
    news,
)
from wongar_dsl.session.menu import forced_move
from wongar_dsl.session.puzzle import Puzzle


def whole_story(match: Match, narrator: Narrator, viewer: int | None, since: int) -> list[StoryLine]:
    """Return the full story since step number `since`."""
    return Story(viewer, standings=False).unreported(narrator, match.history()[match.event_count_before(since) :])


def test_digest_has_at_most_six_sentences_and_counts_the_rest() -> None:
    sample = match_after("wongar", 3, 60)
    changes = changes_since(sample, narrator(sample), 0, 0)
    lines = [line for line in whole_story(sample, narrator(sample), 0, 0) if not line.heading]
    assert len(changes.lines) == MAX_SENTENCES
    assert changes.omitted_count == len(lines) - MAX_SENTENCES > 0
    texts = [line.text for line in lines]
    places = [texts.index(line.removeprefix("… ")) for line in changes.lines]
    assert places == sorted(places)
    # An ellipsis marks each gap, and only gaps.
    gaps = [place != before + 1 for before, place in zip([-1, *places], places, strict=False)]
    assert gaps == [line.startswith("… ") for line in changes.lines]
    assert any(gaps)


def test_digest_prefers_points_to_moves() -> None:
    sample = match_after("wongar", 3, 120)
    since = len(sample.steps) - 60
    scored = [event for event in sample.history()[sample.event_count_before(since) :] if event.spec.kind == "points"]
    text = "\n".join(changes_since(sample, narrator(sample), 0, since).lines)
    assert scored
    assert "points" in text


def questions(name: str, seats: int, seed: int, steps: int = 300) -> Iterator[Match]:
    """Yield a random game at each decision of seat 0."""
    return (sample for sample in random_game(name, seats, seed, steps) if sample.state.seat == 0)


def messages(at: Match, since: int) -> set[str | None]:
    return {event.spec.message for event in at.history()[at.event_count_before(since) :]}


def test_last_round_and_new_phase_are_always_included() -> None:
    counts = {"last_round": 0, "phase_begins": 0}
    for sample in (position for seed in (5, 6, 7) for position in questions("wongar", 3, seed)):
        since = last_decision_of(sample, 0)
        for message, words in (("last_round", "the last round"), ("phase_begins", "Phase")):
            # The sentence of a phase is part of the sentence about the scorpion.
            if message in messages(sample, since):
                counts[message] += 1
                assert words in "\n".join(changes_since(sample, narrator(sample), 0, since).lines)
    assert min(counts.values()) > 0


def test_only_the_last_of_repeated_notices_is_included() -> None:
    sample = match_after("wongar", 3, 180)
    spaces = [event.values[-1] for event in sample.history() if event.spec.message == "scorpion_advances"]
    text = "\n".join(changes_since(sample, narrator(sample), 0, 0).lines)
    assert len(spaces) > 3
    assert f"to space {spaces[-1]}" in text
    # Earlier ones appear only together with their effect.
    others = [line for line in text.split("\n") if "to space" in line and f"to space {spaces[-1]}" not in line]
    assert all(" costs " in line for line in others)


def test_own_turn_announcement_is_omitted() -> None:
    announced = 0
    for sample in questions("tongiaki", 3, 5, 120):
        since = last_decision_of(sample, 0)
        announced += "turn_begins" in messages(sample, since)
        assert "It is Anna’s turn." not in changes_since(sample, narrator(sample), 0, since).lines
        # For other seats it is news.
        others = changes_since(sample, narrator(sample), 1, since).lines
        assert "turn_begins" not in messages(sample, len(sample.steps) - 1) or "It is Anna’s turn." in others[-1]
    assert announced > 3


def test_cause_of_the_decision_is_never_omitted() -> None:
    checked = 0
    for sample in questions("tongiaki", 2, 7):
        events = sample.history()[sample.event_count_before(0) :]
        if sample.state.decision is None or sample.state.decision.name != "landing" or len(events) < 20:
            continue
        texts = [line.text for line in whole_story(sample, narrator(sample), 0, 0) if not line.heading]
        cause = next(text for text in reversed(texts) if "reach" in text or "land on" in text)
        changes = changes_since(sample, narrator(sample), 0, 0)
        while len(changes.sentences) > 2:
            changes = changes.shorter()
        assert any(cause in line for line in changes.lines)
        assert changes.lines[-1].removeprefix("… ") == texts[-1]
        checked += 1
    assert checked > 2


def test_loss_of_own_ships_raises_the_weight_of_its_cause() -> None:
    for sample in (position for seed in range(5, 12) for position in questions("tongiaki", 3, seed, 200)):
        since = last_decision_of(sample, 0)
        changes = changes_since(sample, narrator(sample), 0, since)
        if changes.omitted_count and any(map(_returns_own_ships, sample.history()[sample.event_count_before(since) :])):
            causes = [line for line in changes.sentences if "The ships go back to their owners" in line.text]
            assert max(line.weight % CAUSE for line in causes) > AFFECTS_VIEWER
            return
    raise AssertionError("no loss of ships")


def _returns_own_ships(event: Event) -> bool:
    """Return whether ships of seat 0 go back from the sea to the supply."""
    if event.spec.kind != "tokens_moved" or event.spec.message:
        return False
    fields = event.fields()
    (source, _), (to, owner), (_, number) = fields["from"], fields["to"], fields["n"]
    return (source.name, to.name, owner) == ("at_sea", "supply", 0) and bool(number)


def test_digest_is_new_before_the_first_decision() -> None:
    sample = match_after("tictactoe", 2, 1)
    assert changes_since(sample, narrator(sample), 1, last_decision_of(sample, 1)).new
    assert not changes_since(sample, narrator(sample), 0, last_decision_of(sample, 0)).new
    assert not changes_since(sample, narrator(sample), None, last_decision_of(sample, None)).new


def test_only_changed_areas_are_marked() -> None:
    sample = match_after("tictactoe", 2, 3)
    cells = [step.move.arguments[0] for step in sample.steps]
    assert changes_since(sample, narrator(sample), 0, 0).changed == {("cell", cell) for cell in cells}
    assert changes_since(sample, narrator(sample), 0, 2).changed == {("cell", cells[2])}
    assert changes_since(sample, narrator(sample), 0, 3).changed == frozenset()


def test_moved_figure_marks_both_areas() -> None:
    sample = match("wongar", 3, 5)
    place = sample.game.fields["place"]
    while True:
        number, before = len(sample.steps), [sample.state.cells[place.at(figure)] for figure in range(2)]
        walks = [m for m in sample.state.legal_moves() if sample.state.write(m).startswith("walk")]
        move = (walks or sample.state.legal_moves())[0]
        sample.play(move)
        after = [sample.state.cells[place.at(figure)] for figure in range(2)]
        if walks and before != after:
            break
    moved = {("area", cell) for pair in zip(before, after, strict=True) if pair[0] != pair[1] for cell in pair}
    assert changes_since(sample, narrator(sample), 0, number).changed >= moved


def test_placed_cards_mark_their_areas() -> None:
    sample = match_after("tongiaki", 2, 80)
    ocean, board = sample.game.fields["ocean"], "sea"
    laid = changes_since(sample, narrator(sample), 0, 0).changed
    assert ocean.kind == "layout"
    assert len(laid) >= 2
    assert {name for name, _ in laid} == {board}


def test_last_decision_of_each_seat_is_found() -> None:
    sample = match("nim", 2)
    for expected in ((0, 0, 0), (1, 0, 0), (1, 2, 1)):
        assert tuple(last_decision_of(sample, viewer) for viewer in (0, 1, None)) == expected
        sample.play(sample.state.legal_moves()[0])


def test_sentences_refer_to_their_areas() -> None:
    named = 0
    for steps in range(3, 60, 6):
        match = match_after("wongar", 3, steps)
        for viewer in (0, 1, 2, None):
            changes = changes_since(match, narrator(match), viewer, max(0, steps - 9))
            assert len(changes.about) == len(changes.lines)
            for line, places in zip(changes.lines, changes.about, strict=True):
                for board, area in places:
                    name = narrator(match).short(Type("board", board), area)
                    named += name.casefold()[:4] in line.casefold()
    assert named > 20


def scored_by_stopping() -> Match:
    """Return a game of Wongar in which the last move ended a ceremony and scored."""
    for seed in range(40):
        sample, chance = match("wongar", 3, seed), random.Random(seed)
        while len(sample.steps) < 60:
            move = chance.choice(sample.state.legal_moves())
            text = sample.state.write(move)
            sample.play(move)
            new = sample.history()[sample.event_count_before(len(sample.steps) - 1) :]
            if text == "stop" and any(e.spec.kind == "points" for e in new):
                return sample
    raise AssertionError("nobody scored by stopping")


def test_automatic_effects_of_the_own_choice_are_included() -> None:
    sample = scored_by_stopping()
    seat, since = sample.steps[-1].seat, len(sample.steps)
    assert "victory point" in "\n".join(changes_since(sample, narrator(sample), seat, since).lines)
    opponent = (seat + 1) % 3
    assert changes_since(sample, narrator(sample), opponent, since).lines == ()


def test_own_actions_are_omitted() -> None:
    sample = match("wongar", 3, 5)
    while sample.state.decision is None or sample.state.decision.name != "further":
        sample.play(sample.state.legal_moves()[0])
    seat = sample.state.seat
    sample.play(next(m for m in sample.state.legal_moves() if sample.state.write(m).startswith("place")))
    assert sample.steps[-1].seat == seat
    assert changes_since(sample, narrator(sample), seat, len(sample.steps)).lines == ()
    assert changes_since(sample, narrator(sample), seat, len(sample.steps)).changed == frozenset()


def test_later_of_equally_salient_events_is_included() -> None:
    sample = match_after("tictactoe", 2, 8, seed=3)
    texts = [line.text for line in whole_story(sample, narrator(sample), None, 0) if not line.heading]
    changes = changes_since(sample, narrator(sample), None, 0)
    assert len(texts) > MAX_SENTENCES
    assert changes.lines[-1] == texts[-1]


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


def test_drawn_card_is_news_only_to_its_owner(tmp_path: Path) -> None:
    sample = match(write_rules(tmp_path, SECRET), 2, 7)
    assert news(sample, narrator(sample), 0) == []
    sample.play(sample.state.read("peek"))
    (sentence,) = news(sample, narrator(sample), 0)
    drawn = sample.game.model.value_name(sample.game.fields["held"].type, _last_card_of(sample, 0))
    assert drawn in sentence.lower()
    assert news(sample, narrator(sample), 1) == []


KEPT = """
cards card
    plain
    fancy
deck pack of card total 2
    1 plain, 1 fancy
hand held of each player holds card, seen by owner
hand kept of each player holds card, seen by owner
setup
    for each p in player
        fill held of p with pack
play
    for each me in player
        me chooses turn
            keep(chosen: held of me)
                move chosen from held of me to kept of me
            rest
                nothing
    player(1) wins
"""


def test_own_hidden_move_is_no_news(tmp_path: Path) -> None:
    sample = match(write_rules(tmp_path, KEPT), 2, 7, "keep(plain)")
    assert news(sample, narrator(sample), 0) == []


def _last_card_of(at: Match, seat: int) -> int:
    seen = [event for event in at.history() if event.spec.kind == "card_moved" and event.is_visible_to(seat)]
    value = seen[-1].fields()["card"][1]
    assert isinstance(value, int)
    return value


@pytest.mark.parametrize("name", ["goofspiel", "tongiaki"])
def test_own_choices_and_public_events_are_no_news(name: str) -> None:
    sample, chance = match(name, 2, 3), random.Random(3)
    while not sample.state.over:
        sample.play(chance.choice(sample.state.legal_moves()))
        assert news(sample, narrator(sample), 0) == news(sample, narrator(sample), 1) == []


def test_cards_drawn_at_the_end_of_a_turn_are_news() -> None:
    sample, chance = match("wongar", 3, 5), random.Random(5)
    lines = set()
    for _ in range(40):
        seat = sample.state.seat
        sample.play(chance.choice(sample.state.legal_moves()))
        lines |= {line for line in news(sample, narrator(sample), seat) if sample.state.seat != seat}
    assert lines
    assert all(any(name in line for name in narrator(sample).names) for line in lines)


GAMES = {"wongar": 3, "tongiaki": 3, "ubongo": 2, "kuhn_poker": 2}


def replay_of(match: Match, viewer: int | None) -> Replay:
    return Replay(match, narrator(match), viewer)


def texts(shown: ReplayPosition) -> list[str]:
    return [line.text for line in shown.lines]


@pytest.mark.parametrize("name", GAMES)
def test_replay_steps_have_their_seats_and_positions_in_both_directions(name: str) -> None:
    match = match_after(name, GAMES[name], 2 if name == "kuhn_poker" else 20)
    for viewer in (None, 0, EVERYTHING):
        replay = replay_of(match, viewer)
        shown = [replay.at(number) for number in range(len(replay) + 1)]
        assert [view.seat for view in shown] == [None, *(step.seat for step in match.steps)]
        assert [view.state.cells for view in shown] == [match.state_before(n) for n in range(len(match.steps) + 1)]
        back = [(texts(s), s.marked) for s in map(replay.at, reversed(range(len(replay) + 1)))]
        assert back == [(texts(s), s.marked) for s in reversed(shown)]


def test_replay_steps_cover_all_events_of_the_story() -> None:
    match = match_after("wongar", 3, 60)
    replay = replay_of(match, EVERYTHING)
    reported = [index for number in range(len(replay) + 1) for line in replay.at(number).lines for index in line.told]
    whole = {index for line in Story(EVERYTHING).unreported(narrator(match), match.history()) for index in line.told}
    assert set(reported) >= whole
    assert len(reported) == len(set(reported))


def test_replay_step_marks_only_its_own_changes() -> None:
    match = match_after("tictactoe", 2, 3)
    replay = replay_of(match, 0)
    assert replay.at(0).marked == frozenset()
    for number, step in enumerate(match.steps, 1):
        assert replay.at(number).marked == {("cell", step.move.arguments[0])}


def test_steps_out_of_range_are_rejected() -> None:
    replay = replay_of(match_after("tictactoe", 2, 3), None)
    for number in (-1, 4):
        with pytest.raises(IndexError):
            replay.at(number)


def test_hidden_choice_appears_only_in_its_makers_replay() -> None:
    views: dict[int | None, set[object]] = {None: set(), 0: set(), 1: set()}
    for option in range(3):
        sample = match("goofspiel", 2)
        sample.play(sample.state.legal_moves()[option])
        assert sample.steps[0].seat == 0
        for viewer, seen in views.items():
            shown = replay_of(sample, viewer).at(1)
            seen.add((shown.seat, shown.choice, shown.lines, shown.marked, shown.layout))
    assert [len(views[viewer]) for viewer in (None, 0, 1)] == [1, 3, 1]


def test_replay_shows_solutions_of_solved_and_lost_puzzles() -> None:
    match = finished_match("ubongo", 2, 5)
    replay = replay_of(match, EVERYTHING)
    solved = lost = 0
    for number in range(1, len(replay) + 1):
        shown, step = replay.at(number), match.steps[number - 1]
        puzzle = Puzzle.of(State(match.game, match.state_before(number - 1)))
        if puzzle is None:
            assert shown.layout is None
        elif step.move in puzzle.solutions.values():
            assert shown.layout is not None
            assert not shown.lost
            assert puzzle.solution(step.text) == step.move == shown.layout.solution
            solved += 1
        elif shown.layout is not None:
            assert shown.lost
            assert shown.layout.solution in puzzle.solutions.values()
            lost += 1
    assert solved
    assert lost


def test_solution_of_a_repeatable_puzzle_is_hidden() -> None:
    sample = match("ubongo", 2, 5)
    while (puzzle := Puzzle.of(sample.state)) is None:
        sample.play(sample.state.legal_moves()[0])
    sample.play(puzzle.others[-1])
    for viewer in (EVERYTHING, None, *range(sample.game.seats)):
        shown = replay_of(sample, viewer).at(len(sample.steps))
        assert (shown.layout, shown.lost) == (None, False)
