"""What all parts of lowering share: the unit at hand, and the constants, faults and procedures of the program."""

from __future__ import annotations

from abc import ABC, abstractmethod

from wongar_dsl import ir
from wongar_dsl import syntax as s
from wongar_dsl.analysis.nullability import Nullability
from wongar_dsl.lower.code import Unit
from wongar_dsl.lower.memory import Memory
from wongar_dsl.model import Local, Model, Type

ZERO, ONE, NONE = ir.Const(0), ir.Const(1), ir.Const(-1)
#: The largest number that rules may keep, or get by multiplying.
MAX_VALUE = 1_000_000_000


class Parts(ABC):
    """The program of one game for a number of seats, as it grows."""

    def __init__(self, model: Model, seats: int, settings: dict[str, int]) -> None:
        self.model = model
        self.seats = seats
        self.settings = settings
        self.memory = Memory(model, seats)
        self.doubts = Nullability(model)
        self.unit = Unit("")
        self.article: s.Article | None = None
        self.tables: list[tuple[int, ...]] = []
        self.lists: list[tuple[tuple[int, ...], ...]] = []
        self.faults: list[ir.FaultSpec] = []
        self.procedures: list[ir.Procedure | None] = []
        self.scratch = 0
        self._table_numbers: dict[object, int] = {}
        self._list_numbers: dict[object, int] = {}
        self._procedure_numbers: dict[s.Article, int] = {}
        self.region_locals: dict[s.Domain, Local] = {}

    # ---- constants of the program ----

    def table(self, key: object, cells: tuple[int, ...]) -> int:
        """The number of a constant table; `key` tells it apart."""
        if key not in self._table_numbers:
            self._table_numbers[key] = len(self.tables)
            self.tables.append(cells)
        return self._table_numbers[key]

    def list_table(self, key: object, lists: tuple[tuple[int, ...], ...]) -> int:
        """The number of a constant table of lists."""
        if key not in self._list_numbers:
            self._list_numbers[key] = len(self.lists)
            self.lists.append(lists)
        return self._list_numbers[key]

    def fault(self, code: str, node: s.Node, name: str = "") -> int:
        """The number of a fault at a place in the rules."""
        rule = self.article.name.text if self.article is not None else ""
        self.faults.append(ir.FaultSpec(code, rule, node.span, name))
        return len(self.faults) - 1

    # ---- what the parts need of each other ----

    @abstractmethod
    def ex(self, e: s.Expression) -> ir.Expr:
        """Lower an expression; what must be done first is added to the unit."""

    @abstractmethod
    def zone(self, e: s.Expression) -> tuple[ir.Field, ir.Expr]:
        """The place that an expression names, and its address."""

    @abstractmethod
    def copies_in(self, place: ir.Field, address: ir.Expr, card: ir.Expr) -> ir.Expr:
        """How many of a card lie in a zone."""

    def type_of(self, e: s.Expression) -> Type:
        """The type that the checker found."""
        return self.model.types[e]

    def sure(self, e: s.Expression) -> ir.Expr:
        """Lower a value that must not be nobody: where it could be, the rules are stopped if it is."""
        value = self.ex(e)
        if not self.doubts.may_be_none(e):
            return value
        value = self.unit.keep(value)
        self.unit.add(ir.If(ir.Bin("<", value, ZERO), (ir.Fault(self.fault("R0610", e)),), ()))
        return value

    def kept(self, e: s.Expression) -> ir.Expr:
        """Lower an expression and keep its value in a variable, unless it is a constant or one already."""
        return self.unit.keep(self.ex(e))
