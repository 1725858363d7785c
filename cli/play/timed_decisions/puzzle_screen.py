"""Timed puzzle solved with the keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from prompt_toolkit.key_binding import KeyPressEvent

from wongar_dsl.base.text.terminal import fold
from wongar_dsl.nlg.words import Translator
from wongar_dsl.render.text.lines import Line
from wongar_dsl.render.text.puzzle import board_lines
from wongar_dsl.session.puzzle import PuzzleLayout

from ...terminal.countdown import CountdownScreen
from ...terminal.terminal_io import Terminal


class PuzzleScreen(CountdownScreen):
    """Placement of puzzle pieces on an area.

    The answer is the move of a covering, None if the player gives up.
    """

    def __init__(
        self, terminal: Terminal, words: Translator, limit_ms: int | None, layout: PuzzleLayout, question: str,
        ready: Sequence[Line], table: Sequence[Line],
    ) -> None:  # fmt: skip
        super().__init__(terminal, words, limit_ms)
        self.layout, self.question, self.ready, self.table = layout, question, ready, table
        on = self.keys.add
        for key, down, right in (("up", -1, 0), ("down", 1, 0), ("left", 0, -1), ("right", 0, 1)):
            on(key)(self._when_running(partial(self._move, down, right)))
        on(" ")(self._when_running(lambda _: self.layout.turn()))
        for name in ("f", "F", "/"):
            on(name)(self._when_running(lambda _: self.layout.flip()))
        for number, piece in enumerate(list(layout.puzzle.pieces)[:9], 1):
            on(str(number))(self._when_running(partial(self._hold, piece)))
        on("tab")(self._when_running(lambda _: self.layout.hold_next()))
        on("s-tab")(self._when_running(lambda _: self.layout.hold_next(-1)))
        for name in ("backspace", "delete"):
            on(name)(self._when_running(lambda _: self.layout.pick_up()))
        on("enter")(self._enter)
        on("escape", eager=True)(self._give_up)
        on("c-d")(lambda event: event.app.exit(exception=EOFError()))
        on("c-c")(lambda event: event.app.exit(exception=KeyboardInterrupt()))

    def _give_up(self, event: KeyPressEvent) -> None:
        """Give up on the second Esc in a row, since one is easily pressed by mistake."""
        confirmation = self.words.say("cli.puzzle.sure")
        if self.note == confirmation:
            event.app.exit(result=None)
        self.note = confirmation

    def _when_running(self, do: Callable[[KeyPressEvent], object]) -> Callable[[KeyPressEvent], None]:
        def handler(event: KeyPressEvent) -> None:
            if self.started is not None:
                self.note = ""
                do(event)

        return handler

    def _move(self, down: int, right: int, event: KeyPressEvent) -> None:
        self.layout.move(down, right)

    def _hold(self, piece: int, event: KeyPressEvent) -> None:
        self.layout.hold(piece)

    def _enter(self, event: KeyPressEvent) -> None:
        if self.started is None:
            self.note = ""
            self.start()
            return
        self.note = "" if self.layout.lay() or self.layout.held is None else self.words.say("cli.puzzle.no_room")
        if self.layout.solution is not None:
            event.app.exit(result=self.layout.solution)

    def lines(self) -> list[Line]:
        """See `CountdownScreen.lines`."""
        size, keys = self.app.output.get_size(), self._help()
        if self.started is None:
            # The key hints remain visible, however much is above or below them.
            ready = self.ready[-max(1, size.rows - len(keys) - 1) :]
            return [*ready, [("wrong", self.note)], *keys, [], *self.table]
        question: list[Line] = [[("question", text)] for text in fold(self.question, size.columns - 1)]
        lines = [*question, [], self.clock_line(), []]
        room = size.rows - len(lines) - len(keys) - 1
        free, wall = "·▒" if self.terminal.unicode else ".#"
        board = board_lines(self.layout, free, wall, self.words.say("cli.puzzle.placed"), size.columns, room)
        return [*lines, *board[: max(1, room)], [("wrong", self.note)], *keys]

    def _help(self) -> list[Line]:
        return [*self.message_lines("cli.puzzle.keys"), *self.message_lines("cli.puzzle.more_keys")]
