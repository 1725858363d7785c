"""Languages that nobody speaks, for tests: they show what is not translated and what does not fit.

Made by the realiser from English, so that a foreign text on the screen went through the catalogs.
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

#: Forces what stands between the two from right to left, whatever the letters.
_RIGHT_TO_LEFT, _BACK = "\u202e", "\u202c"


def longer(text: str) -> str:
    """Accents on the letters, and at least 40 % more of them, however short the pieces of a sentence are."""
    accented = text.translate(_ACCENTS)
    wanted = ceil(len(text) * 0.4)
    out: list[str] = []
    for letter in accented:
        out.append(letter)
        if letter in _VOWELS and wanted > 0:
            more = min(wanted, 2)
            out.append(letter.lower() * more)
            wanted -= more
    # Text without enough vowels grows at its end, before what closes it.
    body = "".join(out)
    kept = body.rstrip(" .,:;!?)'\n")
    return kept + ("~" * wanted if kept else "") + body[len(kept) :]


def right_to_left(text: str) -> str:
    """The text in marks that make a terminal or editor show it from right to left."""
    return f"{_RIGHT_TO_LEFT}{text}{_BACK}"


def wide(text: str) -> str:
    """The text in full-width letters, two cells each."""
    return text.translate(_WIDE)


#: The pseudo-languages by name, which `Words.load` takes like any other.
PSEUDO: Mapping[str, Callable[[str], str]] = {"xx-long": longer, "xx-rtl": right_to_left, "xx-wide": wide}
