"""Observations: the part of a state that a seat may see, derived from the visibility of each zone."""

from __future__ import annotations

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.containers import LAYOUT, NONE, container, size_at
from wongar_dsl.engine.game import State
from wongar_dsl.engine.hidden_information.information import visible_extent
from wongar_dsl.engine.notation import write_value

Content = dict[str, int] | dict[str, str | list[str]] | list[str] | int | str | bool | None


def content(state: State, field: ir.Field, at: int) -> Content:
    """Return the contents of a copy of a zone or value by names: heaps and tokens as counts, piles from the top down.

    Figures have their own form, see `observe`.
    """
    cells, model = state.cells, state.game.model
    zone = container(field)
    if zone is not None:
        if field.traits.spread:
            return layout_cards(state, field, at)
        if field.traits.counted:
            counts = enumerate(cells[at + zone.numbers : at + field.width])
            return {model.value_name(field.type, thing): number for thing, number in counts if number}
        names = [model.value_name(field.type, thing) for thing in zone.ordered_things(cells, at, field.width)]
        return names if not field.traits.single else names[0] if names else None
    if field.kind in ("score", "track") or field.type.kind == "number":
        return cells[at]
    if field.type.kind == "truth":
        return bool(cells[at])
    return write_value(model, field.type, cells[at])


def layout_cards(state: State, field: ir.Field, at: int) -> dict[str, str | list[str]]:
    """Return the cards on a layout, each with its area and rotation (`b3/2`); equal cards form a list."""
    model = state.game.model
    board = model.declared.zones[field.name].board
    assert board is not None
    areas = model.boards[board].areas
    positions: dict[str, list[str]] = {}
    for face, area, turned in LAYOUT.placed_cards(state.cells, at, field.width):
        positions.setdefault(model.value_name(field.type, face), []).append(f"{areas[area]}/{turned}")
    return {name: where if len(where) > 1 else where[0] for name, where in positions.items()}


def observe(state: State, seat: int | None) -> dict[str, object]:
    """Return all that a seat may see: for each field its copies by their indices, or only their sizes.

    It includes the pending decision, its seat, and for that seat the options.
    """
    result: dict[str, object] = {}
    for field in state.game.program.fields:
        if field.kind in ("holder", "place"):
            result[field.kind] = _figures(state, field)
            continue
        seen: dict[str, object] = {}
        alike = visible_extent(field, (), seat) if field.seen != "owner" else ""
        for key, indices, address in state.game.copies[field.name]:
            match alike or visible_extent(field, indices, seat):
                case "all":
                    seen[key] = content(state, field, address)
                case "number":
                    seen[key] = {"size": size_at(state.cells, field, address)}
        if seen:
            result[field.name] = seen if field.indices else seen[""]
    decision = state.decision
    result["decision"] = decision.name if decision is not None else None
    result["decides"] = state.seat + 1 if decision is not None else None
    if decision is not None and seat == state.seat:
        result["options"] = [state.write(m) for m in state.legal_moves()]
    result["winners"] = [p + 1 for p in state.winners]
    return result


def visible_state(state: State, seat: int | None) -> State:
    """Return the state as a seat sees it, with hidden zones, hidden values, variables and the random generator cleared.

    States that differ only in hidden information are mapped to the same state. It is for display and not for play: the
    size of a hidden zone is missing, even if the seat may know it.
    """
    program, cells = state.game.program, state.cells.copy()
    for spot in state.game.knowledge.hidden(seat):
        zone = container(spot.field)
        if zone is not None:
            zone.empty(cells, spot.at, spot.field.width)
        else:
            cells[spot.at] = 0 if spot.field.type.kind in ("number", "truth") else NONE
    for address in (ir.AT_CHANCE, ir.AT_PLAY_CHANCE, ir.AT_STEP, *range(program.frames, len(cells))):
        cells[address] = 0
    return State(state.game, cells)


def _figures(state: State, field: ir.Field) -> dict[str, object]:
    model = state.game.model
    result: dict[str, object] = {}
    for number, name in enumerate(model.figures):
        value = state.cells[field.at(number)]
        if field.kind == "place":
            board = model.declared.figures[name].board
            result[name] = model.boards[board].areas[value] if board is not None and value >= 0 else None
        else:
            result[name] = value + 1 if value >= 0 else None
    return result
