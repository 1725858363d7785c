"""Attribution of diagnostics: moves mistakes that a variant causes in its base to the responsible change."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from wongar_dsl.base.diagnostics import Diagnostic, Hint, Label, Severity
from wongar_dsl.base.span import Span
from wongar_dsl.language import ast as s
from wongar_dsl.language.ast import walk
from wongar_dsl.language.variants.merge import MergedRules

#: Maximum number of places in the base that a diagnostic shows.
MAX_LABELS = 3
#: Diagnostics that are clear without a hint on an addition: names in use, missing rows and options.
_WITHOUT_HINT = frozenset({"R0202", "R0401", "R0406", "R0410", "R0423", "R0425"})


def blame(diagnostics: Sequence[Diagnostic], base: MergedRules, changed: MergedRules, file: s.File) -> list[Diagnostic]:
    """Return the diagnostics of `changed`, those located in its base moved to the change in `file` that causes them.

    Several diagnostics with the same cause become one, with the places in the base as labels.
    """
    moved: dict[tuple[str, str, str], Diagnostic] = {}
    for diagnostic in diagnostics:
        attributed = _relocated(diagnostic, base, changed, file)
        key = (attributed.code, str(attributed.span), str(attributed.arguments))
        if key in moved:
            labels = dict.fromkeys((*moved[key].labels, *attributed.labels))
            attributed = replace(moved[key], labels=tuple(labels)[:MAX_LABELS])
        moved[key] = attributed
    return list(moved.values())


def _relocated(diagnostic: Diagnostic, base: MergedRules, changed: MergedRules, file: s.File) -> Diagnostic:
    """Return the diagnostic as it is shown to the author of the variant."""
    place, variant_source = diagnostic.span, file.span.source
    if place is None or place.source == variant_source or file.head is None:
        return diagnostic
    used = Label(place, "never" if diagnostic.code == "R0410" else "used")
    shown = next((label.span for label in diagnostic.labels if label.span.source == variant_source), None)
    change = _enclosing_change(shown, file) if shown is not None else _cause(diagnostic, place, base, changed, file)
    if change is None:
        return replace(diagnostic, span=file.head.name.span, labels=(used,), suggestion=None)
    if diagnostic.code == "R0204":
        return _unused(diagnostic, change, base, place)
    if isinstance(change, s.Remove | s.RemoveFrom) and diagnostic.severity is Severity.ERROR:
        removed, name = (
            (change.name, change.name.text) if isinstance(change, s.Remove) else (change.part, change.part.part_text)
        )
        return Diagnostic("R0211", removed.span, {"name": name}, (used,))
    if isinstance(change, s.SetPlayers):
        return replace(diagnostic, span=change.span, labels=())
    hint: Hint | None = Hint("name_inside" if diagnostic.code == "R0209" else "base_needs")
    if isinstance(change, s.PartialChange) and diagnostic.code in _WITHOUT_HINT:
        hint = None
    span = shown if shown is not None else _shown_span(change, _argument_names(diagnostic))
    return Diagnostic(diagnostic.code, span, diagnostic.arguments, (used,), hint=hint)


def _unused(diagnostic: Diagnostic, change: s.Declaration, base: MergedRules, place: Span) -> Diagnostic:
    """Return the diagnostic for an article of the base that a change makes unused."""
    unused = next((a for a in base.articles if a.name.span == place), None)
    hint = None
    if unused is not None and unused.removable:
        hint = Hint("remove_too", {"article": f"remove {unused.keyword} {diagnostic.arguments['name']}"})
    return replace(diagnostic, span=_shown_span(change), labels=(Label(place, "declared"),), hint=hint)


def _cause(
    diagnostic: Diagnostic, place: Span, base: MergedRules, changed: MergedRules, file: s.File
) -> s.Declaration | None:
    """Return the change that causes a diagnostic: it names the same thing, or removes what the place needs."""
    argument_names = _argument_names(diagnostic)
    line = place.source.line(place.line)
    end = place.end_column - 1 if place.end_line == place.line else None
    near = set(re.findall(r"[A-Za-z]\w*", line[place.column - 1 : end]))
    for names in (argument_names, near):
        for article in reversed(file.articles):
            if _subjects(article) & names:
                return article
        for article in reversed(file.articles):
            if names & _removed_words(article, base, changed, file):
                return article
    if place == base.head.name.span:
        return next((article for article in file.articles if isinstance(article, s.SetPlayers)), None)
    # No change names it, but one changes the same article.
    keys_at = {s.key_of(a) for a in base.articles if any(node.span == place for node in walk(a))}
    changing = [record.span for thing, record in changed.recorded.items() if thing[:2] in keys_at]
    return _enclosing_change(changing[-1], file) if changing else None


def _argument_names(diagnostic: Diagnostic) -> set[str]:
    return {value for value in diagnostic.arguments.values() if isinstance(value, str)}


def _subjects(change: s.Declaration) -> set[str]:
    """Return the names of the things that a change is about."""
    return {node.part_name for name in change.subject_fields for node in s.outermost(getattr(change, name))}


def _removed_words(change: s.Declaration, base: MergedRules, changed: MergedRules, file: s.File) -> set[str]:
    """Return the words of the base that a change removed and did not replace."""
    if isinstance(change, s.AddTo | s.Insert):
        return set()
    keys = {thing[:2] for thing, record in changed.recorded.items() if _enclosing_change(record.span, file) is change}
    new = {s.key_of(a): a for a in changed.articles if s.key_of(a) in keys}
    removed: set[str] = set()
    for old in base.articles:
        key = s.key_of(old)
        if key in keys:
            old_nodes: object = _removed(change, old) if isinstance(change, s.RemoveFrom) else old
            removed |= s.strings_in(old_nodes) - (s.strings_in(new[key]) if key in new else set())
    return removed


def _removed(change: s.RemoveFrom, old: s.Declaration) -> tuple[s.Node, ...]:
    """Return the nodes that a change removes from an article."""
    name = change.part.part_text
    if isinstance(old, s.Procedure):
        options = (n for n in walk(old.body) if isinstance(n, s.Option) and n.name.text == name)
        steps = (step for step in old.steps if step.label == name)
        return (*options,) if change.sort == "choice" else (*steps,)
    return tuple(part for part in old.listed_parts if part.part_name == name)


def _shown_span(change: s.Declaration, names: Collection[str] = ()) -> Span:
    """Return the span at which a change is shown: the name of a new article, the line of a `set`.

    Among several added parts it is the one whose name is in `names`.
    """
    if isinstance(change, s.Replace):
        return change.article.name.span
    if isinstance(change, s.AddTo):
        return next((part.name_node.span for part in change.parts if part.part_name in names), change.name.span)
    if isinstance(change, s.Insert):
        return change.name.span
    return change.span if change.keyword == "change" else change.name.span


def _enclosing_change(place: Span, file: s.File) -> s.Declaration | None:
    """Return the article of a variant that contains a span."""
    return next((a for a in reversed(file.articles) if a.span.line <= place.line), None)
