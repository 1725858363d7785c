"""What a seat may see of a state, derived from what each zone says of itself; and states that look the same to it."""

from __future__ import annotations

from wongar_dsl import ir
from wongar_dsl.engine.game import State
from wongar_dsl.engine.knowledge import copies, extent, size_at
from wongar_dsl.engine.notation import write_value

Content = dict[str, int] | dict[str, str] | list[str] | int | str | bool | None


def content(state: State, place: ir.Field, at: int) -> Content:
    """All that is in a copy of a place, by names: heaps and tokens as counts, piles from the top down."""
    cells, model = state.cells, state.game.model
    match place.kind:
        case "tokens":
            return {model.value_name(place.type, i): cells[at + i] for i in range(place.width) if cells[at + i]}
        case "heap":
            return {
                model.value_name(place.type, i): cells[at + 1 + i] for i in range(place.width - 1) if cells[at + 1 + i]
            }
        case "pile":
            return [model.value_name(place.type, c) for c in reversed(cells[at + 1 : at + 1 + cells[at]])]
        case "layout":
            return laid(state, place, at)
        case "slot":
            return model.value_name(place.type, cells[at]) if cells[at] >= 0 else None
        case "score" | "track":
            return cells[at]
        case "holder":
            return cells[at] + 1 if cells[at] >= 0 else None
        case "place":
            return cells[at]
    if place.type.kind == "number":
        return cells[at]
    if place.type.kind == "truth":
        return bool(cells[at])
    return write_value(model, place.type, cells[at])


def laid(state: State, place: ir.Field, at: int) -> dict[str, str]:
    """The cards on a layout: for each the area where it lies, and by how many sides it is turned (`b3/2`)."""
    model = state.game.model
    article = model.articles["zone", place.name]
    board = getattr(article, "board", None)
    assert board is not None
    pairs = (state.cells[at + 1 + 2 * i : at + 3 + 2 * i] for i in range((place.width - 1) // 2))
    areas = model.boards[board.text].areas
    return {model.value_name(place.type, i): f"{areas[a - 1]}/{t}" for i, (a, t) in enumerate(pairs) if a}


def observe(state: State, seat: int | None) -> dict[str, object]:
    """All that a seat may see: for each place its copies by their indices, a number where only that is seen.

    Also who decides what, and for the one who decides, the options.
    """
    model = state.game.model
    result: dict[str, object] = {}
    for place in state.game.program.fields:
        if place.kind in ("holder", "place"):
            result[place.kind] = _figures(state, place)
            continue
        seen: dict[str, object] = {}
        for indices, at in copies(place):
            key = ", ".join(write_value(model, t, i) for t, i in zip(place.indices, indices, strict=True))
            match extent(place, indices, seat):
                case "all":
                    seen[key] = content(state, place, at)
                case "number":
                    seen[key] = {"size": size_at(state.cells, place, at)}
        if seen:
            result[place.name] = seen if place.indices else seen[""]
    decision = state.decision
    result["decision"] = decision.name if decision is not None else None
    result["decides"] = state.seat + 1 if decision is not None else None
    if decision is not None and seat == state.seat:
        result["options"] = [state.write(m) for m in state.legal_moves()]
    result["winners"] = [p + 1 for p in state.winners]
    return result


def _figures(state: State, place: ir.Field) -> dict[str, object]:
    model = state.game.model
    result: dict[str, object] = {}
    for number, name in enumerate(model.figures):
        value = state.cells[place.base + number]
        article = model.articles["figure", name]
        if place.kind == "place":
            board = getattr(article, "board", None)
            result[name] = model.boards[board.text].areas[value] if board is not None and value >= 0 else None
        else:
            result[name] = value + 1 if value >= 0 else None
    return result
