"""What is wrong with a rule file, as an editor shows it."""

from __future__ import annotations

from dataclasses import dataclass

from wongar_dsl.language_server.snapshot import Snapshot
from wongar_dsl.narration.diagnostics import advice, message
from wongar_dsl.text.codes import Severity
from wongar_dsl.text.diagnostics import Diagnostic
from wongar_dsl.text.span import Source, Span
from wongar_dsl.words import Words


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding at a place in the file itself, with further places, and the diagnostic that it was made of."""

    span: Span
    text: str
    diagnostic: Diagnostic
    others: tuple[tuple[Span, str], ...] = ()


def findings(snapshot: Snapshot, words: Words, wordless: bool = False) -> tuple[Finding, ...]:
    """All that is wrong with a file; mistakes of those that it builds on stand where it names them.

    What is `wordless` is told too, if asked for: that takes longer than all the rest.
    """
    own = snapshot.own
    source = own.source if own is not None else None
    name = source.name if source is not None else str(snapshot.path)
    found = []
    lacks = [lack.diagnostic for lack in snapshot.lacks] if wordless else []
    for diagnostic in (*snapshot.loaded.found, *lacks):
        text = f"{message(diagnostic, words.say)}\n{advice(diagnostic, words.say)}"
        others = tuple((label.span, words.say(f"label.{label.name}")) for label in diagnostic.labels)
        span = diagnostic.span
        if span is not None and span.source.name == name:
            found.append(Finding(span, text, diagnostic, others))
        elif diagnostic.severity is Severity.ERROR:
            place = ((span, message(diagnostic, words.say)),) if span is not None else ()
            found.append(Finding(_head(snapshot, source), text, diagnostic, (*place, *others)))
    return tuple(found)


def _head(snapshot: Snapshot, source: Source | None) -> Span:
    """Where a file says on what it builds, else its beginning."""
    head = snapshot.tree.head if snapshot.tree is not None else None
    base = getattr(head, "base", None)
    if base is not None:
        return Span(*(getattr(base.span, part) for part in ("source", "line", "column", "end_line", "end_column")))
    return Span(source or Source(str(snapshot.path), ""), 1, 1, 1, 1)
