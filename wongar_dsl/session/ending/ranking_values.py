"""Values that the ranking of a game without points compares, for every player, as far as they are public."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.containers import container, size_at
from wongar_dsl.engine import State
from wongar_dsl.engine.hidden_information.information import copies, visible_extent
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import PLAYER, Model
from wongar_dsl.nlg.narration import Narrator

#: Maximum number of kinds that get a row each; with more kinds only the total is shown.
MAX_KINDS = 12

Amounts = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SeatAmounts:
    """Amount of one thing for each seat; `total` marks the total of the rows before it."""

    name: str
    amounts: Amounts
    total: bool = False


def ranking_values(state: State, narrator: Narrator) -> tuple[SeatAmounts, ...]:
    """Return the per-player fields that the ranking compares, as far as their amounts are public."""
    fields = _ranked_fields(state.game.program, state.game.model)
    return tuple(row for field in fields for row in _field_amounts(field, state, narrator))


def growing_measure(state: State) -> Callable[[State], Amounts] | None:
    """Return a function from a state to the compared amount of each seat.

    None unless the ranking compares exactly one public field.
    """
    fields = _ranked_fields(state.game.program, state.game.model)
    if len(fields) != 1 or not _has_public_amounts(fields[0]):
        return None
    return lambda later: tuple(_total_amounts(fields[0], later))


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
            elif ref.kind in ("zone", "tokens", "slot", "remember"):
                yield ref.name


def _has_public_amounts(field: ir.Field) -> bool:
    """Return whether the amount in every copy of a field is public."""
    if container(field) is None and field.type.kind != "number":
        return False
    sufficient = ("all",) if container(field) is None else ("all", "number")
    return all(visible_extent(field, indices, None) in sufficient for indices, _ in copies(field))


def _total_amounts(field: ir.Field, state: State) -> list[int]:
    """Return the total amount of each seat in a field."""
    zone = container(field) is not None
    return [size_at(state.cells, field, address) if zone else state.cells[address] for _, address in copies(field)]


def _field_amounts(field: ir.Field, state: State, narrator: Narrator) -> Iterator[SeatAmounts]:
    """Yield the amounts of each seat in a field: a row for each kind where contents are public, then the total."""
    if not _has_public_amounts(field):
        return
    zone, words = container(field), narrator.words
    kinds: list[SeatAmounts] = []
    if (
        zone is not None
        and not zone.spread
        and all(visible_extent(field, indices, None) == "all" for indices, _ in copies(field))
    ):
        faces = state.game.model.size(field.type, state.game.seats)
        each = [zone.counts(state.cells, address, field.width, faces) for _, address in copies(field)]
        kinds = [
            SeatAmounts(words.capital(narrator.short(field.type, face)), tuple(counts[face] for counts in each))
            for face in range(faces)
            if any(counts[face] for counts in each)
        ]
    if 1 < len(kinds) <= MAX_KINDS:
        yield from kinds
    name = words.capital(narrator.term(field.name, "short"))
    yield SeatAmounts(name, tuple(_total_amounts(field, state)), total=1 < len(kinds) <= MAX_KINDS)
