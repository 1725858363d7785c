"""Variants: the articles of a base game with a variant's changes applied.

Everything happens on the syntax tree, before checking, so that a merged game is checked like any other.  What a variant
names must exist, and what it adds must not.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from wongar_dsl import syntax as s
from wongar_dsl.text.diagnostics import Diagnostic, Hint, Label
from wongar_dsl.text.span import Span
from wongar_dsl.text.suggest import did_you_mean


@dataclass(frozen=True, slots=True)
class MergedRules:
    """A game or variant as one list of articles.

    `names` is the chain from the game to the last variant; `origin` says for each article's key which of them it comes
    from, `changed` which of them changed a part of it, and `replaced` what stood there before.
    """

    names: tuple[str, ...]
    head: s.Game
    articles: tuple[s.Article, ...]
    origin: dict[s.Key, str]
    changed: dict[s.Key, tuple[str, ...]]
    replaced: dict[s.Key, s.Article]


def from_game(file: s.File) -> MergedRules | None:
    """A game's own file as it stands; None where it is no game."""
    if not isinstance(file.head, s.Game):
        return None
    name = file.head.name.text
    return MergedRules((name,), file.head, file.articles, {s.key_of(a): name for a in file.articles}, {}, {})


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
        self.replaced = dict(base.replaced)
        self.found: list[Diagnostic] = []
        self.new: list[s.Article] = []
        #: What this variant has set, replaced or removed, and where.
        self.done: dict[tuple[str, ...], Span] = {}

    def result(self) -> MergedRules:
        articles = (*self.articles.values(), *self.new)
        return MergedRules(self.names, self.head, articles, self.origin, self.changed, self.replaced)

    def take(self, article: s.Article) -> None:
        match article:
            case s.SetPlayers(players=players):
                self._once(article, "players")
                self.head = replace(self.head, players=players)
            case s.SetOption() | s.SetCell() | s.SetRow() | s.SetCount():
                self._set(article)
            case s.Replace(article=inner):
                key = s.key_of(inner)
                if self._exists(key, article):
                    self._once(inner.name, *key)
                    self.replaced[key] = self.articles[key]
                    self.articles[key] = self._sourced(inner)
                    self.origin[key] = self.name
            case s.Remove(sort=sort, name=name):
                if self._exists((sort, name.text), article):
                    self._once(name, sort, name.text)
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

    def _once(self, place: s.Node, *what: str) -> bool:
        """Note what is changed; where this variant has changed it before, one of the two would be lost in silence."""
        before = next((span for done, span in self.done.items() if done[: len(what)] == what), None)
        if before is not None:
            label = Label(before, "first")
            self.found.append(Diagnostic("R0212", place.span, {"name": what[min(1, len(what) - 1)]}, (label,)))
        self.done[what] = place.span
        return before is None

    def _exists(self, key: s.Key, article: s.Article) -> bool:
        if key in self.articles:
            return True
        name = key[1] or key[0]
        if key in self.done:
            label = Label(self.done[key], "first")
            self.found.append(Diagnostic("R0212", article.name.span, {"name": name}, (label,)))
            return False
        code = "R0208" if isinstance(article, s.SetOption) else "R0206"
        suggestion, hint = self._elsewhere(name, article)
        if suggestion is None and hint is None:
            suggestion = did_you_mean(name, [known for sort, known in self.articles if sort == key[0]])
        self.found.append(Diagnostic(code, article.name.span, {"name": name}, (), suggestion, hint))
        return False

    def _elsewhere(self, name: str, article: s.Article) -> tuple[str | None, Hint | None]:
        """What the name is in the base, where it is something of another sort: how that is changed."""
        same = [(sort, old) for (sort, known), old in self.articles.items() if known == name]
        if isinstance(article, s.SetOption):
            for old in self.articles.values():
                if isinstance(old, s.Deck) and any(written(c.face) == name for c in old.copies):
                    return f"{name} in {old.name.text}", None
                if isinstance(old, s.Table) and old.name.text == name and old.rows:
                    keys = (old.rows[0].key, *old.columns[:1])
                    return f"{name}[{', '.join(map(written, keys))}]", None
                if isinstance(old, s.Table) and any(written(row.key) == name for row in old.rows):
                    return f"row {name} of {old.name.text}", None
        if not same or isinstance(article, s.SetCell | s.SetRow | s.SetCount):
            return None, None
        sort = same[0][1].kind if isinstance(same[0][1], s.Zone) else same[0][0]
        if isinstance(article, s.SetOption):
            return None, Hint("replace_instead", {"article": f"replace {sort} {name}"})
        return f"{sort} {name}", None

    def _missing(self, place: s.Expression, what: str, known: list[str], suggestion: str | None = None) -> None:
        """Note that an article of the base has no such part."""
        name = written(place)
        suggestion = suggestion or did_you_mean(name, known)
        self.found.append(Diagnostic("R0213", place.span, {"name": name, "what": what}, suggestion=suggestion))

    def _set(self, article: s.Article) -> None:
        sort: s.Sort = "table"
        if isinstance(article, s.SetOption | s.SetCount):
            sort = "option" if isinstance(article, s.SetOption) else "deck"
        key: s.Key = (sort, article.name.text)
        if not self._exists(key, article):
            return
        old = self.articles[key]
        new: s.Article | None = None
        match article, old:
            case s.SetOption(value=value), s.Option():
                self._once(article.name, *key)
                new = replace(old, value=value) if self._fits(value, old) else None
            case s.SetCount(face=face, count=count), s.Deck():
                new = self._count(old, face, count)
            case s.SetRow(key=row, cells=cells), s.Table():
                new = self._row(old, row, cells)
            case s.SetCell(keys=keys, value=value), s.Table():
                new = self._cell(old, keys, value, article)
        if new is not None:
            self.articles[key] = replace(new, sources=article.sources or self.sources or old.sources)
            self.changed[key] = tuple(dict.fromkeys((*self.changed.get(key, ()), self.name)))

    def _fits(self, value: s.Expression, option: s.Option) -> bool:
        """Whether an option is set to a value of its own type: then the base need not be asked."""
        kinds = {s.Number: "number", s.Truth: "yes or no"}
        found, expected = kinds.get(type(value)), kinds.get(type(option.value))
        if found is None or expected is None or found == expected:
            return True
        label = Label(option.name.span, "declared")
        hint = Hint("write_instead", {"values": "yes, no" if expected == "yes or no" else "0, 1, 2"})
        arguments = {"found": found, "expected": expected}
        self.found.append(Diagnostic("R0301", value.span, arguments, (label,), hint=hint))
        return False

    def _count(self, deck: s.Deck, face: s.Expression, count: int) -> s.Article | None:
        wanted = written(face)
        self._once(face, "deck", deck.name.text, wanted)
        for i, copies in enumerate(deck.copies):
            if written(copies.face) == wanted:
                changed = replace(copies, count=count, span=face.span)
                total = None if deck.total is None else deck.total + count - copies.count
                return replace(deck, copies=(*deck.copies[:i], changed, *deck.copies[i + 1 :]), total=total)
        cards = self.articles.get(("cards", deck.cards.text))
        kinds = {kind.name.text for kind in cards.faces} if isinstance(cards, s.Cards) else set()
        if isinstance(face, s.Name | s.Called) and (face.text if isinstance(face, s.Name) else face.name) in kinds:
            # A card of this sort that the base has not put into the deck.
            total = None if deck.total is None else deck.total + count
            return replace(deck, copies=(*deck.copies, s.Copies(face.span, count, face)), total=total)
        others = (d for d in self.articles.values() if isinstance(d, s.Deck) and d is not deck)
        other = next((d.name.text for d in others if any(written(c.face) == wanted for c in d.copies)), None)
        suggestion = f"{wanted} in {other}" if other is not None else None
        self._missing(face, deck.name.text, [written(c.face) for c in deck.copies], suggestion)
        return None

    def _row(self, table: s.Table, row: s.Expression, cells: tuple[s.Expression, ...]) -> s.Article | None:
        self._once(row, "table", table.name.text, written(row))
        return self._put(table, row, cells)

    def _put(self, table: s.Table, row: s.Expression, cells: tuple[s.Expression, ...]) -> s.Article | None:
        for i, old in enumerate(table.rows):
            if written(old.key) == written(row):
                changed = replace(old, cells=cells, span=row.span)
                return replace(table, rows=(*table.rows[:i], changed, *table.rows[i + 1 :]))
        self._missing(row, table.name.text, [written(r.key) for r in table.rows])
        return None

    def _cell(
        self, table: s.Table, keys: tuple[s.Expression, ...], value: s.Expression, article: s.Article
    ) -> s.Article | None:
        self._once(article, "table", table.name.text, *map(written, keys))
        row = next((r for r in table.rows if written(r.key) == written(keys[0])), None)
        if row is None:
            self._missing(keys[0], table.name.text, [written(r.key) for r in table.rows])
            return None
        column = 0
        if len(keys) > 1:
            columns = [written(c) for c in table.columns]
            if written(keys[1]) not in columns:
                self._missing(keys[1], table.name.text, columns)
                return None
            column = columns.index(written(keys[1]))
        expected = 2 if table.columns else 1
        if len(keys) != expected or column >= len(row.cells):
            name, given = table.name.text, len(keys)
            self.found.append(Diagnostic("R0302", article.span, {"name": name, "found": given, "expected": expected}))
            return None
        return self._put(table, row.key, (*row.cells[:column], value, *row.cells[column + 1 :]))


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
