"""Text inside elements is escaped."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from wongar_dsl.base.text.markup import tag

HOSTILE = "</p><script>alert('1')</script> ]]> \" & \x07 \u202e ü"


def test_escaped_text_and_attributes_are_parsed_unchanged() -> None:
    read = ElementTree.fromstring(str(tag("p", HOSTILE, tag("br"), class_="a", title=HOSTILE, lang=None)))
    shown = HOSTILE.replace("\x07", "\\x07").replace("\u202e", "\\u202e")
    assert (read.text, read.attrib) == (shown, {"class": "a", "title": shown})
    assert [child.tag for child in read] == ["br"]


def test_style_is_not_escaped_and_cannot_end_early() -> None:
    assert str(tag("style", 'a > b { c: "d" }')) == '<style>a > b { c: "d" }</style>'
    with pytest.raises(ValueError, match="markup"):
        str(tag("style", "</style>"))
