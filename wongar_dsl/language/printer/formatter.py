"""Formatter for rule files, used by `wongar fmt`.

Only spaces, line ends and the positions of comments change; words, their order and comments stay. The result is parsed
again to ensure that its meaning is unchanged. Formatting is idempotent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from wongar_dsl.base.diagnostics import Diagnostic
from wongar_dsl.base.span import Source
from wongar_dsl.language.ast import same
from wongar_dsl.language.parser import Token, WrittenLine, parse, written_lines

# ---- line breaking ---------------------------------------------------------------------------------------------------
#
# A line can continue only inside brackets. If a line is too long, its longest bracket is opened: the contents follow,
# indented by four columns, on one line or, if that is too long as well, one part per line. A comment in brackets
# always causes a break, and stays behind the same word.


#: Maximum number of characters per line, and indentation per block.
WIDTH, INDENT = 120, 4

_CLOSING = {"(": ")", "[": "]"}
#: Operators at which a part in brackets may be broken, the loosest first.
_OPERATORS = ("OR", "AND", "WHERE")


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment, including its `#`; `own`: it is on a line of its own."""

    text: str
    own: bool


@dataclass(frozen=True, slots=True)
class TokenPiece:
    """A token with the comments between it and the next one."""

    token: Token
    comments: tuple[Comment, ...] = ()


@dataclass(frozen=True, slots=True)
class Bracket:
    """A pair of brackets with its contents."""

    open: TokenPiece
    inner: tuple[Part, ...]
    close: TokenPiece

    #: True if it contains a comment.
    has_comment: bool = field(init=False)

    def __post_init__(self) -> None:
        has_comment = bool(self.open.comments) or any(_has_comment(part) or _comments(part) for part in self.inner)
        object.__setattr__(self, "has_comment", has_comment)


Part: TypeAlias = TokenPiece | Bracket


def text_of(tokens: Sequence[Token]) -> str:
    """Return tokens as one line of text."""
    return _joined([TokenPiece(token) for token in tokens])


def break_lines(pieces: Sequence[TokenPiece], indent: int, width: int = WIDTH) -> list[str]:
    """Return the indented lines of text for a line of rules, none longer than `width` if possible."""
    return list(_lines(_nested(pieces), indent, width, None))


def _nested(pieces: Sequence[TokenPiece]) -> tuple[Part, ...]:
    """Group pieces by brackets."""
    open_: list[tuple[TokenPiece, list[Part]]] = []
    parts: list[Part] = []
    for piece in pieces:
        if piece.token.text in _CLOSING:
            open_.append((piece, parts))
            parts = []
        elif open_ and piece.token.text == _CLOSING[open_[-1][0].token.text]:
            opening, outer = open_.pop()
            outer.append(Bracket(opening, tuple(parts), piece))
            parts = outer
        else:
            parts.append(piece)
    return tuple(parts)


def _flat(parts: Sequence[Part]) -> Iterator[Token]:
    for part in parts:
        if isinstance(part, TokenPiece):
            yield part.token
        else:
            yield part.open.token
            yield from _flat(part.inner)
            yield part.close.token


def _joined(parts: Sequence[Part]) -> str:
    """Return parts as one line, without comments."""
    text = ""
    before: Token | None = None
    for token in _flat(parts):
        # Keywords of several words may be written with several spaces.
        word = token.text if token.kind in ("STRING", "DRAWN") else " ".join(token.text.split())
        text += (" " if before is not None and _has_space(before, token) else "") + word
        before = token
    return text


def _has_space(one: Token, other: Token) -> bool:
    """Return whether there is a space between two tokens."""
    if one.text in _CLOSING or other.text in (")", "]", ",", ":"):
        return False
    if one.kind in ("SIGN", "HYPHEN") or other.kind == "HYPHEN":
        return False
    return not (other.text in _CLOSING and one.kind == "NAME")


def _comments(part: Part) -> tuple[Comment, ...]:
    """Return the comments after a part."""
    return part.comments if isinstance(part, TokenPiece) else part.close.comments


def _has_comment(part: Part) -> bool:
    """Return whether there is a comment inside a part."""
    return isinstance(part, Bracket) and part.has_comment


def _lines(parts: Sequence[Part], indent: int, width: int, hang: int | None) -> Iterator[str]:
    """Yield the lines for parts that belong together.

    Inside brackets they may be broken at an operator; the following lines are indented by `hang` columns.
    """
    flat = " " * indent + _joined(parts)
    has_comment = [i for i, part in enumerate(parts) if _has_comment(part)]
    if not has_comment and len(flat) <= width:
        yield flat
        return
    if hang is not None and not has_comment:
        pieces = _at_operators(parts)
        if len(pieces) > 1:
            yield from _lines(pieces[0], indent, width, hang)
            for piece in pieces[1:]:
                yield from _lines(piece, indent + hang, width, hang)
            return
    brackets = has_comment or [i for i, part in enumerate(parts) if isinstance(part, Bracket) and part.inner]
    if not brackets:
        yield flat
        return
    position = brackets[0] if has_comment else max(brackets, key=lambda i: len(_joined([parts[i]])))
    bracket = parts[position]
    assert isinstance(bracket, Bracket)
    yield from _with_comments(_lines((*parts[:position], bracket.open), indent, width, hang), bracket.open.comments)
    yield from _own_line_comments(bracket.open.comments, indent + INDENT)
    yield from _body(bracket.inner, indent + INDENT, width)
    yield from _lines((bracket.close, *parts[position + 1 :]), indent, width, hang)


def _body(inner: Sequence[Part], indent: int, width: int) -> Iterator[str]:
    """Yield the lines for the contents of a broken bracket."""
    if not inner:
        return
    if not any(_has_comment(part) or _comments(part) for part in inner):
        flat = " " * indent + _joined(inner)
        if len(flat) <= width:
            yield flat
            return
    pieces: list[list[Part]] = [[]]
    for part in inner:
        pieces[-1].append(part)
        if _comments(part) or (isinstance(part, TokenPiece) and part.token.text == ","):
            pieces.append([])
    parts = [piece for piece in pieces if piece]
    for piece in parts:
        yield from _with_comments(_lines(piece, indent, width, INDENT if len(parts) > 1 else 0), _comments(piece[-1]))
        yield from _own_line_comments(_comments(piece[-1]), indent)


def _with_comments(lines: Iterator[str], comments: Sequence[Comment]) -> Iterator[str]:
    """Yield lines, with trailing comments after the last one."""
    *others, last = lines
    yield from others
    yield last + "".join(f"  {comment.text}" for comment in comments if not comment.own)


def _own_line_comments(comments: Sequence[Comment], indent: int) -> Iterator[str]:
    return (" " * indent + comment.text for comment in comments if comment.own)


def _at_operators(parts: Sequence[Part]) -> list[Sequence[Part]]:
    """Split parts before each of the loosest operators among them."""
    for operator in _OPERATORS:
        places = [
            i for i, part in enumerate(parts) if i and isinstance(part, TokenPiece) and part.token.kind == operator
        ]
        if places:
            return [parts[i:j] for i, j in zip([0, *places], [*places, len(parts)], strict=True)]
    return [parts]


# ---- rows in columns -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Style:
    """Column layout of a sort of row.

    `columns` is the number of leading cells with columns of their own (-1: all), `first` the number of spaces after the
    first column, `others` after the others.
    """

    columns: int
    first: int
    others: int


_STYLES = {
    "table_row": _Style(-1, 2, 2),
    "copies": _Style(1, 1, 1),
    "drawing": _Style(1, 2, 1),
    "covered": _Style(1, 2, 1),
    "crossing": _Style(-1, 2, 1),
}
#: Layout of a table without a head, with one value per row.
_VALUES = _Style(-1, 1, 1)


def in_columns(lines: Sequence[WrittenLine]) -> dict[int, str]:
    """Return the text of each row among the lines of an article, by line number, with its indentation."""
    rows = {i: line for i, line in enumerate(lines) if line.sort}
    sort = next((line.sort for line in rows.values() if line.sort != "columns"), "")
    if not sort:
        return {}
    style = _STYLES[sort] if sort != "table_row" or any(line.sort == "columns" for line in rows.values()) else _VALUES
    cells = {i: _cells(line, style.columns) for i, line in rows.items()}
    widest = max(map(len, cells.values()))
    padded = {i: [" " * INDENT * rows[i].depth + row[0], *row[1:]] for i, row in cells.items()}
    for column in range(widest if style.columns < 0 else style.columns):
        _pad_column(padded, column, style.first if column == 0 else style.others)
    return {i: "".join(row).rstrip() for i, row in padded.items()}


def _cells(line: WrittenLine, columns: int) -> list[str]:
    """Return the texts of a row's cells; cells without a column of their own are one text."""
    starts = [i for i in line.cells if i > 0]
    if columns >= 0:
        starts = starts[:columns]
    return [text_of(line.tokens[i:j]) for i, j in zip([0, *starts], [*starts, len(line.tokens)], strict=True)]


def _pad_column(rows: dict[int, list[str]], column: int, gap: int) -> None:
    """Pad all cells of a column to the same width: words to the left, numbers right-aligned and centred as a block."""
    cells = {i: row[column] for i, row in rows.items() if column < len(row)}
    width = max(map(len, cells.values()))
    numbers = {i: cell for i, cell in cells.items() if column and cell.lstrip("-").isdigit()}
    widest = max(map(len, numbers.values()), default=0)
    before = (width - widest) // 2
    for i, cell in cells.items():
        text = " " * before + cell.rjust(widest) if i in numbers else cell
        rows[i][column] = text.ljust(width) + " " * gap


# ---- files -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Formatted:
    """A formatted rule file; `text` is None if the file has mistakes, which are in `diagnostics`."""

    text: str | None
    diagnostics: tuple[Diagnostic, ...]


def format_source(source: Source) -> Formatted:
    """Return a rule file in the standard layout, with the line ends of its first line."""
    tree, diagnostics = parse(source)
    if diagnostics:
        return Formatted(None, diagnostics)
    text = source.text.replace("\r\n", "\n")
    # Rules at a size limit may exceed one limit when lines are broken, and another when they are joined.
    for width in (WIDTH, len(text)):
        formatted = "".join(line + "\n" for line, _ in format_lines(text, width))
        reparsed, mistakes = parse(Source(source.name, formatted))
        if not mistakes:
            if not same(tree, reparsed):
                raise AssertionError(f"{source.name}: the layout changes the rules")
            break
    else:
        formatted = text
    crlf = source.text.partition("\n")[0].endswith("\r")
    return Formatted(formatted.replace("\n", "\r\n") if crlf else formatted, ())


def format_lines(text: str, width: int = WIDTH) -> Iterator[tuple[str, int]]:
    """Yield the lines of a file without mistakes in the standard layout, each with its former line number.

    A line that was or becomes broken has the number of the line where it began.
    """
    items = _items(text, width)
    written = [item.lines(width) for item in items]
    blank = [i > 0 and _blank_between(items, i) for i in range(len(items))]
    margins = _margins(items, written, blank)
    for item, lines, above, margin in zip(items, written, blank, margins, strict=True):
        if above:
            yield "", item.number
        if isinstance(item, _RuleLayout) and item.comment:
            lines[-1] = f"{lines[-1]:{margin}}  {item.comment}"
        yield from ((line, item.number) for line in lines)


# ---- items of a file -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _CommentLine:
    """A comment on a line of its own; `blank`: a blank line was above it; `number` is its line number."""

    text: str
    depth: int
    blank: bool
    number: int

    def lines(self, _: int) -> list[str]:
        """Return its line of text."""
        return [" " * INDENT * self.depth + self.text]


@dataclass(frozen=True, slots=True)
class _RuleLayout:
    """A line of rules: its pieces, its trailing comment, and its text if it is aligned in columns."""

    written: WrittenLine
    pieces: tuple[TokenPiece, ...]
    comment: str
    blank: bool
    number: int
    row: str | None = None

    @property
    def depth(self) -> int:
        return self.written.depth

    def lines(self, width: int) -> list[str]:
        """Return its lines of text, without the trailing comment."""
        return [self.row] if self.row is not None else break_lines(self.pieces, INDENT * self.depth, width)


_Item: TypeAlias = _CommentLine | _RuleLayout


def _items(text: str, width: int) -> list[_Item]:
    """Return the comments and lines of a file in order."""
    items: list[_Item] = []
    end = 0
    columns: list[int] = []
    number = 1
    for written in written_lines(text):
        gap = text[end : written.tokens[0].start]
        comment, own_line_comments, blank = _gap(gap, bool(items))
        items += _comment_lines(items, comment, own_line_comments, columns, written.depth, number)
        columns = [*columns[: written.depth], written.column]
        pieces, end = _pieces(written.tokens, text)
        number += gap.count("\n")
        items += _split(_RuleLayout(written, pieces, "", blank, number), width)
        number += text[written.tokens[0].start : end].count("\n")
    comment, own_line_comments, _ = _gap(text[end:], bool(items))
    items += _comment_lines(items, comment, own_line_comments, columns, 0, number)
    return _aligned(items)


def _gap(gap: str, behind: bool) -> tuple[str, list[tuple[int, str, bool, int]], bool]:
    """Split the text between two lines of rules: a trailing comment, comments on their own lines, a final blank line.

    A comment has its column, its text, whether a blank line is above it, and its line offset. The last value tells
    whether a blank line is above the second line of rules.
    """
    lines = gap.split("\n")
    comment = lines[0].strip() if behind else ""
    own_line_comments: list[tuple[int, str, bool, int]] = []
    blank = False
    # Before the first line of the file, all comments are on lines of their own.
    first = 1 if behind else 0
    for i, line in enumerate(lines[first:], first):
        text = line.strip()
        if text:
            own_line_comments.append((len(line.expandtabs(INDENT)) - len(line.lstrip()), text, blank, i))
        if i < len(lines) - 1:
            # The last line holds only the indentation of the next line of rules.
            blank = not text
    return comment, own_line_comments, blank


def _comment_lines(
    items: list[_Item],
    comment: str,
    own_line_comments: Sequence[tuple[int, str, bool, int]],
    columns: Sequence[int],
    below: int,
    number: int,
) -> Iterator[_CommentLine]:
    """Yield comments after the last item, at the depth that matches their columns.

    `columns` are those of the blocks around the line above, `below` is the number of them that continue.
    """
    last = items[-1] if items else None
    if comment and isinstance(last, _RuleLayout):
        items[-1] = replace(last, comment=comment)
    for column, text, blank, lines in own_line_comments:
        depth = below
        while depth + 1 < len(columns) and columns[depth + 1] - 1 <= column:
            depth += 1
        yield _CommentLine(text, depth, blank, number + lines)


def _pieces(tokens: Sequence[Token], text: str) -> tuple[tuple[TokenPiece, ...], int]:
    """Return the tokens of a line with the comments between them, and the end of the last one."""
    pieces: list[TokenPiece] = []
    for token, after in zip(tokens, [*tokens[1:], None], strict=True):
        comments: tuple[Comment, ...] = ()
        if after is not None and "#" in (gap := text[token.end : after.start]):
            lines = [line.strip() for line in gap.split("\n")]
            comments = tuple(Comment(line, own=i > 0) for i, line in enumerate(lines) if line)
        pieces.append(TokenPiece(token, comments))
    return tuple(pieces), tokens[-1].end


# ---- lines to be split -----------------------------------------------------------------------------------------------


def _split(rule: _RuleLayout, width: int) -> Iterator[_RuleLayout]:
    """Split a line that is too long if possible: a definition before its value, cards of a deck into rows."""
    written, pieces = rule.written, rule.pieces
    room = width - INDENT * written.depth
    if any(piece.comments for piece in pieces) or len(text_of(written.tokens)) <= room:
        yield rule
    elif "DEFINE" in {token.kind for token in written.tokens[:2]} and written.tokens[-1].kind != "EQUALS":
        split = next(i for i, token in enumerate(written.tokens) if token.kind == "EQUALS") + 1
        head = replace(written, tokens=written.tokens[:split])
        value = replace(written, tokens=written.tokens[split:], depth=written.depth + 1)
        yield replace(rule, written=head, pieces=pieces[:split])
        yield replace(rule, written=value, pieces=pieces[split:], blank=False)
    elif written.sort == "copies":
        yield from _rows_of_cards(rule, room)
    else:
        yield rule


def _rows_of_cards(rule: _RuleLayout, room: int) -> Iterator[_RuleLayout]:
    """Distribute the cards of a deck over as few lines as possible."""
    tokens = rule.written.tokens
    #: Every second cell is a card, the others are counts.
    starts = rule.written.cells[::2]
    row = 0
    for this, after in zip(starts, [*starts[1:], len(tokens)], strict=True):
        if this > row and len(text_of(tokens[row:after])) > room:
            yield _part(rule, row, this - 1)
            row = this
    yield _part(rule, row, len(tokens))


def _part(rule: _RuleLayout, start: int, end: int) -> _RuleLayout:
    cells = tuple(i - start for i in rule.written.cells if start <= i < end)
    written = replace(rule.written, tokens=rule.written.tokens[start:end], cells=cells)
    return replace(rule, written=written, pieces=rule.pieces[start:end], blank=rule.blank and start == 0)


def _aligned(items: list[_Item]) -> list[_Item]:
    """Align the rows of each article in columns."""
    starts = [i for i, item in enumerate(items) if isinstance(item, _RuleLayout) and item.depth == 0]
    for start, end in zip(starts, [*starts[1:], len(items)], strict=True):
        rules = {
            i: item
            for i, item in enumerate(items[start:end], start)
            if isinstance(item, _RuleLayout) and not any(piece.comments for piece in item.pieces)
        }
        texts = in_columns([item.written for item in rules.values()])
        for number, (i, item) in enumerate(rules.items()):
            if number in texts:
                items[i] = replace(item, row=texts[number])
    return items


def _blank_between(items: Sequence[_Item], i: int) -> bool:
    """Return whether a blank line is above an item that is not the first.

    Blank lines of the author are kept as one, except at the start of a block. An article of several lines always has
    one above and below.
    """
    above, item = items[i - 1], items[i]
    if item.depth > above.depth:
        return False
    if item.depth > 0 or item.blank:
        return item.blank
    if above.depth > 0:
        return True
    # A comment belongs to the article right below it.
    if isinstance(above, _CommentLine):
        return False
    next_index = i
    while next_index < len(items) and isinstance(items[next_index], _CommentLine):
        next_index += 1
        if next_index < len(items) and (items[next_index].blank or items[next_index].depth > 0):
            return False
    return next_index + 1 < len(items) and items[next_index + 1].depth > 0


def _margins(items: Sequence[_Item], lines: Sequence[list[str]], blank: Sequence[bool]) -> list[int]:
    """Return the column of each trailing comment, equal for adjacent lines."""
    margins = [len(written[-1]) for written in lines]
    start = 0
    for i, item in enumerate(items):
        continues = _has_trailing_comment(item, lines[i]) and _has_trailing_comment(items[start], lines[start])
        if not continues or blank[i] or item.depth != items[start].depth:
            start = i
        margins[start : i + 1] = [max(margins[start : i + 1])] * (i + 1 - start)
    return margins


def _has_trailing_comment(item: _Item, lines: Sequence[str]) -> bool:
    return isinstance(item, _RuleLayout) and item.comment != "" and len(lines) == 1
