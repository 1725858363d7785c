"""A game on a full screen: the same dialogue as line by line, shown in panes."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from wongar_dsl.engine import Move
from wongar_dsl.engine.bots import CancelToken
from wongar_dsl.nlg.narration.story import retell
from wongar_dsl.render.text.lines import Line, line_text
from wongar_dsl.session.changes import changes_since, last_decision_of
from wongar_dsl.session.ending import final_rows
from wongar_dsl.session.game_session import GameSession
from wongar_dsl.session.menu import MAX_STABLE_OPTIONS, Menu
from wongar_dsl.session.puzzle import Puzzle
from wongar_dsl.session.scene import BoardArea, areas_of_move, areas_of_value
from wongar_dsl.session.seats import decide

from ..language import is_yes
from ..play.display import Explanation, Paragraph
from ..play.ending import scores
from ..play.help import SHORT_FORMS
from ..play.menu import number_ranges, offer_repeats
from ..play.metacommands import Metacommands
from ..play.terminal_session import LineSession, show_privacy_screen
from ..play.timed import explain_time, show_puzzle, uses_countdown_screen
from ..play.timed_screens import ask_timed
from ..terminal.application import Terminal
from ..terminal.screen import Screen
from .app import DialogueThread
from .view import Kind, ScreenView, yes_or_no

if TYPE_CHECKING:
    from wongar_dsl.render.text.scene import TextScene


class MessageLog(Screen):
    """A screen that stores output for the panes."""

    scrolls = True

    def __init__(self, screen: Screen) -> None:
        """`screen` is the underlying terminal."""
        super().__init__(interactive=screen.interactive)
        self.stream, self.colour, self.unicode = screen.stream, screen.colour, screen.unicode
        #: Returns the viewer whose log is written; `answering` is set while output is a reply to an input.
        self.current_viewer: Callable[[], int | None] = lambda: None
        self.answering = False
        #: Shows a text in place of the question.
        self.show_wait: Callable[[str], None] = lambda text: None
        #: True while the table must not be visible.
        self.is_hidden = False
        #: Number of steps made so far, stored with each paragraph to find out what is new to a viewer.
        self.steps = 0
        self.notes: list[Paragraph] = []
        self._stories: dict[int | None, list[tuple[int, Paragraph]]] = {}
        #: The viewers whose log contains any events.
        self.begun: set[int | None] = set()

    def text(self, text: str, style: str = "", indent: str = "") -> None:
        """See `Screen.text`."""
        if self.answering:
            self.notes.append(Paragraph(style, text, indent))
        else:
            self._log().append((self.steps, Paragraph(style, text, "  ")))

    def announce(self, text: str) -> None:
        """See `Screen.announce`."""
        self.show_wait(text)

    def story(self, text: str, style: str = "") -> None:
        """See `Screen.story`."""
        self.begun.add(self.current_viewer())
        self._log().append((self.steps, Paragraph(style, text, "  ")))

    def line(self, pieces: Line = ()) -> None:
        """See `Screen.line`."""
        if line_text(pieces).strip():
            self.text(line_text(pieces).rstrip())

    def lines(self, lines: Iterable[Line]) -> None:
        """See `Screen.lines`."""
        for line in lines:
            self.text(line_text(line).rstrip())

    def clear(self) -> None:
        """Hide all output. Nothing has to be erased: the panes leave nothing in the terminal's scrollback."""
        self.is_hidden = True
        self.notes.clear()

    def begin_message_area(self) -> None:
        """Start a message area for the current viewer, until it is cleared."""
        self.is_hidden, self.answering = False, True
        self.notes.clear()

    # ---- for the panes ----

    def _log(self) -> list[tuple[int, Paragraph]]:
        return self._stories.setdefault(self.current_viewer(), [])

    def story_and_first_new(self, since: int) -> tuple[tuple[Paragraph, ...], int]:
        """Return the log of the current viewer, and the index of the first paragraph written after step `since`."""
        story = self._log()
        first = next((n for n, (steps, _) in enumerate(story) if steps > since), len(story))
        return tuple(paragraph for _, paragraph in story), first

    def rebuild_story(self, viewer: int | None, story: Iterable[tuple[str, str]]) -> None:
        """Append the events so far (style, sentence) to the current log, and store it for a viewer."""
        self.begun.add(viewer)
        self._stories[viewer] = [*self._log(), *((0, Paragraph(style, text, "  ")) for style, text in story)]

    def reset_stories(self) -> None:
        """Discard all logs, because steps were undone."""
        self._stories.clear()
        self.begun.clear()


#: Seconds of lookahead per call while a question waits for the answer.
LOOKAHEAD_S = 0.02
#: Seconds between updates of the forecasts shown.
REFRESH_INTERVAL_S = 0.2


class FullscreenSession(LineSession):
    """One session on a full screen, played until the game ends or the user quits."""

    #: The remaining forecasts are computed while the question waits.
    lookahead_s = 0.05

    def __init__(
        self, session: GameSession, screen: Screen, every_step: bool = False, forecast: bool = True,
        terminal: Terminal | None = None,
    ) -> None:  # fmt: skip
        """`screen` is the terminal below the full screen."""
        self._below, self.log = screen, MessageLog(screen)
        super().__init__(session, self.log, self._read_answer, every_step, forecast)
        self.log.current_viewer = lambda: self.display.viewer
        self.log.show_wait = lambda text: self.dialogue.show(self._new_view("wait", text))
        self.commands = Metacommands(self.display, self._confirm, self.close)
        self._view = ScreenView(0, "wait", session.words, session.words.say("screen.one_moment"))
        terminal = terminal or Terminal(screen.colour, screen.unicode)
        self.dialogue = DialogueThread(terminal, self._view)
        self._question_number = 0
        self._steps = 0
        self._question, self._hint = "", ""
        self._forecasts_shown_at = 0.0
        self._advice = Explanation()
        self._last_input = ""

    def run(self, resumed: bool = False) -> int:
        """See `LineSession.run`."""
        return self.dialogue.run(lambda: super(FullscreenSession, self).run(resumed))

    def close(self) -> None:
        """Report pending events, restore the terminal, and print to it from now on."""
        if self.screen is self.log:
            self.log.answering = False
            self.display.flush_deferred()
            self.dialogue.close()
            self.screen = self.display.screen = self._below

    # ---- views ----

    def _new_view(self, kind: Kind, question: str = "", menu: Menu | None = None, hint: str = "") -> ScreenView:
        """Create the view for a new question."""
        match, viewer = self.session.match, self._viewer
        self._question_number += 1
        self._rebuild_story_after_undo()
        since = self._previous_turn_end(viewer)
        story, first_new = self.log.story_and_first_new(since)
        summary = changes_since(match, self.session.narrator, viewer, since) if kind in ("choice", "lesson") else None
        scene = self.display.scene(viewer)
        marked = summary.changed if summary is not None else self._marked_areas(scene)
        scene = replace(scene, position=match.state.copy(), marked=marked)
        shown = menu or Menu(())
        self._view = ScreenView(
            self._question_number, kind, self.session.words, question, hint, shown, scene, story, first_new,
            summary, tuple(self.log.notes), self._touched_areas(shown, scene), self._reachable_areas(shown),
            self._completions(shown), viewer=viewer, since=since,
        )  # fmt: skip
        return self._view

    def _marked_areas(self, scene: TextScene) -> frozenset[BoardArea]:
        """Return the marked areas: kept until the next question, and at the end those the rules compute."""
        if scene.state.over:
            return scene.marked
        return self._view.scene.marked if self._view.scene is not None else scene.marked

    @property
    def _viewer(self) -> int | None:
        """The viewer of the screen.

        In a game without hidden information this is the player to move, otherwise the player at the screen.
        """
        match, viewer = self.session.match, self.display.viewer
        if viewer is not None or self._shared_with_secrets or match.state.over:
            return viewer
        return match.state.seat if match.state.seat in self.display.humans else None

    def _previous_turn_end(self, viewer: int | None) -> int:
        """Return the number of steps at the end of a viewer's previous turn; a turn can have several decisions."""
        match = self.session.match
        end = len(match.steps)
        while viewer is not None and end and match.steps[end - 1].seat == viewer:
            end -= 1
        return last_decision_of(match, viewer, end)

    def _touched_areas(self, menu: Menu, scene: TextScene | None) -> dict[int, frozenset[BoardArea]]:
        """Return the areas that each option affects, as far as known."""
        state = self.session.match.state
        if state.decision is None:
            return {}
        areas: dict[int, frozenset[BoardArea]] = {}
        for entry in menu.entries:
            forecast = self.display.forecasts.of(entry.move) if menu.part is None else None
            if forecast is not None:
                areas[entry.number] = forecast.places - forecast.later
            elif menu.part is None:
                areas[entry.number] = areas_of_move(state, entry.move)
            elif menu.part:
                kind = state.decision.options[entry.move.option].parameters[menu.part - 1][1]
                areas[entry.number] = frozenset(areas_of_value(state, kind, entry.move.raw[menu.part]))
            aim = scene.aims.get(entry.move) if scene is not None and menu.part is None else None
            if aim is not None and aim.laid is not None:
                # A card to be placed has no location yet, and no move names the empty cell for it.
                areas[entry.number] = areas.get(entry.number, frozenset()) | {(aim.board, aim.area)}
        return areas

    def _reachable_areas(self, menu: Menu) -> dict[int, frozenset[BoardArea]]:
        """Return the areas that each option could lead to, as far as known."""
        entries = menu.entries if menu.part is None else ()
        forecasts = {entry.number: self.display.forecasts.of(entry.move) for entry in entries}
        return {number: forecast.later for number, forecast in forecasts.items() if forecast and forecast.later}

    def _completions(self, menu: Menu) -> tuple[str, ...]:
        texts = dict.fromkeys([e.text for e in menu.entries] + [e.notation for e in menu.entries])
        return (*texts, *self.commands.words()) if menu.entries else ()

    def _rebuild_story_after_undo(self) -> None:
        """Rebuild the log after an undo, or when a game is resumed."""
        match, viewer = self.session.match, self.display.viewer
        if len(match.steps) < self._steps:
            self.log.reset_stories()
        if viewer not in self.log.begun:
            lines = retell(self.session.narrator, match, viewer, self.display.every_step)
            self.log.rebuild_story(viewer, (("strong" if line.heading else "", line.text) for line in lines))
            self.display.mark_reported(viewer)
        self._steps = len(match.steps)

    # ---- questions ----

    def menu(self, seat: int, chosen: tuple[int, ...]) -> Menu:
        """See `LineSession.menu`; with too many options for a list, and none on a map, the parts are chosen one by
        one.
        """
        state = self.session.match.state
        if len(state.legal_moves()) <= MAX_STABLE_OPTIONS or self.display.scene(seat).aims:
            return super().menu(seat, chosen)
        return Menu.of(state, self.session.narrator, chosen, self.session.numbering, MAX_STABLE_OPTIONS)

    def _show_question(self, menu: Menu, puzzle: Puzzle | None) -> None:
        """See `LineSession._show_question`."""
        words, state = self.session.words, self.session.match.state
        self._advice = _joined(self.observer.advice(self) if self.observer is not None else ())
        self._question = self.session.narrator.prompt(state)
        self._hint = words.say("screen.part") if menu.part is not None or self._choice_begun else ""
        if menu.numbers:
            self._hint = words.say("cli.which_number", None, numbers=number_ranges(menu, words))
        self.log.answering = True
        if puzzle is not None:
            show_puzzle(self.display, puzzle)
        elif state.clock is not None:
            explain_time(self.display, menu)
        # The offer is part of the hint, so that an error message does not replace it.
        self._hint = " ".join(text for text in (self._hint, offer_repeats(self.display, menu)) if text)

    def _read_answer(self, question: str, menu: Menu, commands: Metacommands) -> str:
        """See `LineSession.read`."""
        suggested = self._corrected_number(menu) if any(note.style == "wrong" for note in self.log.notes) else None
        view = self._view = replace(
            self._new_view("choice", question or self._question, menu, self._hint), is_partial=self._choice_begun,
            lesson=self._advice, suggested=suggested,
        )  # fmt: skip
        self._forecasts_shown_at = time.monotonic()
        answer = self._last_input = self.dialogue.ask(view, self._continue_forecasts)
        self.log.notes.clear()
        self.log.answering = True
        return answer

    def _corrected_number(self, menu: Menu) -> int:
        """Return the only option that the last input can mean; 0 if there is none or several."""
        near = menu.match_misspelt(self._last_input)
        return near[0].number if len(near) == 1 else 0

    def _continue_forecasts(self) -> ScreenView | None:
        """Continue the lookahead; return a view with new forecasts from time to time."""
        if not self._forecasts_shown_at or self._view.menu.part is not None:
            return None
        complete = self.display.compute_forecasts(LOOKAHEAD_S)
        if not complete and time.monotonic() < self._forecasts_shown_at + REFRESH_INTERVAL_S:
            return None
        self._forecasts_shown_at = 0.0 if complete else time.monotonic()
        menu = self.display.forecasts.with_forecasts(self._view.menu, self.session.narrator)
        if menu == self._view.menu:
            return None
        touched, reachable = self._touched_areas(menu, self._view.scene), self._reachable_areas(menu)
        self._view = replace(self._view, menu=menu, touched=touched, reachable=reachable)
        return self._view

    def _confirm(self, question: str) -> bool:
        """See `LineSession._confirm`."""
        menu = yes_or_no(self.session.words)
        before = self._view
        self._question_number += 1
        self._view = replace(
            before, question_number=self._question_number, kind="confirm", question=question, hint="", menu=menu,
            notes=(), touched={}, reachable={},
        )  # fmt: skip
        try:
            answer = self.dialogue.ask(self._view)
        except EOFError:
            return False
        entry = menu.exact(answer)
        return is_yes(answer, self.session.words) or (entry is not None and entry == menu.entries[0])

    # ---- explanations of an observer ----

    def explain(self, explained: Sequence[Explanation], last: bool) -> bool:
        """See `LineSession.explain`."""
        lesson, say = _joined(explained), self.session.words.say
        if not last:
            self._view = replace(self._new_view("lesson"), lesson=lesson, touched={0: lesson.places})
            self.dialogue.ask(self._view)
            return True
        menu = yes_or_no(self.session.words)
        while True:
            self._view = replace(self._new_view("choice", say("learn.alone")), lesson=lesson, menu=menu)
            answer = self.dialogue.ask(self._view)
            matches = [match for match in (menu.exact(answer),) if match is not None] or menu.match_words(answer)
            if len(matches) == 1 or is_yes(answer, self.session.words):
                return not matches or matches[0] == menu.entries[0]
            if (SHORT_FORMS | self.commands.words()).get(answer.strip().casefold()) == "quit":
                return False

    def _show_advice(self) -> None:
        """See `LineSession._show_advice`; the advice is shown with the question, unless that needs the whole screen."""
        if self.observer is not None and uses_countdown_screen(self.display):
            advice = self.observer.advice(self)
            if advice:
                self.explain(advice, False)

    # ---- viewers ----

    def _hand_over(self, seat: int | None) -> None:
        """See `LineSession._hand_over`."""
        viewer = self.display.viewer
        self.log.answering = False
        if self._shared_with_secrets and seat != viewer:
            self.log.begin_message_area()
            show_privacy_screen(self.display, self._wait_for_confirmation, seat)
            self.log.answering = False
            self.log.notes.clear()
            self.display.viewer = seat
        elif not self._shared_with_secrets:
            self.session.switch_to_viewer_language(seat if viewer is None else viewer)
        self._rebuild_story_after_undo()
        self.display.report_events(self.display.viewer, seat=seat)

    def _wait_for_confirmation(self, question: str) -> None:
        """Wait for confirmation, over the viewer's own panes or in front of the privacy screen."""
        if not self.log.is_hidden:
            self.display.report_events(self.display.viewer)
            self.dialogue.ask(self._new_view("pause", question))
            return
        message = "\n".join([*(paragraph.text for paragraph in self.log.notes), question])
        self._question_number += 1
        self.dialogue.ask(ScreenView(self._question_number, "privacy", self.session.words, message))

    # ---- game loop ----

    def play(self, move: Move, took: int = 0) -> None:
        """See `LineSession.play`."""
        super().play(move, took)
        self.log.answering = False
        self.log.notes.clear()
        self.log.steps = self._steps = len(self.session.match.steps)

    def _show_table(self, seat: int) -> None:
        """See `LineSession._show_table`; the panes are drawn with the question."""
        self.shown_to = seat

    def _compute_bot_move(self) -> tuple[Move, int]:
        """See `LineSession._compute_bot_move`; the screen stays responsive meanwhile."""
        match = self.session.match
        if match.seats[match.state.seat].kind == "random":
            return decide(match)
        halt = CancelToken()
        try:
            return self.dialogue.run_in_worker(lambda: decide(match, halt))
        except BaseException:
            # Cancel the search, since its result is no longer needed.
            halt.cancel()
            raise

    def _ask_on_countdown_screen(self, seat: int) -> tuple[Move, int]:
        """See `LineSession._ask_on_countdown_screen`."""

        def ask() -> tuple[Move, int]:
            try:
                return ask_timed(self.display, seat)
            finally:
                # The previous view is outdated when the panes come back, so show nothing until they are redrawn.
                self.dialogue.show(ScreenView(0, "wait", self.session.words))

        return self.dialogue.run_other_screen(ask)

    def ask_after(self, question: str) -> str:
        """See `LineSession.ask_after`; the full screen is closed by then."""
        return self.screen.ask(question)

    def _show_final_position(self) -> None:
        """Show the final position until confirmed; the result stays on the terminal."""
        narrator, match = self.session.narrator, self.session.match
        ending = narrator.ending(match.state.winners)
        if self.display.humans:
            # A pane can be half as wide as the screen, and a table must not be wrapped.
            rows, room = final_rows(match.state, narrator), self.screen.width // 2
            session = scores(narrator, rows, match.state.winners, room)
            self.log.notes = [Paragraph("", line_text(line).rstrip()) for line in session if line]
            with contextlib.suppress(EOFError):
                self.dialogue.ask(self._new_view("pause", ending))
        self.close()
        self.screen.text(ending, "strong")


def _joined(explained: Sequence[Explanation]) -> Explanation:
    """Join explanations for the panes: main text first, then the rules."""
    said = chain.from_iterable((*explanation.said, *explanation.suggested) for explanation in explained)
    small_print = chain.from_iterable(explanation.small_print for explanation in explained)
    places = frozenset(chain.from_iterable(explanation.places for explanation in explained))
    return Explanation(tuple(said), tuple(small_print), places=places)
