"""Terminal of a full screen: input, output, clock, and applications of prompt_toolkit in the styles of lines.

Also the prompt with line editing, for games that are played line by line.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.clipboard import InMemoryClipboard
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import Input
from prompt_toolkit.input.typeahead import get_typeahead
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.shortcuts import CompleteStyle, PromptSession
from prompt_toolkit.styles import Attrs, Style

from wongar_dsl.base.terminal_text import escape_text
from wongar_dsl.render.text.lines import Line

from .screen import COLOURS, STYLES
from .signals import restored_screen


def _style(codes: str) -> str:
    """Convert the codes of a style for prompt_toolkit, whose old versions have no "dim"."""
    words = {"1": "bold", "4": "underline", "7": "reverse"} | ({"2": "dim"} if "dim" in Attrs._fields else {})
    for number, colour in enumerate(COLOURS):
        bright = f"ansibright{colour}".replace("ansibrightwhite", "ansiwhite")
        words |= {f"3{number}": f"ansi{colour}", f"4{number}": f"bg:ansi{colour}"}
        words |= {f"9{number}": bright, f"10{number}": f"bg:{bright}"}
    return " ".join(words[code] for code in codes.split(";") if code in words)


STYLE = Style.from_dict({name: _style(codes) for name, codes in STYLES.items() if name})


@dataclass(frozen=True)
class Terminal:
    """Input, output and clock of a full screen; tests supply their own."""

    colour: bool = True
    unicode: bool = True
    input: Input | None = None
    output: Output | None = None
    clock: Callable[[], float] = time.monotonic

    def application(self, layout: Layout, keys: KeyBindings, **settings: Any) -> Application[Any]:
        """Return an application on the full screen, which Ctrl-Z suspends."""
        keys.add("c-z", eager=True)(lambda event: event.app.suspend_to_background())
        return Application(
            layout,
            key_bindings=keys,
            style=STYLE,
            full_screen=True,
            color_depth=None if self.colour else ColorDepth.DEPTH_1_BIT,
            input=self.input,
            output=self.output,
            **settings,
        )


def fragments(lines: Iterable[Line], shown: Callable[[str], str] = escape_text) -> StyleAndTextTuples:
    """Return lines for prompt_toolkit; `shown` makes their texts displayable."""
    texts: StyleAndTextTuples = []
    for line in lines:
        texts += [(f"class:{style}" if style else "", shown(text)) for style, text in line]
        texts.append(("", "\n"))
    return texts[:-1]


class _Answers(Completer):
    """Completer for texts in the user's language, and if none fits, for notations."""

    texts: tuple[str, ...] = ()
    notations: tuple[str, ...] = ()

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """See `Completer`."""
        typed = document.text_before_cursor.lstrip()
        for words in (self.texts, self.notations if typed else ()):
            candidates = [word for word in words if word.casefold().startswith(typed.casefold())]
            yield from (Completion(word, -len(typed)) for word in candidates)
            if candidates:
                break


class LinePrompt:
    """Prompt for one line at a time, with editing, history and completion."""

    def __init__(self, colour: bool) -> None:
        self._completer = _Answers()
        self._session: PromptSession[str] = PromptSession(
            completer=self._completer,
            complete_while_typing=False,
            complete_style=CompleteStyle.READLINE_LIKE,
            color_depth=None if colour else ColorDepth.DEPTH_1_BIT,
            enable_suspend=True,
        )

    def has_pending_keys(self) -> bool:
        """Return whether keys were typed ahead; the terminal's reports of the cursor position are not typed."""
        return any(press.key is not Keys.CPRResponse for press in get_typeahead(self._session.input))

    def forget(self) -> None:
        """Clear the history and the clipboard."""
        self._session.default_buffer.history = self._session.history = InMemoryHistory()
        self._session.clipboard = InMemoryClipboard()

    def ask(self, question: str, texts: Iterable[str], notations: Iterable[str]) -> str:
        """Return the answer to a question; `texts` are completed before `notations`."""
        self._completer.texts = tuple(map(escape_text, dict.fromkeys(texts)))
        self._completer.notations = tuple(map(escape_text, dict.fromkeys(notations)))
        with restored_screen(self._session.app):
            answer: str = self._session.prompt(f"{escape_text(question)} " if question else "> ")
        return answer
