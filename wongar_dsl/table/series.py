"""The same question several times in a row, answered at once: so many of each, as with like pieces."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from wongar_dsl import ir
from wongar_dsl.engine import Move, State
from wongar_dsl.engine.foresight import foresee

#: So many answers are given at once at most.
MOST = 40
#: So many answers are looked at to find out how often each can be given; where there are more, nobody waits for that.
LOOKED_AT = 240
_PART = re.compile(r"(\d{1,3})(?:\s*[x×*]\s*(\d{1,2}))?")
#: What stands between the parts: a sign, or nothing but room.
_SIGN, _ROOM = re.compile(r"\s*[,;+]\s*"), re.compile(r"\s+")
#: After so many first answers it is looked how often the same is asked then.
MOST_FIRST = 12


def read_series(text: str) -> list[tuple[int, int]] | None:
    """Numbers of options, and how often each is chosen, as they are written: `3x2, 4` or `3, 3, 4` or `3 3 4`.

    None for any other text, a single number too.
    """
    # Room around the sign of how often belongs to that.
    text = re.sub(r"(?<=\d)\s*([x×*])\s*(?=\d)", r"\1", text.strip())
    parts = [part for sign in _SIGN.split(text) for part in _ROOM.split(sign) if part]
    found = [_PART.fullmatch(part) for part in parts]
    if not all(found) or (len(found) < 2 and not any(match and match[2] for match in found)):
        return None
    return [(int(match[1]), int(match[2] or 1)) for match in found if match is not None]


def parts_of(text: str) -> list[tuple[str, int]]:
    """What stands between the commas of a text, and how often each is meant: `hands, 11x2`."""
    found = []
    for part in filter(None, _SIGN.split(text.strip())):
        times = re.fullmatch(r"(.+?)\s*[x×*]\s*(\d{1,2})", part)
        found.append((times[1], int(times[2])) if times else (part, 1))
    return found


def asked_in_a_row(state: State) -> int:
    """How often whoever decides is asked the same in a row and has a choice, whatever they choose first: what is left
    over at the end is nothing to be asked for."""
    first = state.legal_moves()
    if len(first) < 2:
        return 0
    return 1 + min((_asked(_next(state, move)) for move in first[:MOST_FIRST]), default=0)


def _asked(at: State | None) -> int:
    count = 0
    while at is not None and count < MOST:
        moves = at.legal_moves()
        if len(moves) < 2:
            break
        count, at = count + 1, _next(at, moves[0])
    return count


def in_a_row(state: State) -> int:
    """How often whoever decides is asked the same in a row, as far as they can foresee it, whatever they choose first.

    1 where only this one answer is wanted.
    """
    count, at = 1, state
    while count < MOST:
        moves = at.legal_moves()
        after = _next(at, moves[0]) if moves else None
        if after is None:
            return count
        count, at = count + 1, after
    return count


def most_of_each(state: State, times: int) -> dict[Move, int]:
    """How often each move can be made in the same question asked so many times in a row, among whatever others, as far
    as whoever decides can foresee it; nothing where there are too many ways to look at all of them."""
    ways: dict[tuple[int, ...], list[tuple[Move, tuple[int, ...] | None]]] = {}
    left, looked = [state], 0
    while left:
        at = left.pop()
        moves, here = at.legal_moves(), list[tuple[Move, tuple[int, ...] | None]]()
        ways[tuple(at.cells)] = here
        looked += len(moves)
        if looked > LOOKED_AT:
            return {}
        for move in moves:
            after = _next(at, move)
            here.append((move, None if after is None else tuple(after.cells)))
            if after is not None and here[-1][1] not in ways:
                left.append(after)
                ways[tuple(after.cells)] = []
    found: dict[tuple[tuple[int, ...], int], dict[Move, int]] = {}

    def most(cells: tuple[int, ...], rest: int) -> dict[Move, int]:
        if (cells, rest) not in found:
            best: dict[Move, int] = {}
            for move, after in ways[cells]:
                then = most(after, rest - 1) if after is not None and rest > 1 else {}
                for one in {*then, move}:
                    best[one] = max(best.get(one, 0), then.get(one, 0) + (one == move))
            found[cells, rest] = best
        return found[cells, rest]

    best = most(tuple(state.cells), times)
    return {move: best[move] for move in state.legal_moves()}


def series(state: State, wanted: Mapping[Move, int]) -> list[Move] | None:
    """The order in which somebody can make moves that all answer the same question, each so often; None where there is
    none, or where that cannot be foreseen."""
    left = {move: number for move, number in wanted.items() if number > 0}
    if not 0 < sum(left.values()) <= MOST:
        return None
    return _ordered(state, left, set())


def example(state: State, moves: Sequence[Move], times: int) -> dict[Move, int]:
    """Answers that go together, each so often: as an example the first of some moves as often as that can be, but not
    only that one where there is another.  Fewer where the others are none of these moves."""
    found, at = list[Move](), state
    while len(found) < times:
        legal = set(at.legal_moves())
        left = [move for move in moves if move in legal]
        if not left:
            break
        varied = len(found) == times - 1 and set(found) == {left[0]} and len(left) > 1
        found.append(left[1] if varied else left[0])
        after = _next(at, found[-1])
        if after is None:
            break
        at = after
    return dict(Counter(found))


def _ordered(state: State, left: dict[Move, int], hopeless: set[tuple[object, ...]]) -> list[Move] | None:
    """The order of what is left; `hopeless` are positions from which there was none."""
    key = (tuple(state.cells), tuple(left.items()))
    if key in hopeless:
        return None
    legal = state.legal_moves()
    for move in [move for move, number in left.items() if number and move in legal]:
        rest = {**left, move: left[move] - 1}
        if not any(rest.values()):
            return [move]
        after = _next(state, move)
        found = _ordered(after, rest, hopeless) if after is not None else None
        if found is not None:
            return [move, *found]
    hopeless.add(key)
    return None


def _next(state: State, move: Move) -> State | None:
    """The state in which the same question is put to the same seat again, after a move that leads there."""
    after = foresee(state, move, state.seat).state
    if after is None or after.seat != state.seat:
        return None
    return after if after.cells[ir.AT_DECISION] == state.cells[ir.AT_DECISION] else None
