"""All pictures of a game, and queries on a picture."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from xml.etree import ElementTree

from wongar_dsl.engine import library
from wongar_dsl.language.semantics import Model
from wongar_dsl.nlg.words import Translator
from wongar_dsl.render.component_svg import (
    Picture,
    PictureNames,
    board,
    card,
    covered_area,
    row_enumerations,
    shape,
    svg,
    track,
    zone_rows,
)
from wongar_dsl.render.component_svg.svg import text_width

SVG = "{http://www.w3.org/2000/svg}"


@cache
def model_of(name: str) -> Model:
    """Return the model of a bundled game."""
    return library.load(name).model


@cache
def words_of(language: str) -> Translator:
    """Return the words of a language."""
    return Translator.load(language)


def pictures(names: PictureNames) -> Iterator[Picture]:
    """Yield all kinds of pictures of a game; only some of many cards or shapes."""
    model = names.model
    yield from (board(names, name) for name in model.boards)
    yield from (track(names, name) for name in model.tracks)
    yield from (zone_rows(names, name) for name in row_enumerations(model))
    for name, sort in model.cards.items():
        for number in range(0, len(sort.faces), 1 + len(sort.faces) // 12):
            yield from card(names, name, number, ("Erster Satz.", "Zweiter Satz."))
    for name, shapes in model.shapes.items():
        yield from (shape(names, name, number) for number in range(0, len(shapes), 1 + len(shapes) // 8))
    for name, data in model.coverings.items():
        yield covered_area(names, name, data.drawings[0])


def parse_svg(picture: Picture) -> ElementTree.Element:
    """Parse the SVG of a picture."""
    return ElementTree.fromstring(svg(picture))


def texts(root: ElementTree.Element) -> list[str]:
    """Return the lines of text in a picture."""
    return ["".join(span.itertext()) for span in root.iter(f"{SVG}tspan")]


def overflowing_lines(picture: Picture) -> list[str]:
    """Return the lines of text that are not completely inside a picture."""
    overflowing = []

    def look(node: ElementTree.Element, right: int, down: int, size: int, bold: bool, anchor: str = "middle") -> None:
        moved = re.fullmatch(r"translate\((\d+) (\d+)\)", node.get("transform", ""))
        right, down = (right + int(moved[1]), down + int(moved[2])) if moved else (right, down)
        size, bold = int(node.get("font-size", size)), node.get("font-weight", "") == "bold" or bold
        anchor = node.get("text-anchor", anchor)
        if node.tag == f"{SVG}tspan":
            text = "".join(node.itertext())
            x, y, wide = right + int(node.get("x", 0)), down + int(node.get("y", 0)), text_width(text, size, bold)
            before = {"start": 0, "middle": wide // 2, "end": wide}[anchor]
            if (
                x - before < 0
                or x - before + wide > picture.width
                or y - size * 3 // 4 < 0
                or y + size // 4 > picture.height
            ):
                overflowing.append(text)
        for child in node:
            look(child, right, down, size, bold, anchor)

    look(parse_svg(picture), 0, 0, 0, False)
    return overflowing
