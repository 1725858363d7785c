"""Records the last step of a match as a rule case that passes under the current rules.

A case begins with the deal of the seed and must reach the same pending decision, since the running rules cannot be laid
out. So the recorder searches for the earliest state with the same decision of the same seat: in the pause before play,
in the history of the match, or after other choices. There the case lays out the differences and repeats the last
choices. The shortest candidate with the same outcome is chosen; one candidate repeats all choices of the match.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import rng
from wongar_dsl.compiler.backends.protocol import RuleFault
from wongar_dsl.engine import IllegalMove, PlayFault, State, notation
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.match import Match
from wongar_dsl.engine.rule_cases import position_writer
from wongar_dsl.engine.rule_cases.file import DRAWN
from wongar_dsl.engine.rule_cases.position_reader import PositionReader
from wongar_dsl.engine.rule_cases.position_writer import Data, inline_yaml
from wongar_dsl.engine.rule_cases.runner import arguments_of, run_to_play, skip_chance
from wongar_dsl.engine.saves import CURRENT_STREAMS
from wongar_dsl.language.semantics import PLAYER

#: Number of last decisions of the match at which the position may be laid out.
MAX_STEPS_BACK = 12
#: Maximum number of candidates that are tried, shortest first, and of options that are listed in a case.
MAX_CANDIDATES, MAX_OPTIONS = 40, 24
#: Cost of a choice relative to a value that is laid out: changed rules are more likely to forbid a choice.
CHOICE_COST = 3
#: Strides through the options for alternative histories (choice n takes option n * stride), and their maximum length.
STRIDES, MAX_WALK_CHOICES = (0, 1, 7), 40
#: Upper bound of the number of random numbers in a game.
MAX_RANDOM_NUMBERS = 10**9

#: Decision number, seat, and whether play has begun.
PendingDecision = tuple[int, int, bool]


@dataclass(frozen=True, slots=True)
class _RouteBase:
    """A state where the position can be laid out, and the steps that lead there (None: the pause before play)."""

    cells: list[int]
    steps: tuple[Data, ...] | None


@dataclass(frozen=True, slots=True)
class _Route:
    """A candidate: a base state, the step of the match to reach there by laying out a position, and the cost."""

    base: _RouteBase
    number: int
    position: Mapping[str, Data]
    cost: int


def record_case(match: Match, from_setup: bool = False) -> dict[str, Data] | None:
    """Return the last step of a match as a case without a name, or the position if there is none; None if impossible.

    With `from_setup` the case begins at the first decision of the game, so that no position of the file is laid out.
    """
    recorder = _CaseRecorder(match, from_setup)
    for candidate in recorder.routes():
        steps = recorder.steps(candidate)
        if steps is not None:
            return recorder.case(candidate, steps)
    return None


class _CaseRecorder:
    def __init__(self, match: Match, from_setup: bool) -> None:
        self.match, self.game, self.from_setup = match, match.game, from_setup
        self.reader = PositionReader(match.game)
        self.count = len(match.steps)
        #: The number of the decision whose outcome is expected, or of the pending one if there is no step.
        self.last = max(self.count - 1, 0)
        #: Steps from the deal of the seed to the start of the match, None if unknown.
        self._beginning = self._steps_to_start()

    # ---- candidates ----

    def routes(self) -> list[_Route]:
        """Return the candidates, in order of length."""
        numbers = range(self.last, max(self.last - MAX_STEPS_BACK, -1), -1)
        states = {number: self.match.state_before(number) for number in numbers}
        candidates = [
            self._route(base, number, cells)
            for base in self._bases({_pending_decision(cells) for cells in states.values()})
            for number, cells in states.items()
            if base.steps is None or _pending_decision(base.cells) == _pending_decision(cells)
        ]
        candidates = sorted(candidates, key=lambda candidate: candidate.cost)[:MAX_CANDIDATES]
        base = self._base(self.last)
        return [*candidates, self._route(base, self.last, states[self.last])] if base is not None else candidates

    def _route(self, base: _RouteBase, number: int, cells: list[int]) -> _Route:
        position = position_writer.position_difference(self.game, base.cells, cells)
        choices = sum(map(_size, base.steps or ())) + self.last - number
        cost = CHOICE_COST * choices + _size(position)
        return _Route(base, number, position, cost)

    def _base(self, number: int) -> _RouteBase | None:
        """Return the state before a step, with the choices that lead there; None if the match's start is unknown."""
        if self._beginning is None:
            return None
        return _RouteBase(self.match.state_before(number), (*self._beginning, *(self._move(n) for n in range(number))))

    def _steps_to_start(self) -> tuple[Data, ...] | None:
        """Return the steps to the start of the match."""
        begun, steps = self.match.resume_point, list[Data]()
        if begun is None:
            return () if self.match.past.first == self.game.backend.start(self.match.seed) else None
        if begun.streams != CURRENT_STREAMS:
            return None
        for step in begun.steps:
            match step:
                case {"take": str(text), **more}:
                    time = more.get("time", 0)
                    steps.append(_timed(text, time) if isinstance(time, int) else text)
                case {"lay": dict(position)}:
                    steps.append({"position": position})
                case {"chance": [int(counter), int(), 0]} if (drawn := self._draw_count(counter)) is not None:
                    steps.append({DRAWN: str(drawn)})
        return tuple(steps)

    def _draw_count(self, counter: int) -> int | None:
        """Return how many random numbers play has drawn when its counter has this value; None if it never has."""
        first, step = rng.start(self.match.seed, rng.Purpose.PLAY)
        drawn = (counter - first) * pow(step, -1, rng.MASK + 1) & rng.MASK
        return drawn if drawn <= MAX_RANDOM_NUMBERS else None

    def _bases(self, wanted: set[PendingDecision]) -> Iterator[_RouteBase]:
        """Yield the earliest states with one of the wanted decisions."""
        pause = self._pause_before_play()
        if pause is not None:
            yield pause
        first: dict[PendingDecision, int] = {}
        for number in range(self.last + 1):
            first.setdefault(_pending_decision(self.match.state_before(number)), number)
        yield from (replayed for pending in wanted if (replayed := self._base(first[pending])) is not None)
        for stride in STRIDES:
            yield from self._walk(stride, set(wanted))

    def _walk(self, stride: int, wanted: set[PendingDecision]) -> Iterator[_RouteBase]:
        """Yield the earliest states with a wanted decision in an alternative history."""
        state = State(self.game, self.game.backend.start(self.match.seed))
        choices: list[str] = []
        try:
            state.proceed()
            for number in range(MAX_WALK_CHOICES):
                if _pending_decision(state.cells) in wanted:
                    wanted.remove(_pending_decision(state.cells))
                    yield _RouteBase(state.cells.copy(), tuple(choices))
                moves = state.legal_moves()
                if not moves or not wanted:
                    return
                move = moves[number * stride % len(moves)]
                choices.append(state.write(move))
                state.apply(move)
        except PlayFault:
            return

    def _pause_before_play(self) -> _RouteBase | None:
        """Return the state in the pause between setup and play, where a case usually begins."""
        state = State(self.game, self.game.backend.start(self.match.seed))
        try:
            reached = not self.from_setup and run_to_play(self.game, state, lambda: None)
        except RuleFault:
            return None
        return _RouteBase(state.cells, None) if reached else None

    # ---- trial of a candidate ----

    def steps(self, route: _Route) -> list[Data] | None:
        """Return the steps of the case for a candidate; None if its outcome differs."""
        state, has_events = State(self.game, route.base.cells.copy()), False
        self.reader.lay_out(state, {name: inline_yaml(data) for name, data in route.position.items()})
        try:
            if route.base.steps is None:
                has_events = any(event.told for event in state.proceed())
            if not self._is_equivalent(state, route.number):
                return None
            steps: list[Data] = list(route.base.steps or ())
            if route.base.steps is not None and route.position:
                steps.append({"position": dict(route.position)})
            if not self._restore_stream(state, route.number, steps):
                return None
            has_events = has_events or route.base.steps is not None or self.count > route.number + 1
            return steps + self._repeated_choices(state, route.number, has_events)
        except (IllegalMove, PlayFault, RuleFault, _WrongRouteError):
            return None

    def _restore_stream(self, state: State, number: int, steps: list[Data]) -> bool:
        """Append a step that restores the random stream if later steps need it; return whether that is possible."""
        before, end = self.match.state_before(number), self.match.state_before(self.count)
        if before[ir.AT_CHANCE] == end[ir.AT_CHANCE]:
            return True
        if all(state.cells[address] == before[address] for address in (ir.AT_CHANCE, ir.AT_STEP)):
            return True
        drawn = self._draw_count(before[ir.AT_CHANCE])
        _, step = rng.start(self.match.seed, rng.Purpose.PLAY)
        if before[ir.AT_STEP] != step or before[ir.AT_PLAY_CHANCE] or drawn is None:
            return False
        skip_chance(state, self.match.seed, drawn)
        steps.append({DRAWN: str(drawn)})
        return True

    def _repeated_choices(self, state: State, number: int, discard_events: bool) -> list[Data]:
        """Return the repeated choices, with the expectations before and after the last of them."""
        steps: list[Data] = []
        events: tuple[Event, ...] = ()
        before = state.cells.copy()
        for index in range(number, self.count):
            if index == self.last:
                before = state.cells.copy()
                steps.append({"expect": self._expected(state, discard_events)})
            text = self._move(index)
            steps.append({self.reader.shown(PLAYER, state.seat): text})
            bare, time = notation.split_time(text)
            events = state.apply(state.read(bare), time=time or 0)
            if not self._is_equivalent(state, index + 1) or events != self.match.steps[index].events:
                raise _WrongRouteError
        steps.append({"expect": self._outcome(state, before, events) if self.count else self._expected(state, False)})
        return steps

    def _is_equivalent(self, state: State, number: int) -> bool:
        """Return whether a state has the same position, decision and options as the match before a step."""
        original = State(self.game, self.match.state_before(number))
        return (
            _pending_decision(state.cells) == _pending_decision(original.cells)
            and state.winners == original.winners
            and not position_writer.position_difference(self.game, state.cells, original.cells)
            and state.options() == original.options()
        )

    def _move(self, number: int) -> str:
        """Return the choice of a step, with its time if the decision has a clock."""
        step = self.match.steps[number]
        return _timed(step.text, step.time if step.decision.clock is not None else 0)

    # ---- expectations ----

    def _expected(self, state: State, discard_events: bool) -> dict[str, Data]:
        """Return the expected seat and decision; with `discard_events`, also that earlier events are discarded."""
        decision = state.decision
        assert decision is not None
        expected: dict[str, Data] = {"seat": self.reader.shown(PLAYER, state.seat), "decision": decision.name}
        return {**expected, "tells": []} if discard_events else expected

    def _outcome(self, state: State, before: list[int], events: Sequence[Event]) -> dict[str, Data]:
        """Return everything that followed a choice."""
        expected: dict[str, Data] = {}
        if state.decision is not None:
            expected = self._expected(state, False)
            options = [state.write(move) for move in state.legal_moves()]
            if len(options) <= MAX_OPTIONS:
                expected["options"] = list(options)
        else:
            expected["winners"] = [self.reader.shown(PLAYER, seat) for seat in state.winners]
        expected["tells_exactly"] = [self._event_data(event) for event in events if event.told]
        position = position_writer.changed_places(self.game, before, state.cells)
        return {**expected, "position": position} if position else expected

    def _event_data(self, event: Event) -> Data:
        name = event.spec.message or event.spec.kind
        arguments: dict[str, Data] = {
            key: dict(value) if isinstance(value, dict) else value
            for key, value in arguments_of(self.game, self.reader, event).items()
        }
        return {name: arguments} if arguments else name

    def case(self, route: _Route, steps: list[Data]) -> dict[str, Data]:
        """Return the case without its name."""
        result: dict[str, Data] = {"players": str(self.game.seats)}
        settings = self.game.model.settings
        options: dict[str, Data] = {
            name: {0: "no", 1: "yes"}[value] if settings[name][0].kind == "truth" else str(value)
            for name, value in self.game.settings.items()
            if value != settings[name][1]
        }
        if options:
            result["options"] = options
        result["seed"] = str(self.match.seed)
        if route.base.steps is not None:
            result["from"] = "setup"
        elif route.position:
            result["position"] = dict(route.position)
        *moves, last = steps
        assert isinstance(last, dict)
        return {**result, "moves": list(moves), **last} if moves else {**result, **last}


class _WrongRouteError(Exception):
    """Raised for a candidate that does not lead to the current position."""


def _timed(text: str, time: int) -> str:
    """Return a choice with its time in milliseconds, which is left out if 0."""
    return f"{text} @ {time // 1000}.{time % 1000:03}" if time else text


def _pending_decision(cells: list[int]) -> PendingDecision:
    return cells[ir.AT_DECISION], cells[ir.AT_SEAT], not cells[ir.AT_PLAY_CHANCE]


def _size(data: Data | Mapping[str, Data]) -> int:
    """Return the number of values in a position."""
    if isinstance(data, str):
        return 1
    return sum(map(_size, data.values() if isinstance(data, Mapping) else data))
