"""A line of rules as text: the spaces between its words, and where it is broken if it is too long.

Only inside brackets can a line of rules go on in the next line of text.  The longest bracket of a line that is too long
is opened: what stands in it comes below, four columns further in, on one line or, where that is too long as well, one
part a line.  A comment in brackets always breaks there, and keeps its place behind the same word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from wongar_dsl.parser import Token

#: How many characters of code a line of text may have, and how much further in a block stands.
WIDTH, INDENT = 120, 4

_CLOSING = {"(": ")", "[": "]"}
#: Where a part in brackets that is too long is broken, the loosest first.
_OPERATORS = ("OR", "AND", "WHERE")


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment, with its sign; `own`: it stands on a line of its own, not behind a word."""

    text: str
    own: bool


@dataclass(frozen=True, slots=True)
class Piece:
    """A token with the comments that stand between it and the next one."""

    token: Token
    comments: tuple[Comment, ...] = ()


@dataclass(frozen=True, slots=True)
class Bracket:
    """An opening bracket, what stands in it, and the closing one."""

    open: Piece
    inner: tuple[Part, ...]
    close: Piece

    #: Whether a comment stands in it.
    noted: bool = field(init=False)

    def __post_init__(self) -> None:
        noted = bool(self.open.comments) or any(_noted(part) or _comments(part) for part in self.inner)
        object.__setattr__(self, "noted", noted)


Part: TypeAlias = Piece | Bracket


def text_of(tokens: Sequence[Token]) -> str:
    """Tokens as one line of text."""
    return _joined([Piece(token) for token in tokens])


def laid_out(pieces: Sequence[Piece], indent: int, width: int = WIDTH) -> list[str]:
    """The lines of text for a line of rules, with their indentation, none longer than `width` if that can be."""
    return list(_lines(_nested(pieces), indent, width, None))


def _nested(pieces: Sequence[Piece]) -> tuple[Part, ...]:
    """Pieces with what stands in brackets put together."""
    open_: list[tuple[Piece, list[Part]]] = []
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
        if isinstance(part, Piece):
            yield part.token
        else:
            yield part.open.token
            yield from _flat(part.inner)
            yield part.close.token


def _joined(parts: Sequence[Part]) -> str:
    """Parts as one line, without comments."""
    text = ""
    before: Token | None = None
    for token in _flat(parts):
        # Words of several words may be written with several spaces.
        word = token.text if token.kind in ("STRING", "DRAWN") else " ".join(token.text.split())
        text += (" " if before is not None and _apart(before, token) else "") + word
        before = token
    return text


def _apart(one: Token, other: Token) -> bool:
    """Whether there is a space between two tokens."""
    if one.text in _CLOSING or other.text in (")", "]", ",", ":"):
        return False
    if one.kind in ("SIGN", "HYPHEN") or other.kind == "HYPHEN":
        return False
    return not (other.text in _CLOSING and one.kind == "NAME")


def _comments(part: Part) -> tuple[Comment, ...]:
    """The comments behind a part."""
    return part.comments if isinstance(part, Piece) else part.close.comments


def _noted(part: Part) -> bool:
    """Whether a comment stands in the middle of a part."""
    return isinstance(part, Bracket) and part.noted


def _lines(parts: Sequence[Part], indent: int, width: int, hang: int | None) -> Iterator[str]:
    """The lines for parts that go together.

    Inside brackets they may be broken at an operator; what follows then stands `hang` columns further in.
    """
    flat = " " * indent + _joined(parts)
    noted = [i for i, part in enumerate(parts) if _noted(part)]
    if not noted and len(flat) <= width:
        yield flat
        return
    if hang is not None and not noted:
        pieces = _at_operators(parts)
        if len(pieces) > 1:
            yield from _lines(pieces[0], indent, width, hang)
            for piece in pieces[1:]:
                yield from _lines(piece, indent + hang, width, hang)
            return
    brackets = noted or [i for i, part in enumerate(parts) if isinstance(part, Bracket) and part.inner]
    if not brackets:
        yield flat
        return
    at = brackets[0] if noted else max(brackets, key=lambda i: len(_joined([parts[i]])))
    bracket = parts[at]
    assert isinstance(bracket, Bracket)
    yield from _behind(_lines((*parts[:at], bracket.open), indent, width, hang), bracket.open.comments)
    yield from _remarks(bracket.open.comments, indent + INDENT)
    yield from _body(bracket.inner, indent + INDENT, width)
    yield from _lines((bracket.close, *parts[at + 1 :]), indent, width, hang)


def _body(inner: Sequence[Part], indent: int, width: int) -> Iterator[str]:
    """The lines for what stands in a bracket that is broken."""
    if not inner:
        return
    if not any(_noted(part) or _comments(part) for part in inner):
        flat = " " * indent + _joined(inner)
        if len(flat) <= width:
            yield flat
            return
    pieces: list[list[Part]] = [[]]
    for part in inner:
        pieces[-1].append(part)
        if _comments(part) or (isinstance(part, Piece) and part.token.text == ","):
            pieces.append([])
    whole = [piece for piece in pieces if piece]
    for piece in whole:
        yield from _behind(_lines(piece, indent, width, INDENT if len(whole) > 1 else 0), _comments(piece[-1]))
        yield from _remarks(_comments(piece[-1]), indent)


def _behind(lines: Iterator[str], comments: Sequence[Comment]) -> Iterator[str]:
    """Lines with the comment that stands behind the last of them."""
    *others, last = lines
    yield from others
    yield last + "".join(f"  {comment.text}" for comment in comments if not comment.own)


def _remarks(comments: Sequence[Comment], indent: int) -> Iterator[str]:
    return (" " * indent + comment.text for comment in comments if comment.own)


def _at_operators(parts: Sequence[Part]) -> list[Sequence[Part]]:
    """Parts, broken before each of the loosest operators that stand between them."""
    for operator in _OPERATORS:
        places = [i for i, part in enumerate(parts) if i and isinstance(part, Piece) and part.token.kind == operator]
        if places:
            return [parts[i:j] for i, j in zip([0, *places], [*places, len(parts)], strict=True)]
    return [parts]
