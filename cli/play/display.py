"""A table and the screen before it: what is shown and said there, to whom, and that it is saved."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

from wongar_dsl.engine import Move, State
from wongar_dsl.engine.saves import SaveError
from wongar_dsl.narration.retelling import asked
from wongar_dsl.narration.story import Line, Story
from wongar_dsl.table.deciding import lines_at_the_end
from wongar_dsl.table.digest import changed, last_decided
from wongar_dsl.table.menu import Menu, offers
from wongar_dsl.table.outlook import Outlook
from wongar_dsl.table.puzzle import Laying, Puzzle
from wongar_dsl.table.table import Table
from wongar_dsl.text.transliteration import legible
from wongar_dsl.words import Listing, Player, Text, quoted

from .. import saves
from ..pictures.position import picture, shown_changes, signs
from ..pictures.scene import Scene
from ..pictures.spoken import news, spoken
from ..terminal.screen import Line as Drawn
from ..terminal.screen import Screen, plain
from .menu import MOST_ROWS, numbers
from .taken_back import Notices, TakenBack

#: At a terminal, no more than this is told of how the table was laid.
MOST_TOLD = 10


#: Nobody waits longer than that for what options would bring, in seconds.
LONGEST_LOOK = 0.2
#: So many of the last sentences are kept for screens that cover them.
MOST_RECENT = 6


def look_ahead(outlook: Outlook) -> None:
    """Work out what each option would bring, as far as nobody has to wait for it."""
    end = time.monotonic() + LONGEST_LOOK
    outlook.work(lambda: time.monotonic() > end)


class Display:
    """What everything at a table shares.  `looking` is the seat that the screen is for, None while it is for nobody."""

    def __init__(
        self, table: Table, screen: Screen, every_step: bool = False, forecast: bool = True, aloud: bool = False
    ) -> None:
        """With `every_step` what happens is told step by step, with `forecast` what each option would bring; where
        it goes on `aloud` the table is told in words."""
        self.table, self.screen, self.every_step = table, screen, every_step
        # A script that reads the options would only wait for it.
        self.outlook = Outlook(table.match, forecast and screen.interactive)
        self._stories: dict[int | None, Story] = {}
        self._notices = Notices()
        self.looking: int | None = None
        self.saving_failed = False
        self.layings: dict[int, Laying] = {}
        # The puzzles that players have lost and not yet seen a solution of, and the solution shown last.
        self.lost: dict[int, Puzzle] = {}
        self.solution: list[Drawn] = []
        # What was told since a player last answered, for screens that cover it.
        self.recent: list[str] = []
        self.told_how = False
        #: Whether the table is told in words, as for who cannot see a picture.
        self.aloud = aloud
        self._heard: dict[int | None, list[str]] = {}
        # The signs of pictures that were explained, to each who looked.
        self._known: dict[int | None, set[str]] = {}

    @property
    def humans(self) -> tuple[int, ...]:
        """The seats of people."""
        return self.table.humans()

    def scene(self, viewer: int | None) -> Scene:
        """What a viewer sees now; at a terminal with what has changed since they last decided."""
        match = self.table.match
        state, since = match.state, last_decided(match, viewer)
        mine = viewer is not None and not state.over and state.seat == viewer
        scene = self._scene(state, viewer, offers(state, self.table.numbering) if mine else {})
        marked = lines_at_the_end(state)
        # To who has not decided yet everything is new.
        if since and not marked and self.screen.interactive:
            before = State(match.game, match.before(since))
            places = changed(before, state, viewer)
            marked = shown_changes(self._scene(before, viewer, {}), scene, places) if places else places
        return replace(scene, marked=marked)

    def _scene(self, state: State, viewer: int | None, options: Mapping[Move, int]) -> Scene:
        table, screen = self.table, self.screen
        # A letter must not become two.
        letters = table.letters if screen.unicode else tuple(legible(one)[:1] for one in table.letters)
        height = screen.height if screen.interactive else 0
        return Scene(state, table.narrator, letters, viewer, screen.width, screen.unicode, height, offers=options)

    def picture(self, viewer: int | None) -> tuple[list[Drawn], str]:
        """The table as a viewer sees it, with each sign explained once, and what it says apart from that."""
        scene = self.scene(viewer)
        known = self._known.setdefault(viewer, set())
        lines = bare = picture(scene, known)
        if not known >= signs(scene).keys():
            known |= signs(scene).keys()
            bare = picture(scene, known)
        return lines, "\n".join(plain(line) for line in bare)

    def read_out(self, viewer: int | None, whole: bool = False) -> None:
        """Tell in words what lies where: what a viewer has not heard yet, or all of it."""
        lines = spoken(self.scene(viewer))
        heard = [] if whole else self._heard.get(viewer, [])
        self._heard[viewer] = lines
        for line in news(heard, lines):
            self.screen.text(line)
        self.screen.stream.flush()

    def say(self, message: str, style: str = "", **arguments: Text | Listing | Player | int) -> None:
        """A message of the program."""
        self.screen.text(self.table.words.say(message, None, **arguments), style)

    def tell(self, viewer: int | None, whole: bool = True, seat: int | None = None) -> None:
        """What happened since this viewer was last told; unless `whole`, without a sentence that may still go on.

        Where a `seat` is asked, what it knows itself may wait.
        """
        for text in self._notices.to(viewer, self.table.narrator):
            self.screen.story(text, "faint")
        story, match = self._stories.setdefault(viewer, self._story(viewer)), self.table.match
        start = story.at
        question = None if seat is None else asked(match, len(match.steps), seat, start)
        told = story.bit_by_bit(self.table.narrator, match.history(), None, whole, question)
        if self.screen.interactive and not self.screen.scrolls and not start:
            lines = [*chain.from_iterable(told)]
            if len(lines) > MOST_TOLD:
                self.say("cli.earlier", "faint")
                lines = lines[-MOST_TOLD:]
            told = iter([lines])
        for lines in told:
            self.recent = [*self.recent, *(line.text for line in lines)][-MOST_RECENT:]
            for line in lines:
                self.screen.story(line.text, "strong" if line.heading else "")
            self.screen.stream.flush()

    def finish(self) -> None:
        """Tell whoever looks what waited to be told with something else."""
        if self.looking in self._stories:
            self.tell(self.looking)

    def _story(self, viewer: int | None) -> Story:
        return Story(viewer, self.every_step)

    def show(self, lines: Sequence[Line]) -> None:
        """Sentences and headings of what happened."""
        for line in lines:
            self.screen.text(line.text, "strong" if line.heading else "", "  ")

    def skip(self, *viewers: int | None) -> None:
        """Take what happened up to now for told to these viewers."""
        for viewer in viewers:
            self._stories[viewer] = self._story(viewer)
            self._stories[viewer].skip(self.table.narrator, self.table.match.history())

    def undone(self, told: TakenBack) -> None:
        """Forget that somebody was told what has been taken back; where several people play, each of them is told that
        it was."""
        if len(self.humans) > 1:
            self._notices.add(told)
        now = len(self.table.match.history())
        self.skip(*(viewer for viewer, story in self._stories.items() if story.at > now))

    def save(self) -> bool:
        """Save at the usual place, and say once if that fails; whether it is saved."""
        told = self.saving_failed
        self.saving_failed = not self._written(self.table.path, told)
        return not self.saving_failed

    def save_at(self, path: Path) -> bool:
        """Save at a place that somebody asked for, and say if that fails; whether it is saved."""
        return self._written(path, False)

    def _written(self, path: Path, told: bool) -> bool:
        try:
            self.table.save(path)
        except SaveError as error:
            if not told:
                self.screen.text(saves.refusal(error, self.table.words).text, "wrong")
            return False
        except (OSError, ValueError) as error:
            if not told:
                why = quoted(saves.reason(error, self.table.words))
                self.say("cli.cannot_save", "wrong", path=quoted(str(path)), why=why)
            return False
        return True

    def say_where_it_is_saved(self) -> None:
        """Where the game is saved, if it is."""
        if not self.save():
            self.say("cli.not_saved", "wrong")
        else:
            self.say("cli.saved_at", path=quoted(str(self.table.path)))

    def no_such_number(self, menu: Menu, answer: str = "") -> None:
        """Which numbers there are, or which one that has in whose words the number stands that was answered."""
        rows, near = menu.ranges(), menu.counted(answer)
        if 0 < len(near) <= MOST_ROWS:
            meant = Listing(tuple(Text(f"{entry.number} ({entry.text})") for entry in near))
            self.say("cli.illegal.near", "wrong", text=quoted(answer), options=meant)
            return
        if len(rows) == 1 and rows[0][0] == rows[0][1]:
            self.say("cli.only_option", "wrong", n=rows[0][0])
        elif len(rows) == 1 and rows[0][0] == 1:
            self.say("cli.no_such_number", "wrong", n=rows[0][1])
        else:
            self.say("cli.other_numbers", "wrong", numbers=numbers(menu, self.table.words))
