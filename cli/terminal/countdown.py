"""Full screen with a countdown.

The clock is measured here; the engine only receives the time of an answer.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.layout.controls import FormattedTextControl
from prompt_toolkit.output import ColorDepth

from wongar_dsl.base.text.terminal import escape_text, fold
from wongar_dsl.base.text.terminal import width as cells_of
from wongar_dsl.nlg.words import Translator
from wongar_dsl.render.text.lines import Line

from .signals import restored_screen
from .terminal_io import STYLE, Terminal

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
        self.app: Application[Any] = Application(
            layout=Layout(Window(FormattedTextControl(self._text, focusable=True, show_cursor=False))),
            key_bindings=self.keys,
            style=STYLE,
            full_screen=True,
            refresh_interval=TICK_S,
            color_depth=None if terminal.colour else ColorDepth.DEPTH_1_BIT,
            input=terminal.input,
            output=terminal.output,
        )

        @self.keys.add("c-z")
        def _(event: KeyPressEvent) -> None:
            event.app.suspend_to_background()  # The clock keeps running.

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

    def _text(self) -> StyleAndTextTuples:
        shown: StyleAndTextTuples = []
        for line in self.lines():
            shown += [(f"class:{style}" if style else "", escape_text(text)) for style, text in line]
            shown.append(("", "\n"))
        return shown[:-1]

    def run(self) -> tuple[Any, int]:
        """Show the screen until it is answered or the time is up; return the answer and its time in ms."""
        with restored_screen(self.app):
            result = self.app.run(handle_sigint=False)
        if result is None and self.limit_ms is not None and self.elapsed_ms > self.limit_ms:
            return None, self.limit_ms + 1
        return result, min(self.elapsed_ms, self.limit_ms) if self.limit_ms is not None else self.elapsed_ms
