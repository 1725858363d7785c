"""Importance of events for a viewer, from the data of the events and their declarations."""

from __future__ import annotations

from collections.abc import Iterator

from wongar_dsl.compiler import ir
from wongar_dsl.engine import Game
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.match import Match

#: Sentence that explains a prompt.
CAUSE = 1_000
#: Sentence that sums up the effect on the viewer.
MEANING = CAUSE - 1
#: Progress of the whole game: a new phase, the last round, the end.
WHOLE_GAME = 60
#: Effect of other players or of chance on the viewer.
OWN = 30
#: Points scored, and pieces lost.
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
PASSED = 3
#: Event whose result is visible on the board.
SEEN = 1
#: Kinds of arguments that refer to a player or to something on the board; without them a message concerns the whole
#: game.
_PARTICULAR = frozenset(("player", "board", "cards", "place", "tally", "figure"))
_SOMEBODYS = frozenset(("player", "place", "tally", "figure"))


def concerns_whole_game(spec: ir.EventSpec) -> bool:
    """Return whether events of a kind concern the whole game rather than a player, a card or an area."""
    return spec.kind == "told" and not any(kind.kind in _PARTICULAR for _, kind in spec.fields)


def has_no_actor(spec: ir.EventSpec) -> bool:
    """Return whether events of a kind are narrated without an actor or owner."""
    return spec.kind == "told" and not any(kind.kind in _SOMEBODYS for _, kind in spec.fields)


def weight(game: Game, event: Event, viewer: int | None, by_others: bool, again: bool) -> int:
    """Return the importance of an event to a viewer, who sees it as given.

    `by_others`: the viewer did not cause it; `again`: the same message is emitted again later.
    """
    spec = event.spec
    if concerns_whole_game(spec):
        return PASSED if again else WHOLE_GAME
    result = WEIGHTS.get(spec.kind, 1)
    if spec.kind == "points":
        number = event.fields()["n"][1]
        result = POINTS + (abs(number) if isinstance(number, int) else 0)
    elif spec.kind in ("card_moved", "card_laid") and not _is_somebodys(spec):
        result = SEEN
    return result + (OWN if viewer is not None and by_others and viewer in players(game, event) else 0)


def _is_somebodys(spec: ir.EventSpec) -> bool:
    return any(kind.kind == "player" for _, kind in spec.fields)


def loss(game: Game, event: Event, viewer: int | None, supplies: frozenset[str]) -> int:
    """Return the importance of pieces that return from the board to a supply, whether that is reported or not."""
    if event.spec.kind != "tokens_moved":
        return 0
    fields = event.fields()
    (to, indices), (source, _), (_, number) = fields["to"], fields["from"], fields["n"]
    if to.name not in supplies or source.name in supplies or not isinstance(number, int) or number < 1:
        return 0
    owners = {index for kind, index in _indices(game, to.name, indices) if kind == "player"}
    return LOSS + number + (OWN if viewer is not None and viewer in owners else 0)


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
            yield from (index for owner_kind, index in _indices(game, kind.name, value) if owner_kind == "player")


def _indices(game: Game, name: str, value: int | tuple[int, ...] | None) -> Iterator[tuple[str, int]]:
    place = game.fields.get(name)
    if place is None or value is None:
        return
    indices = value if isinstance(value, tuple) else (value,)
    yield from ((kind.kind, index) for kind, index in zip(place.indices, indices, strict=False))
