"""Full-screen replay of a game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.layout import Dimension, HSplit, Layout, Window
from prompt_toolkit.layout.controls import FormattedTextControl

from wongar_dsl.base.terminal_text import fold
from wongar_dsl.render.text.lines import Line, Piece, line_width

from ..terminal.application import Terminal, fragments
from ..terminal.signals import restored_screen

if TYPE_CHECKING:
    from ..commands.replay import ReplayCursor


KEYS = {
    "right": "n", "n": "n", " ": "n", "enter": "n", "c-j": "n", "down": "n",
    "left": "b", "b": "b", "backspace": "b", "up": "b",
    "home": "<", "end": ">",
}  # fmt: skip


class ReplayScreen:
    """The current step of a replay, with key bindings to move through the game."""

    def __init__(self, cursor: ReplayCursor, terminal: Terminal | None = None) -> None:
        self.cursor, self.typed, self.wrong = cursor, "", False
        self.top = self.below = 0
        terminal = terminal or Terminal(cursor.screen.colour, cursor.screen.unicode)
        keys = KeyBindings()
        for key, command in KEYS.items():
            keys.add(key)(lambda event, command=command: self._move(command))
        for key, pages in (("pagedown", 1), ("pageup", -1)):
            keys.add(key)(lambda event, pages=pages: self._scroll(pages))
        for digit in "0123456789":
            keys.add(digit)(lambda event, digit=digit: self._type(digit))
        for key in ("q", "escape", "c-c", "c-d"):
            keys.add(key, eager=True)(lambda event: event.app.exit())

        step = Window(FormattedTextControl(lambda: fragments(self.lines()), focusable=True, show_cursor=False))
        hints = FormattedTextControl(lambda: fragments(self.keys()))
        below = Window(hints, height=lambda: Dimension.exact(len(self.keys())))
        self.app = terminal.application(Layout(HSplit([step, below])), keys)

    def _move(self, command: str) -> None:
        """Move through the game, or to the step whose number was typed."""
        if command == "n" and self.typed:
            command = self.typed
        self.typed = ""
        number = self.cursor.number
        self.wrong = not self.cursor.go(command)
        if self.cursor.number != number:
            self.top = 0

    def _scroll(self, pages: int) -> None:
        """Scroll by a page, with an overlap of one line."""
        self.top = max(0, self.top + pages * max(1, self.room - 1))

    def _type(self, digit: str) -> None:
        self.typed = (self.typed + digit)[-6:]

    @property
    def room(self) -> int:
        """The number of lines for a step."""
        return max(1, self.cursor.screen.height - len(self.keys()))

    def lines(self) -> list[Line]:
        """Return the visible lines of the step."""
        lines = [row for line in self.cursor.lines(self.room) for row in _rows(line, self.cursor.screen.width - 1)]
        self.top = max(0, min(self.top, len(lines) - self.room))
        shown = lines[self.top : self.top + self.room]
        self.below = len(lines) - self.top - len(shown)
        return shown

    def keys(self) -> list[Line]:
        """Return the key hints or the range of step numbers, and the number being typed."""
        words, step_count = self.cursor.session.words, len(self.cursor.replay)
        hint = words.say("cli.replay.how", None, n=step_count) if self.wrong else words.say("cli.replay.keys")
        hint_lines = fold(hint, self.cursor.screen.width - 14)
        lines: list[Line] = [[("wrong" if self.wrong else "faint", line)] for line in hint_lines]
        more = f" {'▼' if self.cursor.screen.unicode else 'v'}{self.below}" if self.below else ""
        return [*lines[:-1], [*lines[-1], ("strong", more), ("number", f"  {self.typed}")]]

    def run(self) -> None:
        """Show the screen until the user quits."""
        with restored_screen(self.app):
            self.app.run(handle_sigint=False)


def _rows(line: Line, room: int) -> Iterator[Line]:
    """Wrap a line into as many rows as needed."""
    row: list[Piece] = []
    for style, text in line:
        while text and line_width([*row, (style, text)]) > room:
            fits = next(n for n in range(len(text), -1, -1) if line_width([*row, ("", text[:n])]) <= room)
            yield [*row, (style, text[:fits])]
            # A character wider than the whole row is put into it nevertheless.
            row, text = [], text[fits if fits or row else 1 :]
        row.append((style, text))
    yield row
