"""Whole games told as stories: short, with nothing lost, and the same at the table as in the log."""

from __future__ import annotations

from functools import cache

import pytest

from wongar_dsl.backends.chance import Generator
from wongar_dsl.engine.events import EVERYTHING
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.library import load
from wongar_dsl.narration import Narrator
from wongar_dsl.narration.story import Line, Story, retold
from wongar_dsl.words import Words

NAMES = ("Anna", "Bert", "Cleo", "Dora", "Emil")
GAMES = {"wongar": 5, "tongiaki": 3, "ubongo": 2, "goofspiel": 3, "kuhn_poker": 2, "nim": 2}


@cache
def played(name: str, seed: int, kind: str = "random") -> Match:
    """A game in which chance decides."""
    rules, seats = load(name), GAMES[name]
    match = Match.begin(rules.game(seats), [Seat(kind, name) for name in NAMES[:seats]], seed, rules.hash)
    chance = Generator(seed)
    while not match.state.over:
        moves = match.state.legal_moves()
        match.play(moves[chance.below(len(moves))])
    return match


WORDS = Words.load("en")


def narrator(match: Match) -> Narrator:
    """Who tells it."""
    return Narrator(match.game, WORDS, NAMES[: len(match.seats)])


def as_it_went(match: Match, viewer: int | None) -> list[str]:
    """What is told at the table after each decision, and at the end."""
    teller, history, story = narrator(match), list(match.history()), Story(viewer)
    told, end = [], len(match.opening)
    for step in match.steps:
        told += story.tell(teller, history, end, whole=False)
        end += len(step.events)
    return [line.text for line in (*told, *story.tell(teller, history))]


@cache
def lines_of(name: str, viewer: int | None, every_step: bool = False) -> list[Line]:
    """How a game is told."""
    match = played(name, 1)
    return retold(narrator(match), match, viewer, every_step)


def test_a_game_of_five_takes_less_than_two_fifths_of_its_steps() -> None:
    assert len(lines_of("wongar", EVERYTHING)) < 0.4 * len(lines_of("wongar", EVERYTHING, True))


@pytest.mark.parametrize(
    ("name", "viewer"), [*((name, EVERYTHING) for name in GAMES), ("kuhn_poker", 1), ("nim", None)]
)
def test_each_event_is_told_once_or_implied_by_one_that_is(name: str, viewer: int | None) -> None:
    match = played(name, 1)
    teller, history = narrator(match), list(match.history())
    lines = lines_of(name, viewer)
    accounted = [at for line in lines for at in (*line.told, *(at for at, _ in line.implied))]
    assert sorted(accounted) == [at for at, event in enumerate(history) if teller.event(event, viewer) is not None]
    for line in lines:
        messages = {history[at].spec.message or history[at].spec.kind for at in line.told}
        assert all(by.removeprefix("engine.") in messages for _, by in line.implied)


@pytest.mark.parametrize("name", ["tongiaki", "goofspiel", "kuhn_poker"])
def test_the_table_tells_what_the_log_tells(name: str) -> None:
    match = played(name, 1)
    for viewer in (None, 1):
        assert as_it_went(match, viewer) == [line.text for line in retold(narrator(match), match, viewer)]


def test_what_people_were_told_before_they_were_asked_stands_by_itself_in_the_log() -> None:
    match = played("nim", 1, "human")
    ends = [max(line.told) for line in retold(narrator(match), match, None) if line.told]
    assert ends == sorted(ends)
    assert len(ends) >= len(match.steps)


@pytest.mark.parametrize(
    ("name", "rounds"), [("wongar", True), ("goofspiel", True), ("tongiaki", False), ("nim", False)]
)
def test_only_a_game_with_rounds_has_headings(name: str, rounds: bool) -> None:
    assert any(line.heading for line in lines_of(name, EVERYTHING)) == (name in ("wongar", "goofspiel"))
    assert not any(line.heading for line in lines_of(name, EVERYTHING, True))


def test_a_heading_has_the_standing_and_the_end_the_points() -> None:
    match = played("wongar", 1)
    lines, points = lines_of("wongar", EVERYTHING), dict.fromkeys(range(5), 0)
    last = [line for line in lines if line.heading][-1]
    for event in list(match.history())[: min(last.told)]:
        if event.spec.kind == "points":
            player, n = (event.fields()[name][1] for name in ("player", "n"))
            assert isinstance(player, int)
            assert isinstance(n, int)
            points[player] += n
    assert ", ".join(f"{name} {points[seat]}" for seat, name in enumerate(NAMES[:4])) in last.text
    (winner,) = match.state.winners
    assert lines[-1].text.endswith(f"{NAMES[winner]} wins with {match.state.scores[winner]} victory points.")
