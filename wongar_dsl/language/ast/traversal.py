"""Traversal and rewriting of syntax trees."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from itertools import chain
from operator import attrgetter
from typing import Any, TypeGuard, TypeVar, cast

from wongar_dsl.base.span import Span
from wongar_dsl.language.ast.nodes import (
    Block,
    Expression,
    KeywordStatement,
    Logical,
    Name,
    Node,
    Option,
    Statement,
    StatementNode,
    TraversedNode,
    Word,
)

#: Results of `field_names` and `_child_getter`, by node class.
_FIELD_NAMES: dict[type[Node], tuple[str, ...]] = {}
_CHILD_GETTERS: dict[type[Node], Callable[[Node], tuple[object, ...]]] = {}
#: A comment, a bracket or line break, or the text between those.
_LINE_PART = re.compile(r"#[^\n]*|[()\[\]\n]|[^#()\[\]\n]+")
#: Types of fields without nodes, and of spans, as the classes write them.
_PLAIN_TYPES = frozenset({"str", "int", "bool"})
_SPAN_TYPES = frozenset({"Span", "Span | None"})


def field_names(node_type: type[Node]) -> tuple[str, ...]:
    """Return the names of the fields of a node class, without spans."""
    if node_type not in _FIELD_NAMES:
        _FIELD_NAMES[node_type] = tuple(part.name for part in fields(node_type) if part.type not in _SPAN_TYPES)
    return _FIELD_NAMES[node_type]


def walk(node: object) -> Iterator[Node]:
    """Return the node and all its descendants in the order of the source."""
    if isinstance(node, TraversedNode):
        return chain((node,), _descendants(node))
    return chain.from_iterable(map(walk, node)) if isinstance(node, tuple) else _walk([node])


def _walk(stack: list[object]) -> Iterator[Node]:
    while stack:
        item = stack.pop()
        if isinstance(item, Node):
            yield item
            if isinstance(item, TraversedNode):
                yield from _descendants(item)
            else:
                stack += _children(item)
        elif isinstance(item, tuple):
            stack += item[::-1]


def _descendants(node: TraversedNode) -> tuple[Node, ...]:
    """Return all descendants of the node, which are listed once."""
    try:
        descendants: tuple[Node, ...] = cast(Any, node).descendants
    except AttributeError:
        descendants = tuple(_walk([*_children(node)]))
        object.__setattr__(node, "descendants", descendants)
    return descendants


def _children(node: Node) -> tuple[object, ...]:
    """Return the values of the fields that may contain nodes, the last one first."""
    return (_CHILD_GETTERS.get(type(node)) or _child_getter(type(node)))(node)


def _child_getter(node_type: type[Node]) -> Callable[[Node], tuple[object, ...]]:
    names = [part.name for part in reversed(fields(node_type)) if part.type not in _SPAN_TYPES | _PLAIN_TYPES]
    # `attrgetter` returns no tuple for one name and fails for none.
    getter = attrgetter(*names) if len(names) > 1 else lambda node: tuple(getattr(node, name) for name in names)
    _CHILD_GETTERS[node_type] = getter
    return getter


def outermost(part: object) -> Iterator[Node]:
    """Yield a node, or the nodes of a tuple, without those below them."""
    if isinstance(part, Node):
        yield part
    elif isinstance(part, tuple):
        for item in part:
            yield from outermost(item)


def blocks(node: StatementNode) -> Iterator[Block]:
    """Yield the blocks of a statement and of its options, in source order, without empty ones."""
    for part in blocks_and_options(node):
        yield part.body if isinstance(part, Option) else part


def all_blocks(block: Block) -> Iterator[Block]:
    """Yield a block and all blocks inside its statements, without empty ones."""
    if block:
        yield block
    for statement in block:
        for inner in blocks(statement):
            yield from all_blocks(inner)


def blocks_and_options(node: StatementNode) -> Iterator[Block | Option]:
    """Yield the blocks and options directly under a statement, in source order, without empty blocks."""
    for name in field_names(type(node)):
        yield from _blocks_and_options_in(getattr(node, name))


def _blocks_and_options_in(part: object) -> Iterator[Block | Option]:
    if _is_block(part) or isinstance(part, Option):
        yield part
    elif isinstance(part, tuple):
        for item in part:
            yield from _blocks_and_options_in(item)


def _is_block(part: object) -> TypeGuard[Block]:
    return isinstance(part, tuple) and bool(part) and all(isinstance(item, StatementNode) for item in part)


def header_lines(node: StatementNode) -> Iterator[tuple[Word, tuple[Block | Option, ...]]]:
    """Yield the header lines of a compound statement as written, each with the blocks and options below it.

    The blocks are the current ones, which a variant may have changed.
    """
    inner, span = list(blocks_and_options(node)), node.span
    numbers = [span.line]
    # No header line comes after the line of the last part.
    last = max((part.span.line for part in walk(node) if part.span.source == span.source), default=span.line)
    for number in range(span.line + 1, last):
        text = span.source.line(number)
        if text.strip() and len(text) - len(text.lstrip()) == span.column - 1:
            numbers.append(number)
    for index, number in enumerate(numbers):
        below = inner[index:] if index == len(numbers) - 1 else inner[index : index + 1]
        yield line_at(span, number), tuple(below)


def line_at(span: Span, number: int) -> Word:
    """Return a line of rules as written, in the source of a span."""
    text = span.source.line(number)
    place = Span(span.source, number, len(text) - len(text.lstrip()) + 1, number, len(text) + 1)
    return Word(place, whole_line(place))


def whole_line(span: Span) -> str:
    """Return the logical line that begins at a span, joined across open brackets and without comments."""
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
    """Return a statement in which `edit` has been applied to each block directly under it."""
    new: dict[str, Any] = {name: _edited(getattr(node, name), edit) for name in field_names(type(node))}
    return replace(node, **new) if any(new[name] is not getattr(node, name) for name in new) else node


def _edited(part: object, edit: Callable[[Block], Block]) -> object:
    if _is_block(part):
        return edit(part)
    if isinstance(part, tuple) and any(isinstance(inner, StatementNode) for inner in walk(part)):
        return tuple(_edited(item, edit) for item in part)
    return with_blocks(part, edit) if isinstance(part, Option) else part


def with_steps(body: Block, edit: Callable[[Statement], Sequence[Statement]]) -> Block:
    """Return a block in which `edit` has replaced every step, including nested ones.

    A block that becomes empty holds `nothing`.
    """
    new = tuple(step for old in body for step in edit(with_blocks(old, lambda block: with_steps(block, edit))))
    return new if new or not body else (KeywordStatement(body[0].span, "nothing"),)


def outside_blocks(node: Node) -> Iterator[Node]:
    """Yield the direct children of a statement and of its options that are not in its blocks: conditions, names."""
    for name in field_names(type(node)):
        yield from _outside(getattr(node, name))


def _outside(part: object) -> Iterator[Node]:
    if isinstance(part, Option):
        yield from outside_blocks(part)
    elif isinstance(part, tuple):
        for item in () if _is_block(part) else part:
            yield from _outside(item)
    elif isinstance(part, Node):
        yield part


def operands(node: Node) -> Iterator[Expression]:
    """Yield the expressions directly under a node, in source order."""
    for name in field_names(type(node)):
        value = getattr(node, name)
        yield from (v for v in (value if isinstance(value, tuple) else (value,)) if isinstance(v, Expression))


def strings_in(tree: object) -> set[str]:
    """Return all strings in the nodes of a tree."""
    values = (getattr(node, name) for node in walk(tree) for name in field_names(type(node)))
    return {value for value in values if isinstance(value, str)}


def conjuncts(e: Expression | None) -> tuple[Expression, ...]:
    """Return the operands of nested `and`s, or the condition itself; an empty tuple for None."""
    if e is None:
        return ()
    if isinstance(e, Logical) and e.operator == "and":
        return tuple(part for operand in e.operands for part in conjuncts(operand))
    return (e,)


def conjoined(conditions: Sequence[Expression]) -> Expression:
    """Join one or more conditions with `and`; the inverse of `conjuncts`."""
    first = conditions[0]
    return first if len(conditions) == 1 else Logical(first.span, "and", tuple(conditions))


T = TypeVar("T")


def copied(tree: T) -> T:
    """Return a deep copy of a tree, with the same spans."""
    return cast("T", substituted(tree, {}))


def substituted(tree: Any, names: Mapping[str, Expression]) -> Any:
    """Return a deep copy of a tree, with the same spans and with expressions in place of `names`."""
    if isinstance(tree, tuple):
        return type(tree)(substituted(item, names) for item in tree)
    if isinstance(tree, Name) and tree.text in names:
        return names[tree.text]
    if not isinstance(tree, Node):
        return tree
    return type(tree)(*(substituted(getattr(tree, part.name), names) for part in fields(tree)))


def same(one: object, other: object) -> bool:
    """Return whether two trees are equal apart from their spans."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if not isinstance(one, Node):
        return one == other
    return type(one) is type(other) and all(
        same(getattr(one, name), getattr(other, name)) for name in field_names(type(one))
    )
