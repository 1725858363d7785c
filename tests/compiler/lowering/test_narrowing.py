"""Loops are narrowed by conditions known before play, also through definitions, and short definitions are inlined."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import write_rules
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import BACKENDS, load_backend
from wongar_dsl.compiler.ir.cfg import statements
from wongar_dsl.engine import library

GAME = """
board field
    grid 4 by 4
remember owner of each field: player
define diagonal(here: field) = row of here = column of here
define fits(here: field) = diagonal(here) and owner of here is nobody
define all_of(here: field) = {also}
play
    repeat
        for each p in player
            p chooses turn
                mark(here: field where {where})
                    set owner of here to p
                otherwise
                    nobody wins
"""
DIAGONAL = (3, 6, 9, 12)


def _rules(folder: Path, where: str, also: str = "row of here > 0") -> library.Rules:
    return library.load(write_rules(folder, GAME.format(where=where, also=also)))


def _lists_and_statements(program: ir.Program) -> tuple[set[tuple[int, ...]], set[type]]:
    """Return the constant lists from which the options are built, and the statement types of the list procedure."""
    lister = program.procedures[program.decisions[0].lister]
    inside = [*statements(lister.body)]
    lists = {program.lists[s.lists][0] for s in inside if isinstance(s, ir.ForList)}
    return lists, {type(s) for s in inside}


@pytest.mark.parametrize("where", ["fits(here)", "diagonal(here)"])
def test_loop_visits_only_possible_values(where: str, tmp_path: Path) -> None:
    program = _rules(tmp_path, where).game(2).program
    lists, inside = _lists_and_statements(program)
    assert lists == {DIAGONAL}
    assert ir.Call not in inside
    games = [load_backend(program, backend).playouts(5, 0, 10, 12) for backend in BACKENDS]
    assert len(set(games)) == 1
    assert games[0][0] == (120 if where == "diagonal(here)" else 40)


def test_known_condition_is_not_tested_again(tmp_path: Path) -> None:
    program = _rules(tmp_path, "fits(here)").game(2).program
    lister = program.procedures[program.decisions[0].lister]
    [condition] = [s.condition for s in statements(lister.body) if isinstance(s, ir.If)]
    assert isinstance(condition, ir.Bin)
    assert isinstance(condition.left, ir.Load)
    assert condition.operator == "=="


@pytest.mark.parametrize(
    "also",
    [" and ".join(f"row of here + column of here != {n + 20}" for n in range(9)),
     "some other in field where owner of other is nobody and row of other < row of here"],
    ids=["long", "with statements"],
)  # fmt: skip
def test_long_definition_is_a_procedure(tmp_path: Path, also: str) -> None:
    program = _rules(tmp_path, "all_of(here) and owner of here is nobody", also).game(2).program
    assert "all_of" in {p.name for p in program.procedures}
    assert ir.Call in _lists_and_statements(program)[1]


def test_inlined_definition_counts_as_reached(tmp_path: Path) -> None:
    rules = _rules(tmp_path, "fits(here)")
    game = rules.marked(2)
    game.backend.playouts(1, 0, 1, 4)
    lines = {game.program.marks[mark].line for mark in game.backend.reached_marks}
    source = rules.sources[0].text.splitlines()
    reached = {line for line, text in enumerate(source, 1) if text.startswith("define")} & lines
    assert {source[line - 1].split("(")[0] for line in reached} == {"define diagonal", "define fits"}


ORDER = """
remember x: number 0 to 100 = 1
remember y: number 0 to 1000 = 0
remember z: number 0 to 1000 = 0
define tenfold(n: number) = n * 10
define tens() = x * 10
rule change() gives number
    set x to x + 1
    give x
play
    set y to tenfold(x) + change()
    set z to tens() + change()
    {player} chooses turn
        pass
            nobody wins
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_inlined_definition_is_evaluated_before_later_calls(backend: str, tmp_path: Path) -> None:
    game = library.load(write_rules(tmp_path, ORDER.format(player="player(1)"))).game(2, {}, backend)
    assert "tenfold" not in {p.name for p in game.program.procedures}
    state, _ = game.start(1)
    values = {field.name: state.cells[field.base] for field in game.program.fields}
    assert (values["x"], values["y"], values["z"]) == (3, 12, 23)
