"""Random games that nobody watches are those that are played step by step: decisions, positions, streams, faults."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.mutants.judging import changed
from benchmarks.mutants.operators import mutants
from tests.small_games import written
from wongar_dsl import ir
from wongar_dsl.backends import RuleFault
from wongar_dsl.backends.ahead import Ahead, Spent
from wongar_dsl.backends.chance import MASK, Cursor, Purpose, mix, start
from wongar_dsl.backends.courses import Stepwise
from wongar_dsl.backends.protocol import State
from wongar_dsl.backends.python import PythonBackend, backend, generator, headlong, runtime
from wongar_dsl.ir import code, joining, sharing, trimming, unfolding
from wongar_dsl.ir.control_flow import entries, everything, met
from wongar_dsl.ir.program import BUDGET
from wongar_dsl.library import Rules, load, shipped_names

LONGEST = 10_000
#: Variants are played with the fewest seats, other games with the most too.
TABLES = [
    (name, seats) for name in shipped_names() for seats in sorted({*load(name).model.players[: 2 - ("/" in name)]})
]


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the first game on, however short."""
    monkeypatch.setattr(backend, "WORTH", 0)
    monkeypatch.setattr(backend, "SHORT", 0)


def made(rules: Rules, seats: int) -> PythonBackend:
    return PythonBackend(rules.program(seats, {}))


def played(of: PythonBackend, state: State, luck: Cursor, limit: int, watched: bool) -> object:
    """What comes of a game, and the position in which it ends, by a fault too."""
    state = state.copy()
    try:
        return (Stepwise.playout if watched else PythonBackend.playout)(of, state, luck, limit), state
    except RuleFault as fault:
        return fault.fault, state


def alike(of: PythonBackend, state: State, seed: int, limit: int = LONGEST) -> tuple[int, Cursor]:
    """The decisions of a game, and where its choices end; both ways of playing it agree."""
    luck = start(seed, Purpose.SAMPLING)
    seen = played(of, state, luck, limit, True)
    assert played(of, state, luck, limit, False) == seen
    assert isinstance(seen, tuple)
    length: tuple[int, Cursor] = seen[0]
    return length


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_every_game_is_the_same_from_anywhere_and_up_to_any_limit(name: str, seats: int) -> None:
    of = made(load(name), seats)
    for seed in range(2):
        state = of.start(seed)
        length, _ = alike(of, state, seed)
        for limit in (0, 1, 2, length - 1, length):
            alike(of, state, seed, limit)
        # From a decision, from what follows on a choice, and from the end.
        Stepwise.playout(of, state, start(seed, Purpose.BOT), length // 2)
        alike(of, state, seed)
        if options := of.options(state):
            of.choose(state, options[-1], 900)
            alike(of, state, seed)
        Stepwise.playout(of, state, start(seed, Purpose.BOT), LONGEST)
        assert alike(of, state, seed)[0] == 0


@pytest.mark.parametrize("name", ["wongar", "ubongo/hard", "goofspiel", "connect_four"])
def test_games_are_played_headlong(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """None of them is broken off."""
    of = made(load(name), load(name).model.players[0])
    monkeypatch.setattr(Stepwise, "playout", None)
    assert of.playouts(1, 0, 3, LONGEST)[0] > 10


def test_what_looks_for_endless_rounds_is_played_step_by_step() -> None:
    of = made(load("tongiaki"), 2)
    assert any(isinstance(s, ir.Endless) for s in everything(of.program))
    assert of._headlong is None


@pytest.mark.parametrize(
    ("module", "limit", "value"),
    [
        (joining, "LITTLE", 0), (joining, "GROWTH", 1), (joining, "LITTLE", 400), (unfolding, "MOST_TURNS", 0),
        (unfolding, "SMALL", 0), (unfolding, "ROOM", 300), (unfolding, "MOST_STATEMENTS", 1000), (None, "MAX_DEPTH", 3),
    ],
)  # fmt: skip
def test_how_far_code_is_laid_out_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, module: object, limit: str, value: int
) -> None:
    for changing in (module,) if module is not None else (unfolding, sharing, generator):
        monkeypatch.setattr(changing, limit, value)
    of = made(load("wongar"), 3)
    for seed in range(2):
        alike(of, of.start(seed), seed)


def test_sums_are_worked_out_once() -> None:
    """Those that come again, those that no turn of a loop changes, and multiples in a list."""
    program = load("connect_four").program(2, {})
    one, two, turn = code.Var(90), code.Var(91), code.Var(92)
    place = code.Bin("+", code.Bin("*", one, code.Const(9)), two)

    def stored(at: code.Expr) -> code.Store:
        return code.Store(at, code.Const(1))

    def beside(n: int) -> code.Expr:
        return code.Bin("+", place, code.Const(n))

    turns = code.ForList(
        92, 0, one, (stored(code.Bin("+", code.Bin("*", turn, code.Const(3)), code.Bin("*", two, code.Const(7)))),)
    )
    given = (code.SetVar(90, code.Load(code.Const(0))), code.SetVar(91, code.Load(code.Const(1))))
    body = (*given, stored(beside(5)), stored(beside(6)), turns)
    block = replace(program.blocks[program.entry], body=body)
    blocks = tuple(block if n == program.entry else b for n, b in enumerate(program.blocks))
    made = sharing.shared(replace(program, blocks=blocks), met(program, entries(program)))
    *start_of, named, first, second, same, loop = made.blocks[program.entry].body
    assert start_of == [*given]
    assert isinstance(named, code.SetVar)
    assert named.value == place
    assert [first, second] == [stored(code.Bin("+", code.Var(named.number), code.Const(n))) for n in (5, 6)]
    assert isinstance(same, code.SetVar)
    assert same.value == code.Bin("*", two, code.Const(7))
    assert isinstance(loop, code.ForList)
    assert loop.body == (stored(code.Bin("+", code.Var(same.number), turn)),)
    assert made.lists[loop.lists] == tuple(tuple(3 * v for v in values) for values in program.lists[0])


FIRST = ir.Var(0)
GIVEN = ir.SetVar(0, ir.Load(ir.Const(40)))


def laid(value: ir.Expr) -> ir.Stmt:
    return ir.Push(ir.Const(50), value, 9, False, 0)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((GIVEN, laid(FIRST)), (laid(GIVEN.value),)),
        ((GIVEN, ir.If(FIRST, (laid(ir.Const(1)),), ())), (ir.If(GIVEN.value, (laid(ir.Const(1)),), ()),)),
        # Read twice, at a later time, behind what may change it, again and again.
        ((GIVEN, laid(ir.Bin("+", FIRST, FIRST))), None),
        ((GIVEN, ir.If(FIRST, (laid(FIRST),), ())), None),
        ((GIVEN, laid(FIRST), laid(FIRST)), None),
        ((GIVEN, laid(ir.Const(1)), laid(FIRST)), None),
        ((GIVEN, ir.ForRange(1, ir.Const(3), (laid(FIRST),))), None),
    ],
)
def test_a_value_that_is_read_once_stands_where_it_is_read(before: ir.Body, after: ir.Body | None) -> None:
    program = load("nim").game(2).program
    body = replace(program.procedures[0], body=before)
    found = trimming.trimmed(replace(program, procedures=(body, *program.procedures[1:])), program.frames)
    assert found.procedures[0].body == (before if after is None else after)


@pytest.mark.parametrize("name", ["kuhn_poker", "goofspiel", "nim", "connect_four"])
def test_rules_with_a_change_are_the_same(name: str) -> None:
    rules = load(name)
    model = rules.model
    for mutant in [*mutants(model, model.merged.head.span.source)][::40]:
        other = changed(rules, mutant)
        if other is not None:
            of = made(other, model.players[0])
            for seed in range(3):
                luck = start(seed, Purpose.SAMPLING)
                state = of.start(seed)
                assert played(of, state, luck, 300, False) == played(of, state, luck, 300, True)


def test_a_fault_is_the_same_and_so_is_the_position(tmp_path: Path) -> None:
    rules = load(
        written(
            tmp_path,
            """
remember n: number 0 to 30 = 0
play
    repeat
        for each p in player
            p chooses turn
                add(k: 1 to 3)
                    set n to n + k
                pass
                    nothing
            if n = 29
                p wins
            """,
        )
    )
    of = made(rules, 2)
    outcomes = set()
    for seed in range(30):
        luck = start(seed, Purpose.SAMPLING)
        seen = played(of, of.start(seed), luck, LONGEST, True)
        assert played(of, of.start(seed), luck, LONGEST, False) == seen
        outcomes.add(type(seen[0]) if isinstance(seen, tuple) else None)
    assert outcomes == {tuple, ir.FaultSpec}


@pytest.mark.parametrize("part", [10, 1000, 10_000])
def test_the_budget_ends_the_same_games(monkeypatch: pytest.MonkeyPatch, part: int) -> None:
    for module in (runtime, headlong):
        monkeypatch.setattr(module, "BUDGET", BUDGET // part)
    of = made(load("wongar"), 3)
    for seed in range(3):
        luck = start(seed, Purpose.SAMPLING)
        seen = played(of, of.start(seed), luck, LONGEST, True)
        assert played(of, of.start(seed), luck, LONGEST, False) == seen


OFFERED = """p chooses other
        go if here
            nothing
        otherwise
            nothing"""


@pytest.mark.parametrize("work", ["nothing", OFFERED])
def test_what_goes_round_too_long_is_stopped_in_the_same_place(
    tmp_path: Path, work: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (runtime, headlong):
        monkeypatch.setattr(module, "BUDGET", BUDGET // 10)
    lines = f"""
remember n: number 0 to 10000000 = 0
remember here: yes or no = no
rule work(p: player)
    {work}
play
    repeat until n >= 10000000
        for each p in player
            p chooses turn
                stay
                    set n to n + 1
                go
                    repeat until n >= 10000000
                        set n to n + 1
                        work(p)
    player(1) wins
"""
    of = made(load(written(tmp_path, lines)), 2)
    assert of._headlong is not None
    for seed in range(3):
        luck = start(seed, Purpose.SAMPLING)
        seen = played(of, of.start(seed), luck, LONGEST, True)
        assert isinstance(seen, tuple)
        assert isinstance(seen[0], ir.FaultSpec)
        assert played(of, of.start(seed), luck, LONGEST, False) == seen


def test_numbers_made_ahead_are_those_of_the_stream() -> None:
    counter, step = start(3, Purpose.PLAY)
    ahead = Ahead((counter, step), 200)
    for used in range(1, 201):
        counter = (counter + step) & MASK
        assert next(ahead.numbers) == mix(counter)
        assert (ahead.used, ahead.cursor) == (used, (counter, step))
    with pytest.raises(Spent):
        deque(ahead.numbers)
