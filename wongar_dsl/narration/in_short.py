"""The rules in short: what somebody wrote, as far as it holds for this game, else what the rules say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from wongar_dsl import syntax as s
from wongar_dsl.engine import Game
from wongar_dsl.model import Model
from wongar_dsl.narration.narrator import title
from wongar_dsl.prose.book import Block, Items, Prose, Section, Table, key_of
from wongar_dsl.prose.outline import rulebook
from wongar_dsl.prose.plain import BULLET, STEP, Paragraph, shown
from wongar_dsl.prose.reading import Reading
from wongar_dsl.words import Words

#: So many lines are said of a game that nobody wrote a summary of; who wins is said in any case.
ENOUGH = 16


def in_short(game: Game, words: Words) -> Iterator[Paragraph]:
    """The rules of a game in a few paragraphs, in the language of `words`.

    A paragraph that somebody wrote (`rules.1`, `rules.2` …, and `rules.VARIANT`) gives way to what the rules say of
    those of its articles that a variant, or a setting of this game, has changed since.
    """
    summary = _Summary(game, words)
    written = list(summary.written())
    yield from written or summary.generated()


class _Summary:
    """The summary of one game as it is played."""

    def __init__(self, game: Game, words: Words) -> None:
        self._game, self._words = game, words
        self._model = _as_played(game)
        self._merged = game.model.merged
        self._keys = (*self._merged.changed, *self._merged.replaced)
        self._articles = {key_of(article): article for article in self._merged.articles}
        self._shown: set[str] = set()

    # ---- what somebody wrote ----

    def written(self) -> Iterator[Paragraph]:
        """The paragraphs, each as it was written or as the rules have it now."""
        for name in self._paragraphs():
            articles = self._words.articles(name, self._game.name)[1]
            known = self._written_for(name)
            changed = [key for key in articles if self._is_changed(key, known)]
            if not changed:
                yield Paragraph(self._words.say(name, self._game.name))
                continue
            instead = list(dict.fromkeys(found for key in changed for found in self._instead(key, articles)))
            # Of what is gone there is nothing to say; then what is left of the paragraph is said anew.
            for key in instead or [key for key in articles if key in self._articles]:
                yield from self._text(key)

    def _paragraphs(self) -> Iterator[str]:
        number = 1
        while self._words.knows(f"rules.{number}", self._game.name):
            yield f"rules.{number}"
            number += 1
        for variant in self._merged.names[1:]:
            if self._words.knows(f"rules.{variant}", self._game.name):
                yield f"rules.{variant}"

    def _written_for(self, name: str) -> frozenset[str]:
        """The game and the variants that whoever wrote a paragraph had in mind."""
        names = self._merged.names
        variant = name.removeprefix("rules.")
        if variant in names[1:]:
            return frozenset(names[: names.index(variant) + 1])
        scope = self._words.articles(name, self._game.name)[0].partition(".")[0]
        return frozenset((names[0], *scope.split("/")[1:]))

    def _is_changed(self, key: str, known: frozenset[str]) -> bool:
        """Whether an article is another one than in what is `known`, or is set otherwise in this game."""
        sort, _, name = key.partition(".")
        setting = self._game.model.settings.get(name) if sort == "option" else None
        if setting is not None and self._game.settings[name] != setting.start:
            return True
        found = next((pair for pair in self._keys if pair == (sort, name or sort)), None)
        if found is None:
            return False
        by = {*self._merged.changed.get(found, ())}
        if found in self._merged.replaced:
            by.add(self._merged.origin[found])
        return bool(by - known)

    def _instead(self, key: str, articles: tuple[str, ...]) -> tuple[str, ...]:
        """Which articles say what has changed: of a value those that use it, if the paragraph speaks of them."""
        article = self._articles.get(key)
        if article is None or isinstance(article, s.Procedure | s.Define | s.Winner):
            return (key,) if article is not None else ()
        uses = tuple(other for other in articles if _uses(self._articles.get(other), article.name.text))
        return uses or (key,)

    # ---- what the rules say ----

    def _text(self, key: str) -> Iterator[Paragraph]:
        """What the rules say of an article, under its heading; each once."""
        found = self._place(key)
        if found is None or found[1].key in self._shown:
            return
        section, said = found
        self._shown.add(said.key)
        if not isinstance(said, Table) or said.title is None:
            yield self._heading(section)
        yield from self._lines(said)

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

    @cached_property
    def _reading(self) -> Reading:
        book = rulebook(self._model, self._words, self._game.seats)
        return Reading(book, self._words, title(self._words, self._game.name))


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
