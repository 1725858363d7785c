"""Reading answers: with completion at a terminal, line by line elsewhere."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable

from wongar_dsl.table.menu import Menu
from wongar_dsl.text.escapes import printable

from ..terminal.ending import given_back
from ..terminal.screen import Screen, dumb
from .metacommands import Metacommands
from .session import Reader

LONGEST = 10_000


def forget_what_was_typed() -> None:
    """What was typed before a question was put is no answer to it: it is dropped, at a terminal."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import termios

        with contextlib.suppress(termios.error):
            termios.tcflush(sys.stdin, termios.TCIFLUSH)


def line_reader(screen: Screen) -> Reader:
    """Reads plain lines, one answer each."""

    asked: Menu | None = None

    def read(question: str, menu: Menu, commands: Metacommands) -> str:
        nonlocal asked
        if menu is not asked:
            forget_what_was_typed()
            asked = menu
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
    from prompt_toolkit.input.typeahead import clear_typeahead
    from prompt_toolkit.output import ColorDepth
    from prompt_toolkit.shortcuts import CompleteStyle

    class Answers(Completer):
        """Options and commands in the language that is spoken, and else as they are written in every language."""

        words: tuple[str, ...] = ()
        written: tuple[str, ...] = ()

        def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
            """See `Completer`."""
            typed = document.text_before_cursor.lstrip()
            for words in (self.words, self.written if typed else ()):
                found = [word for word in words if word.casefold().startswith(typed.casefold())]
                yield from (Completion(word, -len(typed)) for word in found)
                if found:
                    break

    completer = Answers()
    session: PromptSession[str] = PromptSession(
        completer=completer,
        complete_while_typing=False,
        complete_style=CompleteStyle.READLINE_LIKE,
        color_depth=None if screen.colour else ColorDepth.DEPTH_1_BIT,
        enable_suspend=True,
    )
    asked: Menu | None = None

    def read(question: str, menu: Menu, commands: Metacommands) -> str:
        nonlocal asked
        if menu is not asked:
            clear_typeahead(session.input)
            forget_what_was_typed()
            asked = menu
        asking = bool(menu.entries)
        texts = dict.fromkeys([*(e.text for e in menu.entries), *commands.spoken()])
        completer.words = tuple(map(printable, texts)) if asking else ()
        notations = dict.fromkeys([*(e.notation for e in menu.entries), *commands.words()])
        completer.written = tuple(map(printable, notations)) if asking else ()
        if not menu.entries and not menu.numbers:
            # Somebody else sits down: what was typed before may tell a hidden choice.
            session.default_buffer.history = session.history = InMemoryHistory()
            session.clipboard = InMemoryClipboard()
        with given_back(session.app):
            answer: str = session.prompt(f"{printable(question)} " if question else "> ")
        return answer[:LONGEST]

    return read


def reader(screen: Screen) -> Reader:
    """What fits the terminal."""
    return prompt_reader(screen) if screen.interactive and not dumb() else line_reader(screen)
