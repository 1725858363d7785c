"""Target of an option on a board: the area that it names, or the position in which it lays a card."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.containers import PlacedCard, container
from wongar_dsl.engine import IllegalMove, Move, PlayFault, State
from wongar_dsl.engine.bots import decision_rng
from wongar_dsl.engine.hidden_information.determinization import determinize
from wongar_dsl.engine.hidden_information.information import is_visible
from wongar_dsl.language.semantics import Type


@dataclass(frozen=True, slots=True)
class OptionTarget:
    """Board and area of an option; for an option that lays a card, also the zone and the placement of the card."""

    board: str
    area: int
    zone: str = ""
    laid: PlacedCard | None = None


def option_targets(state: State, moves: Iterable[Move]) -> Mapping[Move, OptionTarget]:
    """Return the target of each of these moves that has exactly one, known to the deciding seat.

    The result depends only on what that seat can see.
    """
    decision = state.decision
    assert decision is not None
    targets: dict[Move, OptionTarget] = {}
    sampled: State | None = None
    for move in moves:
        parameters = decision.options[move.option].parameters
        arguments = [(kind, value) for (_, kind), value in zip(parameters, move.arguments, strict=True) if value >= 0]
        layouts = [(zone, value) for kind, value in arguments for zone in _layouts(state, kind, value)]
        if layouts:
            if sampled is None:
                # A determinization hides the true state, so that nothing hidden can be inferred from the result.
                sampled = determinize(state, state.seat, decision_rng(0, state.seat, 0))
            target = _placement_after(sampled, move, layouts)
            if target is not None:
                targets[move] = target
            continue
        areas = [OptionTarget(kind.name, value) for kind, value in arguments if kind.kind == "board"]
        if areas:
            targets[move] = areas[-1]
    return targets


def _layouts(state: State, kind: Type, card: int) -> list[ir.Field]:
    """Return the open layouts that take cards of this type, or none if the card lies on one of them already."""
    if kind.kind != "cards":
        return []
    zones = [
        place
        for place in state.game.program.fields
        if place.type == kind and (zone := container(place)) is not None and zone.spread and is_visible(place, (), None)
    ]
    return zones if all(_placed_card(state, zone, card) is None for zone in zones) else []


def _placement_after(state: State, move: Move, zones: Iterable[tuple[ir.Field, int]]) -> OptionTarget | None:
    after = state.copy()
    try:
        after.apply(move)
    except (IllegalMove, PlayFault):
        return None
    for place, card in zones:
        laid = _placed_card(after, place, card)
        board = state.game.model.declared.zones[place.name].board
        if laid is not None and board is not None:
            return OptionTarget(board, laid.area, place.name, laid)
    return None


def _placed_card(state: State, field: ir.Field, card: int) -> PlacedCard | None:
    zone = container(field)
    cards = zone.placed_cards(state.cells, field.base, field.width) if zone is not None else ()
    return next((laid for laid in cards if laid.face == card), None)
