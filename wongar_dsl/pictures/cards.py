"""Cards: a face with its title, what it brings, and its text; or, where cards are laid, a tile with what its sides
bear; or the areas that are to be covered."""

from __future__ import annotations

from collections.abc import Sequence

from wongar_dsl.model import Type
from wongar_dsl.pictures import sides as bearing
from wongar_dsl.pictures import symbols
from wongar_dsl.pictures.brought import brought
from wongar_dsl.pictures.lettering import centred, fitted, written
from wongar_dsl.pictures.naming import Names
from wongar_dsl.pictures.puzzles import puzzle
from wongar_dsl.pictures.svg import Picture, box
from wongar_dsl.pictures.tiles import tile
from wongar_dsl.text.markup import Tag
from wongar_dsl.words import Text

#: The size of a card: 63 mm by 88 mm.
WIDTH, HEIGHT = 630, 880
MARGIN = 40
_TITLES = (64, 58, 52, 46, 40, 36, 32, 28, 24)
_TEXTS = (38, 36, 34, 32, 30, 28, 26, 24, 22, 20)
_NOTES = (26, 24, 22, 20, 18)
_NUMBERS = (240, 200, 160, 120, 90, 60)


def card(names: Names, sort: str, number: int, text: Sequence[str] = ()) -> tuple[Picture, ...]:
    """The sides of a face of a sort of card, by its number, with paragraphs of text where it has room for some.

    What lies on a lattice has the form of its areas; what bears shapes that are to be covered has a side for each.
    """
    kind = Type("cards", sort)
    shapes = bearing.drawings(names.model, kind, number)
    if shapes:
        return tuple(puzzle(names, kind, number, drawn) for drawn in shapes)
    lattice = bearing.lattice_of(names.model, kind)
    if lattice is not None:
        return (tile(names, kind, number, lattice),)
    return (_face(names, kind, number, [paragraph for paragraph in text if paragraph]),)


def _face(names: Names, kind: Type, number: int, text: Sequence[str]) -> Picture:
    title = names.words.capital(names.term(names.model.value_name(kind, number)))
    things = brought(names.model, kind.name, number)
    room = WIDTH - 2 * MARGIN
    parts: list[Tag] = [box(5, 5, WIDTH - 10, HEIGHT - 10, "paper", radius=36)]
    parts.append(centred(title, (MARGIN, 45, room, 150), _TITLES, bold=True))
    top = 215
    if things:
        below = symbols.SIZE + symbols.LABEL + 30
        at = top if text else (HEIGHT - below) // 2
        parts += symbols.row(names, things, WIDTH // 2, at, room)
        top = at + below
    worth = bearing.worth(names.model, kind, number)
    if worth and not text and not things:
        shown = names.words.chain([names.words.number(n) for _, n in worth])
        parts.append(centred(shown, (MARGIN, 280, room, 320), _NUMBERS, bold=True))
    if text:
        parts.append(written(fitted("\n".join(text), room, HEIGHT - 80 - top, _TEXTS), WIDTH // 2, top))
    parts.append(centred(_foot(names, kind, worth), (MARGIN + 20, HEIGHT - 75, room - 40, 50), _NOTES))
    described = [names.words.capital(symbols.symbol(names, thing)[1]) for thing in things]
    about = [names.say("card.brings", things=Text(names.words.chain(described)))] if described else []
    foot = names.say("card.of", sort=Text(_foot(names, kind, worth)))
    return Picture(WIDTH, HEIGHT, title, " ".join([foot, *about, *text]), tuple(parts))


def _foot(names: Names, kind: Type, worth: Sequence[tuple[str, int]]) -> str:
    """What sort of card it is, and its numbers, those with a name under it."""
    known = [(table, n) for table, n in worth if names.words.has_term(table, names.scope)]
    told = [names.words.label(names.title(table)) + names.words.number(n) for table, n in known]
    return names.words.chain([names.title(kind.name), *told])
