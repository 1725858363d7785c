"""Conversion of the sections and blocks of a rulebook into HTML elements."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from wongar_dsl.base.text.markup import Tag, tag
from wongar_dsl.nlg.prose.document.document_model import (
    Block,
    BookTable,
    CountItem,
    CountList,
    PicturePlace,
    Prose,
    Section,
)
from wongar_dsl.nlg.prose.render.realised_rulebook import EMPTY, Footnote, RealisedRulebook, RulebookSentence
from wongar_dsl.nlg.words import Text
from wongar_dsl.render import component_svg
from wongar_dsl.render.component_svg import PictureNames

#: Deepest heading level, and maximum number of pictures in a gallery.
DEEPEST, MAX_GALLERY_PICTURES = 6, 200
#: Number of items above which a list has columns; number of cards above which only the sheets show them.
MAX_SINGLE_COLUMN, MAX_PICTURED_CARDS = 15, 35
#: Section that lists all components; most of them are drawn in the sections that describe them.
CONTENTS = "contents"
Part = Tag | str


@dataclass
class RulebookBlocks:
    """HTML builder for a rulebook; `cited` maps each footnote to the anchors of its references."""

    reading: RealisedRulebook
    names: PictureNames
    cited: dict[int, list[str]] = field(default_factory=dict)
    _anchors: dict[str, str] = field(default_factory=dict)

    def say(self, message: str, text: str = "", n: int = 0) -> str:
        """Return a text of the page itself."""
        return self.names.words.say(f"page.{message}", None, text=Text(text), n=n)

    def anchor(self, key: str) -> str:
        """Return the unique anchor of a section or block."""
        if key not in self._anchors:
            name = plain = re.sub(r"[^\w.-]+", "-", key).strip("-") or "part"
            number = 1
            while name in self._anchors.values():
                number += 1
                name = f"{plain}-{number}"
            self._anchors[key] = name
        return self._anchors[key]

    # ---- sections ----

    def section(self, level: int, section: Section, *more: Tag, class_: str | None = None) -> Tag:
        """Return a section with its subsections; `more` follows its own blocks."""
        anchor = self.anchor(section.key)
        heading = tag(f"h{min(level + 1, DEEPEST)}", self.reading.heading(section.heading), id=f"{anchor}-h")
        inner = (self.section(level + 1, below) for below in section.sections)
        blocks = self.blocks(section.blocks, f"{anchor}-h", section.key != CONTENTS)
        return tag("section", heading, *blocks, *more, *inner, id=anchor, class_=class_, aria_labelledby=f"{anchor}-h")

    def blocks(self, blocks: Sequence[Block], heading: str, all_of_them: bool) -> Iterator[Tag]:
        """Yield the blocks below a heading; consecutive pictures form a gallery.

        Listed components are drawn too: `all_of_them`, or only those that are drawn nowhere else.
        """
        waiting: list[PicturePlace] = []
        for number, block in enumerate(blocks):
            if isinstance(block, PicturePlace):
                waiting.append(block)
                if number + 1 == len(blocks) or not isinstance(blocks[number + 1], PicturePlace):
                    yield self._gallery(waiting)
                    waiting = []
                continue
            yield from self._block(block, heading)
            shown = self._shown(block, all_of_them) if isinstance(block, CountList) else ()
            if shown:
                yield self._gallery(shown, beside=all_of_them)

    def _shown(self, items: CountList, all_of_them: bool) -> Sequence[PicturePlace]:
        """Return the pictures of listed components; unless `all_of_them`, only those drawn nowhere else."""
        drawings = [item.picture for item in items.items if item.picture is not None]
        if all_of_them:
            return drawings
        effects = self.names.model.code.effects
        cards = [picture for picture in drawings if picture.kind == "card" and not effects.get(picture.sort)]
        return cards if len(cards) <= MAX_PICTURED_CARDS else ()

    def _gallery(self, shown: Sequence[PicturePlace], beside: bool = True) -> Tag:
        """Return pictures side by side; a single card may float beside the text, whose heading names it."""
        drawn = [drawing for picture in shown[:MAX_GALLERY_PICTURES] for drawing in self._drawn(picture)]
        small = all(picture.kind == "card" for picture in shown)
        if small and beside and len(drawn) == 1:
            return tag("div", drawn[0].tag(), class_="gallery small single")
        return tag("div", *map(figure, drawn), class_="gallery small" if small else "gallery")

    def _block(self, block: Prose | CountList | BookTable, heading: str) -> Iterator[Tag]:
        match block:
            case Prose():
                yield from self._prose(block)
            case CountList(columns=()):
                yield from self._items(block)
            case CountList():
                yield from self._items_by_players(block, heading)
            case BookTable():
                yield from self._table(block, heading)

    # ---- sentences ----

    def _prose(self, prose: Prose) -> Iterator[Tag]:
        sentences = list(self.reading.sentences(prose))
        lines = [[*self._sentence(sentence)] for sentence in sentences]
        if lines:
            lines[-1] += self._marks(prose)
        index = 0
        while index < len(lines):
            if sentences[index].depth:
                listed, index = self._list(sentences, lines, index, sentences[index].depth)
                yield listed
            else:
                yield tag("p", *lines[index])
                index += 1

    def _list(
        self, sentences: Sequence[RulebookSentence], lines: Sequence[Sequence[Part]], at: int, depth: int
    ) -> tuple[Tag, int]:
        """Return the lines from `at` on with at least this depth as a list, and the index after it."""
        items: list[list[Part]] = []
        while at < len(lines) and sentences[at].depth >= depth:
            if sentences[at].depth > depth and items:
                inner, at = self._list(sentences, lines, at, sentences[at].depth)
                items[-1].append(inner)
            else:
                items.append([*lines[at]])
                at += 1
        return tag("ul", *(tag("li", *item) for item in items)), at

    def _sentence(self, sentence: RulebookSentence) -> Iterator[Part]:
        if sentence.unsaid:
            yield tag("span", sentence.text, class_="unsaid")
            return
        yield sentence.text
        if sentence.refers is not None:
            yield " "
            yield tag("a", self.reading.cross_reference(sentence.refers), href=f"#{self.anchor(sentence.refers)}")

    # ---- footnotes ----

    def _marks(self, block: Block) -> list[Part]:
        """Return the footnote references of a block, each a link to the footnote."""
        marks: list[Part] = []
        for note in self.reading.marks(block):
            places = self.cited.setdefault(note.number, [])
            places.append(f"cite-{note.number}-{len(places) + 1}")
            named = self.say("footnote", n=note.number)
            link = tag("a", str(note.number), id=places[-1], href=f"#note-{note.number}", aria_label=named)
            marks.append(tag("sup", "[", link, "]"))
            if note.mark:
                marks += [" ", tag("small", f"({note.mark})", class_="mark")]
        return marks

    def footnotes(self) -> Tag:
        """Return the footnotes, each with links back to its references."""
        return tag("ol", *(self._footnote(note) for note in self.reading.footnotes))

    def _footnote(self, note: Footnote) -> Tag:
        places = self.cited.get(note.number, [])
        back: list[Part] = []
        for number, place in enumerate(places, 1):
            sign = "↩" if len(places) == 1 else f"↩{number}"
            back += [" ", tag("a", sign, href=f"#{place}", class_="back", aria_label=self.say("back", n=number))]
        return tag("li", note.text, *back, id=f"note-{note.number}", value=note.number)

    # ---- lists and tables ----

    def _items(self, items: CountList) -> Iterator[Tag]:
        if items.title is not None:
            yield tag("p", tag("strong", self.reading.heading(items.title)), *self._marks(items))
        counted = any(self.reading.number(item) for item in items.items)
        rows = (self._item(item, counted) for item in items.items)
        many = " many" if len(items.items) > MAX_SINGLE_COLUMN else ""
        yield tag("ul", *rows, class_=f"counts{many}" if counted else None)
        if items.title is None and items.notes:
            yield tag("p", *self._marks(items))

    def _item(self, item: CountItem, counted: bool) -> Tag:
        number = (tag("span", self.reading.number(item), class_="count"), " ") if counted else ()
        return tag("li", *number, self.reading.thing(item))

    def _items_by_players(self, items: CountList, heading: str) -> Iterator[Tag]:
        heads = [self.reading.say("rulebook.players.column", n=column) for column in items.columns]
        rows = [(self.reading.thing(item), self.reading.counts(item) or [EMPTY] * len(heads)) for item in items.items]
        title = self.reading.heading(items.title) if items.title is not None else ""
        yield self._grid(items.key, title, "", heads, rows, self._marks(items), heading)

    def _table(self, table: BookTable, heading: str) -> Iterator[Tag]:
        rows = [(name, cells) for name, *cells in self.reading.rows(table)]
        title = self.reading.heading(table.title) if table.title is not None else ""
        corner = self.reading.heading(table.corner) if table.corner is not None else ""
        heads = [self.reading.heading(column) for column in table.columns]
        yield self._grid(table.key, title, corner, heads, rows, self._marks(table), heading)

    def _grid(
        self,
        key: str,
        title: str,
        corner: str,
        heads: Sequence[str],
        rows: Sequence[tuple[str, Sequence[str]]],
        marks: Sequence[Part],
        heading: str,
    ) -> Tag:
        """Return a table with row and column headings; without a title it is labelled by its section."""
        anchor = self.anchor(f"table {key}")
        caption = [tag("caption", title, *marks, id=anchor)] if title else []
        most = max([len(heads), *(len(cells) for _, cells in rows)])
        head: list[Tag] = []
        if heads:
            first = tag("th", corner, scope="col") if corner else tag("td")
            columns = (tag("th", text, scope="col") for text in heads)
            head = [tag("thead", tag("tr", first, *columns))]
        body = tag("tbody", *(self._row(name, [*cells, *[""] * (most - len(cells))]) for name, cells in rows))
        named = anchor if title else heading
        grid = tag("div", tag("table", *caption, *head, body, aria_labelledby=None if title else heading),
                   class_="wide", role="region", tabindex=0, aria_labelledby=named)  # fmt: skip
        return tag("div", grid, tag("p", *marks)) if marks and not title else grid

    @staticmethod
    def _row(name: str, cells: Iterable[str]) -> Tag:
        inner = (tag("td", cell, class_="number" if re.fullmatch(r"-?[\d.,\s]+", cell) else None) for cell in cells)
        return tag("tr", tag("th", name, scope="row"), *inner)

    # ---- pictures ----

    def _drawn(self, picture: PicturePlace) -> Sequence[component_svg.Picture]:
        model = self.names.model
        match picture.kind:
            case "board":
                return (component_svg.board(self.names, picture.name),)
            case "track":
                return (component_svg.track(self.names, picture.name),)
            case "card":
                return component_svg.card(self.names, picture.sort, model.cards[picture.sort].index(picture.name) or 0)
            case "shape":
                return (component_svg.shape(self.names, picture.sort, model.enums[picture.sort].index(picture.name)),)


def figure(drawn: component_svg.Picture) -> Tag:
    """Return a picture with its title below."""
    return tag("figure", drawn.tag(), tag("figcaption", drawn.title))
