"""Answers to several equal decisions in a row at once, as a number of each option, as with identical pieces."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

from wongar_dsl.compiler import ir
from wongar_dsl.engine import Game, Move, State
from wongar_dsl.engine.hidden_information.lookahead import lookahead

#: Maximum number of answers at once.
MAX_ANSWERS = 40
#: Number of equal decisions from which the maximum counts of their options are computed.
MIN_REPEATS = 3
#: Maximum number of moves examined to find out how often each can be chosen.
MAX_EXAMINED_MOVES = 240
_PART = re.compile(r"(\d{1,3})(?:\s*[x×*]\s*(\d{1,2}))?")
#: Separators between parts: a sign, or white space.
_SIGN, _WHITESPACE = re.compile(r"\s*[,;+]\s*"), re.compile(r"\s+")
#: Maximum number of first answers whose follow-up decisions are counted.
MAX_FIRST_ANSWERS = 12


def read_series(text: str) -> list[tuple[int, int]] | None:
    """Return option numbers and how often each is chosen, as in `3x2, 4`, `3, 3, 4` or `3 3 4`.

    None for any other text, including a single number.
    """
    # White space around the multiplication sign belongs to it.
    text = re.sub(r"(?<=\d)\s*([x×*])\s*(?=\d)", r"\1", text.strip())
    parts = [part for sign in _SIGN.split(text) for part in _WHITESPACE.split(sign) if part]
    matches = [_PART.fullmatch(part) for part in parts]
    if not all(matches) or (len(matches) < 2 and not any(match and match[2] for match in matches)):
        return None
    return [(int(match[1]), int(match[2] or 1)) for match in matches if match is not None]


def parts_of(text: str) -> list[tuple[str, int]]:
    """Return the comma-separated parts of a text and how often each is meant, as in `hands, 11x2`."""
    parts = []
    for part in filter(None, _SIGN.split(text.strip())):
        times = re.fullmatch(r"(.+?)\s*[x×*]\s*(\d{1,2})", part)
        parts.append((times[1], int(times[2])) if times else (part, 1))
    return parts


def min_real_repeats(state: State) -> int:
    """Return how often a player makes the same decision in a row with a real choice, for any first answer.

    A final decision with one option left is not counted.
    """
    first = state.legal_moves()
    if len(first) < 2:
        return 0
    least = MAX_ANSWERS
    for move in first[:MAX_FIRST_ANSWERS]:
        least = _repetitions(_next(state, move), least) if least else 0
    return 1 + least


def _repetitions(at: State | None, most: int) -> int:
    count = 0
    while at is not None and count < most:
        moves = at.legal_moves()
        if len(moves) < 2:
            break
        count, at = count + 1, _next(at, moves[0])
    return count


def repeat_count(state: State) -> int:
    """Return how often a player makes the same decision in a row, as far as the player can foresee it.

    1 if only the current decision is certain.
    """
    count, position = 1, state
    while count < MAX_ANSWERS:
        moves = position.legal_moves()
        after = _next(position, moves[0]) if moves else None
        if after is None:
            return count
        count, position = count + 1, after
    return count


def repeat_limits(state: State) -> tuple[int, Mapping[Move, int]]:
    """Return `repeat_count` and `max_repeats` of a position, the latter empty below `MIN_REPEATS`."""
    return _cached_limits(state.game, tuple(state.cells))


@lru_cache(maxsize=32)  # A page is often drawn several times.
def _cached_limits(game: Game, cells: tuple[int, ...]) -> tuple[int, Mapping[Move, int]]:
    state = State(game, list(cells))
    times = repeat_count(state)
    return times, max_repeats(state, times) if times >= MIN_REPEATS else {}


def max_repeats(state: State, times: int) -> dict[Move, int]:
    """Return how often each move can be chosen among `times` equal decisions in a row.

    It follows what the deciding player can foresee; empty if there are too many combinations to examine.
    """
    successors: dict[tuple[int, ...], list[tuple[Move, tuple[int, ...] | None]]] = {}
    pending, examined_moves = [state], 0
    while pending:
        position = pending.pop()
        moves, branches = position.legal_moves(), list[tuple[Move, tuple[int, ...] | None]]()
        successors[tuple(position.cells)] = branches
        examined_moves += len(moves)
        if examined_moves > MAX_EXAMINED_MOVES:
            return {}
        for move in moves:
            after = _next(position, move)
            branches.append((move, None if after is None else tuple(after.cells)))
            if after is not None and branches[-1][1] not in successors:
                pending.append(after)
                successors[tuple(after.cells)] = []
    memo: dict[tuple[tuple[int, ...], int], dict[Move, int]] = {}

    def most(cells: tuple[int, ...], rest: int) -> dict[Move, int]:
        if (cells, rest) not in memo:
            best: dict[Move, int] = {}
            for move, after in successors[cells]:
                then = most(after, rest - 1) if after is not None and rest > 1 else {}
                for option in {*then, move}:
                    best[option] = max(best.get(option, 0), then.get(option, 0) + (option == move))
            memo[cells, rest] = best
        return memo[cells, rest]

    best = most(tuple(state.cells), times)
    return {move: best[move] for move in state.legal_moves()}


def move_sequence(state: State, wanted: Mapping[Move, int]) -> list[Move] | None:
    """Return an order in which these moves can be made, each the given number of times.

    All must answer the same decision. None if there is no such order, or if it cannot be foreseen.
    """
    remaining = {move: number for move, number in wanted.items() if number > 0}
    if not 0 < sum(remaining.values()) <= MAX_ANSWERS:
        return None
    return _ordered(state, remaining, set())


def example(state: State, moves: Sequence[Move], times: int) -> dict[Move, int]:
    """Return an example of `times` answers that go together, by move.

    It takes the first of the moves as often as possible, but not exclusively if another one is legal. It has fewer
    answers if none of the moves is legal any more.
    """
    answers, position = list[Move](), state
    while len(answers) < times:
        legal = set(position.legal_moves())
        available = [move for move in moves if move in legal]
        if not available:
            break
        varied = len(answers) == times - 1 and set(answers) == {available[0]} and len(available) > 1
        answers.append(available[1] if varied else available[0])
        after = _next(position, answers[-1])
        if after is None:
            break
        position = after
    return dict(Counter(answers))


def _ordered(state: State, left: dict[Move, int], hopeless: set[tuple[object, ...]]) -> list[Move] | None:
    """Return an order of the remaining moves; `hopeless` collects positions without one."""
    key = (tuple(state.cells), tuple(left.items()))
    if key in hopeless:
        return None
    legal = state.legal_moves()
    for move in [move for move, number in left.items() if number and move in legal]:
        rest = {**left, move: left[move] - 1}
        if not any(rest.values()):
            return [move]
        after = _next(state, move)
        rest_order = _ordered(after, rest, hopeless) if after is not None else None
        if rest_order is not None:
            return [move, *rest_order]
    hopeless.add(key)
    return None


def _next(state: State, move: Move) -> State | None:
    """Return the state after a move if the same seat makes the same decision there, else None."""
    after = lookahead(state, move, state.seat).state
    if after is None or after.seat != state.seat:
        return None
    return after if after.cells[ir.AT_DECISION] == state.cells[ir.AT_DECISION] else None
