"""Text of strangers, without what a terminal would obey."""

from __future__ import annotations

import re

#: Control characters but the tab and the end of a line; marks that steer the direction of writing or separate lines;
#: halves of characters; invisible tags.  What only joins letters or hides a hyphen belongs to some scripts and stays.
HARMFUL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)


def harmless(text: str) -> str:
    """`text` with everything that would steer a terminal as an escape; ends of lines and tabs stay."""
    return text if text.isascii() and text.isprintable() else HARMFUL.sub(lambda found: _escape(found[0]), text)


def visible(text: str) -> str:
    """`text` with everything that a terminal would obey, or not show, as escapes; tabs stay."""
    if text.isprintable():
        return text
    return "".join(letter if letter == "\t" or letter.isprintable() else _escape(letter) for letter in text)


def _escape(letter: str) -> str:
    code = ord(letter)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
