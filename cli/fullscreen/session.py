"""A game at a full screen: the same conversation as line by line, shown in panes."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from wongar_dsl.bots import Halt
from wongar_dsl.engine import Move
from wongar_dsl.narration.retelling import retold
from wongar_dsl.table.bots import decide
from wongar_dsl.table.digest import digest, last_decided
from wongar_dsl.table.ending import rows_at_the_end
from wongar_dsl.table.menu import Menu
from wongar_dsl.table.numbering import MOST
from wongar_dsl.table.places import places_of, places_of_move
from wongar_dsl.table.puzzle import Puzzle
from wongar_dsl.table.table import Table
from wongar_dsl.text.escapes import printable

from .. import saves
from ..pictures.scene import Place
from ..play import repeated, timed
from ..play.curtain import fall
from ..play.explaining import Explanation, indented
from ..play.menu import numbers
from ..play.metacommands import Metacommands
from ..play.results import scores
from ..play.session import Session
from ..terminal.screen import Screen, plain
from ..terminal.timed import Terminal
from .paper import Paper
from .stage import Stage
from .view import Kind, Lesson, Paragraph, View, yes_or_no

if TYPE_CHECKING:
    from ..pictures.scene import Scene

#: So long is looked ahead before a question is shown, in seconds, and at a time while it waits for its answer.
FIRST_LOOK, LOOK = 0.05, 0.02
#: So often it is shown what was found out meanwhile, in seconds.
AGAIN = 0.2


class _Commands(Metacommands):
    """The commands, of which leaving closes the full screen first."""

    def __init__(self, session: FullSession) -> None:
        super().__init__(session.display, session._agrees)
        self._close = session.close

    def leave(self) -> None:
        """See `Metacommands.leave`."""
        self._close()
        super().leave()


class FullSession(Session):
    """One table on a full screen, played to the end or until it is left."""

    def __init__(
        self, table: Table, screen: Screen, every_step: bool = False, forecast: bool = True,
        terminal: Terminal | None = None,
    ) -> None:  # fmt: skip
        """`screen` is the terminal below the full screen."""
        self.paper = Paper(screen)
        super().__init__(table, self.paper, self._read_answer, every_step, forecast)
        self.paper.looking = lambda: self.display.looking
        self.commands = _Commands(self)
        self._view = View(0, "wait", table.words, table.words.say("screen.one_moment"))
        terminal = terminal or Terminal(screen.colour, screen.unicode)
        self.stage = Stage(terminal, self._view)
        self._asked = 0
        self._steps = 0
        self._question, self._hint = "", ""
        self._looked = 0.0
        self._advice = Lesson()
        self._typed = ""

    def run(self, resumed: bool = False) -> int:
        """See `Session.run`."""
        return self.stage.run(lambda: super(FullSession, self).run(resumed))

    def close(self) -> None:
        """Tell what still waits to be told, and give the terminal back."""
        if not self.paper.closed:
            self.paper.answering = False
            self.display.finish()
            self.stage.close()
            self.paper.closed = True

    # ---- views ----

    def _see(self, kind: Kind, question: str = "", menu: Menu | None = None, hint: str = "") -> View:
        """What is to be seen now, with another question."""
        match, viewer = self.table.match, self._viewer
        self._asked += 1
        self._tell_again_if_taken_back()
        since = self._since(viewer)
        story, fresh = self.paper.told(since)
        found = digest(match, self.table.narrator, viewer, since) if kind in ("choice", "lesson") else None
        scene = self.display.scene(viewer)
        scene = replace(
            scene,
            position=match.state.copy(),
            marked=found.changed if found is not None else self._marked(scene),
        )
        shown = menu or Menu(())
        self._view = View(
            self._asked, kind, self.table.words, question, hint, shown, scene, story, fresh,
            found, tuple(self.paper.notes), self._touched(shown, scene), self._led(shown), self._completions(shown),
            viewer=viewer, since=since,
        )  # fmt: skip
        return self._view

    def _marked(self, scene: Scene) -> frozenset[Place]:
        """What was marked is so until somebody is asked again; at the end it is what the rules look for."""
        if scene.state.over:
            return scene.marked
        return self._view.scene.marked if self._view.scene is not None else scene.marked

    @property
    def _viewer(self) -> int | None:
        """Whose eyes the screen is for: who is asked, where nobody has secrets, else who looks."""
        match, looking = self.table.match, self.display.looking
        if looking is not None or self._apart or match.state.over:
            return looking
        return match.state.seat if match.state.seat in self.display.humans else None

    def _since(self, viewer: int | None) -> int:
        """How many steps there were at the end of a viewer's last turn; a turn can have several decisions."""
        match = self.table.match
        end = len(match.steps)
        while viewer is not None and end and match.steps[end - 1].seat == viewer:
            end -= 1
        if viewer is None:
            return last_decided(match, None)
        return next((n + 1 for n in reversed(range(end)) if match.steps[n].seat == viewer), 0)

    def _touched(self, menu: Menu, scene: Scene | None) -> dict[int, frozenset[Place]]:
        """The areas that each option touches, as far as that is known yet."""
        state = self.table.match.state
        if state.decision is None:
            return {}
        found: dict[int, frozenset[Place]] = {}
        for entry in menu.entries:
            forecast = self.display.outlook.of(entry.move) if menu.part is None else None
            if forecast is not None:
                found[entry.number] = forecast.places - forecast.later
            elif menu.part is None:
                found[entry.number] = places_of_move(state, entry.move)
            elif menu.part:
                kind = state.decision.options[entry.move.option].parameters[menu.part - 1][1]
                found[entry.number] = frozenset(places_of(state, kind, entry.move.raw[menu.part]))
            aim = scene.aims.get(entry.move) if scene is not None and menu.part is None else None
            if aim is not None and aim.laid is not None:
                # A card that would be laid lies nowhere yet: the empty place for it is named by no move.
                found[entry.number] = found.get(entry.number, frozenset()) | {(aim.board, aim.area)}
        return found

    def _led(self, menu: Menu) -> dict[int, frozenset[Place]]:
        """The areas to which each option could lead, as far as that is known yet."""
        found = {entry.number: self.display.outlook.of(entry.move) for entry in menu.entries}
        known = menu.part is None
        return {number: one.later for number, one in found.items() if known and one is not None and one.later}

    def _completions(self, menu: Menu) -> tuple[str, ...]:
        texts = dict.fromkeys([e.text for e in menu.entries] + [e.notation for e in menu.entries])
        return (*texts, *self.commands.words()) if menu.entries else ()

    def _tell_again_if_taken_back(self) -> None:
        """Begin the story anew where steps were taken back, or where a game goes on that began before."""
        match, viewer = self.table.match, self.display.looking
        if len(match.steps) < self._steps:
            self.paper.forget()
        if not self.paper.knows(viewer):
            told = retold(self.table.narrator, match, viewer, self.display.every_step)
            self.paper.tell_again(viewer, (("strong" if line.heading else "", line.text) for line in told))
            self.display.skip(viewer)
        self._steps = len(match.steps)

    # ---- questions ----

    def menu(self, seat: int, chosen: tuple[int, ...]) -> Menu:
        """See `Session.menu`; what is more than a list can show, and stands on no map, is asked for part by part."""
        state = self.table.match.state
        if len(state.legal_moves()) <= MOST or self.display.scene(seat).aims:
            return super().menu(seat, chosen)
        return Menu.of(state, self.table.narrator, chosen, self.table.numbering, MOST)

    def _put(self, menu: Menu, puzzle: Puzzle | None) -> None:
        """See `Session._put`."""
        words, state = self.table.words, self.table.match.state
        self._advice = _lesson(self.onlooker.advice(self) if self.onlooker is not None else ())
        self._question = self.table.narrator.prompt(state)
        self._hint = words.say("screen.part") if menu.part is not None or self._begun else ""
        if menu.numbers:
            self._hint = words.say("cli.which_number", None, numbers=numbers(menu, words))
        self.paper.answering = True
        if puzzle is not None:
            timed.show(self.display, puzzle)
        elif state.clock is not None:
            timed.tell_how(self.display, menu)
        # It stands with the question, so that no answer to a slip takes its place.
        self._hint = " ".join(text for text in (self._hint, repeated.offer(self.display, menu)) if text)

    def _read_answer(self, question: str, menu: Menu, commands: Metacommands) -> str:
        """See `Session.read`."""
        meant = self._meant(menu) if any(note.style == "wrong" for note in self.paper.notes) else None
        view = self._view = replace(
            self._see("choice", question or self._question, menu, self._hint), begun=self._begun, lesson=self._advice,
            meant=meant,
        )  # fmt: skip
        self._looked = time.monotonic()
        answer = self._typed = self.stage.ask(view, self._look_further)
        self.paper.notes.clear()
        self.paper.answering = True
        return answer

    def _meant(self, menu: Menu) -> int:
        """The only option that can have been meant by what was typed last; 0 for none."""
        near = menu.near(self._typed)
        return near[0].number if len(near) == 1 else 0

    def _look_ahead(self) -> None:
        """See `Session._look_ahead`; the rest comes while the question waits."""
        end = time.monotonic() + FIRST_LOOK
        self.display.outlook.work(lambda: time.monotonic() > end)

    def _look_further(self) -> View | None:
        """Look a little further ahead; what was found is shown from time to time."""
        if not self._looked or self._view.menu.part is not None:
            return None
        end = time.monotonic() + LOOK
        complete = self.display.outlook.work(lambda: time.monotonic() > end)
        if not complete and time.monotonic() < self._looked + AGAIN:
            return None
        self._looked = 0.0 if complete else time.monotonic()
        menu = self.display.outlook.told(self._view.menu, self.table.narrator)
        if menu == self._view.menu:
            return None
        touched, led = self._touched(menu, self._view.scene), self._led(menu)
        self._view = replace(self._view, menu=menu, touched=touched, led=led)
        return self._view

    def _agrees(self, question: str) -> bool:
        """See `Session._agrees`."""
        menu = yes_or_no(self.table.words)
        before = self._view
        self._asked += 1
        self._view = replace(
            before, asked=self._asked, kind="agree", question=question, hint="", menu=menu, notes=(), touched={}, led={}
        )
        try:
            answer = self.stage.ask(self._view)
        except EOFError:
            return False
        entry = menu.exact(answer)
        return saves.means_yes(answer, self.table.words) or (entry is not None and entry == menu.entries[0])

    # ---- what an onlooker says ----

    def explain(self, explained: Sequence[Explanation], last: bool) -> bool:
        """See `Session.explain`."""
        lesson, say = _lesson(explained), self.table.words.say
        if not last:
            self._view = replace(self._see("lesson"), lesson=lesson, touched={0: lesson.places})
            self.stage.ask(self._view)
            return True
        menu = yes_or_no(self.table.words)
        while True:
            self._view = replace(self._see("choice", say("learn.alone")), lesson=lesson, menu=menu)
            answer = self.stage.ask(self._view)
            meant = [one for one in (menu.exact(answer),) if one is not None] or menu.said(answer)
            if len(meant) == 1 or saves.means_yes(answer, self.table.words):
                return not meant or meant[0] == menu.entries[0]
            if self.commands.words().get(answer.strip().casefold()) == "quit":
                return False

    def _advise(self) -> None:
        """See `Session._advise`; it is shown with the question, but not where that takes the whole screen."""
        if self.onlooker is not None and timed.full_screen(self.display):
            advice = self.onlooker.advice(self)
            if advice:
                self.explain(advice, False)

    # ---- who looks ----

    def _hand_over(self, seat: int | None) -> None:
        """See `Session._hand_over`."""
        looking = self.display.looking
        self.paper.answering = False
        if self._apart and seat != looking:
            self.paper.begin_anew()
            fall(self.display, self._confirm, seat)
            self.paper.answering = False
            self.paper.notes.clear()
            self.display.looking = seat
        elif not self._apart:
            self.table.speak_to(seat if looking is None else looking)
        self._tell_again_if_taken_back()
        self.display.tell(self.display.looking, seat=seat)

    def _confirm(self, question: str) -> None:
        """Wait for somebody: over the panes as long as it is theirs that are seen, then before the curtain."""
        if not self.paper.covered:
            self.display.tell(self.display.looking)
            self.stage.ask(self._see("pause", question))
            return
        said = "\n".join([*(paragraph.text for paragraph in self.paper.notes), question])
        self._asked += 1
        self.stage.ask(View(self._asked, "curtain", self.table.words, said))

    # ---- the course of the game ----

    def play(self, move: Move, took: int = 0) -> None:
        """See `Session.play`."""
        super().play(move, took)
        self.paper.answering = False
        self.paper.notes.clear()
        self.paper.steps = self._steps = len(self.table.match.steps)

    def _show(self, seat: int) -> None:
        """See `Session._show`; the panes are drawn with the question."""
        self.shown_to = seat

    def _say_who_thinks(self, seat: int) -> None:
        question = self.table.words.say("cli.thinks", player=self.table.narrator.player(seat))
        self.stage.show(self._see("wait", question))

    def _thought(self) -> tuple[Move, int]:
        """See `Session._thought`; the screen stays alive meanwhile."""
        match = self.table.match
        if match.seats[match.state.seat].kind == "random":
            return decide(match)
        halt = Halt()
        try:
            return self.stage.await_(lambda: decide(match, halt))
        except BaseException:
            # Nobody waits for what is not wanted any more.
            halt.ask()
            raise

    def _timed(self, seat: int) -> tuple[Move, int]:
        """See `Session._timed`."""

        def ask() -> tuple[Move, int]:
            try:
                return timed.ask(self.display, seat)
            finally:
                # What was shown before is long over when the panes come back: nothing is seen until they are drawn.
                self.stage.show(View(0, "wait", self.table.words))

        return self.stage.elsewhere(ask)

    def ask_after(self, question: str) -> str:
        """See `Session.ask_after`; the full screen is left by then."""
        return input(printable(question) + " ")

    def _show_the_end(self) -> None:
        """Show the last position until somebody has seen it; the result stays on the terminal."""
        narrator, match = self.table.narrator, self.table.match
        ending = narrator.ending(match.state.winners)
        if self.display.humans:
            table = scores(narrator, rows_at_the_end(match.state, narrator), match.state.winners)
            self.paper.notes = [Paragraph("", plain(line).rstrip()) for line in table if line]
            with contextlib.suppress(EOFError):
                self.stage.ask(self._see("pause", ending))
        self.close()
        self.screen.text(ending, "strong")


def _lesson(explained: Sequence[Explanation]) -> Lesson:
    """Explanations as they are shown in panes: what is to be read first, then what the rules say."""

    def paragraphs(texts: Iterable[tuple[str, str]]) -> tuple[Paragraph, ...]:
        return tuple(Paragraph(style, text, " " * indented(text)) for style, text in texts)

    return Lesson(
        paragraphs(chain.from_iterable((*one.said, *one.suggested) for one in explained)),
        paragraphs(chain.from_iterable(one.small_print for one in explained)),
        frozenset(chain.from_iterable(one.places for one in explained)),
    )
