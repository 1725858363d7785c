"""Variants: the articles of a base game with a variant's changes applied.

Everything happens on the syntax tree, before checking, so that a merged game is checked like any other.  What a variant
names must exist, and what it adds must not.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from wongar_dsl import syntax as s
from wongar_dsl.text.diagnostics import Diagnostic, Label
from wongar_dsl.text.suggest import did_you_mean

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class MergedRules:
    """A game or variant as one list of articles.

    `names` is the chain from the game to the last variant; `origin` says for each article's key which of them it comes
    from, `changed` which of them changed a part of it.
    """

    names: tuple[str, ...]
    head: s.Game
    articles: tuple[s.Article, ...]
    origin: dict[Key, str]
    changed: dict[Key, tuple[str, ...]]


def from_game(file: s.File) -> MergedRules | None:
    """A game's own file as it stands; None where it is no game."""
    if not isinstance(file.head, s.Game):
        return None
    name = file.head.name.text
    return MergedRules((name,), file.head, file.articles, {s.key_of(a): name for a in file.articles}, {})


def apply_variant(base: MergedRules, file: s.File) -> tuple[MergedRules, tuple[Diagnostic, ...]]:
    """Apply a variant's file to `base`."""
    assert isinstance(file.head, s.Variant)
    work = _Amendment(base, file.head)
    for article in file.articles:
        work.take(article)
    return work.result(), tuple(work.found)


class _Amendment:
    def __init__(self, base: MergedRules, head: s.Variant) -> None:
        self.name = head.name.text
        self.sources = head.sources
        self.head = replace(base.head, books=(*base.head.books, *head.books))
        self.names = (*base.names, self.name)
        self.articles = {s.key_of(a): a for a in base.articles}
        self.origin = dict(base.origin)
        self.changed = dict(base.changed)
        self.found: list[Diagnostic] = []
        self.new: list[s.Article] = []

    def result(self) -> MergedRules:
        return MergedRules(self.names, self.head, (*self.articles.values(), *self.new), self.origin, self.changed)

    def take(self, article: s.Article) -> None:
        match article:
            case s.SetPlayers(players=players):
                self.head = replace(self.head, players=players)
            case s.SetOption() | s.SetCell() | s.SetRow() | s.SetCount():
                self._set(article)
            case s.Replace(article=inner):
                key = s.key_of(inner)
                if self._exists(key, article):
                    self.articles[key] = self._sourced(inner)
                    self.origin[key] = self.name
            case s.Remove(sort=sort, name=name):
                if self._exists((sort, name.text), article):
                    del self.articles[sort, name.text]
            case _:
                key = s.key_of(article)
                if key in self.articles:
                    first = Label(self.articles[key].name.span, "declared")
                    self.found.append(Diagnostic("R0207", article.name.span, {"name": article.name.text}, (first,)))
                else:
                    self.new.append(self._sourced(article))
                    self.origin[key] = self.name

    def _sourced(self, article: s.Article) -> s.Article:
        """An article of the variant, with the variant's own source where it names none."""
        return article if article.sources else replace(article, sources=self.sources)

    def _exists(self, key: Key, article: s.Article) -> bool:
        if key in self.articles:
            return True
        known = [name for sort, name in self.articles if sort == key[0]]
        place = article if isinstance(article, s.SetOption) else article.name
        self._missing(place, key[1] or key[0], known)
        return False

    def _missing(self, place: s.Node, name: str, known: list[str]) -> None:
        code = "R0208" if isinstance(place, s.SetOption) else "R0206"
        span = place.name.span if isinstance(place, s.SetOption) else place.span
        self.found.append(Diagnostic(code, span, {"name": name}, suggestion=did_you_mean(name, known)))

    def _set(self, article: s.Article) -> None:
        sort = "option" if isinstance(article, s.SetOption) else "deck" if isinstance(article, s.SetCount) else "table"
        key = (sort, article.name.text)
        if not self._exists(key, article):
            return
        old = self.articles[key]
        new: s.Article | None = None
        match article, old:
            case s.SetOption(value=value), s.Option():
                new = replace(old, value=value)
            case s.SetCount(face=face, count=count), s.Deck():
                new = self._count(old, face, count)
            case s.SetRow(key=row, cells=cells), s.Table():
                new = self._row(old, row, cells)
            case s.SetCell(keys=keys, value=value), s.Table():
                new = self._cell(old, keys, value, article)
        if new is not None:
            self.articles[key] = replace(new, sources=article.sources or self.sources or old.sources)
            self.changed[key] = tuple(dict.fromkeys((*self.changed.get(key, ()), self.name)))

    def _count(self, deck: s.Deck, face: s.Expression, count: int) -> s.Article | None:
        wanted = written(face)
        for i, copies in enumerate(deck.copies):
            if written(copies.face) == wanted:
                changed = replace(copies, count=count, span=face.span)
                total = None if deck.total is None else deck.total + count - copies.count
                return replace(deck, copies=(*deck.copies[:i], changed, *deck.copies[i + 1 :]), total=total)
        self._missing(face, wanted, [written(c.face) for c in deck.copies])
        return None

    def _row(self, table: s.Table, row: s.Expression, cells: tuple[s.Expression, ...]) -> s.Article | None:
        for i, old in enumerate(table.rows):
            if written(old.key) == written(row):
                changed = replace(old, cells=cells, span=row.span)
                return replace(table, rows=(*table.rows[:i], changed, *table.rows[i + 1 :]))
        self._missing(row, written(row), [written(r.key) for r in table.rows])
        return None

    def _cell(
        self, table: s.Table, keys: tuple[s.Expression, ...], value: s.Expression, article: s.Article
    ) -> s.Article | None:
        row = next((r for r in table.rows if written(r.key) == written(keys[0])), None)
        if row is None:
            self._missing(keys[0], written(keys[0]), [written(r.key) for r in table.rows])
            return None
        column = 0
        if len(keys) > 1:
            columns = [written(c) for c in table.columns]
            if written(keys[1]) not in columns:
                self._missing(keys[1], written(keys[1]), columns)
                return None
            column = columns.index(written(keys[1]))
        expected = 2 if table.columns else 1
        if len(keys) != expected or column >= len(row.cells):
            name, given = table.name.text, len(keys)
            self.found.append(Diagnostic("R0302", article.span, {"name": name, "found": given, "expected": expected}))
            return None
        return self._row(table, row.key, (*row.cells[:column], value, *row.cells[column + 1 :]))


def written(e: s.Expression) -> str:
    """A key of a table or a card of a deck as it is written: `early`, `3`, `card(a, b)`."""
    match e:
        case s.Number(value=value):
            return str(value)
        case s.Name(text=text):
            return text
        case s.Called(name=name, arguments=arguments):
            return f"{name}({', '.join(written(a) for a in arguments)})"
    return "?"
