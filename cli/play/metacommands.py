"""Metacommands at the prompt (`?`, `undo`, `save`, `case` ...), in English or localised, and the players' languages."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
from collections.abc import Callable, Iterable
from dataclasses import replace
from threading import Timer

from wongar_dsl.engine import State
from wongar_dsl.engine.bots import SearchBudget
from wongar_dsl.engine.undo_policy import UndoBarrier
from wongar_dsl.nlg.narration.narrator import probability_text
from wongar_dsl.nlg.narration.story import retell
from wongar_dsl.nlg.words import Text, quoted
from wongar_dsl.nlg.words.arguments import WordsError
from wongar_dsl.render.text.lines import clip
from wongar_dsl.render.text.position import picture
from wongar_dsl.session.forecast import hint, hint_refusal
from wongar_dsl.session.game_session import GameSession
from wongar_dsl.session.menu import Menu, forced_move

from .. import save_paths
from ..errors import UserError
from ..language import select_language
from ..terminal.screen import is_dumb
from .display import Display, UndoneDecision
from .help import (
    MAX_QUOTED_ANSWER,
    NAMES,
    SHORT_FORMS,
    TAKING,
    explain_menu,
    explain_option,
    explain_rules,
    explain_why,
    unavailable_option,
    why_not,
)


def load_player_languages(session: GameSession, strict: bool = True) -> None:
    """Load the languages of the seats.

    For an unknown language, `strict` raises `UserError`; otherwise the seat uses the session's language.
    """
    for seat, person in enumerate(session.match.seats):
        if not person.language:
            continue
        with contextlib.suppress(*(() if strict else (UserError, WordsError))):
            session.player_translators[seat] = select_language(person.language, os.environ, session.rules.words_beside)


def switch_language(session: GameSession, language: str, seat: int | None) -> str | None:
    """Switch one seat, or the whole session, to another language; return an error message, or None."""
    try:
        words = select_language(language, os.environ, session.rules.words_beside)
    except UserError as refusal:
        error = refusal.__context__
        return session.words.say(error.name, None, **error.details) if isinstance(error, WordsError) else refusal.text
    if seat is None:
        session.set_language(words)
    else:
        session.set_player_language(seat, words)
        session.switch_to_viewer_language(seat)
    return None


#: Search time for a hint, and the seconds after which a longer search is announced.
BUDGET, NOTICE_DELAY_S = SearchBudget(0, seconds=1.0), 1.1


def show_hint(display: Display, menu: Menu) -> None:
    """Print the best options for the player to move, or the reason why no hint is available."""
    session, words = display.session, display.session.words
    why = hint_refusal(session.match)
    if why is not None:
        display.say(f"hint.{why}", "faint")
        return
    notice = Timer(NOTICE_DELAY_S, display.screen.announce, [words.say("hint.searching")])
    if display.screen.interactive:
        notice.start()
    try:
        recommendation = hint(session.match, BUDGET)
    finally:
        notice.cancel()
        if notice.is_alive():
            notice.join()
    chances = [probability_text(words, candidate.share, candidate.certain) for candidate in recommendation.best]
    if recommendation.even:
        display.say("hint.even", chance=chances[0])
        return
    alike = len(set(chances)) == 1 < len(chances)
    if alike:
        display.say("hint.alike", chance=chances[0])
    else:
        display.say("hint.best")
    numbers = {entry.move: entry.number for entry in menu.entries} if menu.part is None else {}
    for candidate, likely in zip(recommendation.best, chances, strict=True):
        state = session.match.state
        option_text = session.narrator.option(state, candidate.move)
        line = option_text if alike else words.say("hint.option", None, option=Text(option_text), chance=likely)
        mark = f"{numbers[candidate.move]:>3}" if candidate.move in numbers else f"  [{state.write(candidate.move)}]"
        display.screen.text(f"{mark} {line}", indent="    ")


#: Results of `handle` after which the same question is open: it is still on the screen, or has to be shown again.
SAME, REPEAT_QUESTION = "", "again"


#: Word after `case` for a case that the rulebook tells as an example.
EXAMPLE_OPTION = "--example"


class Metacommands:
    """Handler of the commands at the prompt."""

    def __init__(
        self, display: Display, confirm: Callable[[str], bool], close: Callable[[], None] = lambda: None
    ) -> None:
        """`confirm` asks a yes/no question; without a terminal it returns False. `close` leaves a full screen."""
        self._display, self._confirm, self._close = display, confirm, close
        self._earlier: dict[str, str] = {}  # Commands in languages used before: the user can switch back with them.

    def words(self) -> dict[str, str]:
        """Return the accepted commands, each with its English name."""
        say = self._display.session.words.say
        return {name: name for name in NAMES} | {say(f"cli.command.{name}").casefold(): name for name in NAMES}

    def spoken(self) -> list[str]:
        """Return the commands in the current language."""
        say = self._display.session.words.say
        return [say(f"cli.command.{name}") for name in NAMES]

    def handle(self, answer: str, menu: Menu) -> str | None:
        """Run a command; return `SAME`, `REPEAT_QUESTION`, `done` (undone) or `left`, None if it is no command."""
        if answer.startswith("?"):
            return self._help(answer[1:].strip(), menu)
        word, _, rest = answer.partition(" ")
        short_forms = {} if menu.match_words(word) else SHORT_FORMS
        name = (short_forms | self._earlier | self.words()).get(word.casefold())
        if name is None or (rest and name not in TAKING):
            return None
        display, about = self._display, rest.strip()
        match name:
            case "help":
                return self._help(about, menu)
            case "why":
                return self._why(about, menu)
            case "hint":
                show_hint(display, menu)
                return SAME
            case "undo":
                return self._undo()
            case "forecast":
                return self._forecast()
            case "save":
                return self._save(about)
            case "case":
                return self._case(about)
            case "log":
                return self._log(about)
            case "lang":
                return self._lang(about)
            case "rules":
                return self._rules(about)
            case "board" if not (display.screen_reader and is_dumb()):
                # On request, the board is shown completely.
                display.screen.lines(picture(replace(display.scene(display.viewer), height=0)))
                return REPEAT_QUESTION
            case "board" | "read":
                display.describe(display.viewer, whole=True)
                return REPEAT_QUESTION
        return "left"

    def _show(self, paragraphs: Iterable[tuple[str, str]]) -> str:
        """Print paragraphs (style, text); the question stays open."""
        for style, text in paragraphs:
            self._display.screen.text(text, style, "    ")
        return SAME

    def _rules(self, about: str) -> str:
        """Print the rules in short, or a section of the rulebook."""
        for paragraph in explain_rules(self._display.session, about):
            self._display.screen.text(paragraph.text, paragraph.style, paragraph.indent)
        return SAME

    def _refuse(self, message: str, **arguments: Text) -> str:
        """Print the reason why a command is not carried out; the question stays open."""
        self._display.say(message, "wrong", **arguments)
        return SAME

    def leave(self) -> None:
        """Leave a full screen, save, report pending events and the path of the save."""
        display = self._display
        self._close()
        saved = display.save()
        display.flush_deferred()
        if saved:
            path = display.session.path
            outside_folder = path.parent != save_paths.folder()
            shown = quoted(shlex.quote(str(path)) if outside_folder else str(path))
            display.say("cli.left.file" if outside_folder else "cli.left", path=shown)
        else:
            display.say("cli.not_saved", "wrong")

    def _help(self, about: str, menu: Menu) -> str:
        display = self._display
        if about:
            entry = menu.exact(about) or next(iter(menu.match_words(about)), None)
            if entry is None:
                display.report_wrong_number(menu)
                return SAME
            display.forecasts.work(lambda: False)
            return self._show(explain_option(display.session, entry, display.forecasts.of(entry.move)))
        return self._show(explain_menu(display.session, menu, display.scene(display.viewer)))

    def _why(self, about: str, menu: Menu) -> str:
        """Explain why an option is unavailable, or describe the available option that was named."""
        display = self._display
        if not about:
            return self._show(explain_why(display.session))
        exact = menu.exact(about) is not None
        if exact or (menu.match_one(about) is not None and not unavailable_option(display.session, about, menu)):
            return self._help(about, menu)
        explanation = why_not(display.session, about, menu, self.words())
        if not explanation:
            display.report_wrong_number(menu, about)
        display.refuse(explanation)
        return SAME

    def _undo(self) -> str:
        display = self._display
        match = display.session.match

        def asked(state: State) -> bool:
            return not display.screen.interactive or forced_move(state) != "public"

        number, asker = match.last_decided(asked), match.state.seat
        if number is not None and not self._may_undo(number, asker):
            return SAME
        notice = UndoneDecision.of(match, number) if number is not None else None
        barrier = match.undo(asked)
        if barrier is not None or notice is None:
            self._report_barrier(barrier or UndoBarrier("nothing"))
            return SAME
        display.save()
        display.forget_reported(notice)
        display.say("cli.undone")
        return "done"

    def _may_undo(self, number: int, asker: int) -> bool:
        """Return whether the user may undo to before a step.

        If another player with hidden information made it, that player must agree.
        """
        display, match = self._display, self._display.session.match
        maker = match.steps[number].seat
        needs_consent = len(display.humans) > 1 and match.game.knowledge.has_private_information
        if (
            not needs_consent
            or maker == asker
            or not display.screen.interactive
            or match.first_barrier_after(number) is not None
        ):
            return True
        player = display.session.narrator.player
        display.session.switch_to_viewer_language(maker)
        question = display.session.words.say("cli.undo.agree", None, maker=player(maker), player=player(asker))
        agreed = self._confirm(question)
        display.session.switch_to_viewer_language(asker)
        if agreed:
            return True
        display.say("cli.undo.not_agreed", "wrong", maker=player(maker))
        return False

    def _forecast(self) -> str:
        """Switch the display of forecasts on or off."""
        forecasts = self._display.forecasts
        forecasts.shown = not forecasts.shown
        self._display.say("cli.forecast.on" if forecasts.shown else "cli.forecast.off")
        return REPEAT_QUESTION

    def _report_barrier(self, barrier: UndoBarrier) -> None:
        """Print the reason why a step cannot be undone, with the event that prevents it."""
        display = self._display
        display.say(f"cli.cannot_undo.{barrier.reason}", "wrong")
        if barrier.event is not None:
            event_text = display.session.narrator.event(barrier.event, display.viewer)
            if event_text:
                display.screen.text(event_text, "faint", "  ")

    def _save(self, name: str) -> str:
        display, words = self._display, self._display.session.words
        try:
            path = save_paths.resolve_path(name, words) if name else display.session.path
        except UserError as refusal:
            display.screen.text(refusal.text, "wrong")
            return SAME
        if name and not save_paths.has_folder(path):
            return self._refuse("cli.save.no_folder", path=quoted(str(path.parent)))
        if name and not save_paths.may_replace(path):
            shown = quoted(str(path))
            if not path.is_file() or not self._confirm(words.say("cli.overwrite", None, path=shown)):
                return self._refuse("cli.not_overwritten", path=shown)
        if display.save_at(path):
            display.say("cli.saved_at", path=quoted(str(path)))
        return SAME

    def _case(self, rest: str) -> str:
        """Write the last step as a rule case, with `--example` as one that the rulebook tells.

        The case is not shown, since it contains hidden information.
        """
        from ..case_files import write_case

        display = self._display
        first, _, others = rest.partition(" ")
        example = first == EXAMPLE_OPTION
        try:
            case, line = write_case(display.session, others.strip() if example else rest, example)
        except UserError as refusal:
            display.screen.text(refusal.text, "wrong")
            return SAME
        shown, command = quoted(str(case.path)), Text(shlex.join(["wongar", "test", str(case.path)]))
        if display.session.match.game.knowledge.has_secrets:
            # The line number is not shown either: it would reveal the length of the cases before.
            display.say("cli.case.written.secret", path=shown)
        else:
            display.say("cli.case.written", path=shown, line=Text(str(line)))
        display.say("cli.case.apart" if case.standalone else "cli.case.run", command=command)
        return SAME

    def _log(self, count: str) -> str:
        """Print the log, or its last sentences."""
        display = self._display
        if count and not re.fullmatch(r"[1-9][0-9]{0,5}", count):
            return self._refuse("cli.log.number", text=quoted(clip(count, MAX_QUOTED_ANSWER)))
        log_lines = retell(display.session.narrator, display.session.match, display.viewer, display.every_step)
        display.show(log_lines[-int(count) :] if count else log_lines)
        return SAME

    def _lang(self, language: str) -> str:
        display = self._display
        if not language:
            display.say("cli.language_now", language=Text(display.session.words.lexicon.name))
            return SAME
        previous_commands = self.words()
        session, seat = display.session, display.session.match.state.seat
        for_seat = len(display.humans) > 1 or seat in session.player_translators
        trouble = switch_language(session, language, seat if for_seat else None)
        if trouble is not None:
            display.screen.text(trouble, "wrong")
            return SAME
        self._earlier |= previous_commands
        now = Text(session.words.lexicon.name)
        if for_seat:
            display.say("cli.language_now.seat", player=session.narrator.player(seat), language=now)
        else:
            display.say("cli.language_now", language=now)
        return REPEAT_QUESTION
