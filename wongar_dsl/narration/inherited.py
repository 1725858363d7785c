"""Sentences that a variant takes over from its base although it changes what they are about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from wongar_dsl import syntax as s
from wongar_dsl.engine import Game
from wongar_dsl.model import Model
from wongar_dsl.narration.messages import Message, messages_of
from wongar_dsl.syntax import same, walk
from wongar_dsl.text.span import Span


def taken_over(game: Game) -> Iterator[tuple[Message, str, Span]]:
    """Each message about an option that works otherwise in the variant, and what was changed where."""
    changes = dict(_changes(game.model))
    if changes:
        messages = messages_of(game)
        for name, node, old in _explained(game.model):
            cause = _cause(game.model, node, old, changes)
            if cause is not None:
                for message in messages:
                    if message.name == name or message.name.startswith(f"{name}."):
                        yield message, cause, changes[cause]


def _changes(model: Model) -> Iterator[tuple[str, Span]]:
    """What the variants change or replace of what they are variants of, and where."""
    merged = model.merged
    for article in merged.articles:
        key = s.key_of(article)
        if key in merged.replaced or key in merged.changed:
            own = merged.head.span.source
            cited = {id(node) for node in walk(article.sources)}
            inside = (n.span for n in walk(article) if n.span.source is not own and id(n) not in cited)
            changed = merged.places.get(key, article.name.span)
            yield key[1] or key[0], next(inside, changed) if article.name.span.source is own else article.name.span


def _explained(model: Model) -> Iterator[tuple[str, s.Node, s.Article | None]]:
    """The messages that explain something, and what: why an option cannot be taken.

    With what stood in its place before, if the whole article is a variant's.
    """
    replaced = model.merged.replaced
    choices = {id(node): name for node, name in model.decision_names.items()}
    for article in model.code.articles:
        old = replaced.get(s.key_of(article))
        for node in walk(article):
            if isinstance(node, (s.Choose, s.ChooseSimultaneously)):
                for choice in node.choices:
                    yield f"why.{choices[id(node)]}.{choice.name.text}", choice, old


def _cause(model: Model, node: s.Node, old: s.Article | None, changes: Mapping[str, Span]) -> str | None:
    """What of all that is changed an option has to do with."""
    asked: object = node
    before: list[object] = [] if old is None else [old]
    if isinstance(node, s.Choice):
        # Why it cannot be taken is a matter of what is offered, not of what it does.
        asked = (node.parameters, node.condition)
        same_name = (n for n in walk(old) if isinstance(n, s.Choice) and n.name.text == node.name.text)
        before = [(choice.parameters, choice.condition) for choice in same_name]
    if old is not None and before and not any(same(asked, one) for one in before):
        sort, name = s.key_of(old)
        return name or sort
    values = {name for sort, name in model.merged.changed if sort in {"option", "table"}}
    named = [text for inner in walk(asked) for text in (getattr(inner, "text", None), getattr(inner, "name", None))]
    return next((name for name in named if isinstance(name, str) and name in values & changes.keys()), None)
