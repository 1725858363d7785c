"""Text of strangers, made harmless for a terminal."""

from __future__ import annotations


def visible(text: str) -> str:
    """`text` with everything that a terminal would obey, or not show, as escapes; tabs stay."""
    if text.isprintable():
        return text
    return "".join(letter if letter == "\t" or letter.isprintable() else _escape(letter) for letter in text)


def _escape(letter: str) -> str:
    code = ord(letter)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
