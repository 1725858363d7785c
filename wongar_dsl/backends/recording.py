"""One run of a program, with what it looked at: the reference meaning on a state that records its reads.

Looked at is what a run reads of cells that are secret to somebody.  Not looked at is what only moves within the state
(a card that is laid on a pile or makes room there, a choice that is put away unseen, a number that goes up or down),
what the run itself wrote.  What is read to list options is noted by itself.  A search looks at all that it could
look at.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass
from typing import Any, Literal, SupportsIndex, overload

from wongar_dsl import ir
from wongar_dsl.backends.protocol import Option, Over, Question, RawEvent, RuleFault, Search, State
from wongar_dsl.backends.reference import Walker
from wongar_dsl.ir.program import BUDGET

#: How many statements an answer to somebody who waits for it may take.
LONGEST_ANSWER = 100_000


@dataclass(frozen=True, slots=True)
class Secrets:
    """What somebody may not see: `cells` before they are written; those in `lasting` whatever is written there."""

    cells: Set[int]
    lasting: Set[int]


@dataclass(frozen=True, slots=True)
class Recording:
    """What one run did.

    `first` is what it did first: `looked` at a secret cell, or drew `chance`, with how many events there were before;
    None where it did neither.  `listed`: with how many events before them the first list of options was made of secret
    cells that somebody can see something of: the viewer's own, or one that was empty or not; None where none was.
    """

    first: tuple[Literal["looked", "chance"], int] | None
    listed: int | None
    events: tuple[RawEvent, ...]


def record(
    program: ir.Program, cells: State, option: Option, time: int, viewer: int, secrets: Secrets, search: Search,
    only_first: bool = False,
) -> Recording:  # fmt: skip
    """Take an option and run on to the next decision or the end; `cells` stay as they are.

    `secrets` are those of `viewer`; `search` is that of a backend.  With `only_first` it ends as soon as `first` is
    known, with the events before that.  Raises `RuleFault`.
    """
    decision = program.decisions[cells[ir.AT_DECISION]].options[option[0]]
    state = _Watched(cells, secrets)
    state.ends = only_first
    for address, value in zip(decision.addresses, option[1:], strict=True):
        list.__setitem__(state, address, value)
    list.__setitem__(state, ir.AT_BLOCK, decision.block)
    list.__setitem__(state, ir.AT_TIME, time)
    walker = _Recorder(program, state, search)
    try:
        walker.run()
        while state[ir.AT_DECISION] == ir.READY:
            walker.run()
    except (Over, _Enough):
        return Recording(state.first, walker.listed, tuple(state.events))
    if state.first is None and state[ir.AT_SEAT] == viewer:
        walker.fuel = BUDGET
        walker.options(program.decisions[state[ir.AT_DECISION]])
    return Recording(state.first, walker.listed, tuple(state.events))


def lists_openly(program: ir.Program, cells: State, secret: Set[int], search: Search) -> bool:
    """Whether the options of the decision at hand can be listed without a look at a `secret` cell."""
    walker = _Recorder(program, _Watched(cells, Secrets(secret, frozenset())), search)
    walker.fuel = BUDGET
    try:
        walker.options(program.decisions[cells[ir.AT_DECISION]])
    except RuleFault:
        return False
    return walker.listed is None


def ask(program: ir.Program, cells: State, procedure: int, arguments: tuple[int, ...], secret: Set[int]) -> int | None:
    """The value of a procedure in a state, which stays as it is.

    None where it looks at a cell that is `secret`, goes wrong, or takes long.
    """
    state = _Watched(cells, Secrets(secret, frozenset()))
    walker = _Answering(program, state, None, None)
    try:
        value = walker.call(procedure, list(arguments))
    except (RuleFault, _TooLong):
        return None
    return value if state.first is None else None


class _Watched(list[int]):
    """A state that notes when the first of its secret cells is read before it is written."""

    def __init__(self, cells: State, secrets: Secrets) -> None:
        super().__init__(cells)
        self.first: tuple[Literal["looked", "chance"], int] | None = None
        self.events: list[RawEvent] = []
        #: Whether the first thing that is noted ends the run.
        self.ends = False
        self._secrets = secrets
        # What the run itself wrote.
        self._known: set[int] = set()

    def note(self, what: Literal["looked", "chance"]) -> None:
        """Note something, unless something else was noted before."""
        self.first = self.first or (what, len(self.events))
        if self.ends:
            raise _Enough

    def forget(self) -> None:
        """Note what comes next as if nothing had been noted before."""
        self.first = None

    def hides(self, address: int) -> bool:
        """Whether what stands at an address is secret now."""
        return address in self._secrets.cells and address not in self._known

    def put_away(self, source: int, target: int) -> bool:
        """Copy from a secret cell into another one, without a look; False where one of them is none."""
        if not self.hides(source) or target not in self._secrets.cells:
            return False
        list.__setitem__(self, target, list.__getitem__(self, source))
        self._known.discard(target)
        return True

    @overload
    def __getitem__(self, at: SupportsIndex, /) -> int: ...
    @overload
    def __getitem__(self, at: slice, /) -> list[int]: ...
    def __getitem__(self, at: SupportsIndex | slice, /) -> int | list[int]:
        if self.first is None:
            if at.__class__ is int:
                hidden = at in self._secrets.cells and at not in self._known
            else:
                hidden = any(map(self.hides, self._addresses(at)))
            if hidden:
                self.note("looked")
        return super().__getitem__(at)

    @overload
    def __setitem__(self, at: SupportsIndex, value: int, /) -> None: ...
    @overload
    def __setitem__(self, at: slice, value: Iterable[int], /) -> None: ...
    def __setitem__(self, at: SupportsIndex | slice, value: Any, /) -> None:
        self._known.update(a for a in self._addresses(at) if a not in self._secrets.lasting)
        super().__setitem__(at, value)

    def _addresses(self, at: SupportsIndex | slice) -> range:
        if isinstance(at, slice):
            return range(*at.indices(len(self)))
        number = at.__index__()
        return range(number, number + 1)


class _TooLong(Exception):
    pass


class _Enough(Exception):
    """What was to be found out is known."""


class _Answering(Walker):
    """The reference meaning, as long as it does not take long."""

    left = LONGEST_ANSWER

    def statement(self, statement: ir.Stmt, local: dict[int, int]) -> None:
        self.left -= 1
        if not self.left:
            raise _TooLong
        super().statement(statement, local)


class _Recorder(Walker):
    """The reference meaning, where moving is not looking."""

    def __init__(self, program: ir.Program, state: _Watched, search: Search) -> None:
        super().__init__(program, state, state.events, None)
        self._watched = state
        self._search = search
        self.listed: int | None = None

    def options(self, decision: ir.DecisionSpec) -> list[Option]:
        """The options; that they were made of something secret is noted by itself."""
        before, ends = self._watched.first, self._watched.ends
        self._watched.forget()
        self._watched.ends = False
        found = super().options(decision)
        if self.listed is None and self._watched.first is not None:
            self.listed = len(self._watched.events)
        self._watched.first, self._watched.ends = before, ends
        return found

    def search(self, question: Question) -> ir.Rounds:
        """What a search finds out; every secret cell could be looked at there."""
        found, self.fuel = self._search(self.state[:], question, self.fuel)
        return found

    def roll(self, n: int) -> int:
        if n > 1:
            self._watched.note("chance")
        return super().roll(n)

    def statement(self, statement: ir.Stmt, local: dict[int, int]) -> None:
        match statement:
            case ir.Store(address=address, value=ir.Bin(operator="+" | "-" as sign, left=ir.Load() as old, right=more)):
                if old.address == address:
                    at = self.ex(address, local)
                    value = ir.OPERATORS[sign](list.__getitem__(self.state, at), self.ex(more, local))
                    list.__setitem__(self.state, at, value)
                    return
            case ir.Store(address=address, value=ir.Load(address=source)):
                if self._watched.put_away(self.ex(source, local), self.ex(address, local)):
                    return
        super().statement(statement, local)

    def cards(self, statement: ir.Handling, local: dict[int, int]) -> None:
        """Piles are moved on the bare state; only the card that is taken out is looked at."""
        watched = self._watched
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
