"""Program under construction: tables, faults, events, procedures, blocks and decisions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from wongar_dsl.base.span import Span
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.ranges import Extent

T = TypeVar("T")
#: Factory of a constant table of lists.
Lists = Callable[[], tuple[tuple[int, ...], ...]]


class NumberedSlots(Generic[T]):
    """List with slots that can be reserved before their content is known."""

    def __init__(self) -> None:
        self._found: list[T | None] = []

    def reserve(self) -> int:
        """Reserve a slot and return its number."""
        self._found.append(None)
        return len(self._found) - 1

    def fill(self, number: int, value: T) -> None:
        """Fill a reserved slot."""
        self._found[number] = value

    def add(self, value: T) -> int:
        """Append a value and return its number."""
        self._found.append(value)
        return len(self._found) - 1

    def as_tuple(self) -> tuple[T, ...]:
        """Return the content; all slots must be filled."""
        values = tuple(x for x in self._found if x is not None)
        assert len(values) == len(self._found), "a place was given away and not filled"
        return values


@dataclass(slots=True)
class ProgramBuilder:
    """Numbered parts of a program."""

    tables: list[tuple[int, ...]] = field(default_factory=list)
    lists: list[tuple[tuple[int, ...], ...]] = field(default_factory=list)
    faults: list[ir.FaultSpec] = field(default_factory=list)
    events: list[ir.EventSpec] = field(default_factory=list)
    procedures: NumberedSlots[ir.Procedure] = field(default_factory=NumberedSlots)
    blocks: NumberedSlots[ir.Block] = field(default_factory=NumberedSlots)
    decisions: NumberedSlots[ir.DecisionSpec] = field(default_factory=NumberedSlots)
    resumed: set[int] = field(default_factory=set)
    simultaneous_cells: list[tuple[int, int, int, int]] = field(default_factory=list)
    marks: list[Span] | None = None
    scratch: int = 0
    _extents: dict[int, Extent] = field(default_factory=dict)
    _table_numbers: dict[object, int] = field(default_factory=dict)
    _list_numbers: dict[object, int] = field(default_factory=dict)
    _event_numbers: dict[ir.EventSpec, int] = field(default_factory=dict)

    def table(self, key: object, cells: tuple[int, ...]) -> int:
        """Return the number of a constant table, which is identified by `key`."""
        if key not in self._table_numbers:
            self._table_numbers[key] = len(self.tables)
            self.tables.append(cells)
        return self._table_numbers[key]

    def table_extent(self, number: int) -> Extent:
        """Return the interval of the cells of a table."""
        if number not in self._extents:
            cells = self.tables[number] or (0,)
            self._extents[number] = min(cells), max(cells)
        return self._extents[number]

    def list_table(self, key: object, lists: Lists) -> int:
        """Return the number of a table of lists, made on first use of its key."""
        if key not in self._list_numbers:
            self._list_numbers[key] = len(self.lists)
            self.lists.append(lists())
        return self._list_numbers[key]

    def flattened(self, key: object, number: int) -> tuple[int, int, int]:
        """Return a table of lists in two flat tables: number of the cells, number of the lengths, and row width."""
        lists = self.lists[number]
        widest = max(map(len, lists), default=0)
        if ("flat", key) in self._table_numbers:
            return self._table_numbers["flat", key], self._table_numbers["lengths", key], widest
        flat = self.table(("flat", key), tuple(x for row in lists for x in (*row, *(-1,) * (widest - len(row)))))
        return flat, self.table(("lengths", key), tuple(map(len, lists))), widest

    def event(self, spec: ir.EventSpec) -> int:
        """Return the number of an event type."""
        if spec not in self._event_numbers:
            self._event_numbers[spec] = len(self.events)
            self.events.append(spec)
        return self._event_numbers[spec]

    def fault(self, spec: ir.FaultSpec) -> int:
        """Add a fault and return its number."""
        self.faults.append(spec)
        return len(self.faults) - 1

    def mark(self, span: Span) -> int | None:
        """Add a mark and return its number; None in a program without marks."""
        if self.marks is None:
            return None
        self.marks.append(span)
        return len(self.marks) - 1

    def take_scratch(self, size: int) -> int:
        """Reserve scratch memory and return its start."""
        self.scratch += size
        return self.scratch - size
