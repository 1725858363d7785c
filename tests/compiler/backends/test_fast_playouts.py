"""Fast playouts equal step-by-step play: the same decisions, positions, random streams and faults."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from benchmarks.mutants.operators import mutants
from benchmarks.mutants.verdict import changed
from tests.small_games import write_rules
from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import RuleFault
from wongar_dsl.compiler.backends.bulk_rng import BulkRng, Exhausted
from wongar_dsl.compiler.backends.enumeration import BulkOperations
from wongar_dsl.compiler.backends.protocol import State
from wongar_dsl.compiler.backends.python import PythonBackend, backend, fast_playouts, generator, runtime
from wongar_dsl.compiler.backends.python.playout_codegen import playout_program
from wongar_dsl.compiler.backends.rng import MASK, Cursor, Purpose, mix, start
from wongar_dsl.compiler.ir import instructions
from wongar_dsl.compiler.ir.cfg import all_statements, entry_points, join_points
from wongar_dsl.compiler.ir.program import BUDGET
from wongar_dsl.compiler.passes import cse_licm, dce, inline_unroll, tail_duplication
from wongar_dsl.engine.library import Rules, builtin_names, load

MAX_DECISIONS = 10_000
#: Variants are played with the fewest seats, other games with the most too.
TABLES = [
    (name, seats) for name in builtin_names() for seats in sorted({*load(name).model.players[: 2 - ("/" in name)]})
]


@pytest.fixture(autouse=True)
def fast_playouts_from_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use fast playouts from the first game on, however short."""
    monkeypatch.setattr(backend, "MIN_DECISIONS_TO_COMPILE", 0)
    monkeypatch.setattr(backend, "MIN_GAME_DECISIONS", 0)


def python_backend(rules: Rules, seats: int) -> PythonBackend:
    return PythonBackend(rules.program(seats, {}))


@cache
def shipped_backend(name: str, seats: int) -> PythonBackend:
    """Return the backend of a shipped game; generating its playouts takes about a second."""
    return python_backend(load(name), seats)


def playout_result(of: PythonBackend, state: State, rng: Cursor, limit: int, watched: bool) -> object:
    """Return the result of a playout and the state in which it ends; for a fault, the fault."""
    state = state.copy()
    try:
        return (BulkOperations.playout if watched else PythonBackend.playout)(of, state, rng, limit), state
    except RuleFault as fault:
        return fault.fault, state


def check_equal_playouts(of: PythonBackend, state: State, seed: int, limit: int = MAX_DECISIONS) -> tuple[int, Cursor]:
    """Return the number of decisions and the cursor after the last one; check that both ways of play agree."""
    luck = start(seed, Purpose.SAMPLING)
    result = playout_result(of, state, luck, limit, True)
    assert playout_result(of, state, luck, limit, False) == result
    assert isinstance(result, tuple)
    length: tuple[int, Cursor] = result[0]
    return length


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_playouts_are_equal_from_any_state_and_up_to_any_limit(name: str, seats: int) -> None:
    fast_backend = shipped_backend(name, seats)
    for seed in range(2):
        state = fast_backend.start(seed)
        length, _ = check_equal_playouts(fast_backend, state, seed)
        # From a decision, from the state right after a choice, and from the end.
        BulkOperations.playout(fast_backend, state, start(seed, Purpose.BOT), length // 2)
        rest, _ = check_equal_playouts(fast_backend, state, seed)
        for limit in (0, 1, 2, rest - 1, rest):
            check_equal_playouts(fast_backend, state, seed, limit)
        if options := fast_backend.options(state):
            fast_backend.choose(state, options[-1], 900)
            check_equal_playouts(fast_backend, state, seed)
        BulkOperations.playout(fast_backend, state, start(seed, Purpose.BOT), MAX_DECISIONS)
        assert check_equal_playouts(fast_backend, state, seed)[0] == 0


@pytest.mark.parametrize("name", ["wongar", "ubongo/hard", "goofspiel", "connect_four"])
def test_games_are_played_with_fast_playouts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No playout falls back to stepping."""
    python = shipped_backend(name, load(name).model.players[0])
    monkeypatch.setattr(BulkOperations, "playout", None)
    assert python.playouts(1, 0, 3, MAX_DECISIONS)[0] > 10


def test_game_with_cycle_detection_is_played_step_by_step() -> None:
    fast_backend = python_backend(load("tongiaki"), 2)
    assert any(isinstance(s, ir.DetectCycle) for s in all_statements(fast_backend.program))
    assert fast_backend._fast_playouts is None


@cache
def usual_playouts(name: str) -> tuple[ir.Program, object]:
    """Return the program of a shipped game for two players, and that of its playouts with the usual limits."""
    program = load(name).program(2, {})
    return program, playout_program(program)


@pytest.mark.parametrize(
    ("name", "module", "limit", "value"),
    [
        ("goofspiel", tail_duplication, "MAX_TAIL_STATEMENTS", 0),
        ("goofspiel", tail_duplication, "MAX_COPIES", 1),
        ("ubongo", tail_duplication, "MAX_TAIL_STATEMENTS", 400),
        ("goofspiel", inline_unroll, "MAX_UNROLLED_ITERATIONS", 0),
        ("goofspiel", inline_unroll, "SMALL", 0),
        ("goofspiel", inline_unroll, "MAX_INLINED_STATEMENTS", 300),
        ("ubongo", inline_unroll, "MAX_UNROLLED_STATEMENTS", 1000),
        ("kuhn_poker", None, "MAX_DEPTH", 3),
    ],
)
def test_optimization_limits_change_the_program_but_no_result(
    monkeypatch: pytest.MonkeyPatch, name: str, module: object, limit: str, value: int
) -> None:
    program, usual = usual_playouts(name)
    for changing in (module,) if module is not None else (inline_unroll, cse_licm, generator):
        monkeypatch.setattr(changing, limit, value)
    assert playout_program(program) != usual
    fast_backend = PythonBackend(program)
    for seed in range(2):
        check_equal_playouts(fast_backend, fast_backend.start(seed), seed)


def test_common_subexpressions_are_computed_once() -> None:
    """Covers repeated sums, loop-invariant sums, and multiples of list elements."""
    program = load("connect_four").program(2, {})
    first_variable, second_variable, turn = instructions.Var(90), instructions.Var(91), instructions.Var(92)
    sum_of_both = instructions.Bin("+", instructions.Bin("*", first_variable, instructions.Const(9)), second_variable)

    def stored(at: instructions.Expr) -> instructions.Store:
        return instructions.Store(at, instructions.Const(1))

    def offset(n: int) -> instructions.Expr:
        return instructions.Bin("+", sum_of_both, instructions.Const(n))

    loop_statement = instructions.ForList(
        92,
        0,
        first_variable,
        (
            stored(
                instructions.Bin(
                    "+",
                    instructions.Bin("*", turn, instructions.Const(3)),
                    instructions.Bin("*", second_variable, instructions.Const(7)),
                )
            ),
        ),
    )
    loads = (
        instructions.SetVar(90, instructions.Load(instructions.Const(0))),
        instructions.SetVar(91, instructions.Load(instructions.Const(1))),
    )
    body = (*loads, stored(offset(5)), stored(offset(6)), loop_statement)
    block = replace(program.blocks[program.entry], body=body)
    blocks = tuple(block if n == program.entry else b for n, b in enumerate(program.blocks))
    shared_program = cse_licm.eliminate_common_subexpressions(
        replace(program, blocks=blocks), join_points(program, entry_points(program))
    )
    *start_of, named, first, second, same, loop = shared_program.blocks[program.entry].body
    assert start_of == [*loads]
    assert isinstance(named, instructions.SetVar)
    assert named.value == sum_of_both
    assert [first, second] == [
        stored(instructions.Bin("+", instructions.Var(named.number), instructions.Const(n))) for n in (5, 6)
    ]
    assert isinstance(same, instructions.SetVar)
    assert same.value == instructions.Bin("*", second_variable, instructions.Const(7))
    assert isinstance(loop, instructions.ForList)
    assert loop.body == (stored(instructions.Bin("+", instructions.Var(same.number), turn)),)
    assert shared_program.lists[loop.lists] == tuple(tuple(3 * v for v in values) for values in program.lists[0])


FIRST = ir.Var(0)
GIVEN = ir.SetVar(0, ir.Load(ir.Const(40)))


def push(value: ir.Expr) -> ir.Stmt:
    return ir.Push(ir.Const(50), value, 9, False, 0)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((GIVEN, push(FIRST)), (push(GIVEN.value),)),
        ((GIVEN, ir.If(FIRST, (push(ir.Const(1)),), ())), (ir.If(GIVEN.value, (push(ir.Const(1)),), ()),)),
        # Read twice, at a later time, behind a possible change, and repeatedly.
        ((GIVEN, push(ir.Bin("+", FIRST, FIRST))), None),
        ((GIVEN, ir.If(FIRST, (push(FIRST),), ())), None),
        ((GIVEN, push(FIRST), push(FIRST)), None),
        ((GIVEN, push(ir.Const(1)), push(FIRST)), None),
        ((GIVEN, ir.ForRange(1, ir.Const(3), (push(FIRST),))), None),
    ],
)
def test_value_read_once_is_moved_to_its_use(before: ir.Body, after: ir.Body | None) -> None:
    program = load("nim").game(2).program
    body = replace(program.procedures[0], body=before)
    trimmed_program = dce.eliminate_dead_code(
        replace(program, procedures=(body, *program.procedures[1:])), program.frames
    )
    assert trimmed_program.procedures[0].body == (before if after is None else after)


@pytest.mark.parametrize("name", ["kuhn_poker", "goofspiel", "nim", "connect_four"])
def test_mutated_rules_play_the_same(name: str) -> None:
    rules = load(name)
    model = rules.model
    for mutant in [*mutants(model, model.merged.head.span.source)][::40]:
        mutated = changed(rules, mutant)
        if mutated is not None:
            fast_backend = python_backend(mutated, model.players[0])
            for seed in range(3):
                luck = start(seed, Purpose.SAMPLING)
                state = fast_backend.start(seed)
                assert playout_result(fast_backend, state, luck, 300, False) == playout_result(
                    fast_backend, state, luck, 300, True
                )


def test_fault_and_position_are_the_same(tmp_path: Path) -> None:
    rules = load(
        write_rules(
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
    fast_backend = python_backend(rules, 2)
    outcomes = set()
    for seed in range(30):
        luck = start(seed, Purpose.SAMPLING)
        result = playout_result(fast_backend, fast_backend.start(seed), luck, MAX_DECISIONS, True)
        assert playout_result(fast_backend, fast_backend.start(seed), luck, MAX_DECISIONS, False) == result
        outcomes.add(type(result[0]) if isinstance(result, tuple) else None)
    assert outcomes == {tuple, ir.FaultSpec}


def test_budget_ends_the_same_games(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program, generated_code = load("wongar").program(3, {}), Cache(tmp_path)
    for part in (10, 1000, 10_000):
        for module in (runtime, fast_playouts):
            monkeypatch.setattr(module, "BUDGET", BUDGET // part)
        # A backend of its own, since fast playouts compute how many steps are safe from the budget.
        fast_backend = PythonBackend(program, generated_code)
        for seed in range(3):
            luck = start(seed, Purpose.SAMPLING)
            result = playout_result(fast_backend, fast_backend.start(seed), luck, MAX_DECISIONS, True)
            assert playout_result(fast_backend, fast_backend.start(seed), luck, MAX_DECISIONS, False) == result


OFFERED = """p chooses other
        go if here
            nothing
        otherwise
            nothing"""


@pytest.mark.parametrize("work", ["nothing", OFFERED])
def test_endless_loop_is_stopped_in_the_same_place(tmp_path: Path, work: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (runtime, fast_playouts):
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
    fast_backend = python_backend(load(write_rules(tmp_path, lines)), 2)
    assert fast_backend._fast_playouts is not None
    for seed in range(3):
        luck = start(seed, Purpose.SAMPLING)
        result = playout_result(fast_backend, fast_backend.start(seed), luck, MAX_DECISIONS, True)
        assert isinstance(result, tuple)
        assert isinstance(result[0], ir.FaultSpec)
        assert playout_result(fast_backend, fast_backend.start(seed), luck, MAX_DECISIONS, False) == result


def test_bulk_numbers_equal_those_of_the_stream() -> None:
    counter, step = start(3, Purpose.PLAY)
    ahead = BulkRng((counter, step), 200)
    for used in range(1, 201):
        counter = (counter + step) & MASK
        assert next(ahead.numbers) == mix(counter)
        assert (ahead.used, ahead.cursor) == (used, (counter, step))
    with pytest.raises(Exhausted):
        deque(ahead.numbers)
