"""Diagnostics of a rule file as an editor shows them."""

from __future__ import annotations

from dataclasses import dataclass

from wongar_dsl.base.diagnostic_codes import Severity
from wongar_dsl.base.diagnostics import Diagnostic
from wongar_dsl.base.span import Source, Span
from wongar_dsl.language.server.snapshot import Snapshot
from wongar_dsl.nlg.diagnostic_text.diagnostics import advice, message
from wongar_dsl.nlg.words import Translator


@dataclass(frozen=True, slots=True)
class Finding:
    """A diagnostic at a span of the file itself, with its text and related spans."""

    span: Span
    text: str
    diagnostic: Diagnostic
    others: tuple[tuple[Span, str], ...] = ()


def findings(snapshot: Snapshot, words: Translator, with_missing_texts: bool = False) -> tuple[Finding, ...]:
    """Return all diagnostics of a file; errors in files that it builds on are placed at its head line.

    The search for missing texts takes longer than everything else.
    """
    own_file = snapshot.file
    source = own_file.source if own_file is not None else None
    name = source.name if source is not None else str(snapshot.path)
    results = []
    missing = [text.diagnostic for text in snapshot.missing_texts] if with_missing_texts else []
    for diagnostic in (*snapshot.loaded.diagnostics, *missing):
        text = f"{message(diagnostic, words.say)}\n{advice(diagnostic, words.say)}"
        others = tuple((label.span, words.say(f"label.{label.name}")) for label in diagnostic.labels)
        span = diagnostic.span
        if span is not None and span.source.name == name:
            results.append(Finding(span, text, diagnostic, others))
        elif diagnostic.severity is Severity.ERROR:
            place = ((span, message(diagnostic, words.say)),) if span is not None else ()
            results.append(Finding(_head(snapshot, source), text, diagnostic, (*place, *others)))
    return tuple(results)


def _head(snapshot: Snapshot, source: Source | None) -> Span:
    """Return the span where a file names its base, else its beginning."""
    head = snapshot.tree.head if snapshot.tree is not None else None
    base = getattr(head, "base", None)
    if base is not None:
        return Span(*(getattr(base.span, part) for part in ("source", "line", "column", "end_line", "end_column")))
    return Span(source or Source(str(snapshot.path), ""), 1, 1, 1, 1)
