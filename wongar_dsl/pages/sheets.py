"""Sheets of cards to cut out: each card as often as its deck has it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wongar_dsl.model import DeckDecl
from wongar_dsl.pages.blocks import Blocks
from wongar_dsl.pages.styles import CROP, SHEET_HEIGHT, SHEET_WIDTH
from wongar_dsl.pictures import Picture, card
from wongar_dsl.pictures.svg import line
from wongar_dsl.prose.book import Items, Prose
from wongar_dsl.text.markup import Tag, tag

#: Of a deck with more cards each is shown once, and of one with more different cards the first.
MOST = 400
#: How long a crop mark is.
MARK = 25
#: What stands in the place of a line that nobody has written yet, and before what belongs to a line above.
UNSAID, BULLET = "[…]", "– "


def sheets(blocks: Blocks) -> tuple[Tag, ...]:
    """A section for each deck of the game, in the order of the rules."""
    decks = blocks.names.model.declared.decks.values()
    texts = texts_of(blocks)
    return tuple(_deck(blocks, deck, texts) for deck in decks)


def texts_of(blocks: Blocks) -> dict[str, list[str]]:
    """What the rulebook says of each kind of card, line by line."""
    found: dict[str, list[str]] = {}
    for _, section in blocks.reading.book.walk():
        sort, _, kind = section.key.partition(".")
        for block in section.blocks:
            if sort == "effect" and isinstance(block, Prose):
                lines = found.setdefault(kind, [])
                for sentence in blocks.reading.sentences(block):
                    text = UNSAID if sentence.unsaid else sentence.text
                    lines.append(BULLET + text if sentence.depth else text)
    return found


def _deck(blocks: Blocks, deck: DeckDecl, texts: dict[str, list[str]]) -> Tag:
    here = blocks.anchor(f"cards of {deck.name}")
    whole = deck.total <= MOST
    parts = [tag("h3", _title(blocks, deck), id=f"{here}-h")]
    if len(deck.copies) > MOST:
        parts.append(tag("p", blocks.say("cards.first", n=MOST)))
    elif not whole:
        parts.append(tag("p", blocks.say("cards.once")))
    sort = blocks.names.model.cards[deck.cards.name]
    drawn: list[tuple[Picture, bool]] = []
    for number, copies in deck.copies[:MOST]:
        sides = card(blocks.names, sort.name, number, texts.get(sort.faces[number].kind, ()))
        for copy in range(copies if whole else 1):
            drawn += [(side, copy > 0) for side in sides]
    parts += _sheets(drawn)
    return tag("section", *parts, id=here, aria_labelledby=f"{here}-h")


def _title(blocks: Blocks, deck: DeckDecl) -> str:
    """What the rulebook calls the deck, with how often it is there."""
    for _, section in blocks.reading.book.walk():
        for block in section.blocks:
            if isinstance(block, Items) and block.key == f"deck.{deck.name}" and block.title is not None:
                return blocks.reading.heading(block.title)
    return blocks.names.title(deck.name)


def _sheets(drawn: Sequence[tuple[Picture, bool]]) -> Iterator[Tag]:
    """Cards on sheets; one that is there already is hidden from those who have it read to them."""
    if not drawn:
        return
    width, height = max(p.width for p, _ in drawn), max(p.height for p, _ in drawn)
    columns = max(1, (SHEET_WIDTH - 2 * CROP) // width)
    rows = max(1, (SHEET_HEIGHT - 2 * CROP) // height)
    for first in range(0, len(drawn), columns * rows):
        cards = drawn[first : first + columns * rows]
        used = -(-len(cards) // columns)
        style = f"grid-template-columns: repeat({columns}, {width / 10}mm); padding: {CROP / 10}mm"
        svgs = (picture.tag(aria_hidden="true" if again else None) for picture, again in cards)
        yield tag("div", _marks(columns, used, width, height), *svgs, class_="sheet", style=style)


def _marks(columns: int, rows: int, width: int, height: int) -> Tag:
    """Crop marks around a sheet, at both ends of every line to cut along."""
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
