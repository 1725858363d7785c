"""Changes of a match in words and areas: since a player's last decision, and step by step in a replay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.containers import LAYOUT, container, size_at
from wongar_dsl.engine import Game, State
from wongar_dsl.engine.events import EVERYTHING, Event
from wongar_dsl.engine.hidden_information.information import copies, is_visible, visible_extent
from wongar_dsl.engine.hidden_information.lookahead import lookahead
from wongar_dsl.engine.match import Match
from wongar_dsl.engine.saves import visible_choice
from wongar_dsl.language.semantics import PLAYER, Type
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.narration.aggregation import Aggregator, narrated_events
from wongar_dsl.nlg.narration.story import Story, StoryLine
from wongar_dsl.nlg.words import Listing, Text
from wongar_dsl.session.menu import forced_move
from wongar_dsl.session.puzzle import Puzzle, PuzzleLayout
from wongar_dsl.session.scene import (
    BoardArea,
    FieldCopy,
    areas_of_event,
    areas_of_value,
    copies_of,
    typed_indices,
)

#: Kinds of types that can be an area: areas of boards, or values of cards on one.
_AREAS = ("board", "enum")


def _personal(text: str, about: frozenset[BoardArea] = frozenset()) -> DigestSentence:
    """Return a sentence that sums up the effect on the viewer."""
    return DigestSentence(text, about, PERSONAL_SUMMARY, -1)


def personal_changes(
    narrator: Narrator, viewer: int, before: State, now: State, events: Sequence[Event], supplies: frozenset[str]
) -> list[DigestSentence]:
    """Return sentences on the changes for a viewer between two states, given the events between them."""
    areas_before, areas_after = occupied_areas(before, viewer), occupied_areas(now, viewer)
    result = []
    for message, changed in (("digest.left", areas_before - areas_after), ("digest.come", areas_after - areas_before)):
        ordered = sorted(changed, key=lambda area: (area[0].kind, area[0].name, area[1]))
        values = tuple(narrator.value(kind, value) for kind, value in ordered)
        areas = frozenset(place for kind, value in ordered for place in areas_of_value(now, kind, value))
        if values:
            result.append(_personal(narrator.words.say(message, narrator.scope, places=Listing(values)), areas))
    result += _returned_pieces(narrator, viewer, before, now, supplies)
    points = [number for number in (_points(event, viewer) for event in events) if number is not None]
    total = sum(points)
    if len(points) > 1 and total:
        message = "digest.points.lost" if total < 0 else "digest.points"
        result.append(_personal(narrator.words.say(message, None, n=abs(total))))
    return result


def occupied_areas(state: State, viewer: int) -> frozenset[tuple[Type, int]]:
    """Return the areas in which a seat has visible pieces: of a board, or as the value of a card on one."""
    result = set()
    for copy in _own_copies(state.game, viewer):
        indices = zip(copy.field.indices, copy.indices, strict=True)
        area = next(((kind, value) for kind, value in indices if kind.kind in _AREAS), None)
        if area is not None and size_at(state.cells, copy.field, copy.address):
            result.add(area)
    return frozenset((kind, value) for kind, value in result if any(True for _ in areas_of_value(state, kind, value)))


def _returned_pieces(
    narrator: Narrator, viewer: int, before: State, now: State, supplies: frozenset[str]
) -> Iterator[DigestSentence]:
    """Yield a sentence on the pieces that returned to the viewer's supply."""
    things = []
    for copy in _own_copies(now.game, viewer):
        field, zone = copy.field, container(copy.field)
        if zone is None or field.name not in supplies:
            continue
        faces = now.game.model.size(field.type, now.game.seats)
        were, are = (zone.counts(state.cells, copy.address, field.width, faces) for state in (before, now))
        pairs = enumerate(zip(are, were, strict=True))
        things += [narrator.thing(field.type, value, a - b) for value, (a, b) in pairs if a > b]
    if things:
        yield _personal(narrator.words.say("digest.back", None, things=Listing(tuple(things))))


def _is_owned(field: ir.Field) -> bool:
    """Return whether a field holds pieces of a player."""
    return field.traits.tokens and any(kind.kind == "player" for kind in field.indices)


def _own_copies(game: Game, viewer: int) -> Iterator[FieldCopy]:
    """Yield the copies of fields that hold pieces of a seat, as far as it sees them."""
    for copy in (copy for field in game.program.fields if _is_owned(field) for copy in copies_of(field)):
        if copy.owner == viewer and is_visible(*copy, viewer):
            yield copy


def _points(event: Event, viewer: int) -> int | None:
    """Return the points that a seat gets by an event; None for other events."""
    if event.spec.kind != "points":
        return None
    fields = event.fields()
    number = fields["n"][1]
    return number if fields["player"][1] == viewer and isinstance(number, int) else None


#: Sentence that explains a prompt.
CAUSE = 1_000
#: Sentence that sums up the effect on the viewer.
PERSONAL_SUMMARY = CAUSE - 1
#: Progress of the whole game: a new phase, the last round, the end.
WHOLE_GAME = 60
#: Added for an effect of other players or of chance on the viewer.
AFFECTS_VIEWER = 30
#: Points scored, and pieces lost; their number is added.
POINTS, LOSS = 15, 8
WEIGHTS = {
    "game_ended": 100,
    "pile_shuffled": 12,
    "told": 5,
    "figure_moved": 6,
    "figure_taken": 4,
    "track_advanced": 4,
    "card_moved": 3,
    "tokens_moved": 3,
    "card_laid": 2,
}
#: Progress of the game that a later message replaces.
SUPERSEDED = 3
#: Event whose result is visible on the board.
VISIBLE_ON_BOARD = 1
#: Types of arguments that refer to a player or to something on the board; without them a message concerns the whole
#: game. Below, those that refer to a player or to something that may belong to one.
_PARTICULAR = frozenset(("player", "board", "cards", "place", "tally", "figure"))
_WITH_OWNER = frozenset(("player", "place", "tally", "figure"))


def concerns_whole_game(spec: ir.EventSpec) -> bool:
    """Return whether events of a kind concern the whole game rather than a player, a card or an area."""
    return spec.kind == "told" and not any(kind.kind in _PARTICULAR for _, kind in spec.fields)


def has_no_actor(spec: ir.EventSpec) -> bool:
    """Return whether events of a kind are narrated without an actor or owner."""
    return spec.kind == "told" and not any(kind.kind in _WITH_OWNER for _, kind in spec.fields)


def weight(game: Game, event: Event, viewer: int | None, by_others: bool, repeated: bool) -> int:
    """Return the importance of an event to a viewer, who sees it as given.

    `by_others`: the viewer did not cause it; `repeated`: the same message is emitted again later.
    """
    spec = event.spec
    if concerns_whole_game(spec):
        return SUPERSEDED if repeated else WHOLE_GAME
    result = WEIGHTS.get(spec.kind, 1)
    if spec.kind == "points":
        number = event.fields()["n"][1]
        result = POINTS + (abs(number) if isinstance(number, int) else 0)
    elif spec.kind in ("card_moved", "card_laid") and all(kind.kind != "player" for _, kind in spec.fields):
        result = VISIBLE_ON_BOARD
    return result + (AFFECTS_VIEWER if viewer is not None and by_others and viewer in players(game, event) else 0)


def loss(game: Game, event: Event, viewer: int | None, supplies: frozenset[str]) -> int:
    """Return the importance of pieces that return from the board to a supply, whether that is reported or not."""
    if event.spec.kind != "tokens_moved":
        return 0
    fields = event.fields()
    (to, indices), (source, _), (_, number) = fields["to"], fields["from"], fields["n"]
    if to.name not in supplies or source.name in supplies or not isinstance(number, int) or number < 1:
        return 0
    affected = viewer is not None and viewer in _owners(game, to.name, indices)
    return LOSS + number + (AFFECTS_VIEWER if affected else 0)


def supplies_of(match: Match) -> frozenset[str]:
    """Return the zones that were filled before the first decision; pieces that return there have left the board."""
    kinds = (event.fields()["zone"][0] for event in match.opening if event.spec.kind == "filled")
    return frozenset(kind.name for kind in kinds)


def players(game: Game, event: Event) -> Iterator[int]:
    """Yield the players that an event concerns: arguments, and owners of changed fields."""
    for (_, kind), value in zip(event.spec.fields, event.values, strict=True):
        if kind.kind == "player" and isinstance(value, int):
            yield value
        elif kind.kind == "place":
            yield from _owners(game, kind.name, value)


def _owners(game: Game, name: str, value: int | tuple[int, ...] | None) -> Iterator[int]:
    """Yield the players among the indices of a place in an event."""
    yield from (index for kind, index in typed_indices(game, name, value) if kind == PLAYER)


#: Maximum number of sentences.
MAX_SENTENCES = 6


@dataclass(frozen=True, slots=True)
class DigestSentence:
    """Sentence of a digest, with the areas that it mentions (`about`) and its weight as of `weight`.

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
    areas = (frozenset(_mentioned_areas(match, (events[at] for at in line.told), viewer)) for line in reported)
    texts = [line.text for line in reported]
    sentences = (*effects, *map(DigestSentence, texts, areas, weights, range(len(texts))))
    result = Digest(
        sentences,
        len(sentences),
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
    return personal_changes(narrator, viewer, before, after, events, supplies_of(match))


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
    ends = [match.event_count_before(number) for number in range(since, len(match.steps) + 1)]
    counts = (after - before for before, after in pairwise(ends))
    return [(step.number, step.seat) for step, n in zip(match.steps[since:], counts, strict=True) for _ in range(n)]


def changed_areas(before: State, now: State, viewer: int | None) -> frozenset[BoardArea]:
    """Return the areas in which the viewer sees something different from before."""
    areas: set[BoardArea] = set()
    for place in now.game.shown_fields:
        areas |= set(_changed(place, before, now, viewer))
    return frozenset(areas)


def _changed(field: ir.Field, before: State, now: State, viewer: int | None) -> Iterator[BoardArea]:
    if field.kind == "place":
        yield from _moved(field, before, now)
    elif field.traits.spread:
        board = now.game.model.declared.zones[field.name].board
        laid = [set(LAYOUT.placed_cards(state.cells, field.base, field.width)) for state in (before, now)]
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


def news(match: Match, narrator: Narrator, seat: int) -> list[str]:
    """Return the sentences since the seat's last decision that spectators do not see in full."""
    since = last_decision_of(match, seat)
    if not since:
        return []
    events = match.history()[match.event_count_before(since - 1) :]
    private = set(_private_events(match, since - 1, events, seat))
    lines = Story(seat, standings=False).unreported(narrator, events) if private else []
    return [line.text for line in lines if private & {*line.told, *(index for index, _ in line.implied)}]


def _private_events(match: Match, number: int, events: list[Event], seat: int) -> Iterator[int]:
    """Yield the indices of unpredictable events of a step that only this seat sees."""
    step, knowledge = match.steps[number], match.game.knowledge
    predicted = 0
    if step.decision.clock is None:
        predicted = len(lookahead(State(match.game, match.state_before(number)), step.move, seat).events)
    for index, event in enumerate(events):
        seen = knowledge.visible_event(event, seat)
        if seen is not None:
            predicted -= 1
            if predicted < 0 and seen != knowledge.visible_event(event, None):
                yield index


@dataclass(frozen=True, slots=True)
class ReplayPosition:
    """Match after a number of steps, as a viewer sees it.

    `seat` made the last decision (None before the first), and `choice` is its text (empty if hidden from the viewer).
    `lines` are its consequences, and `marked` the areas that they changed. For a puzzle, `layout` is the answer; if the
    puzzle was `lost` and is not posed again, it is a solution.
    """

    number: int
    state: State
    seat: int | None
    choice: str
    lines: tuple[StoryLine, ...]
    marked: frozenset[BoardArea]
    layout: PuzzleLayout | None = None
    lost: bool = False


class Replay:
    """Replay of a match for a viewer (None: spectator; `EVERYTHING`: sees all)."""

    def __init__(self, match: Match, narrator: Narrator, viewer: int | None) -> None:
        self._match, self._narrator, self.viewer = match, narrator, viewer
        self._story = Story(viewer)

    def __len__(self) -> int:
        return len(self._match.steps)

    def at(self, number: int) -> ReplayPosition:
        """Return the match after `number` steps; raise IndexError if there are fewer."""
        match = self._match
        if not 0 <= number <= len(match.steps):
            raise IndexError(number)
        state, lines = State(match.game, match.state_before(number)), self._story_lines(number)
        if number == 0:
            return ReplayPosition(0, state, None, "", lines, frozenset())
        earlier = State(match.game, match.state_before(number - 1))
        viewer = None if self.viewer == EVERYTHING else self.viewer
        choice = self._choice(earlier, number - 1)
        layout, lost = self._layout(earlier, number - 1) if choice else (None, False)
        marked = changed_areas(earlier, state, viewer)
        return ReplayPosition(number, state, earlier.seat, choice, lines, marked, layout, lost)

    def _story_lines(self, number: int) -> tuple[StoryLine, ...]:
        """Return the story lines of the last step, or those of the opening for number 0."""
        history, end = self._match.history(), self._match.event_count_before(number)
        first = self._match.event_count_before(number - 1) if number else 0
        # A heading contains the standings, so earlier events are skipped but counted; going one step ahead needs no
        # restart.
        if self._story.at != first:
            self._story = Story(self.viewer)
            self._story.mark_reported(self._narrator, history[:first])
        return tuple(self._story.unreported(self._narrator, history, end))

    def _choice(self, state: State, number: int) -> str:
        """Return the chosen option as in the menu, or "" if the viewer may not know it."""
        step = self._match.steps[number]
        if self.viewer not in (EVERYTHING, step.seat) and visible_choice(self._match, step, self.viewer) != step.text:
            return ""
        return self._narrator.option(state, step.move)

    def _layout(self, state: State, number: int) -> tuple[PuzzleLayout | None, bool]:
        """Return the placement for a puzzle of this step, and whether it was lost."""
        puzzle, step = Puzzle.of(state), self._match.steps[number]
        if puzzle is None:
            return None, False
        drawing = next((text for text, move in puzzle.solutions.items() if move == step.move), None)
        if drawing is not None:
            return PuzzleLayout.of(puzzle, drawing), False
        later = (other.number for other in self._match.steps[number + 1 :] if other.seat == step.seat)
        if (following := next(later, None)) is None:
            posed_again = not self._match.state.over
        else:
            posed_again = Puzzle.of(State(self._match.game, self._match.state_before(following))) == puzzle
        return None if posed_again else PuzzleLayout.of(puzzle, next(iter(puzzle.solutions))), not posed_again
