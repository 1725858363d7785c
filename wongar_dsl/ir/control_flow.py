"""How the parts of a program follow on each other: what stands inside of what, and what hangs on which branch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wongar_dsl.ir import code


def breaks(body: code.Body) -> bool:
    """Whether statements leave the loop around them."""
    return any(isinstance(s, code.Break) or (isinstance(s, code.If) and breaks((*s.then, *s.otherwise))) for s in body)


def statements(body: code.Body) -> Iterator[code.Stmt]:
    """All statements, with those inside of others."""
    for statement in body:
        yield statement
        match statement:
            case code.If(then=then, otherwise=otherwise):
                yield from statements(then)
                yield from statements(otherwise)
            case code.ForRange(body=inner) | code.ForList(body=inner) | code.Loop(body=inner):
                yield from statements(inner)
            case code.Emit(prepare=prepare):
                yield from statements(prepare)


def depending(following: Sequence[Sequence[int]]) -> list[frozenset[int]]:
    """For each block with several ways on, the blocks that are come to on some of them only.

    These are the blocks that can be reached from it before the ways meet: before its nearest postdominator.
    """
    count = len(following)
    every = (1 << count) - 1
    after = [every if following[i] else 1 << i for i in range(count)]
    changed = True
    while changed:
        changed = False
        for i in reversed(range(count)):
            if following[i]:
                meet = every
                for n in following[i]:
                    meet &= after[n]
                if meet | 1 << i != after[i]:
                    after[i] = meet | 1 << i
                    changed = True
    return [_until(following, i, after[i] & ~(1 << i)) if len(following[i]) > 1 else frozenset() for i in range(count)]


def _until(following: Sequence[Sequence[int]], start: int, stop: int) -> frozenset[int]:
    """The blocks reached from one before any of a set, given as bits."""
    found: set[int] = set()
    waiting = list(following[start])
    while waiting:
        number = waiting.pop()
        if number not in found and not stop >> number & 1:
            found.add(number)
            waiting.extend(following[number])
    return frozenset(found)
