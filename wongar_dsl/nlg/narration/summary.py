"""Summary of the rules: the author's text where it applies to this game, else text from the rules."""

from __future__ import annotations

from collections.abc import Iterator

from wongar_dsl.engine import Game
from wongar_dsl.nlg.narration.excerpts import RuleExcerpts
from wongar_dsl.nlg.prose.document.short_rules import DIFFERENT, USUAL, ShortRules
from wongar_dsl.nlg.prose.render.render_text import TextParagraph
from wongar_dsl.nlg.words import Text, Translator

#: Maximum number of paragraphs of a generated summary; the winning condition is always included.
ENOUGH = 16


def rules_summary(game: Game, words: Translator) -> Iterator[TextParagraph]:
    """Yield the rules of a game in a few paragraphs, in the language of `words`.

    A variant or setting can change declarations that a paragraph of the author describes (`rules.1`, `rules.2` …, and
    `rules.VARIANT`). The paragraph is then marked as the usual rule, and the text of these declarations follows as the
    difference. It replaces the paragraph if all of its declarations were replaced or one was removed.
    """
    summary = _Summary(game, words)
    written = list(summary.paragraphs())
    yield from written or summary.generated()


class _Summary(RuleExcerpts):
    """The summary of one game as it is played."""

    # ---- the author's text ----

    def paragraphs(self) -> Iterator[TextParagraph]:
        """Yield the author's paragraphs, or the present rules in their place."""
        short_rules = ShortRules(self._game.model, self._words, self._game.changed_settings)
        for message, holds, different in short_rules.paragraphs():
            text = self._words.say(message, self._game.name)
            if holds != "outdated":
                usual = self._words.say(USUAL, text=Text(text))
                yield TextParagraph(text if holds == "as written" else usual)
            details = [paragraph for key in different for paragraph in self.article_text(key, 1)]
            if details:
                yield TextParagraph(self._words.say(DIFFERENT), "strong")
                yield from details

    def generated(self) -> Iterator[TextParagraph]:
        """Yield the course of play and the winning condition from the rules, for a game without a summary."""
        sections = {section.key: section for _, section in self._book.book.walk()}
        lines = 0
        for section in (sections.get(key) for key in ("play", "rules", "end")):
            for _, subsection in section.walk() if section is not None else ():
                shown = [paragraph for part in subsection.blocks for paragraph in self._lines(part)]
                if shown and (not lines or lines + len(shown) <= ENOUGH or subsection.key == "end"):
                    lines += len(shown)
                    yield self._heading(subsection)
                    yield from shown
