"""Escaping of untrusted text for terminal output."""

from __future__ import annotations

import unicodedata

#: Invisible characters that are safe to print: soft hyphen, zero-width non-joiner and zero-width joiner.
_HARMLESS = frozenset("\u00ad\u200c\u200d")


def escape_line(text: str) -> str:
    """Return `text` with control and invisible characters escaped, except tabs."""
    if text.isprintable():
        return text
    return "".join(letter if letter == "\t" or letter.isprintable() else _escape(letter) for letter in text)


def escape_text(text: str) -> str:
    """Return multi-line text with control and bidirectional characters escaped."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\t" or _is_harmless(c) else _escape(c) for c in text)


def _is_harmless(letter: str) -> bool:
    return letter in _HARMLESS or unicodedata.category(letter) == "Zs"


def _escape(letter: str) -> str:
    code = ord(letter)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
