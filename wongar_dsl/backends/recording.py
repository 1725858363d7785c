"""One run of a program, with what it looked at: the reference meaning on a state that records its reads.

Not looked at is what only moves within the state (a card that is laid on a pile or makes room there, a number that
goes up or down), what the run itself wrote, and what is read to list options.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, SupportsIndex, overload

from wongar_dsl import ir
from wongar_dsl.backends.protocol import Option, Over, RawEvent, State
from wongar_dsl.backends.reference import Walker


@dataclass(frozen=True, slots=True)
class Recording:
    """What one run did.

    `looks`: the addresses that were read, each with the number of events before; `drew`: how many events there were
    when chance was first used, None where it was not.
    """

    looks: dict[int, int]
    drew: int | None
    events: tuple[RawEvent, ...]


def record(
    program: ir.Program, cells: State, option: Option, time: int, options: Callable[[State], list[Option]]
) -> Recording:
    """Take an option and run on to the next decision or the end; `cells` stay as they are.

    `options` lists the options of a state.  Raises `RuleFault`.
    """
    decision = program.decisions[cells[ir.AT_DECISION]].options[option[0]]
    events: list[RawEvent] = []
    state = _Watched(cells, set(decision.addresses), events)
    for address, value in zip(decision.addresses, option[1:], strict=True):
        list.__setitem__(state, address, value)
    list.__setitem__(state, ir.AT_BLOCK, decision.block)
    list.__setitem__(state, ir.AT_TIME, time)
    walker = _Recorder(program, state, events, options)
    try:
        walker.run()
        while state[ir.AT_DECISION] == ir.READY:
            walker.run()
    except Over:
        pass
    return Recording(state.looks, walker.drew, tuple(events))


class _Watched(list[int]):
    """A state that notes which cells are read before they are written."""

    def __init__(self, cells: State, written: set[int], events: list[RawEvent]) -> None:
        super().__init__(cells)
        self.looks: dict[int, int] = {}
        self._written = written
        self._events = events

    @overload
    def __getitem__(self, at: SupportsIndex, /) -> int: ...
    @overload
    def __getitem__(self, at: slice, /) -> list[int]: ...
    def __getitem__(self, at: SupportsIndex | slice, /) -> int | list[int]:
        for address in self._addresses(at):
            if address not in self._written:
                self.looks.setdefault(address, len(self._events))
        return super().__getitem__(at)

    @overload
    def __setitem__(self, at: SupportsIndex, value: int, /) -> None: ...
    @overload
    def __setitem__(self, at: slice, value: Iterable[int], /) -> None: ...
    def __setitem__(self, at: SupportsIndex | slice, value: Any, /) -> None:
        self._written.update(self._addresses(at))
        super().__setitem__(at, value)

    def _addresses(self, at: SupportsIndex | slice) -> range:
        if isinstance(at, slice):
            return range(*at.indices(len(self)))
        number = at.__index__()
        return range(number, number + 1)


class _Recorder(Walker):
    """The reference meaning, where moving is not looking."""

    def __init__(
        self, program: ir.Program, state: _Watched, events: list[RawEvent], options: Callable[[State], list[Option]]
    ) -> None:
        super().__init__(program, state, events, None)
        self._list = options
        self.drew: int | None = None

    def options(self, decision: ir.DecisionSpec) -> list[Option]:
        return self._list(list(self.state))

    def roll(self, n: int) -> int:
        if n > 1 and self.drew is None:
            assert self.events is not None
            self.drew = len(self.events)
        return super().roll(n)

    def statement(self, statement: ir.Stmt, local: dict[int, int]) -> None:
        match statement:
            case ir.Store(address=address, value=ir.Bin(operator="+" | "-" as sign, left=ir.Load() as old, right=more)):
                if old.address == address:
                    at = self.ex(address, local)
                    value = ir.OPERATORS[sign](list.__getitem__(self.state, at), self.ex(more, local))
                    list.__setitem__(self.state, at, value)
                    return
        super().statement(statement, local)

    def cards(self, statement: ir.Handling, local: dict[int, int]) -> None:
        """Piles are moved on the bare state; only the card that is taken out is looked at."""
        watched = self.state
        match statement:
            case ir.Push(pile=pile, card=card):
                self.ex(pile, local)
                self.ex(card, local)
            case ir.Pop(pile=pile, bottom=bottom):
                at = self.ex(pile, local)
                size = watched[at]
                if size:
                    watched[at + 1 if bottom else at + size]
            case ir.Draw(pile=pile, card=card):
                at = self.ex(pile, local)
                self.ex(card, local)
                watched[at : at + 1 + watched[at]]
        bare = list(watched)
        self.state = bare
        try:
            super().cards(statement, local)
        finally:
            self.state = watched
            for at, (old, new) in enumerate(zip(list.__iter__(watched), bare, strict=True)):
                if old != new:
                    list.__setitem__(watched, at, new)
