"""One layout for rule files: what `wongar fmt` writes.

Only spaces, line ends and the places of comments change.  What comes out is read again, and means the same; laid out
once more, it stays as it is.  The words, their order and the comments are the author's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from wongar_dsl.editor.breaking import INDENT, WIDTH, Comment, Piece, laid_out, text_of
from wongar_dsl.editor.columns import in_columns
from wongar_dsl.parser import Token, WrittenLine, parse, written_lines
from wongar_dsl.syntax import same
from wongar_dsl.text.diagnostics import Diagnostic
from wongar_dsl.text.span import Source


@dataclass(frozen=True, slots=True)
class Formatted:
    """A rule file laid out anew; `text` is None where the file has mistakes, which `found` tells."""

    text: str | None
    found: tuple[Diagnostic, ...]


def format_source(source: Source) -> Formatted:
    """A rule file in the one layout.  Its line ends are those of its first line."""
    tree, found = parse(source)
    if found:
        return Formatted(None, found)
    text = source.text.replace("\r\n", "\n")
    # Rules as long as can be may not be broken into more lines than one article may have, nor put into longer ones.
    for width in (WIDTH, len(text)):
        laid = "".join(line + "\n" for line, _ in format_lines(text, width))
        again, wrong = parse(Source(source.name, laid))
        if not wrong:
            if not same(tree, again):
                raise AssertionError(f"{source.name}: the layout changes the rules")
            break
    else:
        laid = text
    crlf = source.text.partition("\n")[0].endswith("\r")
    return Formatted(laid.replace("\n", "\r\n") if crlf else laid, ())


def format_lines(text: str, width: int = WIDTH) -> Iterator[tuple[str, int]]:
    """The lines of a file without mistakes in the one layout, each with the number of the line that it was before.

    What was broken or is broken now has the number of the line that it began in.
    """
    items = _items(text, width)
    written = [item.lines(width) for item in items]
    blank = [i > 0 and _blank_between(items, i) for i in range(len(items))]
    margins = _margins(items, written, blank)
    for item, lines, above, margin in zip(items, written, blank, margins, strict=True):
        if above:
            yield "", item.number
        if isinstance(item, _Rule) and item.comment:
            lines[-1] = f"{lines[-1]:{margin}}  {item.comment}"
        yield from ((line, item.number) for line in lines)


# ---- what a file consists of -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Remark:
    """A comment on a line of its own; `blank`: a blank line stood above it; `number` is that of its line."""

    text: str
    depth: int
    blank: bool
    number: int

    def lines(self, _: int) -> list[str]:
        """Its line of text."""
        return [" " * INDENT * self.depth + self.text]


@dataclass(frozen=True, slots=True)
class _Rule:
    """A line of rules: its pieces, the comment behind it, and its text where it stands in columns."""

    written: WrittenLine
    pieces: tuple[Piece, ...]
    comment: str
    blank: bool
    number: int
    row: str | None = None

    @property
    def depth(self) -> int:
        return self.written.depth

    def lines(self, width: int) -> list[str]:
        """Its lines of text, without the comment behind it."""
        return [self.row] if self.row is not None else laid_out(self.pieces, INDENT * self.depth, width)


_Item: TypeAlias = _Remark | _Rule


def _items(text: str, width: int) -> list[_Item]:
    """The comments and lines of a file in their order."""
    items: list[_Item] = []
    end = 0
    columns: list[int] = []
    number = 1
    for written in written_lines(text):
        gap = text[end : written.tokens[0].start]
        comment, remarks, blank = _gap(gap, bool(items))
        items += _placed(items, comment, remarks, columns, written.depth, number)
        columns = [*columns[: written.depth], written.column]
        pieces, end = _pieces(written.tokens, text)
        number += gap.count("\n")
        items += _split(_Rule(written, pieces, "", blank, number), width)
        number += text[written.tokens[0].start : end].count("\n")
    comment, remarks, _ = _gap(text[end:], bool(items))
    items += _placed(items, comment, remarks, columns, 0, number)
    return _aligned(items)


def _gap(gap: str, behind: bool) -> tuple[str, list[tuple[int, str, bool, int]], bool]:
    """What stands between two lines of rules: the comment behind the first, those on lines of their own, and whether a
    blank line stands above the second.  A comment has its column, its text, whether a blank line is above, and how many
    lines of text are."""
    lines = gap.split("\n")
    comment = lines[0].strip() if behind else ""
    remarks: list[tuple[int, str, bool, int]] = []
    blank = False
    # What stands before the first line of the file is on a line of its own.
    first = 1 if behind else 0
    for i, line in enumerate(lines[first:], first):
        text = line.strip()
        if text:
            remarks.append((len(line.expandtabs(INDENT)) - len(line.lstrip()), text, blank, i))
        if i < len(lines) - 1:
            # What the last line begins with is the indentation of what follows.
            blank = not text
    return comment, remarks, blank


def _placed(
    items: list[_Item],
    comment: str,
    remarks: Sequence[tuple[int, str, bool, int]],
    columns: Sequence[int],
    below: int,
    number: int,
) -> Iterator[_Remark]:
    """Comments after the last item, in the blocks that they stand in by their columns.

    `columns` are those of the blocks that the line above lies in, `below` is how many of them go on.
    """
    last = items[-1] if items else None
    if comment and isinstance(last, _Rule):
        items[-1] = replace(last, comment=comment)
    for column, text, blank, lines in remarks:
        depth = below
        while depth + 1 < len(columns) and columns[depth + 1] - 1 <= column:
            depth += 1
        yield _Remark(text, depth, blank, number + lines)


def _pieces(tokens: Sequence[Token], text: str) -> tuple[tuple[Piece, ...], int]:
    """The tokens of a line with the comments between them, and where the last one ends."""
    pieces: list[Piece] = []
    for token, after in zip(tokens, [*tokens[1:], None], strict=True):
        comments: tuple[Comment, ...] = ()
        if after is not None and "#" in (gap := text[token.end : after.start]):
            lines = [line.strip() for line in gap.split("\n")]
            comments = tuple(Comment(line, own=i > 0) for i, line in enumerate(lines) if line)
        pieces.append(Piece(token, comments))
    return tuple(pieces), tokens[-1].end


# ---- what is more than one line --------------------------------------------------------------------------------------


def _split(rule: _Rule, width: int) -> Iterator[_Rule]:
    """A line that is too long and can be two: a definition, whose value then stands below, or cards of a deck."""
    written, pieces = rule.written, rule.pieces
    room = width - INDENT * written.depth
    if any(piece.comments for piece in pieces) or len(text_of(written.tokens)) <= room:
        yield rule
    elif "DEFINE" in {token.kind for token in written.tokens[:2]} and written.tokens[-1].kind != "EQUALS":
        at = next(i for i, token in enumerate(written.tokens) if token.kind == "EQUALS") + 1
        head = replace(written, tokens=written.tokens[:at])
        value = replace(written, tokens=written.tokens[at:], depth=written.depth + 1)
        yield replace(rule, written=head, pieces=pieces[:at])
        yield replace(rule, written=value, pieces=pieces[at:], blank=False)
    elif written.sort == "copies":
        yield from _rows_of_cards(rule, room)
    else:
        yield rule


def _rows_of_cards(rule: _Rule, room: int) -> Iterator[_Rule]:
    """The cards of a deck in as few lines as they fit into."""
    tokens = rule.written.tokens
    #: Every second cell is a card, the others are counts.
    starts = rule.written.cells[::2]
    row = 0
    for this, after in zip(starts, [*starts[1:], len(tokens)], strict=True):
        if this > row and len(text_of(tokens[row:after])) > room:
            yield _part(rule, row, this - 1)
            row = this
    yield _part(rule, row, len(tokens))


def _part(rule: _Rule, start: int, end: int) -> _Rule:
    cells = tuple(i - start for i in rule.written.cells if start <= i < end)
    written = replace(rule.written, tokens=rule.written.tokens[start:end], cells=cells)
    return replace(rule, written=written, pieces=rule.pieces[start:end], blank=rule.blank and start == 0)


def _aligned(items: list[_Item]) -> list[_Item]:
    """The items, those in rows with their text in columns, article by article."""
    starts = [i for i, item in enumerate(items) if isinstance(item, _Rule) and item.depth == 0]
    for start, end in zip(starts, [*starts[1:], len(items)], strict=True):
        rules = {
            i: item
            for i, item in enumerate(items[start:end], start)
            if isinstance(item, _Rule) and not any(piece.comments for piece in item.pieces)
        }
        texts = in_columns([item.written for item in rules.values()])
        for number, (i, item) in enumerate(rules.items()):
            if number in texts:
                items[i] = replace(item, row=texts[number])
    return items


# ---- blank lines -----------------------------------------------------------------------------------------------------


def _blank_between(items: Sequence[_Item], i: int) -> bool:
    """Whether a blank line stands above an item that is not the first: one where the author has any, none at the
    beginning of a block, and always one above and below an article of several lines."""
    above, item = items[i - 1], items[i]
    if item.depth > above.depth:
        return False
    if item.depth > 0 or item.blank:
        return item.blank
    if above.depth > 0:
        return True
    # A comment belongs to the article right below it.
    if isinstance(above, _Remark):
        return False
    at = i
    while at < len(items) and isinstance(items[at], _Remark):
        at += 1
        if at < len(items) and (items[at].blank or items[at].depth > 0):
            return False
    return at + 1 < len(items) and items[at + 1].depth > 0


def _margins(items: Sequence[_Item], lines: Sequence[list[str]], blank: Sequence[bool]) -> list[int]:
    """The column that the comment behind each item stands in: the same for lines right below each other."""
    margins = [len(written[-1]) for written in lines]
    start = 0
    for i, item in enumerate(items):
        goes_on = _noted_line(item, lines[i]) and _noted_line(items[start], lines[start])
        if not goes_on or blank[i] or item.depth != items[start].depth:
            start = i
        margins[start : i + 1] = [max(margins[start : i + 1])] * (i + 1 - start)
    return margins


def _noted_line(item: _Item, lines: Sequence[str]) -> bool:
    return isinstance(item, _Rule) and item.comment != "" and len(lines) == 1
