"""Reduction of rules to what players need: without messages, values that only messages use, and point origins.

If two games have equal reduced rules, no player can notice a difference, and they need not be played.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Model
from wongar_dsl.nlg.prose.game_facts import unread_values


def same_in_silence(one: Model, other: Model) -> bool:
    """Return whether two games differ only in parts that players need not know."""
    mine, theirs = _silent(one), _silent(other)
    return mine.keys() == theirs.keys() and all(s.same(article, theirs[key]) for key, article in mine.items())


def _silent(model: Model) -> dict[tuple[str, str], s.Declaration]:
    """Return the declarations that affect anything except messages."""
    unread = unread_values(model)
    articles: dict[tuple[str, str], s.Declaration] = {}
    for article in model.merged.articles:
        if not (isinstance(article, s.Remember) and article.name.text in unread):
            silent = _without_news(model, unread, article)
            assert isinstance(silent, s.Declaration)
            articles[s.key_of(article)] = silent
    while True:
        references = {key: set(_names(article)) for key, article in articles.items()}
        idle = [
            key
            for key, article in articles.items()
            if isinstance(article, s.Rule | s.Define | s.LookupTable)
            and not any(key[1] in names for referrer, names in references.items() if referrer != key)
        ]
        if not idle:
            return articles
        for key in idle:
            del articles[key]


def _names(tree: object) -> Iterator[str]:
    for node in s.walk(tree):
        match node:
            case s.Name(text=name) | s.Called(name=name) | s.Indexed(name=name) | s.Of(name=name):
                yield name


def _without_news(model: Model, unread: frozenset[str], tree: object) -> object:
    """Return the tree without messages, and without statements that are empty then."""
    if isinstance(tree, tuple):
        inner = (_without_news(model, unread, part) for part in tree if not _is_news(model, unread, part))
        return tuple(part for part in inner if not _does_nothing(part))
    if not isinstance(tree, s.Node):
        return tree
    changed: dict[str, object] = {"message": None} if hasattr(tree, "message") else {}
    if isinstance(tree, s.Gain):
        changed["origin"] = None
    for name in s.field_names(type(tree)):
        if name not in changed:
            old = getattr(tree, name)
            new = _without_news(model, unread, old)
            if new is not old and new != old:
                changed[name] = new
    return replace(tree, **changed) if changed else tree  # type: ignore[type-var]


def _is_news(model: Model, unread: frozenset[str], part: object) -> bool:
    """Return whether a statement only emits a message, or sets a value that only messages use."""
    match part:
        case s.Tell():
            return True
        case s.Assign(target=target):
            ref = model.refs.get(target)
            return ref is not None and ref.kind == "remember" and ref.name in unread
    return False


def _does_nothing(part: object) -> bool:
    match part:
        case s.If(branches=branches, otherwise=()):
            return not any(body for _, body in branches)
        case s.ForEach(body=()):
            return True
    return False
