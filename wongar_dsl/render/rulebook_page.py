"""Rulebook as a self-contained HTML page: the text, its tables on a sheet, and its cards to cut out.

The same text is the content of a page of the browser table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from wongar_dsl.base.markup import RawMarkup, Tag, tag
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import DeckDecl, Model
from wongar_dsl.nlg.prose.document.document_model import (
    Block,
    BookTable,
    CountItem,
    CountList,
    PicturePlace,
    Prose,
    Section,
)
from wongar_dsl.nlg.prose.render.realised_rulebook import (
    EMPTY,
    ExampleText,
    Footnote,
    RealisedRulebook,
    RulebookSentence,
    table_key,
)
from wongar_dsl.nlg.words import Text
from wongar_dsl.render import component_svg
from wongar_dsl.render.component_svg import Picture, PictureNames, card
from wongar_dsl.render.component_svg.svg import line
from wongar_dsl.render.html_document import CROP, SHEET_HEIGHT, SHEET_WIDTH, document, forced_colours, stylesheet
from wongar_dsl.render.position_svg import flat_rules, stylesheet_within
from wongar_dsl.render.position_svg.boards import boards
from wongar_dsl.render.position_svg.excerpt import Excerpt
from wongar_dsl.render.position_svg.render_context import RenderContext
from wongar_dsl.session.scene import Scene

#: Deepest heading level, and maximum number of pictures in a gallery.
DEEPEST, MAX_GALLERY_PICTURES = 6, 200
#: Number of items above which a list has columns; number of cards above which only the sheets show them.
MAX_SINGLE_COLUMN, MAX_PICTURED_CARDS = 15, 35
#: Number of columns of a table above which it needs the width of the page.
MAX_NARROW_COLUMNS = 4
#: Section that lists all components; most of them are drawn in the sections that describe them.
CONTENTS = "contents"
Part = Tag | str


@dataclass
class RulebookBlocks:
    """HTML builder for a rulebook; `cited` maps each footnote to the anchors of its references.

    `excerpts` are the parts of positions that examples show. Each picture of a position contains the rules of
    `picture_style` whose classes occur in it.
    """

    reading: RealisedRulebook
    names: PictureNames
    excerpts: Mapping[ExampleText, Excerpt] = field(default_factory=dict)
    picture_style: Sequence[tuple[str, frozenset[str]]] = ()
    cited: dict[int, list[str]] = field(default_factory=dict)
    _anchors: dict[str, str] = field(default_factory=dict)

    def say(self, message: str, text: str = "", n: int = 0) -> str:
        """Return a text of the page itself."""
        return self.names.words.say(f"page.{message}", None, text=Text(text), n=n)

    def anchor(self, key: str) -> str:
        """Return the unique anchor of a section or block."""
        if key not in self._anchors:
            name = plain = section_anchor(key)
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
        told = (*more, *map(self._example, self.reading.examples.get(section.key, ())))
        return tag("section", heading, *blocks, *told, *inner, id=anchor, class_=class_, aria_labelledby=f"{anchor}-h")

    def _example(self, example: ExampleText) -> Tag:
        title = tag("p", tag("strong", self.reading.example_title(example)))
        told = (tag("p", text) for text in example.paragraphs)
        return tag("div", title, *self._moments(example), *told, class_="example")

    def _moments(self, example: ExampleText) -> Iterator[Tag]:
        """Yield the pictures of an example, before and after its moves; its text describes them."""
        excerpt = self.excerpts.get(example)
        moments = excerpt.pictures() if excerpt is not None else ()
        if moments:
            named = (self.reading.say("rulebook.example.before"), self.reading.say("rulebook.example.after"))
            titles = [(tag("p", name),) if len(moments) > 1 else () for name in named]
            columns = (
                tag("div", *title, *map(self._excerpt, pictures), class_="moment")
                for title, pictures in zip(titles, moments, strict=False)
            )
            yield tag("div", *columns, class_="moments", aria_hidden="true")

    def _excerpt(self, picture: Tag) -> Tag:
        """Return a picture in a size at which its letters are like those of all examples."""
        width = int(dict(picture.attributes)["viewBox"].split()[2])
        named = {"class": f"excerpt {dict(picture.attributes)['class']}", "width": f"{width * UNIT_REM:.1f}rem"}
        return self.still(picture, named | {"aria-hidden": "true"})

    def still(self, picture: Tag, added: Mapping[str, str]) -> Tag:
        """Return a picture of a position that cannot be operated, with these attributes and its own styles."""
        bare = _without_controls(picture)
        still = replace(bare, attributes=tuple({**dict(bare.attributes), **added}.items()))
        used = {name for names in re.findall(r'class="([^"]*)"', str(still)) for name in names.split()}
        # A renderer tries each rule on each element, so only those are added that may apply.
        rules = [rule for rule, classes in self.picture_style if classes <= used]
        return replace(still, children=(tag("style", "".join(rules)), *still.children)) if rules else still

    def blocks(self, blocks: Sequence[Block], heading: str, all_of_them: bool) -> Iterator[Tag]:
        """Yield the blocks below a heading; consecutive pictures form a gallery.

        Listed components are drawn too: `all_of_them`, or only those that are drawn nowhere else.
        """
        waiting: list[PicturePlace] = []
        tracks = {block.origin for block in blocks if isinstance(block, PicturePlace) and block.kind == "track"}
        for number, block in enumerate(blocks):
            if isinstance(block, PicturePlace):
                waiting.append(block)
                if number + 1 == len(blocks) or not isinstance(blocks[number + 1], PicturePlace):
                    yield self._gallery(waiting)
                    waiting = []
                continue
            if isinstance(block, BookTable) and block.origin in tracks:
                if marks := self._marks(block):
                    yield tag("p", *marks)
                continue  # The picture has the spaces of each phase.
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
        if prose.numbered and lines:
            yield self._list(sentences, lines, 0, 0, "ol")[0]
            return
        index = 0
        while index < len(lines):
            if sentences[index].depth:
                listed, index = self._list(sentences, lines, index, sentences[index].depth)
                yield listed
            else:
                yield tag("p", *lines[index])
                index += 1

    def _list(
        self,
        sentences: Sequence[RulebookSentence],
        lines: Sequence[Sequence[Part]],
        at: int,
        depth: int,
        name: str = "ul",
    ) -> tuple[Tag, int]:
        """Return the lines from `at` on with at least this depth as a list `name`, and the index after it."""
        items: list[list[Part]] = []
        while at < len(lines) and sentences[at].depth >= depth:
            if sentences[at].depth > depth and items:
                inner, at = self._list(sentences, lines, at, sentences[at].depth)
                items[-1].append(inner)
            else:
                items.append([*lines[at]])
                at += 1
        return tag(name, *(tag("li", *item) for item in items)), at

    def _sentence(self, sentence: RulebookSentence) -> Iterator[Part]:
        if sentence.unsaid:
            yield tag("span", sentence.text, class_="unsaid")
            return
        text, mark = self.reading.without_mark(sentence)
        yield text
        if sentence.refers is not None:
            yield " "
            yield tag("a", self.reading.cross_reference(sentence.refers), href=f"#{self.anchor(sentence.refers)}")
            yield mark

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
        yield self._grid(table_key(items), title, "", heads, rows, self._marks(items), heading)

    def _table(self, table: BookTable, heading: str) -> Iterator[Tag]:
        rows = [(name, cells) for name, *cells in self.reading.rows(table)]
        title = self.reading.heading(table.title) if table.title is not None else ""
        corner = self.reading.heading(table.corner) if table.corner is not None else ""
        heads = [self.reading.heading(column) for column in table.columns]
        yield self._grid(table_key(table), title, corner, heads, rows, self._marks(table), heading)

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
        anchor = self.anchor(key)
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
                   class_="wide broad" if most > MAX_NARROW_COLUMNS else "wide", role="region", tabindex=0,
                   aria_labelledby=named)  # fmt: skip
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


#: Maximum number of cards drawn for a deck: if it has more, one copy of each; of more different cards, the first ones.
MAX_CARDS = 400
#: Length of a crop mark.
MARK = 25
#: Placeholder for a sentence that is not written yet, and the prefix of an indented one.
UNSAID, BULLET = "[…]", "– "


def sheets(blocks: RulebookBlocks) -> tuple[Tag, ...]:
    """Return a section for each deck of the game, in rule order."""
    decks = blocks.names.model.declared.decks.values()
    texts = texts_of(blocks)
    return tuple(_deck(blocks, deck, texts) for deck in decks)


def texts_of(blocks: RulebookBlocks) -> dict[str, list[str]]:
    """Return the rulebook text for each kind of card, line by line."""
    lines_by_kind: dict[str, list[str]] = {}
    for _, section in blocks.reading.book.walk():
        sort, _, kind = section.key.partition(".")
        for block in section.blocks:
            if sort == "effect" and isinstance(block, Prose):
                lines = lines_by_kind.setdefault(kind, [])
                for sentence in blocks.reading.sentences(block):
                    text = UNSAID if sentence.unsaid else sentence.text
                    lines.append(BULLET + text if sentence.depth else text)
    return lines_by_kind


def _deck(blocks: RulebookBlocks, deck: DeckDecl, texts: dict[str, list[str]]) -> Tag:
    anchor = blocks.anchor(f"cards of {deck.name}")
    fits = deck.total <= MAX_CARDS
    parts = [tag("h3", _title(blocks, deck), id=f"{anchor}-h")]
    if len(deck.copies) > MAX_CARDS:
        parts.append(tag("p", blocks.say("cards.first", n=MAX_CARDS)))
    elif not fits:
        parts.append(tag("p", blocks.say("cards.once")))
    sort = blocks.names.model.cards[deck.cards.name]
    drawn: list[tuple[Picture, bool]] = []
    for number, copies in deck.copies[:MAX_CARDS]:
        sides = card(blocks.names, sort.name, number, texts.get(sort.faces[number].kind, ()))
        for copy in range(copies if fits else 1):
            drawn += [(side, copy > 0) for side in sides]
    parts += _sheets(drawn)
    return tag("section", *parts, id=anchor, aria_labelledby=f"{anchor}-h")


def _title(blocks: RulebookBlocks, deck: DeckDecl) -> str:
    """Return the title of the deck in the rulebook, with its number of copies."""
    for _, section in blocks.reading.book.walk():
        for block in section.blocks:
            if isinstance(block, CountList) and block.key == f"deck.{deck.name}" and block.title is not None:
                return blocks.reading.heading(block.title)
    return blocks.names.title(deck.name)


def _sheets(drawn: Sequence[tuple[Picture, bool]]) -> Iterator[Tag]:
    """Yield the sheets of cards; repeated cards are hidden from screen readers."""
    if not drawn:
        return
    width, height = max(p.width for p, _ in drawn), max(p.height for p, _ in drawn)
    columns = max(1, (SHEET_WIDTH - 2 * CROP) // width)
    rows = max(1, (SHEET_HEIGHT - 2 * CROP) // height)
    for first in range(0, len(drawn), columns * rows):
        cards = drawn[first : first + columns * rows]
        used = -(-len(cards) // columns)
        style = f"width: {(2 * CROP + columns * width) / 10}mm; padding: {CROP / 10}mm"
        svgs = (picture.tag(aria_hidden="true" if repeated else None) for picture, repeated in cards)
        yield tag("div", _marks(columns, used, width, height), *svgs, class_="sheet", style=style)


def _marks(columns: int, rows: int, width: int, height: int) -> Tag:
    """Return crop marks around a sheet, at both ends of every cutting line."""
    right, bottom = 2 * CROP + columns * width, 2 * CROP + rows * height
    marks: list[Tag] = []
    for column in range(columns + 1):
        x = CROP + column * width
        marks += [line((x, 0), (x, MARK)), line((x, bottom - MARK), (x, bottom))]
    for row in range(rows + 1):
        y = CROP + row * height
        marks += [line((0, y), (MARK, y)), line((right - MARK, y), (right, y))]
    return tag(
        "svg", *marks, class_="crop", aria_hidden="true", viewBox=f"0 0 {right} {bottom}", width=f"{right / 10}mm",
        height=f"{bottom / 10}mm", stroke="currentColor", stroke_width=2,
    )  # fmt: skip


#: Sections printed on separate sheets, and section that shows zone rows.
TABLES, PLACES, SETUP, SUMMARY = ("tables", "shapes"), "places", "setup", "summary"
#: Class of sections on separate sheets.
SHEET = "sheet-tables"
#: Depth of the table of contents, and sections without the headings below them.
LEVELS, ALONE = 2, frozenset({"questions", "summary"})


#: Size of a unit of a picture of an example, in the letter size of the page.
UNIT_REM = 0.024
#: Style of examples, of the picture of the set-up, and of the summary sheet.
STYLE = """
main ol { padding-inline-start: 2.2em; }
.example { display: flow-root; margin: 0.8em 0; padding: 0.4em 0.9em; }
.example { border-left: 4px solid var(--rule); background: var(--wash); }
.position { margin: 1em 0; padding: 0.6em; border-radius: 8px; }
.position svg { display: block; width: 100%; max-width: 34rem; height: auto; margin: 0 auto; }
.moment { display: inline-block; vertical-align: top; max-width: 48%; margin: 0 2% 0.3em 0; background: none; }
.moment p { font: 0.8rem Arial, Helvetica, sans-serif; color: var(--soft); margin: 0.2em 0; }
.moment svg { display: inline-block; vertical-align: top; margin: 0 0.3em 0.3em 0; }
.position svg, .moment svg { font-family: Arial, Helvetica, sans-serif; }
@media (max-width: 36rem) { .moment { max-width: 100%; } }
@media print {
  .position .back, .moment .back { display: inline; }
  .example, h2, h3, h4 { break-inside: avoid; }
  .summary { columns: 2; column-gap: 5mm; font-size: var(--summary); line-height: 1.25; page: summary; }
  .summary > h2, .summary > .broad { column-span: all; }
  .summary h2, .summary h3 { margin: 0.5em 0 0.2em; }
  .summary p, .summary ul { margin: 0.15em 0; }
  .summary .wide { margin: 0.4em 0; break-inside: avoid; }
  .summary table { font-size: 0.57rem; line-height: 1.1; }
  .summary th, .summary td { padding: 0.1em 0.4em; }
}
"""


def page(
    reading: RealisedRulebook,
    model: Model,
    start: Scene | None = None,
    excerpts: Mapping[ExampleText, Excerpt] = MappingProxyType({}),
    paper: str = "a4",
    styled_pictures: bool = False,
) -> str:
    """Return the HTML page of a rulebook, in the language of the reading.

    `start` is a position after the set-up; `excerpts` are the parts of positions that examples show. Pictures
    that are `styled_pictures` contain their styles, for a renderer that does not apply those of the page to them.
    """
    flat = flat_rules() if styled_pictures else ()
    blocks = RulebookBlocks(reading, PictureNames(model, reading.words), excerpts, flat)
    pictures = stylesheet_within(".position, .moment") if start is not None or excerpts else ""
    style = stylesheet(more=pictures + STYLE, paper=paper)
    return document(reading.words, reading.title, style, _body(blocks, start))


def page_content(
    reading: RealisedRulebook,
    model: Model,
    start: Scene | None = None,
    excerpts: Mapping[ExampleText, Excerpt] = MappingProxyType({}),
) -> str:
    """Return what `page` shows, for a page with the style `linked_stylesheet`; without the sheets of cards to cut out.

    Each section has the anchor `section_anchor` of its key, which is the same in every language.
    """
    blocks = RulebookBlocks(reading, PictureNames(model, reading.words), excerpts)
    return "".join(map(str, _body(blocks, start, with_sheets=False)))


def linked_stylesheet() -> str:
    """Return the style sheet of pages with `page_content`, in the colours of the browser or of the root's scheme."""
    return stylesheet(more=stylesheet_within(".position, .moment") + STYLE + forced_colours())


def section_anchor(key: str) -> str:
    """Return the anchor of the section with a key on the page."""
    return re.sub(r"[^\w.-]+", "-", key).strip("-") or "part"


def _setup_pictures(blocks: RulebookBlocks, start: Scene | None) -> Iterator[Tag]:
    """Yield the boards of a position after the set-up."""
    if start is None:
        return
    caption, told = blocks.reading.say("rulebook.setup.picture", n=start.state.game.seats), ""
    for shown in boards(RenderContext(start, steps=setup_steps(blocks.reading))):
        picture = blocks.still(shown.picture, {"role": "img", "aria-label": caption})
        if 'class="step"' in str(picture):
            told = ". " + blocks.reading.say("rulebook.setup.steps")
        yield tag("figure", picture, tag("figcaption", caption + told), class_="position")


def setup_steps(reading: RealisedRulebook) -> Mapping[str, str]:
    """Return the numbers of the steps of the set-up that fill a zone or place a figure, by its name: `1`, `3, 5`."""
    steps: dict[str, dict[str, None]] = {}
    sections = (section for section in reading.book.sections if section.key == SETUP)
    for block in (block for section in sections for block in section.blocks):
        number = 0
        for unit in reading.units(block) if isinstance(block, Prose) and block.numbered else ():
            number += not unit.depth
            # A line about a whole declaration says who begins, not where things go.
            origins = () if isinstance(unit.origin, s.Declaration) else (unit.origin, *unit.others)
            for target in (_target(node) for origin in origins for node in s.walk(origin)):
                for name in _filled(reading.book.model, target):
                    steps.setdefault(name, {})[str(number)] = None
    return {name: ", ".join(numbers) for name, numbers in steps.items()}


def _target(node: s.Node) -> s.Node | None:
    """Return the place that a statement fills."""
    if isinstance(node, s.Fill):
        return node.zone
    return node.target if isinstance(node, s.Move | s.MoveTokens | s.MoveAll | s.Lay | s.Assign) else None


def _filled(model: Model, target: s.Node | None) -> Iterator[str]:
    """Yield the zone of a target, or the figure whose place it is."""
    names = [model.ref(node) for node in s.walk(target)] if target is not None else []
    yield from (name.name for name in names if name.kind == "zone")
    if names and names[0].kind == "place":
        yield from (node.text for node in s.walk(target) if isinstance(node, s.Name) and node.text in model.figures)


#: Attributes of a picture on the table page with which its parts are chosen and read out.
_CONTROLS = frozenset({"role", "tabindex", "id", "data-place", "aria-label"})


def _without_controls(picture: Tag) -> Tag:
    """Return a picture whose parts cannot be chosen."""
    if isinstance(picture, RawMarkup):
        return picture
    attributes = tuple((name, value) for name, value in picture.attributes if name not in _CONTROLS)
    children = tuple(_without_controls(child) if isinstance(child, Tag) else child for child in picture.children)
    return replace(picture, attributes=attributes, children=children)


def _body(blocks: RulebookBlocks, start: Scene | None, with_sheets: bool = True) -> Sequence[Tag]:
    reading = blocks.reading
    book = [section for section in reading.book.sections if section.key not in TABLES]
    tables = [section for section in reading.book.sections if section.key in TABLES]
    parts = []
    for section in book:
        more = _setup_pictures(blocks, start) if section.key == SETUP else _rows(blocks, section)
        parts.append(blocks.section(1, section, *more, class_=f"{SHEET} {SUMMARY}" if section.key == SUMMARY else None))
    parts += [blocks.section(1, section, class_=SHEET) for section in tables]
    ends: list[tuple[str, str]] = []
    if reading.footnotes:
        ends.append((blocks.anchor("notes"), reading.say("rulebook.sources")))
        parts.append(_ending(*ends[-1], blocks.footnotes()))
    decks = sheets(blocks) if with_sheets else ()
    if decks:
        ends.append((blocks.anchor("cut out"), blocks.say("cards")))
        parts.append(_ending(*ends[-1], *decks, class_="sheets"))
    return (
        tag("a", blocks.say("skip"), href="#book", class_="skip"),
        tag("header", tag("h1", reading.title), tag("p", reading.title_line, class_="players")),
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
    listed = level < LEVELS and section.key not in ALONE
    inner = [_entry(blocks, below, level + 1) for below in section.sections] if listed else []
    return tag("li", link, *([tag("ol", *inner)] if inner else []))


def _link(anchor: str, text: str) -> Tag:
    return tag("a", text, href=f"#{anchor}")
