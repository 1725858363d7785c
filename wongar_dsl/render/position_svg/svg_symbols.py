"""SVG symbols of a position: tokens, figures, piles, cards, and the frame of a board.

Tokens differ in shape by kind; players differ in colour and letter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from wongar_dsl.base.markup import Tag, tag
from wongar_dsl.language.semantics import Type
from wongar_dsl.render.component_svg import PictureNames, cards
from wongar_dsl.render.component_svg.card_data import card_effects
from wongar_dsl.render.component_svg.svg import ELLIPSIS, centred_text, fit_text, left_aligned_lines, text_width
from wongar_dsl.session.scene import BoardArea

from .render_context import Card, RenderContext, place_key, seat_class

#: Size of a token, and distance from one to the next.
TOKEN, STEP = 54, 62
#: Additional width of a bar that contains a number, as a fraction.
WIDER = 0.4
#: Maximum number of symbols on a card.
MAX_SYMBOLS = 3
#: Letter size that is legible on a phone when a board with four areas per row is shown completely.
LEGIBLE = 33
_STRIP = (LEGIBLE, 32, 31, 30, 28, 26, 24, 22)
_TIGHT = (*_STRIP, 20, 18, 17)
#: Height of a line of a note.
NOTE = 36
_SMALL = (LEGIBLE, 32, 31, 30, 28, 26, 24, 22)


def symbol(drawn: Sequence[Tag], left: int, top: int, size: int, classes: str | None = None) -> Tag:
    """Return a symbol, drawn in a square of 200, scaled to a size."""
    scale = f"translate({left} {top}) scale({size / cards.SIZE:g})"
    return tag("g", *drawn, transform=scale, class_=classes)


def token(kind: int, seat: int | None, count: int, left: int, top: int, size: int = TOKEN) -> Tag:
    """Return tokens of a kind with their count; kind -1 is hidden."""
    covered = (tag("rect", x=30, y=10, width=140, height=180, rx=20, class_="wash back"),)
    drawn = symbol(cards.token(kind) if kind >= 0 else covered, left, top, size)
    if kind == 2:  # A bar is widened so that a number fits into it.
        drawn = tag("g", drawn, transform=f"translate({-WIDER * (left + size / 2):g} 0) scale({1 + WIDER} 1)")
    drop = size // 10 if kind == 3 else 0  # A triangle has more room at the bottom.
    number = centred_text(str(count), (left, top + drop, size, size), _SMALL if count < 100 else (20,), bold=True)
    return tag("g", drawn, number, class_=seat_class(seat))


def letter(context: RenderContext, seat: int | None, left: int, top: int, size: int) -> Tag:
    """Return the letter of a player in their colour."""
    if seat is None:
        return tag("g")
    tile = tag("rect", x=left, y=top, width=size, height=size, rx=size // 4, class_="wash")
    text = centred_text(context.scene.letters[seat], (left, top, size, size), (size * 3 // 4,), bold=True)
    return tag("g", tile, text, class_=seat_class(seat))


def piece(context: RenderContext, seat: int, x: int, y: int, radius: int) -> Tag:
    """Return a large round piece of a player, with a ring and the letter."""
    parts = [
        tag("circle", cx=x, cy=y, r=radius, class_="wash"),
        tag("circle", cx=x, cy=y, r=radius * 3 // 4, class_="ring"),
        centred_text(
            context.scene.letters[seat], (x - radius, y - radius, 2 * radius, 2 * radius), (radius,), bold=True
        ),
    ]
    return tag("g", *parts, class_=seat_class(seat))


def sign(context: RenderContext, seat: int, x: int, y: int, radius: int) -> Tag:
    """Return a large sign of a player as drawn on paper: cross, ring, triangle or square."""
    d = radius * 7 // 10
    kind = seat % 4
    shape = (
        tag("path", d=f"M{x - d} {y - d}L{x + d} {y + d}M{x + d} {y - d}L{x - d} {y + d}", class_="stroke"),
        tag("circle", cx=x, cy=y, r=radius * 8 // 10, class_="stroke"),
        tag("path", d=f"M{x} {y - d}L{x + d} {y + d}L{x - d} {y + d}Z", class_="stroke"),
        tag("rect", x=x - d, y=y - d, width=2 * d, height=2 * d, class_="stroke"),
    )[kind]
    return tag("g", shape, class_=f"sign {seat_class(seat)}")


def figure(name: str, left: int, top: int, room: int, size: int = 44) -> Tag:
    """Return a figure with its name beside it."""
    drawn = symbol(_pawn(), left, top, size)
    text = fit_text(name, room - size - 6, size + 6, _SMALL)
    return tag(
        "g",
        drawn,
        left_aligned_lines(text, left + size + 4, room - size, top + (size - text.height) // 2),
        class_="figure",
    )


def _pawn() -> tuple[Tag, ...]:
    body = tag("path", d="M100 66C64 78 82 130 36 184L164 184C118 130 136 78 100 66Z", class_="wash")
    return body, tag("circle", cx=100, cy=48, r=40, class_="wash")


def pile(number: int, right: int, top: int) -> Tag:
    """Return a face-down pile with its size; it ends at `right`."""
    text = str(number)
    wide = pile_width(number)
    x_position = right - wide
    parts = [
        tag("rect", x=x_position + 6, y=top - 5, width=wide - 6, height=42, rx=8, class_="back"),
        tag("rect", x=x_position, y=top, width=wide - 6, height=42, rx=8, class_="back"),
        centred_text(text, (x_position, top, wide - 6, 42), (LEGIBLE, 30, 28, 24, 20), bold=True),
    ]
    return tag("g", *parts, class_="pile")


def pile_width(number: int) -> int:
    """Return the width of a pile."""
    return max(44, text_width(str(number), LEGIBLE, True) + 18)


def card(context: RenderContext, of: Card, left: int, top: int, room: int, high: int = 46) -> Tag:
    """Return a face-up card as a strip with symbols and name, or the more informative of the two if both do not fit."""
    drawn = effect_symbols(context, of.kind, of.face)[:MAX_SYMBOLS]
    step, whole = high - 4, " ".join(of.text.split())

    def fits(width: int, sizes: Sequence[int]) -> bool:
        return " ".join(fit_text(of.text, width, high - 2, sizes).lines) == whole

    after = step * len(drawn) + 6
    parts = [tag("rect", x=left, y=top, width=room, height=high, rx=10, class_="paper")]
    if fits(room - after - 6, _STRIP):
        parts.append(centred_text(of.text, (left + after, top + 1, room - after - 6, high - 2), _STRIP))
        left += 6
    elif not drawn or fits(room - 12, _TIGHT):
        return tag("g", *parts, centred_text(of.text, (left + 6, top + 1, room - 12, high - 2), _TIGHT), class_="strip")
    else:
        left += (room - step * len(drawn)) // 2
    parts += [symbol(icon, left + step * i, top + 5, high - 10) for i, icon in enumerate(drawn)]
    return tag("g", *parts, class_="strip")


def card_beside(context: RenderContext, of: Card, left: int, top: int, room: int) -> Tag | None:
    """Return a face-up card as a strip of one line with symbols and a legible name; None if it does not fit."""
    symbols_before = effect_symbols(context, of.kind, of.face)[:MAX_SYMBOLS]
    inside = 42 * len(symbols_before) + 12
    return card(context, of, left, top, room) if text_width(of.text, LEGIBLE) + inside <= room else None


def card_below(context: RenderContext, of: Card, left: int, top: int, room: int) -> tuple[int, Tag]:
    """Return the height and drawing of a face-up card as a strip of full width.

    The name takes two lines if that makes it more legible.
    """
    drawn = effect_symbols(context, of.kind, of.face)[:MAX_SYMBOLS]
    for symbols_before in (drawn, ()) if drawn else ((),):
        before = 42 * len(symbols_before) + (4 if symbols_before else 0)
        text = fit_text(of.text, room - before - 8, 2 * 44, _TIGHT)
        if text.size == LEGIBLE or not symbols_before:
            break
    high = max(46, text.height + 8)
    parts = [tag("rect", x=left, y=top, width=room, height=high, rx=10, class_="paper")]
    parts += [symbol(icon, left + 4 + 42 * i, top + (high - 36) // 2, 36) for i, icon in enumerate(symbols_before)]
    middle = (left + before + 4, top, room - before - 8, high)
    return high, tag("g", *parts, centred_text(of.text, middle, (text.size,)), class_="strip")


def effect_symbols(context: RenderContext, kind: Type, face: int) -> list[Sequence[Tag]]:
    """Return the symbols of a card's effects, each in a square of 200."""
    model = context.scene.state.game.model
    names = PictureNames(model, context.scene.narrator.words)
    return [cards.symbol(names, thing)[0] for thing in card_effects(model, kind.name, face)]


def title(text: str, left: int, top: int, room: int, size: int) -> Tag:
    """Return the name of a location, in the letter size shared by all locations."""
    lines = fit_text(text, room, 52, (size,), bold=True)
    return tag("g", left_aligned_lines(lines, left, room, top), class_="name")


def note(text: str, left: int, top: int, room: int) -> tuple[int, Tag]:
    """Return the height and drawing of a value remembered for a location, in several lines if it is too wide."""
    fitted = fit_text(text, room, NOTE, _SMALL)
    if fitted.lines[-1].endswith(ELLIPSIS):
        fitted = fit_text(text, room, 3 * NOTE, _SMALL)
    return max(NOTE, fitted.height) + 4, tag("g", left_aligned_lines(fitted, left, room, top), class_="note")


# ---- boards --------------------------------------------------------------------------------------------------------


def cell(
    context: RenderContext,
    place: BoardArea,
    label: str,
    parts: Iterable[Tag],
    classes: str,
    first: bool,
    column: int | None = None,
) -> Tag:
    """Return a location of a board as a grid cell with a screen reader label, reachable by keyboard."""
    return tag(
        "g",
        *parts,
        role="gridcell",
        id=f"place-{place_key(place)}",
        data_place=place_key(place),
        tabindex="0" if first else "-1",
        aria_label=label,
        class_=context.classes("place", classes, place=place),
        data_column=None if column is None else str(column),
    )


def grid(
    rows: Sequence[Sequence[Tag]], name: str, width: int, height: int, classes: str, *around: Tag, left: int = 0
) -> Tag:
    """Return a board as a grid of cells, with decoration `around` them; `left` is its left edge."""
    row_tags = [tag("g", *cells, role="row") for cells in rows if cells]
    behind = [tag("g", *around, aria_hidden="true")] if around else []
    return drawing([*behind, *row_tags], f"{left} 0 {width} {height}", f"board {classes}", role="grid", aria_label=name)


def drawing(parts: Iterable[Tag], box: str, classes: str, **attributes: str) -> Tag:
    """Return a picture as an SVG element; text is centred on its position, as its width is estimated."""
    return tag("svg", *parts, viewBox=box, class_=classes, text_anchor="middle", **attributes)


def changed_dot(x: int, y: int) -> Tag:
    """Return the symbol for a change: a square standing on a corner, unlike any player's piece."""
    return tag("path", d=f"M{x} {y - 20}L{x + 20} {y}L{x} {y + 20}L{x - 20} {y}Z", class_="dot")


def step_number(text: str, x: int, y: int) -> Tag:
    """Return the numbers of steps in a circle around a point, wider if they are several."""
    wide = max(36, text_width(text, 26, True) + 16)
    ground = tag("rect", x=x - wide // 2, y=y - 18, width=wide, height=36, rx=18, class_="wash")
    return tag("g", ground, centred_text(text, (x - wide // 2, y - 18, wide, 36), (26,), bold=True), class_="step")


def changed_key() -> Tag:
    """Return the symbol for changes on its own, for the legend."""
    return drawing([changed_dot(24, 24)], "0 0 48 48", "key-mark", aria_hidden="true", focusable="false")


WIDTH, HEIGHT, LEFT, BELOW, RIGHT = 760, 420, 70, 50, 70
#: Number of horizontal grid lines, and maximum number of labels on the x axis.
LEVELS, MAX_AXIS_NUMBERS = 4, 12


def score_curve(context: RenderContext, points: Sequence[Sequence[int]], about: str) -> Tag:
    """Draw the curves; `points` are all scores at the end of each round, `about` is the text description."""
    top = max([1, *(n for row in points for n in row)])
    low = min([0, *(n for row in points for n in row)])
    step = _step((top - low) / LEVELS)
    top = -(-top // step) * step
    low = low // step * step
    rounds = max(1, len(points) - 1)

    def x(at: int) -> int:
        return LEFT + (WIDTH - LEFT - RIGHT) * at // rounds

    def y(value: int) -> int:
        return 20 + (HEIGHT - BELOW - 20) * (top - value) // (top - low)

    parts: list[Tag] = []
    for level in range(low, top + 1, step):
        parts.append(tag("line", x1=LEFT, y1=y(level), x2=WIDTH - RIGHT, y2=y(level), class_="level"))
        parts.append(
            centred_text(context.scene.narrator.words.number(level), (0, y(level) - 18, LEFT - 8, 36), (24, 20))
        )
    label_step = -(-(len(points) - 1) // MAX_AXIS_NUMBERS) or 1
    for at in range(label_step, len(points), label_step):
        parts.append(centred_text(str(at), (x(at) - 30, HEIGHT - BELOW + 8, 60, 34), (22,)))
    ends = _apart([(y(points[-1][seat]), seat) for seat in range(len(points[-1]))])
    for seat in range(len(points[-1])):
        data = "M" + "L".join(f"{x(at)} {y(row[seat])}" for at, row in enumerate(points))
        line = tag("path", d=data, class_=f"line dash-{seat % 4}")
        parts.append(tag("g", line, class_=seat_class(seat)))
        parts.append(letter(context, seat, WIDTH - RIGHT + 14, ends[seat] - 18, 36))
    return drawing(parts, f"0 0 {WIDTH} {HEIGHT}", "curve-picture", role="img", aria_label=about)


def _step(least: float) -> int:
    """Return the smallest round number (1, 2 or 5 times a power of ten) that is not less than `least`."""
    size = 1
    while True:
        for step in (1, 2, 5):
            if step * size >= least:
                return step * size
        size *= 10


def _apart(ends: Sequence[tuple[int, int]]) -> dict[int, int]:
    """Return the position of each letter at the end of its line, such that none overlap."""
    positions: dict[int, int] = {}
    last = -100
    for position, seat in sorted(ends):
        last = max(position, last + 40)
        positions[seat] = last
    over = max(0, last - (HEIGHT - BELOW + 10))
    return {seat: position - over for seat, position in positions.items()}
