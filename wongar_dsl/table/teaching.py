"""What a hint of a lesson says, in words, for every front end."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from wongar_dsl.engine import IllegalMove, Move
from wongar_dsl.engine.match import Match
from wongar_dsl.narration import Narrator
from wongar_dsl.narration.excerpts import Excerpts, Paragraph
from wongar_dsl.narration.illegal import citations
from wongar_dsl.table.lesson import LEARNER, Hint, Lesson
from wongar_dsl.table.lesson_check import LEARNER_SLOT
from wongar_dsl.table.places import Place, places_of_move


class Teacher:
    """Says what the hints of a lesson are about, in the language of a narrator, to the learner of a match."""

    def __init__(self, lesson: Lesson, match: Match, narrator: Narrator, learner: int = LEARNER) -> None:
        self._lesson, self._match, self._narrator, self._learner = lesson, match, narrator, learner

    @cached_property
    def _excerpts(self) -> Excerpts:
        return Excerpts(self._match.game, self._narrator.words)

    def text(self, hint: Hint) -> str:
        """What somebody wrote for it; empty where a variant or a setting has changed what it speaks of, or nobody
        wrote anything: then the rules say it."""
        known = frozenset(self._lesson.names or self._match.game.model.merged.names)
        message = f"lesson.{hint.topic.name}"
        narrator, scope = self._narrator, self._narrator.scope
        changed = any(self._excerpts.is_changed(key, known) for key in hint.topic.articles)
        if changed or not narrator.words.knows(message, scope):
            return ""
        spoken = narrator.spoken(hint.event) if hint.event is not None else None
        values = dict(spoken.values) if spoken is not None else {}
        return narrator.words.say(message, scope, **values | {LEARNER_SLOT: narrator.player(self._learner)})

    def rules(self, hint: Hint) -> Iterator[Paragraph]:
        """What the rules themselves say of it, under their headings."""
        excerpts, articles = self._excerpts, hint.topic.articles
        excerpts.again()
        # A value is told with the rule that uses it; a setting is none that somebody plays by.
        keys = dict.fromkeys(found for article in articles for found in excerpts.instead(article, articles))
        for key in [key for key in keys if not key.startswith("option.")] or keys:
            if excerpts.has(key):
                yield from excerpts.told(key)

    def sources(self, hint: Hint) -> list[str]:
        """Where in the rulebook that stands; what is inferred or reconstructed, only where nothing else is named."""
        model, articles = self._match.game.model, self._excerpts.cited(hint.topic.articles)
        return list(dict.fromkeys(line for one in articles for line in citations(model, one, self._narrator)))

    def suggestion(self, hint: Hint) -> Move | None:
        """The option that it suggests, where it is there now."""
        if not hint.topic.suggestion or self._match.state.over:
            return None
        try:
            return self._match.state.read(hint.topic.suggestion)
        except IllegalMove:
            return None

    def places(self, hint: Hint) -> tuple[Place, ...]:
        """The areas that are worth a look, those of the suggestion last."""
        boards = self._match.game.model.boards
        found = [
            (board, graph.areas.index(area))
            for area in hint.topic.places
            for board, graph in boards.items()
            if area in graph.areas
        ]
        move = self.suggestion(hint)
        return tuple(dict.fromkeys((*found, *(places_of_move(self._match.state, move) if move is not None else ()))))
