"""Cases recorded at the table: they pass at once, and fail after a relevant change of the rules."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.cli.command import CACHE
from tests.engine.rule_cases.test_cases import GAME, findings_text
from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.engine import State
from wongar_dsl.engine.library import Rules, builtin_names, load
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.engine.rule_cases.file import DRAWN, parse_cases
from wongar_dsl.engine.rule_cases.position_reader import PositionReader
from wongar_dsl.engine.rule_cases.position_writer import (
    Data,
    full_position,
    inline_yaml,
    position_difference,
    yaml_lines,
)
from wongar_dsl.engine.rule_cases.recorder import record_case
from wongar_dsl.engine.rule_cases.runner import CaseResult, CaseRunner

SEED = 2**63 + 12345


def begin_match(rules: Rules, settings: dict[str, int] | None = None) -> Match:
    game = rules.game(rules.model.players[0], settings, cache=Cache(CACHE))
    return Match.begin(game, (Seat("human"),) * game.seats, SEED, rules.hash)


def play_random_moves(match: Match, steps: int, luck: Generator) -> None:
    for _ in range(steps):
        if not match.state.over:
            moves = match.state.legal_moves()
            match.play(moves[luck.below(len(moves))])


def recorded_case(match: Match) -> dict[str, Data]:
    case = record_case(match)
    assert case is not None
    return case


def run_case(rules: Rules, case: dict[str, Data]) -> CaseResult:
    text = "\n".join(yaml_lines({"cases": [{"name": "it", **case}]}))
    game = partial(rules.game, cache=Cache(CACHE))
    return CaseRunner(rules.model, game).run(parse_cases(text, Path("it.cases.yaml")).cases[0])


@pytest.mark.parametrize("name", builtin_names())
def test_recorded_case_passes_at_once(name: str) -> None:
    rules, luck = load(name, Cache(CACHE)), Generator(4)
    match = begin_match(rules)
    for steps in (0, 29):
        play_random_moves(match, steps, luck)
        outcome = run_case(rules, recorded_case(match))
        assert outcome.passed, findings_text(outcome)


@pytest.mark.parametrize("name", ["wongar", "tongiaki", "goofspiel"])
def test_written_position_restores_the_state(name: str) -> None:
    match = begin_match(load(name, Cache(CACHE)))
    before = match.state.cells.copy()
    play_random_moves(match, 45, Generator(1))
    reader = PositionReader(match.game)
    for position in (
        full_position(match.game, match.state.cells),
        position_difference(match.game, before, match.state.cells),
    ):
        laid = State(match.game, before.copy())
        reader.lay_out(laid, {place: inline_yaml(data) for place, data in position.items()})
        assert not position_difference(match.game, laid.cells, match.state.cells)
        first, end = match.game.program.fields[0].base, match.game.program.frames
        if name != "tongiaki":  # The order in which cards were placed on a lattice is not written.
            assert laid.cells[first:end] == match.state.cells[first:end]


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.rules"
    path.write_text(GAME, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("p gains 2 points", "p gains 3 points"),
        ("colour where stock[p, kind] > 0", "colour where stock[p, kind] > 1"),
        ("fill stock of p with 2 red", "fill stock of p with 1 red"),
    ],
)
def test_recorded_case_fails_after_a_relevant_rule_change(tiny: Path, old: str, new: str) -> None:
    match = begin_match(load(tiny))
    for move in ("pay(red)", "draw"):
        match.play(match.state.read(move))
    case = recorded_case(match)
    assert run_case(load(tiny), case).passed
    tiny.write_text(GAME.replace(old, new), encoding="utf-8")
    assert not run_case(load(tiny), case).passed


def test_recorded_case_has_the_position_without_earlier_moves(tiny: Path) -> None:
    match = begin_match(load(tiny))
    for move in ("draw", "pay(red)", "rest", "draw", "rest"):
        match.play(match.state.read(move))
    case, position = recorded_case(match), full_position(match.game, match.state.cells)
    mine = position["mine"]
    assert isinstance(mine, dict)
    assert case["position"] == {
        "stock": {"1": ["red", "red", "red"], "2": ["red"]},
        "heap_of_cards": position["heap_of_cards"],
        "mine": {seat: [name for name, n in held.items() if n == "1"] for seat, held in mine.items()},
        "done": "1",
        "points": {"all": "2"},
    }
    assert case["moves"] == [{"expect": {"seat": "1", "decision": "turn"}}, {"1": "rest"}]
    assert "from" not in case


def test_settings_are_recorded() -> None:
    rules = load("ubongo", Cache(CACHE))
    match = begin_match(rules, {"hard_side": 1, "sandglass": 61})
    play_random_moves(match, 3, Generator(1))
    case = recorded_case(match)
    assert case["options"] == {"hard_side": "yes", "sandglass": "61"}
    assert run_case(rules, case).passed


#: Chance matters during play too.
DICE = (
    GAME.replace("2 plain", "20 plain")
    .replace("1 dear(red)", "20 dear(red)")
    .replace("p gains 2 points", "shuffle heap_of_cards\n                    p gains 2 points")
)


def test_recorded_case_continues_the_random_stream(tiny: Path) -> None:
    tiny.write_text(DICE, encoding="utf-8")
    rules = load(tiny)
    match = begin_match(rules)
    for _ in range(24):
        match.play(match.state.read("draw"))
    case = recorded_case(match)
    moves = case["moves"]
    assert isinstance(moves, list)
    assert any(isinstance(step, dict) and DRAWN in step for step in moves)
    assert run_case(rules, case).passed


def test_match_begun_from_a_position_is_recorded(tiny: Path) -> None:
    rules = load(tiny)
    first = begin_match(rules)
    for move in ("draw", "pay(red)"):
        first.play(first.state.read(move))
    later = Match(first.game, first.seats, first.seed, first.rules_hash, first.state.cells)
    later.play(later.state.read("pay(red)"))
    assert run_case(rules, recorded_case(later)).passed
