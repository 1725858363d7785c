"""Changes what a seat may not see, and nothing else: in the cells of a state, and in the record of a game.

What is hidden is read here from the rules, from what each zone and remembered value says of who sees it, and the cells
of zones are read and written by hand: no code is shared with what is tested by this.  Nothing of an event is hidden
but the thing that moves between two places that the seat sees neither of.  That a value changes that the seat does not
see is not noticed at all.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

from wongar_dsl import ir
from wongar_dsl.backends import RuleFault
from wongar_dsl.engine import Game, Move, PlayFault
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.match import Match, Seat

Place = tuple[ir.Field, int]
#: The parts of an event that are hidden with the places that it is about.
COVERED = {"card", "token", "n"}


def seen_by(played: Game, field: ir.Field, indices: tuple[int, ...], seat: int | None) -> str:
    """What a seat (None: a watcher) sees of one copy, by the word of the rules: `all`, the `number`, or `nothing`."""
    declared = played.model.declared
    found = declared.zones.get(field.name) or declared.remembered.get(field.name)
    if found is None or found.seen == "all":
        return "all"
    players = [number for number, kind in zip(indices, found.indices, strict=True) if kind.kind == "player"]
    if found.seen == "owner" and players[0] == seat:
        return "all"
    return "number" if found.seen in ("owner", "number") and field.name in declared.zones else "nothing"


def places(played: Game) -> Iterator[tuple[ir.Field, tuple[int, ...], int]]:
    """Every copy of every part of the state: its indices and its address."""
    for field in played.program.fields:
        for number, indices in enumerate(product(*map(range, field.sizes))):
            yield field, indices, field.base + number * field.width


def visible(played: Game, cells: list[int], seat: int | None) -> list[object]:
    """All that a seat sees of a state."""
    seen: list[object] = [cells[ir.AT_DECISION], cells[ir.AT_SEAT], cells[ir.AT_WINNERS]]
    for field, indices, at in places(played):
        match seen_by(played, field, indices, seat):
            case "all":
                seen.append(cells[at : at + field.width])
            case "number":
                seen.append(len(things(cells, field, at)))
    return seen


def told(played: Game, events: tuple[Event, ...], seat: int) -> list[tuple[object, ...]]:
    """All that a seat is told by events."""
    return [shown for event in events if (shown := public(played, event, seat))]


def public(played: Game, event: Event, seat: int) -> tuple[object, ...]:
    """All that a seat is told by an event; nothing where it does not even notice it."""
    spec, shown = event.spec, list(event.values)
    ends = [
        (played.fields[kind.name], value if isinstance(value, tuple) else (value,))
        for (_, kind), value in zip(spec.fields, event.values, strict=True)
        if kind.kind == "place"
    ]
    if ends and all(seen_by(played, field, indices, seat) != "all" for field, indices in ends):  # type: ignore[arg-type]
        if spec.kind == "changed":
            return ()
        own = len(spec.fields) - spec.slots
        things = {kind for name, kind in spec.fields[:own] if name in ("card", "token")}
        for number, (name, kind) in enumerate(spec.fields):
            if (name in COVERED and kind.kind != "place") if number < own else kind.kind == "cards" or kind in things:
                shown[number] = None
    return (spec.kind, spec.message, *shown)


# ---- what lies in a zone -------------------------------------------------------------------------------------------


def things(cells: list[int], field: ir.Field, at: int) -> list[int]:
    """The things in a copy of a zone, or the value that is remembered."""
    end = at + field.width
    match field.kind:
        case "tokens":
            return [kind for kind, n in enumerate(cells[at:end]) for _ in range(n)]
        case "heap":
            return [card for card, n in enumerate(cells[at + 1 : end]) for _ in range(n)]
        case "pile" | "layout":
            return cells[at + 1 : at + 1 + cells[at]]
    return [cells[at]] if field.kind == "remember" or cells[at] >= 0 else []


def lay(cells: list[int], field: ir.Field, at: int, held: list[int]) -> None:
    """Lay as many things there as there are, or others."""
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


def room(field: ir.Field, held: list[int]) -> bool:
    """Whether one more thing can come to lie there without anybody seeing it."""
    return field.kind in ("tokens", "heap") or (field.kind == "pile" and len(held) < field.width - 1)


def permuted(played: Game, cells: list[int], seat: int, dice: random.Random, swaps: int) -> list[int]:
    """Other cells in which only what a seat does not see has changed, and the chance that is to come.

    Some hidden things of a sort exchange their places, some go to another place where nobody sees how many there are,
    and hidden values become others of their sort.
    """
    cells = list(cells)
    for at in (ir.AT_CHANCE, ir.AT_PLAY_CHANCE):
        cells[at] = dice.getrandbits(64) if cells[at] else 0
    cells[ir.AT_STEP] = dice.getrandbits(64) | 1
    opened: set[str] = set()
    if cells[ir.AT_DECISION] >= 0 and cells[ir.AT_SEAT] == seat:
        options = played.program.decisions[cells[ir.AT_DECISION]].options
        opened = {zone for option in options for zone in option.drawn_from}
    sorts: dict[str, list[tuple[ir.Field, int, str]]] = {}
    for field, indices, at in places(played):
        seen = seen_by(played, field, indices, seat)
        if seen == "all" or (field.name in opened and played.model.declared.zones[field.name].seen != "owner"):
            continue
        if field.kind == "remember":
            # What was never set is the same in every game.
            if cells[at] != dict(played.program.initial).get(at, 0):
                cells[at] = another_value(played, field, cells[at], dice)
        else:
            sorts.setdefault(field.type.name, []).append((field, at, seen))
    for zones in sorts.values():
        exchange(cells, zones, dice, swaps)
    return cells


def exchange(cells: list[int], zones: list[tuple[ir.Field, int, str]], dice: random.Random, swaps: int) -> None:
    """Exchange hidden things of one sort between the places where they lie."""
    held = [things(cells, field, at) for field, at, _ in zones]
    for _ in range(swaps):
        here, there = (dice.choice([n for n in range(len(zones)) if held[n]] or [0]) for _ in range(2))
        uncounted = [n for n, (field, _, seen) in enumerate(zones) if seen == "nothing" and room(field, held[n])]
        if zones[here][2] == "nothing" and zones[here][0].kind != "slot" and uncounted and dice.random() < 0.3:
            goal = dice.choice(uncounted)
            if held[here] and held[here][-1] not in zones[goal][0].never:
                held[goal].append(held[here].pop())
        elif held[here] and held[there]:
            i, j = dice.randrange(len(held[here])), dice.randrange(len(held[there]))
            one, other = held[here][i], held[there][j]
            if other not in zones[here][0].never and one not in zones[there][0].never:
                held[here][i], held[there][j] = other, one
    for (field, at, _), found in zip(zones, held, strict=True):
        lay(cells, field, at, found)


def another_value(played: Game, field: ir.Field, value: int, dice: random.Random) -> int:
    """Any value that a remembered one may have by its declaration."""
    declared = played.model.declared.remembered[field.name]
    if declared.type.kind != "number":
        return dice.randrange(played.model.size(declared.type, played.seats))
    if declared.numbers is not None:
        return dice.choice(declared.numbers)
    return value


# ---- records -------------------------------------------------------------------------------------------------------


def random_match(played: Game, seed: int, decisions: int, kinds: tuple[str, ...] = ()) -> Match:
    """The first decisions of a random game after its setup."""
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
    """Another game that a seat cannot tell from a match by what it may see: hidden things lie elsewhere, and others
    have made other choices where these are hidden.  None where no such game was found."""
    for number in range(tries):
        swaps = dice.choice((1, 2, 4, 30) if number < tries // 2 else (1,))
        first = permuted(match.game, match.past.first, seat, dice, swaps)
        try:
            other = replayed(match, first, seat, dice, change=number % 3 > 0)
        except (PlayFault, RuleFault):
            continue
        if other is not None and differs(match, other, seat):
            return other
    return None


def differs(match: Match, other: Match, seat: int) -> bool:
    """Whether anything has changed but the chance to come."""
    cells = match.state.cells[ir.FIRST_FREE :] != other.state.cells[ir.FIRST_FREE :]
    return cells or [s.text for s in match.steps] != [s.text for s in other.steps]


def replayed(match: Match, first: list[int], seat: int, dice: random.Random, change: bool) -> Match | None:
    """The same choices from other cells on, but one of the last that others made where that is wanted; None as soon as
    the seat sees a difference."""
    played = match.game
    others = [number for number, step in enumerate(match.steps) if step.seat != seat][-4:]
    changed = dice.choice(others) if others and change else None
    other = Match(played, match.seats, match.seed, match.rules_hash, first)
    happened = (match.opening, other.opening)
    for number in range(len(match.steps) + 1):
        if visible(played, match.before(number), seat) != visible(played, other.state.cells, seat):
            return None
        if told(played, happened[0], seat) != told(played, happened[1], seat):
            return None
        if number == len(match.steps):
            return other
        step = match.steps[number]
        moves = other.state.legal_moves()
        if step.seat == seat:
            assert list(step.options) == moves, "what a seat may choose hangs on what it may not see"
            move = step.move
        elif step.move in moves and number != changed:
            move = step.move
        else:
            move = dice.choice(moves)
        if move != step.move and not (pending(match, number) or leaves_a_trace(other, step.move, move, seat)):
            return None
        happened = (step.events, other.play(move, step.time).events)
    return None


def pending(match: Match, number: int) -> bool:
    """Whether a choice is one that is made at once with others, some of which are still to come."""
    later = match.steps[number:]
    waits = match.state.decision
    return (
        waits is not None
        and waits.simultaneous
        and all(step.decision == waits for step in later)
        and (len({step.seat for step in later} | {match.state.seat}) == len(later) + 1)
    )


def leaves_a_trace(match: Match, one: Move, another: Move, seat: int) -> bool:
    """Whether what a seat does not see hangs on which of two choices is made: else it is made in the open."""
    if one not in match.state.legal_moves():
        return True
    states = [match.state.copy(), match.state.copy()]
    for state, move in zip(states, (one, another), strict=True):
        state.apply(move)
    traces = [
        [
            state.cells[at : at + field.width]
            for field, indices, at in places(match.game)
            if seen_by(match.game, field, indices, seat) != "all"
        ]
        for state in states
    ]
    return traces[0] != traces[1]
