"""Checks of HTML pages, independent of their content."""

from __future__ import annotations

import itertools
import re
from xml.etree import ElementTree

LOADS = re.compile(r"<(script|link|img|iframe|object|embed)\b|\ssrc=|@import|url\(|\son\w+=")


def parse_page(text: str) -> ElementTree.Element:
    """Parse a page as XML, which ensures that it is well-formed."""
    return ElementTree.fromstring(text.replace("<!DOCTYPE html>\n", "", 1))


def page_faults(text: str) -> list[str]:
    """Return the faults of a page; raises `ParseError` if it is not well-formed."""
    root = parse_page(text)
    faults = [f"loads: {LOADS.search(text)}"] if LOADS.search(text) else []
    names = [node.get("id", "") for node in root.iter() if node.get("id") is not None]
    faults += [f"twice: {name}" for name in set(names) if names.count(name) > 1 or not name]
    for node in root.iter():
        link = node.get("href")
        if link is not None and (link[:1] != "#" or link[1:] not in names):
            faults.append(f"leads nowhere: {link}")
        label = node.get("aria-labelledby")
        if label is not None and label not in names:
            faults.append(f"called by nothing: {label}")
        if node.tag in ("section", "nav") and label is None:
            faults.append(f"{node.tag} without a name")
    levels = [int(node.tag[1]) for node in root.iter() if re.fullmatch("h[1-6]", node.tag)]
    if levels[:1] != [1] or levels.count(1) != 1:
        faults.append("not one title")
    faults += [f"h{a} before h{b}" for a, b in itertools.pairwise(levels) if b > a + 1]
    return [*faults, *_accessibility_faults(root)]


def _accessibility_faults(root: ElementTree.Element) -> list[str]:
    """Return faults of pictures and tables for screen readers."""
    faults = []
    for drawn in root.iter("svg"):
        described = drawn.get("role") == "img" and drawn.findtext("title") and drawn.findtext("desc")
        if drawn.get("aria-hidden") is None and not described:
            faults.append("a picture without words")
    for table in root.iter("table"):
        heads = {head.get("scope") for head in table.iter("th")}
        if not heads or not heads <= {"row", "col"}:
            faults.append("a table without headings")
        if len({len(row) for row in table.iter("tr")}) > 1:
            faults.append("a table with uneven rows")
        if table.find("caption") is None and table.get("aria-labelledby") is None:
            faults.append("a table without a name")
    return faults


Rgb = tuple[float, float, float]


def linear(colour: str) -> Rgb:
    """Return the red, green and blue of a colour in linear light."""
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return red, green, blue


def luminance(colour: str) -> float:
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours as defined by WCAG."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)
