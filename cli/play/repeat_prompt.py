"""Answers to the same question asked several times in a row, given at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from wongar_dsl.engine import Move
from wongar_dsl.nlg.words import quoted
from wongar_dsl.session.decisions import example, min_real_repeats, move_sequence, parts_of, read_series, repeat_count
from wongar_dsl.session.menu import Menu

from .display import Display

#: Minimum number of repetitions for which the combined answer is offered.
SERIES = 2


def offer(display: Display, menu: Menu) -> str:
    """Return the hint about repetitions and a combined answer; empty if the question is asked once."""
    if not display.screen.interactive or menu.part is not None or len(menu.entries) < 2:
        return ""
    times, words = min_real_repeats(display.session.match.state), display.session.words
    if times < SERIES:
        return ""
    numbers = {entry.move: entry.number for entry in menu.entries}
    answers = example(display.session.match.state, list(numbers), times)
    if sum(answers.values()) < times:
        # The later choices are not known yet.
        return ""
    answer_parts = [f"{numbers[move]}x{n}" if n > 1 else str(numbers[move]) for move, n in answers.items()]
    return words.say("cli.series.how", None, n=times, example=quoted(words.chain(answer_parts)))


def read(answer: str, menu: Menu) -> list[tuple[int, int]] | None:
    """Return the option numbers listed in an answer with their counts; None if it is no list of options."""
    counts = read_series(answer)
    if counts is not None:
        # Numbers without commas can also be the text of one option.
        return counts if "," in answer or not menu.match_words(answer) else None
    parts = parts_of(answer)
    if len(parts) < 2 or menu.match_words(answer):
        return None
    matches = [(menu.match_one(text), times) for text, times in parts]
    counted_options = [(entry.number, times) for entry, times in matches if entry is not None]
    return counted_options if len(counted_options) == len(parts) else None


def moves(display: Display, wanted: Sequence[tuple[int, int]], menu: Menu) -> Sequence[Move] | None:
    """Return the moves for option numbers and counts in an order that is legal.

    Returns None, and prints the reason, if there is no such order.
    """
    counted: Counter[Move] = Counter()
    for number, times in wanted:
        entry = menu.exact(str(number))
        if entry is None:
            display.report_wrong_number(menu)
            return None
        counted[entry.move] += times
    state, total = display.session.match.state, sum(counted.values())
    order = move_sequence(state, counted)
    if order is None:
        at_most = repeat_count(state)
        if total > at_most:
            display.say("screen.series.too_many", "wrong", given=total, n=at_most)
        else:
            display.say("cli.series.impossible", "wrong")
    return order
