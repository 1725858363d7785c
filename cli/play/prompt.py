"""Input of answers at a terminal, with line editing, history and completion."""

from __future__ import annotations

from collections.abc import Iterable

from prompt_toolkit.clipboard import InMemoryClipboard
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input.typeahead import get_typeahead
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.shortcuts import CompleteStyle, PromptSession

from wongar_dsl.base.terminal_text import escape_text
from wongar_dsl.session.game_session import GameSession
from wongar_dsl.session.menu import Menu

from ..terminal.screen import MAX_LINE_LENGTH, Screen
from ..terminal.signals import restored_screen
from .input import Typeahead, discard_terminal_input
from .metacommands import Metacommands
from .terminal_session import Reader


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


def prompt_reader(screen: Screen, session: GameSession) -> Reader:
    """Return a reader with line editing, history and completion."""
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
