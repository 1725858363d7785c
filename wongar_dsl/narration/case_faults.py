"""What is wrong in files of rule cases, and in lessons, as diagnostics."""

from __future__ import annotations

from contextlib import suppress

from wongar_dsl.cases.file import LARGEST, SUFFIX, CaseFailure
from wongar_dsl.narration.catalog_faults import line_span
from wongar_dsl.text.diagnostics import Diagnostic, Hint
from wongar_dsl.text.files import FileError, Place, path_from_here, read_text
from wongar_dsl.text.span import Source


def case_source(path: Place, suffix: str = SUFFIX) -> Source:
    """A file of cases, or another one of this ending, as findings show it; one that cannot be read is empty."""
    text = ""
    with suppress(FileError):
        text = read_text(path, LARGEST, suffix)
    return Source(path_from_here(str(path)), text)


def diagnostic(failure: CaseFailure, source: Source, code: str = "R0701") -> Diagnostic:
    """A fault in a file of cases, or under another code elsewhere, with its line; what could be written instead is a
    hint."""
    arguments = dict(failure.arguments)
    suggestion = arguments.pop("suggestion", "")
    known = arguments.pop("known", ())
    hint = Hint("one_of", {"values": known}) if isinstance(known, tuple) and known else None
    span = line_span(source, failure.line)
    told = {"finding": failure.code, **arguments}
    return Diagnostic(code, span, told, suggestion=str(suggestion) or None, hint=hint)
