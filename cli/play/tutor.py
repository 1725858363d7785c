"""Lessons at the table: what is explained before a question, and at the end."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from wongar_dsl.engine import Move
from wongar_dsl.table.lesson import Guide, Hint, Lesson
from wongar_dsl.table.menu import Menu
from wongar_dsl.table.table import Table
from wongar_dsl.table.teaching import Teacher
from wongar_dsl.words import Listing, Text, quoted

from .. import saves
from .session import Session

Paragraph = tuple[str, str]

#: Of what the rules say to a hint, so many paragraphs are shown; above a question no more than a few, where the screen
#: is so low that the hint itself would be pushed off it.
MOST_RULES, FEWER_RULES, LOW = 12, 4, 36


class Tutor:
    """Explains a game to the person on the first seat; an onlooker of a session."""

    def __init__(self, lesson: Lesson, table: Table) -> None:
        self._table, self._lesson = table, lesson
        self._guide = Guide(lesson, table.match)

    def before(self, session: Session) -> bool:
        """Explain what happened; False where the course has ended and the learner would rather stop."""
        hints = self._hints()
        asked = [hint for hint in hints if hint.of_the_question]
        if len(hints) == len(asked):
            return True
        for hint in hints:
            if hint not in asked:
                session.screen.line()
                self._tell(session, hint)
        if not session.screen.interactive:
            return True
        say, pause = self._table.words.say, any(hint.topic.pause for hint in hints)
        answer = session.read(say("learn.go_on" if pause else "learn.enter"), Menu(()), session.commands)
        return not pause or not answer.strip() or saves.means_yes(answer, self._table.words)

    def above(self, session: Session) -> None:
        """Explain the question at hand."""
        for hint in self._hints():
            if hint.of_the_question:
                self._tell(session, hint)
                session.screen.line()

    def after(self, session: Session) -> None:
        """Explain what is new when the game is over."""
        for hint in self._guide.hints():
            session.screen.line()
            self._tell(session, hint)
        table = self._table
        command = shlex.join(["wongar", "play", table.file.replace("\n", "+") or table.rules.name])
        session.screen.line()
        session.display.say("learn.next", command=quoted(command))

    def _hints(self) -> tuple[Hint, ...]:
        """What is to be explained now to who is asked."""
        return self._guide.hints() if self._table.match.state.seat == self._guide.seat else ()

    def _tell(self, session: Session, hint: Hint) -> None:
        mark = "▌ " if session.screen.unicode else "| "
        for style, text in self._paragraphs(session, hint):
            # What is folded stands below the first word.
            start = len(text) - len(text.lstrip(" –"))
            session.screen.text(f"{mark}{text}", style, mark + " " * start)

    def _paragraphs(self, session: Session, hint: Hint) -> Iterator[Paragraph]:
        """All that is said of a hint: what somebody wrote, what the rules say, where that stands, and what to try."""
        table, words = self._table, self._table.words
        teacher = Teacher(self._lesson, table.match, table.narrator, self._guide.seat)
        text = teacher.text(hint)
        if text:
            yield "", text
        if hint.topic is self._lesson.course[0]:
            yield from (("", told) for told in self._how(session))
        rules = [paragraph for paragraph in teacher.rules(hint) if paragraph.text]
        low = session.screen.interactive and session.screen.height < LOW and hint.of_the_question
        shown = rules[:MOST_RULES] if text else rules
        if low and text and len(rules) > FEWER_RULES:
            shown = []
        if text and shown:
            yield "", ""
        for paragraph in shown:
            yield "faint", f"  {paragraph.indent}{paragraph.text}"
        if len(rules) > len(shown):
            yield "faint", f"  {words.say('learn.more')}"
        yield from (("faint", f"  {line}") for line in teacher.sources(hint))
        move = teacher.suggestion(hint)
        if move is not None:
            yield "question", self._suggested(move)
            return
        boards = table.match.game.model.boards
        places = [Text(table.narrator.term(boards[board].areas[area])) for board, area in teacher.places(hint)]
        if places:
            yield "", words.say("learn.look", None, places=Listing(tuple(places)))

    def _suggested(self, move: Move) -> str:
        """What to try, with its number in the menu."""
        table = self._table
        menu = Menu.of(table.match.state, table.narrator, (), table.numbering)
        number = next((str(entry.number) for entry in menu.entries if menu.part is None and entry.move == move), "")
        option = quoted(table.narrator.option(table.match.state, move))
        return table.words.say("learn.try", None, n=Text(number or table.match.state.write(move)), option=option)

    def _how(self, session: Session) -> Iterator[str]:
        """How one answers and leaves, and what is to be seen."""
        table, say = self._table, self._table.words.say
        commands = {name: Text(say(f"cli.command.{name}")) for name in ("undo", "quit")}
        yield say("learn.how", None, **commands)
        yield say("learn.letter", None, letter=Text(table.letters[self._guide.seat]))
        if session.screen.interactive:
            yield say("learn.outlook")
