"""HTML document frame: language, inline style, and no external resources."""

from __future__ import annotations

from collections.abc import Iterable

from wongar_dsl.base.text.markup import Tag, tag
from wongar_dsl.nlg.words import Translator


def document(words: Translator, title: str, style: str, body: Iterable[Tag]) -> str:
    """Return an HTML page in the language of `words`; `style` is its complete style sheet."""
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("title", title),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("style", style),
    )
    direction = "rtl" if words.right_to_left else "ltr"
    return "<!DOCTYPE html>\n" + str(tag("html", head, tag("body", *body), lang=words.language, dir=direction)) + "\n"
