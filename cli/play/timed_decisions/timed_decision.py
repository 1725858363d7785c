"""Timed decisions: on a screen of their own at a terminal, otherwise typed with the time appended."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from wongar_dsl.base.text.terminal import fold
from wongar_dsl.engine import Move
from wongar_dsl.nlg.words import Text
from wongar_dsl.render.text.lines import Line, clip
from wongar_dsl.render.text.position import picture
from wongar_dsl.session.decisions import with_cards
from wongar_dsl.session.menu import Menu
from wongar_dsl.session.puzzle import Puzzle, PuzzleLayout, default_answer

from ...terminal.screen import is_dumb
from ..display import Display

if TYPE_CHECKING:
    from ...terminal.countdown import CountdownScreen


def uses_countdown_screen(display: Display) -> bool:
    """Return whether the current decision is made on a screen of its own, against the clock."""
    return (
        display.session.match.state.clock is not None
        and display.screen.interactive
        and not (display.screen_reader or is_dumb())
    )


def ask_timed(display: Display, seat: int) -> tuple[Move, int]:
    """Return a player's answer and its time in ms; raise EOFError or KeyboardInterrupt if they quit."""
    from ...terminal.terminal_io import Terminal
    from .menu_screen import MenuScreen
    from .puzzle_screen import PuzzleScreen

    state, narrator, words = display.session.match.state, display.session.narrator, display.session.words
    decision, clock = state.decision, state.clock
    assert decision is not None
    assert clock is not None
    remaining = max(0, clock[1] - clock[0]) if clock[1] is not None else None
    terminal = Terminal(display.screen.colour, display.screen.unicode)
    question = narrator.prompt(state)
    puzzle = Puzzle.of(state)
    recent_lines: list[Line] = [[("", clip(text, display.screen.width - 1))] for text in display.recent]
    table = picture(display.scene(seat))
    shown: CountdownScreen
    if puzzle is not None:
        # If the same puzzle is asked again, the pieces remain where they were.
        last = display.puzzle_layouts.get(seat)
        layout = PuzzleLayout(puzzle) if last is None or last.puzzle != puzzle else last
        display.puzzle_layouts[seat] = layout
        asking = words.say("cli.clock.ready", player=narrator.player(seat))
        ready: list[Line] = [[("strong", text)] for text in fold(asking, display.screen.width - 1)]
        before = [*recent_lines, [], *display.solution, []] if display.solution else [*recent_lines, []]
        display.solution = []
        shown = PuzzleScreen(terminal, words, remaining, layout, question, [*before, *ready], table)
    else:
        menu = Menu.of(state, narrator, (), display.session.numbering)
        entries = with_cards(menu, display.scene(seat)).entries
        shown = MenuScreen(terminal, words, remaining, question, [*table, [], *recent_lines], entries)
    shown.earlier_ms = display.session.match.thought
    shown.save_elapsed = partial(_keep, display)
    try:
        move, took = shown.run()
    except (EOFError, KeyboardInterrupt):
        display.session.match.thought = shown.elapsed_ms
        raise
    if move is not None:
        return move, took
    return default_answer(state), took


def _keep(display: Display, taken: int) -> None:
    """Save the elapsed time, so that killing the program does not stop the clock."""
    display.session.match.thought = taken
    display.save()


def explain_time(display: Display, menu: Menu) -> None:
    """Print once the notation for the time of an answer."""
    if menu.entries and not display.time_notation_explained:
        display.say("cli.clock.how", "faint", example=Text(f"{menu.entries[0].number} @ 2.5"))
    display.time_notation_explained = True
