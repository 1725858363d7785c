"""Decisions against the clock, full screen: a puzzle that is laid, or an entry of a menu that is chosen.

The clock is this module's: the engine is told how long an answer took.
"""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.layout.controls import FormattedTextControl
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.styles import Style

from wongar_dsl.words import Words

from ..pictures.puzzle import Laying
from ..play.menu import Entry
from .screen import Line

#: How often the clock is looked at, in seconds.
TICK = 0.2
BAR = 30
STYLE = Style.from_dict(
    {
        "strong": "bold", "faint": "", "question": "bold ansicyan", "number": "bold ansiyellow", "card": "ansiyellow",
        "figure": "bold ansimagenta", "wrong": "ansired", "held": "reverse bold", "blocked": "bold ansired",
        "piece0": "ansiblack bg:ansigreen", "piece1": "ansiblack bg:ansiyellow", "piece2": "ansiwhite bg:ansiblue",
        "piece3": "ansiblack bg:ansicyan", "piece4": "ansiwhite bg:ansimagenta", "piece5": "ansiwhite bg:ansired",
        "seat0": "ansigreen", "seat1": "ansired", "seat2": "ansiblue", "seat3": "ansimagenta", "seat4": "ansicyan",
        "seat5": "ansiyellow", "seat6": "ansibrightgreen", "seat7": "ansibrightblue",
    }
)  # fmt: skip


@dataclass(frozen=True)
class Terminal:
    """What the screens are shown on, and read from; the tests have their own."""

    colour: bool = True
    unicode: bool = True
    input: Input | None = None
    output: Output | None = None
    now: Callable[[], float] = time.monotonic


class Timed(ABC):
    """A full screen with a clock: `left` is how many milliseconds it has left, None for a clock without end."""

    def __init__(self, terminal: Terminal, words: Words, left: int | None) -> None:
        self.terminal, self.words, self.left = terminal, words, left
        self.started: float | None = None
        self.note = ""
        self.keys = KeyBindings()
        self.app: Application[Any] = Application(
            layout=Layout(Window(FormattedTextControl(self._text, focusable=True, show_cursor=False))),
            key_bindings=self.keys,
            style=STYLE,
            full_screen=True,
            refresh_interval=TICK,
            color_depth=None if terminal.colour else ColorDepth.DEPTH_1_BIT,
            input=terminal.input,
            output=terminal.output,
        )

    # ---- the clock ----

    def start(self) -> None:
        """The clock runs from now on."""
        self.started = self.terminal.now()
        if self.left is not None:
            self.app.create_background_task(self._watch())

    @property
    def taken(self) -> int:
        """How many milliseconds have gone."""
        return int((self.terminal.now() - self.started) * 1000) if self.started is not None else 0

    async def _watch(self) -> None:
        while self.left is not None and self.taken <= self.left:
            await asyncio.sleep(TICK)
        if not self.app.is_done:
            self.app.exit(result=None)

    def clock(self) -> Line:
        """The time that is left, as a number and as a bar."""
        if self.left is None:
            return []
        rest = max(0, self.left - self.taken)
        seconds = -(-rest // 1000)
        full = -(-rest * BAR // self.left) if self.left else 0
        filled, empty = ("█", "░") if self.terminal.unicode else ("#", "-")
        style = "wrong" if seconds <= 10 else "number"
        bar, text = filled * full + empty * (BAR - full), self.words.say("cli.clock.left", n=seconds)
        return [(style, bar), ("", "  "), (style, text)]

    # ---- the screen ----

    @abstractmethod
    def lines(self) -> list[Line]:
        """What is shown."""

    def _text(self) -> StyleAndTextTuples:
        shown: StyleAndTextTuples = []
        for line in self.lines():
            shown += [(f"class:{style}" if style else "", text) for style, text in line]
            shown.append(("", "\n"))
        return shown[:-1]

    def run(self) -> tuple[Any, int]:
        """Show the screen until it is answered or the time is over; the answer, and how long it took."""
        result = self.app.run(handle_sigint=False)
        if result is None and self.left is not None and self.taken > self.left:
            return None, self.left + 1
        return result, min(self.taken, self.left) if self.left is not None else self.taken


class PuzzleScreen(Timed):
    """Laying pieces on an area.  The answer is a covering's move, None for giving up."""

    def __init__(
        self, terminal: Terminal, words: Words, left: int | None, laying: Laying, question: str,
        ready: Sequence[Line], table: Sequence[Line],
    ) -> None:  # fmt: skip
        super().__init__(terminal, words, left)
        self.laying, self.question, self.ready, self.table = laying, question, ready, table
        on = self.keys.add
        for key, down, right in (("up", -1, 0), ("down", 1, 0), ("left", 0, -1), ("right", 0, 1)):
            on(key)(self._when_running(partial(self._move, down, right)))
        on(" ")(self._when_running(lambda _: self.laying.turn()))
        for name in ("f", "F", "/"):
            on(name)(self._when_running(lambda _: self.laying.flip()))
        for number, piece in enumerate(list(laying.puzzle.pieces)[:9], 1):
            on(str(number))(self._when_running(partial(self._hold, piece)))
        on("tab")(self._when_running(lambda _: self.laying.hold_next()))
        on("s-tab")(self._when_running(lambda _: self.laying.hold_next(-1)))
        for name in ("backspace", "delete"):
            on(name)(self._when_running(lambda _: self._take_up()))
        on("enter")(self._enter)
        on("escape", eager=True)(self._give_up)
        on("c-d")(lambda event: event.app.exit(exception=EOFError()))
        on("c-c")(lambda event: event.app.exit(exception=KeyboardInterrupt()))

    def _give_up(self, event: KeyPressEvent) -> None:
        """Only the second Esc in a row gives up: one comes easily by mistake."""
        asked = self.words.say("cli.puzzle.sure")
        if self.note == asked:
            event.app.exit(result=None)
        self.note = asked

    def _when_running(self, do: Callable[[KeyPressEvent], object]) -> Callable[[KeyPressEvent], None]:
        def handler(event: KeyPressEvent) -> None:
            if self.started is not None:
                self.note = ""
                do(event)

        return handler

    def _move(self, down: int, right: int, event: KeyPressEvent) -> None:
        self.laying.move(down, right)

    def _hold(self, piece: int, event: KeyPressEvent) -> None:
        self.laying.hold(piece)

    def _take_up(self) -> None:
        self.laying.take_up()

    def _enter(self, event: KeyPressEvent) -> None:
        if self.started is None:
            self.note = ""
            self.start()
            return
        self.note = "" if self.laying.lay() or self.laying.held is None else self.words.say("cli.puzzle.no_room")
        if self.laying.solution is not None:
            event.app.exit(result=self.laying.solution)

    def lines(self) -> list[Line]:
        """See `Timed.lines`."""
        lines: list[Line] = [[("question", self.question)], []]
        if self.started is None:
            return [*self.ready, [("wrong", self.note)], *self._help(), [], *self.table]
        lines += [self.clock(), []]
        lines += self.laying.lines("·" if self.terminal.unicode else ".", self.words.say("cli.puzzle.placed"))
        return [*lines, [("wrong", self.note)], *self._help()]

    def _help(self) -> list[Line]:
        return [[("faint", self.words.say(name))] for name in ("cli.puzzle.keys", "cli.puzzle.more_keys")]


class MenuScreen(Timed):
    """Choosing an entry of a menu under a picture.  The answer is the entry's move, None when the time is over."""

    def __init__(
        self, terminal: Terminal, words: Words, left: int | None, question: str, picture: Sequence[Line],
        entries: Sequence[Entry],
    ) -> None:  # fmt: skip
        super().__init__(terminal, words, left)
        self.question, self.picture, self.entries, self.at = question, picture, entries, 0
        on = self.keys.add
        for key, step in {"up": -1, "left": -1, "down": 1, "right": 1, "tab": 1}.items():
            on(key)(partial(self._step, step))
        on("enter")(lambda event: event.app.exit(result=self.entries[self.at].move))
        for number, entry in enumerate(self.entries[:9], 1):
            on(str(number))(partial(self._choose, entry))
        on("c-d")(lambda event: event.app.exit(exception=EOFError()))
        on("c-c")(lambda event: event.app.exit(exception=KeyboardInterrupt()))

    def _choose(self, entry: Entry, event: KeyPressEvent) -> None:
        event.app.exit(result=entry.move)

    def _step(self, step: int, event: KeyPressEvent) -> None:
        self.at = (self.at + step) % len(self.entries)

    def run(self) -> tuple[Any, int]:
        """See `Timed.run`; the clock runs from the start."""
        self.app.pre_run_callables.append(self.start)
        return super().run()

    def lines(self) -> list[Line]:
        """See `Timed.lines`."""
        sign = "▸" if self.terminal.unicode else ">"
        lines: list[Line] = [[("question", self.question)], self.clock(), []]
        for i, entry in enumerate(self.entries):
            chosen = i == self.at
            number = f"{i + 1} " if i < 9 else "  "
            mark = sign if chosen else " "
            lines.append([("strong", f"{mark} "), ("number", number), ("held" if chosen else "", entry.text)])
        return [*lines, [("faint", self.words.say("cli.clock.keys"))], [], *self.picture]
