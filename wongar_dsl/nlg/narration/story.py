"""Narration of play as a story: related events share a sentence, and each round has a heading.

The catalogs define which events are related (see `aggregation`). Every event is accounted for: a `StoryLine` lists the
events that it narrates or implies. Replay logs narrate a match from its beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from wongar_dsl.engine.events import Event
from wongar_dsl.engine.match import Match
from wongar_dsl.language.semantics import Type
from wongar_dsl.nlg.narration.aggregation import (
    MAX_SENTENCE_LENGTH,
    Aggregator,
    EventClause,
    NarratedEvent,
    narrated_events,
    parenthetical_events,
)
from wongar_dsl.nlg.narration.narrator import Narrator, Raw
from wongar_dsl.nlg.words import Listing, Sentence, Term, ValueList
from wongar_dsl.nlg.words.clause import END
from wongar_dsl.nlg.words.translator import AFTER, HEADING, IMPLIED

#: Maximum number of clauses in a sentence.
MAX_CLAUSES = 4
#: Maximum number of events that are aggregated together, more than any game has in a round; it bounds memory use.
AT_ONCE = 2_000
#: Punctuation in a clause that makes a further clause after it unclear.
_STOPS = frozenset(",;:(")


@dataclass(frozen=True, slots=True)
class StoryLine:
    """A sentence, or the `heading` of a round; `told` are the positions of its events in the history.

    `implied` are the positions of events that another one makes redundant, each with the message of that event.
    """

    text: str
    heading: bool = False
    told: tuple[int, ...] = ()
    implied: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class StorySentence:
    """Clauses with a shared subject, and `after` a semicolon those with another one."""

    first: tuple[EventClause, ...]
    after: tuple[EventClause, ...] = ()

    @property
    def clauses(self) -> tuple[EventClause, ...]:
        """All clauses of the sentence."""
        return (*self.first, *self.after)

    @property
    def last(self) -> tuple[EventClause, ...]:
        """The part to which further clauses can be added."""
        return self.after or self.first

    def events_with_implied(self) -> Iterator[NarratedEvent]:
        """Yield the narrated events and those that they imply."""
        for clause in self.clauses:
            for event in clause.all():
                yield from (event, *event.implied)

    def extended(self, clause: EventClause) -> StorySentence:
        """Return the sentence with one more clause at its end."""
        if self.after:
            return StorySentence(self.first, (*self.after, clause))
        return StorySentence((*self.first, clause))


@dataclass(frozen=True, slots=True)
class AskedSeat:
    """A pending decision of a seat; `since` returns the index from which the seat already knows the events.

    It is a function because it is rarely needed.
    """

    seat: int
    since: Callable[[], int]


class Story:
    """Incremental narration for a viewer (None: spectator; `EVERYTHING`: referee).

    With `every_step`, only equal events are combined. Without `standings`, headings omit the scores: for a part of a
    game whose reader knows what came before.
    """

    def __init__(self, viewer: int | None, every_step: bool = False, standings: bool = True) -> None:
        self.viewer, self.every_step = viewer, every_step
        #: Number of events narrated so far.
        self.at = 0
        self._counted = 0
        self._part = not standings
        self._points: dict[int, int] | None = {} if standings else None
        self._known: dict[str, tuple[Type, Raw]] = {}

    def unreported(
        self,
        narrator: Narrator,
        history: Sequence[Event],
        end: int | None = None,
        whole: bool = True,
        asked: AskedSeat | None = None,
    ) -> list[StoryLine]:
        """Return the lines for the events up to `end` not narrated before, and mark these events as narrated.

        Without `whole`, sentences that later events may still extend are left out; with `asked`, only those about the
        deciding player's own actions. A long history is aggregated in portions of `AT_ONCE` events.
        """
        return [*chain.from_iterable(self.stream(narrator, history, end, whole, asked))]

    def stream(
        self, narrator: Narrator, history: Sequence[Event], end: int | None, whole: bool, asked: AskedSeat | None
    ) -> Iterator[list[StoryLine]]:
        """Yield the same lines in portions, to bound time and memory for a long history."""
        end = len(history) if end is None else end
        while end - self.at > AT_ONCE:
            yield self._next_lines(narrator, history, self.at + AT_ONCE, True, None)
        yield self._next_lines(narrator, history, end, whole, asked)

    def _next_lines(
        self, narrator: Narrator, history: Sequence[Event], end: int, whole: bool, asked: AskedSeat | None
    ) -> list[StoryLine]:
        events = list(enumerate(history[self.at : end], self.at))
        aggregator = Aggregator(narrator)
        narrated = narrated_events(narrator, events, self.viewer)
        if self.every_step:
            sentences = [StorySentence((clause,)) for clause in aggregator.event_clauses(narrated, lists_only=True)]
        else:
            joined = aggregator.attach_parentheticals(aggregator.drop_implied(narrated), dict(self._known), self._part)
            sentences = list(_sentences(aggregator, aggregator.event_clauses(joined)))
        count = len(sentences)
        if not whole or (asked is not None and not self.every_step):
            count = _closed(aggregator, sentences)
        if asked is not None:
            late = (
                n for n in range(len(sentences), count, -1) if not _may_be_deferred(aggregator, sentences[n - 1], asked)
            )
            count = next(late, count)
        stop = self.at + len(events)
        if count < len(sentences):
            stop = min(event.at for event in sentences[count].events_with_implied())
        lines = []
        for sentence in sentences[:count]:
            # Points before a heading are included in its scores.
            self._count(narrator, events, sentence.first[0].first.at)
            lines.append(self._line(aggregator, sentence))
        self._count(narrator, events, stop)
        for event in narrated:
            if event.at < stop:
                self._known |= event.arguments
        self.at = stop
        return lines

    def mark_reported(self, narrator: Narrator, history: Sequence[Event]) -> None:
        """Mark all events so far as narrated."""
        events = list(enumerate(history[self.at :], self.at))
        self._count(narrator, events, len(history))
        for event in narrated_events(narrator, events, self.viewer):
            self._known |= event.arguments
        self.at = len(history)

    def numbered(self, narrator: Narrator, n: int) -> StoryLine:
        """Return the heading of a round without an event of its own: its number, and the scores if any."""
        heading = Sentence("story.round", {"n": n})
        if narrator.game.program.score is not None and self._points and any(self._points.values()):
            heading = self._standing(narrator, heading)
        return StoryLine(narrator.words.say(heading.message, narrator.scope, **heading.values), heading=True)

    def _standing(self, narrator: Narrator, heading: Sentence) -> Sentence:
        """Return a heading with the scores of all players."""
        points = self._points or {}
        standing = ValueList(tuple((narrator.player(p), points.get(p, 0)) for p in range(narrator.game.seats)))
        return Sentence("story.heading.standing", {"heading": heading, "standing": standing})

    def _count(self, narrator: Narrator, events: Sequence[tuple[int, Event]], end: int) -> None:
        """Add up the points of the events before `end`."""
        start = events[0][0] if events else 0
        for index, event in events[max(self._counted - start, 0) : max(end - start, 0)]:
            self._counted = index + 1
            seen = narrator.visible_event(event, self.viewer)
            if seen is None or seen.spec.kind != "points" or self._points is None:
                continue
            fields = seen.fields()
            player, n = fields["player"][1], fields["n"][1]
            if isinstance(player, int) and isinstance(n, int):
                self._points[player] = self._points.get(player, 0) + n
            else:
                self._points = None

    # ---- sentences ----

    def _line(self, aggregator: Aggregator, sentence: StorySentence) -> StoryLine:
        narrated = [event for clause in sentence.clauses for event in clause.all()]
        implied = sorted((neighbour.at, event.message) for event in narrated for neighbour in event.implied)
        heading = not self.every_step and _is_heading(aggregator, sentence.first[0])
        first = sentence.first[0].first
        ended = first.message == "engine.game_ended" and not self.every_step
        text = self._heading(aggregator, first) if heading else self._result(aggregator, first) if ended else None
        text = text or text_of(aggregator, sentence)
        return StoryLine(text, heading, tuple(sorted(event.at for event in narrated)), tuple(implied))

    def _heading(self, aggregator: Aggregator, event: NarratedEvent) -> str:
        """Return the heading of a round, with the scores."""
        narrator, points = aggregator.narrator, self._points
        heading = Sentence(f"{event.message}{HEADING}", event.values)
        if event.beside:
            heading = Sentence("story.heading.aside", {"heading": heading, "said": parenthetical_events(event.beside)})
        if narrator.game.program.score is not None and points:
            heading = self._standing(narrator, heading)
        return aggregator.words.say(heading.message, aggregator.scope, **heading.values)

    def _result(self, aggregator: Aggregator, event: NarratedEvent) -> str | None:
        """Return the sentence with the winners and their score, or None if something else decided the game."""
        game, winners = aggregator.narrator.game, event.event.fields()["winners"][1]
        best = aggregator.narrator.best_score()
        if game.program.score is None or best is None or self._points is None or not isinstance(winners, int):
            return None
        points = [self._points.get(p, 0) for p in range(game.seats)]
        scores = {points[p] for p in range(game.seats) if winners >> p & 1}
        if scores != {best(points)}:
            return None
        score = Term(game.program.score.name, aggregator.scope, scores.pop())
        message = "story.won" if winners.bit_count() == 1 else "story.won.together"
        return aggregator.words.say(message, aggregator.scope, **event.values, score=score)


def text_of(aggregator: Aggregator, sentence: StorySentence) -> str:
    """Return the text of a sentence."""
    say, clauses = aggregator.words.say, _clauses(aggregator, sentence.first)
    if sentence.after:
        after = _clauses(aggregator, sentence.after, after=True)
        return say("story.after", aggregator.scope, before=Listing(tuple(clauses)), after=Listing(tuple(after)))
    if len(clauses) > 1:
        return say("story.deeds", aggregator.scope, deeds=Listing(tuple(clauses)))
    return say(clauses[0].message, aggregator.scope, **clauses[0].values)


def _clauses(aggregator: Aggregator, clauses: Sequence[EventClause], after: bool = False) -> list[Sentence]:
    """Return the clauses of a sentence or of its second half; a shared subject is named once."""
    joined = [part for before, clause in pairwise(clauses) for part in aggregator.continuation(clause, before)]
    return [*aggregator.clauses(clauses[0], after), *joined]


def _sentences(aggregator: Aggregator, clauses: Sequence[EventClause]) -> Iterator[StorySentence]:
    """Group clauses into sentences of a reasonable length."""
    sentence: StorySentence | None = None
    for clause in clauses:
        if sentence is None:
            sentence = StorySentence((clause,))
        elif _continues(aggregator, sentence.last, clause) and _fits(aggregator, sentence.extended(clause)):
            sentence = sentence.extended(clause)
        elif not sentence.after and _comes_after(aggregator, sentence.last, clause):
            sentence = StorySentence(sentence.first, (clause,))
        else:
            yield sentence
            sentence = StorySentence((clause,))
    if sentence is not None:
        yield sentence


def _continues(aggregator: Aggregator, clauses: Sequence[EventClause], clause: EventClause) -> bool:
    """Return whether a clause can follow others without repeating their subject."""
    last = clauses[-1]
    if (
        len(clauses) == MAX_CLAUSES
        or _is_heading(aggregator, last)
        or _is_heading(aggregator, clause)
        or last.about is not None
    ):
        return False
    # A repetition of the first event begins a new sentence.
    if clause.first.message == clauses[0].first.message:
        return False
    if len(last.groups) > 1 or len(clause.groups) > 1:
        return False
    (before,), (behind,) = aggregator.clauses(last), aggregator.clauses(clause)
    if aggregator.subject(before) is None or aggregator.subject(before) != aggregator.subject(behind):
        return False
    return not _stops(aggregator, before)


def _stops(aggregator: Aggregator, clause: Sentence) -> bool:
    """Return whether a further clause after this one would be unclear; separators within lists do not count."""
    values = {n: Listing(v.items[:1]) if isinstance(v, Listing) else v for n, v in clause.values.items()}
    return bool(_STOPS & set(END.sub("", aggregator.words.say(clause.message, aggregator.scope, **values))))


def _comes_after(aggregator: Aggregator, clauses: Sequence[EventClause], clause: EventClause) -> bool:
    """Return whether a clause can be the second half of the previous sentence, which names what it is about."""
    said = f"{clause.groups[0].message}{AFTER}"
    named = bool(clauses[-1].first.values) and not _is_heading(aggregator, clauses[0])
    if not named or not aggregator.words.has(said, aggregator.scope):
        return False
    before, (after, *_) = _clauses(aggregator, clauses), aggregator.clauses(clause)
    if aggregator.subject(before[0]) == aggregator.subject(after):
        return False
    complete = all(aggregator.words.has(said.message, aggregator.scope) for said in before)
    return complete and _fits(aggregator, StorySentence(tuple(clauses), (clause,)))


def _fits(aggregator: Aggregator, sentence: StorySentence) -> bool:
    return len(text_of(aggregator, sentence)) <= MAX_SENTENCE_LENGTH


def _is_heading(aggregator: Aggregator, clause: EventClause) -> bool:
    return aggregator.has(clause.first, HEADING)


def _may_be_deferred(aggregator: Aggregator, sentence: StorySentence, asked: AskedSeat) -> bool:
    """Return whether a sentence need not be narrated before a decision: it only restates the player's own actions.

    The same holds for a sentence that the prompt makes redundant.
    """
    (first, *more), player = sentence.clauses, aggregator.narrator.player(asked.seat)
    if not more and aggregator.may_aggregate_further(first) and aggregator.implied_by_prompt(first.first, player):
        return True
    if any(event.event.spec.kind == "points" for event in sentence.events_with_implied()):
        return False
    subjects = [aggregator.subject(aggregator.clauses(clause)[0]) for clause in sentence.clauses]
    if not all(isinstance(subject, tuple) and subject[1] == player for subject in subjects):
        return False
    # The prompt says whose turn it is.
    positions = (
        event.at for event in sentence.events_with_implied() if not aggregator.implied_by_prompt(event, player)
    )
    return min(positions) >= asked.since()


def _closed(aggregator: Aggregator, sentences: Sequence[StorySentence]) -> int:
    """Return the number of leading sentences that later events cannot change."""
    flat = [(number, clause) for number, sentence in enumerate(sentences) for clause in sentence.clauses]
    first = len(flat) - 1
    while first > 0 and aggregator.may_aggregate_further(flat[first - 1][1]):
        first -= 1
    if first <= 0:
        return 0
    # The previous sentence may continue with the open events.
    return flat[first - 1][0]


def retell(narrator: Narrator, match: Match, viewer: int | None, every_step: bool = False) -> list[StoryLine]:
    """Return a match as it was narrated to a viewer, who was informed before each of their decisions."""
    story, history, lines = Story(viewer, every_step), match.history(), []
    people = [seat for seat, person in enumerate(match.seats) if person.kind == "human"]
    apart = len(people) > 1 and match.game.knowledge.has_private_information
    for number, step in enumerate(match.steps):
        if step.seat in people and (not apart or step.seat == viewer):
            question = asked_seat(match, number, step.seat, story.at)
            lines += story.unreported(narrator, history, match.event_count_before(number), asked=question)
    return [*lines, *story.unreported(narrator, history)]


def written_story(narrator: Narrator, match: Match, viewer: int | None, every_step: bool = False) -> list[StoryLine]:
    """Return a match as a log for later reading.

    Decisions do not split sentences, and each round has a heading even if the game only announces turns.
    """
    story, history, lines = Story(viewer, every_step), match.history(), []
    for number, position in enumerate(() if every_step else round_starts(narrator, match), 1):
        lines += story.unreported(narrator, history, position)
        lines.append(story.numbered(narrator, number))
    return [*lines, *story.unreported(narrator, history)]


def headed_messages(narrator: Narrator) -> frozenset[str]:
    """Return the messages that begin a round of the story with a heading."""
    messages = (spec.message for spec in narrator.game.program.events if spec.message)
    has, scope = narrator.words.has_message, narrator.scope
    return frozenset(message for message in messages if has(f"{message}{HEADING}", scope))


def round_starts(narrator: Narrator, match: Match) -> Iterator[int]:
    """Yield the indices of the events that begin a round in which every player has a turn.

    A round begins with the turn of the first player, or of one who already had a turn. Yields nothing if the story has
    headings of its own.
    """
    if headed_messages(narrator):
        return
    words, scope = narrator.words, narrator.scope
    messages = {spec.message for spec in match.game.program.events if spec.message}
    turns = {message for message in messages if words.slots(f"{message}{IMPLIED}", scope) == {"player"}}
    had: set[object] = set()
    for index, event in enumerate(match.history() if turns else ()):
        if event.spec.message in turns:
            _, player = event.arguments()["player"]
            if player in had or not had:
                yield index
                had = set()
            had.add(player)


def asked_seat(match: Match, number: int, seat: int, told: int) -> AskedSeat:
    """Return the decision of a seat after `number` steps; the events up to `told` were narrated before.

    The seat knows the results of its own preceding steps if it could undo them, since they revealed nothing.
    """

    def since() -> int:
        first = number
        while first and match.event_count_before(first) > told:
            step = match.steps[first - 1]
            if step.seat != seat or not step.was_predictable:
                break
            first -= 1
        return match.event_count_before(first)

    return AskedSeat(seat, since)
