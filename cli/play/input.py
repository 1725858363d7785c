"""Input of answers: with completion at a terminal, line by line elsewhere."""

from __future__ import annotations

import contextlib
import select
import sys
from collections.abc import Callable

from wongar_dsl.session.game_session import GameSession
from wongar_dsl.session.menu import Menu

from ..terminal.screen import Screen, is_dumb
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


def answer_reader(screen: Screen, session: GameSession) -> Reader:
    """Return the reader that suits the terminal."""
    if not screen.interactive or is_dumb():
        return line_reader(screen, session)
    # Imported here because it needs the library for line editing.
    from .prompt import prompt_reader

    return prompt_reader(screen, session)
