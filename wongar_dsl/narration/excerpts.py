"""What the rules of a game say of some of their articles, as they are played: with its variants and settings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache

from wongar_dsl import syntax as s
from wongar_dsl.engine import Game
from wongar_dsl.model import Model
from wongar_dsl.narration.narrator import title
from wongar_dsl.prose.book import Block, Items, Prose, Section, Table, key_of
from wongar_dsl.prose.outline import rulebook
from wongar_dsl.prose.plain import BULLET, STEP, Paragraph, shown
from wongar_dsl.prose.reading import Reading
from wongar_dsl.prose.short import changed_since
from wongar_dsl.words import Words

__all__ = ["Excerpts", "Paragraph"]

#: So many games in one language are kept as they were read.
KEPT = 8


class Excerpts:
    """What the rules of one game say of its articles, which are named as `rule.draw` or `setup`."""

    def __init__(self, game: Game, words: Words) -> None:
        self._game, self._words = game, words
        self._merged = game.model.merged
        self._articles = {key_of(article): article for article in self._merged.articles}
        self._shown: set[str] = set()

    def has(self, key: str) -> bool:
        """Whether the rules have an article."""
        return key in self._articles

    def names(self) -> tuple[str, ...]:
        """The names of all articles."""
        return tuple(self._articles)

    def cited(self, keys: Sequence[str]) -> list[s.Article]:
        """Articles with the places that they cite; what is inferred or reconstructed only where there is no other."""
        found = [self._articles[key] for key in keys if key in self._articles]
        plain = [
            replace(one, sources=tuple(source for source in one.sources if source.kind == "text")) for one in found
        ]
        return plain if any(one.sources for one in plain) else found

    def again(self) -> None:
        """Tell what was told before once more."""
        self._shown.clear()

    def is_changed(self, key: str, known: frozenset[str]) -> bool:
        """Whether an article is another one than in what is `known`, or is set otherwise in this game."""
        sort, _, name = key.partition(".")
        setting = self._game.model.settings.get(name) if sort == "option" else None
        if setting is not None and self._game.settings[name] != setting.start:
            return True
        return changed_since(self._game.model, key, known)

    def instead(self, key: str, articles: tuple[str, ...]) -> tuple[str, ...]:
        """Which articles say what has changed: of a value those that use it, if the paragraph speaks of them."""
        article = self._articles.get(key)
        if article is None or isinstance(article, s.Procedure | s.Define | s.Winner):
            return (key,) if article is not None else ()
        uses = tuple(other for other in articles if _uses(self._articles.get(other), article.name.text))
        return uses or (key,)

    def told(self, key: str) -> Iterator[Paragraph]:
        """What the rules say of an article, under its heading; each once."""
        found = self._place(key)
        if found is None or found[1].key in self._shown:
            return
        section, said = found
        self._shown.add(said.key)
        if not isinstance(said, Table) or said.title is None:
            yield self._heading(section)
        yield from self._lines(said)

    def line(self, key: str, node: s.Node) -> str:
        """The sentence that says one node of an article; empty where none does."""
        found = self._place(key)
        units = self._reading.units(found[1]) if found is not None and isinstance(found[1], Prose) else ()
        return next((self._reading.line(unit) for unit in units if unit.origin is node), "")

    def _heading(self, section: Section) -> Paragraph:
        return Paragraph(self._words.label(self._reading.heading(section.heading)).rstrip(), "strong")

    def _lines(self, said: Block) -> Iterator[Paragraph]:
        """A block without footnotes, and without saying where in the rulebook more of it stands."""
        match said:
            case Prose():
                for unit in self._reading.units(said):
                    start = STEP * max(unit.depth - 1, 0) + (BULLET if unit.depth else "")
                    yield Paragraph(start + self._reading.line(unit), "faint" if unit.unsaid else "")
            case Items() | Table():
                yield from shown(self._reading, replace(said, notes=()))

    def _place(self, key: str) -> tuple[Section, Block] | None:
        """Where an article is said: in a block of its own, or where it is written out."""
        blocks = [(section, one) for _, section in self._reading.book.walk() for one in section.blocks]
        own = next((found for found in blocks if found[1].key == key), None)
        if own is not None:
            return own
        nodes = {id(node) for node in s.walk(self._articles[key])}
        return next(((section, one) for section, one in blocks if self._speaks_of(one, nodes)), None)

    def _speaks_of(self, one: Block, nodes: set[int]) -> bool:
        match one:
            case Prose():
                return any(id(unit.origin) in nodes for unit in self._reading.units(one))
        rows = getattr(one, "rows", getattr(one, "items", ()))
        return id(one.origin) in nodes or any(id(row.origin) in nodes for row in rows)

    @cached_property
    def _reading(self) -> Reading:
        return _read(self._game, self._words)


@lru_cache(KEPT)
def _read(game: Game, words: Words) -> Reading:
    """The rulebook of a game: each hint of a guided game cites it anew."""
    return Reading(rulebook(_as_played(game), words, game.seats), words, title(words, game.name))


def _as_played(game: Game) -> Model:
    """The rules with the settings of this game."""
    settings = {
        name: setting._replace(start=game.settings.get(name, setting.start))
        for name, setting in game.model.settings.items()
    }
    return replace(game.model, settings=settings)


def _uses(article: s.Article | None, name: str) -> bool:
    """Whether a procedure or definition names something."""
    if not isinstance(article, s.Procedure | s.Define | s.Winner):
        return False
    return any(name in (getattr(node, "text", None), getattr(node, "name", None)) for node in s.walk(article))
