"""A game walked through on a full screen, with the keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import HSplit, Layout, Window
from prompt_toolkit.layout.controls import FormattedTextControl
from prompt_toolkit.output import ColorDepth

from wongar_dsl.text.escapes import printable

from .terminal.ending import given_back
from .terminal.screen import Line
from .terminal.timed import STYLE, Terminal

if TYPE_CHECKING:
    from .replaying import Walk

KEYS = {
    "right": "n", "n": "n", " ": "n", "enter": "n", "down": "n", "left": "b", "b": "b", "backspace": "b", "up": "b",
    "home": "<", "end": ">",
}  # fmt: skip


class ReplayScreen:
    """The step at which somebody stands, and the keys to go on from there."""

    def __init__(self, walk: Walk, terminal: Terminal | None = None) -> None:
        self.walk, self.typed = walk, ""
        terminal = terminal or Terminal(walk.screen.colour, walk.screen.unicode)
        keys = KeyBindings()
        for key, way in KEYS.items():
            keys.add(key)(lambda event, way=way: self._go(way))
        for digit in "0123456789":
            keys.add(digit)(lambda event, digit=digit: self._type(digit))
        for key in ("q", "escape", "c-c", "c-d"):
            keys.add(key, eager=True)(lambda event: event.app.exit())

        @keys.add("c-z")
        def _(event: KeyPressEvent) -> None:
            event.app.suspend_to_background()

        self.app: Application[Any] = Application(
            layout=Layout(
                HSplit(
                    [
                        Window(FormattedTextControl(self._shown, focusable=True, show_cursor=False), wrap_lines=True),
                        Window(FormattedTextControl(self._keys), height=1),
                    ]
                )
            ),
            key_bindings=keys,
            style=STYLE,
            full_screen=True,
            color_depth=None if terminal.colour else ColorDepth.DEPTH_1_BIT,
            input=terminal.input,
            output=terminal.output,
        )

    def _go(self, way: str) -> None:
        """Go on, or to the step whose number was typed."""
        if way == "n" and self.typed:
            way = self.typed
        self.typed = ""
        self.walk.go(way)

    def _type(self, digit: str) -> None:
        self.typed = (self.typed + digit)[-6:]

    def _shown(self) -> StyleAndTextTuples:
        return _text(self.walk.lines(self.walk.screen.height - 1))

    def _keys(self) -> StyleAndTextTuples:
        return _text([[("faint", self.walk.table.words.say("cli.replay.keys")), ("number", f"  {self.typed}")]])

    def run(self) -> None:
        """Show the screen until somebody leaves it."""
        with given_back(self.app):
            self.app.run(handle_sigint=False)


def _text(lines: Any) -> StyleAndTextTuples:
    shown: StyleAndTextTuples = []
    every: list[Line] = list(lines)
    for line in every:
        shown += [(f"class:{style}" if style else "", printable(text)) for style, text in line]
        shown.append(("", "\n"))
    return shown[:-1]
