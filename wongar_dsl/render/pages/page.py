"""Rulebook as a self-contained HTML page: the text, its tables on a sheet, and its cards to cut out."""

from __future__ import annotations

from collections.abc import Sequence

from wongar_dsl.base.text.markup import Tag, tag
from wongar_dsl.language.semantics import Model
from wongar_dsl.nlg.prose.document.document_model import Section
from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook
from wongar_dsl.render import component_svg
from wongar_dsl.render.component_svg import PictureNames
from wongar_dsl.render.pages.blocks import RulebookBlocks, figure
from wongar_dsl.render.pages.document import document
from wongar_dsl.render.pages.sheets import sheets
from wongar_dsl.render.pages.styles import stylesheet

#: Sections printed on separate sheets, and section that shows zone rows.
TABLES, PLACES = ("tables", "shapes"), "places"
#: Depth of the table of contents.
LEVELS = 2


def page(reading: RealisedRulebook, model: Model) -> str:
    """Return the HTML page of a rulebook, in the language of the reading."""
    blocks = RulebookBlocks(reading, PictureNames(model, reading.words))
    return document(reading.words, reading.title, stylesheet(), _body(blocks))


def _body(blocks: RulebookBlocks) -> Sequence[Tag]:
    reading = blocks.reading
    book = [section for section in reading.book.sections if section.key not in TABLES]
    tables = [section for section in reading.book.sections if section.key in TABLES]
    parts = [blocks.section(1, section, *_rows(blocks, section)) for section in book]
    parts += [blocks.section(1, section, class_="sheet-tables") for section in tables]
    ends: list[tuple[str, str]] = []
    if reading.footnotes:
        ends.append((blocks.anchor("notes"), reading.say("rulebook.sources")))
        parts.append(_ending(*ends[-1], blocks.footnotes()))
    decks = sheets(blocks)
    if decks:
        ends.append((blocks.anchor("cut out"), blocks.say("cards")))
        parts.append(_ending(*ends[-1], *decks, class_="sheets"))
    return (
        tag("a", blocks.say("skip"), href="#book", class_="skip"),
        tag("header", tag("h1", reading.title), tag("p", reading.players, class_="players")),
        _contents(blocks, [*book, *tables], ends),
        tag("main", *parts, id="book", tabindex=-1),
    )


def _ending(anchor: str, title: str, *inner: Tag, class_: str | None = None) -> Tag:
    heading = tag("h2", title, id=f"{anchor}-h")
    return tag("section", heading, *inner, id=anchor, class_=class_, aria_labelledby=f"{anchor}-h")


def _rows(blocks: RulebookBlocks, section: Section) -> Sequence[Tag]:
    """Return the zone rows that no board shows, for the section on the contents of zones."""
    names = blocks.names
    if section.key != PLACES:
        return ()
    return [
        tag("div", figure(component_svg.zone_rows(names, name)), class_="gallery")
        for name in component_svg.row_enumerations(names.model)
    ]


def _contents(blocks: RulebookBlocks, sections: Sequence[Section], ends: Sequence[tuple[str, str]]) -> Tag:
    """Return the table of contents."""
    entries = [*(_entry(blocks, section, 1) for section in sections), *(tag("li", _link(*end)) for end in ends)]
    return tag("nav", tag("h2", blocks.say("contents"), id="toc"), tag("ol", *entries), aria_labelledby="toc")


def _entry(blocks: RulebookBlocks, section: Section, level: int) -> Tag:
    link = _link(blocks.anchor(section.key), blocks.reading.heading(section.heading))
    inner = [_entry(blocks, below, level + 1) for below in section.sections] if level < LEVELS else []
    return tag("li", link, *([tag("ol", *inner)] if inner else []))


def _link(anchor: str, text: str) -> Tag:
    return tag("a", text, href=f"#{anchor}")
