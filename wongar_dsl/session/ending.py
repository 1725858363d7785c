"""End-of-game report: points by origin or the values compared, score history by round, and the decisive moments."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.containers import container, score_from, size_at
from wongar_dsl.engine import State
from wongar_dsl.engine.hidden_information.information import copies, visible_extent
from wongar_dsl.engine.hidden_information.lookahead import scores_without
from wongar_dsl.engine.match import Match
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import PLAYER, Model, Type
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.narration.aggregation import Aggregator, narrated_events
from wongar_dsl.nlg.narration.story import Story, StoryLine, headed_messages, round_starts
from wongar_dsl.nlg.words import Listing, Text
from wongar_dsl.session.scene import winning_lines

#: Maximum number of kinds that get a row each; with more kinds only the total is shown.
MAX_KINDS = 12

#: Function from a state to the measured number of each seat.
Measure = Callable[[State], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """Points of each seat from one origin, or its amount of a compared thing; `total` marks the sum."""

    name: str
    points: tuple[int, ...]
    total: bool = False


def ranking_values(state: State, narrator: Narrator) -> tuple[ScoreRow, ...]:
    """Return the per-player fields that the ranking compares, as far as their amounts are public."""
    fields = _ranked_fields(state.game.program, state.game.model)
    return tuple(row for field in fields for row in _field_amounts(field, state, narrator))


def growing_measure(state: State) -> Measure | None:
    """Return a function from a state to the compared amount of each seat.

    None unless the ranking compares exactly one public field.
    """
    fields = _ranked_fields(state.game.program, state.game.model)
    if len(fields) != 1 or not _has_public_amounts(fields[0]):
        return None
    return lambda later: _total_amounts(fields[0], later)


def rule(state: State, narrator: Narrator) -> str:
    """Return the rulebook's sentences on who wins, or "" if the rules have no ranking."""
    if state.game.model.code.winner is None:
        return ""
    # Imported here because the prose of the rules is needed only at the end of a game.
    from wongar_dsl.nlg.narration.excerpts import RuleExcerpts

    paragraphs = RuleExcerpts(state.game, narrator.words).article_text("winner")
    return " ".join(paragraph.text for paragraph in paragraphs if paragraph.text and paragraph.style != "strong")


def _ranked_fields(program: ir.Program, model: Model) -> list[ir.Field]:
    """Return the per-player fields that the ranking reads, in ranking order."""
    if model.code.winner is None:
        return []
    fields = {field.name: field for field in program.fields}
    named = dict.fromkeys(_referenced_fields(model, model.code.winner.ranking, set()))
    return [fields[name] for name in named if name in fields and fields[name].indices == (PLAYER,)]


def _referenced_fields(model: Model, nodes: Sequence[s.Node], visited: set[str]) -> Iterator[str]:
    """Yield the names of the fields that expressions refer to, also through the definitions that they call."""
    for node in nodes:
        for part in s.walk(node):
            ref = model.refs.get(part)
            if ref is None:
                continue
            if ref.kind == "define" and ref.name not in visited:
                visited.add(ref.name)
                yield from _referenced_fields(model, (model.code.defines[ref.name],), visited)
            elif ref.kind in ("zone", "token_count", "slot_card", "remember"):
                yield ref.name


def _has_public_amounts(field: ir.Field) -> bool:
    """Return whether the amount in every copy of a field is public."""
    if container(field) is None and field.type.kind != "number":
        return False
    sufficient = ("all",) if container(field) is None else ("all", "number")
    return all(visible_extent(field, indices, None) in sufficient for indices, _ in copies(field))


def _total_amounts(field: ir.Field, state: State) -> tuple[int, ...]:
    """Return the total amount of each seat in a field."""
    if container(field) is None:
        return tuple(state.cells[address] for _, address in copies(field))
    return tuple(size_at(state.cells, field, address) for _, address in copies(field))


def _field_amounts(field: ir.Field, state: State, narrator: Narrator) -> Iterator[ScoreRow]:
    """Yield the amounts of each seat in a field: a row for each kind where contents are public, then the total."""
    if not _has_public_amounts(field):
        return
    zone, words = container(field), narrator.words
    kinds: list[ScoreRow] = []
    shows_kinds = all(visible_extent(field, indices, None) == "all" for indices, _ in copies(field))
    if zone is not None and not field.traits.spread and shows_kinds:
        faces = state.game.model.size(field.type, state.game.seats)
        each = [zone.counts(state.cells, address, field.width, faces) for _, address in copies(field)]
        kinds = [
            ScoreRow(words.capital(narrator.short(field.type, face)), tuple(counts[face] for counts in each))
            for face in range(faces)
            if any(counts[face] for counts in each)
        ]
    if 1 < len(kinds) <= MAX_KINDS:
        yield from kinds
    name = words.capital(narrator.term(field.name, "short"))
    yield ScoreRow(name, _total_amounts(field, state), total=1 < len(kinds) <= MAX_KINDS)


#: Maximum number of decisive moments, and of sentences for each.
MOMENTS, SENTENCES = 3, 3
#: Maximum number of steps of a game whose history is analysed.
MAX_STEPS = 5_000


@dataclass(frozen=True, slots=True)
class ScoreHistory:
    """Score history by round.

    `ends` are the step numbers at the end of each round; `points` are those of each seat at the start of the game and
    after each round.
    """

    ends: tuple[int, ...]
    points: tuple[tuple[int, ...], ...]

    @property
    def has_growth(self) -> bool:
        """True if points were scored before the very end."""
        return any(any(row) for row in self.points[1:-1])


@dataclass(frozen=True, slots=True)
class DecisiveMoment:
    """Decisive step: its number, its round (from 1; 0 without rounds), and its sentences.

    `leader` is the player who took the lead for good with it; `last` marks the last step of the game.
    """

    step: int
    round: int
    leader: int | None
    lines: tuple[str, ...]
    last: bool = False


@dataclass(frozen=True, slots=True)
class Ending:
    """Report at the end of a game.

    Without points, `rows` and `history` show what the rules compare. If they compare nothing and the game is won, the
    only moment is the last move, with the winning `line` if there is one. `rule` explains the ranking unless it begins
    with most points. If all points come at the end, `history` and `moments` use the points that an immediate end would
    give, and `is_provisional` is set. A very long game has only `rows`. `tie` tells how a tie was broken.
    """

    rows: tuple[ScoreRow, ...]
    history: ScoreHistory | None
    moments: tuple[DecisiveMoment, ...]
    line: str = ""
    rule: str = ""
    is_provisional: bool = False
    tie: str = ""


def ending(match: Match, narrator: Narrator) -> Ending:
    """Return the report of a finished match from a spectator's view; nothing is hidden any more."""
    return replace(_ending(match, narrator), tie=_tie(match.state, narrator))


def _tie(state: State, narrator: Narrator) -> str:
    """Return an explanation of how a tie was broken, or "" if there was none."""
    model = state.game.model
    ranking = model.code.winner.ranking if model.code.winner is not None else ()
    if len(ranking) < 2:
        return ""
    ref = model.refs.get(ranking[0].measure)
    if ref is not None and ref.kind == "score":
        best = (max if ranking[0].extreme == "most" else min)(state.scores)
        if state.scores.count(best) == 1:
            return ""
    # Imported here because only a tie needs the prose of the rules.
    from wongar_dsl.nlg.narration.illegal_move_reasons import tie_break_text

    return tie_break_text(state, narrator)


def _ending(match: Match, narrator: Narrator) -> Ending:
    rows = final_rows(match.state, narrator)
    if match.game.program.score is None:
        measured = growing_measure(match.state) if rows and len(match.steps) <= MAX_STEPS else None
        grown = score_history(match, narrator, measured) if measured is not None else None
        decisive = bool(match.steps and match.state.winners and not rows)
        last = _moment(match, narrator, len(match.steps) - 1, 0, None) if decisive else None
        moments = (last,) if last is not None and last.lines else ()
        line = _line(match.state, narrator)
        return Ending(rows, grown, moments, line, rule(match.state, narrator) if rows else "")
    if len(match.steps) > MAX_STEPS:
        return Ending(rows, None, ())
    history, measured = score_history(match, narrator), scores_of
    if not history.has_growth and (later := score_history(match, narrator, scores_if_ended_now)).has_growth:
        history, measured = later, scores_if_ended_now
    is_provisional = measured is scores_if_ended_now
    if narrator.best_score() is not max:
        return Ending(rows, history, (), rule=rule(match.state, narrator), is_provisional=is_provisional)
    return Ending(rows, history, moments_of(match, narrator, history, measured), is_provisional=is_provisional)


def final_rows(state: State, narrator: Narrator) -> tuple[ScoreRow, ...]:
    """Return the points of each seat by origin, without empty origins; without a score, the ranked values."""
    if state.game.program.score is not None:
        rows = points_by_origin(narrator, state)
        return tuple(row for row in rows if row.total or any(row.points))
    return ranking_values(state, narrator)


def heading(summary: Ending, narrator: Narrator) -> str:
    """Return the heading of the score history: the name of the score, or of the compared thing."""
    if summary.is_provisional:
        return narrator.words.say("standing.title")
    return summary.rows[-1].name if summary.rows else ""


def moment_text(moment: DecisiveMoment, narrator: Narrator) -> tuple[str, ...]:
    """Return the sentences of a moment with its round, then a sentence on who took the lead for good."""
    say, text = narrator.words.say, " ".join(moment.lines)
    if moment.round:
        text = say("ending.round", None, n=moment.round, told=Text(text))
    if moment.leader is None:
        return (text,)
    message = "ending.lead.last" if moment.last else "ending.lead"
    return text, say(message, None, player=narrator.player(moment.leader))


# ---- points --------------------------------------------------------------------------------------------------------


def points_by_origin(narrator: Narrator, state: State) -> tuple[ScoreRow, ...]:
    """Return the points of each seat by origin, with the total in the last row; empty for a game without points."""
    game, words, cells = narrator.game, narrator.words, state.cells
    place = game.program.score
    if place is None:
        return ()
    seats = [place.at(seat) for seat in range(game.seats)]
    count = game.model.size(place.type, game.seats) if place.type.kind == "enum" else 0
    rows = [
        ScoreRow(
            words.capital(narrator.term(game.model.value_name(place.type, origin), "short")),
            tuple(score_from(cells, address, origin) for address in seats),
        )
        for origin in range(count)
    ]
    total = ScoreRow(narrator.score_title(), tuple(cells[address] for address in seats), total=True)
    return (*rows, total)


def scores_of(state: State) -> tuple[int, ...]:
    """Return the current points of each seat."""
    return state.scores


def score_history(match: Match, narrator: Narrator, measured: Measure = scores_of) -> ScoreHistory:
    """Return the history of the points, or of another `measured` value, by round."""
    ends = rounds(match, narrator)
    states = (State(match.game, match.state_before(number)) for number in (0, *ends))
    return ScoreHistory(ends, tuple(measured(state) for state in states))


def scores_if_ended_now(state: State) -> tuple[int, ...]:
    """Return the points that each seat would have if the game ended now, with nothing hidden.

    If nothing is counted at the end, these are the current points.
    """
    return scores_without(state, frozenset()) or state.scores


def rounds(match: Match, narrator: Narrator) -> tuple[int, ...]:
    """Return the step numbers at the end of each round, including the current one.

    A round starts at a heading of the story; in a game without headings, when every player has had a turn.  Everything
    before the first round belongs to it.
    """
    steps, headed = len(match.steps), headed_messages(narrator)
    parts = range(steps + 1) if headed else ()
    starts = [part for part in parts if any(event.spec.message in headed for event in match.events_leading_to(part))]
    if not starts:
        event_counts = [match.event_count_before(number) for number in range(steps + 1)]
        starts = [bisect_right(event_counts, index) for index in round_starts(narrator, match)]
    ends = [number for number in starts[1:] if 0 < number < steps] or list(_turn_ends(match))
    return (*ends, steps) if steps else ()


def _turn_ends(match: Match) -> Iterator[int]:
    """Yield the step numbers at which each player who still has a turn later has had one."""
    seats = [step.seat for step in match.steps]
    last = {seat: number for number, seat in enumerate(seats)}
    had: set[int] = set()
    begun = 0
    for number, (seat, following) in enumerate(pairwise(seats), 1):
        had.add(seat)
        if following != seat and all(seat_before in had for seat_before, turn in last.items() if turn >= begun):
            yield number
            had, begun = set(), number


# ---- moments -------------------------------------------------------------------------------------------------------


def moments_of(
    match: Match, narrator: Narrator, history: ScoreHistory, measured: Measure = scores_of
) -> tuple[DecisiveMoment, ...]:
    """Return the few steps that decided a game with points, in order of time.

    Candidates are the step that took the lead for good, the largest gain of the final leader while not clearly ahead,
    and the largest changes of lead. Empty if all points come with the last step.
    """
    scores = [measured(State(match.game, match.state_before(number))) for number in range(len(match.steps) + 1)]
    if all(values == scores[0] for values in scores[:-1]):
        return ()
    change = [max(abs(b - a) for a, b in zip(*pair, strict=True)) for pair in pairwise(scores)]
    final_lead = _final_lead_step(scores)
    deciding = [*_largest_gain(scores), *sorted(_changes(scores), key=lambda number: (-change[number], number))]
    chosen = list(dict.fromkeys([*([] if final_lead is None else [final_lead]), *deciding]))[:MOMENTS]
    moments = []
    for number in sorted(chosen):
        round_number = next((values for values, end in enumerate(history.ends, 1) if number < end), 0)
        leader = _leader(scores[-1]) if number == final_lead else None
        moments.append(_moment(match, narrator, number, round_number, leader, measured is scores_if_ended_now))
    return tuple(moment for moment in moments if moment.lines)


def _leader(scores: Sequence[int]) -> int | None:
    """Return the seat with more points than every other seat."""
    first = [seat for seat, n in enumerate(scores) if n == max(scores)]
    return first[0] if len(first) == 1 else None


def _final_lead_step(scores: Sequence[Sequence[int]]) -> int | None:
    """Return the step with which the final leader took the lead and kept it; None if there is no leader."""
    leader = _leader(scores[-1])
    if leader is None:
        return None
    behind = [number for number, points in enumerate(scores) if _leader(points) != leader]
    return behind[-1] if behind else None


def _largest_gain(scores: Sequence[Sequence[int]]) -> Iterator[int]:
    """Yield the step with the largest gain of the final leader, if it exceeds the lead before it."""
    winner = _leader(scores[-1])
    if winner is None:
        return
    gains = [after[winner] - before[winner] for before, after in pairwise(scores)]
    ahead = [
        points[winner] - max((n for seat, n in enumerate(points) if seat != winner), default=0) for points in scores
    ]
    candidates = [number for number, gain in enumerate(gains) if gain > max(0, ahead[number])]
    yield from sorted(candidates, key=lambda number: (-gains[number], number))[:1]


def _changes(scores: Sequence[Sequence[int]]) -> Iterator[int]:
    """Yield the steps with which a seat took the lead from another one."""
    last: int | None = None
    for number, points in enumerate(scores):
        leader = _leader(points)
        if leader is not None:
            if last is not None and leader != last:
                yield number - 1
            last = leader


def _moment(
    match: Match, narrator: Narrator, step: int, round_number: int, leader: int | None, is_provisional: bool = False
) -> DecisiveMoment:
    """Return a step in a few sentences, without the announcement of the next turn.

    Sentences about points come first; with `is_provisional` (points only at the end), those about everything else. A
    sentence on a round that begins with the step names that round.
    """
    aggregator, events = Aggregator(narrator), list(match.events_leading_to(step + 1))
    # The announcement of the next turn has decided nothing.
    turns = {
        telling.at
        for telling in narrated_events(narrator, list(enumerate(events)), None)
        if aggregator.says_whose_turn(telling)
    }
    events = [event for index, event in enumerate(events) if index not in turns]
    lines, begun = list[tuple[StoryLine, int]](), round_number
    for line in Story(None, standings=False).unreported(narrator, events):
        begun += line.heading and round_number > 0
        lines += [] if line.heading else [(line, begun)]
    scored = {number for number, event in enumerate(events) if event.spec.kind == "points"}
    ended = {number for number, event in enumerate(events) if event.spec.kind == "game_ended"}
    reported = [(line, number) for line, number in lines if not ended.issuperset(line.told)]
    chosen = [pair for pair in reported if bool(scored & _event_indices(pair[0])) is not is_provisional] or reported
    sentences, number = list[str](), chosen[0][1] if chosen else round_number
    for line, later in chosen[:SENTENCES]:
        text = line.text
        if later > number:
            text = narrator.words.say("ending.round", None, n=later, told=Text(text))
        sentences.append(text)
    return DecisiveMoment(
        step, chosen[0][1] if chosen else round_number, leader, tuple(sentences), step == len(match.steps) - 1
    )


def _event_indices(line: StoryLine) -> set[int]:
    return {*line.told, *(index for index, _ in line.implied)}


def _line(state: State, narrator: Narrator) -> str:
    """Return the areas of the winning line in words, or "" if there is none."""
    areas = sorted(winning_lines(state))
    if not areas:
        return ""
    named = [narrator.short(Type("board", board), area) for board, area in areas]
    return narrator.words.say("ending.line", None, areas=Listing(tuple(map(Text, named))))
