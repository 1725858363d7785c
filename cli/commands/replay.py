"""`wongar log` and `wongar replay`: a saved game as a log or step by step."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from wongar_dsl.base.terminal_text import fold
from wongar_dsl.engine.events import EVERYTHING
from wongar_dsl.engine.saves import lines
from wongar_dsl.nlg.narration.narrator import Narrator
from wongar_dsl.nlg.narration.story import written_story
from wongar_dsl.nlg.words import Text, Translator
from wongar_dsl.render.text.lines import Line
from wongar_dsl.render.text.position import BELOW, picture, signs
from wongar_dsl.render.text.puzzle import layout_lines
from wongar_dsl.render.text.scene import TextScene
from wongar_dsl.render.text.status import hands
from wongar_dsl.session.changes import Replay, ReplayPosition
from wongar_dsl.session.ending import final_rows
from wongar_dsl.session.game_session import GameSession

from .. import save_paths
from ..errors import SUCCESS, USAGE, UserError
from ..load_game import read_viewer, reopen, report_spectator_view
from ..play.ending import scores
from ..play.timed import solutions
from ..terminal.screen import Screen, echo_data, is_dumb


def log_command(
    words: Translator, file: str | None, form: str, who: str | None, every_step: bool, articles: bool, backend: str
) -> int:
    """Run `wongar log`."""
    path = save_paths.named_save(file, words)
    session = reopen(path, words, backend, marked=articles)
    viewer, narrator, match = read_viewer(who, session, words), session.narrator, session.match
    if articles and viewer != EVERYTHING and match.game.knowledge.has_secrets:
        # The name of the rule can reveal hidden information.
        raise UserError(words.say("cli.articles.secret"), USAGE)
    screen = Screen()
    if form == "jsonl":
        for data in lines(match, viewer, narrator.article) if articles else lines(match, viewer):
            echo_data(data)
        return SUCCESS

    report_spectator_view(who, session, words)
    state, history = match.state, list(match.history()) if articles else []
    screen.text(narrator.opening(), "strong")
    drawn = list(solutions(match, narrator, viewer))
    for line in written_story(narrator, match, viewer, every_step):
        screen.text(line.text, "strong" if line.heading else "", "  ")
        if articles and line.told:
            for origin in narrator.origins([history[index] for index in line.told]):
                screen.text(origin, "faint", "    ")
        while drawn and line.told and drawn[0][0] <= max(line.told):
            screen.lines(drawn.pop(0)[1])
    for _, solution in drawn:
        screen.lines(solution)
    if state.over:
        screen.lines(scores(narrator, final_rows(state, narrator), state.winners, screen.width))
    return SUCCESS


def replay_command(words: Translator, file: str | None, who: str | None, backend: str) -> int:
    """Run `wongar replay`."""
    session = reopen(save_paths.named_save(file, words), words, backend)
    viewer = read_viewer(who, session, words)
    if viewer == EVERYTHING and not session.match.state.over and session.match.game.knowledge.has_secrets:
        raise UserError(words.say("cli.replay.running"), USAGE)
    report_spectator_view(who, session, words)
    return run_replay(session, viewer, Screen())


#: Inputs for each way to move, with and without a terminal.
FORWARD, BACK, FIRST, LAST, LEAVE = frozenset("n+"), frozenset("b-"), frozenset("<"), frozenset(">"), frozenset("q")


class ReplayCursor:
    """Position in the replay of a game."""

    def __init__(self, session: GameSession, viewer: int | None, screen: Screen) -> None:
        self.session, self.viewer, self.screen = session, viewer, screen
        self.replay = Replay(session.match, session.narrator, viewer)
        self.number = 0
        # During play, the symbol for changes refers to the viewer's last decision, so its legend does not apply here.
        self.known = {"*"}

    def go(self, typed: str) -> bool:
        """Move as typed; return False if the input has no meaning."""
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
        """Yield the current step: its events, and the position after it."""
        shown, narrator = self.replay.at(self.number), self.session.narrator
        header: list[Line] = [[("strong", line)] for line in self._folded(self._heading(shown, narrator))]
        for sentence in shown.lines:
            style = "strong" if sentence.heading else ""
            header += ([(style, f"  {line}")] for line in self._folded(sentence.text))
        header += self._puzzle(shown, narrator)
        yield from header
        yield []
        yield from self._position(shown, height and max(1, height - 1 - len(header)))

    def _puzzle(self, shown: ReplayPosition, narrator: Narrator) -> Iterator[Line]:
        """Yield the solution given for a puzzle, or a possible one."""
        if shown.layout is None or shown.seat is None:
            return
        if shown.lost:
            yield []
            heading = self.session.words.say("ending.solution", None, player=narrator.player(shown.seat))
            yield from ([("strong", line)] for line in self._folded(heading))
        yield from layout_lines(shown.layout)

    def _folded(self, text: str) -> list[str]:
        """Wrap a text to the width of the terminal; otherwise return it as one line."""
        screen = self.screen
        return fold(text, screen.width - 3) if screen.interactive or screen.stream.isatty() else [text]

    def _heading(self, shown: ReplayPosition, narrator: Narrator) -> str:
        say, n, step_count = self.session.words.say, shown.number, len(self.replay)
        if shown.seat is None:
            return say("cli.replay.start", None, of=step_count)
        player = narrator.player(shown.seat)
        if not shown.choice:
            return say("cli.replay.step", None, n=n, of=step_count, player=player)
        return say("cli.replay.choice", None, n=n, of=step_count, player=player, choice=Text(shown.choice))

    def _position(self, shown: ReplayPosition, height: int) -> Iterator[Line]:
        everything = self.viewer == EVERYTHING

        def scene(viewer: int | None, height: int = 0) -> TextScene:
            session, screen = self.session, self.screen
            # There is no question below the picture.
            where = (screen.width, screen.unicode, height and height + BELOW)
            return TextScene(shown.state, session.narrator, session.letters, viewer, *where, marked=shown.marked)

        seats = range(self.session.match.game.seats) if everything else ()
        held = [line for seat in seats for line in hands(scene(seat))]
        seen = scene(None if everything else self.viewer, height and max(1, height - len(held)))
        yield from picture(seen, self.known)
        if not self.screen.interactive:
            self.known |= signs(seen).keys()  # The legend stays visible above.
        yield from held


def run_replay(session: GameSession, viewer: int | None, screen: Screen) -> int:
    """Run the replay and return the exit code."""
    cursor = ReplayCursor(session, viewer, screen)
    if screen.interactive and not is_dumb():
        from ..fullscreen.replay_screen import ReplayScreen  # Only the full screen needs its library.

        ReplayScreen(cursor).run()
        return SUCCESS
    typed = False
    screen.lines(cursor.lines())
    for line in sys.stdin:
        answer, typed = line.strip(), True
        if answer in LEAVE:
            return SUCCESS
        if cursor.go(answer):
            screen.line()
            screen.lines(cursor.lines())
        else:
            screen.text(session.words.say("cli.replay.how", None, n=len(cursor.replay)), "wrong")
    # Without any input, all steps are printed.
    while not typed and cursor.number < len(cursor.replay):
        cursor.go("")
        screen.line()
        screen.lines(cursor.lines())
    return SUCCESS
