"""Summary of changes since a player's last decision: the most important sentences and the changed board areas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.containers import container, size_at
from wongar_dsl.engine import Game, State
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.hidden_information.information import copies, visible_extent
from wongar_dsl.engine.match import Match
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.narration.aggregation import Aggregator
from wongar_dsl.nlg.narration.event_groups import narrated_events
from wongar_dsl.nlg.narration.story import Story, StoryLine
from wongar_dsl.nlg.words import Text
from wongar_dsl.session.board.board_refs import BoardArea, areas_of_event, areas_of_value
from wongar_dsl.session.board.scene import shown_fields
from wongar_dsl.session.changes.event_salience import CAUSE, PERSONAL_SUMMARY, loss, players, supplies_of, weight
from wongar_dsl.session.changes.personal_changes import personal_changes
from wongar_dsl.session.options.forced_moves import forced_move

#: Maximum number of sentences.
MAX_SENTENCES = 6


@dataclass(frozen=True, slots=True)
class DigestSentence:
    """Sentence of a digest, with the areas that it mentions (`about`) and its weight (see `event_salience`).

    `at` is its position in the story; -1 stands for a sentence, placed first, that sums up the effect on the viewer.
    """

    text: str
    about: frozenset[BoardArea]
    weight: int
    at: int


@dataclass(frozen=True, slots=True)
class Digest:
    """The most important sentences in order of time, and the areas in which something changed.

    `all` is the number of sentences before the selection. `gap` is the pattern for a sentence before which others were
    left out. `new`: the viewer has not decided anything yet.
    """

    sentences: tuple[DigestSentence, ...]
    all: int
    changed: frozenset[BoardArea]
    new: bool = False
    gap: str = "… {}"

    @property
    def lines(self) -> tuple[str, ...]:
        """The sentences, each marked if others were left out before it."""
        befores = (-1, *(sentence.at for sentence in self.sentences))
        pairs = zip(befores, self.sentences, strict=False)
        return tuple(
            sentence.text if sentence.at <= before + 1 else self.gap.format(sentence.text) for before, sentence in pairs
        )

    @property
    def personal_changes(self) -> tuple[str, ...]:
        """The leading sentences, which sum up the effect on the viewer."""
        return tuple(sentence.text for sentence in self.sentences if sentence.at < 0)

    @property
    def omitted_count(self) -> int:
        """Number of sentences that were left out."""
        return self.all - len(self.sentences)

    @property
    def about(self) -> tuple[frozenset[BoardArea], ...]:
        """The areas that each sentence mentions."""
        return tuple(sentence.about for sentence in self.sentences)

    def shorter(self) -> Digest:
        """Return the digest without its least important sentence, the earliest one if several are equal."""
        least = min(self.sentences, key=lambda sentence: (sentence.weight, sentence.at))
        return replace(self, sentences=tuple(sentence for sentence in self.sentences if sentence is not least))


def last_decision_of(match: Match, viewer: int | None, end: int | None = None) -> int:
    """Return the number of steps up to and including the viewer's last decision among the first `end` steps, or all.

    A publicly forced move is not a decision. For spectators (`viewer` None): the number before the last step.
    """
    end = len(match.steps) if end is None else end
    if viewer is None:
        return max(0, end - 1)
    steps = (n for n in reversed(range(end)) if match.steps[n].seat == viewer)
    return next((n + 1 for n in steps if forced_move(State(match.game, match.state_before(n))) != "public"), 0)


def changes_since(match: Match, narrator: Narrator, viewer: int | None, since: int) -> Digest:
    """Return the summary of changes since step number `since`, as the viewer sees them.

    If the viewer made the step before that, its direct consequences are not news.
    """
    first = _first_news(match, viewer, since)
    events = match.history()[first:]
    # A new `Story` instead of one that skips the earlier events: standings are shown on the board anyway.
    lines = Story(viewer, standings=False).unreported(narrator, events)
    reported = [line for line in lines if not line.heading] or lines
    if reported and _is_turn_only(match, narrator, viewer, reported[-1], events):
        reported = reported[:-1]
    deciders = [(since - 1, viewer)] * (match.event_count_before(since) - first) + _steps_and_deciders(match, since)
    weights = _weights(match, narrator, viewer, deciders, reported, events)
    for index in _explaining_sentences(match, since, first, reported):
        weights[index] += CAUSE
    before = State(match.game, match.state_before(since))
    effects = _personal_sentences(match, narrator, viewer, since)
    result = Digest(
        (
            *effects,
            *(
                DigestSentence(
                    line.text,
                    frozenset(_mentioned_areas(match, (events[index] for index in line.told), viewer)),
                    weights[index],
                    index,
                )
                for index, line in enumerate(reported)
            ),
        ),
        len(effects) + len(reported),
        changed_areas(before, match.state, viewer)
        | frozenset(_mentioned_areas(match, match.history()[first : match.event_count_before(since)], viewer)),
        viewer is not None and not since,
        narrator.words.say("digest.gap", None, sentence=Text("{}")),
    )
    while len(result.sentences) > MAX_SENTENCES:
        result = result.shorter()
    return result


def _personal_sentences(match: Match, narrator: Narrator, viewer: int | None, since: int) -> list[DigestSentence]:
    """Return sentences on what other players changed for the viewer, without results of the viewer's own choice."""
    others = next((n for n in reversed(range(since, len(match.steps))) if match.steps[n].seat != viewer), None)
    if viewer is None or not since or match.state.over or others is None:
        return []
    before, after = (State(match.game, match.state_before(number)) for number in (since, others + 1))
    events = match.history()[match.event_count_before(since) : match.event_count_before(others + 1)]
    effects = personal_changes(narrator, viewer, before, after, events, supplies_of(match))
    return [DigestSentence(effect.text, effect.about, PERSONAL_SUMMARY, -1) for effect in effects]


def _is_turn_only(
    match: Match, narrator: Narrator, viewer: int | None, line: StoryLine, events: Sequence[Event]
) -> bool:
    """Return whether a sentence only says that it is the viewer's turn, which the prompt shows anyway."""
    if viewer is None or match.state.over or match.state.seat != viewer:
        return False
    aggregator, player = Aggregator(narrator), narrator.player(viewer)
    tellings_of = narrated_events(narrator, [(index, events[index]) for index in line.told], viewer)
    return bool(tellings_of) and all(aggregator.implied_by_prompt(telling, player) for telling in tellings_of)


def _weights(
    match: Match,
    narrator: Narrator,
    viewer: int | None,
    deciders: Sequence[tuple[int, int | None]],
    told: Sequence[StoryLine],
    events: Sequence[Event],
) -> list[int]:
    """Return the weight of each sentence; the weight of an unreported loss counts for the sentence that explains it.

    `deciders` holds, for each event, its step and the seat that decided.
    """
    result = [0] * len(told)
    line_of = {index: number for number, line in enumerate(told) for index in line.told}
    supplies, later = supplies_of(match), set[str | None]()
    for index in reversed(range(len(events))):
        seen = narrator.visible_event(events[index], viewer)
        if seen is None:
            continue
        others = deciders[index][1] != viewer
        if index in line_of:
            number = line_of[index]
            result[number] = max(result[number], weight(match.game, seen, viewer, others, seen.spec.message in later))
            later.add(seen.spec.message)
        lost = loss(match.game, seen, viewer if others else None, supplies)
        if lost:
            why = next((n for n in range(index, -1, -1) if n in line_of or deciders[n] != deciders[index]), -1)
            if why in line_of:
                result[line_of[why]] = max(result[line_of[why]], lost)
    return result


def _explaining_sentences(match: Match, since: int, first: int, told: Sequence[StoryLine]) -> Iterator[int]:
    """Yield the sentences that explain the current prompt.

    These are the last sentence, and the last one before the first of several equal prompts in a row.
    """
    if not told or match.state.over or match.state.decision is None:
        return
    yield len(told) - 1
    step = len(match.steps)
    while step > since and match.steps[step - 1].decision.name == match.state.decision.name:
        step -= 1
    end = match.event_count_before(step) - first
    before = [number for number, line in enumerate(told) if line.told and min(line.told) < end]
    if before and before[-1] < len(told) - 1:
        yield before[-1]


def _first_news(match: Match, viewer: int | None, since: int) -> int:
    """Return the index of the first event that is news to the viewer.

    Events that only carry out the viewer's own choice are none. Its consequences are news if points were scored, a card
    was laid, or another seat has decided since.
    """
    end = match.event_count_before(since)
    if viewer is None or since == 0 or match.steps[since - 1].seat != viewer:
        return end
    start = match.event_count_before(since - 1)
    events = list(match.history()[start:end])
    # A card that is laid after the viewer's own action could not be foreseen.
    is_news = any(
        event.spec.kind == "points" or (n and event.spec.kind == "card_laid") for n, event in enumerate(events)
    )
    if since == len(match.steps) and not is_news:
        return end
    offset = next((n for n, event in enumerate(events) if _is_consequence(match.game, event, viewer)), len(events))
    # A message directly before gives the reason.
    while 0 < offset < len(events) and events[offset - 1].spec.kind == "told":
        offset -= 1
    return start + offset


def _is_consequence(game: Game, event: Event, viewer: int) -> bool:
    """Return whether an event in the viewer's own step is more than the action itself."""
    kind = event.spec.kind
    return kind == "points" or (kind not in ("told", "changed") and viewer not in players(game, event))


def _mentioned_areas(match: Match, events: Iterable[Event], viewer: int | None) -> Iterator[BoardArea]:
    """Yield the areas that these events mention, as the viewer sees them."""
    for event in events:
        seen = match.game.knowledge.visible_event(event, viewer)
        if seen is not None:
            yield from areas_of_event(match.state, seen)


def _steps_and_deciders(match: Match, since: int) -> list[tuple[int, int | None]]:
    """Return, for each event from a step on, the step and the seat that decided it."""
    result: list[tuple[int, int | None]] = []
    for number in range(since, len(match.steps)):
        result += [(number, match.steps[number].seat)] * (
            match.event_count_before(number + 1) - match.event_count_before(number)
        )
    return result


def changed_areas(before: State, now: State, viewer: int | None) -> frozenset[BoardArea]:
    """Return the areas in which the viewer sees something different from before."""
    areas: set[BoardArea] = set()
    for place in shown_fields(now.game):
        areas |= set(_changed(place, before, now, viewer))
    return frozenset(areas)


def _changed(field: ir.Field, before: State, now: State, viewer: int | None) -> Iterator[BoardArea]:
    zone = container(field)
    if field.kind == "place":
        yield from _moved(field, before, now)
    elif zone is not None and zone.spread:
        board = now.game.model.declared.zones[field.name].board
        laid = [set(zone.placed_cards(state.cells, field.base, field.width)) for state in (before, now)]
        yield from ((board, card.area) for card in laid[0] ^ laid[1] if board is not None)
    elif any(kind.kind in ("board", "enum", "cards") for kind in field.indices):
        for indices, address in copies(field):
            seen = visible_extent(field, indices, viewer)
            if seen != "nothing" and _visible(before, field, address, seen) != _visible(now, field, address, seen):
                for kind, value in zip(field.indices, indices, strict=True):
                    yield from areas_of_value(now, kind, value)


def _visible(state: State, field: ir.Field, at: int, seen: str) -> Sequence[int]:
    if seen == "number":
        return (size_at(state.cells, field, at),)
    return state.cells[at : at + field.width]


def _moved(field: ir.Field, before: State, now: State) -> Iterator[BoardArea]:
    """Yield the areas that each moved figure left and entered."""
    model = now.game.model
    for number, figure in enumerate(model.figures):
        board, address = model.declared.figures[figure].board, field.at(number)
        if board is not None and before.cells[address] != now.cells[address]:
            yield from ((board, area) for area in (before.cells[address], now.cells[address]) if area >= 0)
