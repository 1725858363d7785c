"""A rule file as it is written: its lines with all their tokens, for those who lay text out anew.

The syntax tree says what a file means and forgets brackets, commas and synonyms; here nothing is left out but spaces
and comments, which stand between the tokens.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lark import Token as LarkToken
from lark import Tree

from wongar_dsl.parser.parser import parsed

#: The lines that stand below each other in columns, by their rules in the grammar.
ROWS = frozenset({"table_row", "copies", "drawing", "covered", "crossing"})


@dataclass(frozen=True, slots=True)
class Token:
    """A word or sign: its kind in the grammar, its text, and where it begins and ends in the text of the file.

    A minus has a kind of its own where it is a number's sign (`SIGN`), and where it joins two sides (`HYPHEN`).
    """

    kind: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class WrittenLine:
    """A line of a rule file, which brackets can carry on over several lines of text.

    `depth` is how many blocks it lies in; `sort` is one of `ROWS`, `columns` for the head of a table, else empty;
    `cells` are the numbers of the tokens that its columns begin with.
    """

    depth: int
    column: int
    sort: str
    tokens: tuple[Token, ...]
    cells: tuple[int, ...]


def written_lines(text: str) -> Iterator[WrittenLine]:
    """The lines of a file that parses without a diagnostic; its lines end with `\\n` alone."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    for first, tree, tokens in parsed(lines):
        yield from _lines_of(tree, tokens, starts[first])


def _lines_of(tree: Tree[LarkToken], tokens: tuple[LarkToken, ...], offset: int) -> Iterator[WrittenLine]:
    signs, hyphens, rows = _marks(tree)
    depth = 0
    line: list[Token] = []
    column = 1
    for token in tokens:
        if token.type == "_NL":
            if line:
                sort, places = next((rows[t.start - offset] for t in line if t.start - offset in rows), ("", ()))
                cells = tuple(i for i, t in enumerate(line) if t.start - offset in places)
                yield WrittenLine(depth, column, sort, tuple(line), cells)
                line = []
        elif token.type in ("_INDENT", "_DEDENT"):
            depth += 1 if token.type == "_INDENT" else -1
        else:
            start = token.start_pos or 0
            if not line:
                column = token.column or 1
            kind = "SIGN" if start in signs else "HYPHEN" if token.type == "MINUS" and start in hyphens else token.type
            line.append(Token(kind, str(token), start + offset, start + offset + len(token)))


def _marks(tree: Tree[LarkToken]) -> tuple[set[int], set[int], dict[int, tuple[str, tuple[int, ...]]]]:
    """Where signs stand; what lies inside of paths; and by where it begins, each row with where its cells begin."""
    signs: set[int] = set()
    hyphens: set[int] = set()
    rows: dict[int, tuple[str, tuple[int, ...]]] = {}
    for node in tree.iter_subtrees():
        if node.data in ("minus", "negative"):
            signs.add(node.meta.start_pos)
        elif node.data == "path":
            hyphens.update(range(node.meta.start_pos, node.meta.end_pos))
        elif node.data in ROWS or (node.data == "columns" and node.children):
            places = tuple(place for child in node.children if (place := _start(child)) is not None)
            rows[places[0]] = (str(node.data), places)
    return signs, hyphens, rows


def _start(child: object) -> int | None:
    if isinstance(child, LarkToken):
        return child.start_pos
    return child.meta.start_pos if isinstance(child, Tree) else None
