"""Pictures of zone rows: ordered zones indexed by an enumeration."""

from __future__ import annotations

from wongar_dsl.base.text.markup import Tag
from wongar_dsl.language.semantics import Model, Type
from wongar_dsl.nlg.words import Text
from wongar_dsl.render.component_svg.labels import PictureNames
from wongar_dsl.render.component_svg.svg import Picture, box, circle
from wongar_dsl.render.component_svg.text_metrics import centred_text, text_width

EDGE, ROW, PLACE, STEP = 10, 90, 32, 80
#: Maximum number of places in a row, and of rows.
MAX_PLACES_PER_ROW, ROWS = 14, 24
_SIZES = (40, 36, 32, 28, 24, 20)


def row_enumerations(model: Model) -> dict[str, str]:
    """Return the enumerations that are drawn as rows, each with the zone of limited capacity that it indexes."""
    zones: dict[str, str] = {}
    for name, zone in model.declared.zones.items():
        kinds = [index.kind for index in zone.indices]
        if kinds == ["enum"] and zone.kind == "pile" and zone.capacity and zone.indices[0].name not in model.shapes:
            zones.setdefault(zone.indices[0].name, name)
    return zones


def zone_rows(names: PictureNames, enum: str) -> Picture:
    """Return the picture of an enumeration with the places of each value's row; raise KeyError if it has no rows."""
    zone = names.model.declared.zones[row_enumerations(names.model)[enum]]
    kind = Type("enum", enum)
    labels = [names.words.capital(names.short(kind, value)) for value in range(names.model.size(kind, 0))]
    width = max(140, min(420, max(text_width(name, _SIZES[0], True) for name in labels) + 40))
    places = zone.capacity or 0
    shown = min(places, MAX_PLACES_PER_ROW)
    parts: list[Tag] = []
    for row, name in enumerate(labels[:ROWS]):
        top = EDGE + row * (ROW + 10)
        parts.append(box(EDGE, top, width, ROW, "wash", radius=16))
        parts.append(centred_text(name, (EDGE + 12, top, width - 24, ROW), _SIZES, bold=True))
        parts += [circle((EDGE + width + 50 + STEP * i, top + ROW // 2), PLACE) for i in range(shown)]
        if shown < places:
            parts.append(centred_text("…", (EDGE + width + 20 + STEP * shown, top, 60, ROW), _SIZES))
    right = EDGE + width + 20 + STEP * shown + (60 if shown < places else 0)
    bottom = EDGE + min(len(labels), ROWS) * (ROW + 10)
    description = names.say("rows", rows=len(labels), n=places, zone=Text(names.term(zone.name)))
    return Picture(right + EDGE, bottom, names.title(enum), description, tuple(parts))
