"""Form for a question asked several times in a row: a count for each option."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from wongar_dsl.engine import Move, State
from wongar_dsl.session.options.menu import Menu
from wongar_dsl.session.options.repeat_answers import MAX_ANSWERS, MIN_REPEATS, repeat_limits

from ..security.forms import FormError

#: Prefix of the field names, followed by the notation of the option.
FIELD = "count "
#: Maximum number of fields.
MAX_FIELDS = 40


@dataclass(frozen=True)
class CountField:
    """A field of the form: its name, the text of the option, and its maximum count."""

    field: str
    text: str
    most: int


@dataclass(frozen=True)
class CountForm:
    """A form with a count for each option; `times` is the number of repetitions."""

    times: int
    counts: tuple[CountField, ...]


def counts(state: State, menu: Menu) -> CountForm | None:
    """Return the form for a menu; None if the question is not predictably repeated."""
    decision = state.decision
    if decision is None or decision.simultaneous or state.clock is not None:
        return None
    if menu.part is not None or not 2 <= len(menu.entries) <= MAX_FIELDS:
        return None
    times, most = repeat_limits(state)
    if times < MIN_REPEATS:
        return None
    fields = (CountField(f"{FIELD}{e.notation}", e.text, most.get(e.move, times)) for e in menu.entries)
    return CountForm(times, tuple(fields))


def repeat_error(state: State, wanted: Mapping[Move, int]) -> tuple[Move | None, int] | None:
    """Return why counts are too large: a move and its maximum, or None and the maximum total.

    Returns None if the counts only do not fit together.
    """
    times, most = repeat_limits(state)
    for move, number in wanted.items():
        if number > most.get(move, times):
            return move, most.get(move, times)
    return (None, times) if sum(wanted.values()) > times else None


def read_counts(form: Mapping[str, str]) -> dict[str, int]:
    """Parse the submitted counts; an empty field means 0.

    Raises `FormError` if a count is no number.
    """
    numbers = {}
    for name, text in form.items():
        if name.startswith(FIELD) and text.strip():
            if not (text.isascii() and text.strip().isdigit()) or len(text) > 6:
                raise FormError(400)
            numbers[name.removeprefix(FIELD)[:1000]] = min(int(text), MAX_ANSWERS + 1)
    return {option: number for option, number in numbers.items() if number}
