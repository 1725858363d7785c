"""What can be wrong with a page, whatever the rules are that it is made of."""

from __future__ import annotations

import itertools
import re
from xml.etree import ElementTree

LOADS = re.compile(r"<(script|link|img|iframe|object|embed)\b|\ssrc=|@import|url\(|\son\w+=")


def read(text: str) -> ElementTree.Element:
    """A page as it is read: it is XML as well, so that nothing in it is left open or to be guessed."""
    return ElementTree.fromstring(text.replace("<!DOCTYPE html>\n", "", 1))


def wrong(text: str) -> list[str]:
    """What is wrong with a page.  Raises `ParseError` where it is not well-formed."""
    root = read(text)
    found = [f"loads: {LOADS.search(text)}"] if LOADS.search(text) else []
    names = [node.get("id", "") for node in root.iter() if node.get("id") is not None]
    found += [f"twice: {name}" for name in set(names) if names.count(name) > 1 or not name]
    for node in root.iter():
        link = node.get("href")
        if link is not None and (link[:1] != "#" or link[1:] not in names):
            found.append(f"leads nowhere: {link}")
        label = node.get("aria-labelledby")
        if label is not None and label not in names:
            found.append(f"called by nothing: {label}")
        if node.tag in ("section", "nav") and label is None:
            found.append(f"{node.tag} without a name")
    levels = [int(node.tag[1]) for node in root.iter() if re.fullmatch("h[1-6]", node.tag)]
    if levels[:1] != [1] or levels.count(1) != 1:
        found.append("not one title")
    found += [f"h{a} before h{b}" for a, b in itertools.pairwise(levels) if b > a + 1]
    return [*found, *_unread(root)]


def _unread(root: ElementTree.Element) -> list[str]:
    """Pictures and tables that cannot be read aloud."""
    found = []
    for drawn in root.iter("svg"):
        told = drawn.get("role") == "img" and drawn.findtext("title") and drawn.findtext("desc")
        if drawn.get("aria-hidden") is None and not told:
            found.append("a picture without words")
    for table in root.iter("table"):
        heads = {head.get("scope") for head in table.iter("th")}
        if not heads or not heads <= {"row", "col"}:
            found.append("a table without headings")
        if len({len(row) for row in table.iter("tr")}) > 1:
            found.append("a table with uneven rows")
        if table.find("caption") is None and table.get("aria-labelledby") is None:
            found.append("a table without a name")
    return found
