"""A game on a full screen that a test plays by pressing keys from another thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput
from prompt_toolkit.output import DummyOutput

from wongar_dsl.cli.fullscreen.screen_session import FullscreenSession
from wongar_dsl.cli.fullscreen.view import ScreenView
from wongar_dsl.cli.terminal.screen import Screen
from wongar_dsl.cli.terminal.terminal_io import Terminal
from wongar_dsl.engine import library
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.nlg.words import Translator
from wongar_dsl.render.text.lines import line_text
from wongar_dsl.session.game_session import GameSession

UP, DOWN, RIGHT, LEFT = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"
ENTER, TAB, BACK_TAB, ESCAPE = "\r", "\t", "\x1b[Z", "\x1b"
PAGE_UP, PAGE_DOWN = "\x1b[5~", "\x1b[6~"
F2, F3 = "\x1bOQ", "\x1bOR"
ANNA, BEN, BOT = Seat("human", "Anna"), Seat("human", "Ben"), Seat("random", "Carl")
CTRL_C, CTRL_D = "\x03", "\x04"


class Sized(DummyOutput):
    """Output with a size set by the test."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows

    def get_size(self) -> Size:
        return Size(rows=self.rows, columns=self.columns)


def unhurried_clock() -> Callable[[], float]:
    """Return a clock that advances 10 s per reading, so that no key counts as pressed too early."""
    times = iter(range(0, 10**9, 10))
    return lambda: float(next(times))


class Sitting:
    """Table on a full screen; a script presses keys in a second thread."""

    def __init__(
        self, name: str | Path, seats: Sequence[Seat], keys: PipeInput, folder: Path, *, language: str = "en",
        size: tuple[int, int] = (100, 40), seed: int = 3, unicode: bool = True, now: Callable[[], float] | None = None,
        moves: Sequence[int] = (),
    ) -> None:  # fmt: skip
        """Play `moves` first: indices into the list of legal moves, modulo its length."""
        rules = library.load(name)
        match = Match.begin(rules.game(len(seats)), seats, seed, rules.hash)
        for number in moves:
            options = match.state.legal_moves()
            match.play(options[number % len(options)])
        self.session = GameSession(
            rules, match, Translator.load(language, rules.words_beside), "", folder / "save.json"
        )
        self.keys, self.output = keys, Sized(*size)
        screen = Screen(interactive=True)
        screen.unicode = unicode
        terminal = Terminal(False, unicode, keys, self.output, now or unhurried_clock())
        self.line_session = FullscreenSession(self.session, screen, terminal=terminal)
        self._heard = 0
        self.line_session.dialogue.app.app.key_processor.after_key_press += self._count_key
        self._failure: BaseException | None = None

    def _count_key(self, _: object) -> None:
        self._heard += 1

    @property
    def view(self) -> ScreenView:
        """Return the current view model."""
        return self.line_session.dialogue.app.view

    @property
    def text(self) -> str:
        """Return the text of the screen as drawn now."""
        lines = self.line_session.dialogue.app.frame.lines()
        return "\n".join(line_text(line).rstrip() for line in lines)

    @property
    def choices(self) -> list[str]:
        """Return the choices made so far."""
        return [step.text for step in self.session.match.steps]

    def wait_until(self, there: Callable[[], object], seconds: float = 20) -> None:
        """Wait until the condition holds."""
        end = time.monotonic() + seconds
        while not there():
            assert time.monotonic() < end, f"{self.view}\n{self.text}"
            time.sleep(0.005)

    def wait_for_question(self, kind: str = "choice") -> None:
        """Wait until a question of this kind has been drawn."""
        app = self.line_session.dialogue.app
        self.wait_until(
            lambda: (
                self.view.kind == kind
                and app._current_question == self.view.question_number
                and app._answered_question < app._current_question
            )
        )

    def press(self, *keys: str) -> None:
        """Press keys one after the other, and wait until each has been handled."""
        for key in keys:
            before = self._heard
            self.keys.send_text(key)
            # A special key is one press, and a text one for each character.
            presses = 1 if key.startswith("\x1b") else len(key)
            self.wait_until(lambda wanted=before + presses: self._heard >= wanted)

    def press_repeatedly(self, key: str, times: int) -> None:
        """Press a key several times at once, so that the screen is drawn only for the last press."""
        wanted = self._heard + times
        self.keys.send_text(key * times)
        self.wait_until(lambda: self._heard >= wanted)

    def answer(self, *keys: str) -> None:
        """Wait for a choice, press keys, and wait for the next question."""
        self.wait_for_question()
        before = self.view.question_number
        self.press(*keys)
        self.wait_until(lambda: self.view.question_number > before)

    def wait_for_change(self) -> None:
        """Wait until the answered question has been replaced."""
        self.wait_until(lambda: self.view.question_number > self.line_session.dialogue.app._answered_question)

    def play(self, script: Callable[[], None]) -> int:
        """Play until script and game have ended. Leave the game if the script ends first."""

        def run_script() -> None:
            try:
                script()
            except BaseException as failure:
                self._failure = failure
            self.line_session.dialogue._inbox.put(EOFError())

        thread = threading.Thread(target=run_script, daemon=True)
        thread.start()
        try:
            return self.line_session.run()
        finally:
            thread.join(5)
            if self._failure is not None:
                raise self._failure
