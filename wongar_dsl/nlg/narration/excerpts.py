"""Excerpts from the rulebook of a game as it is played, with its variants and settings, and its rules in short."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Literal, NamedTuple

from wongar_dsl.engine import Game
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Model
from wongar_dsl.nlg.narration.narrator import title
from wongar_dsl.nlg.prose.document.document_model import Block, BookTable, CountList, Prose, Section
from wongar_dsl.nlg.prose.document.outline import rulebook
from wongar_dsl.nlg.prose.document.short_rules import DIFFERENT, SHORT, USUAL, ShortRules, articles_of_change, place_of
from wongar_dsl.nlg.prose.document.teaching import teaching_rulebook
from wongar_dsl.nlg.prose.micro.sentence_plan import list_item
from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook, TextParagraph, markdown, render_block
from wongar_dsl.nlg.words import Text, Translator

__all__ = ["RuleExcerpts", "TextParagraph", "markdown", "read_rulebook", "rules_summary"]

#: The teaching book, or the complete reference.
Style = Literal["teach", "reference"]
#: Sections of the teaching rulebook that repeat what others explain.
DERIVED = frozenset({"about", "glance", "questions", "summary", "index"})
#: Number of rulebooks that are cached.
MAX_CACHED_RULEBOOKS = 8


def read_rulebook(
    model: Model,
    words: Translator,
    scope: str,
    seats: int | None = None,
    style: Style = "reference",
    settings: Mapping[str, int] | None = None,
) -> RealisedRulebook:
    """Return the rulebook of a game (`chess/blitz`) in a language, for any number of players or for one.

    With `settings`, it is the rulebook for a game with these values.
    """
    build = teaching_rulebook if style == "teach" else rulebook
    return RealisedRulebook(build(model.with_settings(settings or {}), words, seats), words, title(words, scope))


class BookSection(NamedTuple):
    """A section of the teaching rulebook: its key, which is the same in every language, and its heading."""

    key: str
    heading: str


class RuleExcerpts:
    """Excerpts from the rules of one game, by declaration (`rule.draw`, `setup`), in the style of a rulebook."""

    def __init__(self, game: Game, words: Translator, style: Style = "reference") -> None:
        self._game, self.words, self._style = game, words.without_outdated(game.name, game.changes), style
        self._merged = game.model.merged
        self._articles = self._merged.texts()
        self._shown: set[str] = set()

    def has(self, key: str) -> bool:
        """Return whether the rules have a declaration."""
        return key in self._articles

    def names(self) -> tuple[str, ...]:
        """Return the keys of all declarations."""
        return tuple(self._articles)

    def cited(self, keys: Sequence[str]) -> list[s.Declaration]:
        """Return declarations with their citations.

        Inferred and reconstructed citations are dropped if any declaration cites a text.
        """
        articles = [self._articles[key] for key in keys if key in self._articles]
        plain = [
            replace(article, sources=tuple(source for source in article.sources if source.kind == "text"))
            for article in articles
        ]
        return plain if any(article.sources for article in plain) else articles

    def repeat(self) -> None:
        """Forget which excerpts were shown, so that they are shown again."""
        self._shown.clear()

    def changed_articles(self, key: str, articles: tuple[str, ...]) -> tuple[str, ...]:
        """Return the declarations that express a change: for a value, those of `articles` that use it, else itself."""
        return articles_of_change(self._articles, key, articles)

    def article_text(self, key: str, depth: int = 0) -> Iterator[TextParagraph]:
        """Yield the text of a declaration under its heading, each declaration once; with a `depth`, as list items."""
        position = self._place(key)
        if position is None or position[1].key in self._shown:
            return
        section, block = position
        self._shown.add(block.key)
        if not isinstance(block, BookTable) or block.title is None:
            heading = self._heading(section)
            yield replace(heading, text=list_item(heading.text, depth))
        yield from self._lines(block, depth + 1 if depth else 0)

    def section(self, keys: Sequence[str]) -> BookSection | None:
        """Return the section of the teaching rulebook that explains the first of some declarations that it has."""
        sections = [section for section in self._teaching.book.sections if section.key not in DERIVED]
        inner = [section for top in sections for _, section in top.walk()]
        for article in (self._articles[key] for key in keys if key in self._articles):
            own = (s for s in inner if any(isinstance(b, Prose) and b.article is article for b in s.blocks))
            place = place_of(sections, article)
            section = next(own, place[0] if place is not None else None)
            if section is not None:
                return BookSection(section.key, self._teaching.heading(section.heading))
        return None

    def line(self, key: str, node: s.Node) -> str:
        """Return the sentence for one node of a declaration, empty if there is none."""
        position = self._place(key)
        units = self._book.units(position[1]) if position is not None and isinstance(position[1], Prose) else ()
        return next((unit.text for unit in units if unit.origin is node), "")

    def course_of_play(self) -> Iterator[TextParagraph]:
        """Yield the course of play and the winning condition, for a game without a summary."""
        sections = {section.key: section for _, section in self._book.book.walk()}
        lines = 0
        for section in (sections.get(key) for key in ("play", "rules", "end")):
            for _, subsection in section.walk() if section is not None else ():
                shown = [paragraph for part in subsection.blocks for paragraph in self._lines(part)]
                if shown and (not lines or lines + len(shown) <= ENOUGH or subsection.key == "end"):
                    lines += len(shown)
                    yield self._heading(subsection)
                    yield from shown

    def _heading(self, section: Section) -> TextParagraph:
        return TextParagraph(self.words.label(self._book.heading(section.heading)).rstrip(), "strong")

    def _lines(self, block: Block, depth: int = 0) -> Iterator[TextParagraph]:
        """Yield the paragraphs of a block, without footnotes and cross-references; with a `depth`, as list items."""
        match block:
            case Prose():
                for unit in self._book.units(block):
                    text = list_item(unit.text, unit.depth + depth)
                    yield TextParagraph(text, "faint" if unit.unsaid else "")
            case CountList() | BookTable():
                yield from render_block(self._book, replace(block, notes=()))

    def _place(self, key: str) -> tuple[Section, Block] | None:
        """Return the section and block of a declaration: its own block, or the one that contains it inline.

        What the teaching book leaves out is in the reference.
        """
        for style in dict.fromkeys((self._style, "reference")):
            book = _read(self._game, self.words, style).book
            sections = (section for section in book.sections if section.key not in {SHORT, *DERIVED})
            if (place := place_of(sections, self._articles[key])) is not None:
                return place
        return None

    @property
    def _book(self) -> RealisedRulebook:
        return _read(self._game, self.words, self._style)

    @property
    def _teaching(self) -> RealisedRulebook:
        return _read(self._game, self.words, "teach")


@lru_cache(MAX_CACHED_RULEBOOKS)
def _read(game: Game, words: Translator, style: Style) -> RealisedRulebook:
    """Return the rulebook of a game with its settings, cached because each hint of the tutorial cites it."""
    return read_rulebook(game.model, words, game.name, game.seats, style, game.settings)


#: Maximum number of paragraphs of a generated summary; the winning condition is always included.
ENOUGH = 16


def rules_summary(game: Game, words: Translator) -> Iterator[TextParagraph]:
    """Yield the rules of a game in a few paragraphs, in the language of `words`.

    A variant or setting can change declarations that a paragraph of the author describes (`rules.1`, `rules.2` …, and
    `rules.VARIANT`). The paragraph is then marked as the usual rule, and the text of these declarations follows as the
    difference. It replaces the paragraph if all of its declarations were replaced or one was removed.
    """
    excerpts, model = RuleExcerpts(game, words), game.model.with_settings(game.settings)
    written = False
    for message, holds, different in ShortRules(model, excerpts.words).paragraphs():
        text = excerpts.words.say(message, game.name)
        if holds != "outdated":
            usual = excerpts.words.say(USUAL, text=Text(text))
            yield TextParagraph(text if holds == "as written" else usual)
        details = [paragraph for key in different for paragraph in excerpts.article_text(key, 1)]
        if details:
            yield TextParagraph(excerpts.words.say(DIFFERENT), "strong")
            yield from details
        written = written or holds != "outdated" or bool(details)
    if not written:
        yield from excerpts.course_of_play()
