"""Full screens with a countdown: a menu, and a puzzle solved with the keys.

The clock is measured here; the engine only receives the time of an answer.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.layout.controls import FormattedTextControl

from wongar_dsl.base.terminal_text import fold
from wongar_dsl.base.terminal_text import width as cells_of
from wongar_dsl.engine import Move
from wongar_dsl.nlg.words import Translator
from wongar_dsl.render.text.lines import Line, clip
from wongar_dsl.render.text.position import picture
from wongar_dsl.render.text.puzzle import board_lines
from wongar_dsl.session.decisions import with_cards
from wongar_dsl.session.menu import Menu, MenuEntry
from wongar_dsl.session.puzzle import Puzzle, PuzzleLayout, default_answer

from ..terminal.application import Terminal, fragments
from ..terminal.signals import restored_screen
from .display import Display

#: Seconds between two looks at the clock.
TICK_S = 0.2
MAX_BAR_WIDTH = 30
#: Milliseconds between two saves of the elapsed time.
SAVE_INTERVAL_MS = 1000


class CountdownScreen(ABC):
    """A full screen with a clock, for decisions with a time limit.

    `limit_ms` is the time limit in ms, None if unlimited; the time in `earlier_ms` counts too.
    """

    def __init__(self, terminal: Terminal, words: Translator, limit_ms: int | None) -> None:
        self.terminal, self.words, self.limit_ms = terminal, words, limit_ms
        self.started: float | None = None
        #: Time elapsed earlier in ms, and callback that stores the elapsed time regularly.
        self.earlier_ms = 0
        self.save_elapsed: Callable[[int], None] = lambda _: None
        self.note = ""
        self.keys = KeyBindings()
        self.keys.add("c-d")(lambda event: event.app.exit(exception=EOFError()))
        self.keys.add("c-c")(lambda event: event.app.exit(exception=KeyboardInterrupt()))
        # The clock keeps running while the application is suspended.
        text = FormattedTextControl(lambda: fragments(self.lines()), focusable=True, show_cursor=False)
        self.app = terminal.application(Layout(Window(text)), self.keys, refresh_interval=TICK_S)

    def message_lines(self, message: str) -> list[Line]:
        """Return a message about the keys, wrapped to the screen."""
        room = self.app.output.get_size().columns - 1
        return [[("faint", line)] for line in fold(self.words.say(message), room)]

    # ---- clock ----

    def start(self) -> None:
        """Start the clock."""
        self.started = self.terminal.clock()
        self.app.create_background_task(self._watch())

    @property
    def elapsed_ms(self) -> int:
        """The elapsed time in ms."""
        return self.earlier_ms + (int((self.terminal.clock() - self.started) * 1000) if self.started is not None else 0)

    async def _watch(self) -> None:
        saved_time = self.earlier_ms
        while self.limit_ms is None or self.elapsed_ms <= self.limit_ms:
            await asyncio.sleep(TICK_S)
            if self.elapsed_ms - saved_time >= SAVE_INTERVAL_MS:
                saved_time = self.elapsed_ms
                self.save_elapsed(saved_time)
        if not self.app.is_done:
            self.app.exit(result=None)

    def clock_line(self) -> Line:
        """Return the remaining time as a bar and a number."""
        if self.limit_ms is None:
            return []
        rest = max(0, self.limit_ms - self.elapsed_ms)
        seconds = -(-rest // 1000)
        text = self.words.say("cli.clock.left", n=seconds)
        room = max(1, min(MAX_BAR_WIDTH, self.app.output.get_size().columns - cells_of(text) - 3))
        full = -(-rest * room // self.limit_ms) if self.limit_ms else 0
        filled, empty = ("█", "░") if self.terminal.unicode else ("#", "-")
        style = "wrong" if seconds <= 10 else "number"
        bar = filled * full + empty * (room - full)
        return [(style, bar), ("", "  "), (style, text)]

    # ---- screen ----

    @abstractmethod
    def lines(self) -> list[Line]:
        """Return the lines of the screen."""

    def run(self) -> tuple[Any, int]:
        """Show the screen until it is answered or the time is up; return the answer and its time in ms."""
        with restored_screen(self.app):
            result = self.app.run(handle_sigint=False)
        if result is None and self.limit_ms is not None and self.elapsed_ms > self.limit_ms:
            return None, self.limit_ms + 1
        return result, min(self.elapsed_ms, self.limit_ms) if self.limit_ms is not None else self.elapsed_ms


class MenuScreen(CountdownScreen):
    """A menu under a picture. The answer is the move of the chosen entry, None on timeout."""

    def __init__(
        self, terminal: Terminal, words: Translator, limit_ms: int | None, question: str, picture: Sequence[Line],
        entries: Sequence[MenuEntry],
    ) -> None:  # fmt: skip
        super().__init__(terminal, words, limit_ms)
        self.question, self.picture, self.entries = question, picture, entries
        # No entry is selected at first, since the user may still press the key that ended the last question.
        self.selected: int | None = None
        on = self.keys.add
        for key, step in {"up": -1, "left": -1, "down": 1, "right": 1, "tab": 1}.items():
            on(key)(partial(self._step, step))
        on("enter")(self._submit)
        for entry in self.entries:
            if entry.number <= 9:
                on(str(entry.number))(partial(self._choose, entry))

    def _choose(self, entry: MenuEntry, event: KeyPressEvent) -> None:
        event.app.exit(result=entry.move)

    def _submit(self, event: KeyPressEvent) -> None:
        if self.selected is not None:
            event.app.exit(result=self.entries[self.selected].move)

    def _step(self, step: int, event: KeyPressEvent) -> None:
        first = 0 if step > 0 else len(self.entries) - 1
        self.selected = first if self.selected is None else (self.selected + step) % len(self.entries)

    def run(self) -> tuple[Any, int]:
        """See `CountdownScreen.run`; the clock starts at once."""
        self.app.pre_run_callables.append(self.start)
        return super().run()

    def lines(self) -> list[Line]:
        """See `CountdownScreen.lines`."""
        sign = "▸" if self.terminal.unicode else ">"
        lines: list[Line] = [[("question", self.question)], self.clock_line(), []]
        for i, entry in enumerate(self.entries):
            chosen = i == self.selected
            text = self.words.label(entry.text) + entry.card if entry.card else entry.text
            number = f"{entry.number} " if entry.number <= 9 else "  "
            mark = sign if chosen else " "
            lines.append([("strong", f"{mark} "), ("number", number), ("held" if chosen else "", text)])
        return [*lines, *self.message_lines("cli.clock.keys"), [], *self.picture]


class PuzzleScreen(CountdownScreen):
    """Placement of puzzle pieces on an area. The answer is the move of a covering, None if the player gives up."""

    def __init__(
        self, terminal: Terminal, words: Translator, limit_ms: int | None, layout: PuzzleLayout, question: str,
        ready: Sequence[Line], table: Sequence[Line],
    ) -> None:  # fmt: skip
        super().__init__(terminal, words, limit_ms)
        self.layout, self.question, self.ready, self.table = layout, question, ready, table
        on = self.keys.add
        for key, down, right in (("up", -1, 0), ("down", 1, 0), ("left", 0, -1), ("right", 0, 1)):
            on(key)(self._when_running(partial(self.layout.move, down, right)))
        on(" ")(self._when_running(self.layout.turn))
        for name in ("f", "F", "/"):
            on(name)(self._when_running(self.layout.flip))
        for number, piece in enumerate(list(layout.puzzle.pieces)[:9], 1):
            on(str(number))(self._when_running(partial(self.layout.hold, piece)))
        on("tab")(self._when_running(self.layout.hold_next))
        on("s-tab")(self._when_running(partial(self.layout.hold_next, -1)))
        for name in ("backspace", "delete"):
            on(name)(self._when_running(self.layout.pick_up))
        on("enter")(self._enter)
        on("escape", eager=True)(self._give_up)

    def _give_up(self, event: KeyPressEvent) -> None:
        """Give up on the second Esc in a row, since one is easily pressed by mistake."""
        confirmation = self.words.say("cli.puzzle.sure")
        if self.note == confirmation:
            event.app.exit(result=None)
        self.note = confirmation

    def _when_running(self, do: Callable[[], object]) -> Callable[[KeyPressEvent], None]:
        def handler(event: KeyPressEvent) -> None:
            if self.started is not None:
                self.note = ""
                do()

        return handler

    def _enter(self, event: KeyPressEvent) -> None:
        if self.started is None:
            self.note = ""
            self.start()
            return
        self.note = "" if self.layout.lay() or self.layout.held is None else self.words.say("cli.puzzle.no_room")
        if self.layout.solution is not None:
            event.app.exit(result=self.layout.solution)

    def lines(self) -> list[Line]:
        """See `CountdownScreen.lines`."""
        size, keys = self.app.output.get_size(), self._help()
        if self.started is None:
            # The key hints remain visible, however much is above or below them.
            ready = self.ready[-max(1, size.rows - len(keys) - 1) :]
            return [*ready, [("wrong", self.note)], *keys, [], *self.table]
        question: list[Line] = [[("question", text)] for text in fold(self.question, size.columns - 1)]
        lines = [*question, [], self.clock_line(), []]
        room = size.rows - len(lines) - len(keys) - 1
        free, wall = "·▒" if self.terminal.unicode else ".#"
        board = board_lines(self.layout, free, wall, self.words.say("cli.puzzle.placed"), size.columns, room)
        return [*lines, *board[: max(1, room)], [("wrong", self.note)], *keys]

    def _help(self) -> list[Line]:
        return [*self.message_lines("cli.puzzle.keys"), *self.message_lines("cli.puzzle.more_keys")]


def ask_timed(display: Display, seat: int) -> tuple[Move, int]:
    """Return a player's answer and its time in ms; raise EOFError or KeyboardInterrupt if they quit."""
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

    def save_elapsed(taken: int) -> None:
        """Save the elapsed time, so that killing the program does not stop the clock."""
        display.session.match.thought = taken
        display.save()

    shown.save_elapsed = save_elapsed
    try:
        move, took = shown.run()
    except (EOFError, KeyboardInterrupt):
        display.session.match.thought = shown.elapsed_ms
        raise
    if move is not None:
        return move, took
    return default_answer(state), took
