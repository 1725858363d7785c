"""Whose mistake it is: what only a variant makes wrong in its base is shown where the variant was written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import fields, replace

from wongar_dsl import syntax as s
from wongar_dsl.syntax import walk
from wongar_dsl.text.diagnostics import Diagnostic, Hint, Label
from wongar_dsl.text.span import Span
from wongar_dsl.variants.merge import MergedRules

MOST_PLACES = 3


def attribute(found: Sequence[Diagnostic], base: MergedRules, file: s.File) -> list[Diagnostic]:
    """Findings that `base` has not by itself, each moved to the change in `file` that makes it wrong; several that one
    change causes become one, with the places in the base as labels."""
    moved: dict[tuple[str, str, str], Diagnostic] = {}
    for diagnostic in found:
        told = _told_in(diagnostic, base, file)
        key = (told.code, str(told.span), str(told.arguments))
        if key in moved:
            labels = dict.fromkeys((*moved[key].labels, *told.labels))
            told = replace(moved[key], labels=tuple(labels)[:MOST_PLACES])
        moved[key] = told
    return list(moved.values())


def _told_in(diagnostic: Diagnostic, base: MergedRules, file: s.File) -> Diagnostic:
    """The finding as the variant's author must be told it."""
    place, own = diagnostic.span, file.span.source
    if place is None or place.source is own or file.head is None:
        return diagnostic
    used = Label(place, "used")
    shown = next((label.span for label in diagnostic.labels if label.span.source is own), None)
    change = _around(shown, file) if shown is not None else _cause(diagnostic, place, base, file)
    if change is None:
        return replace(diagnostic, span=file.head.name.span, labels=(used,), suggestion=None)
    if isinstance(change, s.Remove):
        return Diagnostic("R0211", change.name.span, {"name": change.name.text}, (used,))
    if diagnostic.code == "R0204":
        return _unused(diagnostic, change, base, place)
    hint = Hint("name_inside" if diagnostic.code == "R0209" else "base_needs")
    span = shown if shown is not None else _place(change)
    return Diagnostic(diagnostic.code, span, diagnostic.arguments, (used,), hint=hint)


def _unused(diagnostic: Diagnostic, change: s.Article, base: MergedRules, place: Span) -> Diagnostic:
    """What nothing needs any longer, because of a change."""
    unused = next((a for a in base.articles if a.name.span == place), None)
    hint = None
    if unused is not None and unused.removable:
        hint = Hint("remove_too", {"article": f"remove {unused.keyword} {diagnostic.arguments['name']}"})
    return replace(diagnostic, span=_place(change), labels=(Label(place, "declared"),), hint=hint)


def _cause(diagnostic: Diagnostic, place: Span, base: MergedRules, file: s.File) -> s.Article | None:
    """The change that makes a finding: it names what the finding names, or does away with what stood there."""
    said = {value for value in diagnostic.arguments.values() if isinstance(value, str)}
    line = place.source.line(place.line)
    end = place.end_column - 1 if place.end_line == place.line else None
    near = set(re.findall(r"[A-Za-z]\w*", line[place.column - 1 : end]))
    old = {s.key_of(article): article for article in base.articles}
    for names in (said, near):
        for article in reversed(file.articles):
            if article.name.text in names:
                return article
        for article in reversed(file.articles):
            if names & _lost(article, old):
                return article
    return None


def _lost(change: s.Article, old: dict[s.Key, s.Article]) -> set[str]:
    """The words that a replaced or removed article had, and what is there instead has not."""
    key: s.Key = (change.sort, change.name.text) if isinstance(change, s.Remove) else s.key_of(change)
    if not isinstance(change, s.Replace | s.Remove) or key not in old:
        return set()
    return _names(old[key]) - (_names(change) if isinstance(change, s.Replace) else set())


def _place(change: s.Article) -> Span:
    """Where a change is shown: the name of what is new, the whole line of what is set."""
    if isinstance(change, s.Replace):
        return change.article.name.span
    return change.span if change.keyword == "change" else change.name.span


def _around(place: Span, file: s.File) -> s.Article | None:
    """The article of a variant that a place lies in."""
    return next((a for a in reversed(file.articles) if a.span.line <= place.line), None)


def _names(article: s.Article) -> set[str]:
    """All names in an article."""
    values = (getattr(node, part.name) for node in walk(article) for part in fields(node))
    return {value for value in values if isinstance(value, str)}
