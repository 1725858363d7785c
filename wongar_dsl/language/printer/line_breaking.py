"""Line breaking: the text of a line of rules, with the spaces between its words.

A line can continue only inside brackets. If a line is too long, its longest bracket is opened: the contents follow,
indented by four columns, on one line or, if that is too long as well, one part per line. A comment in brackets always
causes a break, and stays behind the same word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from wongar_dsl.language.parser import Token

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

    #: Whether it contains a comment.
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
