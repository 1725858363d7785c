"""Escaping of untrusted text for terminal output."""

from __future__ import annotations

import unicodedata

#: Invisible characters that are safe to print: soft hyphen, zero-width non-joiner and zero-width joiner.
_SAFE = frozenset("\u00ad\u200c\u200d")


def escape_line(text: str) -> str:
    """Return one line with line breaks, control, invisible and special space characters escaped; tabs are kept."""
    if text.isprintable():
        return text
    return "".join(char if char == "\t" or char.isprintable() else _escape(char) for char in text)


def escape_text(text: str) -> str:
    """Return multi-line text with control and bidirectional characters escaped.

    Unlike `escape_line` it keeps line breaks, special spaces and the characters in `_SAFE`, which typography needs.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\t" or _is_safe(c) else _escape(c) for c in text)


def _is_safe(char: str) -> bool:
    return char in _SAFE or unicodedata.category(char) == "Zs"


def _escape(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
