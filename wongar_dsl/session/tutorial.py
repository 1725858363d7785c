"""Tutorial: a first game that explains each thing when the learner first meets it.

The topics are data (`<game>.lesson.yaml`). The time of a hint depends only on the events of the match, so it fits any
choice of the learner. It belongs to a decision of the match, so that every query returns the same hints.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

from wongar_dsl.base.did_you_mean import did_you_mean
from wongar_dsl.base.storage.files import FileOrFolder
from wongar_dsl.engine import IllegalMove, Move, State
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.library import Rules
from wongar_dsl.engine.match import Match, Seat, Step
from wongar_dsl.engine.rule_cases.file import CaseError, YamlNode, checked_mapping, parse_yaml, read_case_text
from wongar_dsl.language import ast as s
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.narration.excerpts import BookSection, RuleExcerpts, TextParagraph
from wongar_dsl.nlg.narration.illegal_move import citations
from wongar_dsl.nlg.words import Listing, Text, quoted
from wongar_dsl.nlg.words.locale import scope_of
from wongar_dsl.session.menu import Menu
from wongar_dsl.session.scene import BoardArea, areas_of_move
from wongar_dsl.session.seats import KINDS, SessionSetupError, read_seats

#: Declarations that explain what a topic without any is about: who wins, and the course of the game.
_ALWAYS = ("winner", "play")
#: Beginnings of the keys of declarations that tell what players do.
_TOLD = ("rule.", "effect.", "winner", "setup", "play")
#: Seat of the learner, and the slot for the learner's name, available in every text.
LEARNER, LEARNER_SLOT = 0, "learner"
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
        if when.kind == "told":
            events = self._events_by_name.get(when.name, [])
            return TutorialHint(topic, events[when.occurrence - 1]) if len(events) >= when.occurrence else None
        if when.kind == "decision":
            ready = when.name == decision and self._decision_counts[decision] >= when.occurrence
            ready = ready and (not when.offers or when.offers in offered)
        else:
            ready = (decision != "") == (when.kind == "start")
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
        messages = {topic.when.name for topic in self.lesson.topics if topic.when.kind == "told"}
        for event in self.match.events_leading_to(number):
            if (event.spec.message or event.spec.kind) in messages:
                seen = self.match.game.knowledge.visible_event(event, self.seat)
                if seen is not None:
                    self._events_by_name.setdefault(seen.spec.message or seen.spec.kind, []).append(seen)


SUFFIX = ".lesson.yaml"
MAX_FILE_BYTES = 200_000
MAX_TOPICS, MAX_TIMES, MAX_NAMED = 200, 1000, 20

_FILE = ("seed", "seats", "hints")
_HINT = ("name", "when", "articles", "try", "look_at", "pause")
_WHEN = ("decision", "offers", "told", "time")
_FRAME = ("start", "end")
#: Truth values as they are written.
_TRUTHS = {"yes": True, "no": False}


def find_lesson(rules: Rules) -> tuple[FileOrFolder, tuple[str, ...]] | None:
    """Return the path of a game's tutorial file, and the game and variants that it is for; None if there is none.

    A variant without its own tutorial uses that of its base.
    """
    names = rules.model.merged.names
    for number, source in reversed(list(enumerate(rules.sources))):
        file = f"{Path(source.name).stem}{SUFFIX}"
        for folder in rules.folders:
            if (folder / file).is_file():
                return folder / file, names[: number + 1]
    return None


def lesson_of(rules: Rules) -> Tutorial | None:
    """Return the tutorial of a game, or None if there is no readable one."""
    location = find_lesson(rules)
    if location is None:
        return None
    try:
        return read_lesson(*location)
    except CaseError:
        return None


def read_lesson(place: FileOrFolder, names: tuple[str, ...] = ()) -> Tutorial:
    """Return the tutorial in a file, for a game and variants; raise `CaseError` if it is invalid."""
    return parse_lesson(read_case_text(place, MAX_FILE_BYTES, SUFFIX), names)


def parse_lesson(text: str, names: tuple[str, ...] = ()) -> Tutorial:
    """Return the tutorial in a text; raise `CaseError` if it is invalid."""
    keys = checked_mapping(parse_yaml(text), _FILE, needed=_FILE)
    seed = keys["seed"].seed
    if not 0 <= seed < 2**64:
        raise CaseError("cases.value", keys["seed"].line, name=str(seed), expected="number")
    nodes = keys["hints"].items
    if not nodes:
        raise CaseError("lesson.no_hints", keys["hints"].line)
    if len(nodes) > MAX_TOPICS:
        raise CaseError("lesson.too_many", nodes[MAX_TOPICS].line, limit=MAX_TOPICS)
    topics = tuple(map(_topic, nodes))
    names_so_far: set[str] = set()
    for topic in topics:
        if topic.name in names_so_far:
            raise CaseError("cases.twice", topic.line, name=topic.name)
        names_so_far.add(topic.name)
    return Tutorial(seed, _seats(keys["seats"]), topics, names)


def _seats(node: YamlNode) -> tuple[Seat, ...]:
    seats: list[Seat] = []
    for number, item in enumerate(node.items):
        kinds = KINDS[:1] if number == LEARNER else KINDS[1:]
        try:
            (seat,) = read_seats(item.text)
        except (SessionSetupError, ValueError):
            seat = Seat("")
        if (seat.kind == "human") != (number == LEARNER) or not seat.kind:
            raise CaseError("lesson.seat", item.line, name=item.text, known=kinds)
        seats.append(seat)
    if not seats:
        raise CaseError("cases.shape", node.line, expected="list")
    return tuple(seats)


def _topic(node: YamlNode) -> TutorialTopic:
    keys = checked_mapping(node, _HINT, needed=("name", "when"))
    name = keys["name"].text
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,59}", name):
        raise CaseError("cases.value", keys["name"].line, name=name, expected="name")
    pause = keys["pause"].text if "pause" in keys else "no"
    if pause not in _TRUTHS:
        raise CaseError("cases.value", keys["pause"].line, name=pause, expected="yes, no")
    return TutorialTopic(
        name,
        _when(keys["when"]),
        _texts(keys, "articles"),
        keys["try"].move_text if "try" in keys else "",
        _texts(keys, "look_at"),
        _TRUTHS[pause],
        node.line,
        {key: part.line for key, part in keys.items()},
    )


def _texts(keys: dict[str, YamlNode], key: str) -> tuple[str, ...]:
    several = keys[key].item_or_items if key in keys else []
    if len(several) > MAX_NAMED:
        raise CaseError("lesson.too_many", several[MAX_NAMED].line, limit=MAX_NAMED)
    return tuple(item.text for item in several)


def _when(node: YamlNode) -> Trigger:
    if isinstance(node.value, str):
        match node.value:
            case "start" | "end" as kind:
                return Trigger(kind)
        raise CaseError(
            "cases.value", node.line, name=node.value, expected="start, end, {decision: …}, {told: …}",
            suggestion=did_you_mean(node.value, _FRAME) or "",
        )  # fmt: skip
    keys = checked_mapping(node, _WHEN)
    if ("decision" in keys) == ("told" in keys):
        raise CaseError("lesson.when", node.line)
    if "offers" in keys and "decision" not in keys:
        raise CaseError("lesson.offers", keys["offers"].line)
    time = keys["time"].number if "time" in keys else 1
    if not 1 <= time <= MAX_TIMES:
        raise CaseError("cases.value", keys["time"].line, name=str(time), expected="number")
    if "decision" in keys:
        return Trigger("decision", keys["decision"].text, time, keys["offers"].text if "offers" in keys else "")
    return Trigger("told", keys["told"].text, time)


class TutorialText:
    """Text of the hints of a tutorial for the learner of a match, in the narrator's language."""

    def __init__(self, lesson: Tutorial, match: Match, narrator: Narrator, learner: int = LEARNER) -> None:
        self._lesson, self._match, self._narrator, self._learner = lesson, match, narrator, learner

    @cached_property
    def _excerpts(self) -> RuleExcerpts:
        return RuleExcerpts(self._match.game, self._narrator.words, "teach")

    @property
    def _written_for(self) -> frozenset[str]:
        """The names of the game and the variants that the lesson was written for."""
        return frozenset(self._lesson.names or self._match.game.model.names)

    def text(self, hint: TutorialHint) -> str:
        """Return the written text of a hint.

        Empty if there is none, or if a variant or setting has changed the declarations that it is about; then show the
        rules instead.
        """
        message, narrator, scope = _message(hint), self._narrator, self._narrator.scope
        if self._changed(hint) or not narrator.words.has_message(message, scope):
            return ""
        spoken = narrator.spoken_event(hint.event) if hint.event is not None else None
        values = dict(spoken.values) if spoken is not None else {}
        return narrator.words.say(message, scope, **values | {LEARNER_SLOT: narrator.player(self._learner)})

    def _changed(self, hint: TutorialHint) -> list[str]:
        """Return the declarations of the topic and of its text that have changed since the text was written."""
        full_name, listed = self._narrator.words.articles(_message(hint), self._narrator.scope)
        written_for = self._written_for | {*scope_of(full_name).split("/")}
        articles = dict.fromkeys((*hint.topic.articles, *listed))
        return [key for key in articles if self._match.game.is_changed(key, written_for)]

    def _articles(self, hint: TutorialHint) -> tuple[str, ...]:
        """Return the declarations that are shown with a hint: those of its topic, and the changed ones."""
        return tuple(dict.fromkeys((*hint.topic.articles, *self._changed(hint))))

    def rules(self, hint: TutorialHint) -> Iterator[TextParagraph]:
        """Yield the paragraphs of the rulebook on a hint, under their headings."""
        excerpts, articles = self._excerpts, self._articles(hint)
        excerpts.repeat()
        # A value is explained with the rule that uses it; settings are left out if there are other declarations.
        keys = dict.fromkeys(
            article_key for article in articles for article_key in excerpts.changed_articles(article, articles)
        )
        for key in [key for key in keys if not key.startswith("option.")] or keys:
            if excerpts.has(key):
                yield from excerpts.article_text(key)

    def sources(self, hint: TutorialHint) -> list[str]:
        """Return the rulebook passages on a hint; inferred or reconstructed ones only if there are no others."""
        model, articles = self._match.game.model, self._excerpts.cited(self._articles(hint))
        return list(dict.fromkeys(line for article in articles for line in citations(model, article, self._narrator)))

    def section(self, hint: TutorialHint) -> BookSection | None:
        """Return the section of the teaching rulebook on a hint.

        It explains the rules and effects of the topic, otherwise those in which its decision or event occurs, otherwise
        its other declarations, such as a term.
        """
        model, when = self._match.game.model, hint.topic.when
        occurring = (
            s.key_text(article)
            for article in model.code.articles
            for node in s.walk(article)
            if (when.kind == "decision" and model.decision_names.get(node) == when.name)
            or (when.kind == "told" and isinstance(node, s.MessageRef) and node.name == when.name)
        )
        told = [key for key in hint.topic.articles if key.startswith(_TOLD)]
        return self._excerpts.section((*told, *occurring, *hint.topic.articles, *_ALWAYS))

    def suggestion(self, hint: TutorialHint) -> Move | None:
        """Return the move that a hint suggests, if it is legal now and the rules are those that it was written for."""
        changes = frozenset[str]().union(*self._match.game.changes.values())
        if not hint.topic.suggestion or self._match.state.over or changes - self._written_for:
            return None
        try:
            return self._match.state.read(hint.topic.suggestion)
        except IllegalMove:
            return None

    def advice(self, hint: TutorialHint, menu: Menu) -> str:
        """Return the suggested move with its number in the menu, or the areas to look at; empty if there are none."""
        narrator, state, move = self._narrator, self._match.state, self.suggestion(hint)
        if move is not None:
            number = next((str(entry.number) for entry in menu.entries if menu.part is None and entry.move == move), "")
            option = quoted(narrator.option(state, move))
            return narrator.words.say("learn.try", None, n=Text(number or state.write(move)), option=option)
        boards = self._match.game.model.boards
        places = tuple(Text(narrator.term(boards[board].areas[area])) for board, area in self.places(hint))
        return narrator.words.say("learn.look", None, places=Listing(places)) if places else ""

    def places(self, hint: TutorialHint) -> tuple[BoardArea, ...]:
        """Return the areas worth a look, those of the suggestion last."""
        boards = self._match.game.model.boards
        areas = [
            (board, graph.areas.index(area))
            for area in hint.topic.places
            for board, graph in boards.items()
            if area in graph.areas
        ]
        move = self.suggestion(hint)
        return tuple(dict.fromkeys((*areas, *(areas_of_move(self._match.state, move) if move is not None else ()))))


def _message(hint: TutorialHint) -> str:
    return f"lesson.{hint.topic.name}"
