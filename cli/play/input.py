"""Reading answers: with completion at a terminal, line by line elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from ..terminal.screen import Screen, dumb
from .menu import Menu
from .metacommands import Metacommands
from .session import Reader

LONGEST = 10_000


def line_reader(screen: Screen) -> Reader:
    """Reads plain lines, one answer each."""

    def read(question: str, menu: Menu, orders: Metacommands) -> str:
        if question:
            screen.text(question, "question")
        screen.stream.write("> ")
        screen.stream.flush()
        line = sys.stdin.readline(LONGEST)
        if not line:
            raise EOFError
        answer = line.strip().replace("\x00", "")
        if not sys.stdin.isatty():
            screen.stream.write(f"{''.join(c for c in answer if c.isprintable())}\n")
        return answer

    return read


def prompt_reader(screen: Screen) -> Reader:
    """Reads with line editing, history and completion."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.clipboard import InMemoryClipboard
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion
    from prompt_toolkit.document import Document
    from prompt_toolkit.history import InMemoryHistory
    from prompt_toolkit.output import ColorDepth
    from prompt_toolkit.shortcuts import CompleteStyle

    class Answers(Completer):
        """Options in words and notation, and commands."""

        words: tuple[str, ...] = ()

        def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
            """See `Completer`."""
            typed = document.text_before_cursor.lstrip()
            for word in self.words:
                if word.casefold().startswith(typed.casefold()):
                    yield Completion(word, -len(typed))

    completer = Answers()
    session: PromptSession[str] = PromptSession(
        completer=completer,
        complete_while_typing=False,
        complete_style=CompleteStyle.READLINE_LIKE,
        color_depth=None if screen.colour else ColorDepth.DEPTH_1_BIT,
    )

    def read(question: str, menu: Menu, orders: Metacommands) -> str:
        texts = dict.fromkeys([e.text for e in menu.entries] + [e.notation for e in menu.entries])
        completer.words = (*texts, *orders.words()) if menu.entries else ()
        if not menu.entries:
            # Somebody else sits down: what was typed before may tell a hidden choice.
            session.default_buffer.history = session.history = InMemoryHistory()
            session.clipboard = InMemoryClipboard()
        answer: str = session.prompt(f"{question} " if question else "> ")
        return answer[:LONGEST]

    return read


def reader(screen: Screen) -> Reader:
    """What fits the terminal."""
    return prompt_reader(screen) if screen.interactive and not dumb() else line_reader(screen)
