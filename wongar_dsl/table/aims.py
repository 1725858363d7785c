"""Where an option would do something, as the one who chooses can tell: the area that it names, or where a card comes to
lie."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from wongar_dsl import ir
from wongar_dsl.bots import luck
from wongar_dsl.engine import IllegalMove, Move, PlayFault, State
from wongar_dsl.engine.determinization import determinize
from wongar_dsl.engine.knowledge import sees
from wongar_dsl.ir.containers import Laid, container
from wongar_dsl.model import Type


@dataclass(frozen=True, slots=True)
class Aim:
    """The board and the area that an option is about; for one that lays a card, in which zone, and how it lies then."""

    board: str
    area: int
    zone: str = ""
    laid: Laid | None = None


def aims(state: State, moves: Iterable[Move]) -> Mapping[Move, Aim]:
    """Where each of these moves does something, as far as it is one place and known before.

    It hangs on nothing that the seat that decides cannot see.
    """
    decision = state.decision
    assert decision is not None
    found: dict[Move, Aim] = {}
    alike: State | None = None
    for move in moves:
        parameters = decision.options[move.option].parameters
        named = [(kind, value) for (_, kind), value in zip(parameters, move.arguments, strict=True) if value >= 0]
        layouts = [(zone, value) for kind, value in named for zone in _layouts(state, kind, value)]
        if layouts:
            if alike is None:
                # What is not known to the seat is dealt anew, so that nothing can be read off what comes.
                alike = determinize(state, state.seat, luck(0, state.seat, 0))
            aim = _laid(alike, move, layouts)
            if aim is not None:
                found[move] = aim
            continue
        areas = [Aim(kind.name, value) for kind, value in named if kind.kind == "board"]
        if areas:
            found[move] = areas[-1]
    return found


def _layouts(state: State, kind: Type, card: int) -> list[ir.Field]:
    """The open layouts on which a card could be laid: those for its sort on which it does not lie."""
    if kind.kind != "cards":
        return []
    zones = [
        place
        for place in state.game.program.fields
        if place.type == kind and (zone := container(place)) is not None and zone.spread and sees(place, (), None)
    ]
    return zones if all(_lying(state, zone, card) is None for zone in zones) else []


def _laid(state: State, move: Move, zones: Iterable[tuple[ir.Field, int]]) -> Aim | None:
    after = state.copy()
    try:
        after.apply(move)
    except (IllegalMove, PlayFault):
        return None
    for place, card in zones:
        laid = _lying(after, place, card)
        board = state.game.model.declared.zones[place.name].board
        if laid is not None and board is not None:
            return Aim(board, laid.area, place.name, laid)
    return None


def _lying(state: State, place: ir.Field, card: int) -> Laid | None:
    zone = container(place)
    cards = zone.laid(state.cells, place.base, place.width) if zone is not None else ()
    return next((laid for laid in cards if laid.face == card), None)
