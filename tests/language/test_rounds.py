"""Choices without going round: whoever walks in circles is told so when no choice leads on, and never before."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from wongar_dsl.backends import BACKENDS
from wongar_dsl.backends.protocol import Question
from wongar_dsl.backends.rounds import RESERVE
from wongar_dsl.engine import Game, State
from wongar_dsl.engine.events import plain
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.ir import AT_CHANCE, AT_DECISION, AT_SEAT, Endless, Rounds
from wongar_dsl.ir.control_flow import statements
from wongar_dsl.ir.program import BUDGET
from wongar_dsl.library import load
from wongar_dsl.lower.cycle_memory import CAPACITY
from wongar_dsl.narration import Narrator
from wongar_dsl.words import Words

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
    """Make choices; what is told of more than the walk itself."""
    told = []
    for text in texts:
        told += [e.spec.kind for e in state.apply(state.read(text)) if e.spec.kind != "figure_moved"]
    return told


def choices(state: State) -> list[str]:
    return [state.write(m) for m in state.legal_moves()]


def ask(game: Game, state: State, fuel: int = BUDGET) -> tuple[Rounds, int]:
    """Whether all goes round from here, and what it cost to find out."""
    asked = next(s for b in game.program.blocks for s in statements(b.body) if isinstance(s, Endless))
    cells = state.cells
    question = Question(cells[AT_DECISION], cells[AT_SEAT], asked.first, asked.end)
    found, rest = game.backend.search(cells, question, fuel)
    return found, fuel - rest


@pytest.mark.parametrize("backend", BACKENDS)
def test_where_nothing_leads_on_it_is_said_as_soon_as_a_position_comes_again(tmp_path: Path, backend: str) -> None:
    state, _ = maze(tmp_path, backend).start(1)
    assert walk(state, "go(b1)", "go(b2)", "go(a2)") == []
    assert not state.over
    assert walk(state, "go(a1)") == ["game_ended"]


@pytest.mark.parametrize("seed", range(10))
def test_a_way_out_is_found(tmp_path: Path, seed: int) -> None:
    game = maze(tmp_path, step="if there is c2\n                        p wins")
    state, _ = game.start(seed)
    steps = 0
    while not state.over:
        # Always the first door: without the memory this would go to and fro for ever.
        state.apply(state.legal_moves()[0])
        steps += 1
        assert steps < 100
    assert state.winners == (0,)


def test_choices_made_less_often_come_first(tmp_path: Path) -> None:
    state, _ = maze(tmp_path, step="if there is c2\n                        p wins").start(1)
    assert choices(state) == ["go(a2)", "go(b1)"]
    walk(state, "go(a2)", "go(a1)")
    assert choices(state) == ["go(b1)"]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    "way_on",
    [
        "forget choices",
        "p wins",
        "move top of bag to found",
        "shuffle bag quietly",
        "p chooses rest by time\n                            wait\n                                nothing",
        "impossible",
    ],
)
def test_a_far_way_on_keeps_choices_on_offer(tmp_path: Path, backend: str, way_on: str) -> None:
    """One door of 144 rooms leads on: the chain ends, chance decides, or nobody can say what comes."""
    guard = "if there is l12" + (" and found is nobody" if "found" in way_on else "")
    step = f"{guard}\n                        {way_on}"
    if "found" in way_on:
        step += "\n                        forget choices"
    game = maze(tmp_path, backend, size="12 by 12", step=step)
    state, _ = game.start(1)
    assert ask(game, state)[0] == Rounds.LEAD_ON
    assert walk(state, "go(a2)", "go(a1)") == []
    assert choices(state) == ["go(b1)"]


def test_what_changes_for_good_is_waited_for(tmp_path: Path) -> None:
    """Doors that were gone through are noted: as long as a new one can come, nobody has been everywhere."""
    game = maze(tmp_path, size="2 by 2", step="set doors of there to yes")
    state, _ = game.start(1)
    walk(state, "go(a2)", "go(a1)", "go(b1)", "go(a1)")
    walk(state, "go(a2)", "go(a1)")
    assert not state.over
    assert ask(game, state)[0] == Rounds.ENDLESS
    walk(state, "go(b1)", "go(b2)", "go(a2)")
    assert not state.over
    assert ask(game, state)[0] == Rounds.HERE_AGAIN


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("on", ["(steps + 1) mod 150", "least(steps + 1, 300)"])
def test_an_endless_chain_ends_however_many_choices_there_are(tmp_path: Path, backend: str, on: str) -> None:
    """The memory is full before a position comes again, in a ring of 150 or at the end of a way of 300."""
    state, _ = maze(tmp_path, backend, size="2 by 1", step=f"set steps to {on}").start(1)
    made = 0
    while not state.over:
        state.apply(state.legal_moves()[0])
        made += 1
    assert made == CAPACITY // 2


def test_a_full_memory_takes_no_way_on_away(tmp_path: Path) -> None:
    game = maze(tmp_path, size="12 by 12", step="if there is l12\n                        p wins")
    state, _ = game.start(1)
    dice = random.Random(1)
    for _ in range(3 * CAPACITY):
        # Who wants to can walk for ever.
        state.apply(dice.choice([m for m in state.legal_moves() if state.write(m) != "go(l12)"]))
    assert ask(game, state)[0] == Rounds.LEAD_ON


@pytest.mark.parametrize("fuel", [0, 1000, 20_000, 200_000])
@pytest.mark.parametrize("size", ["2 by 2", "3 by 3", "12 by 12"])
def test_a_search_finds_and_costs_the_same_on_every_backend(tmp_path: Path, size: str, fuel: int) -> None:
    """With doors to note, 3 by 3 rooms have thousands of positions."""
    step = "set doors of there to yes" if size != "12 by 12" else "nothing"
    found = set()
    for backend in BACKENDS:
        game = maze(tmp_path, backend, size=size, step=step)
        state, _ = game.start(1)
        before = state.cells.copy()
        found.add(ask(game, state, RESERVE + fuel))
        assert state.cells == before
    assert len(found) == 1
    assert all(cost <= fuel for _, cost in found)


def test_a_search_leaves_enough_for_the_run_to_go_on(tmp_path: Path) -> None:
    game = maze(tmp_path, size="3 by 3", step="set doors of there to yes")
    state, _ = game.start(1)
    assert ask(game, state, RESERVE - 1) == (Rounds.UNKNOWN, 0)
    assert ask(game, state, RESERVE + 1000) == (Rounds.UNKNOWN, 1000)


@pytest.fixture(scope="module")
def undecided(tmp_path_factory: pytest.TempPathFactory) -> tuple[Match, list[str]]:
    """A match in which nobody can tell whether it can end, and the kinds of what was told in it."""
    step = "if there is not a1 and there is not a2\n                        set doors of there to yes"
    game = maze(tmp_path_factory.mktemp("maze"), size="12 by 12", step=step)
    match = Match.begin(game, [Seat("human")], 1, "hash")
    told = []
    # The first room comes again, and with a door noted once more.
    for text in ("go(a2)", "go(a1)", "go(b1)", "go(a1)", "go(a2)", "go(a1)"):
        told += [e.spec.kind for e in match.play(match.state.read(text)).events]
    return match, told


def test_what_cannot_be_found_out_counts_as_a_way_on_and_is_told_once(undecided: tuple[Match, list[str]]) -> None:
    match, told = undecided
    assert not match.state.over
    assert told.count("rounds_unknown") == 1
    assert told.count("figure_moved") == 6
    (event,) = [e for e in match.history() if e.spec.kind == "rounds_unknown"]
    assert plain(match.game.model, match.game.fields, event) == {"event": "rounds_unknown"}


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (
            "en",
            "It would take too long to determine whether this can ever end, so it is assumed that it can.",
        ),
        ("de", "Es dauert zu lange, festzustellen, ob das je ein Ende nehmen kann; darum zählt es, als könnte es das."),
        ("it", "Ci vorrebbe troppo tempo per stabilire se queste mosse possono avere una fine: si presume di sì."),
        ("nl", "Uitzoeken of hier ooit een eind aan kan komen zou te lang duren; we nemen aan van wel."),
    ],
)
def test_it_is_told_in_each_language(undecided: tuple[Match, list[str]], language: str, text: str) -> None:
    match, _ = undecided
    narrator = Narrator(match.game, Words.load(language), ("Anna",))
    (event,) = [e for e in match.history() if e.spec.kind == "rounds_unknown"]
    assert narrator.event(event, None) == text


def test_a_search_looks_at_what_is_hidden_and_a_walk_does_not(undecided: tuple[Match, list[str]]) -> None:
    """Whether something leads on may hang on what lies in the bag: a step that found that out is final."""
    match, _ = undecided
    finals = [step.final for step in match.steps]
    assert [final is not None and final.reason == "looked" for final in finals] == [
        False,
        True,
        False,
        False,
        False,
        True,
    ]


def test_a_search_draws_no_chance_of_the_game(tmp_path: Path) -> None:
    """What chance brings after a search is what it would have brought without one."""
    step = "if there is c1\n                        forget choices\n                        shuffle bag quietly"
    game = maze(tmp_path, step=step)
    drawn = set()
    for way in (("go(b1)", "go(c1)"), ("go(b1)", "go(a1)", "go(a2)", "go(b2)", "go(b1)", "go(c1)")):
        state, _ = game.start(5)
        walk(state, *way)
        drawn.add(state.cells[AT_CHANCE])
    assert len(drawn) == 1
