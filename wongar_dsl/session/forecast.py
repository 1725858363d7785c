"""Forecast of the result of each option, from what the deciding seat can see.

A forecast covers the direct consequences, then what would follow if every player passed, that is took the one option
that moves, lays, draws and scores nothing. It stops where something unknown to the seat takes part. It is equal for
states in the same information set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from wongar_dsl.compiler import ir
from wongar_dsl.engine import Move, State
from wongar_dsl.engine.bots import SearchBudget, decision_rng, is_puzzle
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.hidden_information.lookahead import lookahead, pass_move, provisional_scores
from wongar_dsl.engine.match import Match
from wongar_dsl.language.semantics import PLAYER, Type
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.narration.story import Story
from wongar_dsl.nlg.words import Listing, Sentence, Term, Text
from wongar_dsl.nlg.words.translator import BRIEF, EACH, IN_A_STORY, TOGETHER
from wongar_dsl.session.changes import has_no_actor, supplies_of
from wongar_dsl.session.menu import Menu
from wongar_dsl.session.scene import BoardArea, areas_of_event, areas_of_move, typed_indices

#: Maximum number of decisions looked ahead.
MAX_DISTANCE = 60
#: Extra cost, compared with the cheapest option, from which an option counts as risky.
MIN_EXTRA_COST = 3
#: Maximum number of next areas that a forecast lists.
MAX_REACHABLE_PLACES = 6

#: Maximum number of the seat's next choices that are followed to find returning pieces.
MAX_NEXT_CHOICES = 3

#: Reason why a forecast ends: end of the game, chance, hidden information, a choice to make, or the depth limit.
End = Literal["over", "chance", "hidden", "choice", "far"]


#: Number of pieces by (type, value).
PieceCounts = dict[tuple[Type, int], int]


class PieceLoss(NamedTuple):
    """Number of lost pieces of one type and value."""

    kind: Type
    value: int
    number: int


@dataclass(frozen=True, slots=True)
class Forecast:
    """Result of an option.

    `immediate_events` holds the direct consequences, `later_events` those that follow if everyone passes, both as the
    seat would see them. `next_moves` are the seat's next moves in `state`, if they are few, and `figures` the figures
    that each of them moves. `places` are the areas touched, `later` those of them that are not touched directly.
    `losses` are the seat's pieces that leave the board and do not return with its next choices; `points` is the total
    gain or loss of each seat. `exchange`: pieces of the seat also enter at once, so that the lost ones are their price.
    `standing` is the change in the points that an immediate end would give, apart from `points`; empty if unknown.
    `risky`: it costs much more than others and brings neither points nor an exchange.
    """

    immediate_events: tuple[Event, ...]
    later_events: tuple[Event, ...]
    end: End
    state: State | None
    next_moves: tuple[Move, ...]
    places: frozenset[BoardArea]
    losses: tuple[PieceLoss, ...]
    points: tuple[tuple[int, int], ...]
    figures: tuple[int, ...] = ()
    exchange: bool = False
    standing: tuple[tuple[int, int], ...] = ()
    risky: bool = False
    later: frozenset[BoardArea] = frozenset()

    @property
    def events(self) -> tuple[Event, ...]:
        """All events of the forecast."""
        return (*self.immediate_events, *self.later_events)

    @property
    def loss(self) -> int:
        """Number of the seat's pieces that leave the board."""
        return sum(lost.number for lost in self.losses)

    def cost(self, seat: int) -> int:
        """Return the pieces and points that the seat loses."""
        return self.loss - min(0, dict(self.points).get(seat, 0))


class ForecastWorker:
    """Forecasts for the options of the current decision, computed incrementally."""

    def __init__(self, match: Match, moves: Sequence[Move]) -> None:
        """Prepare forecasts for the `moves` of the match's current decision; the match is not changed."""
        self._state = match.state.copy()
        self._seat, self._supplies = match.state.seat, supplies_of(match)
        # With a clock running there are no forecasts: they would give the answer away.
        self._pending = [] if match.state.clock is not None else list(reversed(moves))
        self._forecasts: dict[Move, Forecast] = {}
        self._returning: dict[tuple[int, str], PieceCounts] = {}

    @property
    def complete(self) -> bool:
        """True if all forecasts are computed."""
        return not self._pending

    def work(self, should_stop: Callable[[], bool]) -> bool:
        """Compute forecasts until `should_stop()` is true; return whether all are complete."""
        while self._pending and not should_stop():
            move = self._pending.pop()
            self._forecasts[move] = forecast(self._state, move, self._seat, self._supplies, self._returning)
            if not self._pending:
                self._mark_risky()
        return self.complete

    def of(self, move: Move) -> Forecast | None:
        """Return the forecast for a move, or None if it is not computed yet."""
        return self._forecasts.get(move)

    def _mark_risky(self) -> None:
        """Mark the options that cost much more than the cheapest one."""
        costs = {move: entry.cost(self._seat) for move, entry in self._forecasts.items()}
        least = min(costs.values(), default=0)
        for move, entry in self._forecasts.items():
            pays = entry.exchange or dict(entry.points).get(self._seat, 0) > 0
            self._forecasts[move] = replace(entry, risky=not pays and costs[move] >= least + MIN_EXTRA_COST)


def forecast(
    state: State, move: Move, seat: int, supplies: frozenset[str], known: dict[tuple[int, str], PieceCounts]
) -> Forecast:
    """Return the forecast for a move, from what the deciding seat can see.

    `known` caches the pieces that return after other moves of this decision, by option and next decision.
    """
    outcome = lookahead(state, move, seat)
    now, then = outcome.events, list[Event]()
    end: End = outcome.limit or "choice"
    after = last = outcome.state
    for _ in range(MAX_DISTANCE):
        if last is None or last.over:
            break
        decision = last.decision
        assert decision is not None
        passing = None if decision.simultaneous or decision.clock is not None else pass_move(last, seat)
        if not isinstance(passing, Move):
            end = "hidden" if decision.simultaneous or passing == "hidden" else "choice"
            break
        outcome = lookahead(last, passing, seat)
        then += outcome.events
        end, last = outcome.limit or "choice", outcome.state
    else:
        end = "far"
    if last is not None and last.over:
        end = "over"
    next_moves = _next_moves(after, seat)
    at_once = areas_of_move(state, move).union(*(areas_of_event(state, event) for event in now))
    later = frozenset[BoardArea]().union(*(areas_of_event(state, event) for event in then))
    if after is not None:
        later = later.union(*(areas_of_move(after, item) for item in next_moves))
    events = (*now, *then)
    balance = _balance(state, events, seat, supplies)
    lost = tuple(PieceLoss(kind, token, number) for (kind, token), number in balance.items() if number > 0)
    if lost and not then and after is not None and after.decision is not None:
        key = (move.option, after.decision.name)
        if key not in known:
            known[key] = _returning_pieces(after, seat, supplies)
        remaining = (item._replace(number=item.number - known[key].get((item.kind, item.value), 0)) for item in lost)
        lost = tuple(item for item in remaining if item.number > 0)
    # Pieces that enter the board from the seat's supply.
    entering = (n < 0 for event in now for n in _balance(state, [event], seat, supplies).values())
    figures, exchange = _figures(after, next_moves, seat), bool(lost) and any(entering)
    points = _points(events)
    return Forecast(
        now, tuple(then), end, after, next_moves, at_once | later, lost, points, figures, exchange,
        _standing(state, last, seat, dict(points)), later=later - at_once,
    )  # fmt: skip


def _standing(before: State, after: State | None, seat: int, points: Mapping[int, int]) -> tuple[tuple[int, int], ...]:
    """Return the change in the points that an immediate end would give, beyond the points scored anyway."""
    if after is None or after.over:
        return ()
    old, new = provisional_scores(before, seat), provisional_scores(after, seat)
    if old is None or new is None:
        return ()
    changes = (b - a - points.get(p, 0) for p, (a, b) in enumerate(zip(old, new, strict=True)))
    return tuple((p, change) for p, change in enumerate(changes) if change)


def _returning_pieces(after: State, seat: int, supplies: frozenset[str]) -> PieceCounts:
    """Return the pieces that a seat brings to the board next.

    Only choices among moves of a single option count; each move is assumed to bring as many pieces as the first.
    """
    returning: PieceCounts = {}
    state: State | None = after
    for _ in range(MAX_NEXT_CHOICES):
        if state is None or state.over or state.seat != seat or state.clock is not None or any(returning.values()):
            break
        moves = state.legal_moves()
        if len({move.option for move in moves}) != 1:
            break
        outcome = lookahead(state, moves[0], seat)
        returning = {key: -n for key, n in _balance(state, outcome.events, seat, supplies).items() if n < 0}
        state = outcome.state
    return returning


def _figures(after: State | None, moves: Sequence[Move], seat: int) -> tuple[int, ...]:
    """Return the figure that each of the seat's next moves would move; empty if the moves do something else."""
    if after is None or not moves:
        return ()
    moved = (event.fields() for event in lookahead(after, moves[0], seat).events if event.spec.kind == "figure_moved")
    targets = ((fields["figure"][1], fields["to"][1]) for fields in moved)
    return tuple(figure for figure, to in targets if isinstance(figure, int) and to == moves[0].arguments[-1])


def _next_moves(after: State | None, seat: int) -> tuple[Move, ...]:
    """Return the seat's next moves if each of them names a different area."""
    if after is None or after.over or after.seat != seat or after.clock is not None:
        return ()
    moves = after.legal_moves()
    if not 1 <= len(moves) <= MAX_REACHABLE_PLACES or not all(move.arguments for move in moves):
        return ()
    spec = after.decision
    assert spec is not None
    if any(spec.options[move.option].parameters[-1][1].kind != "board" for move in moves):
        return ()
    return tuple(moves) if len({move.arguments[-1] for move in moves}) == len(moves) else ()


def _points(events: Sequence[Event]) -> tuple[tuple[int, int], ...]:
    """Return the total points that each seat gets, in order of its first gain."""
    totals: dict[int, int] = {}
    for event in events:
        if event.spec.kind == "points":
            fields = event.fields()
            player, number = fields["player"][1], fields["n"][1]
            if isinstance(player, int) and isinstance(number, int):
                totals[player] = totals.get(player, 0) + number
    return tuple(totals.items())


def _balance(state: State, events: Sequence[Event], seat: int, supplies: frozenset[str]) -> PieceCounts:
    """Return the net number of the seat's pieces that leave the board, by type and value."""
    balance: PieceCounts = {}
    for event in events:
        if event.spec.kind == "tokens_moved":
            fields = event.fields()
            (_, number), (kind, token) = fields["n"], fields["token"]
            to_supply = _is_supply(state, *fields["to"], seat, supplies)
            from_supply = _is_supply(state, *fields["from"], seat, supplies)
            if isinstance(number, int) and isinstance(token, int) and to_supply is not None and from_supply is not None:
                balance[kind, token] = balance.get((kind, token), 0) + number * (int(to_supply) - int(from_supply))
    return balance


def _is_supply(
    state: State, kind: Type, value: int | tuple[int, ...] | None, seat: int, supplies: frozenset[str]
) -> bool | None:
    """Return True for a supply of the seat, False for another field of the seat, None for any other field."""
    owners = [index for index_type, index in typed_indices(state.game, kind.name, value) if index_type == PLAYER]
    return kind.name in supplies if owners == [seat] else None


#: Maximum number of gains whose reasons fit in one line.
MAX_POINT_REASONS = 4
#: Suffixes of the message variants for a message that is mostly combined with others.
JOINED = (*IN_A_STORY, TOGETHER, EACH)
#: Separators between the parts of a line, and between the gains of players.
PART_SEPARATOR, RECIPIENT_SEPARATOR = " · ", "; "


def one_line(forecast: Forecast, narrator: Narrator) -> str:
    """Return the forecast in one line (*so: Anna 4 for this*), or "" if there is nothing to report."""
    return PART_SEPARATOR.join(_parts(forecast, narrator))


def short_line(forecast: Forecast, narrator: Narrator, seat: int) -> str:
    """Return a shorter line with the gain of the seat and the sum of all others; the rest is left out."""
    words, points = narrator.words, dict(forecast.points)
    own_points = points.pop(seat, 0)
    parts = [_in_all(seat, own_points, narrator)] if own_points else []
    others = sum(points.values())
    if others:
        message = "forecast.others.lost" if others < 0 else "forecast.others"
        parts.append(words.say(message, None, n=abs(others)))
    won = _won(forecast, narrator)
    if won is not None:
        parts = [won]
    if parts:
        return _so(parts, narrator)
    if forecast.standing:
        return _standing_text(forecast, narrator)
    return _loss_text(forecast, narrator) if forecast.losses else ""


def full_text(forecast: Forecast, narrator: Narrator, viewer: int) -> list[str]:
    """Return the forecast in full: direct consequences, what would follow, and why it ends there."""
    say, lines = narrator.words.say, list[str]()
    for heading, events in (("forecast.now", forecast.immediate_events), ("forecast.then", forecast.later_events)):
        told = [line.text for line in Story(viewer, standings=False).unreported(narrator, events)]
        lines += [say(heading), *told] if told else []
    if lines and forecast.end != "over":
        lines.append(say(f"forecast.end.{forecast.end}"))
    return lines


def costly_choice_question(forecast: Forecast, narrator: Narrator) -> str:
    """Return the question asked before an option that costs much more than others."""
    costs = [_loss_text(forecast, narrator)] if forecast.losses else []
    # Points are worded as in the line behind the option.
    points = list(_point_texts(forecast, narrator))
    costs += [_so(points, narrator)] if points else []
    return narrator.words.say("forecast.sure", None, cost=Text(PART_SEPARATOR.join(costs)))


def _parts(forecast: Forecast, narrator: Narrator) -> Iterator[str]:
    won = _won(forecast, narrator)
    points = [*_point_texts(forecast, narrator), *([won] if won is not None else [])]
    if points:
        yield _so(points, narrator)
    if forecast.standing:
        yield _standing_text(forecast, narrator)
    if forecast.losses:
        yield _loss_text(forecast, narrator)
    elif won is None:
        yield from _notice(forecast, narrator)
    if forecast.next_moves and forecast.state is not None and forecast.state.decision is not None:
        yield _ahead(forecast, forecast.state.decision.options, narrator)


def _so(parts: Sequence[str], narrator: Narrator) -> str:
    return narrator.words.say("forecast.so", None, parts=Text(RECIPIENT_SEPARATOR.join(parts)))


def _notice(forecast: Forecast, narrator: Narrator) -> Iterator[str]:
    """Yield the last direct consequence that has no actor and is always reported alone.

    Examples are the reason of a failure, or the start of the last round.
    """
    words, scope = narrator.words, narrator.scope
    for event in reversed(forecast.immediate_events):
        spoken = narrator.spoken_event(event) if event.told and has_no_actor(event.spec) else None
        if spoken is not None and not any(words.has_message(f"{spoken.message}{end}", scope) for end in JOINED):
            yield words.say("forecast.notice", scope, said=Sentence(spoken.message, spoken.values))
            return


def _ahead(forecast: Forecast, options: Sequence[ir.OptionSpec], narrator: Narrator) -> str:
    """Return where the seat could move next, and with which figures."""
    last = ((options[move.option].parameters[-1][1], move.arguments[-1]) for move in forecast.next_moves)
    named = (narrator.words.value(narrator.value(kind, value), narrator.scope) for kind, value in last)
    places = Text(narrator.words.chain([*named]))
    if not forecast.figures:
        return narrator.words.say("forecast.ahead", None, places=places)
    names = narrator.game.model.figures
    figures = Listing(tuple(Term(names[figure], narrator.scope) for figure in forecast.figures))
    return narrator.words.say("forecast.ahead.figures", None, figures=figures, places=places)


def _won(forecast: Forecast, narrator: Narrator) -> str | None:
    """Return who would win, or None if the game does not end."""
    won = next((event for event in forecast.events if event.spec.kind == "game_ended"), None)
    if won is None:
        return None
    winners = won.fields()["winners"][1]
    won_by = [p for p in range(narrator.game.seats) if isinstance(winners, int) and winners >> p & 1]
    if not won_by:
        return narrator.words.say("forecast.draw")
    return narrator.words.say("forecast.wins", None, winners=Listing(tuple(map(narrator.player, won_by))))


def _in_all(seat: int, number: int, narrator: Narrator) -> str:
    message = "forecast.points.lost" if number < 0 else "forecast.points"
    return narrator.words.say(message, None, player=narrator.player(seat), n=abs(number))


def _point_texts(forecast: Forecast, narrator: Narrator) -> Iterator[str]:
    """Yield the gains of each player with their reasons; of many gains only the totals."""
    words, scored = narrator.words, [event for event in forecast.events if event.spec.kind == "points"]
    if len(scored) <= MAX_POINT_REASONS and all(
        words.has(f"{event.spec.message}{BRIEF}", narrator.scope) for event in scored
    ):
        gains: dict[int, list[str]] = {}
        for event in scored:
            spoken, seat = narrator.spoken_event(event), event.fields()["player"][1]
            if spoken is not None and isinstance(seat, int):
                gain = words.say(f"{spoken.message}{BRIEF}", narrator.scope, **spoken.values)
                gains.setdefault(seat, []).append(gain)
        for seat, parts in gains.items():
            yield words.say("forecast.gets", None, player=narrator.player(seat), gains=Text(words.chain(parts)))
        return
    for seat, number in forecast.points:
        yield _in_all(seat, number, narrator)


def _standing_text(forecast: Forecast, narrator: Narrator) -> str:
    parts = RECIPIENT_SEPARATOR.join(_in_all(seat, number, narrator) for seat, number in forecast.standing)
    return narrator.words.say("forecast.standing", None, parts=Text(parts))


def _loss_text(forecast: Forecast, narrator: Narrator) -> str:
    things = (narrator.thing(lost.kind, lost.value, lost.number) for lost in forecast.losses)
    return narrator.words.say("forecast.lost", None, things=Listing(tuple(things)))


class ForecastCache:
    """Forecasts for the current decision of a match; `shown` switches them on."""

    def __init__(self, match: Match, shown: bool = True) -> None:
        self._match, self.shown = match, shown
        self._cells: list[int] = []
        self._forecasts = ForecastWorker(match, ())

    def work(self, should_stop: Callable[[], bool]) -> bool:
        """Compute forecasts until `should_stop()` is true; return whether all are complete."""
        if not self.shown or self._match.state.over:
            return True
        if self._cells != self._match.state.cells:
            self._cells = self._match.state.cells.copy()
            self._forecasts = ForecastWorker(self._match, self._match.state.legal_moves())
        return self._forecasts.work(should_stop)

    def of(self, move: Move) -> Forecast | None:
        """Return the forecast for a move of the current decision; None if not computed or switched off."""
        current = self.shown and self._cells == self._match.state.cells
        return self._forecasts.of(move) if current else None

    def with_forecasts(self, menu: Menu, narrator: Narrator) -> Menu:
        """Return the menu with the forecasts computed so far."""
        forecasts = {entry: self.of(entry.move) for entry in menu.entries} if menu.part is None else {}
        if not any(forecasts.values()):
            return menu
        seat = self._match.state.seat
        entries = (
            replace(e, forecast_line=one_line(f, narrator), short_forecast=short_line(f, narrator, seat))
            if f is not None
            else e
            for e, f in forecasts.items()
        )
        return replace(menu, entries=tuple(entries))


#: Maximum number of hinted options; those visited less than 1/MIN_VISIT_PART as often as the best are omitted.
MAX_HINTS, MIN_VISIT_PART = 3, 10
#: Minimum number of playouts of a useful hint, and the maximum number of attempts to reach it.
MIN_GAMES, MAX_ATTEMPTS = 200, 5
#: Options whose shares differ by less than this count as equal.
EVEN = 0.03


@dataclass(frozen=True, slots=True)
class OptionPromise:
    """Option with its expected share of the win; `certain`: the share is exact."""

    move: Move
    share: float
    certain: bool


@dataclass(frozen=True, slots=True)
class MoveHint:
    """The best options, best first; `even`: all options are equally good."""

    best: tuple[OptionPromise, ...]
    even: bool = False


def hint_refusal(match: Match) -> str | None:
    """Return the reason why no hint is available (`clock`, `puzzle` or `only`), or None if one is.

    With a running clock the speed of the answer is the game, and records compare it. A hint to a puzzle would be its
    solution.
    """
    if match.state.clock is not None:
        return "clock"
    if is_puzzle(match.state):
        return "puzzle"
    return "only" if len(match.state.legal_moves()) == 1 else None


def hint(match: Match, budget: SearchBudget) -> MoveHint:
    """Return a hint for the deciding seat, from what it may know; the match is not changed.

    With too few playouts, as before machine code is ready, it takes up to `MAX_ATTEMPTS` times as long.
    """
    # Imported here because only a hint needs the search.
    from wongar_dsl.engine.bots.search import ONE, evaluate_options

    state = match.state.copy()
    for _ in range(MAX_ATTEMPTS):
        options = evaluate_options(state, budget, decision_rng(match.seed, state.seat, len(match.steps)), match.past)
        if budget.iterations or options[0].certain or sum(option.visits for option in options) >= MIN_GAMES:
            break
    promises = [OptionPromise(option.move, option.value / ONE, option.certain) for option in options]
    shares = [option.value / ONE for option in options if option.visits or option.certain]
    if len(shares) == len(options) and max(shares) - min(shares) < EVEN:
        return MoveHint(tuple(promises[:1]), even=True)
    often = [
        promise
        for promise, option in zip(promises, options, strict=True)
        if option.visits * MIN_VISIT_PART >= options[0].visits
    ]
    return MoveHint(tuple(often[:MAX_HINTS]))
