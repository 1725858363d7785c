"""Sheets of cards to cut out, with as many copies as the deck has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wongar_dsl.base.text.markup import Tag, tag
from wongar_dsl.language.semantics import DeckDecl
from wongar_dsl.nlg.prose.document.document_model import CountList, Prose
from wongar_dsl.render.component_svg import Picture, card
from wongar_dsl.render.component_svg.svg import line
from wongar_dsl.render.pages.blocks import RulebookBlocks
from wongar_dsl.render.pages.styles import CROP, SHEET_HEIGHT, SHEET_WIDTH

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
        style = f"grid-template-columns: repeat({columns}, {width / 10}mm); padding: {CROP / 10}mm"
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
