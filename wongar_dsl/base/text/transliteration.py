"""Replacement of characters that an output encoding lacks by readable ones.

Each language defines the spelling of its own letters (*Vögel*, *Voegel*).  Other letters lose their accents by Unicode
decomposition.  Symbols have a table, since Unicode has no readable decomposition for them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

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
