"""Choices `without going round`: a cycle is detected once no choice can lead on, and never before."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from wongar_dsl.compiler.backends import BACKENDS
from wongar_dsl.compiler.backends.cycle_search import RESERVE
from wongar_dsl.compiler.backends.protocol import CycleQuery
from wongar_dsl.compiler.ir import AT_CHANCE, AT_DECISION, AT_SEAT, CycleVerdict, DetectCycle
from wongar_dsl.compiler.ir.cfg import statements
from wongar_dsl.compiler.ir.program import BUDGET
from wongar_dsl.compiler.lowering.decisions import CAPACITY
from wongar_dsl.engine import Game, State
from wongar_dsl.engine.events import event_json
from wongar_dsl.engine.library import load
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.words import Translator, available

MAZE = """
game maze
    players 1
    source house rule

board room
    grid {size}

figure walker on room

cards gem
    red
    blue
deck gems of gem total 2
    1 red
    1 blue
pile bag holds gem, seen as a number
slot found holds gem, seen by all
remember doors of each room: yes or no = no
remember steps: number 0 to 1000 = 0

setup
    fill bag with gems
    shuffle bag quietly
    move walker to a1 quietly

play
    repeat
        for each p in player
            p chooses walk without going round
                go(there: room touching place of walker)
                    move walker to there
                    {step}
                otherwise
                    {otherwise}

winner p
    most 1
"""
END = "forget choices\n                    end game"


def maze(
    tmp_path: Path, backend: str = "python", size: str = "3 by 2", step: str = "nothing", otherwise: str = END
) -> Game:
    path = tmp_path / "maze.rules"
    path.write_text(MAZE.format(size=size, step=step, otherwise=otherwise), encoding="utf-8")
    return load(path).game(1, backend=backend)


def walk(state: State, *texts: str) -> list[str]:
    """Make choices; return the kinds of events other than the walk itself."""
    kinds = []
    for text in texts:
        kinds += [e.spec.kind for e in state.apply(state.read(text)) if e.spec.kind != "figure_moved"]
    return kinds


def written_options(state: State) -> list[str]:
    return [state.write(m) for m in state.legal_moves()]


def cycle_verdict(game: Game, state: State, fuel: int = BUDGET) -> tuple[CycleVerdict, int]:
    """Return the verdict of the cycle search from here, and its cost."""
    detection = next(s for b in game.program.blocks for s in statements(b.body) if isinstance(s, DetectCycle))
    cells = state.cells
    question = CycleQuery(cells[AT_DECISION], cells[AT_SEAT], detection.first, detection.end)
    verdict, rest = game.backend.search(cells, question, fuel)
    return verdict, fuel - rest


@pytest.mark.parametrize("backend", BACKENDS)
def test_cycle_ends_as_soon_as_a_position_repeats(tmp_path: Path, backend: str) -> None:
    state, _ = maze(tmp_path, backend).start(1)
    assert walk(state, "go(b1)", "go(b2)", "go(a2)") == []
    assert not state.over
    assert walk(state, "go(a1)") == ["game_ended"]


@pytest.mark.parametrize("seed", range(3))
def test_exit_of_the_maze_is_found(tmp_path: Path, seed: int) -> None:
    game = maze(tmp_path, step="if there is c2\n                        p wins")
    state, _ = game.start(seed)
    steps = 0
    while not state.over:
        # The first door is always taken: without the repetition memory this would never end.
        state.apply(state.legal_moves()[0])
        steps += 1
        assert steps < 100
    assert state.winners == (0,)


def test_only_the_least_used_choices_are_offered(tmp_path: Path) -> None:
    state, _ = maze(tmp_path, step="if there is c2\n                        p wins").start(1)
    assert written_options(state) == ["go(a2)", "go(b1)"]
    walk(state, "go(a2)", "go(a1)")
    assert written_options(state) == ["go(b1)"]


@pytest.mark.parametrize(
    ("way_on", "backend"),
    [
        ("forget choices", "python"),
        ("p wins", "reference"),
        ("move top of bag to found", "reference"),
        ("shuffle bag quietly", "native"),
        ("p chooses rest by time\n                            wait\n                                nothing", "python"),
        ("impossible", "reference"),
    ],
)
def test_distant_exit_keeps_choices_available(tmp_path: Path, way_on: str, backend: str) -> None:
    """One door in 36 rooms leads on: the chain ends, chance decides, or the outcome is unknown."""
    guard = "if there is f6" + (" and found is nobody" if "found" in way_on else "")
    step = f"{guard}\n                        {way_on}"
    if "found" in way_on:
        step += "\n                        forget choices"
    game = maze(tmp_path, backend, size="6 by 6", step=step)
    state, _ = game.start(1)
    assert cycle_verdict(game, state)[0] == CycleVerdict.HAS_EXIT
    assert walk(state, "go(a2)", "go(a1)") == []
    assert written_options(state) == ["go(b1)"]


def test_permanent_changes_prevent_a_repetition(tmp_path: Path) -> None:
    """Doors passed are recorded: while a new one is possible, no position repeats."""
    game = maze(tmp_path, size="2 by 2", step="set doors of there to yes")
    state, _ = game.start(1)
    walk(state, "go(a2)", "go(a1)", "go(b1)", "go(a1)")
    walk(state, "go(a2)", "go(a1)")
    assert not state.over
    assert cycle_verdict(game, state)[0] == CycleVerdict.NO_EXIT
    walk(state, "go(b1)", "go(b2)", "go(a2)")
    assert not state.over
    assert cycle_verdict(game, state)[0] == CycleVerdict.RECURS


@pytest.mark.parametrize(
    ("backend", "on"),
    [*((backend, "(steps + 1) mod 150") for backend in BACKENDS), ("reference", "least(steps + 1, 300)")],
)
def test_endless_chain_ends_when_the_memory_is_full(tmp_path: Path, backend: str, on: str) -> None:
    """The memory fills up before a position repeats, in a ring of 150 or at the end of a path of 300."""
    state, _ = maze(tmp_path, backend, size="2 by 1", step=f"set steps to {on}").start(1)
    made = 0
    while not state.over:
        state.apply(state.legal_moves()[0])
        made += 1
    assert made == CAPACITY // 2


def test_full_memory_keeps_the_exit_available(tmp_path: Path) -> None:
    game = maze(tmp_path, size="9 by 9", step="if there is i9\n                        p wins")
    state, _ = game.start(1)
    dice = random.Random(1)
    for _ in range(3 * CAPACITY):
        # A player can walk for ever.
        state.apply(dice.choice([m for m in state.legal_moves() if state.write(m) != "go(i9)"]))
    assert cycle_verdict(game, state)[0] == CycleVerdict.HAS_EXIT


@pytest.mark.parametrize(("size", "step"), [("3 by 3", "set doors of there to yes"), ("12 by 12", "nothing")])
def test_cycle_search_is_the_same_on_every_backend(tmp_path: Path, size: str, step: str) -> None:
    """With doors to record, 3 by 3 rooms have thousands of positions."""
    games = [maze(tmp_path, backend, size=size, step=step) for backend in BACKENDS]
    states = [game.start(1)[0] for game in games]
    before = states[0].cells.copy()
    for fuel in (0, 1000, 20_000, 200_000):
        found = zip(games, states, strict=True)
        ((_, cost),) = {cycle_verdict(game, state, RESERVE + fuel) for game, state in found}
        assert cost <= fuel
        assert all(state.cells == before for state in states)


def test_cycle_search_leaves_a_reserve_of_fuel(tmp_path: Path) -> None:
    game = maze(tmp_path, size="3 by 3", step="set doors of there to yes")
    state, _ = game.start(1)
    assert cycle_verdict(game, state, RESERVE - 1) == (CycleVerdict.UNKNOWN, 0)
    assert cycle_verdict(game, state, RESERVE + 1000) == (CycleVerdict.UNKNOWN, 1000)


@pytest.fixture(scope="module")
def match_with_unknown_verdict(tmp_path_factory: pytest.TempPathFactory) -> tuple[Match, list[str]]:
    """A match in which the cycle search cannot decide, and the kinds of its events."""
    step = "if there is not a1 and there is not a2\n                        set doors of there to yes"
    game = maze(tmp_path_factory.mktemp("maze"), size="12 by 12", step=step)
    match = Match.begin(game, [Seat("human")], 1, "hash")
    kinds = []
    # The first room is visited again, and again with one more door recorded.
    for text in ("go(a2)", "go(a1)", "go(b1)", "go(a1)", "go(a2)", "go(a1)"):
        kinds += [e.spec.kind for e in match.play(match.state.read(text)).events]
    return match, kinds


def test_unknown_verdict_counts_as_exit_and_is_reported_once(
    match_with_unknown_verdict: tuple[Match, list[str]],
) -> None:
    match, kinds = match_with_unknown_verdict
    assert not match.state.over
    assert kinds.count("rounds_unknown") == 1
    assert kinds.count("figure_moved") == 6
    (event,) = [e for e in match.history() if e.spec.kind == "rounds_unknown"]
    assert event_json(match.game.model, match.game.fields, event) == {"event": "rounds_unknown"}


def test_unknown_verdict_is_reported_in_each_language(match_with_unknown_verdict: tuple[Match, list[str]]) -> None:
    match, _ = match_with_unknown_verdict
    (event,) = [e for e in match.history() if e.spec.kind == "rounds_unknown"]
    said = {code: Narrator(match.game, Translator.load(code), ("Anna",)).event(event, None) for code in available()}
    assert said["en"] == "It would take too long to determine whether this can ever end, so it is assumed that it can."
    assert None not in said.values()
    assert len({*said.values()}) == 4


def test_step_with_a_cycle_search_is_final(match_with_unknown_verdict: tuple[Match, list[str]]) -> None:
    """The verdict may depend on hidden cards, so a step that searched cannot be undone."""
    match, _ = match_with_unknown_verdict
    finals = [step.undo_barrier for step in match.steps]
    looked = [final is not None and final.reason == "looked" for final in finals]
    assert looked == [False, True, False, False, False, True]


def test_cycle_search_draws_no_random_numbers_of_the_game(tmp_path: Path) -> None:
    """Random numbers after a search are the same as without it."""
    step = "if there is c1\n                        forget choices\n                        shuffle bag quietly"
    game = maze(tmp_path, step=step)
    cursors = set()
    for moves in (("go(b1)", "go(c1)"), ("go(b1)", "go(a1)", "go(a2)", "go(b2)", "go(b1)", "go(c1)")):
        state, _ = game.start(5)
        walk(state, *moves)
        cursors.add(state.cells[AT_CHANCE])
    assert len(cursors) == 1
