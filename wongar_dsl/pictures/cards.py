"""Cards: a face with its title, what it brings, and its text; or, where cards are laid, a tile with what its sides
bear; or the areas that are to be covered."""

from __future__ import annotations

from collections.abc import Sequence

from wongar_dsl.model import Type
from wongar_dsl.pictures import sides as bearing
from wongar_dsl.pictures import symbols
from wongar_dsl.pictures.brought import brought
from wongar_dsl.pictures.lettering import centred, fitted, listed
from wongar_dsl.pictures.naming import Names
from wongar_dsl.pictures.puzzles import puzzle
from wongar_dsl.pictures.svg import Picture, box
from wongar_dsl.pictures.tiles import tile
from wongar_dsl.text.markup import Tag
from wongar_dsl.words import Text

#: The size of a card in tenths of a millimetre.
WIDTH, HEIGHT = 630, 880
#: The size of what has nothing on it but its name.
CHIP = (310, 210)
MARGIN = 40
#: How large symbols are where there is text too.
SMALL = 130
_TITLES = (64, 58, 52, 46, 40, 36, 32, 28, 24)
_TEXTS = (32, 30, 28, 26, 24, 22, 20)
_NOTES = (26, 24, 22, 20, 18)
_NUMBERS = (240, 200, 160, 120, 90, 60)


def card(names: Names, sort: str, number: int, text: Sequence[str] = ()) -> tuple[Picture, ...]:
    """The sides of a face of a sort of card, by its number, with paragraphs of text where it has room for some.

    What lies on a lattice has the form of its areas; what bears shapes that are to be covered has a side for each; what
    differs only by its name is small.
    """
    kind = Type("cards", sort)
    shapes = bearing.drawings(names.model, kind, number)
    if shapes:
        return tuple(puzzle(names, kind, number, drawn) for drawn in shapes)
    lattice = bearing.lattice_of(names.model, kind)
    if lattice is not None:
        return (tile(names, kind, number, lattice),)
    if _bare(names, kind):
        return (_chip(names, kind, number),)
    return (_face(names, kind, number, [paragraph for paragraph in text if paragraph]),)


def _face(names: Names, kind: Type, number: int, text: Sequence[str]) -> Picture:
    title = names.words.capital(names.term(names.model.value_name(kind, number)))
    things = brought(names.model, kind.name, number)
    room = WIDTH - 2 * MARGIN
    worth = bearing.worth(names.model, kind, number)
    parts: list[Tag] = [box(5, 5, WIDTH - 10, HEIGHT - 10, "paper", radius=36)]
    # What has nothing but its title has that in the middle.
    alone = not (things or worth or text)
    top, high, size = (240, 400, 0) if alone else (40, 110, SMALL) if text else (40, 150, symbols.SIZE)
    parts.append(centred(title, (MARGIN, top, room, high), _TITLES, bold=True))
    top += high + 20
    if things:
        below = size + symbols.LABEL + 20
        at = top if text else (HEIGHT - below) // 2
        parts += symbols.row(names, things, (MARGIN, at, room), size)
        top = at + below
    if worth and not text and not things:
        shown = names.words.chain([names.words.number(n) for _, n in worth])
        parts.append(centred(shown, (MARGIN, 280, room, 320), _NUMBERS, bold=True))
    if text:
        lines = fitted("\n".join(text), room, HEIGHT - 85 - top, _TEXTS)
        parts.append(listed(lines, MARGIN, room, top, names.words.right_to_left))
    parts.append(centred(_foot(names, kind, worth), (MARGIN + 20, HEIGHT - 75, room - 40, 50), _NOTES))
    described = [names.words.capital(symbols.symbol(names, thing)[1]) for thing in things]
    about = [names.say("card.brings", things=Text(names.words.chain(described)))] if described else []
    foot = names.say("card.of", sort=Text(_foot(names, kind, worth)))
    return Picture(WIDTH, HEIGHT, title, " ".join([foot, *about, *text]), tuple(parts))


def _chip(names: Names, kind: Type, number: int) -> Picture:
    """A small thing that has nothing on it but its name."""
    width, height = CHIP
    title = names.title(names.model.value_name(kind, number))
    sort = names.title(kind.name)
    parts = (
        box(5, 5, width - 10, height - 10, "paper", radius=36),
        centred(title, (30, 25, width - 60, height - 90), _TITLES, bold=True),
        centred(sort, (30, height - 60, width - 60, 40), _NOTES),
    )
    return Picture(width, height, title, names.say("card.of", sort=Text(sort)), parts)


def _bare(names: Names, kind: Type) -> bool:
    """Whether cards of a sort differ in nothing but their names."""
    sort = names.model.cards[kind.name]
    faces = range(len(sort.faces))
    return not (
        names.model.code.effects.get(kind.name)
        or sort.attributes
        or any(bearing.worth(names.model, kind, number) for number in faces)
    )


def _foot(names: Names, kind: Type, worth: Sequence[tuple[str, int]]) -> str:
    """What sort of card it is, and its numbers, those with a name under it."""
    known = [(table, n) for table, n in worth if names.words.has_term(table, names.scope)]
    told = [names.words.label(names.title(table)) + names.words.number(n) for table, n in known]
    return names.words.chain([names.title(kind.name), *told])
