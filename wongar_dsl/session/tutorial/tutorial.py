"""Tutorial: a first game that explains each thing when the learner first meets it.

The topics are data (`lesson_file.py`). The time of a hint depends only on the events of the match, so it fits any
choice of the learner. It belongs to a decision of the match, so that every query returns the same hints.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from wongar_dsl.engine import State
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.match import Match, Seat, Step

#: Seat of the learner.
LEARNER = 0
#: Maximum number of event hints at a decision, in addition to one hint on the decision; the rest wait for the next one.
MAX_HINTS_AT_ONCE = 2


@dataclass(frozen=True, slots=True)
class Trigger:
    """Trigger of a topic.

    `start`: before the first decision; `end`: when the game is over; `decision`: when the learner decides `name`, with
    an option `offers` unless that is empty; `told`: after the learner has seen an event `name`. The last two trigger on
    the `occurrence`-th occurrence.
    """

    kind: Literal["start", "decision", "told", "end"]
    name: str = ""
    occurrence: int = 1
    offers: str = ""


@dataclass(frozen=True, slots=True)
class TutorialTopic:
    """Topic of a tutorial: the message `lesson.<name>` and the rule declarations that it is about.

    `suggestion` is an option in move notation that is worth a try; `places` are areas worth a look. `pause`: the game
    is explained with this topic, and the learner may stop. `line` is its line in the file, `lines` those of its keys.
    """

    name: str
    when: Trigger
    articles: tuple[str, ...] = ()
    suggestion: str = ""
    places: tuple[str, ...] = ()
    pause: bool = False
    line: int = 1
    lines: Mapping[str, int] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class TutorialHint:
    """Topic that is due, with the event that triggered it, as the learner sees it."""

    topic: TutorialTopic
    event: Event | None = None

    @property
    def about_question(self) -> bool:
        """True if the hint helps with the current decision; other hints comment on events."""
        return self.topic.when.kind == "decision"


@dataclass(frozen=True, slots=True)
class Tutorial:
    """Tutorial game: its seed, its seats, and its topics in order of priority.

    `names` are the game and the variants that it was written for.
    """

    seed: int
    seats: tuple[Seat, ...]
    topics: tuple[TutorialTopic, ...]
    names: tuple[str, ...] = ()

    def hints(self, match: Match, seat: int = LEARNER) -> tuple[TutorialHint, ...]:
        """Return the hints that are due for a seat at the current decision, or at the end of the match."""
        return TutorialRunner(self, match, seat).hints()


class TutorialRunner:
    """Follows a match for a learner and yields the hints that are due.

    It can be queried repeatedly, also after an undo.
    """

    def __init__(self, lesson: Tutorial, match: Match, seat: int = LEARNER) -> None:
        self.lesson, self.match, self.seat = lesson, match, seat
        self._restart()

    def _restart(self) -> None:
        """Advance to the current decision, treating topics of earlier decisions as explained."""
        # Names of topics explained, how often each decision was made, and events seen by message or kind.
        self._explained: set[str] = set()
        self._decision_counts: Counter[str] = Counter()
        self._events_by_name: dict[str, list[Event]] = {}
        self._now: tuple[TutorialHint, ...] = ()
        # Number of decisions examined so far, and the step before the last of them.
        self._next = 0
        self._last: Step | None = None
        self._advance(len(self.match.steps))

    def hints(self) -> tuple[TutorialHint, ...]:
        """Return the hints that are due now, with those of decisions answered since the last call.

        The result stays the same until the match advances.
        """
        if self._step(self._next - 2) is not self._last:
            self._restart()
        if self._next <= len(self.match.steps):
            self._now = self._advance(len(self.match.steps) + 1)
        return self._now

    def _advance(self, end: int) -> tuple[TutorialHint, ...]:
        """Advance to the decision before step number `end` and return the hints on the way."""
        result: list[TutorialHint] = []
        for number in range(self._next, end):
            hints = self._at(number)
            self._explained |= {hint.topic.name for hint in hints}
            result += hints
        self._next = end
        self._last = self._step(end - 2)
        return tuple(result)

    def _step(self, number: int) -> Step | None:
        return self.match.steps[number] if 0 <= number < len(self.match.steps) else None

    def _at(self, number: int) -> tuple[TutorialHint, ...]:
        """Return the hints that are due before the step of a number."""
        self._record_events(number)
        state = self._relevant_state(number)
        if state is None:
            return ()
        decision, offered = "", set[str]()
        if state.decision is not None:
            decision = state.decision.name
            offered = {state.decision.options[option[0]].name for option in state.options()}
        self._decision_counts[decision] += 1
        due = [hint for topic in self.lesson.topics if (hint := self._hint(topic, decision, offered)) is not None]
        # The hints on the start and the end of the game are never split up.
        frame = [hint for hint in due if hint.topic.when.kind in ("start", "end")]
        happened = [hint for hint in due if hint.topic.when.kind == "told"][:MAX_HINTS_AT_ONCE]
        on_decision = [hint for hint in due if hint.about_question][:1]
        return (*frame, *happened, *on_decision) if decision else (*happened, *frame)

    def _hint(self, topic: TutorialTopic, decision: str, offered: set[str]) -> TutorialHint | None:
        """Return the hint of a topic that is due and was not explained yet, else None."""
        when = topic.when
        if topic.name in self._explained:
            return None
        match when.kind:
            case "start":
                ready = decision != ""
            case "end":
                ready = decision == ""
            case "decision":
                ready = when.name == decision and self._decision_counts[decision] >= when.occurrence
                ready = ready and (not when.offers or when.offers in offered)
            case "told":
                events = self._events_by_name.get(when.name, [])
                return TutorialHint(topic, events[when.occurrence - 1]) if len(events) >= when.occurrence else None
        return TutorialHint(topic) if ready else None

    def _relevant_state(self, number: int) -> State | None:
        """Return the state before a step if the learner has a choice there, or if the game is over; else None."""
        step = self._step(number)
        if step is not None and step.seat != self.seat:
            return None
        state = self.match.state if step is None else State(self.match.game, self.match.state_before(number))
        relevant = state.over or (state.seat == self.seat and len(state.options()) > 1)
        return state if relevant else None

    def _record_events(self, number: int) -> None:
        """Record the events that the learner has seen before the step of a number."""
        for event in self._seen_events(number):
            self._events_by_name.setdefault(event.spec.message or event.spec.kind, []).append(event)

    def _seen_events(self, number: int) -> Iterator[Event]:
        messages = {topic.when.name for topic in self.lesson.topics if topic.when.kind == "told"}
        for event in self.match.events_leading_to(number):
            if (event.spec.message or event.spec.kind) in messages:
                seen = self.match.game.knowledge.visible_event(event, self.seat)
                if seen is not None:
                    yield seen
