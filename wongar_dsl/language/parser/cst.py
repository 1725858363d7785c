"""Concrete syntax of a rule file: its lines with all their tokens, for formatting.

The syntax tree drops brackets, commas and synonyms. Here only spaces and comments are left out, which stand between the
tokens.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lark import Token as LarkToken
from lark import Tree

from wongar_dsl.language.parser.parser import parse_articles

#: Grammar rules of lines that are aligned in columns.
ROWS = frozenset({"table_row", "copies", "drawing", "covered", "crossing"})


@dataclass(frozen=True, slots=True)
class Token:
    """A token: its kind in the grammar, its text, and its start and end offsets in the file.

    The kind of a minus is `SIGN` if it negates a number, `HYPHEN` if it joins two sides of a path.
    """

    kind: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class WrittenLine:
    """A logical line of a rule file, which brackets can continue over several lines of text.

    `depth` is the number of enclosing blocks. `sort` is one of `ROWS`, `columns` for the head of a table, else empty.
    `cells` are the numbers of the tokens that start a column.
    """

    depth: int
    column: int
    sort: str
    tokens: tuple[Token, ...]
    cells: tuple[int, ...]


def written_lines(text: str) -> Iterator[WrittenLine]:
    """Yield the logical lines of a file without syntax errors; its lines must end with `\\n` alone."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    for first, tree, tokens in parse_articles(lines):
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
    """Return the offsets of signs, the offsets inside paths, and for the start of each row the starts of its cells."""
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
