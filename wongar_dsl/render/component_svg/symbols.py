"""Symbols for the effects of cards: tokens by kind, figures, cards, tracks and points."""

from __future__ import annotations

from collections.abc import Sequence

from wongar_dsl.base.text.markup import Tag, tag
from wongar_dsl.language.semantics import Type
from wongar_dsl.render.component_svg.card_effects import CardEffect
from wongar_dsl.render.component_svg.labels import PictureNames
from wongar_dsl.render.component_svg.svg import Point, box, circle, path, polygon, translate
from wongar_dsl.render.component_svg.text_metrics import centred_text

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
_SIZES = (40, 36, 32, 28, 24, 20)


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


def row(names: PictureNames, things: Sequence[CardEffect], box: tuple[int, int, int], size: int) -> tuple[Tag, ...]:
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
        parts.append(centred_text(names.words.capital(name), label, _SIZES))
    return tuple(parts)
