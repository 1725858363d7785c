"""The end of a game: where the points come from, how they grew round by round, and the moments that decided it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from wongar_dsl import syntax as s
from wongar_dsl.engine import State
from wongar_dsl.engine.match import Match
from wongar_dsl.engine.standing import counted
from wongar_dsl.ir.containers import score_from
from wongar_dsl.model import Type
from wongar_dsl.narration import Narrator
from wongar_dsl.narration.deeds import tellings
from wongar_dsl.narration.retelling import rounds_begun
from wongar_dsl.narration.story import Line, Story
from wongar_dsl.narration.telling import Joiner
from wongar_dsl.table.compared import compared, growing, rule
from wongar_dsl.table.deciding import lines_at_the_end
from wongar_dsl.words import Listing, Text
from wongar_dsl.words.words import HEADING

#: What a course is about: a number for each seat.
Measure = Callable[[State], tuple[int, ...]]

#: So many moments decided a game at most, and so many sentences tell one.
MOMENTS, SENTENCES = 3, 3
#: A game of more steps is not gone through again.
LONGEST = 5_000


@dataclass(frozen=True, slots=True)
class Row:
    """The points of each seat from one origin, or how much it has of what is compared; `total`: all of that."""

    name: str
    points: tuple[int, ...]
    total: bool = False


@dataclass(frozen=True, slots=True)
class Course:
    """How the points grew: `ends` are the numbers of steps after each round, `points` those of each seat at the start
    of the game and after each round."""

    ends: tuple[int, ...]
    points: tuple[tuple[int, ...], ...]

    @property
    def grew(self) -> bool:
        """Whether there is anything to see of it: not all the points came at the very end."""
        return any(any(at) for at in self.points[1:-1])


@dataclass(frozen=True, slots=True)
class Moment:
    """A step that decided the game: its number, the round it was in (from 1; 0 where there are none), who took the lead
    for good with it, what happened in sentences, and whether it was the last step."""

    step: int
    round: int
    leader: int | None
    lines: tuple[str, ...]
    last: bool = False


@dataclass(frozen=True, slots=True)
class Ending:
    """What there is to say at the end of a game.  Without points `rows` and `course` are about what the rules compare,
    if anything, the `rule` says how they do that, and the one moment is the last move, with the `line` that has won
    where there is one.  Where points come only at the end, `course` and `moments` are about those that everybody would
    have had if the game had ended there, and that is `counted`.  Of a very long game there are only `rows`.
    `tie` says how a tie was broken."""

    rows: tuple[Row, ...]
    course: Course | None
    moments: tuple[Moment, ...]
    line: str = ""
    rule: str = ""
    counted: bool = False
    tie: str = ""


def ending(match: Match, narrator: Narrator) -> Ending:
    """The end of a match, as somebody is told it who only watched: nothing in it was ever hidden."""
    return replace(_ending(match, narrator), tie=_tie(match.state, narrator))


def _tie(state: State, narrator: Narrator) -> str:
    """How a tie was broken; empty where there was none to break."""
    article = state.game.model.code.winner
    if article is None or len(article.ranking) < 2:
        return ""
    first, counts = article.ranking[0], _counts(state, article)
    if counts and counts.count((max if first.extreme == "most" else min)(counts)) == 1:
        return ""
    # Only a tie needs the prose of the rules.
    from wongar_dsl.narration.ties import tie_broken

    return tie_broken(state, narrator)


def _counts(state: State, article: s.Winner) -> Sequence[int]:
    """What the first line of the ranking counts for each seat; empty where the program has no procedure for that."""
    game, measure = state.game, article.ranking[0].measure
    ref = game.model.refs.get(measure)
    if ref is not None and ref.kind == "score":
        return state.scores
    numbers = {procedure.name: number for number, procedure in enumerate(game.program.procedures)}
    match measure:
        case s.Called(name=name, arguments=(s.Name(text=who), *rest)) if name in numbers and who == article.name.text:
            given = tuple(one.value for one in rest if isinstance(one, s.Number))
            if len(given) == len(rest):
                ask = game.backend.evaluate
                return [ask(state.cells, numbers[name], (seat, *given)) for seat in range(game.seats)]
    return ()


def _ending(match: Match, narrator: Narrator) -> Ending:
    rows = rows_at_the_end(match.state, narrator)
    if match.game.program.score is None:
        measured = growing(match.state) if rows and len(match.steps) <= LONGEST else None
        grown = course(match, narrator, measured) if measured is not None else None
        last = _moment(match, narrator, len(match.steps) - 1, 0, None) if match.steps else None
        moments = (last,) if last is not None and last.lines else ()
        line = _line(match.state, narrator)
        return Ending(rows, grown, moments, line, rule(match.state, narrator) if rows else "")
    if len(match.steps) > LONGEST:
        return Ending(rows, None, ())
    after = course(match, narrator)
    if not after.grew and (counted := course(match, narrator, counted_now)).grew:
        return Ending(rows, counted, moments_of(match, narrator, counted, counted_now), counted=True)
    return Ending(rows, after, moments_of(match, narrator, after))


def rows_at_the_end(state: State, narrator: Narrator) -> tuple[Row, ...]:
    """The points of each seat, without what brought nobody any; in a game without points what the rules compare in
    their place."""
    if state.game.program.score is not None:
        rows = points_by_origin(narrator, state.cells)
        return tuple(row for row in rows if row.total or any(row.points))
    return tuple(Row(one.name, one.amounts, one.whole) for one in compared(state, narrator))


def heading(found: Ending, narrator: Narrator) -> str:
    """What the course shows, where that is not points as they came; else empty."""
    if found.counted:
        return narrator.words.say("standing.title")
    return found.rows[-1].name if found.rows and narrator.game.program.score is None else ""


def moment_told(moment: Moment, narrator: Narrator) -> tuple[str, ...]:
    """What happened then, with the round that it was in, and behind that who took the lead for good."""
    say, told = narrator.words.say, " ".join(moment.lines)
    if moment.round:
        told = say("ending.round", None, n=moment.round, told=Text(told))
    if moment.leader is None:
        return (told,)
    message = "ending.lead.last" if moment.last else "ending.lead"
    return told, say(message, None, player=narrator.player(moment.leader))


# ---- points --------------------------------------------------------------------------------------------------------


def points_by_origin(narrator: Narrator, cells: Sequence[int]) -> tuple[Row, ...]:
    """The points of each seat by where they come from, all of them in the last row; nothing for a game without."""
    game, words = narrator.game, narrator.words
    place = game.program.score
    if place is None:
        return ()
    seats = [place.at(seat) for seat in range(game.seats)]
    count = game.model.size(place.type, game.seats) if place.type.kind == "enum" else 0
    rows = [
        Row(
            words.capital(narrator.term(game.model.value_name(place.type, origin), "short")),
            tuple(score_from(cells, at, origin) for at in seats),
        )
        for origin in range(count)
    ]
    total = Row(words.capital(narrator.term(place.name, "short")), tuple(cells[at] for at in seats), total=True)
    return (*rows, total)


def course(match: Match, narrator: Narrator, measured: Measure = lambda state: state.scores) -> Course:
    """How the points of a match grew round by round, or something else that is `measured`."""
    ends = rounds(match, narrator)
    states = (State(match.game, match.before(number)) for number in (0, *ends))
    return Course(ends, tuple(measured(state) for state in states))


def counted_now(state: State) -> tuple[int, ...]:
    """What everybody would have if the game ended now, with nothing hidden; what they have, where nothing is counted at
    the end."""
    return counted(state, frozenset()) or state.scores


def rounds(match: Match, narrator: Narrator) -> tuple[int, ...]:
    """The numbers of steps after each round so far, the one at hand included: rounds are what the story has headings
    for, and in a game without them everybody's turn once."""
    steps = len(match.steps)
    headed = list(_headed(match, narrator)) or list(_told(match, narrator))
    ends = [number for number in headed if 0 < number < steps] or list(_turns(match))
    return (*ends, steps) if steps else ()


def _headed(match: Match, narrator: Narrator) -> Iterator[int]:
    """After which numbers of steps the story has a heading."""
    knows, scope = narrator.words.knows, narrator.scope
    headed = {
        spec.message for spec in match.game.program.events if spec.message and knows(f"{spec.message}{HEADING}", scope)
    }
    for part in range(len(match.steps) + 1) if headed else ():
        if any(event.spec.message in headed for event in match.events_of(part)):
            yield part


def _told(match: Match, narrator: Narrator) -> Iterator[int]:
    """After which numbers of steps the story tells of a further round; what comes before the first belongs to it."""
    _, *further = [*rounds_begun(narrator, match)] or [0]
    happened = [match.happened(number) for number in range(len(match.steps) + 1)]
    for at in further:
        yield bisect_right(happened, at)


def _turns(match: Match) -> Iterator[int]:
    """After which numbers of steps everybody who still had a turn then has had one."""
    seats = [step.seat for step in match.steps]
    last = {seat: number for number, seat in enumerate(seats)}
    had: set[int] = set()
    begun = 0
    for number, (seat, following) in enumerate(pairwise(seats), 1):
        had.add(seat)
        if following != seat and all(other in had for other, at in last.items() if at >= begun):
            yield number
            had, begun = set(), number


# ---- moments -------------------------------------------------------------------------------------------------------


def moments_of(
    match: Match, narrator: Narrator, course: Course, measured: Measure = lambda state: state.scores
) -> tuple[Moment, ...]:
    """The steps that decided a game with points: with which somebody took the lead for good, the largest gain of
    whoever leads at the end while they did not lead clearly, and those with which the lead went to somebody else; few
    of them, the largest ones, in the order in which that was.  None where all points come with the last step."""
    scores = [measured(State(match.game, match.before(number))) for number in range(len(match.steps) + 1)]
    if all(at == scores[0] for at in scores[:-1]):
        return ()
    change = [max(abs(b - a) for a, b in zip(*pair, strict=True)) for pair in pairwise(scores)]
    taken = _for_good(scores)
    deciding = [*_largest_gain(scores), *sorted(_changes(scores), key=lambda number: (-change[number], number))]
    chosen = list(dict.fromkeys([*([] if taken is None else [taken]), *deciding]))[:MOMENTS]
    found = []
    for number in sorted(chosen):
        played = next((at for at, end in enumerate(course.ends, 1) if number < end), 0)
        leader = _leader(scores[-1]) if number == taken else None
        found.append(_moment(match, narrator, number, played, leader, counted=measured is counted_now))
    return tuple(moment for moment in found if moment.lines)


def _leader(scores: Sequence[int]) -> int | None:
    """Who has more points than everybody else."""
    first = [seat for seat, n in enumerate(scores) if n == max(scores)]
    return first[0] if len(first) == 1 else None


def _for_good(scores: Sequence[Sequence[int]]) -> int | None:
    """The step with which whoever leads at the end took the lead and kept it; None where nobody leads."""
    leader = _leader(scores[-1])
    if leader is None:
        return None
    behind = [number for number, at in enumerate(scores) if _leader(at) != leader]
    return behind[-1] if behind else None


def _largest_gain(scores: Sequence[Sequence[int]]) -> Iterator[int]:
    """The step with which whoever leads at the end gained most, if it was more than what they led by before."""
    winner = _leader(scores[-1])
    if winner is None:
        return
    gains = [after[winner] - before[winner] for before, after in pairwise(scores)]
    ahead = [at[winner] - max((n for seat, n in enumerate(at) if seat != winner), default=0) for at in scores]
    found = [number for number, gain in enumerate(gains) if gain > max(0, ahead[number])]
    yield from sorted(found, key=lambda number: (-gains[number], number))[:1]


def _changes(scores: Sequence[Sequence[int]]) -> Iterator[int]:
    """The steps with which somebody took the lead from somebody else."""
    last: int | None = None
    for number, at in enumerate(scores):
        leader = _leader(at)
        if leader is not None:
            if last is not None and leader != last:
                yield number - 1
            last = leader


def _moment(
    match: Match, narrator: Narrator, step: int, played: int, leader: int | None, counted: bool = False
) -> Moment:
    """A step in a few sentences: those that tell of points, or where these are only `counted` at the end, of all
    else; others where there are none.  Whose turn is next is left out."""
    joiner, events = Joiner(narrator), list(match.events_of(step + 1))
    # Whose turn is next has decided nothing.
    turns = {one.at for one in tellings(narrator, list(enumerate(events)), None) if joiner.says_whose_turn(one)}
    events = [event for at, event in enumerate(events) if at not in turns]
    lines = [line for line in Story(None, standings=False).tell(narrator, events) if not line.heading]
    scored = {number for number, event in enumerate(events) if event.spec.kind == "points"}
    ended = {number for number, event in enumerate(events) if event.spec.kind == "game_ended"}
    told = [line for line in lines if not ended.issuperset(line.told)]
    about = [line for line in told if bool(scored & _all(line)) is not counted] or told
    sentences = tuple(line.text for line in about[:SENTENCES])
    return Moment(step, played, leader, sentences, last=step == len(match.steps) - 1)


def _all(line: Line) -> set[int]:
    return {*line.told, *(at for at, _ in line.implied)}


def _line(state: State, narrator: Narrator) -> str:
    """The areas of the line that has won, in words; empty where there is none."""
    areas = sorted(lines_at_the_end(state))
    if not areas:
        return ""
    named = [narrator.short(Type("board", board), area) for board, area in areas]
    return narrator.words.say("ending.line", None, areas=Listing(tuple(map(Text, named))))
