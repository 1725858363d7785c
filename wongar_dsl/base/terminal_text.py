"""Text for terminals: escapes for untrusted text, width in cells, wrapping, and replacement of missing characters.

Each language defines the spelling of its own letters (*Vögel*, *Voegel*).  Other letters lose their accents by Unicode
decomposition.  Symbols have a table, since Unicode has no readable decomposition for them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

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


#: Unicode categories without a cell: combining marks, format and control characters.
_NO_CELL = {"Mn", "Me", "Cf", "Cc"}


def width(text: str) -> int:
    """Return the number of terminal cells of `text`: two for wide characters, none for combining marks."""
    if text.isascii():
        return len(text) if text.isprintable() else sum(32 <= ord(char) < 127 for char in text)
    return sum(map(_cells, text))


@lru_cache(maxsize=1000)
def _cells(char: str) -> int:
    if unicodedata.category(char) in _NO_CELL and char != "\u00ad":
        return 0
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1


def pad(text: str, cells: int, align: Literal["left", "right", "centre"] = "left") -> str:
    """Return `text` padded to `cells` cells; wider text is unchanged."""
    missing = max(0, cells - width(text))
    before = {"left": 0, "right": missing, "centre": missing // 2}[align]
    return " " * before + text + " " * (missing - before)


def fold(text: str, room: int, indent: str = "") -> list[str]:
    """Return `text` wrapped at spaces into lines of at most `room` cells; a longer word gets a line of its own.

    All lines of a paragraph except the first begin with `indent`.
    """
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line, *words = paragraph.split(" ")
        for word in words:
            longer = f"{line} {word}"
            if line.strip() and width(longer) > room:
                lines.append(line)
                longer = indent + word
            line = longer
        lines.append(line)
    return lines


SIGNS: Mapping[str, str] = {
    # Quotation marks, dashes, ellipsis.
    **dict.fromkeys("“”„‟«»〝〞「」『』", '"'), **dict.fromkeys("‘’‚‛‹›′", "'"), **dict.fromkeys("‐‑‒–—―−", "-"),
    "…": "...", "·": ".", "•": "*", "×": "x", "÷": "/", "⁄": "/", "≤": "<=", "≥": ">=", "≠": "/=", "€": "EUR",
    # Arrows and marks.
    "←": "<-", "→": "->", "↑": "^", "↓": "v", "↔": "<->", "▸": ">", "▶": ">", "◂": "<", "◀": "<", "✓": "v", "✗": "x",
    "↗": "/^", "↘": "\\v", "↙": "v/", "↖": "^\\",
    # Pieces and areas.
    "●": "o", "○": ".", "■": "#", "□": ".", "▮": "|", "◆": "*", "◇": ".", "▲": "^", "△": "^", "★": "*", "☆": "*",
    "♟": "@", "♔": "*", "█": "#", "▓": "#", "▒": "-", "░": "-",
    # Latin letters without a decomposition into letter and accent.
    "ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D",
    "ð": "d", "Ð": "D", "ł": "l", "Ł": "L", "þ": "th", "Þ": "Th", "ħ": "h", "Ħ": "H", "ı": "i", "ŋ": "ng", "Ŋ": "Ng",
}  # fmt: skip

#: Box-drawing characters.
_FIRST_LINE, _LAST_LINE = "\u2500", "\u257f"


def transliterate(text: str, encoding: str = "ascii", spellings: Mapping[str, str] | None = None) -> str:
    """Return `text` with characters that `encoding` lacks replaced.

    `spellings` maps lower-case letters of the language to their replacements.
    """
    if _fits(text, encoding):
        return text
    normalized = unicodedata.normalize("NFC", text)
    return "".join(c if _fits(c, encoding) else _replacement(c, encoding, spellings or {}) for c in normalized)


def _replacement(char: str, encoding: str, spellings: Mapping[str, str]) -> str:
    if char in spellings:
        return spellings[char]
    lower_case = spellings.get(char.lower())
    if lower_case is not None:
        return lower_case[:1].upper() + lower_case[1:]
    if char in SIGNS:
        return SIGNS[char]
    if _FIRST_LINE <= char <= _LAST_LINE:
        kind = unicodedata.name(char)
        down, across = "VERTICAL" in kind or "DOWN" in kind or "UP" in kind, "HORIZONTAL" in kind or "LEFT" in kind
        return "|" if down and not across and "RIGHT" not in kind else "-" if not down else "+"
    if unicodedata.combining(char) or unicodedata.category(char) == "Cf":
        return ""
    parts = unicodedata.normalize("NFKD", char)
    if parts == char:
        # A letter of another script is shown as its code point.
        return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"
    return "".join(c if _fits(c, encoding) else _replacement(c, encoding, spellings) for c in parts)


def _fits(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
