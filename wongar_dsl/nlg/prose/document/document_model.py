"""Language-independent document model of a rulebook: sections with sentences, lists, tables and pictures.

Its content consists of sentence plans and values of `words`; `Realiser` renders them in a language, and every output
format walks the same sections. The keys of sections and blocks derive from the declarations that they describe. They
are therefore equal in all languages, and in variants with unrelated changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Literal, TypeVar

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Model
from wongar_dsl.nlg.prose.micro.sentence_plan import Plan, VerbalisationLog
from wongar_dsl.nlg.words import Term, Value

V = TypeVar("V")

#: Subject of a picture: a board, a track, a card of a sort, or a shape of a declaration `shapes`.
PictureKind = Literal["board", "track", "card", "shape"]


@dataclass(frozen=True, slots=True)
class Note:
    """The source of a rule: its reliability, and the cited book with its headings, if any."""

    trust: s.Trust
    book: str = ""
    headings: tuple[str, ...] = ()


def notes_of(model: Model, *articles: s.Declaration) -> tuple[Note, ...]:
    """Return the distinct sources of declarations; those of the game apply to declarations without any."""
    cited = (source for article in articles for source in article.sources or model.merged.head.sources)
    return tuple(dict.fromkeys(Note(source.kind, source.book or "", source.headings) for source in cited))


#: Keys of the blocks that describe the end of the game, and its course in a few lines; their lines refer to sections.
ENDING, GLANCE = "ending", "glance"
#: Message about a card whose effect a variant has removed.
NO_EFFECT = "rulebook.no_effect"


@dataclass(frozen=True, slots=True)
class Prose:
    """Sentences about one declaration; `numbered` ones are the steps of a procedure."""

    key: str
    plans: tuple[Plan, ...]
    article: s.Declaration
    notes: tuple[Note, ...] = ()
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class PicturePlace:
    """A placeholder for a picture: of the board or track `name`, or of the card or shape `name` of a `sort`."""

    key: str
    kind: PictureKind
    name: str
    origin: s.Node
    sort: str = ""


@dataclass(frozen=True, slots=True)
class CountItem:
    """The number of copies of a component: by number of players, or per player (`each`) if it is proportional.

    `counts` is empty if the number depends on play. `picture` shows the component. `values` distinguish a card from
    others of its kind.
    """

    key: str
    thing: Value
    origin: s.Node
    counts: tuple[int, ...] = ()
    each: int | None = None
    picture: PicturePlace | None = None
    kind: Term | None = None
    values: tuple[Value, ...] = ()

    @property
    def count(self) -> int | None:
        """The count, if it is known and equal for every number of players, else None."""
        return self.counts[0] if self.counts and len(set(self.counts)) == 1 else None


@dataclass(frozen=True, slots=True)
class CountList:
    """A list of components with counts; `columns` are the numbers of players if the counts depend on them."""

    key: str
    items: tuple[CountItem, ...]
    origin: s.Node
    columns: tuple[int, ...] = ()
    notes: tuple[Note, ...] = ()
    title: Value | None = None


@dataclass(frozen=True, slots=True)
class BookTableRow:
    """A table row; a cell of None is empty."""

    key: str
    heading: Value
    cells: tuple[Value | None, ...]
    origin: s.Node


@dataclass(frozen=True, slots=True)
class BookTable:
    """A table: the heading of its row labels (`corner`), and its columns, unnamed if there is only one.

    A table without a title uses that of its section. An `alphabetical` one is sorted by its row labels in a language.
    """

    key: str
    title: Value | None
    corner: Value | None
    columns: tuple[Value, ...]
    rows: tuple[BookTableRow, ...]
    origin: s.Node
    notes: tuple[Note, ...] = ()
    alphabetical: bool = False

    def filled(self) -> BookTable:
        """Return the table without columns that are empty in every row."""
        columns = enumerate(zip_longest(*(row.cells for row in self.rows)))
        used = [index for index, cells in columns if any(cell is not None for cell in cells)]

        def kept(values: tuple[V, ...]) -> tuple[V, ...]:
            return tuple(values[index] for index in used if index < len(values))

        rows = tuple(replace(row, cells=kept(row.cells)) for row in self.rows)
        return replace(self, columns=kept(self.columns), rows=rows)


Block = Prose | PicturePlace | CountList | BookTable


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with its blocks and subsections.

    `key` is `contents`, `setup`, … for standard sections, else that of a declaration: `rule.draw`, `effect.queen`.
    """

    key: str
    heading: Value
    blocks: tuple[Block, ...] = ()
    sections: tuple[Section, ...] = ()

    def walk(self, level: int = 1) -> Iterator[tuple[int, Section]]:
        """Yield this section and its subsections in reading order, with their levels."""
        yield level, self
        for section in self.sections:
            yield from section.walk(level + 1)


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The rulebook of a game for some numbers of players.

    `books` maps names to titles of cited books; `log` records the fate of each syntax node. A book that is `teaching`
    refers its readers also to what follows at once, and to tables.
    """

    model: Model
    players: tuple[int, ...]
    sections: tuple[Section, ...]
    books: Mapping[str, str] = field(default_factory=dict)
    log: VerbalisationLog = field(default_factory=VerbalisationLog)
    teaching: bool = False

    @property
    def scope(self) -> str:
        """The name of the game with its variants: `chess/blitz`."""
        return self.model.scope

    def walk(self) -> Iterator[tuple[int, Section]]:
        """Yield all sections in reading order, with their levels from 1."""
        for section in self.sections:
            yield from section.walk()


def paths(tree: object, path: str = "") -> dict[s.Node, str]:
    """Return the path of each node in a declaration: `body.0.options.1`."""
    result: dict[s.Node, str] = {}
    if isinstance(tree, s.Node):
        result[tree] = path
        inner = ((name, getattr(tree, name)) for name in s.field_names(type(tree)))
    elif isinstance(tree, tuple):
        inner = ((str(number), part) for number, part in enumerate(tree))
    else:
        return result
    for name, part in inner:
        result.update(paths(part, f"{path}.{name}" if path else name))
    return result
