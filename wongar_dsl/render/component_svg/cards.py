"""Pictures of cards: a face with title, effects and text; a tile with its edges; or an area to be covered."""

from __future__ import annotations

from collections.abc import Sequence

from wongar_dsl.base.text.markup import Tag
from wongar_dsl.language.semantics import Type
from wongar_dsl.nlg.words import Text
from wongar_dsl.render.component_svg import card_data, symbols
from wongar_dsl.render.component_svg.card_effects import card_effects
from wongar_dsl.render.component_svg.labels import PictureNames
from wongar_dsl.render.component_svg.puzzles import puzzle
from wongar_dsl.render.component_svg.svg import Picture, box
from wongar_dsl.render.component_svg.text_metrics import centred_text, fit_text, left_aligned_lines
from wongar_dsl.render.component_svg.tiles import tile

#: Size of a card in tenths of a millimetre.
WIDTH, HEIGHT = 630, 880
#: Size of a component that shows only its name.
CHIP = (310, 210)
MARGIN = 40
#: Size of symbols on a card with text.
SMALL = 130
_TITLES = (64, 58, 52, 46, 40, 36, 32, 28, 24)
_TEXTS = (32, 30, 28, 26, 24, 22, 20)
_NOTES = (26, 24, 22, 20, 18)
_NUMBERS = (240, 200, 160, 120, 90, 60)


def card(names: PictureNames, sort: str, number: int, text: Sequence[str] = ()) -> tuple[Picture, ...]:
    """Return the sides of a face of a sort of card, by its number, with paragraphs of text if there is room.

    A card that is laid on a lattice has the form of its areas. A card with areas to cover has a side for each area. A
    card that differs only by its name is small.
    """
    kind = Type("cards", sort)
    shapes = card_data.drawings(names.model, kind, number)
    if shapes:
        return tuple(puzzle(names, kind, number, drawn) for drawn in shapes)
    lattice = card_data.lattice_of(names.model, kind)
    if lattice is not None:
        return (tile(names, kind, number, lattice),)
    if _bare(names, kind):
        return (_chip(names, kind, number),)
    return (_face(names, kind, number, [paragraph for paragraph in text if paragraph]),)


def _face(names: PictureNames, kind: Type, number: int, text: Sequence[str]) -> Picture:
    title = names.words.capital(names.term(names.model.value_name(kind, number)))
    things = card_effects(names.model, kind.name, number)
    room = WIDTH - 2 * MARGIN
    worth = card_data.card_numbers(names.model, kind, number)
    parts: list[Tag] = [box(5, 5, WIDTH - 10, HEIGHT - 10, "paper", radius=36)]
    # A title alone is placed in the middle.
    alone = not (things or worth or text)
    top, high, size = (240, 400, 0) if alone else (40, 110, SMALL) if text else (40, 150, symbols.SIZE)
    parts.append(centred_text(title, (MARGIN, top, room, high), _TITLES, bold=True))
    top += high + 20
    if things:
        below = size + symbols.LABEL + 20
        y = top if text else (HEIGHT - below) // 2
        parts += symbols.row(names, things, (MARGIN, y, room), size)
        top = y + below
    if worth and not text and not things:
        shown = names.words.chain([names.words.number(n) for _, n in worth])
        parts.append(centred_text(shown, (MARGIN, 280, room, 320), _NUMBERS, bold=True))
    if text:
        lines = fit_text("\n".join(text), room, HEIGHT - 85 - top, _TEXTS)
        parts.append(left_aligned_lines(lines, MARGIN, room, top, names.words.right_to_left))
    parts.append(centred_text(_foot(names, kind, worth), (MARGIN + 20, HEIGHT - 75, room - 40, 50), _NOTES))
    described = [names.words.capital(symbols.symbol(names, thing)[1]) for thing in things]
    effects = [names.say("card.brings", things=Text(names.words.chain(described)))] if described else []
    foot = names.say("card.of", sort=Text(_foot(names, kind, worth)))
    return Picture(WIDTH, HEIGHT, title, " ".join([foot, *effects, *text]), tuple(parts))


def _chip(names: PictureNames, kind: Type, number: int) -> Picture:
    """Return the picture of a small component that shows only its name."""
    width, height = CHIP
    title = names.title(names.model.value_name(kind, number))
    sort = names.title(kind.name)
    parts = (
        box(5, 5, width - 10, height - 10, "paper", radius=36),
        centred_text(title, (30, 25, width - 60, height - 90), _TITLES, bold=True),
        centred_text(sort, (30, height - 60, width - 60, 40), _NOTES),
    )
    return Picture(width, height, title, names.say("card.of", sort=Text(sort)), parts)


def _bare(names: PictureNames, kind: Type) -> bool:
    """Return whether cards of a sort differ only by their names."""
    sort = names.model.cards[kind.name]
    faces = range(len(sort.faces))
    return not (
        names.model.code.effects.get(kind.name)
        or sort.attributes
        or any(card_data.card_numbers(names.model, kind, number) for number in faces)
    )


def _foot(names: PictureNames, kind: Type, worth: Sequence[tuple[str, int]]) -> str:
    """Return the sort of the card and its numbers, each with its table's name if that has a term."""
    values = [(table, n) for table, n in worth if names.words.has_term(table, names.scope)]
    labelled = [names.words.label(names.title(table)) + names.words.number(n) for table, n in values]
    return names.words.chain([names.title(kind.name), *labelled])
