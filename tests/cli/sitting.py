"""A game on a full screen that a test plays by pressing keys from another thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from inspect import Signature, signature
from pathlib import Path

from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput
from prompt_toolkit.output import DummyOutput

from tests.small_games import write_rules
from wongar_dsl.cli.fullscreen.app import FullscreenApp
from wongar_dsl.cli.fullscreen.session import FullscreenSession
from wongar_dsl.cli.fullscreen.view import ScreenView
from wongar_dsl.cli.terminal.application import Terminal
from wongar_dsl.cli.terminal.screen import Screen
from wongar_dsl.engine import library
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.nlg.words import Translator
from wongar_dsl.render.text.lines import line_text
from wongar_dsl.session.game_session import GameSession

Script = Callable[..., None]

UP, DOWN, RIGHT, LEFT = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"
ENTER, TAB, ESCAPE = "\r", "\t", "\x1b"
PAGE_UP, PAGE_DOWN = "\x1b[5~", "\x1b[6~"
F2, F3 = "\x1bOQ", "\x1bOR"
ANNA, BEN, BOT = Seat("human", "Anna"), Seat("human", "Ben"), Seat("random", "Carl")


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
        self.app.app.key_processor.after_key_press += self._count_key
        self._failure: BaseException | None = None

    def _count_key(self, _: object) -> None:
        self._heard += 1

    @property
    def app(self) -> FullscreenApp:
        """Return the application that draws the screen."""
        return self.line_session.dialogue.app

    @property
    def view(self) -> ScreenView:
        """Return the current view model."""
        return self.app.view

    @property
    def text(self) -> str:
        """Return the text of the screen as drawn now."""
        return "\n".join(line_text(line).rstrip() for line in self.app.frame.lines())

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
        app = self.app
        self.wait_until(
            lambda: (
                self.view.kind == kind
                and app._current_question == self.view.question_number
                and app._answered_question < app._current_question
            )
        )

    def show(self, **changes: object) -> None:
        """Draw the view with changes."""
        self.line_session.dialogue.show(replace(self.view, drawn={}, **changes))

    def click(self, row: int, column: int) -> None:
        """Press and release the mouse."""
        self.press(*(f"\x1b[<0;{column + 1};{row + 1}{end}" for end in "Mm"))

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
        self.wait_until(lambda: self.view.question_number > self.app._answered_question)

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


def at_table(
    made: str | Callable[..., Sitting], *seats: Seat, first: str = "choice", **options: object
) -> Callable[[Script], Script]:
    """Make a test the script of a game, which it gets as `game` when the first question is asked.

    `made` is the name of a game, the text of its rules, or a function that returns the game.  If the test has
    parameters named `size`, `unicode` or `language`, they are those of the screen.
    """

    def decorate(test: Script) -> Script:
        def run(keys: PipeInput, tmp_path: Path, **given: object) -> None:
            own = {key: value for key, value in given.items() if key in ("size", "unicode", "language")}
            if isinstance(made, str):
                name = write_rules(tmp_path, made) if "\n" in made else made
                game = Sitting(name, seats, keys, tmp_path, **options, **own)  # type: ignore[arg-type]
            else:
                game = made(keys, tmp_path, **options, **own)

            def script() -> None:
                game.wait_for_question(first)
                test(game, **given)

            game.play(script)

        two, more = (list(signature(function).parameters.values()) for function in (run, test))
        run.__signature__ = Signature([*two[:2], *more[1:]])  # type: ignore[attr-defined]
        run.__name__, run.__doc__ = test.__name__, test.__doc__
        return run

    return decorate
