"""Walking through a saved game: on a full screen with the keys, or line by line."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from wongar_dsl.engine.events import EVERYTHING
from wongar_dsl.narration.narrator import Narrator
from wongar_dsl.table.replay import Replay, Shown
from wongar_dsl.table.table import Table
from wongar_dsl.text.width import folded
from wongar_dsl.words import Text

from .pictures.position import BELOW, hands, picture, signs
from .pictures.puzzle import lying
from .pictures.scene import Scene
from .terminal.screen import Line, Screen, dumb

#: What is typed for each way to go on, without a terminal and with one.
FORWARD, BACK, FIRST, LAST, LEAVE = frozenset("n+"), frozenset("b-"), frozenset("<"), frozenset(">"), frozenset("q")


class Walk:
    """A game and where somebody stands in it."""

    def __init__(self, table: Table, viewer: int | None, screen: Screen) -> None:
        self.table, self.viewer, self.screen = table, viewer, screen
        self.replay = Replay(table.match, table.narrator, viewer)
        self.number = 0
        # The sign of what has changed means something else at a table: since one's own turn.
        self.known = {"*"}

    def go(self, typed: str) -> bool:
        """Go where somebody wants to; False where that means nothing."""
        last = len(self.replay)
        if not typed or typed in FORWARD:
            self.number = min(last, self.number + 1)
        elif typed in BACK:
            self.number = max(0, self.number - 1)
        elif typed in FIRST:
            self.number = 0
        elif typed in LAST:
            self.number = last
        elif typed.isascii() and typed.isdigit() and len(typed) < 7 and int(typed) <= last:
            self.number = int(typed)
        else:
            return False
        return True

    def lines(self, height: int = 0) -> Iterator[Line]:
        """The step at which somebody stands: what came of it, and the position after it."""
        shown, narrator = self.replay.at(self.number), self.table.narrator
        told: list[Line] = [[("strong", line)] for line in self._folded(self._heading(shown, narrator))]
        for sentence in shown.lines:
            style = "strong" if sentence.heading else ""
            told += ([(style, f"  {line}")] for line in self._folded(sentence.text))
        told += self._puzzle(shown, narrator)
        yield from told
        yield []
        yield from self._position(shown, height and max(1, height - 1 - len(told)))

    def _puzzle(self, shown: Shown, narrator: Narrator) -> Iterator[Line]:
        """How a puzzle was solved, or how it could have been."""
        if shown.laying is None or shown.seat is None:
            return
        if shown.lost:
            yield []
            said = self.table.words.say("ending.solution", None, player=narrator.player(shown.seat))
            yield from ([("strong", line)] for line in self._folded(said))
        yield from lying(shown.laying)

    def _folded(self, text: str) -> list[str]:
        """A text in lines, at a terminal of its width."""
        screen = self.screen
        return folded(text, screen.width - 3) if screen.interactive or screen.stream.isatty() else [text]

    def _heading(self, shown: Shown, narrator: Narrator) -> str:
        say, n, of = self.table.words.say, shown.number, len(self.replay)
        if shown.seat is None:
            return say("cli.replay.start", None, of=of)
        player = narrator.player(shown.seat)
        if not shown.choice:
            return say("cli.replay.step", None, n=n, of=of, player=player)
        return say("cli.replay.choice", None, n=n, of=of, player=player, choice=Text(shown.choice))

    def _position(self, shown: Shown, height: int) -> Iterator[Line]:
        everything = self.viewer == EVERYTHING

        def scene(viewer: int | None, height: int = 0) -> Scene:
            table, screen = self.table, self.screen
            # No question stands below.
            where = (screen.width, screen.unicode, height and height + BELOW)
            return Scene(shown.state, table.narrator, table.letters, viewer, *where, marked=shown.marked)

        seats = range(self.table.match.game.seats) if everything else ()
        held = [line for seat in seats for line in hands(scene(seat))]
        seen = scene(None if everything else self.viewer, height and max(1, height - len(held)))
        yield from picture(seen, self.known)
        if not self.screen.interactive:
            self.known |= signs(seen).keys()  # What was explained stands above.
        yield from held


def walk(table: Table, viewer: int | None, screen: Screen) -> int:
    """Walk through a game; gives the exit code."""
    at = Walk(table, viewer, screen)
    if screen.interactive and not dumb():
        from .replay_screen import ReplayScreen

        ReplayScreen(at).run()
        return 0
    typed = False
    screen.lines(at.lines())
    for line in sys.stdin:
        answer, typed = line.strip(), True
        if answer in LEAVE:
            return 0
        if at.go(answer):
            screen.line()
            screen.lines(at.lines())
        else:
            screen.text(table.words.say("cli.replay.how", None, n=len(at.replay)), "wrong")
    # Nobody says anything: then all of it is shown.
    while not typed and at.number < len(at.replay):
        at.go("")
        screen.line()
        screen.lines(at.lines())
    return 0
