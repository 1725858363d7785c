"""Messages that a variant has made untrue, by changing or removing a step that they report.

A step without its own message is reported by the next message of its block or, after the last one, by that one. In a
block without messages it is reported by one of the enclosing block, but never by one outside of its option.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import dropwhile

from wongar_dsl.base.span import Span
from wongar_dsl.language import ast as s


def outdated_messages(old: s.Procedure, new: s.Procedure) -> Iterator[str]:
    """Yield the messages in `new` that report a step of `old` that it lacks, or whose value it has changed.

    A message with the assigned value as an argument stays true.
    """
    old_steps, new_steps = _steps(old), _steps(new)
    for message, steps in reported_steps(old.body).items():
        if message.span in new_steps and not all(_is_still_true(message, step, old_steps, new_steps) for step in steps):
            assert message.message.name is not None
            yield message.message.name


def _steps(article: s.Procedure) -> dict[Span, s.StatementNode]:
    return {node.span: node for node in s.walk(article.body) if isinstance(node, s.StatementNode)}


def reported_steps(body: s.Block) -> dict[s.Tell, list[s.Statement]]:
    """Return the steps that each `tell` of a rule reports."""
    reported = dict[s.Statement, list[s.Statement]]()
    _assign_to_messages(body, reported)
    # The message of another step reports that step alone.
    return {message: steps for message, steps in reported.items() if isinstance(message, s.Tell)}


def _is_still_true(
    message: s.Tell,
    step: s.Statement,
    old_steps: Mapping[Span, s.StatementNode],
    new_steps: Mapping[Span, s.StatementNode],
) -> bool:
    """Return whether a message that reports one of the old steps is true of the new ones; steps are keyed by span."""
    new_step = new_steps.get(step.span)
    if not isinstance(step, s.Assign):
        return s.same(step, new_step)
    # An assignment that is added behind the step replaces its value.
    later_spans = dropwhile(lambda span: span != step.span, new_steps) if new_step is not None else new_steps
    added = [other for span in later_spans if span not in old_steps and isinstance(other := new_steps[span], s.Assign)]
    set_again = any(s.same(step.target, other.target) for other in added)
    if s.same(step, new_step) and not set_again:
        return True
    return (set_again or isinstance(new_step, s.Assign)) and any(s.same(step.target, node) for node in s.walk(message))


def _assign_to_messages(block: s.Block, reported: dict[s.Statement, list[s.Statement]]) -> list[s.Statement]:
    """Assign the steps of a block to the messages that report them, in `reported`; return those that none reports."""
    steps = [_unreported_in(step, reported) for step in block]
    with_message = [number for number, step in enumerate(block) if _message(step) is not None]
    if not with_message:
        return [step for inner in steps for step in inner]
    for number, inner in enumerate(steps):
        reporter = next((other for other in with_message if other >= number), with_message[-1])
        reported.setdefault(block[reporter], []).extend(inner)
    return []


def _unreported_in(step: s.Statement, reported: dict[s.Statement, list[s.Statement]]) -> list[s.Statement]:
    """Return a step itself if it is without a message, else the steps inside it that no message there reports."""
    message_ref = getattr(step, "message", None)
    if isinstance(step, s.Assign) or (isinstance(message_ref, s.MessageRef) and message_ref.name is None):
        return [step]
    inner = list[s.Statement]()
    for part in s.blocks_and_options(step):
        unreported = _assign_to_messages(part.body if isinstance(part, s.Option) else part, reported)
        inner += [] if isinstance(part, s.Option) else unreported
    return inner


def _message(step: s.Statement) -> str | None:
    message_ref = getattr(step, "message", None)
    return message_ref.name if isinstance(message_ref, s.MessageRef) else None
