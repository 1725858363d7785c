"""Compares arms game by game: what differs more than by chance."""

from __future__ import annotations

from wongar_dsl.lab import inference
from wongar_dsl.lab.columns import Columns, Key, Measure
from wongar_dsl.lab.inference import Effect
from wongar_dsl.lab.report import Compared, Comparison
from wongar_dsl.lab.simulation import Laboratory, Result
from wongar_dsl.lab.tally import Tally

#: What counts first.
STARTER: Measure = "starter wins"
MAIN: tuple[Measure, ...] = ("wins", STARTER)
#: All that is compared; the other columns say the same in other words.
COMPARED: tuple[Measure, ...] = (
    *MAIN, "drawn", "shared", "points", "starter points", "origin", "length", "gap", "changes", "decided", "offered",
    "taken",
)  # fmt: skip


def compared(laboratory: Laboratory, result: Result) -> tuple[Comparison, ...]:
    """Each arm but the usual one, compared with that."""
    usual = laboratory.plan.usual
    others = [at for at in range(len(laboratory.plan.arms)) if at != usual]
    found = [
        _effects(laboratory, result, number) if result.pairs[number].games > 1 else {} for number in range(len(others))
    ]
    effects = _corrected(found)
    columns = laboratory.columns
    return tuple(
        Comparison(
            usual,
            other,
            result.pairs[number].games,
            tuple(
                Compared(key, *_means(laboratory, result, (usual, other), key), effect, key.measure in MAIN)
                for key, effect in effects[number].items()
            ),
            _only(columns[usual], columns[other]),
            _only(columns[other], columns[usual]),
        )
        for number, other in enumerate(others)
    )


def _effects(laboratory: Laboratory, result: Result, number: int) -> dict[Key, Effect]:
    """What differs between two arms, or might."""
    columns, pairs = laboratory.columns[laboratory.plan.usual], result.pairs[number]
    # Where all make the first decision at once, nobody begins.
    begun = any(map(_begun, laboratory.columns, result.tallies))
    main = [measure for measure in MAIN if begun or measure != STARTER]
    found = {}
    for (at, _), sum_, squares in zip(laboratory.common[number], pairs.sums, pairs.squares, strict=True):
        key = columns.keys[at]
        if key.measure in main or (key.measure in COMPARED and squares):
            found[key] = inference.paired(sum_, squares, pairs.games, _whole(columns, key))
    return found


def _begun(columns: Columns, tally: Tally) -> bool:
    """Whether anybody took the first decision of a game alone."""
    at = columns.sections["starts"]
    return any(tally.sums[at : at + columns.seats])


def _corrected(found: list[dict[Key, Effect]]) -> list[dict[Key, Effect]]:
    """The same, the main ones corrected for their number and the others for theirs."""
    corrected: list[dict[Key, Effect]] = [dict(effects) for effects in found]
    for main in (True, False):
        places = [(at, key) for at, effects in enumerate(found) for key in effects if (key.measure in MAIN) == main]
        for (at, key), effect in zip(places, inference.holm([found[at][key] for at, key in places]), strict=True):
            corrected[at][key] = effect
    return corrected


def _whole(columns: Columns, key: Key) -> int:
    """In parts of what the numbers of a column are."""
    return columns.whole if key.measure in MAIN else 1000 if key.measure == "decided" else 1


def _means(laboratory: Laboratory, result: Result, arms: tuple[int, int], key: Key) -> tuple[float, float]:
    """The mean of a column in two arms."""
    first, second = (_mean(laboratory.columns[arm], result, arm, key) for arm in arms)
    return first, second


def _mean(columns: Columns, result: Result, arm: int, key: Key) -> float:
    tally = result.tallies[arm]
    if not tally.ended:
        return 0.0
    return tally.sums[columns.places[key]] / (tally.ended * _whole(columns, key))


def _only(one: Columns, other: Columns) -> tuple[Key, ...]:
    """What is compared, and only one set of rules has."""
    return tuple(key for key in one.keys if key.measure in COMPARED and key not in other.places)
