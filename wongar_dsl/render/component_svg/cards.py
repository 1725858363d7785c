"""Pictures of cards: a face with title, effects and text; a tile with its edges; or an area to cover with shapes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from wongar_dsl.base.markup import Tag, tag
from wongar_dsl.language.semantics import CoveringData, Type
from wongar_dsl.language.semantics.boards import HEXAGON, Graph
from wongar_dsl.language.semantics.shapes import LETTERS, Shape, Spot, parse_covering
from wongar_dsl.language.semantics.shapes import shape as shape_of
from wongar_dsl.nlg.words import Term, Text
from wongar_dsl.render.component_svg import card_data
from wongar_dsl.render.component_svg.boards import exit_point, hexagon
from wongar_dsl.render.component_svg.card_data import CardEffect, DrawnShape, EdgeThing, Side, Trail, card_effects
from wongar_dsl.render.component_svg.svg import (
    PAPER,
    THICK,
    THIN,
    WASHES,
    Picture,
    PictureNames,
    Point,
    box,
    centred_text,
    circle,
    fit_text,
    left_aligned_lines,
    line,
    path,
    polygon,
    text_lines,
    text_width,
    translate,
)

SQUARE, SMALL_SQUARE, EDGE = 80, 22, 10
WIDEST = 1700


def shape(names: PictureNames, sort: str, value: int) -> Picture:
    """Return the picture of a shape by its number within its sort."""
    drawn = names.model.shapes[sort][value]
    side = _side(drawn)
    parts = (translate(shape_elements(drawn.spots, side, "wash"), EDGE, EDGE),)
    title = names.short(Type("enum", sort), value)
    return Picture(
        drawn.width * side + 2 * EDGE, drawn.height * side + 2 * EDGE, title, shape_description(names, drawn), parts
    )


def covered_area(names: PictureNames, sort: str, drawing: str) -> Picture:
    """Return the picture of a covered area; a drawing has rows joined by `/` and a letter for each piece."""
    laid = parse_covering(drawing)
    area = shape_of([spot for spots in laid.values() for spot in spots])
    side = _side(area)
    parts = translate(covering_elements(laid, side), EDGE, EDGE)
    called = [names.model.enums[names.model.coverings[sort].pieces][piece] for piece in laid]
    description = names.say("covered", pieces=Text(names.words.chain(called)))
    return Picture(
        area.width * side + 2 * EDGE, area.height * side + 2 * EDGE, names.title(sort), description, (parts,)
    )


def _side(drawn: Shape) -> int:
    return min(SQUARE, (WIDEST - 2 * EDGE) // drawn.width)


def shape_description(names: PictureNames, drawn: Shape) -> str:
    """Return a shape in words: the number of its squares, and of those in each row."""
    rows = names.words.chain([str(row.count("x")) for row in drawn.rows])
    return names.say("shape", n=len(drawn.spots), rows=Text(rows))


# ---- picture elements ----------------------------------------------------------------------------------------------


def shape_elements(spots: Iterable[Spot], side: int, wash: str) -> tuple[Tag, ...]:
    """Return a shape of squares of width `side`, with thin lines between them."""
    squares = frozenset(spots)
    inner = "".join(
        [f"M{c * side} {r * side}v{side}" for r, c in sorted(squares) if (r, c - 1) in squares]
        + [f"M{c * side} {r * side}h{side}" for r, c in sorted(squares) if (r - 1, c) in squares]
    )
    filled = path(outline(squares, side), wash, THICK if side > SMALL_SQUARE else THIN)
    return (filled, path(inner, width=THIN if side > SMALL_SQUARE else 1)) if inner else (filled,)


def covering_elements(laid: Mapping[int, Sequence[Spot]], side: int) -> tuple[Tag, ...]:
    """Return placed pieces, each with its letter in its first square."""
    parts: list[Tag] = []
    for piece, spots in laid.items():
        parts += shape_elements(spots, side, f"wash-{piece % len(WASHES)}")
        row, column = min(spots)
        parts.append(centred_text(LETTERS[piece], (column * side, row * side, side, side), (side * 2 // 3,), bold=True))
    return tuple(parts)


def outline(spots: frozenset[Spot], side: int) -> str:
    """Return the boundary of a shape, including holes, as path data."""
    # Boundary edges, directed so that the shape is on their right.
    edges: dict[Spot, list[Spot]] = {}
    for r, c in sorted(spots):
        corners = ((r, c), (r, c + 1), (r + 1, c + 1), (r + 1, c))
        neighbours = ((r - 1, c), (r, c + 1), (r + 1, c), (r, c - 1))
        for i in range(4):
            if neighbours[i] not in spots:
                edges.setdefault(corners[i], []).append(corners[(i + 1) % 4])
    data = []
    while edges:
        start = corner = min(edges)
        boundary: list[Spot] = []
        before = None
        while corner != start or not boundary:
            following = edges[corner]
            # If two squares meet only at a corner, the boundary stays with the square that it came along.
            next_corner = _right(before, corner, following) if before is not None else following[0]
            following.remove(next_corner)
            if not following:
                del edges[corner]
            if before is None or (corner[0] - before[0], corner[1] - before[1]) != (
                next_corner[0] - corner[0],
                next_corner[1] - corner[1],
            ):
                boundary.append(corner)
            before, corner = corner, next_corner
        data.append("M" + "L".join(f"{c * side} {r * side}" for r, c in boundary) + "Z")
    return "".join(data)


def _right(before: Spot, at: Spot, following: Sequence[Spot]) -> Spot:
    """Return the next corner that turns right, or the only one available."""
    down, along = at[0] - before[0], at[1] - before[1]
    right = (at[0] + along, at[1] - down)
    return right if right in following else following[0]


def covering_pieces(coverings: CoveringData, area: int, keys: int) -> list[tuple[int, ...]]:
    """Return the pieces of the first covering of an area, for each value of the key; empty without a covering."""
    pieces = []
    for key in range(keys):
        numbers = coverings.lists[area * keys + key]
        pieces.append(tuple(parse_covering(coverings.drawings[numbers[0]])) if numbers else ())
    return pieces


#: Outlines of token kinds in a square of 200, after the first kind, which is a circle.
_OUTLINES: Sequence[Sequence[Point]] = (
    ((20, 20), (180, 20), (180, 180), (20, 180)),
    ((60, 5), (140, 5), (140, 195), (60, 195)),
    ((100, 10), (190, 180), (10, 180)),
    ((100, 5), (195, 100), (100, 195), (5, 100)),
    ((100, 5), (124, 68), (191, 71), (138, 112), (156, 177), (100, 140), (44, 177), (62, 112), (9, 71), (76, 68)),
    ((70, 10), (130, 10), (130, 70), (190, 70), (190, 130), (130, 130), (130, 190), (70, 190), (70, 130), (10, 130),
     (10, 70), (70, 70)),
    ((55, 20), (145, 20), (190, 100), (145, 180), (55, 180), (10, 100)),
)  # fmt: skip
STAR = 4
SIZE, LABEL = 200, 60
_SYMBOL_LABELS = (40, 36, 32, 28, 24, 20)


def token(kind: int) -> tuple[Tag, ...]:
    """Return the symbol of a token kind, in a square of 200."""
    turn, kind = divmod(kind, len(_OUTLINES) + 1)
    shape = circle((100, 100), 90, "wash") if kind == 0 else polygon(_OUTLINES[kind - 1], "wash")
    # Further kinds repeat the outlines with a growing number of dots.
    dots = (circle((100 + 24 * (2 * i - turn + 1) // 2, 110), 9, "ink") for i in range(min(turn, 4)))
    return (shape, *dots)


def symbol(names: PictureNames, thing: CardEffect) -> tuple[tuple[Tag, ...], str]:
    """Return the symbol of a card effect, in a square of 200, and its name."""
    match thing.sort:
        case "token":
            kind = Type("enum", thing.name)
            if thing.value >= 0:
                return token(thing.value), names.short(kind, thing.value)
            return _any(names.model.size(kind, 0)), names.term(thing.name, "short")
        case "figure":
            return _pawn(), names.term(thing.name, "short")
        case "card":
            return _card(), names.term(thing.name, "short")
        case "track":
            squares = tuple(box(5 + 64 * i, 70, 60, 60, "ink" if i == 1 else "wash") for i in range(3))
            return squares, names.term(thing.name, "short")
        case "points":
            return (polygon(_OUTLINES[STAR], "wash"),), names.term(thing.name, "short")


def _any(kinds: int) -> tuple[Tag, ...]:
    """Return a group of token kinds, for an effect that leaves the kind open."""
    shown = min(kinds, 4)
    half = shown > 1
    return tuple(
        translate(
            (tag("g", *token(kind), transform="scale(0.48)"),) if half else token(kind),
            52 if (kind, shown) == (2, 3) else kind % 2 * 104,
            (kind // 2 * 104) if shown > 2 else 52 * half,
        )
        for kind in range(shown)
    )


def _pawn() -> tuple[Tag, ...]:
    body = path("M100 70C60 80 80 130 40 180L160 180C120 130 140 80 100 70Z", "wash")
    return body, circle((100, 48), 40, "wash")


def _card() -> tuple[Tag, ...]:
    return box(28, 8, 118, 160, "wash", 14), box(54, 32, 118, 160, "wash", 14)


def symbol_row(
    names: PictureNames, things: Sequence[CardEffect], box: tuple[int, int, int], size: int
) -> tuple[Tag, ...]:
    """Return named symbols side by side, as many as fit into a box (left, top, width)."""
    left, top, room = box
    shown = things[: max(1, room // (size + 20))]
    step = room // len(shown) if shown else 0
    parts: list[Tag] = []
    for number, thing in enumerate(shown):
        drawn, name = symbol(names, thing)
        x = left + number * step
        # Line widths are scaled as well, like those of smaller letters.
        scaled = tag("g", *drawn, transform=f"scale({size / SIZE:g})") if size != SIZE else tag("g", *drawn)
        parts.append(translate((scaled,), x + (step - size) // 2, top))
        label = (x + 10, top + size + 5, step - 20, LABEL)
        parts.append(centred_text(names.words.capital(name), label, _SYMBOL_LABELS))
    return tuple(parts)


#: Size of a card in tenths of a millimetre, and its margin.
WIDTH, HEIGHT, MARGIN = 630, 880, 40
#: Maximum height of the area and of a row; width of a piece's square and of a row's name.
AREA, PIECE_ROW, PIECE_SQUARE, NAME = 290, 78, 22, 150
#: Maximum number of rows.
MAX_ROWS = 6
_PUZZLE_TITLES = (48, 42, 36, 32, 28, 24)
_PIECE_NAMES = (30, 28, 26, 24, 22, 20, 18)


def puzzle(names: PictureNames, kind: Type, number: int, drawn: DrawnShape) -> Picture:
    """Return the side of a card with one area and, below it, the pieces for each value of the key."""
    model = names.model
    title = names.words.capital(names.short(kind, number))
    if drawn.column is not None:
        title = f"{title} · {names.short(*drawn.column)}"
    area = model.shapes[drawn.sort][drawn.number]
    room = WIDTH - 2 * MARGIN
    side = min(60, room // area.width, AREA // area.height)
    parts: list[Tag] = [box(5, 5, WIDTH - 10, HEIGHT - 10, "paper", radius=36)]
    parts.append(centred_text(title, (MARGIN, 30, room, 60), _PUZZLE_TITLES, bold=True))
    left, top = (WIDTH - area.width * side) // 2, 100 + (AREA - area.height * side) // 2
    parts.append(translate(shape_elements(area.spots, side, "wash"), left, top))
    described = [shape_description(names, area)]
    top = 100 + AREA + 10
    for data in model.coverings.values():
        if data.areas == drawn.sort:
            for name, pieces in _pieces_by_key(names, data, drawn.number)[:MAX_ROWS]:
                parts += _piece_row(names, data, name, pieces, top)
                called = names.words.chain([model.enums[data.pieces][piece] for piece in pieces])
                described.append(names.say("pieces", name=Text(name), pieces=Text(called)) if name else called)
                top += PIECE_ROW
    return Picture(WIDTH, HEIGHT, title, " ".join(described), tuple(parts))


def _pieces_by_key(names: PictureNames, data: CoveringData, area: int) -> list[tuple[str, tuple[int, ...]]]:
    """Return, for each value of the key with a solution, its name and the pieces that cover an area."""
    key = Type("enum", data.key)
    keys = names.model.size(key, 0) if data.key else 1
    called = [names.words.capital(names.short(key, value)) if data.key else "" for value in range(keys)]
    return [(name, pieces) for name, pieces in zip(called, covering_pieces(data, area, keys), strict=True) if pieces]


def _piece_row(names: PictureNames, data: CoveringData, name: str, pieces: tuple[int, ...], top: int) -> list[Tag]:
    every = [names.model.shapes[data.pieces][piece] for piece in pieces]
    room = WIDTH - 2 * MARGIN - NAME - 20 * len(every)
    side = min(PIECE_SQUARE, (PIECE_ROW - 12) // max(p.height for p in every), room // sum(p.width for p in every))
    parts = [centred_text(name, (MARGIN - 10, top, NAME, PIECE_ROW), _PIECE_NAMES)]
    x = MARGIN + NAME + 10
    for number, piece in zip(pieces, every, strict=True):
        down = top + (PIECE_ROW - piece.height * side) // 2
        parts.append(translate(shape_elements(piece.spots, side, f"wash-{number % len(WASHES)}"), x, down))
        x += piece.width * side + 20
    return parts


#: Half the width of a tile; distance of badges from the edge in hundredths of the way to the centre.
HALF, INWARD = 340, 24
BADGE, PLACE = 34, 17
#: Dash patterns that distinguish crossing paths.
_DASHES = (None, "36 22", "4 26", "60 20 4 20")
_TILE_TITLES = (52, 46, 40, 36, 32, 28, 24, 20)
_TILE_NUMBERS = (44, 36, 30, 24)
#: Maximum number of places drawn individually, and of rows in a column.
MAX_SINGLE_PLACES, IN_A_COLUMN = 6, 3
#: Size of the title box, and height of a row of places.
TITLE, PLACE_ROW = (330, 190), 56


def tile(names: PictureNames, kind: Type, number: int, board: Graph) -> Picture:
    """Return the picture of a card that is laid on a lattice, unrotated."""
    six = board.directions == HEXAGON
    reach = HALF * 1155 // 1000 if six else HALF
    width, height = 2 * HALF + 20, 2 * reach + 20
    middle = (width // 2, height // 2)
    right, bottom = width - 10, height - 10
    corners = hexagon(*middle, HALF) if six else ((10, 10), (right, 10), (right, bottom), (10, bottom))
    edges = card_data.sides(names.model, kind, number, board.directions)
    ends = [exit_point(corners, direction) for direction in range(board.directions)]
    parts: list[Tag] = [polygon(corners, "paper")]
    parts += [_trail(ends[start], middle, ends[side.other], side.path) for start, side in _trails(edges)]
    parts += [part for start, side in enumerate(edges) for part in _badge(names, side, ends[start], middle)]
    title = names.title(names.model.value_name(kind, number))
    worth = [n for _, n in card_data.card_numbers(names.model, kind, number)]
    label = "\n".join([title, *map(names.words.number, worth)])
    rooms = card_data.parts_for_tokens(names.model, kind, number)
    rows = min(len(rows_of(rooms)), IN_A_COLUMN)
    lettering = fit_text(label, TITLE[0], TITLE[1], _TILE_TITLES, bold=True)
    high = lettering.height + 8
    top = middle[1] - (high + rows * PLACE_ROW) // 2
    wide = max(text_width(line, lettering.size, bold=True) for line in lettering.lines) + 20
    parts.append(_plate(middle[0] - wide // 2, top, wide, high))
    parts.append(text_lines(lettering, middle[0], top, bold=True))
    parts += _places(names, rows_of(rooms), middle[0], top + high + 6)
    return Picture(width, height, title, _description(names, kind, number, board), tuple(parts))


def _trails(found: Sequence[Side]) -> list[tuple[int, Trail]]:
    """Return each path once, from its first side."""
    return [(start, side) for start, side in enumerate(found) if isinstance(side, Trail) and side.other > start]


def _trail(start: Point, middle: Point, end: Point, path: int) -> Tag:
    data = f"M{start[0]} {start[1]}Q{middle[0]} {middle[1]} {end[0]} {end[1]}"
    return tag("path", d=data, stroke_width=12, stroke_dasharray=_DASHES[path % len(_DASHES)])


def _badge(names: PictureNames, side: Side, end: Point, middle: Point) -> list[Tag]:
    """Return the badge at a side: the number of a path or of a thing."""
    number = side.number if isinstance(side, Trail) else side.value + 1 if isinstance(side, EdgeThing) else 0
    if not number:
        return []
    centre = (end[0] + (middle[0] - end[0]) * INWARD // 100, end[1] + (middle[1] - end[1]) * INWARD // 100)
    text = centred_text(names.words.number(number), (centre[0] - 30, centre[1] - 30, 60, 60), _TILE_NUMBERS, bold=True)
    bar = [line(end, centre, 40)] if isinstance(side, EdgeThing) else []
    return [*bar, circle(centre, BADGE), text]


def _plate(left: int, top: int, width: int, height: int) -> Tag:
    """Return a plain background for letters."""
    return tag("rect", x=left, y=top, width=width, height=height, rx=20, class_="paper", fill=PAPER, stroke="none")


def rows_of(rooms: Sequence[tuple[Type, int, int]]) -> list[tuple[int, int]]:
    """Return the parts of a card whose places are drawn: number of the part, and number of places."""
    return [(part + 1, places) for _, part, places in rooms][: 2 * IN_A_COLUMN]


def _places(names: PictureNames, rows: Sequence[tuple[int, int]], middle: int, top: int) -> list[Tag]:
    """Return the places for pieces, a row for each part of the card, after its number."""
    parts: list[Tag] = []
    columns = [rows[start : start + IN_A_COLUMN] for start in range(0, len(rows), IN_A_COLUMN)]
    for number, column in enumerate(columns):
        wide = 50 + max(min(places, MAX_SINGLE_PLACES) for _, places in column) * 44
        left = middle - wide // 2 if len(columns) == 1 else middle + (number - 1) * (wide + 16) + 8
        parts.append(_plate(left, top - 4, wide, len(column) * PLACE_ROW + 4))
        for row, (part, places) in enumerate(column):
            y = top + row * PLACE_ROW + 26
            parts.append(centred_text(f"{part}", (left, y - 26, 44, 52), _TILE_NUMBERS[1:], bold=True))
            shown = places if places <= MAX_SINGLE_PLACES else 0
            parts += [circle((left + 66 + 44 * i, y), PLACE, "wash") for i in range(shown)]
            if not shown:
                many = f"× {names.words.number(places)}"
                parts.append(centred_text(many, (left + 44, y - 26, wide - 44, 52), _TILE_NUMBERS[1:]))
    return parts


def _description(names: PictureNames, kind: Type, number: int, board: Graph) -> str:
    model, directions = names.model, [Term(direction) for direction in board.direction_names]
    worth = [names.words.number(n) for _, n in card_data.card_numbers(model, kind, number)]
    sentences = [names.say("card.of", sort=Text(names.words.chain([names.title(kind.name), *worth])))]
    edges = card_data.sides(model, kind, number, board.directions)
    for index, side in enumerate(edges):
        if isinstance(side, EdgeThing):
            sentences.append(
                names.say("side.thing", way=directions[index], thing=Text(names.short(side.kind, side.value)))
            )
    for index, trail in _trails(edges):
        name = "side.path.number" if trail.number else "side.path"
        sentences.append(names.say(name, way=directions[index], other=directions[trail.other], n=trail.number))
    for part, value, places in card_data.parts_for_tokens(model, kind, number):
        sentences.append(names.say("places", part=Text(names.words.capital(names.short(part, value))), n=places))
    return " ".join(sentences)


#: Size of a component that shows only its name.
CHIP = (310, 210)
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
    top, high, size = (240, 400, 0) if alone else (40, 110, SMALL) if text else (40, 150, SIZE)
    parts.append(centred_text(title, (MARGIN, top, room, high), _TITLES, bold=True))
    top += high + 20
    if things:
        below = size + LABEL + 20
        y = top if text else (HEIGHT - below) // 2
        parts += symbol_row(names, things, (MARGIN, y, room), size)
        top = y + below
    if worth and not text and not things:
        shown = names.words.chain([names.words.number(n) for _, n in worth])
        parts.append(centred_text(shown, (MARGIN, 280, room, 320), _NUMBERS, bold=True))
    if text:
        lines = fit_text("\n".join(text), room, HEIGHT - 85 - top, _TEXTS)
        parts.append(left_aligned_lines(lines, MARGIN, room, top, names.words.lexicon.right_to_left))
    parts.append(centred_text(_foot(names, kind, worth), (MARGIN + 20, HEIGHT - 75, room - 40, 50), _NOTES))
    described = [names.words.capital(symbol(names, thing)[1]) for thing in things]
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
