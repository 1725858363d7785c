"""Output of a session on the terminal screen, per viewer, and reports about saving."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from wongar_dsl.base.terminal_text import transliterate
from wongar_dsl.engine import Move, State
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.match import Match
from wongar_dsl.engine.saves import SaveError
from wongar_dsl.nlg.narration.narrator import Narrator
from wongar_dsl.nlg.narration.story import Story, StoryLine, asked_seat
from wongar_dsl.nlg.words import Listing, PlayerName, Text, quoted
from wongar_dsl.render.text.lines import Line as Drawn
from wongar_dsl.render.text.lines import line_text
from wongar_dsl.render.text.position import picture, shown_changes, signs
from wongar_dsl.render.text.scene import TextScene
from wongar_dsl.render.text.screen_reader import changed_lines, spoken_table
from wongar_dsl.session.changes import changed_areas, last_decision_of
from wongar_dsl.session.forecast import ForecastCache
from wongar_dsl.session.game_session import GameSession
from wongar_dsl.session.menu import Menu, assign_numbers
from wongar_dsl.session.puzzle import Puzzle, PuzzleLayout
from wongar_dsl.session.scene import BoardArea, winning_lines

from ..errors import os_error_text
from ..load_game import save_error
from ..terminal.screen import Screen
from .menu import MAX_ROWS, number_ranges


@dataclass(frozen=True, slots=True)
class UndoneDecision:
    """An undone decision: its player, and the events it had caused."""

    maker: int
    events: tuple[Event, ...]

    @classmethod
    def of(cls, match: Match, number: int) -> UndoneDecision:
        """Return the notice for a step that is about to be undone."""
        events = match.history()[match.event_count_before(number) : match.event_count_before(number + 1)]
        return cls(match.steps[number].seat, tuple(events))

    def report(self, narrator: Narrator) -> str:
        """Return the text of the notice, with public information only."""
        lines = Story(None, standings=False).unreported(narrator, self.events)
        public_text = " ".join(line.text for line in lines if not line.heading)
        player = narrator.player(self.maker)
        if not public_text:
            return narrator.words.say("cli.undone.by", None, player=player)
        return narrator.words.say("cli.undone.what", None, player=player, told=Text(public_text))


#: At a terminal, the maximum number of log lines shown about the setup.
MAX_SETUP_SENTENCES = 10


#: Number of recent sentences repeated on screens that cover the log.
MAX_RECENT_SENTENCES = 6


class Display:
    """Output state of a session.

    `viewer` is the seat of the current viewer, None if the screen is for no particular player.
    """

    def __init__(
        self, session: GameSession, screen: Screen, every_step: bool = False, forecast: bool = True, aloud: bool = False
    ) -> None:
        """Create the output state.

        `every_step` reports events step by step, `forecast` shows the effect of each option, and `aloud` describes the
        table in words.
        """
        self.session, self.screen, self.every_step = session, screen, every_step
        # A script that reads the options would only have to wait for forecasts.
        self.forecasts = ForecastCache(session.match, forecast and screen.interactive)
        self._stories: dict[int | None, Story] = {}
        # Undone decisions, and how many of them each viewer has been shown.
        self._undone: list[UndoneDecision] = []
        self._undone_shown: dict[int | None, int] = {}
        self.viewer: int | None = None
        self.saving_failed = False
        self.puzzle_layouts: dict[int, PuzzleLayout] = {}
        # Puzzles that players have lost without having seen a solution, and the solution shown last.
        self.lost: dict[int, Puzzle] = {}
        self.solution: list[Drawn] = []
        # Sentences since the last answer, for screens that cover the log.
        self.recent: list[str] = []
        self.time_notation_explained = False
        #: True if the table is described in words, for users who cannot see pictures.
        self.screen_reader = aloud
        self._heard: dict[int | None, list[str]] = {}
        # Symbols explained so far, by viewer.
        self._known: dict[int | None, set[str]] = {}

    @property
    def humans(self) -> tuple[int, ...]:
        """The seats of human players."""
        return self.session.humans()

    def scene(self, viewer: int | None) -> TextScene:
        """Return the scene for a viewer; at a terminal with the changes since their last decision marked."""
        match = self.session.match
        state, since = match.state, last_decision_of(match, viewer)
        mine = viewer is not None and not state.over and state.seat == viewer
        scene = self._scene(state, viewer, assign_numbers(state, self.session.numbering) if mine else {})
        marked = winning_lines(state)
        # Before a viewer's first decision everything is new, so nothing is marked.
        if since and not marked and self.screen.interactive:
            before = State(match.game, match.state_before(since))
            places = changed_areas(before, state, viewer)
            marked = shown_changes(self._scene(before, viewer, {}), scene, places) if places else places
        return replace(scene, marked=marked)

    def _scene(self, state: State, viewer: int | None, options: Mapping[Move, int]) -> TextScene:
        session, screen = self.session, self.screen
        # The transliteration of a letter must be one character.
        letters = session.letters if screen.unicode else tuple(transliterate(letter)[:1] for letter in session.letters)
        height = screen.height if screen.interactive else 0
        return TextScene(state, session.narrator, letters, viewer, screen.width, screen.unicode, height, offers=options)

    def picture(self, viewer: int | None) -> tuple[list[Drawn], str]:
        """Return the picture with new symbols explained, and its text without the legend for comparison."""
        scene = self.scene(viewer)
        explained = self._known.setdefault(viewer, set())
        lines = bare = picture(scene, explained)
        if not explained >= signs(scene).keys():
            explained.update(signs(scene))
            bare = picture(scene, explained)
        return lines, "\n".join(line_text(line) for line in bare)

    def compute_forecasts(self, seconds: float) -> bool:
        """Compute forecasts of the options within a time limit; return whether all are complete."""
        end = time.monotonic() + seconds
        return self.forecasts.work(lambda: time.monotonic() > end)

    def describe(self, viewer: int | None, whole: bool = False) -> None:
        """Describe the table in words: the lines that changed since the last description, or all."""
        lines = spoken_table(self.scene(viewer))
        heard = [] if whole else self._heard.get(viewer, [])
        self._heard[viewer] = lines
        for line in changed_lines(heard, lines):
            self.screen.text(line)
        self.screen.stream.flush()

    def say(self, message: str, style: str = "", **arguments: Text | Listing | PlayerName | int) -> None:
        """Print a message of the program."""
        self.screen.text(self.session.words.say(message, None, **arguments), style)

    def report_events(self, viewer: int | None, whole: bool = True, seat: int | None = None) -> None:
        """Report events since the viewer's last report.

        With `whole=False`, leave out a sentence that later events may extend. If a `seat` is to decide, a sentence that
        only restates its own action may wait.
        """
        for notice in self._undone[self._undone_shown.get(viewer, 0) :]:
            self.screen.story(notice.report(self.session.narrator), "faint")
        self._undone_shown[viewer] = len(self._undone)
        story, match = self._stories.setdefault(viewer, Story(viewer, self.every_step)), self.session.match
        start = story.at
        question = None if seat is None else asked_seat(match, len(match.steps), seat, start)
        batches = story.stream(self.session.narrator, match.history(), None, whole, question)
        if self.screen.interactive and not self.screen.scrolls and not start:
            lines = [*chain.from_iterable(batches)]
            if len(lines) > MAX_SETUP_SENTENCES:
                self.say("cli.earlier", "faint")
                lines = lines[-MAX_SETUP_SENTENCES:]
            batches = iter([lines])
        for lines in batches:
            self.recent = [*self.recent, *(line.text for line in lines)][-MAX_RECENT_SENTENCES:]
            for line in lines:
                self.screen.story(line.text, "strong" if line.heading else "")
            self.screen.stream.flush()

    def flush_deferred(self) -> None:
        """Report the events that were held back for the current viewer."""
        if self.viewer in self._stories:
            self.report_events(self.viewer)

    def show(self, lines: Sequence[StoryLine]) -> None:
        """Print log sentences and headings."""
        for line in lines:
            self.screen.text(line.text, "strong" if line.heading else "", "  ")

    def mark_reported(self, *viewers: int | None) -> None:
        """Mark all events so far as reported to these viewers."""
        for viewer in viewers:
            self._stories[viewer] = Story(viewer, self.every_step)
            self._stories[viewer].mark_reported(self.session.narrator, self.session.match.history())

    def forget_reported(self, told: UndoneDecision) -> None:
        """Mark the reports of undone events as invalid; with several human players, notify each of the undo."""
        if len(self.humans) > 1:
            self._undone.append(told)
        now = len(self.session.match.history())
        self.mark_reported(*(viewer for viewer, story in self._stories.items() if story.at > now))

    def save(self) -> bool:
        """Save at the usual path, report a failure once, and return whether it succeeded."""
        self.saving_failed = not self.save_at(self.session.path, report=not self.saving_failed)
        return not self.saving_failed

    def save_at(self, path: Path, report: bool = True) -> bool:
        """Save at a path, report a failure, and return whether it succeeded."""
        words = self.session.words
        try:
            self.session.save(path)
        except (SaveError, OSError, ValueError) as error:
            if report and isinstance(error, SaveError):
                self.screen.text(save_error(error, words).text, "wrong")
            elif report:
                why = quoted(os_error_text(error, words))
                self.say("cli.cannot_save", "wrong", path=quoted(str(path)), why=why)
            return False
        return True

    def save_and_report_path(self) -> None:
        """Save the game and print its path."""
        if not self.save():
            self.say("cli.not_saved", "wrong")
        else:
            self.say("cli.saved_at", path=quoted(str(self.session.path)))

    def refuse(self, explanation: Sequence[str]) -> None:
        """Print the reason why an option is unavailable, and what explains it."""
        for number, line in enumerate(explanation):
            self.screen.text(line, "wrong" if number == 0 else "faint", "  ")

    def report_wrong_number(self, menu: Menu, answer: str = "") -> None:
        """Print the valid option numbers, or the options whose text contains the number typed."""
        rows, near = menu.ranges(), menu.options_naming_number(answer)
        if 0 < len(near) <= MAX_ROWS:
            candidates = Listing(tuple(Text(f"{entry.number} ({entry.text})") for entry in near))
            self.say("cli.illegal.near", "wrong", text=quoted(answer), options=candidates)
            return
        if len(rows) == 1 and rows[0][0] == rows[0][1]:
            self.say("cli.only_option", "wrong", n=rows[0][0])
        elif len(rows) == 1 and rows[0][0] == 1:
            self.say("cli.no_such_number", "wrong", n=rows[0][1])
        else:
            self.say("cli.other_numbers", "wrong", numbers=number_ranges(menu, self.session.words))


class Paragraph(NamedTuple):
    """A text with its style; `indent` is the indentation of its continuation lines."""

    style: str
    text: str
    indent: str = ""


@dataclass(frozen=True, slots=True)
class Explanation:
    """An explanation: main text, `small_print` with the rules and their source, and areas to highlight.

    `suggested` are things to try, shown last.
    """

    said: tuple[Paragraph, ...] = ()
    small_print: tuple[Paragraph, ...] = ()
    suggested: tuple[Paragraph, ...] = ()
    places: frozenset[BoardArea] = frozenset()


def show_explanations(display: Display, explained: Sequence[Explanation], above: bool) -> None:
    """Print explanations, each with an empty line before it (`above`) or after it."""
    screen = display.screen
    mark = "" if display.screen_reader else "▌ " if screen.unicode else "| "
    for explanation in explained:
        if above:
            screen.line()
        for style, text, indent in (*explanation.said, *explanation.small_print, *explanation.suggested):
            screen.text(f"{mark}{text}", style, mark + indent)
        if not above:
            screen.line()
