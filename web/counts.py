"""So many of each: a question that is asked several times in a row, answered with a number for each option."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass

from wongar_dsl.engine import Game, Move, State
from wongar_dsl.table.menu import Menu
from wongar_dsl.table.series import MOST, in_a_row, most_of_each

from .forms import FormError

#: What the name of a field begins with that says how often an option is chosen; the option follows as it is written.
FIELD = "count "
#: As often must the same be asked in a row for it to be worth it, and so many options have a field of their own.
WORTH, MOST_FIELDS = 3, 40
#: For so many positions is at hand how often each option can be chosen there: a page is often drawn several times.
AT_HAND = 32


@dataclass(frozen=True)
class Count:
    """A field of the form: the name under which it is sent, the option in words, and how often it can be chosen."""

    field: str
    text: str
    most: int


@dataclass(frozen=True)
class Counts:
    """A form with a number for each option; `times` is how often the same is asked."""

    times: int
    counts: tuple[Count, ...]


def counts(state: State, menu: Menu) -> Counts | None:
    """The form for a menu; None where the same is not asked several times, as far as whoever decides can foresee it."""
    decision = state.decision
    if decision is None or decision.simultaneous or state.clock is not None:
        return None
    if menu.part is not None or not 2 <= len(menu.entries) <= MOST_FIELDS:
        return None
    times, most = _row(state)
    if times < WORTH:
        return None
    fields = (Count(f"{FIELD}{e.notation}", e.text, most.get(e.move, times)) for e in menu.entries)
    return Counts(times, tuple(fields))


_rows: OrderedDict[tuple[Game, tuple[int, ...]], tuple[int, Mapping[Move, int]]] = OrderedDict()


def _row(state: State) -> tuple[int, Mapping[Move, int]]:
    """How often the same is asked in a row, and how often each move can be made then, as far as that is foreseen."""
    key = (state.game, tuple(state.cells))
    found = _rows.get(key)
    if found is None:
        times = in_a_row(state)
        found = times, most_of_each(state, times) if times >= WORTH else {}
        _rows[key] = found
        while len(_rows) > AT_HAND:
            _rows.popitem(last=False)
    return found


def too_often(state: State, wanted: Mapping[Move, int]) -> tuple[Move | None, int] | None:
    """Why there cannot be so many of each: a move and how often it can be made at most, or with no move how many there
    can be of all together; None where they only do not go together."""
    times, most = _row(state)
    for move, number in wanted.items():
        if number > most.get(move, times):
            return move, most.get(move, times)
    return (None, times) if sum(wanted.values()) > times else None


def read_counts(form: Mapping[str, str]) -> dict[str, int]:
    """How often each option is chosen, as it was sent; an empty field is none.  Raises `FormError` for no numbers."""
    found = {}
    for name, text in form.items():
        if name.startswith(FIELD) and text.strip():
            if not (text.isascii() and text.strip().isdigit()) or len(text) > 6:
                raise FormError(400)
            found[name.removeprefix(FIELD)[:1000]] = min(int(text), MOST + 1)
    return {option: number for option, number in found.items() if number}
