"""How much it matters to somebody what happened: by what events carry, and what the rules declare of them."""

from __future__ import annotations

from collections.abc import Iterator

from wongar_dsl import ir
from wongar_dsl.engine import Game
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.match import Match

#: What says why somebody is asked something.
CAUSE = 1_000
#: What all of it means for who reads it.
MEANING = CAUSE - 1
#: How the game goes on as a whole: a phase begins, the last round begins, the game is over.
COURSE = 60
#: What comes to somebody by others, or by chance.
OWN = 30
#: Points that somebody gets, and what somebody else loses.
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
#: What only says how the game is going on, and is soon so again: what it was before, somebody need not know any more.
PASSED = 3
#: What can be seen on the table as it lies now.
SEEN = 1
#: Arguments that are about somebody or something on the table; without them something holds for the game as a whole.
_PARTICULAR = frozenset(("player", "board", "cards", "place", "tally", "figure"))
_SOMEBODYS = frozenset(("player", "place", "tally", "figure"))


def is_of_the_course(spec: ir.EventSpec) -> bool:
    """Whether events of a sort are told for the game as a whole, and not of a player, a card or an area."""
    return spec.kind == "told" and not any(kind.kind in _PARTICULAR for _, kind in spec.fields)


def is_nobodys(spec: ir.EventSpec) -> bool:
    """Whether events of a sort are told as what happens of itself: of no player, nor of anybody's place."""
    return spec.kind == "told" and not any(kind.kind in _SOMEBODYS for _, kind in spec.fields)


def weight(game: Game, event: Event, viewer: int | None, by_others: bool, again: bool) -> int:
    """How much an event matters to a viewer, who is told of it as it is given.

    `by_others`: the viewer did not do it themselves; `again`: the same is told once more behind it.
    """
    spec = event.spec
    if is_of_the_course(spec):
        return PASSED if again else COURSE
    found = WEIGHTS.get(spec.kind, 1)
    if spec.kind == "points":
        number = event.fields()["n"][1]
        found = POINTS + (abs(number) if isinstance(number, int) else 0)
    elif spec.kind in ("card_moved", "card_laid") and not _is_somebodys(spec):
        found = SEEN
    return found + (OWN if viewer is not None and by_others and viewer in players(game, event) else 0)


def _is_somebodys(spec: ir.EventSpec) -> bool:
    return any(kind.kind == "player" for _, kind in spec.fields)


def loss(game: Game, event: Event, viewer: int | None, supplies: frozenset[str]) -> int:
    """How much it matters to a viewer what pieces go back from the table to a supply, be it told or not."""
    if event.spec.kind != "tokens_moved":
        return 0
    fields = event.fields()
    (to, indices), (source, _), (_, number) = fields["to"], fields["from"], fields["n"]
    if to.name not in supplies or source.name in supplies or not isinstance(number, int) or number < 1:
        return 0
    owners = {index for kind, index in _indices(game, to.name, indices) if kind == "player"}
    return LOSS + number + (OWN if viewer is not None and viewer in owners else 0)


def supplies_of(match: Match) -> frozenset[str]:
    """The zones that were filled before anybody did anything: what goes back there is off the table."""
    kinds = (event.fields()["zone"][0] for event in match.opening if event.spec.kind == "filled")
    return frozenset(kind.name for kind in kinds)


def players(game: Game, event: Event) -> Iterator[int]:
    """Whom an event is about: who gets something, and whose places it changes."""
    for (_, kind), value in zip(event.spec.fields, event.values, strict=True):
        if kind.kind == "player" and isinstance(value, int):
            yield value
        elif kind.kind == "place":
            yield from (index for of, index in _indices(game, kind.name, value) if of == "player")


def _indices(game: Game, name: str, value: int | tuple[int, ...] | None) -> Iterator[tuple[str, int]]:
    place = game.fields.get(name)
    if place is None or value is None:
        return
    indices = value if isinstance(value, tuple) else (value,)
    yield from ((kind.kind, index) for kind, index in zip(place.indices, indices, strict=False))
