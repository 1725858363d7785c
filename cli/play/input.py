"""Input of answers: with completion at a terminal, line by line elsewhere."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable

from wongar_dsl.base.terminal_safe import escape_text
from wongar_dsl.session.options.menu import Menu

from ..terminal.screen import Screen, is_dumb
from ..terminal.signals import restored_screen
from .metacommands import Metacommands
from .session import Reader

MAX_LINE_LENGTH = 10_000


def discard_typeahead() -> None:
    """Drop pending terminal input, since it was typed before the question was shown."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import termios

        with contextlib.suppress(termios.error):
            termios.tcflush(sys.stdin, termios.TCIFLUSH)


def line_reader(screen: Screen) -> Reader:
    """Return a reader of plain lines, one answer each."""

    last_menu: Menu | None = None

    def read(question: str, menu: Menu, commands: Metacommands) -> str:
        nonlocal last_menu
        if menu is not last_menu:
            discard_typeahead()
            last_menu = menu
        if question:
            screen.text(question, "question")
        screen.stream.write("> ")
        screen.stream.flush()
        line = sys.stdin.readline(MAX_LINE_LENGTH)
        if not line:
            raise EOFError
        answer = line.strip().replace("\x00", "")
        if not sys.stdin.isatty():
            screen.stream.write(f"{''.join(c for c in answer if c.isprintable())}\n")
        return answer

    return read


def prompt_reader(screen: Screen) -> Reader:
    """Return a reader with line editing, history and completion."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.clipboard import InMemoryClipboard
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion
    from prompt_toolkit.document import Document
    from prompt_toolkit.history import InMemoryHistory
    from prompt_toolkit.input.typeahead import clear_typeahead
    from prompt_toolkit.output import ColorDepth
    from prompt_toolkit.shortcuts import CompleteStyle

    class Answers(Completer):
        """Completer for options and commands in the user's language, then in notation."""

        words: tuple[str, ...] = ()
        written: tuple[str, ...] = ()

        def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
            """See `Completer`."""
            typed = document.text_before_cursor.lstrip()
            for words in (self.words, self.written if typed else ()):
                candidates = [word for word in words if word.casefold().startswith(typed.casefold())]
                yield from (Completion(word, -len(typed)) for word in candidates)
                if candidates:
                    break

    completer = Answers()
    session: PromptSession[str] = PromptSession(
        completer=completer,
        complete_while_typing=False,
        complete_style=CompleteStyle.READLINE_LIKE,
        color_depth=None if screen.colour else ColorDepth.DEPTH_1_BIT,
        enable_suspend=True,
    )
    last_menu: Menu | None = None

    def read(question: str, menu: Menu, commands: Metacommands) -> str:
        nonlocal last_menu
        if menu is not last_menu:
            clear_typeahead(session.input)
            discard_typeahead()
            last_menu = menu
        asking = bool(menu.entries)
        texts = dict.fromkeys([*(e.text for e in menu.entries), *commands.spoken()])
        completer.words = tuple(map(escape_text, texts)) if asking else ()
        notations = dict.fromkeys([*(e.notation for e in menu.entries), *commands.words()])
        completer.written = tuple(map(escape_text, notations)) if asking else ()
        if not menu.entries and not menu.numbers:
            # Another player takes over, and earlier input may reveal a hidden choice.
            session.default_buffer.history = session.history = InMemoryHistory()
            session.clipboard = InMemoryClipboard()
        with restored_screen(session.app):
            answer: str = session.prompt(f"{escape_text(question)} " if question else "> ")
        return answer[:MAX_LINE_LENGTH]

    return read


def answer_reader(screen: Screen) -> Reader:
    """Return the reader that suits the terminal."""
    return prompt_reader(screen) if screen.interactive and not is_dumb() else line_reader(screen)
