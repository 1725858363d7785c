"""A position of a match and its last step as a rule case, which holds under the rules that the match is played with.

A case begins with the game as the seed deals it.  From there it must come to the decision in question, since who
decides what, and in the middle of which rule, cannot be laid out.  So a state is looked for in which the same seat
takes the same decision, as early as may be: in the pause before play, among the states that the match has come
through, or that some other choices lead to.  What differs on the table is laid out there, and the last choices are
made again.  Of all ways that have the same outcome the shortest is written down; to make every choice again is one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from wongar_dsl import ir
from wongar_dsl.backends import chance
from wongar_dsl.backends.protocol import RuleFault
from wongar_dsl.cases import descriptions
from wongar_dsl.cases.file import DRAWN
from wongar_dsl.cases.positions import PositionReader
from wongar_dsl.cases.runner import arguments_of, draw_on, to_play
from wongar_dsl.cases.writer import Data, node
from wongar_dsl.engine import IllegalMove, PlayFault, State, notation
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.match import Match
from wongar_dsl.engine.saves import STREAMS
from wongar_dsl.model import PLAYER

#: So many of the last decisions may be the one at which the position is laid out.
LAST = 12
#: So many ways are tried, the shortest first; and so many options are written down, of more of them none.
TRIES, MOST_OPTIONS = 40, 24
#: What a choice costs beside a value that is laid out: rules that change forbid it sooner.
CHOICE = 3
#: By which step each of the other ways goes through the options, and how many choices it makes.
WALKS, WALK = (0, 1, 7), 40
#: More random numbers than any game draws.
MOST_DRAWN = 10**9

Asked = tuple[int, int, bool]
"""Which decision, of which seat, and whether play has begun."""


@dataclass(frozen=True, slots=True)
class _Base:
    """Where a position can be laid out: the cells, and the steps that lead there (None: the pause before play)."""

    cells: list[int]
    steps: tuple[Data, ...] | None


@dataclass(frozen=True, slots=True)
class _Way:
    """A way to the present position: from a base, by laying something out, from a state of the match on."""

    base: _Base
    number: int
    position: Mapping[str, Data]
    cost: int


def record(match: Match, from_setup: bool = False) -> dict[str, Data] | None:
    """The last step of a match, from the position before it, as a case without a name; of a match without steps the
    position.  None where no case comes to it.

    `from_setup`: it must begin at the first decision of all, so that no position of the file is laid out.
    """
    recorder = _Recorder(match, from_setup)
    for way in recorder.ways():
        steps = recorder.steps(way)
        if steps is not None:
            return recorder.case(way, steps)
    return None


class _Recorder:
    def __init__(self, match: Match, from_setup: bool) -> None:
        self.match, self.game, self.from_setup = match, match.game, from_setup
        self.reader = PositionReader(match.game)
        self.count = len(match.steps)
        #: The decision whose outcome is expected; that at hand where nothing was done.
        self.last = max(self.count - 1, 0)
        #: How the match came to its beginning from what its seed deals, None where that is not known.
        self._beginning = self._begun()

    # ---- where the position can be laid out ----

    def ways(self) -> list[_Way]:
        """Ways to the present position that may do, those first that are the shortest to read."""
        numbers = range(self.last, max(self.last - LAST, -1), -1)
        wanted = {number: self.match.before(number) for number in numbers}
        found = [
            self._way(base, number, cells)
            for base in self._bases({_asked(cells) for cells in wanted.values()})
            for number, cells in wanted.items()
            if base.steps is None or _asked(base.cells) == _asked(cells)
        ]
        found = sorted(found, key=lambda way: way.cost)[:TRIES]
        own = self._own(self.last)
        return [*found, self._way(own, self.last, wanted[self.last])] if own is not None else found

    def _way(self, base: _Base, number: int, cells: list[int]) -> _Way:
        position = descriptions.laid_over(self.game, base.cells, cells)
        cost = sum(CHOICE * _size(step) for step in base.steps or ()) + CHOICE * (self.last - number) + _size(position)
        return _Way(base, number, position, cost)

    def _own(self, number: int) -> _Base | None:
        """The state of the match before a step, as its choices lead there; None where its beginning is not known."""
        if self._beginning is None:
            return None
        return _Base(self.match.before(number), (*self._beginning, *(self._move(n) for n in range(number))))

    def _begun(self) -> tuple[Data, ...] | None:
        """The steps to the beginning of the match."""
        begun, found = self.match.begun, list[Data]()
        if begun is None:
            return () if self.match.past.first == self.game.backend.start(self.match.seed) else None
        if begun.streams != STREAMS:
            return None
        for step in begun.steps:
            match step:
                case {"take": str(text), **more}:
                    time = more.get("time", 0)
                    found.append(_timed(text, time) if isinstance(time, int) else text)
                case {"lay": dict(position)}:
                    found.append({"position": position})
                case {"chance": [int(now), int(), 0]} if (drawn := self._drawn(now)) is not None:
                    found.append({DRAWN: str(drawn)})
        return tuple(found)

    def _drawn(self, counter: int) -> int | None:
        """How many random numbers play has drawn where its counter stands so, None where it never does."""
        first, step = chance.start(self.match.seed, chance.Purpose.PLAY)
        drawn = (counter - first) * pow(step, -1, chance.MASK + 1) & chance.MASK
        return drawn if drawn <= MOST_DRAWN else None

    def _bases(self, wanted: set[Asked]) -> Iterator[_Base]:
        """The earliest states in which what is wanted is asked."""
        ready = self._ready()
        if ready is not None:
            yield ready
        first: dict[Asked, int] = {}
        for number in range(self.last + 1):
            first.setdefault(_asked(self.match.before(number)), number)
        yield from (own for asked in wanted if (own := self._own(first[asked])) is not None)
        for stride in WALKS:
            yield from self._walk(stride, set(wanted))

    def _walk(self, stride: int, wanted: set[Asked]) -> Iterator[_Base]:
        """The earliest states on another way in which what is wanted is asked."""
        state = State(self.game, self.game.backend.start(self.match.seed))
        choices: list[str] = []
        try:
            state.proceed()
            for number in range(WALK):
                if _asked(state.cells) in wanted:
                    wanted.remove(_asked(state.cells))
                    yield _Base(state.cells.copy(), tuple(choices))
                moves = state.legal_moves()
                if not moves or not wanted:
                    return
                move = moves[number * stride % len(moves)]
                choices.append(state.write(move))
                state.apply(move)
        except PlayFault:
            return

    def _ready(self) -> _Base | None:
        """The pause between setup and play, where a case usually begins."""
        state = State(self.game, self.game.backend.start(self.match.seed))
        try:
            there = not self.from_setup and to_play(self.game, state, lambda: None)
        except RuleFault:
            return None
        return _Base(state.cells, None) if there else None

    # ---- a way, tried ----

    def steps(self, way: _Way) -> list[Data] | None:
        """The steps of a case that goes a way; None where it does not lead there."""
        state, told = State(self.game, way.base.cells.copy()), False
        self.reader.lay(state, {name: node(data) for name, data in way.position.items()})
        try:
            if way.base.steps is None:
                told = any(event.told for event in state.proceed())
            if not self._alike(state, way.number):
                return None
            steps: list[Data] = list(way.base.steps or ())
            if way.base.steps is not None and way.position:
                steps.append({"position": dict(way.position)})
            if not self._draw_on(state, way.number, steps):
                return None
            told = told or way.base.steps is not None or self.count > way.number + 1
            return steps + self._made_again(state, way.number, told)
        except (IllegalMove, PlayFault, RuleFault, _AstrayError):
            return None

    def _draw_on(self, state: State, number: int, steps: list[Data]) -> bool:
        """See to it that from a step on the same chance decides, where it does; whether that can be."""
        there, end = self.match.before(number), self.match.before(self.count)
        if there[ir.AT_CHANCE] == end[ir.AT_CHANCE]:
            return True
        if all(state.cells[at] == there[at] for at in (ir.AT_CHANCE, ir.AT_STEP)):
            return True
        drawn = self._drawn(there[ir.AT_CHANCE])
        _, step = chance.start(self.match.seed, chance.Purpose.PLAY)
        if there[ir.AT_STEP] != step or there[ir.AT_PLAY_CHANCE] or drawn is None:
            return False
        draw_on(state, self.match.seed, drawn)
        steps.append({DRAWN: str(drawn)})
        return True

    def _made_again(self, state: State, number: int, told: bool) -> list[Data]:
        """The choices from a step on, and what is expected before the last of them and behind it."""
        steps: list[Data] = []
        events: tuple[Event, ...] = ()
        before = state.cells.copy()
        for at in range(number, self.count):
            if at == self.last:
                before = state.cells.copy()
                steps.append({"expect": self._asked(state, told)})
            text = self._move(at)
            steps.append({self.reader.shown(PLAYER, state.seat): text})
            bare, time = notation.timed(text)
            events = state.apply(state.read(bare), time=time or 0)
            if not self._alike(state, at + 1) or events != self.match.steps[at].events:
                raise _AstrayError
        steps.append({"expect": self._outcome(state, before, events) if self.count else self._asked(state, False)})
        return steps

    def _alike(self, state: State, number: int) -> bool:
        """Whether a state is as before a step of the match for those who play: what lies there, and what is asked."""
        there = State(self.game, self.match.before(number))
        return (
            _asked(state.cells) == _asked(there.cells)
            and state.winners == there.winners
            and not descriptions.laid_over(self.game, state.cells, there.cells)
            and state.options() == there.options()
        )

    def _move(self, number: int) -> str:
        """The choice of a step, with the time that it took where one is told."""
        step = self.match.steps[number]
        return _timed(step.text, step.time if step.decision.clock is not None else 0)

    # ---- what is expected ----

    def _asked(self, state: State, told: bool) -> dict[str, Data]:
        """Who decides what; what was told so far is left behind."""
        decision = state.decision
        assert decision is not None
        asked: dict[str, Data] = {"seat": self.reader.shown(PLAYER, state.seat), "decision": decision.name}
        return {**asked, "tells": []} if told else asked

    def _outcome(self, state: State, before: list[int], events: Sequence[Event]) -> dict[str, Data]:
        """All that followed a choice."""
        found: dict[str, Data] = {}
        if state.decision is not None:
            found = self._asked(state, False)
            options = [state.write(move) for move in state.legal_moves()]
            if len(options) <= MOST_OPTIONS:
                found["options"] = list(options)
        else:
            found["winners"] = [self.reader.shown(PLAYER, seat) for seat in state.winners]
        found["tells_exactly"] = [self._told(event) for event in events if event.told]
        position = descriptions.changed(self.game, before, state.cells)
        return {**found, "position": position} if position else found

    def _told(self, event: Event) -> Data:
        name = event.spec.message or event.spec.kind
        arguments: dict[str, Data] = {
            key: dict(value) if isinstance(value, dict) else value
            for key, value in arguments_of(self.game, self.reader, event).items()
        }
        return {name: arguments} if arguments else name

    # ---- the case ----

    def case(self, way: _Way, steps: list[Data]) -> dict[str, Data]:
        """All of the case but its name."""
        found: dict[str, Data] = {"players": str(self.game.seats)}
        settings = self.game.model.settings
        options: dict[str, Data] = {
            name: {0: "no", 1: "yes"}[value] if settings[name][0].kind == "truth" else str(value)
            for name, value in self.game.settings.items()
            if value != settings[name][1]
        }
        if options:
            found["options"] = options
        found["seed"] = str(self.match.seed)
        if way.base.steps is not None:
            found["from"] = "setup"
        elif way.position:
            found["position"] = dict(way.position)
        *moves, last = steps
        assert isinstance(last, dict)
        return {**found, "moves": list(moves), **last} if moves else {**found, **last}


class _AstrayError(Exception):
    """A way that does not lead to the present position."""


def _timed(text: str, time: int) -> str:
    """A choice with the time that it took, in milliseconds; 0 is not told."""
    return f"{text} @ {time // 1000}.{time % 1000:03}" if time else text


def _asked(cells: list[int]) -> Asked:
    return cells[ir.AT_DECISION], cells[ir.AT_SEAT], not cells[ir.AT_PLAY_CHANCE]


def _size(data: Data | Mapping[str, Data]) -> int:
    """How many values a position names."""
    if isinstance(data, str):
        return 1
    return sum(map(_size, data.values() if isinstance(data, Mapping) else data))
