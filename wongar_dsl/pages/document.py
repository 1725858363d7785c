"""What every page of the house has around it: its language, its style, and nothing that is loaded from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable

from wongar_dsl.text.markup import Tag, tag
from wongar_dsl.words import Words


def document(words: Words, title: str, style: str, body: Iterable[Tag]) -> str:
    """A page of HTML in the language of `words`; `style` is the whole of its style."""
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("title", title),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("style", style),
    )
    direction = "rtl" if words.right_to_left else "ltr"
    return "<!DOCTYPE html>\n" + str(tag("html", head, tag("body", *body), lang=words.language, dir=direction)) + "\n"
