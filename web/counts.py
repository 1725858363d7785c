"""So many of each: a question that is asked several times in a row, answered with a number for each option."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from wongar_dsl.engine import State
from wongar_dsl.table.menu import Menu
from wongar_dsl.table.series import MOST, in_a_row

from .forms import FormError

#: What the name of a field begins with that says how often an option is chosen; the option follows as it is written.
FIELD = "count "
#: As often must the same be asked in a row for it to be worth it, and so many options have a field of their own.
WORTH, MOST_FIELDS = 3, 40


@dataclass(frozen=True)
class Count:
    """A field of the form: the name under which it is sent, and the option in words."""

    field: str
    text: str


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
    times = in_a_row(state)
    if times < WORTH:
        return None
    return Counts(times, tuple(Count(f"{FIELD}{entry.notation}", entry.text) for entry in menu.entries))


def read_counts(form: Mapping[str, str]) -> dict[str, int]:
    """How often each option is chosen, as it was sent; an empty field is none.  Raises `FormError` for no numbers."""
    found = {}
    for name, text in form.items():
        if name.startswith(FIELD) and text.strip():
            if not (text.isascii() and text.strip().isdigit()) or len(text) > 6:
                raise FormError(400)
            found[name.removeprefix(FIELD)[:1000]] = min(int(text), MOST + 1)
    return {option: number for option, number in found.items() if number}
