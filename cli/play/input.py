"""Input of answers: with completion at a terminal, line by line elsewhere."""

from __future__ import annotations

import contextlib
import select
import sys
from collections.abc import Callable, Iterable

from wongar_dsl.base.text.terminal import escape_text
from wongar_dsl.session.game_session import GameSession
from wongar_dsl.session.menu import Menu

from ..terminal.screen import MAX_LINE_LENGTH, Screen, is_dumb
from ..terminal.signals import restored_screen
from .metacommands import Metacommands
from .terminal_session import Reader


class Typeahead:
    """Input typed before a question is shown: discarded for a new question, kept for one that is asked again."""

    def __init__(self, screen: Screen, session: GameSession, discard: Callable[[], bool]) -> None:
        """`discard` drops pending input and returns whether there was any."""
        self._screen, self._session, self._discard = screen, session, discard
        #: The last question of the game: number of decisions before it, and part of the choice.
        self._question: tuple[int, int | None] | None = None

    def before_question(self, menu: Menu) -> None:
        """Discard input typed before this question was shown, with a message; an empty menu is another question."""
        question = (len(self._session.match.steps), menu.part) if menu.entries or menu.numbers else None
        if question is not None and question == self._question:
            return
        self._question = question or self._question
        if self._discard():
            self._screen.text(self._session.words.say("cli.typed_too_early"), "faint")


def discard_terminal_input() -> bool:
    """Drop pending terminal input and return whether there was a line."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import termios

        with contextlib.suppress(termios.error):
            pending = bool(select.select([sys.stdin], [], [], 0)[0])
            termios.tcflush(sys.stdin, termios.TCIFLUSH)
            return pending
    return False


def line_reader(screen: Screen, session: GameSession) -> Reader:
    """Return a reader of plain lines, one answer each."""
    typeahead = Typeahead(screen, session, discard_terminal_input)

    def read(question: str, menu: Menu, commands: Metacommands) -> str:
        typeahead.before_question(menu)
        if question:
            screen.text(question, "question")
        answer = screen.ask(">").strip().replace("\x00", "")
        if not sys.stdin.isatty():
            screen.stream.write(f"{''.join(c for c in answer if c.isprintable())}\n")
        return answer

    return read


def prompt_reader(screen: Screen, session: GameSession) -> Reader:
    """Return a reader with line editing, history and completion."""
    from prompt_toolkit.clipboard import InMemoryClipboard
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion
    from prompt_toolkit.document import Document
    from prompt_toolkit.history import InMemoryHistory
    from prompt_toolkit.input.typeahead import get_typeahead
    from prompt_toolkit.keys import Keys
    from prompt_toolkit.output import ColorDepth
    from prompt_toolkit.shortcuts import CompleteStyle, PromptSession

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
    prompt_session: PromptSession[str] = PromptSession(
        completer=completer,
        complete_while_typing=False,
        complete_style=CompleteStyle.READLINE_LIKE,
        color_depth=None if screen.colour else ColorDepth.DEPTH_1_BIT,
        enable_suspend=True,
    )

    def discard() -> bool:
        # The terminal's reports of the cursor position are not typed.
        keys = [press for press in get_typeahead(prompt_session.input) if press.key is not Keys.CPRResponse]
        return discard_terminal_input() or bool(keys)

    typeahead = Typeahead(screen, session, discard)

    def read(question: str, menu: Menu, commands: Metacommands) -> str:
        typeahead.before_question(menu)
        asking = bool(menu.entries)
        texts = dict.fromkeys([*(e.text for e in menu.entries), *commands.spoken()])
        completer.words = tuple(map(escape_text, texts)) if asking else ()
        notations = dict.fromkeys([*(e.notation for e in menu.entries), *commands.words()])
        completer.written = tuple(map(escape_text, notations)) if asking else ()
        if not menu.entries and not menu.numbers:
            # Another player takes over, and earlier input may reveal a hidden choice.
            prompt_session.default_buffer.history = prompt_session.history = InMemoryHistory()
            prompt_session.clipboard = InMemoryClipboard()
        with restored_screen(prompt_session.app):
            answer: str = prompt_session.prompt(f"{escape_text(question)} " if question else "> ")
        return answer[:MAX_LINE_LENGTH]

    return read


def answer_reader(screen: Screen, session: GameSession) -> Reader:
    """Return the reader that suits the terminal."""
    reader = prompt_reader if screen.interactive and not is_dumb() else line_reader
    return reader(screen, session)
