"""What happened, told as a story: events that belong together in one sentence, and a heading for each round.

How the events of a game belong together its catalogs say (see `telling`).  Nothing that a sentence of its own would say
gets lost: a `Line` accounts for each event.
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

#: So many things that somebody does are told in one sentence.
MOST = 4
#: So many events are looked at together, more than any game has in a round: what is told of more takes no more memory.
AT_ONCE = 2_000
#: What a clause has of its own behind which another one would not be understood.
_STOPS = frozenset(",;:(")


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence, or the `heading` of a round; `told` are the events that it tells, by their places in the history.

    `implied` are those that are not told since one of these says the same: each with the message of that one.
    """

    text: str
    heading: bool = False
    told: tuple[int, ...] = ()
    implied: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Sentence:
    """Deeds of the same one, and `after` a semicolon others of another one."""

    first: tuple[Deed, ...]
    after: tuple[Deed, ...] = ()

    @property
    def deeds(self) -> tuple[Deed, ...]:
        """All of them."""
        return (*self.first, *self.after)

    @property
    def last(self) -> tuple[Deed, ...]:
        """Those that can still go on."""
        return self.after or self.first

    def told(self) -> Iterator[Telling]:
        """What it tells, and what that implies."""
        for deed in self.deeds:
            for telling in deed.all():
                yield from (telling, *telling.implied)

    def going_on(self, deed: Deed) -> Sentence:
        """With one more of the one that it is about at its end."""
        if self.after:
            return Sentence(self.first, (*self.after, deed))
        return Sentence((*self.first, deed))


@dataclass(frozen=True, slots=True)
class Asked:
    """The seat that is asked something; of what happened `since` so many events it knows, since it did that itself.

    That is worked out only where it matters.
    """

    seat: int
    since: Callable[[], int]


class Story:
    """Tells a viewer (None: somebody who watches; `EVERYTHING`: a referee) more and more of a game.

    With `every_step` only what is alike is told together; without `standings` headings do not say how everybody stands,
    for a part of a game, whose reader knows what came before it.
    """

    def __init__(self, viewer: int | None, every_step: bool = False, standings: bool = True) -> None:
        self.viewer, self.every_step = viewer, every_step
        #: How many events have been told.
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
        """What has not been told yet of the events up to `end`; unless `whole`, without what could still go on.

        Where somebody is `asked`, only what they do themselves can still go on.  Of very many events, only so many as
        are told at once are joined.
        """
        return [*chain.from_iterable(self.bit_by_bit(narrator, history, end, whole, asked))]

    def bit_by_bit(
        self, narrator: Narrator, history: Sequence[Event], end: int | None, whole: bool, asked: Asked | None
    ) -> Iterator[list[Line]]:
        """The same, each time as much as is told at once: very many events take their time, and their room."""
        end = len(history) if end is None else end
        while end - self.at > AT_ONCE:
            yield self._told(narrator, history, self.at + AT_ONCE, True, None)
        yield self._told(narrator, history, end, whole, asked)

    def _told(
        self, narrator: Narrator, history: Sequence[Event], end: int, whole: bool, asked: Asked | None
    ) -> list[Line]:
        events = list(enumerate(history[self.at : end], self.at))
        joiner = Joiner(narrator)
        told = tellings(narrator, events, self.viewer)
        if self.every_step:
            sentences = [Sentence((deed,)) for deed in joiner.deeds(told, lists_only=True)]
        else:
            joined = joiner.with_asides(joiner.without_implied(told), dict(self._known), self._part)
            sentences = list(_sentences(joiner, joiner.deeds(joined)))
        kept = len(sentences)
        if not whole or (asked is not None and not self.every_step):
            kept = _closed(joiner, sentences)
        if asked is not None:
            late = (n for n in range(len(sentences), kept, -1) if not _waits(joiner, sentences[n - 1], asked))
            kept = next(late, kept)
        stop = self.at + len(events)
        if kept < len(sentences):
            stop = min(telling.at for telling in sentences[kept].told())
        lines = []
        for sentence in sentences[:kept]:
            # Points that came before a heading stand in it.
            self._count(narrator, events, sentence.first[0].first.at)
            lines.append(self._line(joiner, sentence))
        self._count(narrator, events, stop)
        for telling in told:
            if telling.at < stop:
                self._known |= telling.arguments
        self.at = stop
        return lines

    def skip(self, narrator: Narrator, history: Sequence[Event]) -> None:
        """Take what happened up to now for told."""
        events = list(enumerate(history[self.at :], self.at))
        self._count(narrator, events, len(history))
        for telling in tellings(narrator, events, self.viewer):
            self._known |= telling.arguments
        self.at = len(history)

    def numbered(self, narrator: Narrator, n: int) -> Line:
        """The heading of a round that no event tells: its number, and how everybody stands where there are points."""
        said = Said("story.round", {"n": n})
        if narrator.game.program.score is not None and self._points and any(self._points.values()):
            said = self._standing(narrator, said)
        return Line(narrator.words.say(said.message, narrator.scope, **said.values), heading=True)

    def _standing(self, narrator: Narrator, heading: Said) -> Said:
        """A heading with the points of everybody."""
        points = self._points or {}
        standing = Tally(tuple((narrator.player(p), points.get(p, 0)) for p in range(narrator.game.seats)))
        return Said("story.heading.standing", {"heading": heading, "standing": standing})

    def _count(self, narrator: Narrator, events: Sequence[tuple[int, Event]], end: int) -> None:
        """Add up the points of the events before `end`."""
        for at, event in events:
            if not self._counted <= at < end:
                continue
            self._counted = at + 1
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
        told = [telling for deed in sentence.deeds for telling in deed.all()]
        implied = sorted((other.at, telling.message) for telling in told for other in telling.implied)
        heading = not self.every_step and _is_heading(joiner, sentence.first[0])
        first = sentence.first[0].first
        ended = first.message == "engine.game_ended" and not self.every_step
        text = self._heading(joiner, first) if heading else self._ended(joiner, first) if ended else None
        text = text or text_of(joiner, sentence)
        return Line(text, heading, tuple(sorted(telling.at for telling in told)), tuple(implied))

    def _heading(self, joiner: Joiner, telling: Telling) -> str:
        """What a round begins with, and how everybody stands."""
        narrator, points = joiner.narrator, self._points
        said = Said(f"{telling.message}{HEADING}", telling.values)
        if telling.beside:
            said = Said("story.heading.aside", {"heading": said, "said": by_the_way(telling.beside)})
        if narrator.game.program.score is not None and points:
            said = self._standing(narrator, said)
        return joiner.words.say(said.message, joiner.scope, **said.values)

    def _ended(self, joiner: Joiner, telling: Telling) -> str | None:
        """Who has won with how many points; None in a game without, and where the winners have not the same."""
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
    """A sentence in words."""
    say, clauses = joiner.words.say, _clauses(joiner, sentence.first)
    if sentence.after:
        after = _clauses(joiner, sentence.after, after=True)
        return say("story.after", joiner.scope, before=Listing(tuple(clauses)), after=Listing(tuple(after)))
    if len(clauses) > 1:
        return say("story.deeds", joiner.scope, deeds=Listing(tuple(clauses)))
    return say(clauses[0].message, joiner.scope, **clauses[0].values)


def _clauses(joiner: Joiner, deeds: Sequence[Deed], after: bool = False) -> list[Said]:
    """The clauses of a sentence, or of its second half; whom they are about is said once."""
    joined = [said for before, deed in pairwise(deeds) for said in joiner.going_on(deed, before)]
    return [*joiner.clauses(deeds[0], after), *joined]


def _sentences(joiner: Joiner, deeds: Sequence[Deed]) -> Iterator[Sentence]:
    """Deeds that are told in one sentence, up to a sensible length."""
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
    """Whether a deed can be told behind others without naming again whom it is about."""
    last = deeds[-1]
    if len(deeds) == MOST or _is_heading(joiner, last) or _is_heading(joiner, deed) or last.about is not None:
        return False
    # Whoever does again what the sentence began with begins another one.
    if deed.first.message == deeds[0].first.message:
        return False
    if len(last.groups) > 1 or len(deed.groups) > 1:
        return False
    (before,), (behind,) = joiner.clauses(last), joiner.clauses(deed)
    if joiner.subject(before) is None or joiner.subject(before) != joiner.subject(behind):
        return False
    return not _stops(joiner, before)


def _stops(joiner: Joiner, clause: Said) -> bool:
    """Whether another clause behind this one would not be understood; what lists have between their parts is none."""
    values = {n: Listing(v.items[:1]) if isinstance(v, Listing) else v for n, v in clause.values.items()}
    return bool(_STOPS & set(END.sub("", joiner.words.say(clause.message, joiner.scope, **values))))


def _comes_after(joiner: Joiner, deeds: Sequence[Deed], deed: Deed) -> bool:
    """Whether a deed is told as the second half of the sentence before."""
    said = f"{deed.groups[0].message}{AFTER}"
    if not joiner.words.has(said, joiner.scope) or _is_heading(joiner, deeds[0]):
        return False
    before, (after, *_) = _clauses(joiner, deeds), joiner.clauses(deed)
    if joiner.subject(before[0]) == joiner.subject(after):
        return False
    known = all(joiner.words.has(said.message, joiner.scope) for said in before)
    return known and _fits(joiner, Sentence(tuple(deeds), (deed,)))


def _fits(joiner: Joiner, sentence: Sentence) -> bool:
    return len(text_of(joiner, sentence)) <= LONGEST


def _is_heading(joiner: Joiner, deed: Deed) -> bool:
    return joiner.has(deed.first, HEADING)


def _waits(joiner: Joiner, sentence: Sentence, asked: Asked) -> bool:
    """Whether somebody who is asked need not be told a sentence yet: it is what they did, and says no result.

    Nor need they where being asked says the same.
    """
    (first, *more), player = sentence.deeds, joiner.narrator.player(asked.seat)
    if not more and joiner.waits(first) and joiner.implied_by_asking(first.first, player):
        return True
    if any(telling.event.spec.kind == "points" for telling in sentence.told()):
        return False
    about = [joiner.subject(joiner.clauses(deed)[0]) for deed in sentence.deeds]
    if not all(isinstance(one, tuple) and one[1] == player for one in about):
        return False
    # Whose turn it is, they are told by being asked.
    said = (telling.at for telling in sentence.told() if not joiner.implied_by_asking(telling, player))
    return min(said) >= asked.since()


def _closed(joiner: Joiner, sentences: Sequence[Sentence]) -> int:
    """How many sentences stay as they are whatever happens next."""
    flat = [(number, deed) for number, sentence in enumerate(sentences) for deed in sentence.deeds]
    first = len(flat) - 1
    while first > 0 and joiner.waits(flat[first - 1][1]):
        first -= 1
    if first <= 0:
        return 0
    # The sentence before may go on with what is still open.
    return flat[first - 1][0]
