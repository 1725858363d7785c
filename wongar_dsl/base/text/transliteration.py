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


def transliterate(text: str, encoding: str = "ascii", own: Mapping[str, str] | None = None) -> str:
    """Return `text` with characters that `encoding` lacks replaced.

    `own` maps letters of the language to their replacements.
    """
    if _fits(text, encoding):
        return text
    letters = unicodedata.normalize("NFC", text)
    return "".join(c if _fits(c, encoding) else _written(c, encoding, own or {}) for c in letters)


def _written(letter: str, encoding: str, own: Mapping[str, str]) -> str:
    if letter in own:
        return own[letter]
    small = own.get(letter.lower())
    if small is not None:
        return small[:1].upper() + small[1:]
    if letter in SIGNS:
        return SIGNS[letter]
    if _FIRST_LINE <= letter <= _LAST_LINE:
        kind = unicodedata.name(letter)
        down, across = "VERTICAL" in kind or "DOWN" in kind or "UP" in kind, "HORIZONTAL" in kind or "LEFT" in kind
        return "|" if down and not across and "RIGHT" not in kind else "-" if not down else "+"
    if unicodedata.combining(letter) or unicodedata.category(letter) == "Cf":
        return ""
    parts = unicodedata.normalize("NFKD", letter)
    if parts == letter:
        # A letter of another script is shown as its code point.
        return f"\\u{ord(letter):04x}" if ord(letter) < 0x10000 else f"\\U{ord(letter):08x}"
    return "".join(c if _fits(c, encoding) else _written(c, encoding, own) for c in parts)


def _fits(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
