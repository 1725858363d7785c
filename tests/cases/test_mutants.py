"""The tool that mutates the shipped rules: what it calls killed, survived and the same."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress

import pytest

from benchmarks.mutants import judging
from benchmarks.mutants.judging import KILLED, NO_GAME, SAME, SURVIVED, Report, Subject
from benchmarks.mutants.playing import Endless, Games, Printed, width
from benchmarks.mutants.positions import LaidOut, disturb
from wongar_dsl.backends.chance import Generator
from wongar_dsl.engine import Game, State
from wongar_dsl.ir import Field
from wongar_dsl.ir.containers import container


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


@pytest.mark.parametrize(
    ("line", "what"),
    [("        set chain_over to yes\n\n# Cards", "dropped"), ("    busy of land and (some way", "and -> or")],
)
def test_what_only_a_laid_out_position_tells_apart_is_not_the_same(line: str, what: str) -> None:
    subject = Subject("tongiaki", games=0)
    source = subject.rules.sources[-1].text
    number = source[: source.index(line)].count("\n") + 1
    mutant = next(m for m in subject.mutants if (m.span.line, m.what) == (number, what))
    subject.positions.cases = [case for case in subject.cases if "Unendlicher Kettenzug" in case.covers]
    subject.cases.clear()
    assert subject.judge(mutant) == SURVIVED


@pytest.mark.parametrize("name", ["tongiaki", "wongar"])
def test_the_rules_as_they_are_play_the_same_games_from_positions(name: str) -> None:
    subject = Subject(name, games=0)
    subject.positions.cases = subject.positions.cases[:6]
    assert {one.disturbed for one in subject.positions.played if isinstance(one, LaidOut)} == {False, True}
    assert not subject.positions.differs(subject.rules)


def test_a_disturbed_position_holds_the_same_things_elsewhere() -> None:
    game = Subject("wongar").rules.game(3)
    state = State(game, game.backend.start(1))
    state.proceed()
    zones = [place for place in game.program.fields if container(place) is not None]
    before = {place.name: cells_of(state, place) for place in zones}
    disturb(state, Generator(1))
    after = {place.name: cells_of(state, place) for place in zones}
    assert sum(before[name] != after[name] for name in before) == 1
    assert all(sorted(before[name]) == sorted(after[name]) for name in before)


def cells_of(state: State, place: Field) -> list[int]:
    return state.cells[place.base : place.base + width(place)]


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
