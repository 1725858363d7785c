"""Digest of the changes since a seat's last decision."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tests.session.test_forecast import match, narrator
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.match import Match
from wongar_dsl.language.semantics import Type
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.narration.story import Story, StoryLine
from wongar_dsl.session.changes import AFFECTS_VIEWER, CAUSE, MAX_SENTENCES, changes_since, last_decision_of


def whole_story(match: Match, narrator: Narrator, viewer: int | None, since: int) -> list[StoryLine]:
    """Return the full story since step number `since`."""
    return Story(viewer, standings=False).unreported(narrator, match.history()[match.event_count_before(since) :])


def match_after(name: str, seats: int, steps: int, seed: int = 5) -> Match:
    sample, chance = match(name, seats, seed), random.Random(seed)
    for _ in range(steps):
        sample.play(chance.choice(sample.state.legal_moves()))
    return sample


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
    sample, chance = match(name, seats, seed), random.Random(seed)
    while not sample.state.over and len(sample.steps) < steps:
        if sample.state.seat == 0:
            yield sample
        sample.play(chance.choice(sample.state.legal_moves()))


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
