"""Messages that no longer tell what happens, because a variant changed or removed a step that they report.

A step without a message of its own is reported by the next message of its block or, behind the last one, by that; if
the block has none, by a message of the block around it. No message outside an option reports its steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import dropwhile

from wongar_dsl.base.span import Span
from wongar_dsl.language import ast as s


def outdated_reports(old: s.Procedure, new: s.Procedure) -> Iterator[str]:
    """Yield the messages of `new` that report a step of `old` which it lacks, or a value that it sets to another one.

    A message that names what is set stays true with another value.
    """
    was, now = _steps(old), _steps(new)
    for report, steps in reported_steps(old.body).items():
        if report.span in now and not all(_is_true(report, step, was, now) for step in steps):
            assert report.told.name is not None
            yield report.told.name


def _steps(article: s.Procedure) -> dict[Span, s.StatementNode]:
    return {node.span: node for node in s.walk(article.body) if isinstance(node, s.StatementNode)}


def reported_steps(body: s.Block) -> dict[s.Tell, list[s.Statement]]:
    """Return the steps that each `tell` of a rule reports."""
    reported = dict[s.Statement, list[s.Statement]]()
    _unreported(body, reported)
    # The message of another step reports that step alone.
    return {report: steps for report, steps in reported.items() if isinstance(report, s.Tell)}


def _is_true(
    report: s.Tell, step: s.Statement, was: Mapping[Span, s.StatementNode], now: Mapping[Span, s.StatementNode]
) -> bool:
    """Return whether a message that reports a step among those that there were is true of the steps `now`."""
    kept = now.get(step.span)
    if not isinstance(step, s.Assign):
        return s.same(step, kept)
    # An assignment that is added behind the step replaces its value.
    behind = dropwhile(lambda span: span != step.span, now) if kept is not None else now
    added = [other for span in behind if span not in was and isinstance(other := now[span], s.Assign)]
    set_again = any(s.same(step.target, other.target) for other in added)
    if s.same(step, kept) and not set_again:
        return True
    return (set_again or isinstance(kept, s.Assign)) and any(s.same(step.target, node) for node in s.walk(report))


def _unreported(block: s.Block, reported: dict[s.Statement, list[s.Statement]]) -> list[s.Statement]:
    """Add the steps of a block to those of the messages in `reported` that report them, and return the others."""
    steps = [_silent(step, reported) for step in block]
    speaking = [number for number, step in enumerate(block) if _message(step) is not None]
    if not speaking:
        return [step for inner in steps for step in inner]
    for number, inner in enumerate(steps):
        report = next((other for other in speaking if other >= number), speaking[-1])
        reported.setdefault(block[report], []).extend(inner)
    return []


def _silent(step: s.Statement, reported: dict[s.Statement, list[s.Statement]]) -> list[s.Statement]:
    """Return a step without a message, or those inside it that are not reported there."""
    told = getattr(step, "told", None)
    if isinstance(step, s.Assign) or (isinstance(told, s.MessageRef) and told.name is None):
        return [step]
    inner = list[s.Statement]()
    for part in s.under(step):
        unreported = _unreported(part.body if isinstance(part, s.Choice) else part, reported)
        inner += [] if isinstance(part, s.Choice) else unreported
    return inner


def _message(step: s.Statement) -> str | None:
    told = getattr(step, "told", None)
    return told.name if isinstance(told, s.MessageRef) else None
