"""What each choice would bring, from what the seat that decides can see.

A forecast goes on as long as nothing has a part in it that the seat cannot know: what follows at once, and then what
would come if everybody took, from there on, the one option that moves, lays, draws and scores nothing.  It is the same
for two states that look the same to the seat.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from wongar_dsl.engine import Move, State
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.foresight import foresee, idle_move
from wongar_dsl.engine.match import Match
from wongar_dsl.engine.standing import standing
from wongar_dsl.model import Type
from wongar_dsl.table.places import Place, places_of_event, places_of_move
from wongar_dsl.table.weight import supplies_of

#: So many decisions ahead nobody looks.
FARTHEST = 60
#: A choice that costs so much more than the cheapest one is worth a second look.
MUCH = 3
#: Of no more places a forecast says where somebody could go on to.
MOST_AHEAD = 6

#: So many of a seat's next choices are looked at for what comes back with them.
MOST_NEXT = 3

#: Where a forecast ends: with the game, at chance, at something hidden, at a choice that somebody has to make, or far
#: ahead.
End = Literal["over", "chance", "hidden", "choice", "far"]


#: How many pieces, by their sort.
Pieces = dict[tuple[Type, int], int]


class Lost(NamedTuple):
    """So many pieces that are a value of a type."""

    kind: Type
    value: int
    number: int


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a choice would bring.

    `now` is what follows at once, `then` what would come if everybody did nothing more, both as the seat would see it.
    `ahead` are the moves that the same seat could choose from next, in `state`, where they are few, and `figures` what
    each of them moves.  `places` are the areas that the choice and what follows touch, `later` those of them that
    nothing touches at once.  `lost` are own pieces that go back from the table, and do not come there again with what
    the seat has to choose next, `points` what each seat gets or loses in all.  With `exchange` own pieces also come to
    the table at once: what goes back is the price of that.  `standing` is by how much it changes what each seat would
    have if the game ended then, points apart; empty where nobody can know that.  `risky`: the choice costs much more
    than others, and brings neither points nor such pieces.
    """

    now: tuple[Event, ...]
    then: tuple[Event, ...]
    end: End
    state: State | None
    ahead: tuple[Move, ...]
    places: frozenset[Place]
    lost: tuple[Lost, ...]
    points: tuple[tuple[int, int], ...]
    figures: tuple[int, ...] = ()
    exchange: bool = False
    standing: tuple[tuple[int, int], ...] = ()
    risky: bool = False
    later: frozenset[Place] = frozenset()

    @property
    def events(self) -> tuple[Event, ...]:
        """All that it tells of."""
        return (*self.now, *self.then)

    @property
    def loss(self) -> int:
        """How many own pieces go back from the table."""
        return sum(lost.number for lost in self.lost)

    def cost(self, seat: int) -> int:
        """What it takes away from a seat, in pieces and points."""
        return self.loss - min(0, dict(self.points).get(seat, 0))


class Forecasts:
    """The forecasts for the options of the decision at hand, worked out bit by bit."""

    def __init__(self, match: Match, moves: Sequence[Move]) -> None:
        """`moves` are the options of the match's decision; the match stays as it is."""
        self._state = match.state.copy()
        self._seat, self._supplies = match.state.seat, supplies_of(match)
        # A clock measures how fast somebody sees what a choice brings.
        self._left = [] if match.state.clock is not None else list(reversed(moves))
        self._found: dict[Move, Forecast] = {}
        self._back: dict[tuple[int, str], Pieces] = {}

    @property
    def complete(self) -> bool:
        """Whether all forecasts are there."""
        return not self._left

    def work(self, enough: Callable[[], bool]) -> bool:
        """Go on, forecast by forecast, until it is `enough`; whether all are there."""
        while self._left and not enough():
            move = self._left.pop()
            self._found[move] = forecast(self._state, move, self._seat, self._supplies, self._back)
            if not self._left:
                self._compare()
        return self.complete

    def of(self, move: Move) -> Forecast | None:
        """The forecast for a move; None where it is not there yet."""
        return self._found.get(move)

    def _compare(self) -> None:
        """Mark what costs much more than the cheapest choice."""
        costs = {move: found.cost(self._seat) for move, found in self._found.items()}
        least = min(costs.values(), default=0)
        for move, found in self._found.items():
            pays = found.exchange or dict(found.points).get(self._seat, 0) > 0
            self._found[move] = replace(found, risky=not pays and costs[move] >= least + MUCH)


def forecast(
    state: State, move: Move, seat: int, supplies: frozenset[str], known: dict[tuple[int, str], Pieces]
) -> Forecast:
    """What a move would bring, as the seat that decides can see it.

    `known` is what comes back to the table after other moves of this decision, by their option and what is asked then.
    """
    seen = foresee(state, move, seat)
    now, then = seen.events, list[Event]()
    end: End = seen.limit or "choice"
    after = last = seen.state
    for _ in range(FARTHEST):
        if last is None or last.over:
            break
        decision = last.decision
        assert decision is not None
        idle = None if decision.simultaneous or decision.clock is not None else idle_move(last, seat)
        if not isinstance(idle, Move):
            end = "hidden" if decision.simultaneous or idle == "hidden" else "choice"
            break
        seen = foresee(last, idle, seat)
        then += seen.events
        end, last = seen.limit or "choice", seen.state
    else:
        end = "far"
    if last is not None and last.over:
        end = "over"
    ahead = _ahead(after, seat)
    at_once = places_of_move(state, move).union(*(places_of_event(state, event) for event in now))
    later = frozenset[Place]().union(*(places_of_event(state, event) for event in then))
    if after is not None:
        later = later.union(*(places_of_move(after, one) for one in ahead))
    events = (*now, *then)
    lost = _lost(state, events, seat, supplies)
    if lost and not then and after is not None and after.decision is not None:
        key = (move.option, after.decision.name)
        if key not in known:
            known[key] = _coming_back(after, seat, supplies)
        left = (one._replace(number=one.number - known[key].get((one.kind, one.value), 0)) for one in lost)
        lost = tuple(one for one in left if one.number > 0)
    figures, exchange = _figures(after, ahead, seat), bool(lost) and _comes(state, now, seat, supplies)
    points = _points(events)
    return Forecast(
        now, tuple(then), end, after, ahead, at_once | later, lost, points, figures, exchange,
        _standing(state, last, seat, dict(points)), later=later - at_once,
    )  # fmt: skip


def _standing(before: State, after: State | None, seat: int, points: Mapping[int, int]) -> tuple[tuple[int, int], ...]:
    """By how much what each seat would have at once changes, without the points that it gets or loses anyway."""
    if after is None or after.over:
        return ()
    old, new = standing(before, seat), standing(after, seat)
    if old is None or new is None:
        return ()
    changes = (b - a - points.get(p, 0) for p, (a, b) in enumerate(zip(old, new, strict=True)))
    return tuple((p, change) for p, change in enumerate(changes) if change)


def _coming_back(after: State, seat: int, supplies: frozenset[str]) -> Pieces:
    """The pieces that a seat brings to the table next: while it chooses only among options of one sort, each of them is
    taken to bring as many as the first."""
    found: Pieces = {}
    state: State | None = after
    for _ in range(MOST_NEXT):
        if state is None or state.over or state.seat != seat or state.clock is not None or any(found.values()):
            break
        moves = state.legal_moves()
        if len({move.option for move in moves}) != 1:
            break
        seen = foresee(state, moves[0], seat)
        found = {key: -number for key, number in _balance(state, seen.events, seat, supplies).items() if number < 0}
        state = seen.state
    return found


def _figures(after: State | None, ahead: Sequence[Move], seat: int) -> tuple[int, ...]:
    """The figures that a seat moves with each of the choices that come next; none where these do something else."""
    if after is None or not ahead:
        return ()
    moved = (event.fields() for event in foresee(after, ahead[0], seat).events if event.spec.kind == "figure_moved")
    found = ((fields["figure"][1], fields["to"][1]) for fields in moved)
    return tuple(figure for figure, to in found if isinstance(figure, int) and to == ahead[0].arguments[-1])


def _ahead(after: State | None, seat: int) -> tuple[Move, ...]:
    """What the seat could choose from next, where that is another area for each option."""
    if after is None or after.over or after.seat != seat or after.clock is not None:
        return ()
    moves = after.legal_moves()
    if not 1 <= len(moves) <= MOST_AHEAD or not all(move.arguments for move in moves):
        return ()
    spec = after.decision
    assert spec is not None
    if any(spec.options[move.option].parameters[-1][1].kind != "board" for move in moves):
        return ()
    return tuple(moves) if len({move.arguments[-1] for move in moves}) == len(moves) else ()


def _points(events: Sequence[Event]) -> tuple[tuple[int, int], ...]:
    """The points that each seat gets in all, in the order in which they get the first ones."""
    found: dict[int, int] = {}
    for event in events:
        if event.spec.kind == "points":
            fields = event.fields()
            player, number = fields["player"][1], fields["n"][1]
            if isinstance(player, int) and isinstance(number, int):
                found[player] = found.get(player, 0) + number
    return tuple(found.items())


def _lost(state: State, events: Sequence[Event], seat: int, supplies: frozenset[str]) -> tuple[Lost, ...]:
    """What of a seat goes back from the table, less what comes there."""
    balance = _balance(state, events, seat, supplies)
    return tuple(Lost(kind, token, number) for (kind, token), number in balance.items() if number > 0)


def _balance(state: State, events: Sequence[Event], seat: int, supplies: frozenset[str]) -> Pieces:
    """How many more pieces of a seat go back from the table than come there."""
    found: Pieces = {}
    for event in events:
        if event.spec.kind == "tokens_moved":
            fields = event.fields()
            (_, number), (kind, token) = fields["n"], fields["token"]
            back = _is_supply(state, *fields["to"], seat, supplies)
            away = _is_supply(state, *fields["from"], seat, supplies)
            if isinstance(number, int) and isinstance(token, int) and back is not None and away is not None:
                found[kind, token] = found.get((kind, token), 0) + number * (int(back) - int(away))
    return found


def _comes(state: State, events: Sequence[Event], seat: int, supplies: frozenset[str]) -> bool:
    """Whether pieces of a seat come from its supply to the table."""
    return any(number < 0 for event in events for number in _balance(state, [event], seat, supplies).values())


def _is_supply(
    state: State, kind: Type, value: int | tuple[int, ...] | None, seat: int, supplies: frozenset[str]
) -> bool | None:
    """Whether a place is a supply of a seat (True), or another one of its places; None for places of others."""
    place = state.game.fields.get(kind.name)
    if place is None or value is None:
        return None
    indices = value if isinstance(value, tuple) else (value,)
    owners = [index for of, index in zip(place.indices, indices, strict=False) if of.kind == "player"]
    return place.name in supplies if owners == [seat] else None
