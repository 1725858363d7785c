"""A game being played: whose turn it is, what they are shown, what they answer, until it ends or somebody leaves."""

from __future__ import annotations

import time
from collections.abc import Callable

from wongar_dsl.bots import bot, luck, thinking_time, time_luck
from wongar_dsl.engine import IllegalMove, Move, PlayFault, notation
from wongar_dsl.words import Listing, Text

from ..language import quoted
from ..opening import Table
from ..pictures.position import picture
from ..pictures.puzzle import Puzzle
from ..terminal.screen import Screen, plain
from . import illegal
from . import timed as race
from .display import Display
from .help import not_understood, with_cards
from .menu import Menu
from .metacommands import Metacommands
from .results import scores

#: Reads one answer; raises EOFError at the end of input.
Reader = Callable[[str, Menu, Metacommands], str]

#: Where the screen has less room than this beside the picture, the last sentences are said again under it.
ROOM, MOST_AGAIN = 16, 3

LEFT, DONE = "left", "done"


class Session(Display):
    """One table, played to the end or until it is left."""

    def __init__(self, table: Table, screen: Screen, read: Reader) -> None:
        super().__init__(table, screen)
        self.read = read
        self.orders = Metacommands(self)
        self.shown_to: int | None = None
        self.last_picture = ""
        self._thinking: int | None = None

    # ---- the course of the game ----

    def run(self, resumed: bool = False) -> int:
        """Play; gives the exit code."""
        table, match = self.table, self.table.match
        people = self.humans
        self.looking = people[0] if len(people) == 1 else None
        self.screen.text(table.narrator.opening(), "strong")
        self._introduce()
        self.save()
        if table.torn:
            self.say("cli.save.torn", "faint")
        if resumed:
            seen = len(match.history())
            self.told = dict.fromkeys((None, *people), seen)
            if match.state.over:
                self.screen.text(table.narrator.ending(match.state.winners))
            else:
                self.say("cli.resumed" if match.steps else "cli.resumed.start", n=len(match.steps))
        if len(people) < 2:
            self.tell(self.looking)
        try:
            if not self._course():
                return 0
        except PlayFault:
            self.say("cli.fault", "wrong")
            self.orders.leave()
            raise
        self._hand_over(None)
        if self.table.match.game.knowledge.secrets:
            self.say("cli.seed_was", seed=Text(str(self.table.match.seed)))
        for line in scores(self.table.narrator, self.table.match.state.cells, self.table.match.state.winners):
            self.screen.line(line)
        self.say("cli.saved_at", path=quoted(str(table.path)))
        return 0

    def _course(self) -> bool:
        """Everybody's turns up to the end; False if somebody leaves before."""
        match = self.table.match
        while not match.state.over:
            seat = match.state.seat
            kind = match.seats[seat].kind
            if kind != "human":
                self._bot(seat, kind)
            elif self._human(seat) == LEFT:
                return False
        return True

    def _introduce(self) -> None:
        words, table = self.table.words, self.table
        shown = []
        for seat, (name, letter) in enumerate(zip(table.names, table.letters, strict=True)):
            label = name if name[:1].upper() == letter else f"{letter} = {name}"
            shown.append(Text(f"{label} ({words.say(f'cli.kind.{table.match.seats[seat].kind}')})"))
        players = Listing(tuple(shown))
        if table.match.game.knowledge.secrets:
            self.say("cli.at_the_table.secret", players=players)
        else:
            self.say("cli.at_the_table", players=players, seed=Text(str(table.match.seed)))
        if self.humans:
            self.say("cli.how_to", "faint")

    def play(self, move: Move, took: int = 0) -> None:
        """Make a move, save, and tell what everybody may see where only one looks."""
        self.table.match.play(move, took)
        self.save()

    def _bot(self, seat: int, kind: str) -> None:
        match = self.table.match
        if self.screen.interactive and kind != "random" and len(match.state.legal_moves()) > 1:
            # What came before is told first, and who thinks is told once for several steps in a row.
            self._tell_the_only_one()
            if self._thinking != seat:
                self.screen.text(self.table.words.say("cli.thinks", player=self.table.narrator.player(seat)), "faint")
                self.screen.stream.flush()
            self._thinking = seat
        took = thinking_time(match.state, kind, time_luck(match.seed, seat, len(match.steps)))
        self.play(decide(self.table, seat, kind), took)
        self.shown_to = None
        self._tell_the_only_one()

    def _tell_the_only_one(self) -> None:
        """Tell what happened, unless somebody else may be looking."""
        if len(self.humans) < 2 or self.looking is not None:
            self.tell(self.looking)

    def _hand_over(self, seat: int | None) -> None:
        """See to it that only this seat looks; None for everybody."""
        if len(self.humans) < 2:
            self.tell(self.looking)
            return
        if seat == self.looking:
            self.tell(seat)
            return
        if self.screen.interactive:
            self.screen.clear()
            if seat is not None:
                question = self.table.words.say("cli.your_turn", player=self.table.narrator.player(seat))
                self.read(question, Menu(()), self.orders)
                self.screen.clear()
        else:
            self.screen.line()
        self.looking = seat
        self.last_picture = ""
        self.tell(seat)

    def _human(self, seat: int) -> str:
        """Ask a player until they have decided; `LEFT` if they go away."""
        self._thinking = None
        try:
            self._hand_over(seat)
            self._show(seat)
            while True:
                outcome = self._ask(seat)
                if outcome == LEFT:
                    self.orders.leave()
                if outcome in (LEFT, DONE):
                    return outcome
        except EOFError:
            self.screen.line()
            self.orders.leave()
            return LEFT

    def _show(self, seat: int) -> None:
        """The table, on paper only when the turn goes to another one."""
        if self.screen.interactive or self.shown_to != seat:
            lines = picture(self.scene(seat))
            text = "\n".join(plain(line) for line in lines)
            if text != self.last_picture:
                self.screen.line()
                self.screen.lines(lines)
                if self.screen.interactive and self.screen.height < len(lines) + ROOM:
                    self._remind(seat)
            self.last_picture = text
        self.shown_to = seat
        self.screen.line()

    def _remind(self, seat: int) -> None:
        """Say once more what happened last, where the picture has pushed it off the screen."""
        recent: list[str] = []
        for event in reversed(self.table.match.history()):
            told = self.table.narrator.event(event, seat)
            if told:
                recent.insert(0, told)
            if len(recent) == MOST_AGAIN:
                break
        for text in recent:
            self.screen.text(text, "faint", "  ")

    def _ask(self, seat: int) -> str:
        match, narrator = self.table.match, self.table.narrator
        decision = match.state.decision
        if decision is None or match.state.seat != seat:
            return DONE
        if race.full_screen(self):
            return self._decide(*race.ask(self, seat))
        menu = with_cards(self.table, Menu.of(match.state, narrator), self.scene(seat))
        puzzle = Puzzle.of(match.state)
        self.screen.text(narrator.prompt(match.state), "question")
        if puzzle is not None:
            race.show(self, puzzle)
        elif match.state.clock is not None:
            race.tell_how(self, menu)
        self.screen.lines(menu.lines(self.screen.width))
        while True:
            started = time.monotonic()
            answer = self.read("", menu, self.orders).strip()
            if not answer:
                if self.screen.interactive and len(menu.entries) == 1 and puzzle is None:
                    answer = "1"
                else:
                    continue
            took = int((time.monotonic() - started) * 1000) if self.screen.interactive else 0
            answer, told = notation.timed(answer)
            covering = race.written(puzzle, answer) if puzzle is not None else None
            if puzzle is not None and covering is not None:
                solution = puzzle.solution(covering)
                if solution is None:
                    self.say("cli.puzzle.wrong", "wrong")
                    continue
                return self._decide(solution, took if told is None else told)
            outcome = self._answer(answer, menu, took if told is None else told)
            if outcome is not None:
                return outcome

    def _answer(self, answer: str, menu: Menu, took: int) -> str | None:
        """Do what was typed; None if the same question stands."""
        state, words = self.table.match.state, self.table.words
        entry = menu.exact(answer)
        if entry is not None:
            return self._decide(entry.move, took)
        if answer.isdigit():
            self.no_such_number(menu)
            return None
        done = self.orders.obey(answer, menu)
        if done is not None:
            return None if done == "" else done
        meant = menu.said(answer)
        if len(meant) == 1:
            return self._decide(meant[0].move, took)
        if meant:
            several = Listing(tuple(Text(f"{e.number} ({e.text})") for e in meant[:6]))
            self.screen.text(words.say("cli.ambiguous", options=several), "wrong", "  ")
            return None
        try:
            move = state.read(answer)
        except IllegalMove as error:
            told = illegal.explain(error, state, self.table.narrator)
            told = told or [not_understood(self.table, answer, menu, self.orders.words())]
            for number, line in enumerate(told):
                self.screen.text(line, "wrong" if number == 0 else "faint", "  ")
            if (puzzle := Puzzle.of(state)) is not None:
                race.tell_rows(self, puzzle)
            return None
        return self._decide(move, took)

    def _decide(self, move: Move, took: int) -> str:
        self.play(move, took)
        return DONE


def decide(table: Table, seat: int, kind: str) -> Move:
    """What a bot does.  Its luck hangs on the seed and the number of the decision alone, so that it can be repeated."""
    match = table.match
    return bot(kind).choose(match.state.copy(), luck(match.seed, seat, len(match.steps)), match.past)
