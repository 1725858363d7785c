"""The tool that mutates the shipped rules: what it calls killed, survived and the same."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress

import pytest

from benchmarks.mutants import judging
from benchmarks.mutants.judging import KILLED, NO_GAME, SAME, SURVIVED, Endless, Games, Printed, Report, Subject
from wongar_dsl.engine import Game


def test_what_the_cases_of_nim_notice() -> None:
    subject = Subject("nim", games=5)
    found = Counter(subject.judge(mutant) for mutant in subject.mutants)
    assert found[SURVIVED] == 0
    assert found[KILLED] > 10
    subject.cases.clear()
    alone = Counter(subject.judge(mutant) for mutant in subject.mutants)
    assert alone[KILLED] == 0
    assert alone[SURVIVED] > 10
    assert alone[NO_GAME] == found[NO_GAME]


def test_the_rules_as_they_are_play_the_same_games() -> None:
    subject = Subject("goofspiel", games=6)
    assert {one.seats for one in subject.played} == {2, 3, 4}
    assert not subject.differs(subject.rules)


@pytest.mark.parametrize(("sound", "tried"), [(False, 1), (True, 2)])
def test_rules_that_never_end_are_not_played_again_and_again(sound: bool, tried: int) -> None:
    games = []

    class Stuck(Games):
        def _random(self, game: Game, seed: int) -> Printed:
            games.append(seed)
            raise Endless

    stuck = Stuck(Subject("nim").rules, 5, sound)
    for _ in range(2):
        with suppress(Endless):
            assert stuck.played == []
    assert len(games) == tried


def test_only_what_a_variants_own_file_says_is_changed() -> None:
    subject = Subject("ubongo/hard")
    assert {m.span.source.name.split("/")[-1] for m in subject.mutants} == {"hard.rules"}


@pytest.mark.parametrize("name", judging.names())
def test_every_change_has_a_place_and_a_word_for_it(name: str) -> None:
    assert all(m.what and m.span.line for m in Subject(name).mutants)


def test_a_game_below_the_floor_is_not_enough() -> None:
    mutant = Subject("nim").mutants[0]
    report = Report("nim")
    for fate in [KILLED] * 95 + [SURVIVED] * 5 + [SAME, NO_GAME]:
        report.add(mutant, fate)
    assert (report.count, report.relevant, report.enough) == (102, 100, False)
    report.add(mutant, KILLED)
    assert report.enough


def test_a_run_ends_in_time_and_says_what_it_found() -> None:
    count, killed, relevant, survivors = judging.run(0.1, 7)
    assert killed + len(survivors) == relevant <= count
