"""A menu as lines: in columns, grouped by common text, with forecasts; and several answers given at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from wongar_dsl.base.terminal_text import pad
from wongar_dsl.base.terminal_text import width as cells_of
from wongar_dsl.engine import Move
from wongar_dsl.nlg.words import Listing, Text, Translator, quoted
from wongar_dsl.render.text.lines import Line, Piece, clip
from wongar_dsl.session.decisions import example, min_real_repeats, move_sequence, parts_of, read_series, repeat_count
from wongar_dsl.session.menu import Menu, OptionGroup, group_options

if TYPE_CHECKING:
    from .display import Display

#: Maximum number of ranges of numbers listed; if there are more, the last one replaces the rest.
MAX_ROWS = 12


def number_ranges(menu: Menu, words: Translator) -> Listing:
    """Return the numbers of a menu as ranges."""
    rows = [Text(words.say("cli.from_to_short", low=a, high=b) if a < b else str(a)) for a, b in menu.ranges()]
    if len(rows) > MAX_ROWS:
        rows = [*rows[: MAX_ROWS - 1], rows[-1]]
    return Listing(tuple(rows))


def spoken_menu(menu: Menu, words: Translator) -> list[str]:
    """Return the menu for a screen reader: one option per line, uncut, with its forecast."""
    shown: list[str] = []
    for group in group_options(menu.entries, words):
        shown += [group.heading] if group.heading else []
        for entry, option_text in zip(group.entries, group.texts, strict=True):
            shown.append(f"{entry.number} {_with_forecast(option_text, entry.forecast_line, words)}")
    return shown


def _with_forecast(text: str, forecast_line: str, words: Translator) -> str:
    """Join an option and its forecast, without a second colon if the option has one."""
    if not forecast_line:
        return text
    if words.label("").strip() in text:
        return words.apart((text, forecast_line))
    return words.label(text) + forecast_line


def menu_lines(menu: Menu, words: Translator, width: int) -> list[Line]:
    """Return the menu in columns; each group begins a new line."""
    digits = max((len(str(e.number)) for e in menu.entries), default=1)
    shown: list[Line] = []
    for group in group_options(menu.entries, words):
        if group.heading:
            shown.append([("strong", group.heading)])
        if any(entry.forecast_line for entry in group.entries):
            shown += _forecast_lines(group, digits, width)
            continue
        cell = min(width - 1, max(map(cells_of, group.texts)) + digits + 4)
        columns = max(1, (width - 1) // cell)
        rows = -(-len(group.entries) // columns)
        for row in range(rows):
            line: list[Piece] = []
            for entry, option_text in list(zip(group.entries, group.texts, strict=True))[row::rows]:
                text = clip(option_text, cell - digits - 3)
                line += [("number", f"{entry.number:>{digits}} "), ("", pad(text, cell - digits - 1))]
            shown.append(line)
    return shown


def _forecast_lines(group: OptionGroup, digits: int, width: int) -> list[Line]:
    """Return the options of a group in one column, with forecasts beside them, or below if there is no room."""
    shown: list[Line] = []
    texts = max(map(cells_of, group.texts))
    fits_beside = digits + 4 + texts + max(cells_of(entry.forecast_line) for entry in group.entries) < width
    for entry, option_text in zip(group.entries, group.texts, strict=True):
        number: Piece = ("number", f"{entry.number:>{digits}} ")
        if fits_beside:
            shown.append([number, ("", pad(option_text, texts + 2)), ("forecast", entry.forecast_line)])
            continue
        shown.append([number, ("", clip(option_text, width - digits - 2))])
        if entry.forecast_line:
            shown.append([("", " " * (digits + 3)), ("forecast", clip(entry.forecast_line, width - digits - 4))])
    return shown


#: Minimum number of repetitions for which the combined answer is offered.
MIN_REPEATS = 2


def offer_repeats(display: Display, menu: Menu) -> str:
    """Return the hint about repetitions and a combined answer; empty if the question is asked once."""
    if not display.screen.interactive or menu.part is not None or len(menu.entries) < 2:
        return ""
    times, words = min_real_repeats(display.session.match.state), display.session.words
    if times < MIN_REPEATS:
        return ""
    numbers = {entry.move: entry.number for entry in menu.entries}
    answers = example(display.session.match.state, list(numbers), times)
    if sum(answers.values()) < times:
        # The later choices are not known yet.
        return ""
    answer_parts = [f"{numbers[move]}x{n}" if n > 1 else str(numbers[move]) for move, n in answers.items()]
    return words.say("cli.series.how", None, n=times, example=quoted(words.chain(answer_parts)))


def read_repeats(answer: str, menu: Menu) -> list[tuple[int, int]] | None:
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


def repeated_moves(display: Display, wanted: Sequence[tuple[int, int]], menu: Menu) -> Sequence[Move] | None:
    """Return the repeated_moves for option numbers and counts in an order that is legal.

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
