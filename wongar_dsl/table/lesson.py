"""A lesson: a first game in which something is explained when it is met for the first time.

What is to be explained is data (`lesson_file.py`).  When a hint comes hangs on what happens alone, so that it fits
whatever the learner chose, and is the same for everybody who asks: it belongs to a question of the match.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from wongar_dsl.engine import State
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.match import Match, Seat, Step

#: Who learns sits on the first seat.
LEARNER = 0
#: So much of what happened is explained at once, and one thing about a question; the rest waits for the next one.
MOST = 2


@dataclass(frozen=True, slots=True)
class When:
    """When a topic is explained: before the first question (`start`), when the game is over (`end`), when the learner
    is asked for a decision `name` in which there is an option `offers` (if that is not empty), or after they were told
    of an event `name`; of both, the `time`-th time."""

    kind: Literal["start", "decision", "told", "end"]
    name: str = ""
    time: int = 1
    offers: str = ""


@dataclass(frozen=True, slots=True)
class Topic:
    """Something that a lesson explains: with the message `lesson.<name>`, and the articles of the rules that say it.

    `suggestion` is an option as it is written, worth a try where it is there; `places` are areas worth a look.
    `pause`: the course ends with it, and the learner may stop.  `line` is where it stands in its file, `lines` where
    its parts do.
    """

    name: str
    when: When
    articles: tuple[str, ...] = ()
    suggestion: str = ""
    places: tuple[str, ...] = ()
    pause: bool = False
    line: int = 1
    lines: Mapping[str, int] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Hint:
    """A topic whose time has come, with the event that it is about, as the learner sees it."""

    topic: Topic
    event: Event | None = None

    @property
    def of_the_question(self) -> bool:
        """Whether it helps to answer the question at hand; others speak of what happened."""
        return self.topic.when.kind == "decision"


@dataclass(frozen=True, slots=True)
class Lesson:
    """A game to be learnt: its seed, who sits where, and what is explained, in this order where several are due.

    `names` are the game and the variants that it was written for.
    """

    seed: int
    seats: tuple[Seat, ...]
    course: tuple[Topic, ...]
    names: tuple[str, ...] = ()

    def hints(self, match: Match, seat: int = LEARNER) -> tuple[Hint, ...]:
        """What is to be explained now to a seat, at the question of a match or at its end."""
        return Guide(self, match, seat).hints()


class Guide:
    """Follows a match for one who learns; it may be asked again and again, also after steps were taken back."""

    def __init__(self, lesson: Lesson, match: Match, seat: int = LEARNER) -> None:
        self.lesson, self.match, self.seat = lesson, match, seat
        self._begin()

    def _begin(self) -> None:
        """Come to the question at hand; what was explained at those before is known already."""
        self._given: set[str] = set()
        self._asked: Counter[str] = Counter()
        self._told: dict[str, list[Event]] = {}
        self._now: tuple[Hint, ...] = ()
        # At so many questions was looked, and the step before the last of them.
        self._next = 0
        self._last: Step | None = None
        self._look(len(self.match.steps))

    @property
    def given(self) -> frozenset[str]:
        """The names of what was explained so far."""
        return frozenset(self._given)

    def hints(self) -> tuple[Hint, ...]:
        """What is to be explained now, and what was at questions that were answered since without being asked for it:
        the same until the match goes on."""
        if self._step(self._next - 2) is not self._last:
            self._begin()
        if self._next <= len(self.match.steps):
            self._now = self._look(len(self.match.steps) + 1)
        return self._now

    def _look(self, end: int) -> tuple[Hint, ...]:
        """Go on up to the question before the step of a number."""
        found: list[Hint] = []
        for number in range(self._next, end):
            hints = self._at(number)
            self._given |= {hint.topic.name for hint in hints}
            found += hints
        self._next = end
        self._last = self._step(end - 2)
        return tuple(found)

    def _step(self, number: int) -> Step | None:
        return self.match.steps[number] if 0 <= number < len(self.match.steps) else None

    def _at(self, number: int) -> tuple[Hint, ...]:
        """What is to be explained before the step of a number."""
        self._listen(number)
        state = self._question(number)
        if state is None:
            return ()
        decision, offered = "", set[str]()
        if state.decision is not None:
            decision = state.decision.name
            offered = {state.decision.options[option[0]].name for option in state.options()}
        self._asked[decision] += 1
        due = [hint for topic in self.lesson.course if (hint := self._hint(topic, decision, offered)) is not None]
        # How the game begins and ends is told as a whole.
        frame = [hint for hint in due if hint.topic.when.kind in ("start", "end")]
        happened = [hint for hint in due if hint.topic.when.kind == "told"][:MOST]
        asked = [hint for hint in due if hint.of_the_question][:1]
        return (*frame, *happened, *asked) if decision else (*happened, *frame)

    def _hint(self, topic: Topic, decision: str, offered: set[str]) -> Hint | None:
        """A topic as a hint, if its time has come and it was not explained yet."""
        when = topic.when
        if topic.name in self._given:
            return None
        match when.kind:
            case "start":
                ready = decision != ""
            case "end":
                ready = decision == ""
            case "decision":
                ready = when.name == decision and self._asked[decision] >= when.time
                ready = ready and (not when.offers or when.offers in offered)
            case "told":
                told = self._told.get(when.name, [])
                return Hint(topic, told[when.time - 1]) if len(told) >= when.time else None
        return Hint(topic) if ready else None

    def _question(self, number: int) -> State | None:
        """The state in which the learner has something to choose before the step of a number, or the game is over."""
        step = self._step(number)
        if step is not None and step.seat != self.seat:
            return None
        state = self.match.state if step is None else State(self.match.game, self.match.before(number))
        asked = state.over or (state.seat == self.seat and len(state.options()) > 1)
        return state if asked else None

    def _listen(self, number: int) -> None:
        """Take note of what the learner was told before the step of a number."""
        for event in self._heard(number):
            self._told.setdefault(event.spec.message or event.spec.kind, []).append(event)

    def _heard(self, number: int) -> Iterator[Event]:
        wanted = {topic.when.name for topic in self.lesson.course if topic.when.kind == "told"}
        for event in self.match.events_of(number):
            if (event.spec.message or event.spec.kind) in wanted:
                seen = self.match.game.knowledge.seen(event, self.seat)
                if seen is not None:
                    yield seen
