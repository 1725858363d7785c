"""Diagnostics for files of rule cases and for tutorials."""

from __future__ import annotations

from contextlib import suppress

from wongar_dsl.base.diagnostics import Diagnostic, Hint
from wongar_dsl.base.span import Source
from wongar_dsl.base.storage.files import FileError, FileOrFolder, read_text, relative_path
from wongar_dsl.engine.rule_cases.file import MAX_FILE_BYTES, SUFFIX, CaseFailure
from wongar_dsl.nlg.diagnostic_text.catalog_faults import line_span


def case_source(path: FileOrFolder, suffix: str = SUFFIX) -> Source:
    """Load a file of cases, or another one with this ending, for diagnostics; an unreadable file is empty."""
    text = ""
    with suppress(FileError):
        text = read_text(path, MAX_FILE_BYTES, suffix)
    return Source(relative_path(str(path)), text)


def diagnostic(failure: CaseFailure, source: Source, code: str = "R0701") -> Diagnostic:
    """Convert a fault in a case file to a diagnostic on its line, with the allowed values as a hint.

    Other files use the same conversion under another `code`.
    """
    arguments = dict(failure.arguments)
    suggestion = arguments.pop("suggestion", "")
    allowed = arguments.pop("known", ())
    hint = Hint("one_of", {"values": allowed}) if isinstance(allowed, tuple) and allowed else None
    span = line_span(source, failure.line)
    details = {"finding": failure.code, **arguments}
    return Diagnostic(code, span, details, suggestion=str(suggestion) or None, hint=hint)
