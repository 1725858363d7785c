"""Pseudo-languages for tests, which reveal untranslated text and insufficient space.

The realiser makes them from English, so disguised text on the screen has gone through the catalogs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import ceil

_ACCENTS = str.maketrans(
    "aceginorsuyzACEGINORSUYZ",
    "åçéğîñöŕšûýžÅÇÉĞÎÑÖŔŠÛÝŽ",
)
_VOWELS = "åéîöûÅÉÎÖÛ"
_WIDE = {code: code + 0xFEE0 for code in range(0x21, 0x7F)} | {0x20: 0x3000}

#: Direction override: shows the enclosed text from right to left, whatever its letters.
_RIGHT_TO_LEFT, _BACK = "\u202e", "\u202c"


def longer(text: str) -> str:
    """Return the text with accents and at least 40 % longer, even for short fragments."""
    accented = text.translate(_ACCENTS)
    missing = ceil(len(text) * 0.4)
    out: list[str] = []
    for letter in accented:
        out.append(letter)
        if letter in _VOWELS and missing > 0:
            more = min(missing, 2)
            out.append(letter.lower() * more)
            missing -= more
    # Text without enough vowels is padded at its end, before closing punctuation.
    body = "".join(out)
    stem = body.rstrip(" .,:;!?)'\n")
    return stem + ("~" * missing if stem else "") + body[len(stem) :]


def right_to_left(text: str) -> str:
    """Return the text between marks that force display from right to left."""
    return f"{_RIGHT_TO_LEFT}{text}{_BACK}"


def wide(text: str) -> str:
    """Return the text in full-width letters, two cells each."""
    return text.translate(_WIDE)


#: The pseudo-languages by name, which `Translator.load` accepts like any other language.
PSEUDO: Mapping[str, Callable[[str], str]] = {"xx-long": longer, "xx-rtl": right_to_left, "xx-wide": wide}
