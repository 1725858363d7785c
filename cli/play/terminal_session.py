"""Line-by-line game session: the loop of decisions, from the start until the game ends or the user quits."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from wongar_dsl.engine import IllegalMove, Move, PlayFault, notation
from wongar_dsl.engine.bots import MCTS_PREFIX
from wongar_dsl.nlg.narration import illegal_move
from wongar_dsl.nlg.words import Listing, Text, quoted
from wongar_dsl.nlg.words.translator import Translator
from wongar_dsl.session.changes import changes_since, last_decision_of, news
from wongar_dsl.session.decisions import with_cards
from wongar_dsl.session.forecast import costly_choice_question
from wongar_dsl.session.game_session import GameSession
from wongar_dsl.session.menu import MAX_LISTED_OPTIONS, Menu, forced_move
from wongar_dsl.session.puzzle import Puzzle
from wongar_dsl.session.seats import decide

from ..errors import FAILURE, SUCCESS
from ..language import is_yes
from ..terminal.screen import Screen
from .display import Display, Explanation, show_explanations
from .help import unavailable_option, unknown_answer
from .menu import menu_lines, number_ranges, offer_repeats, read_repeats, repeated_moves, spoken_menu
from .metacommands import Metacommands
from .timed import (
    explain_rows,
    explain_time,
    parse_covering,
    record_lost_puzzle,
    report_fault,
    show_puzzle,
    show_solution,
    uses_countdown_screen,
)


def show_introduction(display: Display) -> None:
    """Print the players, and instructions for answering."""
    session = display.session
    shown = []
    for seat, (name, letter) in enumerate(zip(session.names, session.letters, strict=True)):
        label = name if name[:1].upper() == letter else f"{letter} = {name}"
        shown.append(Text(f"{label} ({_kind(session.match.seats[seat].kind, session.words)})"))
    players = Listing(tuple(shown))
    if session.match.game.knowledge.has_secrets:
        display.say("cli.at_the_table.secret", players=players)
    else:
        display.say("cli.at_the_table", players=players, seed=Text(str(session.match.seed)))
    if display.humans:
        display.say("cli.how_to", "faint")


def _kind(kind: str, words: Translator) -> str:
    """Return the kind of a seat's occupant in words."""
    if kind.startswith(MCTS_PREFIX):
        return words.say("cli.kind.mcts", budget=Text(kind.removeprefix(MCTS_PREFIX)))
    return words.say(f"cli.kind.{kind}")


def show_privacy_screen(display: Display, ask: Callable[[str], object], after: int | None) -> None:
    """Hand the keyboard from the current viewer to another seat, or to all players (None).

    The viewer who leaves is first shown the private news since their last decision. `ask` shows a question and waits.
    Each player is addressed in their own language.
    """
    screen, session, before = display.screen, display.session, display.viewer
    if before is not None and after is not None:
        private_news = news(session.match, session.narrator, before)
        if private_news:
            screen.line()
            display.say("curtain.new", "strong", player=session.narrator.player(before))
            for text in private_news:
                screen.text(text, "card", "  ")
            ask(session.words.say("curtain.seen"))
    screen.clear()
    session.switch_to_viewer_language(after)
    if after is None:
        return
    narrator, say = session.narrator, session.words.say
    if before is None:
        ask(say("cli.your_turn", player=narrator.player(after)))
    else:
        screen.text(say("curtain.pass", player=narrator.player(after), hidden=narrator.player(before)), "question")
        ask(say("curtain.ready"))
    screen.clear()


if TYPE_CHECKING:
    from .tutorial import TutorialObserver

#: Function that reads one answer; raises EOFError at the end of input.
Reader = Callable[[str, Menu, Metacommands], str]

#: Number of decisions after which a game is unusually long; at each multiple, the user is asked whether to continue.
LONG_GAME_DECISIONS = 5_000
#: As many events, options of moves that were made, and cells of states count as one decision.
EVENTS_PER_DECISION, OPTIONS_PER_DECISION, CELLS_PER_DECISION = 10, 1_000, 20_000
#: If the screen has fewer lines than this beside the picture, the changes are repeated below it.
MIN_FREE_ROWS = 16

#: Results of a question, also of `Metacommands.handle`: the user quits; a decision was made or undone.
LEFT, DONE = "left", "done"


class LineSession:
    """One session, played until the game ends or the user quits."""

    #: Time limit in seconds for computing forecasts before the options are shown.
    lookahead_s = 0.2

    def __init__(
        self, session: GameSession, screen: Screen, read: Reader, every_step: bool = False, forecast: bool = True,
        aloud: bool = False,
    ) -> None:  # fmt: skip
        """Create a session.

        `every_step` reports events step by step, `forecast` shows the effect of each option, and `aloud` describes the
        table in words.
        """
        self.session, self.screen, self.read = session, screen, read
        self.display = Display(session, screen, every_step, forecast, aloud)
        self.commands = Metacommands(self.display, self._confirm)
        self.shown_to: int | None = None
        self.last_picture = ""
        self._announced_bot: int | None = None
        #: True if several players share the screen and have hidden information from each other.
        self._shared_with_secrets = False
        self._question_shown_at: float | None = None
        # True if the first parts of a choice have been made.
        self._choice_begun = False
        #: Number of options of all moves made in this session.
        self._options = 0
        self.observer: TutorialObserver | None = None

    # ---- explanations of an observer ----

    def explain(self, explained: Sequence[Explanation], last: bool) -> bool:
        """Print explanations before the table is shown, and wait until they are read.

        Returns False if they are the `last` and the user wants to stop.
        """
        show_explanations(self.display, explained, above=True)
        if not self.screen.interactive:
            return True
        question = self.session.words.say("learn.go_on" if last else "learn.enter")
        answer = self.read(question, Menu(()), self.commands)
        return not last or not answer.strip() or is_yes(answer, self.session.words)

    def _show_advice(self) -> None:
        """Print the observer's advice on the current question."""
        if self.observer is not None:
            show_explanations(self.display, self.observer.advice(self), above=False)

    # ---- game loop ----

    def run(self, resumed: bool = False) -> int:
        """Play the game and return the exit code."""
        try:
            return self._play_game(resumed)
        finally:
            self.session.close()

    def _play_game(self, resumed: bool) -> int:
        session, match = self.session, self.session.match
        people = self.display.humans
        self._shared_with_secrets = len(people) > 1 and match.game.knowledge.has_private_information
        self.display.viewer = people[0] if len(people) == 1 else None
        session.switch_to_viewer_language(self.display.viewer)
        self.screen.text(session.narrator.opening(), "strong")
        show_introduction(self.display)
        self.display.save()
        if session.torn:
            self.display.say("cli.save.torn", "faint")
        if resumed:
            self.display.mark_reported(None, *people)
            if match.state.over:
                self.screen.text(session.narrator.ending(match.state.winners))
            else:
                self.display.say("cli.resumed" if match.steps else "cli.resumed.start", n=len(match.steps))
        if not self._shared_with_secrets:
            self.display.report_events(self.display.viewer, whole=False)
        try:
            if not self._play_turns():
                return self._exit_code()
        except PlayFault:
            self.display.say("cli.fault", "wrong")
            self.commands.leave()
            raise
        self._hand_over(None)
        for seat in tuple(self.display.lost):
            show_solution(self.display, seat)
        self._show_final_position()
        if match.game.knowledge.has_secrets:
            self.display.say("cli.seed_was", seed=Text(str(match.seed)))
        from .ending import show_ending

        show_ending(self.display)
        if self.observer is not None:
            self.observer.after_game(self)
        self.display.save_and_report_path()
        return self._exit_code()

    def _exit_code(self) -> int:
        """Return the exit code of a game without a fault: a failure if it could not be saved."""
        return FAILURE if self.display.saving_failed else SUCCESS

    def ask_after(self, question: str) -> str:
        """Ask a question after the game has ended; raise EOFError at the end of input."""
        return self.read(question, Menu(()), self.commands)

    def _show_final_position(self) -> None:
        """Print the final position."""
        self.screen.line()
        if self.display.screen_reader:
            self.display.describe(self.display.viewer)
        else:
            self.screen.lines(self.display.picture(self.display.viewer)[0])

    def _play_turns(self) -> bool:
        """Play all turns; return False if the user quits."""
        match = self.session.match
        limit = self._length() // LONG_GAME_DECISIONS + 1
        while not match.state.over:
            if self._length() >= limit * LONG_GAME_DECISIONS:
                # Undo can bring the game below a limit again; the question is not repeated then.
                limit = self._length() // LONG_GAME_DECISIONS + 1
                if not self._confirm_long_game():
                    return False
            seat = match.state.seat
            kind = match.seats[seat].kind
            if kind != "human":
                self._play_bot_turn(seat, kind)
            elif self._play_human_turn(seat) == LEFT:
                return False
        return True

    def _length(self) -> int:
        """Return the length in decisions; many events or options, or large states, count as more: they take as long."""
        match = self.session.match
        decisions = len(match.steps) * max(1, match.game.program.size // CELLS_PER_DECISION)
        return max(decisions, len(match.history()) // EVENTS_PER_DECISION, self._options // OPTIONS_PER_DECISION)

    def _confirm_long_game(self) -> bool:
        """Ask whether an unusually long game should continue; without a terminal it is stopped."""
        n = len(self.session.match.steps)
        if self.screen.interactive and self._confirm(self.session.words.say("cli.long_game", None, n=n)):
            return True
        if not self.screen.interactive:
            self.display.say("cli.long_game.stopped", "wrong", n=n)
        self.commands.leave()
        return False

    def _confirm(self, question: str) -> bool:
        """Ask a yes/no question; return False without a terminal."""
        if not self.screen.interactive:
            return False
        try:
            return is_yes(self.read(question, Menu(()), self.commands), self.session.words)
        except EOFError:
            return False

    def play(self, move: Move, took: int = 0) -> None:
        """Make a move, remember a lost puzzle, and save."""
        state = self.session.match.state
        before = state.copy() if state.decision is not None and state.decision.clock is not None else None
        self._options += len(state.options())
        self.session.match.play(move, took)
        if before is not None and before.seat in self.display.humans:
            record_lost_puzzle(self.display, before, move)
        self.display.save()

    def _play_bot_turn(self, seat: int, kind: str) -> None:
        match = self.session.match
        if self.screen.interactive and kind != "random" and len(match.state.legal_moves()) > 1:
            # Report earlier events completely first, and name the bot once for several steps in a row.
            self._report_events_if_private(self._announced_bot != seat)
            if self._announced_bot != seat:
                self.screen.announce(self.session.words.say("cli.thinks", player=self.session.narrator.player(seat)))
            self._announced_bot = seat
        self.play(*self._compute_bot_move())
        self.shown_to = None
        self._report_events_if_private()

    def _compute_bot_move(self) -> tuple[Move, int]:
        """Return the bot's move and its thinking time in ms."""
        return decide(self.session.match)

    def _report_events_if_private(self, whole: bool = False) -> None:
        """Report events, unless another player may see the screen.

        With `whole=False`, leave out a sentence that later events may extend.
        """
        if not self._shared_with_secrets or self.display.viewer is not None:
            self.display.report_events(self.display.viewer, whole)

    def _hand_over(self, seat: int | None) -> None:
        """Hand the screen to a seat, or to all players (None)."""
        viewer = self.display.viewer
        if not self._shared_with_secrets:
            self.session.switch_to_viewer_language(seat if viewer is None else viewer)
        elif seat != viewer:
            self._change_viewer(seat)
            self.display.viewer, self.last_picture = seat, ""
        self.display.report_events(self.display.viewer, seat=seat)

    def _change_viewer(self, seat: int | None) -> None:
        """Hide the screen from the viewer, and show it to another seat, or to all players (None)."""
        if self.screen.interactive:
            show_privacy_screen(self.display, lambda question: self.read(question, Menu(()), self.commands), seat)
        else:
            self.session.switch_to_viewer_language(seat)
            self.screen.line()

    def _play_human_turn(self, seat: int) -> str:
        """Ask a player until they have decided; return `LEFT` if they quit."""
        self._announced_bot = None
        if self.screen.interactive and forced_move(self.session.match.state) == "public":
            self._make_forced_move()
            return DONE
        try:
            self._hand_over(seat)
            if self.observer is not None and not self.observer.before_question(self):
                self.commands.leave()
                return LEFT
            show_solution(self.display, seat)
            if not uses_countdown_screen(self.display):
                self._show_table(seat)
            self._show_advice()
            while True:
                outcome = self._ask_decision(seat)
                if outcome == LEFT:
                    self.commands.leave()
                if outcome in (LEFT, DONE):
                    return outcome
        except EOFError:
            self.screen.line()
            self.commands.leave()
            return LEFT

    def _make_forced_move(self) -> None:
        """Make the only legal move, which is public, and report it."""
        state, narrator = self.session.match.state, self.session.narrator
        (move,) = state.legal_moves()
        option_text = narrator.option(state, move)
        self.play(move)
        self.shown_to = None
        self._report_events_if_private()
        self.screen.text(self.session.words.say("cli.forced", None, option=quoted(option_text)), "faint", "  ")

    def _show_table(self, seat: int) -> None:
        """Print the table; without a terminal, only when the turn passes to another player."""
        reminded = False
        if self.display.screen_reader:
            self.display.describe(seat)
        elif self.screen.interactive or self.shown_to != seat:
            lines, text = self.display.picture(seat)
            if text != self.last_picture:
                self.screen.line()
                self.screen.lines(lines)
                # The picture has scrolled the changes off.
                reminded = self.screen.height < len(lines) + MIN_FREE_ROWS
            self.last_picture = text
        if self.screen.interactive:
            match = self.session.match
            summary = changes_since(match, self.session.narrator, seat, last_decision_of(match, seat))
            for text in summary.lines if reminded else summary.personal_changes:
                self.screen.text(text, "faint" if reminded else "strong", "  ")
            if reminded and summary.omitted_count:
                self.display.say("cli.earlier", "faint")
        self.shown_to = seat
        self.screen.line()

    def _ask_decision(self, seat: int) -> str:
        match = self.session.match
        decision = match.state.decision
        if decision is None or match.state.seat != seat:
            return DONE
        if uses_countdown_screen(self.display):
            self.play(*self._ask_on_countdown_screen(seat))
            return DONE
        steps = len(match.steps)
        self._question_shown_at = None
        try:
            return self._ask_with_menu(seat)
        finally:
            # An interrupted clock (to quit, or to change the language) continues later.
            if match.state.clock is not None and len(match.steps) == steps:
                self.session.match.thought = self._elapsed_ms()

    def _ask_on_countdown_screen(self, seat: int) -> tuple[Move, int]:
        """Return a timed answer given on a screen of its own, and its time in ms."""
        # Imported here because it needs the library for full screens.
        from .timed_screens import ask_timed

        return ask_timed(self.display, seat)

    def menu(self, seat: int, chosen: tuple[int, ...]) -> Menu:
        """Return the options of a seat, given the `chosen` first parts of its move."""
        return Menu.of(self.session.match.state, self.session.narrator, chosen, self.session.numbering)

    def _elapsed_ms(self) -> int:
        """Return the time spent on the question in ms; without a terminal no time is added."""
        if self._question_shown_at is None or not self.screen.interactive:
            return self.session.match.thought
        return self.session.match.thought + int((time.monotonic() - self._question_shown_at) * 1000)

    def _ask_with_menu(self, seat: int) -> str:
        """Put the question, and read lines until one of them answers it."""
        puzzle = Puzzle.of(self.session.match.state)
        chosen: tuple[int, ...] = ()
        while True:
            self._choice_begun, menu = bool(chosen), self.menu(seat, chosen)
            if menu.part is None:
                menu = with_cards(menu, self.display.scene(seat))
                self.display.compute_forecasts(self.lookahead_s)
                menu = self.display.forecasts.with_forecasts(menu, self.session.narrator)
            self._show_question(menu, puzzle)
            self._question_shown_at = self._question_shown_at or time.monotonic()
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
                answer, typed_time = notation.split_time(answer)
                took = self._elapsed_ms() if typed_time is None else typed_time
                covering = parse_covering(puzzle, answer) if puzzle is not None else None
                if puzzle is not None and covering is not None:
                    if (solution := puzzle.solution(covering)) is not None:
                        outcome = self._make_move(solution, took)
                    else:
                        report_fault(self.display, puzzle, covering)
                    continue
                entry = menu.match_one(answer) if menu.part is not None else None
                if entry is not None and menu.part is not None:
                    chosen = entry.move.raw[: menu.part + 1]
                    if chosen == entry.move.raw:
                        outcome = self._make_move(entry.move, took)
                        chosen = ()
                    break
                outcome = self._handle_answer(answer, menu, took)
            if outcome is not None:
                return outcome

    def _show_question(self, menu: Menu, puzzle: Puzzle | None) -> None:
        """Print the question and the possible answers."""
        state, narrator = self.session.match.state, self.session.narrator
        self.screen.text(narrator.prompt(state), "question")
        if puzzle is not None:
            show_puzzle(self.display, puzzle)
        elif state.clock is not None:
            explain_time(self.display, menu)
        if menu.part is not None:
            self.display.say("cli.part_by_part", "faint")
        if self.display.screen_reader:
            for text in spoken_menu(menu, self.session.words):
                self.screen.text(text, "", " " * 4)
        else:
            self.screen.lines(menu_lines(menu, self.session.words, self.screen.width))
        if menu.numbers:
            self.display.say("cli.which_number", numbers=number_ranges(menu, self.session.words))
        text = offer_repeats(self.display, menu)
        if text:
            self.screen.text(text, "faint", "  ")

    def _handle_answer(self, answer: str, menu: Menu, took: int) -> str | None:
        """Handle an input; return None if the question is still open."""
        state, words = self.session.match.state, self.session.words
        entry = menu.exact(answer)
        if entry is not None:
            return self._make_move(entry.move, took)
        counts = read_repeats(answer, menu) if menu.part is None else None
        if counts is not None:
            moves = repeated_moves(self.display, counts, menu)
            for move in moves or ():
                self.play(move)
            return None if moves is None else DONE
        if re.fullmatch(r"[-+]?\d+([.,]\d+)?", answer):
            self.display.report_wrong_number(menu, answer)
            return None
        outcome = self.commands.handle(answer, menu)
        if outcome is not None:
            return None if outcome == "" else outcome
        matches = menu.match_words(answer)
        if matches and menu.part is None and (refused := unavailable_option(self.session, answer, menu)):
            self.display.refuse(refused)
            return None
        if not matches and menu.part is not None and len(state.legal_moves()) <= MAX_LISTED_OPTIONS:
            # The complete option is accepted too, even if the choice is made part by part.
            matches = Menu.of(state, self.session.narrator, (), self.session.numbering).match_words(answer)
        if len(matches) == 1:
            return self._make_move(matches[0].move, took)
        if matches:
            several = Listing(tuple(Text(f"{e.number} ({e.text})") for e in matches[:6]))
            self.screen.text(words.say("cli.ambiguous", options=several), "wrong", "  ")
            return None
        try:
            move = state.read(answer)
        except IllegalMove as error:
            self.display.refuse(
                illegal_move.explain(error, state, self.session.narrator, state.seat)
                or unavailable_option(self.session, answer, menu)
                or [unknown_answer(self.session, answer, menu, self.commands.words())]
            )
            if (puzzle := Puzzle.of(state)) is not None:
                explain_rows(self.display, puzzle)
            return None
        return self._make_move(move, took)

    def _make_move(self, move: Move, took: int) -> str | None:
        """Make a move; return None if the user cancels one that is riskier than others."""
        forecast = self.display.forecasts.of(move)
        question = costly_choice_question(forecast, self.session.narrator) if forecast and forecast.risky else ""
        if question and not self._confirm(question):
            return None
        self.play(move, took)
        return DONE


def wants_rematch(line_session: LineSession) -> bool:
    """Ask the players at a terminal for a rematch; elsewhere, and among bots, return False."""
    display, words = line_session.display, line_session.session.words
    if not display.screen.interactive or not display.humans or not line_session.session.match.state.over:
        return False
    try:
        answer = line_session.ask_after(words.say("ending.again"))
    except (EOFError, KeyboardInterrupt):
        display.screen.line()
        return False
    # Enter alone does not mean yes, since it is easily pressed once too often.
    return is_yes(answer, words)
