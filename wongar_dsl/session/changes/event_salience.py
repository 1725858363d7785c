"""Importance of events for a viewer, from the data of the events and their declarations.

A digest keeps the sentences with the largest weights.
"""

from __future__ import annotations

from collections.abc import Iterator

from wongar_dsl.compiler import ir
from wongar_dsl.engine import Game
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.match import Match
from wongar_dsl.language.semantics import PLAYER
from wongar_dsl.session.board.board_refs import typed_indices

#: Sentence that explains a prompt.
CAUSE = 1_000
#: Sentence that sums up the effect on the viewer.
PERSONAL_SUMMARY = CAUSE - 1
#: Progress of the whole game: a new phase, the last round, the end.
WHOLE_GAME = 60
#: Added for an effect of other players or of chance on the viewer.
AFFECTS_VIEWER = 30
#: Points scored, and pieces lost; their number is added.
POINTS, LOSS = 15, 8
WEIGHTS = {
    "game_ended": 100,
    "pile_shuffled": 12,
    "told": 5,
    "figure_moved": 6,
    "figure_taken": 4,
    "track_advanced": 4,
    "card_moved": 3,
    "tokens_moved": 3,
    "card_laid": 2,
}
#: Progress of the game that a later message replaces.
SUPERSEDED = 3
#: Event whose result is visible on the board.
VISIBLE_ON_BOARD = 1
#: Types of arguments that refer to a player or to something on the board; without them a message concerns the whole
#: game. Below, those that refer to a player or to something that may belong to one.
_PARTICULAR = frozenset(("player", "board", "cards", "place", "tally", "figure"))
_WITH_OWNER = frozenset(("player", "place", "tally", "figure"))


def concerns_whole_game(spec: ir.EventSpec) -> bool:
    """Return whether events of a kind concern the whole game rather than a player, a card or an area."""
    return spec.kind == "told" and not any(kind.kind in _PARTICULAR for _, kind in spec.fields)


def has_no_actor(spec: ir.EventSpec) -> bool:
    """Return whether events of a kind are narrated without an actor or owner."""
    return spec.kind == "told" and not any(kind.kind in _WITH_OWNER for _, kind in spec.fields)


def weight(game: Game, event: Event, viewer: int | None, by_others: bool, repeated: bool) -> int:
    """Return the importance of an event to a viewer, who sees it as given.

    `by_others`: the viewer did not cause it; `repeated`: the same message is emitted again later.
    """
    spec = event.spec
    if concerns_whole_game(spec):
        return SUPERSEDED if repeated else WHOLE_GAME
    result = WEIGHTS.get(spec.kind, 1)
    if spec.kind == "points":
        number = event.fields()["n"][1]
        result = POINTS + (abs(number) if isinstance(number, int) else 0)
    elif spec.kind in ("card_moved", "card_laid") and all(kind.kind != "player" for _, kind in spec.fields):
        result = VISIBLE_ON_BOARD
    return result + (AFFECTS_VIEWER if viewer is not None and by_others and viewer in players(game, event) else 0)


def loss(game: Game, event: Event, viewer: int | None, supplies: frozenset[str]) -> int:
    """Return the importance of pieces that return from the board to a supply, whether that is reported or not."""
    if event.spec.kind != "tokens_moved":
        return 0
    fields = event.fields()
    (to, indices), (source, _), (_, number) = fields["to"], fields["from"], fields["n"]
    if to.name not in supplies or source.name in supplies or not isinstance(number, int) or number < 1:
        return 0
    affected = viewer is not None and viewer in _owners(game, to.name, indices)
    return LOSS + number + (AFFECTS_VIEWER if affected else 0)


def supplies_of(match: Match) -> frozenset[str]:
    """Return the zones that were filled before the first decision; pieces that return there have left the board."""
    kinds = (event.fields()["zone"][0] for event in match.opening if event.spec.kind == "filled")
    return frozenset(kind.name for kind in kinds)


def players(game: Game, event: Event) -> Iterator[int]:
    """Yield the players that an event concerns: arguments, and owners of changed fields."""
    for (_, kind), value in zip(event.spec.fields, event.values, strict=True):
        if kind.kind == "player" and isinstance(value, int):
            yield value
        elif kind.kind == "place":
            yield from _owners(game, kind.name, value)


def _owners(game: Game, name: str, value: int | tuple[int, ...] | None) -> Iterator[int]:
    """Yield the players among the indices of a place in an event."""
    yield from (index for kind, index in typed_indices(game, name, value) if kind == PLAYER)
