"""Changes of only what a seat may not see, in the cells of a state and in the history of a match.

Visibility is derived here from the declarations of zones and values, and the cells of zones are accessed directly, so
that no code is shared with the tested modules. An event hides only the thing that moves between two places hidden from
the seat. A seat does not notice the change of a value that it does not see.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import RuleFault
from wongar_dsl.engine import Game, Move, PlayFault
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.match import Match, Seat

Place = tuple[ir.Field, int]
#: Parts of an event that are hidden together with its places.
COVERED = {"card", "token", "n"}


def seen_by(played: Game, field: ir.Field, indices: tuple[int, ...], seat: int | None) -> str:
    """Return the visibility of one copy for a seat (None: a spectator): `all`, `number` or `nothing`."""
    declared = played.model.declared
    declaration = declared.zones.get(field.name) or declared.remembered.get(field.name)
    if declaration is None or declaration.seen == "all":
        return "all"
    players = [number for number, kind in zip(indices, declaration.indices, strict=True) if kind.kind == "player"]
    if declaration.seen == "owner" and players[0] == seat:
        return "all"
    return "number" if declaration.seen in ("owner", "number") and field.name in declared.zones else "nothing"


def places(played: Game) -> Iterator[tuple[ir.Field, tuple[int, ...], int]]:
    """Yield every copy of every field with its indices and its address."""
    for field in played.program.fields:
        for number, indices in enumerate(product(*map(range, field.sizes))):
            yield field, indices, field.base + number * field.width


def visible(played: Game, cells: list[int], seat: int | None) -> list[object]:
    """Return everything that a seat sees of a state."""
    seen: list[object] = [cells[ir.AT_DECISION], cells[ir.AT_SEAT], cells[ir.AT_WINNERS]]
    for field, address, visibility in _visibilities(played, seat):
        match visibility:
            case "all":
                seen.append(cells[address : address + field.width])
            case "number":
                seen.append(len(contents(cells, field, address)))
    return seen


@lru_cache(maxsize=16)
def _visibilities(played: Game, seat: int | None) -> list[tuple[ir.Field, int, str]]:
    """Return the field, the address and the visibility of every copy."""
    return [(field, address, seen_by(played, field, indices, seat)) for field, indices, address in places(played)]


def visible_events(played: Game, events: tuple[Event, ...], seat: int) -> list[tuple[object, ...]]:
    """Return everything that a seat learns from events."""
    return [shown for event in events if (shown := visible_event(played, event, seat))]


def visible_event(played: Game, event: Event, seat: int) -> tuple[object, ...]:
    """Return the visible part of an event; empty if the seat does not notice it."""
    spec, shown = event.spec, list(event.values)
    ends = [
        (played.fields[kind.name], value if isinstance(value, tuple) else (value,))
        for (_, kind), value in zip(spec.fields, event.values, strict=True)
        if kind.kind == "place"
    ]
    if ends and all(seen_by(played, field, indices, seat) != "all" for field, indices in ends):  # type: ignore[arg-type]
        if spec.kind == "changed":
            return ()
        own_field_count = len(spec.fields) - spec.slots
        hidden_types = {kind for name, kind in spec.fields[:own_field_count] if name in ("card", "token")}
        for number, (name, kind) in enumerate(spec.fields):
            if (
                (name in COVERED and kind.kind != "place")
                if number < own_field_count
                else kind.kind == "cards" or kind in hidden_types
            ):
                shown[number] = None
    return (spec.kind, spec.message, *shown)


# ---- contents of a zone ----------------------------------------------------------------------------------------------


def contents(cells: list[int], field: ir.Field, at: int) -> list[int]:
    """Return the things in a copy of a zone, or the remembered value."""
    end = at + field.width
    match field.kind:
        case "tokens":
            return [kind for kind, n in enumerate(cells[at:end]) for _ in range(n)]
        case "heap":
            return [card for card, n in enumerate(cells[at + 1 : end]) for _ in range(n)]
        case "pile" | "layout":
            return cells[at + 1 : at + 1 + cells[at]]
    return [cells[at]] if field.kind == "remember" or cells[at] >= 0 else []


def write_contents(cells: list[int], field: ir.Field, at: int, held: list[int]) -> None:
    """Write these things into a copy; in a layout, they replace the cards in their places."""
    end = at + field.width
    match field.kind:
        case "tokens":
            cells[at:end] = [held.count(kind) for kind in range(field.width)]
        case "heap":
            cells[at:end] = [len(held), *(held.count(card) for card in range(field.width - 1))]
        case "pile":
            cells[at:end] = [len(held), *held, *(0,) * (field.width - 1 - len(held))]
        case "layout":
            cells[at + 1 : at + 1 + len(held)] = held
        case _:
            cells[at] = held[0] if held else -1


def has_hidden_room(field: ir.Field, held: list[int]) -> bool:
    """Return whether one more thing fits in without being noticed."""
    return field.kind in ("tokens", "heap") or (field.kind == "pile" and len(held) < field.width - 1)


def permuted(played: Game, cells: list[int], seat: int, dice: random.Random, swaps: int) -> list[int]:
    """Return cells in which only hidden information and future random numbers have changed.

    Some hidden things of one type exchange their places, some move to another zone with a hidden size, and hidden
    values become others of their type.
    """
    cells = list(cells)
    for address in (ir.AT_CHANCE, ir.AT_PLAY_CHANCE):
        cells[address] = dice.getrandbits(64) if cells[address] else 0
    cells[ir.AT_STEP] = dice.getrandbits(64) | 1
    opened: set[str] = set()
    if cells[ir.AT_DECISION] >= 0 and cells[ir.AT_SEAT] == seat:
        options = played.program.decisions[cells[ir.AT_DECISION]].options
        opened = {zone for option in options for zone in option.drawn_from}
    sorts: dict[str, list[tuple[ir.Field, int, str]]] = {}
    for field, indices, address in places(played):
        seen = seen_by(played, field, indices, seat)
        if seen == "all" or (field.name in opened and played.model.declared.zones[field.name].seen != "owner"):
            continue
        if field.kind == "remember":
            # A value that was never set is the same in every game.
            if cells[address] != dict(played.program.initial).get(address, 0):
                cells[address] = another_value(played, field, cells[address], dice)
        else:
            sorts.setdefault(field.type.name, []).append((field, address, seen))
    for zones in sorts.values():
        exchange(cells, zones, dice, swaps)
    return cells


def exchange(cells: list[int], zones: list[tuple[ir.Field, int, str]], dice: random.Random, swaps: int) -> None:
    """Exchange hidden things of one type between their zones."""
    held = [contents(cells, field, address) for field, address, _ in zones]
    for _ in range(swaps):
        source, target = (dice.choice([n for n in range(len(zones)) if held[n]] or [0]) for _ in range(2))
        uncounted = [
            n for n, (field, _, seen) in enumerate(zones) if seen == "nothing" and has_hidden_room(field, held[n])
        ]
        if zones[source][2] == "nothing" and zones[source][0].kind != "slot" and uncounted and dice.random() < 0.3:
            goal = dice.choice(uncounted)
            if held[source] and held[source][-1] not in zones[goal][0].never:
                held[goal].append(held[source].pop())
        elif held[source] and held[target]:
            i, j = dice.randrange(len(held[source])), dice.randrange(len(held[target]))
            first_thing, second_thing = held[source][i], held[target][j]
            if second_thing not in zones[source][0].never and first_thing not in zones[target][0].never:
                held[source][i], held[target][j] = second_thing, first_thing
    for (field, address, _), zone_contents in zip(zones, held, strict=True):
        write_contents(cells, field, address, zone_contents)


def another_value(played: Game, field: ir.Field, value: int, dice: random.Random) -> int:
    """Return a random value of a remembered variable, by its declaration."""
    declared = played.model.declared.remembered[field.name]
    if declared.type.kind != "number":
        return dice.randrange(played.model.size(declared.type, played.seats))
    if declared.numbers is not None:
        return dice.choice(declared.numbers)
    return value


# ---- matches ---------------------------------------------------------------------------------------------------------


def random_match(played: Game, seed: int, decisions: int, kinds: tuple[str, ...] = ()) -> Match:
    """Return a match of this many random decisions after the setup."""
    dice = random.Random(seed)
    first = played.backend.start(seed)
    played.backend.run(first)
    match = Match(played, [Seat(kind) for kind in kinds or ("human",) * played.seats], seed, "hash", first)
    for _ in range(decisions):
        if match.state.over:
            break
        match.play(dice.choice(match.state.legal_moves()))
    return match


def twin(match: Match, seat: int, dice: random.Random, tries: int = 40) -> Match | None:
    """Return another match that a seat cannot distinguish, or None if none is found.

    Hidden things are elsewhere, and hidden choices of other seats may differ.
    """
    for number in range(tries):
        swaps = dice.choice((1, 2, 4, 30) if number < tries // 2 else (1,))
        first = permuted(match.game, match.past.first, seat, dice, swaps)
        try:
            candidate = replayed(match, first, seat, dice, change=number % 3 > 0)
        except (PlayFault, RuleFault):
            continue
        if candidate is not None and differs(match, candidate, seat):
            return candidate
    return None


def differs(match: Match, other: Match, seat: int) -> bool:
    """Return whether anything but future random numbers differs."""
    cells = match.state.cells[ir.FIRST_FREE :] != other.state.cells[ir.FIRST_FREE :]
    return cells or [s.text for s in match.steps] != [s.text for s in other.steps]


def replayed(match: Match, first: list[int], seat: int, dice: random.Random, change: bool) -> Match | None:
    """Replay the choices from other cells, optionally with one of the last choices of other seats changed.

    Return None as soon as the seat sees a difference.
    """
    played = match.game
    others = [number for number, step in enumerate(match.steps) if step.seat != seat][-4:]
    changed = dice.choice(others) if others and change else None
    replayed_match = Match(played, match.seats, match.seed, match.rules_hash, first)
    new_events = (match.opening, replayed_match.opening)
    for number in range(len(match.steps) + 1):
        if visible(played, match.state_before(number), seat) != visible(played, replayed_match.state.cells, seat):
            return None
        if visible_events(played, new_events[0], seat) != visible_events(played, new_events[1], seat):
            return None
        if number == len(match.steps):
            return replayed_match
        step = match.steps[number]
        moves = replayed_match.state.legal_moves()
        if step.seat == seat:
            assert list(step.options) == moves, "what a seat may choose hangs on what it may not see"
            move = step.move
        elif step.move in moves and number != changed:
            move = step.move
        else:
            move = dice.choice(moves)
        if move != step.move and not (
            is_pending(match, number) or leaves_a_trace(replayed_match, step.move, move, seat)
        ):
            return None
        new_events = (step.events, replayed_match.play(move, step.time).events)
    return None


def is_pending(match: Match, number: int) -> bool:
    """Return whether the choice is part of a simultaneous decision that is not complete."""
    later = match.steps[number:]
    decision = match.state.decision
    return (
        decision is not None
        and decision.simultaneous
        and all(step.decision == decision for step in later)
        and (len({step.seat for step in later} | {match.state.seat}) == len(later) + 1)
    )


def leaves_a_trace(match: Match, one: Move, another: Move, seat: int) -> bool:
    """Return whether the two choices change hidden cells differently: otherwise the choice is public."""
    if one not in match.state.legal_moves():
        return True
    states = [match.state.copy(), match.state.copy()]
    for state, move in zip(states, (one, another), strict=True):
        state.apply(move)
    traces = [
        [
            state.cells[address : address + field.width]
            for field, indices, address in places(match.game)
            if seen_by(match.game, field, indices, seat) != "all"
        ]
        for state in states
    ]
    return traces[0] != traces[1]
