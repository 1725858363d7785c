"""Positions as SVG: boards, cards and curves, drawn for one viewer from the declarations of the rules.

Colours are classes defined in the style sheet; there are no style attributes. Information hidden from the viewer is
never read.
"""

from __future__ import annotations

from pathlib import Path

#: Style sheet of the pictures: the colours, and after a comment the rules that use them.
STYLESHEET = Path(__file__).parent / "position.css"
PICTURES = "/* ---- pictures ---- */"


def stylesheet_within(selector: str) -> str:
    """Return the style sheet for pictures inside elements that a selector matches, in light colours."""
    colours, _, rules = STYLESHEET.read_text(encoding="utf-8").partition(PICTURES)
    return f"{colours.replace(':root', selector)}{selector} {{ color: var(--ink); background: var(--paper); {rules}}}\n"
