"""Going over a syntax tree."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from operator import attrgetter
from typing import Any, TypeGuard, TypeVar

from wongar_dsl.syntax.expressions import Expression, Logical
from wongar_dsl.syntax.node import Node, Word
from wongar_dsl.syntax.statements import Block, Choice, StatementNode
from wongar_dsl.text.span import Span

_PARTS: dict[type[Node], tuple[str, ...]] = {}
#: What gives the parts of a node in which others may stand, the last one first.
_INNER: dict[type[Node], Callable[[Node], tuple[object, ...]]] = {}
#: A comment, a sign, or what stands between those.
_LINE_PART = re.compile(r"#[^\n]*|[()\[\]\n]|[^#()\[\]\n]+")
#: The types of parts in which no node stands, as the classes write them.
_PLAIN = frozenset({"str", "int", "bool"})
_PLACES = frozenset({"Span", "Span | None"})


def parts(sort: type[Node]) -> tuple[str, ...]:
    """The names of what nodes of a sort consist of, without where they stand."""
    if sort not in _PARTS:
        _PARTS[sort] = tuple(part.name for part in fields(sort) if part.type not in _PLACES)
    return _PARTS[sort]


def walk(node: object) -> Iterator[Node]:
    """The node and everything under it, what stands first first."""
    ahead = [node]
    while ahead:
        next_ = ahead.pop()
        if isinstance(next_, Node):
            yield next_
            ahead += (_INNER.get(type(next_)) or _inner(type(next_)))(next_)
        elif isinstance(next_, tuple):
            ahead += next_[::-1]


def _inner(sort: type[Node]) -> Callable[[Node], tuple[object, ...]]:
    names = [part.name for part in reversed(fields(sort)) if part.type not in _PLACES | _PLAIN]
    # Of one name `attrgetter` gives no tuple, of none nothing.
    _INNER[sort] = attrgetter(*names) if len(names) > 1 else lambda node: tuple(getattr(node, name) for name in names)
    return _INNER[sort]


def blocks(node: StatementNode) -> Iterator[Block]:
    """The blocks under a statement and its options, in the order in which they are written, without empty ones."""
    for part in under(node):
        yield part.body if isinstance(part, Choice) else part


def under(node: StatementNode) -> Iterator[Block | Choice]:
    """The blocks and options right under a statement, in the order in which they are written, without empty blocks."""
    for name in parts(type(node)):
        yield from _under(getattr(node, name))


def _under(part: object) -> Iterator[Block | Choice]:
    if _is_block(part) or isinstance(part, Choice):
        yield part
    elif isinstance(part, tuple):
        for item in part:
            yield from _under(item)


def _is_block(part: object) -> TypeGuard[Block]:
    return isinstance(part, tuple) and bool(part) and all(isinstance(item, StatementNode) for item in part)


def heads(node: StatementNode) -> Iterator[tuple[Word, tuple[Block | Choice, ...]]]:
    """The lines of a statement above its blocks and options as they are written, each with those below it as they are
    now."""
    inner, span = list(under(node)), node.span
    numbers = [span.line]
    # The line of its last part is the last one that can stand above anything.
    last = max((part.span.line for part in walk(node) if part.span.source is span.source), default=span.line)
    for number in range(span.line + 1, last):
        text = span.source.line(number)
        if text.strip() and len(text) - len(text.lstrip()) == span.column - 1:
            numbers.append(number)
    for at, number in enumerate(numbers):
        below = inner[at:] if at == len(numbers) - 1 else inner[at : at + 1]
        yield line_at(span, number), tuple(below)


def line_at(span: Span, number: int) -> Word:
    """A line of rules as it is written, in the source of a span."""
    text = span.source.line(number)
    place = Span(span.source, number, len(text) - len(text.lstrip()) + 1, number, len(text) + 1)
    return Word(place, whole_line(place))


def whole_line(span: Span) -> str:
    """The text of the line of rules that begins where a span does, with what brackets carry on into further lines."""
    text = span.source.text.replace("\r\n", "\n")
    start = sum(len(line) + 1 for line in text.split("\n")[: span.line - 1]) + span.column - 1
    depth = 0
    words: list[str] = []
    for part in _LINE_PART.finditer(text, start):
        depth += (part[0] in "([") - (part[0] in ")]")
        if part[0] == "\n" and depth == 0:
            break
        if part[0] != "\n" and not part[0].startswith("#"):
            words.append(part[0])
    return " ".join("".join(words).split())


N = TypeVar("N", bound=Node)


def with_blocks(node: N, edit: Callable[[Block], Block]) -> N:
    """A statement in which each block right under it has become what `edit` gives for it."""
    new: dict[str, Any] = {name: _edited(getattr(node, name), edit) for name in parts(type(node))}
    return replace(node, **new) if any(new[name] is not getattr(node, name) for name in new) else node


def _edited(part: object, edit: Callable[[Block], Block]) -> object:
    if _is_block(part):
        return edit(part)
    if isinstance(part, tuple) and any(isinstance(inner, StatementNode) for inner in walk(part)):
        return tuple(_edited(item, edit) for item in part)
    return with_blocks(part, edit) if isinstance(part, Choice) else part


def outside_blocks(node: Node) -> Iterator[Node]:
    """What a statement or an option consists of, without itself and without the blocks under it."""
    for name in parts(type(node)):
        yield from _outside(getattr(node, name))


def _outside(part: object) -> Iterator[Node]:
    if isinstance(part, Choice):
        yield from outside_blocks(part)
    elif isinstance(part, tuple):
        for item in () if _is_block(part) else part:
            yield from _outside(item)
    elif isinstance(part, Node):
        yield part


def operands(node: Node) -> Iterator[Expression]:
    """The expressions right under a node, in the order in which they are written."""
    for name in parts(type(node)):
        value = getattr(node, name)
        yield from (v for v in (value if isinstance(value, tuple) else (value,)) if isinstance(v, Expression))


def conjuncts(e: Expression | None) -> tuple[Expression, ...]:
    """The conditions that must all hold; none where there is no condition."""
    if e is None:
        return ()
    if isinstance(e, Logical) and e.operator == "and":
        return tuple(part for operand in e.operands for part in conjuncts(operand))
    return (e,)


T = TypeVar("T")


def copied(tree: T) -> T:
    """A piece of a tree once more: the same words at the same places, in nodes of their own."""
    if isinstance(tree, tuple):
        return type(tree)(copied(item) for item in tree)
    if not isinstance(tree, Node):
        return tree
    return type(tree)(*(copied(getattr(tree, part.name)) for part in fields(tree)))


def same(one: object, other: object) -> bool:
    """Whether two pieces of a tree say the same, wherever they stand."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if not isinstance(one, Node):
        return one == other
    return type(one) is type(other) and all(same(getattr(one, name), getattr(other, name)) for name in parts(type(one)))
