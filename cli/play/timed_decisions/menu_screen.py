"""Timed selection of a menu entry with the keys."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from prompt_toolkit.key_binding import KeyPressEvent

from wongar_dsl.nlg.words import Translator
from wongar_dsl.render.text.lines import Line
from wongar_dsl.session.menu import MenuEntry

from ...terminal.countdown import CountdownScreen
from ...terminal.terminal_io import Terminal


class MenuScreen(CountdownScreen):
    """A menu under a picture.

    The answer is the move of the chosen entry, None on timeout.
    """

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
        on("c-d")(lambda event: event.app.exit(exception=EOFError()))
        on("c-c")(lambda event: event.app.exit(exception=KeyboardInterrupt()))

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
