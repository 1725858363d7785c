"""A game being played: whose turn it is, what they are shown, what they answer, until it ends or somebody leaves."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence

from wongar_dsl.engine import IllegalMove, Move, PlayFault, notation
from wongar_dsl.narration import illegal
from wongar_dsl.table.asking import forced
from wongar_dsl.table.bots import decide
from wongar_dsl.table.digest import digest, last_decided
from wongar_dsl.table.foretelling import warning
from wongar_dsl.table.menu import MOST_LISTED, Menu
from wongar_dsl.table.puzzle import Puzzle
from wongar_dsl.table.subject import with_cards
from wongar_dsl.table.table import Table
from wongar_dsl.words import Listing, Text, quoted

from .. import saves
from ..terminal.screen import Screen
from . import repeated, timed
from .curtain import fall
from .display import Display, look_ahead
from .ending import show_ending
from .explaining import Explanation, tell
from .help import cannot_now, not_understood
from .introduction import introduce
from .menu import lines, listed, numbers
from .metacommands import Metacommands
from .onlooker import Onlooker

#: Reads one answer; raises EOFError at the end of input.
Reader = Callable[[str, Menu, Metacommands], str]

#: A game that takes so many decisions is unusually long: whether it goes on is asked, again and again.
LONG = 5_000
#: Where the screen has less room than this beside the picture, what changed is said again under it.
ROOM = 16

LEFT, DONE = "left", "done"


class Session:
    """One table, played to the end or until it is left."""

    def __init__(
        self,
        table: Table,
        screen: Screen,
        read: Reader,
        every_step: bool = False,
        forecast: bool = True,
        aloud: bool = False,
    ) -> None:
        """With `every_step` what happens is told step by step, with `forecast` what each option would bring; where it
        goes on `aloud` the table is told in words."""
        self.table, self.screen, self.read = table, screen, read
        self.display = Display(table, screen, every_step, forecast, aloud)
        self.commands = Metacommands(self.display, self._agrees)
        self.shown_to: int | None = None
        self.last_picture = ""
        self._thinking: int | None = None
        #: Whether several people play who may not see each other's secrets.
        self._apart = False
        self._asked_at: float | None = None
        # Whether the first parts of a choice have been made.
        self._begun = False
        self.onlooker: Onlooker | None = None

    # ---- what an onlooker says ----

    def explain(self, explained: Sequence[Explanation], last: bool) -> bool:
        """Tell what an onlooker explains before the table is shown, and wait until that was read; False where it was
        the `last` of it, and somebody would rather stop."""
        tell(self.display, explained, above=True)
        if not self.screen.interactive:
            return True
        question = self.table.words.say("learn.go_on" if last else "learn.enter")
        answer = self.read(question, Menu(()), self.commands)
        return not last or not answer.strip() or saves.means_yes(answer, self.table.words)

    def _advise(self) -> None:
        """What an onlooker explains of the question at hand, right above it."""
        if self.onlooker is not None:
            tell(self.display, self.onlooker.advice(self), above=False)

    # ---- the course of the game ----

    def run(self, resumed: bool = False) -> int:
        """Play; gives the exit code."""
        try:
            return self._run(resumed)
        finally:
            self.table.close()

    def _run(self, resumed: bool) -> int:
        table, match = self.table, self.table.match
        people = self.display.humans
        self._apart = len(people) > 1 and match.game.knowledge.private
        self.display.looking = people[0] if len(people) == 1 else None
        self.table.speak_to(self.display.looking)
        self.screen.text(table.narrator.opening(), "strong")
        introduce(self.display)
        self.display.save()
        if table.torn:
            self.display.say("cli.save.torn", "faint")
        if resumed:
            self.display.skip(None, *people)
            if match.state.over:
                self.screen.text(table.narrator.ending(match.state.winners))
            else:
                self.display.say("cli.resumed" if match.steps else "cli.resumed.start", n=len(match.steps))
        if not self._apart:
            self.display.tell(self.display.looking, whole=False)
        try:
            if not self._course():
                return self._code()
        except PlayFault:
            self.display.say("cli.fault", "wrong")
            self.commands.leave()
            raise
        self._hand_over(None)
        for seat in tuple(self.display.lost):
            timed.tell_solution(self.display, seat)
        self._show_the_end()
        if self.table.match.game.knowledge.secrets:
            self.display.say("cli.seed_was", seed=Text(str(self.table.match.seed)))
        show_ending(self.display)
        if self.onlooker is not None:
            self.onlooker.after(self)
        self.display.say_where_it_is_saved()
        return self._code()

    def _code(self) -> int:
        """Return the exit code of a game that was played without a fault: 1 where it is not saved."""
        return int(self.display.saving_failed)

    def ask_after(self, question: str) -> str:
        """What somebody answers to a question after the end; raises EOFError."""
        return self.read(question, Menu(()), self.commands)

    def _show_the_end(self) -> None:
        """The last position."""
        self.screen.line()
        if self.display.aloud:
            self.display.read_out(self.display.looking)
        else:
            self.screen.lines(self.display.picture(self.display.looking)[0])

    def _course(self) -> bool:
        """Everybody's turns up to the end; False if somebody leaves before."""
        match = self.table.match
        steps = len(match.steps)
        while not match.state.over:
            # Undo may bring a game below a limit again: nobody is asked twice in a row.
            if len(match.steps) > steps and len(match.steps) % LONG == 0 and not self._goes_on():
                return False
            steps = max(steps, len(match.steps))
            seat = match.state.seat
            kind = match.seats[seat].kind
            if kind != "human":
                self._bot(seat, kind)
            elif self._human(seat) == LEFT:
                return False
        return True

    def _goes_on(self) -> bool:
        """Whether a game that is unusually long is to go on; without anybody to be asked it is stopped."""
        n = len(self.table.match.steps)
        if self.screen.interactive and self._agrees(self.table.words.say("cli.long_game", None, n=n)):
            return True
        if not self.screen.interactive:
            self.display.say("cli.long_game.stopped", "wrong", n=n)
        self.commands.leave()
        return False

    def _agrees(self, question: str) -> bool:
        """Whether somebody at the terminal answers a question with yes."""
        if not self.screen.interactive:
            return False
        try:
            return saves.means_yes(self.read(question, Menu(()), self.commands), self.table.words)
        except EOFError:
            return False

    def play(self, move: Move, took: int = 0) -> None:
        """Make a move, save, and tell what everybody may see where only one looks."""
        state = self.table.match.state
        before = state.copy() if state.decision is not None and state.decision.clock is not None else None
        self.table.match.play(move, took)
        if before is not None and before.seat in self.display.humans:
            timed.note_lost(self.display, before, move)
        self.table.elapsed = 0
        self.display.save()

    def _bot(self, seat: int, kind: str) -> None:
        match = self.table.match
        if self.screen.interactive and kind != "random" and len(match.state.legal_moves()) > 1:
            # What came before is told first, all of it, and who thinks is told once for several steps in a row.
            self._tell_the_only_one(self._thinking != seat)
            if self._thinking != seat:
                self._say_who_thinks(seat)
            self._thinking = seat
        self.play(*self._thought())
        self.shown_to = None
        self._tell_the_only_one()

    def _say_who_thinks(self, seat: int) -> None:
        self.screen.text(self.table.words.say("cli.thinks", player=self.table.narrator.player(seat)), "faint")
        self.screen.stream.flush()

    def _thought(self) -> tuple[Move, int]:
        """What the bot whose turn it is decides, and how long that takes, in milliseconds."""
        return decide(self.table.match)

    def _tell_the_only_one(self, whole: bool = False) -> None:
        """Tell what happened, unless somebody else may be looking; all of it, or without what could still go on."""
        if not self._apart or self.display.looking is not None:
            self.display.tell(self.display.looking, whole)

    def _hand_over(self, seat: int | None) -> None:
        """See to it that only this seat looks; None for everybody."""
        if not self._apart:
            self.table.speak_to(seat if self.display.looking is None else self.display.looking)
            self.display.tell(self.display.looking, seat=seat)
            return
        if seat == self.display.looking:
            self.display.tell(seat, seat=seat)
            return
        if self.screen.interactive:
            fall(self.display, lambda question: self.read(question, Menu(()), self.commands), seat)
        else:
            self.table.speak_to(seat)
            self.screen.line()
        self.display.looking = seat
        self.last_picture = ""
        self.display.tell(seat, seat=seat)

    def _human(self, seat: int) -> str:
        """Ask a player until they have decided; `LEFT` if they go away."""
        self._thinking = None
        if self.screen.interactive and forced(self.table.match.state) == "openly":
            self._do_the_only_thing()
            return DONE
        try:
            self._hand_over(seat)
            if self.onlooker is not None and not self.onlooker.before(self):
                self.commands.leave()
                return LEFT
            timed.tell_solution(self.display, seat)
            if not timed.full_screen(self.display):
                self._show(seat)
            self._advise()
            while True:
                outcome = self._ask(seat)
                if outcome == LEFT:
                    self.commands.leave()
                if outcome in (LEFT, DONE):
                    return outcome
        except EOFError:
            self.screen.line()
            self.commands.leave()
            return LEFT

    def _do_the_only_thing(self) -> None:
        """Make the one move that there is, where everybody can see that, and tell it."""
        state, narrator = self.table.match.state, self.table.narrator
        (move,) = state.legal_moves()
        told = narrator.option(state, move)
        self.play(move)
        self.shown_to = None
        self._tell_the_only_one()
        self.screen.text(self.table.words.say("cli.forced", None, option=quoted(told)), "faint", "  ")

    def _show(self, seat: int) -> None:
        """The table, on paper only when the turn goes to another one."""
        reminded = False
        if self.display.aloud:
            self.display.read_out(seat)
        elif self.screen.interactive or self.shown_to != seat:
            lines, text = self.display.picture(seat)
            if text != self.last_picture:
                self.screen.line()
                self.screen.lines(lines)
                if self.screen.interactive and self.screen.height < len(lines) + ROOM:
                    self._remind(seat)
                    reminded = True
            self.last_picture = text
        if self.screen.interactive and not reminded:
            self._tell_meaning(seat)
        self.shown_to = seat
        self.screen.line()

    def _remind(self, seat: int) -> None:
        """Say once more what changed since a seat last decided, where the picture has pushed it off the screen."""
        match = self.table.match
        found = digest(match, self.table.narrator, seat, last_decided(match, seat))
        for text in found.lines:
            self.screen.text(text, "faint", "  ")
        if found.left_out:
            self.display.say("cli.earlier", "faint")

    def _tell_meaning(self, seat: int) -> None:
        """Tell a seat what it means for it that others have played."""
        match = self.table.match
        for text in digest(match, self.table.narrator, seat, last_decided(match, seat)).meant:
            self.screen.text(text, "strong", "  ")

    def _ask(self, seat: int) -> str:
        match = self.table.match
        decision = match.state.decision
        if decision is None or match.state.seat != seat:
            return DONE
        if timed.full_screen(self.display):
            self.play(*self._timed(seat))
            return DONE
        steps = len(match.steps)
        self._asked_at = None
        try:
            return self._ask_in_lines(seat)
        finally:
            # A clock that was interrupted, to leave or for another language, goes on where it stood.
            if match.state.clock is not None and len(match.steps) == steps:
                self.table.elapsed = self._waited()

    def _timed(self, seat: int) -> tuple[Move, int]:
        """What a player answers against the clock, on a screen of its own, and how long that took."""
        return timed.ask(self.display, seat)

    def menu(self, seat: int, chosen: tuple[int, ...]) -> Menu:
        """What a seat can choose, where the first parts of its move are `chosen`."""
        return Menu.of(self.table.match.state, self.table.narrator, chosen, self.table.numbering)

    def _look_ahead(self) -> None:
        """See what each option would bring, before they are shown."""
        look_ahead(self.display.outlook)

    def _waited(self) -> int:
        """How long the answer to the question has been waited for, in milliseconds; nothing without a terminal."""
        if self._asked_at is None or not self.screen.interactive:
            return self.table.elapsed
        return self.table.elapsed + int((time.monotonic() - self._asked_at) * 1000)

    def _ask_in_lines(self, seat: int) -> str:
        """Put the question, and read lines until one of them answers it."""
        puzzle = Puzzle.of(self.table.match.state)
        chosen: tuple[int, ...] = ()
        while True:
            self._begun, menu = bool(chosen), self.menu(seat, chosen)
            if menu.part is None:
                menu = with_cards(menu, self.display.scene(seat))
                self._look_ahead()
                menu = self.display.outlook.told(menu, self.table.narrator)
            self._put(menu, puzzle)
            self._asked_at = self._asked_at or time.monotonic()
            outcome = None
            while outcome is None:
                answer = self.read("", menu, self.commands).strip()
                if not answer and (menu.part is not None or chosen):
                    chosen = ()
                    break
                if not answer and self.screen.interactive and len(menu.entries) == 1 and puzzle is None:
                    answer = str(menu.entries[0].number)
                if not answer:
                    continue
                answer, told = notation.timed(answer)
                took = self._waited() if told is None else told
                covering = timed.written(puzzle, answer) if puzzle is not None else None
                if puzzle is not None and covering is not None:
                    outcome = self._cover(puzzle, covering, took)
                    continue
                entry = menu.meant(answer) if menu.part is not None else None
                if entry is not None and menu.part is not None:
                    chosen = entry.move.raw[: menu.part + 1]
                    if chosen == entry.move.raw:
                        outcome = self._decide(entry.move, took)
                        chosen = ()
                    break
                outcome = self._answer(answer, menu, took)
            if outcome is not None:
                return outcome

    def _put(self, menu: Menu, puzzle: Puzzle | None) -> None:
        """Show the question and what can be answered."""
        state, narrator = self.table.match.state, self.table.narrator
        self.screen.text(narrator.prompt(state), "question")
        if puzzle is not None:
            timed.show(self.display, puzzle)
        elif state.clock is not None:
            timed.tell_how(self.display, menu)
        if menu.part is not None:
            self.display.say("cli.part_by_part", "faint")
        if self.display.aloud:
            for text in listed(menu, self.table.words):
                self.screen.text(text, "", " " * 4)
        else:
            self.screen.lines(lines(menu, self.table.words, self.screen.width))
        if menu.numbers:
            self.display.say("cli.which_number", numbers=numbers(menu, self.table.words))
        text = repeated.offer(self.display, menu)
        if text:
            self.screen.text(text, "faint", "  ")

    def _cover(self, puzzle: Puzzle, covering: str, took: int) -> str | None:
        """Answer a puzzle with a covering; None if it is none."""
        solution = puzzle.solution(covering)
        if solution is None:
            timed.tell_fault(self.display, puzzle, covering)
            return None
        return self._decide(solution, took)

    def _answer(self, answer: str, menu: Menu, took: int) -> str | None:
        """Do what was typed; None if the same question stands."""
        state, words = self.table.match.state, self.table.words
        entry = menu.exact(answer)
        if entry is not None:
            return self._decide(entry.move, took)
        counts = repeated.read(answer, menu) if menu.part is None else None
        if counts is not None:
            return self._several(counts, menu)
        if re.fullmatch(r"[-+]?\d+([.,]\d+)?", answer):
            self.display.no_such_number(menu, answer)
            return None
        done = self.commands.obey(answer, menu)
        if done is not None:
            return None if done == "" else done
        meant = menu.said(answer)
        if not meant and menu.part is not None and len(state.legal_moves()) <= MOST_LISTED:
            # Who knows what they want need not choose it part by part.
            meant = Menu.of(state, self.table.narrator, (), self.table.numbering).said(answer)
        if len(meant) == 1:
            return self._decide(meant[0].move, took)
        if meant:
            several = Listing(tuple(Text(f"{e.number} ({e.text})") for e in meant[:6]))
            self.screen.text(words.say("cli.ambiguous", options=several), "wrong", "  ")
            return None
        try:
            move = state.read(answer)
        except IllegalMove as error:
            told = illegal.explain(error, state, self.table.narrator, state.seat)
            told = (
                told
                or cannot_now(self.table, answer, menu)
                or [not_understood(self.table, answer, menu, self.commands.words())]
            )
            for number, line in enumerate(told):
                self.screen.text(line, "wrong" if number == 0 else "faint", "  ")
            if (puzzle := Puzzle.of(state)) is not None:
                timed.tell_rows(self.display, puzzle)
            return None
        return self._decide(move, took)

    def _several(self, wanted: Sequence[tuple[int, int]], menu: Menu) -> str | None:
        """Answer the same question several times at once."""
        moves = repeated.moves(self.display, wanted, menu)
        for move in moves or ():
            self.play(move)
        return None if moves is None else DONE

    def _decide(self, move: Move, took: int) -> str | None:
        """Make a move; None where somebody thinks better of one that costs much more than others."""
        forecast = self.display.outlook.of(move)
        if forecast is not None and forecast.risky and not self._agrees(warning(forecast, self.table.narrator)):
            return None
        self.play(move, took)
        return DONE
