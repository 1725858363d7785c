"""Mutation tool for the shipped rules: classification as killed, survived or the same."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress

import pytest

from benchmarks.mutants import verdict
from benchmarks.mutants.random_games import Endless, Games, LaidOut, Printed, disturb, width
from benchmarks.mutants.verdict import KILLED, NO_GAME, SAME, SURVIVED, Report, Subject
from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.compiler.ir import Field
from wongar_dsl.compiler.ir.containers import container
from wongar_dsl.engine import Game, State


def test_cases_of_nim_kill_all_mutants() -> None:
    subject = Subject("nim", games=5)
    fates = Counter(subject.judge(mutant) for mutant in subject.mutants)
    assert fates[SURVIVED] == 0
    assert fates[KILLED] > 10
    subject.cases.clear()
    fates_without_cases = Counter(subject.judge(mutant) for mutant in subject.mutants)
    assert fates_without_cases[KILLED] == 0
    assert fates_without_cases[SURVIVED] > 10
    assert fates_without_cases[NO_GAME] == fates[NO_GAME]


def test_unchanged_rules_play_the_same_games() -> None:
    subject = Subject("goofspiel", games=6)
    assert {record.seats for record in subject.played} == {2, 3, 4}
    assert not subject.differs(subject.rules)


@pytest.mark.parametrize(("sound", "tried"), [(False, 1), (True, 2)])
def test_endless_rules_are_played_a_limited_number_of_times(sound: bool, tried: int) -> None:
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


def test_mutant_that_differs_from_a_position_survives() -> None:
    subject = Subject("tongiaki", games=0)
    source = subject.rules.sources[-1].text
    subject.positions.cases = [case for case in subject.cases if "Unendlicher Kettenzug" in case.covers]
    subject.cases.clear()
    for line, what in (("        set chain_over to yes\n\n# Cards", "dropped"),
                       ("    busy of land and (some way", "and -> or")):  # fmt: skip
        number = source[: source.index(line)].count("\n") + 1
        mutant = next(m for m in subject.mutants if (m.span.line, m.what) == (number, what))
        assert subject.judge(mutant) == SURVIVED
    assert {record.disturbed for record in subject.positions.played if isinstance(record, LaidOut)} == {False, True}
    assert not subject.positions.differs(subject.rules)


def test_mutants_are_described_and_those_of_a_variant_change_only_its_own_file() -> None:
    subject = Subject("ubongo/hard")
    assert {m.span.source.name.split("/")[-1] for m in subject.mutants} == {"hard.rules"}
    assert all(m.what and m.span.line for m in [*subject.mutants, *Subject("tongiaki").mutants])


def test_kill_rate_below_the_minimum_is_not_enough() -> None:
    mutant = Subject("nim").mutants[0]
    report = Report("nim")
    for fate in [KILLED] * 95 + [SURVIVED] * 5 + [SAME, NO_GAME]:
        report.add(mutant, fate)
    assert (report.count, report.relevant, report.enough) == (102, 100, False)
    report.add(mutant, KILLED)
    assert report.enough


def test_run_ends_in_time_with_consistent_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdict, "names", lambda: ["nim", "tictactoe"])
    count, killed, relevant, survivors = verdict.run(0.1, 7)
    assert killed + len(survivors) == relevant <= count


def cells_of(state: State, place: Field) -> list[int]:
    return state.cells[place.base : place.base + width(place)]


def test_disturbed_position_keeps_the_same_components() -> None:
    game = Subject("wongar").rules.game(3)
    state = State(game, game.backend.start(1))
    state.proceed()
    zones = [field for field in game.program.fields if container(field) is not None]
    before = {field.name: cells_of(state, field) for field in zones}
    disturb(state, Generator(1))
    after = {field.name: cells_of(state, field) for field in zones}
    assert sum(before[name] != after[name] for name in before) == 1
    assert all(sorted(before[name]) == sorted(after[name]) for name in before)
