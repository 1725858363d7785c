"""Decisions of a match: the seats that are asked, subject and targets of a question, several answers at once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import islice, takewhile

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.containers import PlacedCard, container
from wongar_dsl.engine import Game, IllegalMove, Move, PlayFault, State
from wongar_dsl.engine.bots import decision_rng
from wongar_dsl.engine.hidden_information.determinization import determinize
from wongar_dsl.engine.hidden_information.information import copies, is_visible
from wongar_dsl.engine.hidden_information.lookahead import lookahead
from wongar_dsl.engine.match import Match
from wongar_dsl.language.semantics import Type
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.narration.illegal_move import article_at, citations
from wongar_dsl.nlg.words import Text
from wongar_dsl.session.menu import Menu
from wongar_dsl.session.puzzle import default_answer
from wongar_dsl.session.scene import FieldCopy, Scene, typed_arguments


def pending_decisions(match: Match) -> dict[int, State]:
    """Return the state in which each seat is asked, in the engine's order.

    Simultaneous decisions are asked one after the other, and players do not see earlier choices. The question to a
    later seat is therefore the same for every earlier choice, and can be shown at once.
    """
    state = match.state
    decision = state.decision
    if decision is None:
        return {}
    states = {state.seat: state}
    ahead = state.copy()
    while decision.simultaneous:
        try:
            events = ahead.apply(default_answer(ahead))
        except (IllegalMove, PlayFault):
            break
        if events or ahead.decision is not decision or ahead.seat in states:
            break
        states[ahead.seat] = ahead.copy()
    return states


def match_at(match: Match, state: State) -> Match:
    """Return a copy of the match in a state that is asked ahead; the match itself is unchanged."""
    if state is match.state:
        return match
    twin = object.__new__(Match)
    twin.__dict__.update(match.__dict__)
    twin.state = state
    return twin


#: Maximum number of things that are mentioned of a row, from its front.
MAX_ROW_THINGS = 2


def chosen_cards(state: State, move: Move) -> Iterator[str]:
    """Yield the names of the cards that are arguments of a move."""
    for kind, value in typed_arguments(state, move):
        if kind.kind == "cards" and value >= 0:
            yield state.game.model.value_name(kind, value)


def open_cards(scene: Scene, move: Move) -> Iterator[str]:
    """Yield the names of the open cards in the target of a move, if the option's conditions refer to them."""
    state = scene.state
    assert state.decision is not None
    spec = state.decision.options[move.option]
    for kind, value in typed_arguments(state, move):
        for field in scene.fields if kind.kind == "board" else ():
            if field.traits.single and field.indices == (kind,) and _conditions_mention(spec, field.name):
                for indices, address in copies(field):
                    if indices == (value,) and state.cells[address] >= 0:
                        yield state.game.model.value_name(field.type, state.cells[address])


def with_cards(menu: Menu, scene: Scene) -> Menu:
    """Return the menu with the open cards at the target of each option, and the first things of a row there."""
    narrator, entries = scene.narrator, []
    for entry in menu.entries:
        texts = [scene.open_card(narrator.term(name, "short")) for name in open_cards(scene, entry.move)]
        for things in _first_of_rows(scene, entry.move):
            texts.append(narrator.words.say("option.in_front", None, things=Text(narrator.words.chain(things))))
        entries.append(replace(entry, card=narrator.words.chain(texts)) if texts else entry)
    return replace(menu, entries=tuple(entries))


def _first_of_rows(scene: Scene, move: Move) -> Iterator[list[str]]:
    """Yield the first things of each open row that a move leads to."""
    for kind, value in typed_arguments(scene.state, move):
        for field in scene.fields if kind.kind == "enum" and value >= 0 else ():
            if field.traits.ordered and field.indices == (kind,):
                things = scene.things(FieldCopy(field, (value,)))[:MAX_ROW_THINGS]
                if things:
                    yield [scene.narrator.listed(scene.narrator.short(field.type, thing)) for thing in things]


def _conditions_mention(spec: ir.OptionSpec, zone: str) -> bool:
    """Return whether an option's conditions name a zone, so that its contents matter."""
    return any(re.search(rf"\b{re.escape(zone)}\b", check.span.text) for check in spec.checks)


def cited_sentences(match: Match, narrator: Narrator) -> tuple[str, ...]:
    """Return the citations of the rule behind the current decision, in sentences."""
    decision, model = match.state.decision, match.game.model
    if decision is None:
        return ()
    first = next((check.span for option in decision.options for check in option.checks), None)
    span = match.game.program.spans.get(decision.rule) or first
    article = article_at(model, span) if span is not None else None
    return tuple(citations(model, article, narrator)) if article is not None else ()


def rule_card(match: Match) -> str | None:
    """Return the face of the card whose rule is executed now; None for other rules, and without a decision.

    Of several cards with this rule, it is the last one that the deciding player has seen.
    """
    if match.state.decision is None:
        return None
    model, rule = match.game.model, match.state.decision.rule
    if any(sort.index(rule) is not None for sort in model.cards.values()):
        return rule
    if not any(face.kind == rule for sort in model.cards.values() for face in sort.faces):
        return None
    for event in reversed(match.history()):
        seen = match.game.knowledge.visible_event(event, match.state.seat)
        for (_, field_type), value in zip(seen.spec.fields, seen.values, strict=True) if seen is not None else ():
            if field_type.kind == "cards" and isinstance(value, int) and value >= 0:
                name = model.value_name(field_type, value)
                if name.partition("(")[0] == rule:
                    return name
    return None


#: Maximum number of answers at once.
MAX_ANSWERS = 40
#: Number of equal decisions from which the maximum counts of their options are computed.
MIN_REPEATS = 3
#: Maximum number of moves examined to find out how often each can be chosen.
MAX_EXAMINED_MOVES = 240
_PART = re.compile(r"(\d{1,3})(?:\s*[x×*]\s*(\d{1,2}))?")
#: Separators between parts: a sign, or white space.
_SIGN, _WHITESPACE = re.compile(r"\s*[,;+]\s*"), re.compile(r"\s+")
#: Maximum number of first answers whose follow-up decisions are counted.
MAX_FIRST_ANSWERS = 12


def read_series(text: str) -> list[tuple[int, int]] | None:
    """Return option numbers and how often each is chosen, as in `3x2, 4`, `3, 3, 4` or `3 3 4`.

    None for any other text, including a single number.
    """
    # White space around the multiplication sign belongs to it.
    text = re.sub(r"(?<=\d)\s*([x×*])\s*(?=\d)", r"\1", text.strip())
    parts = [part for sign in _SIGN.split(text) for part in _WHITESPACE.split(sign) if part]
    matches = [_PART.fullmatch(part) for part in parts]
    if not all(matches) or (len(matches) < 2 and not any(match and match[2] for match in matches)):
        return None
    return [(int(match[1]), int(match[2] or 1)) for match in matches if match is not None]


def parts_of(text: str) -> list[tuple[str, int]]:
    """Return the comma-separated parts of a text and how often each is meant, as in `hands, 11x2`."""
    parts = []
    for part in filter(None, _SIGN.split(text.strip())):
        times = re.fullmatch(r"(.+?)\s*[x×*]\s*(\d{1,2})", part)
        parts.append((times[1], int(times[2])) if times else (part, 1))
    return parts


def min_real_repeats(state: State) -> int:
    """Return how often a player makes the same decision in a row with a real choice, for any first answer.

    A final decision with one option left is not counted.
    """
    first = state.legal_moves()
    if len(first) < 2:
        return 0
    least = MAX_ANSWERS
    for move in first[:MAX_FIRST_ANSWERS]:
        series = islice(_series(_next(state, move)), least) if least else ()
        least = sum(1 for _ in takewhile(lambda position: len(position.legal_moves()) > 1, series))
    return 1 + least


def _series(state: State | None) -> Iterator[State]:
    """Yield the positions in which a player makes the same decision in a row, after the first option each time."""
    while state is not None:
        yield state
        moves = state.legal_moves()
        state = _next(state, moves[0]) if moves else None


def repeat_count(state: State) -> int:
    """Return how often a player makes the same decision in a row, as far as the player can foresee it.

    1 if only the current decision is certain.
    """
    return sum(1 for _ in islice(_series(state), MAX_ANSWERS))


def repeat_limits(state: State) -> tuple[int, Mapping[Move, int]]:
    """Return `repeat_count` and `max_repeats` of a position, the latter empty below `MIN_REPEATS`."""
    return _cached_limits(state.game, tuple(state.cells))


@lru_cache(maxsize=32)  # A page is often drawn several times.
def _cached_limits(game: Game, cells: tuple[int, ...]) -> tuple[int, Mapping[Move, int]]:
    state = State(game, list(cells))
    times = repeat_count(state)
    return times, max_repeats(state, times) if times >= MIN_REPEATS else {}


def max_repeats(state: State, times: int) -> dict[Move, int]:
    """Return how often each move can be chosen among `times` equal decisions in a row.

    It follows what the deciding player can foresee; empty if there are too many combinations to examine.
    """
    successors: dict[tuple[int, ...], dict[Move, State | None]] = {}
    pending, examined_moves = [state], 0
    while pending:
        position = pending.pop()
        if tuple(position.cells) in successors:
            continue
        moves = position.legal_moves()
        examined_moves += len(moves)
        if examined_moves > MAX_EXAMINED_MOVES:
            return {}
        branches = successors[tuple(position.cells)] = {move: _next(position, move) for move in moves}
        pending += filter(None, branches.values())

    @cache
    def most(cells: tuple[int, ...], rest: int) -> dict[Move, int]:
        best: dict[Move, int] = {}
        for move, after in successors[cells].items():
            then = most(tuple(after.cells), rest - 1) if after is not None and rest > 1 else {}
            for option in {*then, move}:
                best[option] = max(best.get(option, 0), then.get(option, 0) + (option == move))
        return best

    best = most(tuple(state.cells), times)
    return {move: best[move] for move in state.legal_moves()}


def move_sequence(state: State, wanted: Mapping[Move, int]) -> list[Move] | None:
    """Return an order in which these moves can be made, each the given number of times.

    All must answer the same decision. None if there is no such order, or if it cannot be foreseen.
    """
    remaining = {move: number for move, number in wanted.items() if number > 0}
    if not 0 < sum(remaining.values()) <= MAX_ANSWERS:
        return None
    return _ordered(state, remaining, set())


def example(state: State, moves: Sequence[Move], times: int) -> dict[Move, int]:
    """Return an example of `times` answers that go together, by move.

    It takes the first of the moves as often as possible, but not exclusively if another one is legal. It has fewer
    answers if none of the moves is legal any more.
    """
    answers = list[Move]()
    position: State | None = state
    while position is not None and len(answers) < times:
        legal = set(position.legal_moves())
        available = [move for move in moves if move in legal]
        if not available:
            break
        varied = len(answers) == times - 1 and set(answers) == {available[0]} and len(available) > 1
        answers.append(available[1] if varied else available[0])
        position = _next(position, answers[-1])
    return dict(Counter(answers))


def _ordered(state: State, left: dict[Move, int], hopeless: set[tuple[object, ...]]) -> list[Move] | None:
    """Return an order of the remaining moves; `hopeless` collects positions without one."""
    key = (tuple(state.cells), tuple(left.items()))
    if key in hopeless:
        return None
    legal = state.legal_moves()
    for move in [move for move, number in left.items() if number and move in legal]:
        rest = {**left, move: left[move] - 1}
        if not any(rest.values()):
            return [move]
        after = _next(state, move)
        rest_order = _ordered(after, rest, hopeless) if after is not None else None
        if rest_order is not None:
            return [move, *rest_order]
    hopeless.add(key)
    return None


def _next(state: State, move: Move) -> State | None:
    """Return the state after a move if the same seat makes the same decision there, else None."""
    after = lookahead(state, move, state.seat).state
    if after is None or after.seat != state.seat:
        return None
    return after if after.cells[ir.AT_DECISION] == state.cells[ir.AT_DECISION] else None


@dataclass(frozen=True, slots=True)
class OptionTarget:
    """Board and area of an option; for an option that lays a card, also the zone and the placement of the card."""

    board: str
    area: int
    zone: str = ""
    laid: PlacedCard | None = None


def option_targets(state: State, moves: Iterable[Move]) -> Mapping[Move, OptionTarget]:
    """Return the target of each of these moves that has exactly one, known to the deciding seat.

    The result depends only on what that seat can see.
    """
    targets: dict[Move, OptionTarget] = {}
    sampled: State | None = None
    for move in moves:
        arguments = [(kind, value) for kind, value in typed_arguments(state, move) if value >= 0]
        layouts = [(zone, value) for kind, value in arguments for zone in _layouts(state, kind, value)]
        if layouts:
            if sampled is None:
                # A determinization hides the true state, so that nothing hidden can be inferred from the result.
                sampled = determinize(state, state.seat, decision_rng(0, state.seat, 0))
            target = _placement_after(sampled, move, layouts)
            if target is not None:
                targets[move] = target
            continue
        areas = [OptionTarget(kind.name, value) for kind, value in arguments if kind.kind == "board"]
        if areas:
            targets[move] = areas[-1]
    return targets


def _layouts(state: State, kind: Type, card: int) -> list[ir.Field]:
    """Return the open layouts that take cards of this type, or none if the card lies on one of them already."""
    if kind.kind != "cards":
        return []
    zones = [
        place
        for place in state.game.program.fields
        if place.type == kind and place.traits.spread and is_visible(place, (), None)
    ]
    return zones if all(_placed_card(state, zone, card) is None for zone in zones) else []


def _placement_after(state: State, move: Move, zones: Iterable[tuple[ir.Field, int]]) -> OptionTarget | None:
    after = state.copy()
    try:
        after.apply(move)
    except (IllegalMove, PlayFault):
        return None
    for place, card in zones:
        laid = _placed_card(after, place, card)
        board = state.game.model.declared.zones[place.name].board
        if laid is not None and board is not None:
            return OptionTarget(board, laid.area, place.name, laid)
    return None


def _placed_card(state: State, field: ir.Field, card: int) -> PlacedCard | None:
    zone = container(field)
    cards = zone.placed_cards(state.cells, field.base, field.width) if zone is not None else ()
    return next((laid for laid in cards if laid.face == card), None)
