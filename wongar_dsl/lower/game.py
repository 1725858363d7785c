"""From the checked model to a program for a number of seats."""

from __future__ import annotations

from collections.abc import Mapping

from wongar_dsl import ir
from wongar_dsl import syntax as s
from wongar_dsl.ir.metering import charge
from wongar_dsl.lower.decisions import Decisions
from wongar_dsl.model import Model


def lower(model: Model, seats: int, settings: Mapping[str, int] | None = None) -> ir.Program:
    """Make a game ready for `seats` players, with the values of its settings (those of the rules where none is given).

    Raises ValueError for a number of seats or a setting's value that the rules do not allow.
    """
    low, high = model.players
    if not low <= seats <= high:
        raise ValueError(f"{seats} seats, allowed are {low} to {high}")
    values = {name: start for name, (_, start, _, _) in model.settings.items()}
    for name, value in (settings or {}).items():
        _, _, least, most = model.settings[name]
        if not least <= value <= most:
            raise ValueError(f"{name} = {value}, allowed are {least} to {most}")
        values[name] = value
    work = Decisions(model, seats, values)
    for article in model.of_sort("remember"):
        assert isinstance(article, s.Remember)
        _start_value(work, article)
    first = [a for key in (("setup", ""), ("play", "")) if isinstance(a := model.articles.get(key), s.Procedure)]
    entry = work.entry(first)
    spans = {a.name.text: a.name.span for a in model.articles.values()}
    spans["winner"] = model.merged.head.name.span
    program = ir.Program(
        name="/".join(model.merged.names),
        seats=seats,
        size=work.memory.size,
        entry=entry,
        fields=tuple(work.memory.places.values()),
        tables=tuple(work.tables),
        lists=tuple(work.lists),
        procedures=tuple(p for p in work.procedures if p is not None),
        blocks=tuple(b if b is not None else ir.Block((), ir.Jump(entry), "") for b in work.blocks),
        decisions=tuple(d for d in work.decisions if d is not None),
        events=tuple(work.events),
        faults=tuple(work.faults),
        initial=tuple(work.memory.initial),
        scratch=work.scratch,
        resumed=frozenset(work.resumed),
        spans=spans,
        sealed=tuple(work.sealed),
        frames=work.memory.frames,
    )
    return charge(program)


def _start_value(work: Decisions, article: s.Remember) -> None:
    """Write the start value of a remembered value into the initial state."""
    if article.start is None:
        return
    value = work.ex(article.start)
    assert isinstance(value, ir.Const), "start values are known before play"
    place = work.memory.place(article.name.text)
    count = 1
    for size in place.sizes:
        count *= size
    work.memory.initial.extend((place.base + i, value.value) for i in range(count))
