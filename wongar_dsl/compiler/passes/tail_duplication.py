"""Tail duplication, to lengthen the code between decisions.

A rule with one return point jumps there directly, and short blocks with several predecessors are copied to each of
them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from wongar_dsl.compiler.ir import instructions as ir
from wongar_dsl.compiler.ir.cfg import entry_points_without_choices, join_points, leaders, statements, successors
from wongar_dsl.compiler.ir.program import Program

#: Maximum number of statements of a duplicated tail, and growth limit for the number of blocks.
MAX_TAIL_STATEMENTS, MAX_COPIES = 40, 4


def duplicate_tails(program: Program, frames: int) -> Program:
    """Return the program with fewer join points.

    Cells from `frames` on must be accessed by constant addresses only.
    """
    return _in_place(_spread(_returning(program, frames)))


def _returning(program: Program, frames: int) -> Program:
    """Replace a return by a jump if it has only one target."""
    back = {b.end.address for b in program.blocks if isinstance(b.end, ir.Resume) and b.end.address >= frames}
    places: dict[int, set[ir.Expr]] = {address: set() for address in back}
    for block in program.blocks:
        for statement in statements(block.body):
            match statement:
                case ir.Store(address=ir.Const(value=address), value=value) if address in back:
                    places[address] |= {value} - {ir.Const(0)}
    blocks = []
    resumed: set[int] = set()
    for block in program.blocks:
        match block.end:
            case ir.Resume(address=address):
                match [*places.get(address, ())]:
                    case [ir.Const(value=place)]:
                        clear_return = ir.Store(ir.Const(address), ir.Const(0))
                        block = replace(block, body=(*block.body, clear_return), end=ir.Jump(place))
                    case [*several] if several and all(isinstance(place, ir.Const) for place in several):
                        resumed |= {place.value for place in several if isinstance(place, ir.Const)}
                    case _:
                        resumed |= program.return_blocks
        blocks.append(block)
    return replace(program, blocks=tuple(blocks), return_blocks=frozenset(resumed))


def _spread(program: Program) -> Program:
    """Copy short join blocks to the end of each predecessor."""
    blocks = list(program.blocks)
    shared = leaders(program)

    def size(number: int) -> int:
        """Return the number of statements of a block and of its exclusive successors."""
        block = blocks[number]
        statement_count = weight(block.body) + sum(size(n) for n in successors(block.end) if n not in shared)
        if isinstance(block.end, ir.Decide):
            statement_count += weight(program.procedures[program.decisions[block.end.decision].lister].body)
        return statement_count

    def copied(number: int) -> int:
        """Copy a block with its exclusive successors and return the number of the copy."""
        block = blocks[number]
        blocks.append(_redirected(block, {n: copied(n) for n in successors(block.end) if n not in shared}))
        return len(blocks) - 1

    number = 0
    while number < len(blocks) < MAX_COPIES * len(program.blocks):
        little = [n for n in successors(blocks[number].end) if n in shared and size(n) <= MAX_TAIL_STATEMENTS]
        blocks[number] = _redirected(blocks[number], {n: copied(n) for n in little})
        number += 1
    return replace(program, blocks=tuple(blocks))


def _in_place(program: Program) -> Program:
    """Copy the exclusive successors of each decision behind it; the originals remain for runs that begin there."""
    blocks, decisions = list(program.blocks), list(program.decisions)
    entered = entry_points_without_choices(program)
    shared = join_points(program, entered)

    def copied(number: int) -> int:
        """Copy a block with its exclusive successors and return the number of the copy."""
        if number in shared:
            return number
        block = blocks[number]
        blocks.append(_redirected(block, {n: copied(n) for n in successors(block.end)}))
        copy = len(blocks) - 1
        place(copy)
        return copy

    def place(number: int) -> None:
        match (block := blocks[number]).end:
            case ir.Decide(decision=decision) as end:
                options = tuple(replace(o, block=copied(o.block)) for o in decisions[decision].options)
                decisions.append(replace(decisions[decision], options=options))
                blocks[number] = replace(block, end=replace(end, decision=len(decisions) - 1))

    def go_through(number: int) -> None:
        for after in successors(blocks[number].end):
            if after not in shared:
                go_through(after)
        place(number)

    for number in sorted(shared):
        go_through(number)
    return replace(program, blocks=tuple(blocks), decisions=tuple(decisions))


def weight(body: ir.Body) -> int:
    """Return the number of statements; a call counts as too many to duplicate."""
    return sum(MAX_TAIL_STATEMENTS if isinstance(s, ir.Call) else 1 for s in statements(body))


def _redirected(block: ir.Block, ways: Mapping[int, int]) -> ir.Block:
    """Return a block with its successors replaced."""
    match block.end:
        case ir.Jump(block=number):
            return replace(block, end=ir.Jump(ways.get(number, number)))
        case ir.Branch(condition=condition, then=then, otherwise=otherwise):
            return replace(block, end=ir.Branch(condition, ways.get(then, then), ways.get(otherwise, otherwise)))
        case ir.Decide(otherwise=otherwise):
            return replace(block, end=replace(block.end, otherwise=ways.get(otherwise, otherwise)))
    return block
