"""The tutorial at the terminal: its file, and explanations before questions and after the game."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator

from wongar_dsl.base.diagnostics import RulesError
from wongar_dsl.engine import library
from wongar_dsl.engine.library import Rules
from wongar_dsl.engine.rule_cases.file import CaseError, CaseFailure, case_fault, file_source
from wongar_dsl.nlg.words import Listing, Text, Translator, quoted
from wongar_dsl.session.game_session import GameSession
from wongar_dsl.session.lesson_check import check
from wongar_dsl.session.menu import Menu
from wongar_dsl.session.tutorial import (
    SUFFIX,
    Tutorial,
    TutorialHint,
    TutorialRunner,
    TutorialText,
    find_lesson,
    lesson_of,
    read_lesson,
)

from ..commands.games import game_line
from ..errors import USAGE, UserError
from ..language import cache
from .display import Explanation, Paragraph, show_explanations
from .terminal_session import LineSession

#: Maximum paragraphs of rules for a hint, and above a question on a low screen, one with fewer than `LOW` lines.
MAX_RULE_PARAGRAPHS, MAX_RULE_PARAGRAPHS_LOW, LOW = 12, 4, 36


def tutorial_of(rules: Rules, words: Translator) -> Tutorial:
    """Return the tutorial of a game.

    Raises `UserError` if there is none and `RulesError` if it is invalid.
    """
    location = find_lesson(rules)
    if location is None:
        names = Listing(tuple(Text(name) for name, _ in games_with_tutorial(words)))
        raise UserError(words.say("learn.none", None, name=Text(rules.name), games=names), USAGE)
    place, names_of_it = location
    failures: list[CaseFailure] = []
    try:
        lesson = read_lesson(place, names_of_it)
        # A variant may lack components that the tutorial of its base uses.
        failures = list(check(rules, lesson)) if names_of_it == rules.model.merged.names else []
    except CaseError as error:
        failures.append(error.finding)
    if failures:
        source = file_source(place, SUFFIX)
        raise RulesError(case_fault(failure, source, "R0702") for failure in failures)
    return lesson


def games_with_tutorial(words: Translator) -> list[tuple[str, str]]:
    """Return the built-in games that have a tutorial, with their descriptions."""
    games = []
    for name in library.builtin_games():
        rules = library.load(name, cache())
        if find_lesson(rules) is not None:
            games.append((name, game_line(rules, words)))
    return games


class TutorialObserver:
    """An observer that teaches the player on the first seat."""

    def __init__(self, lesson: Tutorial, session: GameSession) -> None:
        self._session, self._lesson = session, lesson
        self._guide = TutorialRunner(lesson, session.match)
        # Hints already read on a screen that keeps them visible.
        self._read: set[str] = set()

    def before_question(self, line_session: LineSession) -> bool:
        """Explain recent events; return False if the tutorial has ended and the learner wants to stop."""
        hints = [hint for hint in self._hints() if not hint.about_question and hint.topic.name not in self._read]
        if line_session.screen.scrolls:
            self._read |= {hint.topic.name for hint in hints}
        explained = self._explanations(line_session, hints)
        return not explained or line_session.explain(explained, any(hint.topic.pause for hint in hints))

    def advice(self, line_session: LineSession) -> list[Explanation]:
        """Return the hints for the current question."""
        return self._explanations(line_session, [hint for hint in self._hints() if hint.about_question])

    def after_game(self, line_session: LineSession) -> None:
        """Explain the end of the game, and print the command for a regular game."""
        show_explanations(line_session.display, self._explanations(line_session, self._guide.hints()), above=True)
        command = shlex.join(["wongar", "play", self._session.file.replace("\n", "+") or self._session.rules.name])
        line_session.screen.line()
        line_session.display.say("learn.next", command=quoted(command))

    def _hints(self) -> tuple[TutorialHint, ...]:
        """Return the hints for the player to move."""
        return self._guide.hints() if self._session.match.state.seat == self._guide.seat else ()

    def _explanations(self, line_session: LineSession, hints: Iterable[TutorialHint]) -> list[Explanation]:
        """Return the explanations of hints, without empty ones."""
        explained = (self._explanation(line_session, hint) for hint in hints)
        return [explanation for explanation in explained if explanation.said or explanation.suggested]

    def _explanation(self, line_session: LineSession, hint: TutorialHint) -> Explanation:
        """Return the explanation of a hint: written text, rules with their source, and suggestion."""
        session = self._session
        teacher = TutorialText(self._lesson, session.match, session.narrator, self._guide.seat)
        text = teacher.text(hint)
        rules = [
            _aligned("faint" if line else "", line) for line in self._rules(line_session, teacher, hint, bool(text))
        ]
        main_text = [_aligned("", text)] if text else []
        if hint.topic is self._lesson.topics[0]:
            main_text += [_aligned("", line) for line in self._how(line_session)]
        suggests = teacher.suggestion(hint) is not None
        advice = teacher.advice(hint, line_session.menu(self._guide.seat, ()) if suggests else Menu(()))
        suggested = (_aligned("question" if suggests else "", advice),) if advice else ()
        said, below = ([], rules) if text else (rules, [])
        return Explanation((*main_text, *said), tuple(below), suggested, frozenset(teacher.places(hint)))

    def _rules(self, line_session: LineSession, teacher: TutorialText, hint: TutorialHint, said: bool) -> Iterator[str]:
        """Yield the rules on a hint, shortened if written text was `said` above."""
        screen = line_session.screen
        rules = [paragraph for paragraph in teacher.rules(hint) if paragraph.text]
        low = screen.interactive and not screen.scrolls and screen.height < LOW and hint.about_question
        shown = rules[:MAX_RULE_PARAGRAPHS] if said else rules
        if low and said and len(rules) > MAX_RULE_PARAGRAPHS_LOW:
            shown = []
        if said and shown:
            yield ""
        more = [self._session.words.say("learn.more")] if len(rules) > len(shown) else []
        section = teacher.section(hint)
        link = [self._session.words.say("learn.section", None, heading=quoted(section.heading))] if section else []
        lines = (*(f"{paragraph.indent}{paragraph.text}" for paragraph in shown), *more, *teacher.sources(hint), *link)
        yield from (f"  {line}" for line in lines)

    def _how(self, line_session: LineSession) -> Iterator[str]:
        """Yield instructions for answering, quitting and reading the screen."""
        session, say = self._session, self._session.words.say
        commands = {name: Text(say(f"cli.command.{name}")) for name in ("undo", "quit", "rules")}
        yield say("learn.how", None, **commands)
        if line_session.screen.scrolls:
            yield say("learn.keys")
        yield say("learn.letter", None, letter=Text(session.letters[self._guide.seat]))
        if line_session.screen.interactive:
            yield say("learn.outlook")


def tutor_of(session: GameSession) -> TutorialObserver | None:
    """Return the tutor of a guided first game, or None if its tutorial can no longer be read."""
    lesson = lesson_of(session.rules)
    return None if lesson is None else TutorialObserver(lesson, session)


def _aligned(style: str, text: str) -> Paragraph:
    """Return a paragraph whose continuation lines are aligned with its first word."""
    return Paragraph(style, text, " " * (len(text) - len(text.lstrip(" –"))))
