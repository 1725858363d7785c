"""The same question several times in a row: that it can be answered at once, and what such an answer means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from wongar_dsl.engine import Move
from wongar_dsl.table.menu import Menu
from wongar_dsl.table.series import asked_in_a_row, example, in_a_row, parts_of, read_series, series
from wongar_dsl.words import quoted

from .display import Display

#: Where the same is asked so often in a row, it can be answered at once.
SERIES = 2


def offer(display: Display, menu: Menu) -> str:
    """How often the same is asked in a row, and how it can be answered at once; empty where it is asked once."""
    if not display.screen.interactive or menu.part is not None or len(menu.entries) < 2:
        return ""
    times, words = asked_in_a_row(display.table.match.state), display.table.words
    if times < SERIES:
        return ""
    numbers = {entry.move: entry.number for entry in menu.entries}
    answers = example(display.table.match.state, list(numbers), times)
    if sum(answers.values()) < times:
        # What can be chosen later is not asked for yet.
        return ""
    told = [f"{numbers[move]}x{n}" if n > 1 else str(numbers[move]) for move, n in answers.items()]
    return words.say("cli.series.how", None, n=times, example=quoted(words.chain(told)))


def read(answer: str, menu: Menu) -> list[tuple[int, int]] | None:
    """The numbers of options that an answer lists, and how often each is meant; None where it is no list of options."""
    counts = read_series(answer)
    if counts is not None:
        # Numbers without commas can also be words of one option.
        return counts if "," in answer or not menu.said(answer) else None
    parts = parts_of(answer)
    if len(parts) < 2 or menu.said(answer):
        return None
    meant = [(menu.meant(text), times) for text, times in parts]
    found = [(entry.number, times) for entry, times in meant if entry is not None]
    return found if len(found) == len(parts) else None


def moves(display: Display, wanted: Sequence[tuple[int, int]], menu: Menu) -> Sequence[Move] | None:
    """The moves that numbers of a menu mean, each so many times, in an order in which they can be made; None if there
    is none, and then it is said why."""
    counted: Counter[Move] = Counter()
    for number, times in wanted:
        entry = menu.exact(str(number))
        if entry is None:
            display.no_such_number(menu)
            return None
        counted[entry.move] += times
    state, given = display.table.match.state, sum(counted.values())
    order = series(state, counted)
    if order is None:
        at_most = in_a_row(state)
        if given > at_most:
            display.say("screen.series.too_many", "wrong", given=given, n=at_most)
        else:
            display.say("cli.series.impossible", "wrong")
    return order
