"""The rules in short: what somebody wrote, as far as it holds for this game, else what the rules say."""

from __future__ import annotations

from collections.abc import Iterator

from wongar_dsl.engine import Game
from wongar_dsl.narration.excerpts import Excerpts
from wongar_dsl.prose.plain import Paragraph
from wongar_dsl.prose.short import paragraphs, written_for
from wongar_dsl.words import Text, Words

#: So many lines are said of a game that nobody wrote a summary of; who wins is said in any case.
ENOUGH = 16


def in_short(game: Game, words: Words) -> Iterator[Paragraph]:
    """The rules of a game in a few paragraphs, in the language of `words`.

    Where a variant or a setting of this game changes articles of a paragraph that an author wrote (`rules.1`,
    `rules.2` …, and `rules.VARIANT`), the paragraph is marked as the usual rule, and the text of these articles follows
    as what is different.  It replaces the paragraph if none of its articles is as it was, or one has been removed.
    """
    summary = _Summary(game, words)
    written = list(summary.written())
    yield from written or summary.generated()


class _Summary(Excerpts):
    """The summary of one game as it is played."""

    # ---- what somebody wrote ----

    def written(self) -> Iterator[Paragraph]:
        """The paragraphs, each as it was written or as the rules have it now."""
        for name in paragraphs(self._words, self._game.name, self._merged.names):
            articles = self._words.articles(name, self._game.name)[1]
            known = written_for(self._words, self._game.name, self._merged.names, name)
            changed = [key for key in articles if self.is_changed(key, known)]
            if not changed:
                yield Paragraph(self._words.say(name, self._game.name))
                continue
            instead = list(dict.fromkeys(found for key in changed for found in self.instead(key, articles)))
            # Nothing can be said of a removed article; then what is left of the paragraph is said anew.
            told = [one for key in instead or filter(self.has, articles) for one in self.told(key)]
            if all(map(self.has, articles)) and not {*articles} <= {*changed, *instead}:
                text = Text(self._words.say(name, self._game.name))
                yield Paragraph(self._words.say("rules.usual", text=text))
            if told:
                yield Paragraph(self._words.say("rules.different"), "strong")
                yield from told

    def generated(self) -> Iterator[Paragraph]:
        """How the game goes, and who wins, where nobody wrote a summary."""
        sections = {section.key: section for _, section in self._reading.book.walk()}
        lines = 0
        for section in (sections.get(key) for key in ("play", "rules", "end")):
            for _, one in section.walk() if section is not None else ():
                said = [paragraph for part in one.blocks for paragraph in self._lines(part)]
                if said and (not lines or lines + len(said) <= ENOUGH or one.key == "end"):
                    lines += len(said)
                    yield self._heading(one)
                    yield from said
