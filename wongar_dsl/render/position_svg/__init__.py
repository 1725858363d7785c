"""Positions as SVG: boards, cards and curves, drawn for one viewer from the declarations of the rules.

Colours are classes defined in the style sheet; there are no style attributes. Information hidden from the viewer is
never read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

#: Style sheet of the pictures: the colours, and after a comment the rules that use them.
STYLESHEET = Path(__file__).parent / "position.css"
PICTURES = "/* ---- pictures ---- */"


def stylesheet_within(selector: str) -> str:
    """Return the style sheet for pictures inside elements that a selector matches, in light colours."""
    colours, _, rules = STYLESHEET.read_text(encoding="utf-8").partition(PICTURES)
    return f"{colours.replace(':root', selector)}{selector} {{ color: var(--ink); background: var(--paper); {rules}}}\n"


def flat_rules() -> Sequence[tuple[str, frozenset[str]]]:
    """Return the rules of the style sheet in light colours, without variables and outlined letters.

    Each has the names of the classes that it needs.
    """
    colours, _, rules = STYLESHEET.read_text(encoding="utf-8").partition(PICTURES)
    values = dict(re.findall(r"(--[\w-]+): ([^;]+);", colours))
    parts = [part.strip().rpartition("{") for part in rules.split("}")]
    local = [(selector, body) for selector, _, body in parts if body.strip().startswith("--")]
    flat: list[tuple[str, frozenset[str]]] = []
    for selector, _, body in parts:
        names = set(re.findall(r"var\((--[\w-]+)\)", body)) - values.keys()
        if not selector or "--" in body.partition(":")[0] or "paint-order" in body:
            continue
        # A variable that an outer element sets makes one rule for each value.
        for outer, setting in local if names else [("", "")]:
            given = dict(re.findall(r"(--[\w-]+): ([^;]+);", setting))
            if names <= given.keys():
                inner = f"{outer.strip()} {selector.strip().partition(' ')[2]}" if outer else selector.strip()
                style = _with_values(_with_values(body, given), values)
                for part in inner.split(", "):
                    flat.append((f"{part} {{ {style.strip()} }}", frozenset(re.findall(r"\.([\w-]+)", part))))
    return flat


def _with_values(text: str, values: Mapping[str, str]) -> str:
    """Replace variables by their values."""
    return re.sub(r"var\((--[\w-]+)\)", lambda found: values.get(found[1], found[0]), text)
