"""A rulebook before there is a language: sections under headings, with sentences, lists, tables and pictures.

What stands in it are plans and values of `words`; `reading` says them in a language, and whoever prints or shows a
rulebook goes over the same sections.  Every section and block has a key that is made of the article that it speaks of,
so that it is the same in every language, and in a variant that changes something else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from wongar_dsl import syntax as s
from wongar_dsl.prose.account import Account
from wongar_dsl.prose.plan import Plan
from wongar_dsl.words import Term, Value

#: What a picture shows: a board, a track, one card of a sort, one shape of an article `shapes`.
PictureKind = Literal["board", "track", "card", "shape"]


@dataclass(frozen=True, slots=True)
class Note:
    """Where a rule comes from: how it is known, and a book with its headings; no book where nobody's is cited."""

    trust: s.Trust
    book: str = ""
    headings: tuple[str, ...] = ()


#: The key of the block that says when the game ends.
ENDING = "ending"


@dataclass(frozen=True, slots=True)
class Prose:
    """Sentences about one article."""

    key: str
    plans: tuple[Plan, ...]
    article: s.Article
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Picture:
    """The place of a picture: of the board or track `name`, or of the card or shape `name` of a `sort`."""

    key: str
    kind: PictureKind
    name: str
    origin: s.Node
    sort: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """How many there are of something: for each number of players of the book, or for one player (`each`) if more say.

    `counts` is empty where the number cannot be known before play.  `picture` is what it looks like.  A card that is
    one of a kind is told apart from the others by its `values`.
    """

    key: str
    thing: Value
    origin: s.Node
    counts: tuple[int, ...] = ()
    each: int | None = None
    picture: Picture | None = None
    kind: Term | None = None
    values: tuple[Value, ...] = ()

    @property
    def count(self) -> int | None:
        """The number for every number of players, None where it differs or is not known."""
        return self.counts[0] if self.counts and len(set(self.counts)) == 1 else None


@dataclass(frozen=True, slots=True)
class Items:
    """A list of things with their numbers; `columns` are the numbers of players where the counts differ by them."""

    key: str
    items: tuple[Item, ...]
    origin: s.Node
    columns: tuple[int, ...] = ()
    notes: tuple[Note, ...] = ()
    title: Value | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table; a cell that is None is empty."""

    key: str
    heading: Value
    cells: tuple[Value | None, ...]
    origin: s.Node


@dataclass(frozen=True, slots=True)
class Table:
    """A table: what its rows are called (`corner`), and its columns, of which none is named where there is only one.

    One without a title has that of its section.
    """

    key: str
    title: Value | None
    corner: Value | None
    columns: tuple[Value, ...]
    rows: tuple[Row, ...]
    origin: s.Node
    notes: tuple[Note, ...] = ()

    def filled(self) -> Table:
        """The same table without columns that are empty in every row."""
        wide = max((len(row.cells) for row in self.rows), default=0)
        used = [at for at in range(wide) if any(at < len(row.cells) and row.cells[at] is not None for row in self.rows)]
        if len(used) == wide:
            return self
        columns = tuple(self.columns[at] for at in used if at < len(self.columns))
        rows = tuple(
            replace(row, cells=tuple(row.cells[at] for at in used if at < len(row.cells))) for row in self.rows
        )
        return replace(self, columns=columns, rows=rows)


Block = Prose | Picture | Items | Table


@dataclass(frozen=True, slots=True)
class Section:
    """What stands under a heading, and what stands under headings of its own below that.

    `key` is `contents`, `setup`, … for what every rulebook has, else that of an article: `rule.draw`, `effect.queen`.
    """

    key: str
    heading: Value
    blocks: tuple[Block, ...] = ()
    sections: tuple[Section, ...] = ()

    def walk(self, level: int = 1) -> Iterator[tuple[int, Section]]:
        """This section and all below it in the order in which they are read, each with its level."""
        yield level, self
        for section in self.sections:
            yield from section.walk(level + 1)


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The rules of a game for these numbers of players; `scope` is its name with its variants: `chess/blitz`.

    `books` are the titles of the books that it cites, by their names, and `account` says what became of each node of
    the rules.
    """

    scope: str
    players: tuple[int, ...]
    sections: tuple[Section, ...]
    books: Mapping[str, str] = field(default_factory=dict)
    account: Account = field(default_factory=Account)

    def walk(self) -> Iterator[tuple[int, Section]]:
        """All sections in the order in which they are read, each with its level, the first of which is 1."""
        for section in self.sections:
            yield from section.walk()


def key_of(article: s.Article) -> str:
    """What sections, blocks and lines of an article are called: `rule.draw`, `setup`."""
    sort, name = s.key_of(article)
    return f"{sort}.{name}" if name and name != sort else sort


def paths(tree: object, path: str = "") -> dict[s.Node, str]:
    """Where each node stands in an article: `body.0.choices.1`."""
    found: dict[s.Node, str] = {}
    if isinstance(tree, s.Node):
        found[tree] = path
        inner = ((name, getattr(tree, name)) for name in s.parts(type(tree)))
    elif isinstance(tree, tuple):
        inner = ((str(number), part) for number, part in enumerate(tree))
    else:
        return found
    for name, part in inner:
        found.update(paths(part, f"{path}.{name}" if path else name))
    return found
