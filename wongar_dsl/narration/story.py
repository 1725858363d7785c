"""Narration of play as a story: related events share a sentence, and each round has a heading.

The catalogs define which events are related (see `telling`). Every event is accounted for: a `Line` lists the events
that it narrates or implies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from wongar_dsl.engine.events import Event
from wongar_dsl.model import Type
from wongar_dsl.narration.deeds import Deed, Telling, tellings
from wongar_dsl.narration.narrator import Narrator, Raw
from wongar_dsl.narration.telling import LONGEST, Joiner, by_the_way
from wongar_dsl.words import Listing, Said, Tally, Term
from wongar_dsl.words.clause import END
from wongar_dsl.words.words import AFTER, HEADING

#: Maximum number of clauses in a sentence.
MOST = 4
#: Maximum number of events that are aggregated together, more than any game has in a round; it bounds memory use.
AT_ONCE = 2_000
#: Punctuation in a clause that makes a further clause after it unclear.
_STOPS = frozenset(",;:(")


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence, or the `heading` of a round; `told` are the positions of its events in the history.

    `implied` are the positions of events that another one makes redundant, each with the message of that event.
    """

    text: str
    heading: bool = False
    told: tuple[int, ...] = ()
    implied: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Sentence:
    """Clauses with a shared subject, and `after` a semicolon those with another one."""

    first: tuple[Deed, ...]
    after: tuple[Deed, ...] = ()

    @property
    def deeds(self) -> tuple[Deed, ...]:
        """All clauses of the sentence."""
        return (*self.first, *self.after)

    @property
    def last(self) -> tuple[Deed, ...]:
        """The part to which further clauses can be added."""
        return self.after or self.first

    def told(self) -> Iterator[Telling]:
        """Yield the narrated events and those that they imply."""
        for deed in self.deeds:
            for telling in deed.all():
                yield from (telling, *telling.implied)

    def going_on(self, deed: Deed) -> Sentence:
        """Return the sentence with one more clause at its end."""
        if self.after:
            return Sentence(self.first, (*self.after, deed))
        return Sentence((*self.first, deed))


@dataclass(frozen=True, slots=True)
class Asked:
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

    def tell(
        self,
        narrator: Narrator,
        history: Sequence[Event],
        end: int | None = None,
        whole: bool = True,
        asked: Asked | None = None,
    ) -> list[Line]:
        """Return the lines for the events up to `end` that have not been narrated.

        Without `whole`, sentences that later events may still extend are left out; with `asked`, only those about the
        deciding player's own actions. A long history is aggregated in portions of `AT_ONCE` events.
        """
        return [*chain.from_iterable(self.bit_by_bit(narrator, history, end, whole, asked))]

    def bit_by_bit(
        self, narrator: Narrator, history: Sequence[Event], end: int | None, whole: bool, asked: Asked | None
    ) -> Iterator[list[Line]]:
        """Yield the same lines in portions, to bound time and memory for a long history."""
        end = len(history) if end is None else end
        while end - self.at > AT_ONCE:
            yield self._told(narrator, history, self.at + AT_ONCE, True, None)
        yield self._told(narrator, history, end, whole, asked)

    def _told(
        self, narrator: Narrator, history: Sequence[Event], end: int, whole: bool, asked: Asked | None
    ) -> list[Line]:
        events = list(enumerate(history[self.at : end], self.at))
        joiner = Joiner(narrator)
        narrated = tellings(narrator, events, self.viewer)
        if self.every_step:
            sentences = [Sentence((deed,)) for deed in joiner.deeds(narrated, lists_only=True)]
        else:
            joined = joiner.with_asides(joiner.without_implied(narrated), dict(self._known), self._part)
            sentences = list(_sentences(joiner, joiner.deeds(joined)))
        count = len(sentences)
        if not whole or (asked is not None and not self.every_step):
            count = _closed(joiner, sentences)
        if asked is not None:
            late = (n for n in range(len(sentences), count, -1) if not _waits(joiner, sentences[n - 1], asked))
            count = next(late, count)
        stop = self.at + len(events)
        if count < len(sentences):
            stop = min(telling.at for telling in sentences[count].told())
        lines = []
        for sentence in sentences[:count]:
            # Points before a heading are included in its scores.
            self._count(narrator, events, sentence.first[0].first.at)
            lines.append(self._line(joiner, sentence))
        self._count(narrator, events, stop)
        for telling in narrated:
            if telling.at < stop:
                self._known |= telling.arguments
        self.at = stop
        return lines

    def skip(self, narrator: Narrator, history: Sequence[Event]) -> None:
        """Mark all events so far as narrated."""
        events = list(enumerate(history[self.at :], self.at))
        self._count(narrator, events, len(history))
        for telling in tellings(narrator, events, self.viewer):
            self._known |= telling.arguments
        self.at = len(history)

    def numbered(self, narrator: Narrator, n: int) -> Line:
        """Return the heading of a round without an event of its own: its number, and the scores if any."""
        heading = Said("story.round", {"n": n})
        if narrator.game.program.score is not None and self._points and any(self._points.values()):
            heading = self._standing(narrator, heading)
        return Line(narrator.words.say(heading.message, narrator.scope, **heading.values), heading=True)

    def _standing(self, narrator: Narrator, heading: Said) -> Said:
        """Return a heading with the scores of all players."""
        points = self._points or {}
        standing = Tally(tuple((narrator.player(p), points.get(p, 0)) for p in range(narrator.game.seats)))
        return Said("story.heading.standing", {"heading": heading, "standing": standing})

    def _count(self, narrator: Narrator, events: Sequence[tuple[int, Event]], end: int) -> None:
        """Add up the points of the events before `end`."""
        for index, event in events:
            if not self._counted <= index < end:
                continue
            self._counted = index + 1
            seen = narrator.as_seen(event, self.viewer)
            if seen is None or seen.spec.kind != "points" or self._points is None:
                continue
            fields = seen.fields()
            player, n = fields["player"][1], fields["n"][1]
            if isinstance(player, int) and isinstance(n, int):
                self._points[player] = self._points.get(player, 0) + n
            else:
                self._points = None

    # ---- sentences ----

    def _line(self, joiner: Joiner, sentence: Sentence) -> Line:
        narrated = [telling for deed in sentence.deeds for telling in deed.all()]
        implied = sorted((neighbour.at, telling.message) for telling in narrated for neighbour in telling.implied)
        heading = not self.every_step and _is_heading(joiner, sentence.first[0])
        first = sentence.first[0].first
        ended = first.message == "engine.game_ended" and not self.every_step
        text = self._heading(joiner, first) if heading else self._ended(joiner, first) if ended else None
        text = text or text_of(joiner, sentence)
        return Line(text, heading, tuple(sorted(telling.at for telling in narrated)), tuple(implied))

    def _heading(self, joiner: Joiner, telling: Telling) -> str:
        """Return the heading of a round, with the scores."""
        narrator, points = joiner.narrator, self._points
        heading = Said(f"{telling.message}{HEADING}", telling.values)
        if telling.beside:
            heading = Said("story.heading.aside", {"heading": heading, "said": by_the_way(telling.beside)})
        if narrator.game.program.score is not None and points:
            heading = self._standing(narrator, heading)
        return joiner.words.say(heading.message, joiner.scope, **heading.values)

    def _ended(self, joiner: Joiner, telling: Telling) -> str | None:
        """Return the sentence with the winners and their score; None without points, or if their points differ."""
        place, winners = joiner.narrator.game.program.score, telling.event.fields()["winners"][1]
        if place is None or self._points is None or not isinstance(winners, int):
            return None
        scores = {self._points.get(p, 0) for p in range(joiner.narrator.game.seats) if winners >> p & 1}
        if len(scores) != 1:
            return None
        score = Term(place.name, joiner.scope, scores.pop())
        message = "story.won" if winners.bit_count() == 1 else "story.won.together"
        return joiner.words.say(message, joiner.scope, **telling.values, score=score)


def text_of(joiner: Joiner, sentence: Sentence) -> str:
    """Return the text of a sentence."""
    say, clauses = joiner.words.say, _clauses(joiner, sentence.first)
    if sentence.after:
        after = _clauses(joiner, sentence.after, after=True)
        return say("story.after", joiner.scope, before=Listing(tuple(clauses)), after=Listing(tuple(after)))
    if len(clauses) > 1:
        return say("story.deeds", joiner.scope, deeds=Listing(tuple(clauses)))
    return say(clauses[0].message, joiner.scope, **clauses[0].values)


def _clauses(joiner: Joiner, deeds: Sequence[Deed], after: bool = False) -> list[Said]:
    """Return the clauses of a sentence or of its second half; a shared subject is named once."""
    joined = [clause for before, deed in pairwise(deeds) for clause in joiner.going_on(deed, before)]
    return [*joiner.clauses(deeds[0], after), *joined]


def _sentences(joiner: Joiner, deeds: Sequence[Deed]) -> Iterator[Sentence]:
    """Group clauses into sentences of a reasonable length."""
    sentence: Sentence | None = None
    for deed in deeds:
        if sentence is None:
            sentence = Sentence((deed,))
        elif _goes_on(joiner, sentence.last, deed) and _fits(joiner, sentence.going_on(deed)):
            sentence = sentence.going_on(deed)
        elif not sentence.after and _comes_after(joiner, sentence.last, deed):
            sentence = Sentence(sentence.first, (deed,))
        else:
            yield sentence
            sentence = Sentence((deed,))
    if sentence is not None:
        yield sentence


def _goes_on(joiner: Joiner, deeds: Sequence[Deed], deed: Deed) -> bool:
    """Return whether a clause can follow others without repeating their subject."""
    last = deeds[-1]
    if len(deeds) == MOST or _is_heading(joiner, last) or _is_heading(joiner, deed) or last.about is not None:
        return False
    # A repetition of the first event begins a new sentence.
    if deed.first.message == deeds[0].first.message:
        return False
    if len(last.groups) > 1 or len(deed.groups) > 1:
        return False
    (before,), (behind,) = joiner.clauses(last), joiner.clauses(deed)
    if joiner.subject(before) is None or joiner.subject(before) != joiner.subject(behind):
        return False
    return not _stops(joiner, before)


def _stops(joiner: Joiner, clause: Said) -> bool:
    """Return whether a further clause after this one would be unclear; separators within lists do not count."""
    values = {n: Listing(v.items[:1]) if isinstance(v, Listing) else v for n, v in clause.values.items()}
    return bool(_STOPS & set(END.sub("", joiner.words.say(clause.message, joiner.scope, **values))))


def _comes_after(joiner: Joiner, deeds: Sequence[Deed], deed: Deed) -> bool:
    """Return whether a clause can be the second half of the previous sentence."""
    said = f"{deed.groups[0].message}{AFTER}"
    if not joiner.words.has(said, joiner.scope) or _is_heading(joiner, deeds[0]):
        return False
    before, (after, *_) = _clauses(joiner, deeds), joiner.clauses(deed)
    if joiner.subject(before[0]) == joiner.subject(after):
        return False
    complete = all(joiner.words.has(said.message, joiner.scope) for said in before)
    return complete and _fits(joiner, Sentence(tuple(deeds), (deed,)))


def _fits(joiner: Joiner, sentence: Sentence) -> bool:
    return len(text_of(joiner, sentence)) <= LONGEST


def _is_heading(joiner: Joiner, deed: Deed) -> bool:
    return joiner.has(deed.first, HEADING)


def _waits(joiner: Joiner, sentence: Sentence, asked: Asked) -> bool:
    """Return whether a sentence need not be narrated before a decision: it only restates the player's own actions.

    The same holds for a sentence that the prompt makes redundant.
    """
    (first, *more), player = sentence.deeds, joiner.narrator.player(asked.seat)
    if not more and joiner.waits(first) and joiner.implied_by_asking(first.first, player):
        return True
    if any(telling.event.spec.kind == "points" for telling in sentence.told()):
        return False
    subjects = [joiner.subject(joiner.clauses(deed)[0]) for deed in sentence.deeds]
    if not all(isinstance(subject, tuple) and subject[1] == player for subject in subjects):
        return False
    # The prompt says whose turn it is.
    positions = (telling.at for telling in sentence.told() if not joiner.implied_by_asking(telling, player))
    return min(positions) >= asked.since()


def _closed(joiner: Joiner, sentences: Sequence[Sentence]) -> int:
    """Return the number of leading sentences that later events cannot change."""
    flat = [(number, deed) for number, sentence in enumerate(sentences) for deed in sentence.deeds]
    first = len(flat) - 1
    while first > 0 and joiner.waits(flat[first - 1][1]):
        first -= 1
    if first <= 0:
        return 0
    # The previous sentence may continue with the open events.
    return flat[first - 1][0]
