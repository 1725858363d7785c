"""Pretty-printing of statements."""

from __future__ import annotations

from collections.abc import Iterator

from wongar_dsl.language import ast as s
from wongar_dsl.language.printer.expressions import Precedence, domain, expression_text
from wongar_dsl.language.printer.lines import RuleLine, line, unattached_line


def block(body: s.Block, depth: int) -> Iterator[RuleLine]:
    """Yield the lines of a block."""
    for node in body:
        yield from _statement(node, depth)


def _statement(node: s.Statement, depth: int) -> Iterator[RuleLine]:
    match node:
        case s.If():
            yield from _if(node, depth)
        case s.Repeat(kind=kind, subject=subject, body=body):
            yield line(depth, _repeat(kind, subject), node, subject)
            yield from block(body, depth + 1)
        case s.ForEach(variable=variable, domain=values, body=body):
            yield line(depth, f"for each {variable.text} in {domain(values)}", node, variable, values)
            yield from block(body, depth + 1)
        case s.Choose():
            yield from _choose(node, depth)
        case s.ChooseSimultaneously(variable=variable, domain=values, name=name, options=choices, clock=clock):
            named = "" if name is None else f" {name.text}"
            text = f"each {variable.text} in {domain(values)} chooses{named} at once{_clock(clock)}"
            yield line(depth, text, node, variable, values, name, clock)
            yield from _choices(choices, depth + 1)
        case _ if any(s.blocks(node)):
            yield from _as_written(node, depth)
        case _:
            yield line(depth, _text(node), node, node)


def _as_written(node: s.Statement, depth: int) -> Iterator[RuleLine]:
    """Yield a statement with blocks: its own lines as written, each followed by the current block."""
    own_parts = tuple(s.outside_blocks(node))
    for head, below in s.header_lines(node):
        yield RuleLine(depth, head.text, head.span, own_parts)
        for inner in below:
            yield from _choices((inner,), depth + 1) if isinstance(inner, s.Option) else block(inner, depth + 1)


def _text(node: s.Statement) -> str:
    """Return the text of a statement without nested ones.

    A variant can change only values in it; all other statements come whole from one file.
    """
    match node:
        case s.KeywordStatement(word=word):
            return word
        case s.Let(variable=variable, value=value):
            return f"let {variable.text} = {expression_text(value)}"
        case s.Assign(target=target, value=value):
            return f"set {_operand(target)} to {expression_text(value)}"
    if any(part.span.source != node.span.source for part in s.walk(node)):
        raise ValueError(f"{node.span}: parts of this statement come from another file")
    return s.whole_line(node.span)


def _operand(e: s.Expression) -> str:
    return expression_text(e, Precedence.POSTFIX)


def _clause(player: s.Expression, verb: str) -> str:
    """Return a player with a verb: `I take`, `p takes`."""
    subject = _operand(player)
    return f"I {verb}" if subject in ("I", "me") else f"{subject} {verb}s"


def _if(node: s.If, depth: int) -> Iterator[RuleLine]:
    for number, (condition, body) in enumerate(node.branches):
        begin = line(depth, f"{'otherwise ' if number else ''}if {expression_text(condition)}", node, condition)
        # Only the first branch begins where the statement does.
        yield begin if number == 0 else RuleLine(depth, begin.text, condition.span, begin.parts)
        yield from block(body, depth + 1)
    if node.otherwise:
        yield _otherwise(node.otherwise, depth)
        yield from block(node.otherwise, depth + 1)


def _otherwise(body: s.Block, depth: int) -> RuleLine:
    """Return the line `otherwise`, which is above its block."""
    return unattached_line(RuleLine(depth, "otherwise", body[0].span, ()), "otherwise", -1)


def _repeat(kind: s.RepeatKind, subject: s.Expression | None) -> str:
    if subject is None:
        return "repeat"
    return (
        f"repeat {expression_text(subject, Precedence.SUM)} times"
        if kind == "times"
        else f"repeat {kind} {expression_text(subject)}"
    )


def _choose(node: s.Choose, depth: int) -> Iterator[RuleLine]:
    name = "" if node.name is None else f" {node.name.text}"
    text = (
        _clause(node.chooser, "choose") + name + _clock(node.clock) + (" without going round" if node.acyclic else "")
    )
    yield line(depth, text, node, node.chooser, node.name, node.clock)
    yield from _choices(node.options, depth + 1)
    if node.otherwise:
        yield _otherwise(node.otherwise, depth + 1)
        yield from block(node.otherwise, depth + 2)


def _clock(clock: s.Clock | None) -> str:
    if clock is None:
        return ""
    begin = "" if clock.start is None else f" from {expression_text(clock.start, Precedence.SUM)}"
    end = "" if clock.end is None else f" within {expression_text(clock.end, Precedence.SUM)} seconds"
    return f" by time{begin}{end}"


def _choices(choices: tuple[s.Option, ...], depth: int) -> Iterator[RuleLine]:
    for choice in choices:
        offered = ", ".join(f"{p.name.text}: {domain(p.domain)}" for p in choice.parameters)
        condition = "" if choice.condition is None else f" if {expression_text(choice.condition)}"
        text = f"{choice.name.text}{f'({offered})' if offered else ''}{condition}"
        yield line(depth, text, choice, choice.name, *choice.parameters, choice.condition)
        yield from block(choice.body, depth + 1)
