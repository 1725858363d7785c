"""Reading of rule files: decoding, and diagnostics for unreadable files."""

from __future__ import annotations

from wongar_dsl.base.diagnostics import Diagnostic
from wongar_dsl.base.span import Source, Span
from wongar_dsl.base.storage.files import FileError, FileOrFolder, decode, read_bytes
from wongar_dsl.engine.library.builtin_games import SUFFIX
from wongar_dsl.language.parser import MAX_CHARACTERS

#: Limit in bytes, enough for the maximum number of characters of a rule file.
MAX_BYTES = 4 * MAX_CHARACTERS
#: First bytes of word-processor files: OpenDocument and Word, rich text, PDF, older Word.
_DOCUMENTS = (b"PK\x03\x04", b"{\\rtf", b"%PDF", b"\xd0\xcf\x11\xe0")


def read_file(at: FileOrFolder, shown: str) -> tuple[bytes | None, Source | Diagnostic]:
    """Return the bytes of a rule file, None if it cannot be read, and its text or a diagnostic."""
    try:
        data = read_bytes(at, MAX_BYTES, SUFFIX)
    except FileError as error:
        return None, _unreadable(error, shown)
    return data, source_of(data, shown)


def source_of(data: bytes, shown: str) -> Source | Diagnostic:
    """Return the text of the bytes of a rule file, or a diagnostic."""
    if len(data) > MAX_BYTES:
        return _unreadable(FileError("too_large", size=len(data)), shown)
    if data.startswith(_DOCUMENTS):
        return Diagnostic("R0007", beginning_of(shown), {"path": shown})
    try:
        return Source(shown, decode(data))
    except FileError as error:
        place = Span(Source(shown, data.decode("utf-8", "replace")), error.line, 1, error.line, 2)
        return Diagnostic("R0003", place, {"line": error.line})


def _unreadable(error: FileError, shown: str) -> Diagnostic:
    if error.reason == "too_large":
        return Diagnostic("R0002", beginning_of(shown), {"size": error.size, "limit": MAX_CHARACTERS})
    return Diagnostic("R0001", beginning_of(shown), {"path": shown})


def beginning_of(shown: str) -> Span:
    """Return the first position of a file that is not readable or does not exist, given its displayed name."""
    return Span(Source(shown, ""), 1, 1, 1, 1)
