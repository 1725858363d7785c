"""What the rules compare of the players where nobody has points: how much each of them has of it, for all to see."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from wongar_dsl import ir
from wongar_dsl import syntax as s
from wongar_dsl.engine import State
from wongar_dsl.engine.knowledge import copies, extent
from wongar_dsl.ir.containers import container, size_at
from wongar_dsl.model import Model, Type
from wongar_dsl.narration import Narrator

PLAYER = Type("player")
#: Of more kinds than that only is told how much there is of all.
MOST_KINDS = 12

Amounts = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Amount:
    """How much of something each seat has; `whole`: all that was told apart before."""

    name: str
    amounts: Amounts
    whole: bool = False


def compared(state: State, narrator: Narrator) -> tuple[Amount, ...]:
    """What the ranking of the rules looks at, as far as it is a player's own and everybody sees how much it is."""
    found = [tuple(_of(place, state, narrator)) for place in _places(state.game.program, state.game.model)]
    return tuple(row for rows in found for row in rows)


def growing(state: State) -> Callable[[State], Amounts] | None:
    """How much each seat has, in any state of a game whose ranking looks at one thing; None where it does not."""
    places = _places(state.game.program, state.game.model)
    if len(places) != 1 or not _public(places[0]):
        return None
    return lambda at: tuple(_whole(places[0], at))


def rule(state: State, narrator: Narrator) -> str:
    """What the rules say of who wins, in sentences; empty where they have no ranking."""
    if state.game.model.code.winner is None:
        return ""
    # No game needs the prose of its rules before its end.
    from wongar_dsl.narration.excerpts import Excerpts

    told = Excerpts(state.game, narrator.words).told("winner")
    return " ".join(paragraph.text for paragraph in told if paragraph.text and paragraph.style != "strong")


def _places(program: ir.Program, model: Model) -> list[ir.Field]:
    """The places of each player that the ranking looks at, in the order in which it does."""
    if model.code.winner is None:
        return []
    fields = {place.name: place for place in program.fields}
    named = dict.fromkeys(_named(model, model.code.winner.ranking, set()))
    return [fields[name] for name in named if name in fields and fields[name].indices == (PLAYER,)]


def _named(model: Model, nodes: Sequence[s.Node], asked: set[str]) -> Iterator[str]:
    """The declarations that expressions name, also by what they call."""
    for node in nodes:
        for part in s.walk(node):
            ref = model.refs.get(part)
            if ref is None:
                continue
            if ref.kind == "define" and ref.name not in asked:
                asked.add(ref.name)
                yield from _named(model, (model.code.defines[ref.name],), asked)
            elif ref.kind in ("zone", "tokens", "slot", "remember"):
                yield ref.name


def _public(place: ir.Field) -> bool:
    """Whether everybody sees how much is in each copy of a place."""
    if container(place) is None and place.type.kind != "number":
        return False
    told = ("all",) if container(place) is None else ("all", "number")
    return all(extent(place, indices, None) in told for indices, _ in copies(place))


def _whole(place: ir.Field, state: State) -> list[int]:
    """How much each seat has in a place."""
    zone = container(place) is not None
    return [size_at(state.cells, place, at) if zone else state.cells[at] for _, at in copies(place)]


def _of(place: ir.Field, state: State, narrator: Narrator) -> Iterator[Amount]:
    """What each seat has in a place, kind by kind where that is seen, and all of it."""
    if not _public(place):
        return
    zone, words = container(place), narrator.words
    kinds: list[Amount] = []
    if (
        zone is not None
        and not zone.spread
        and all(extent(place, indices, None) == "all" for indices, _ in copies(place))
    ):
        faces = state.game.model.size(place.type, state.game.seats)
        each = [zone.counts(state.cells, at, place.width, faces) for _, at in copies(place)]
        kinds = [
            Amount(words.capital(narrator.short(place.type, face)), tuple(counts[face] for counts in each))
            for face in range(faces)
            if any(counts[face] for counts in each)
        ]
    if 1 < len(kinds) <= MOST_KINDS:
        yield from kinds
    name = words.capital(narrator.term(place.name, "short"))
    yield Amount(name, tuple(_whole(place, state)), whole=1 < len(kinds) <= MOST_KINDS)
