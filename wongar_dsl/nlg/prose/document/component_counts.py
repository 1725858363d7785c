"""Component counts: evaluates the set-up to count the cards, tokens and other things that a game needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Local, Model

#: Maximum number of statements to evaluate; later counts are then unknown.
BUDGET = 200_000

Values = Mapping[Local, int]


@dataclass(slots=True)
class ComponentCounts:
    """Counts of the decks, tokens and cards that the set-up uses, for a number of players.

    `unknown` are components whose count depends on chance or on decisions.
    """

    model: Model
    seats: int
    filled: Counter[str] = field(default_factory=Counter)
    unknown: set[str] = field(default_factory=set)
    left: int = BUDGET
    #: The `fill` statements below each tree and the rules that it calls.
    fills: dict[object, tuple[s.Fill, ...]] = field(default_factory=dict)

    @classmethod
    def by_seats(cls, model: Model, seats: Iterable[int]) -> dict[int, ComponentCounts]:
        """Evaluate the set-up of a game for each of several numbers of players."""
        fills: dict[object, tuple[s.Fill, ...]] = {}
        stocks = {number: cls(model, number, fills=fills) for number in seats}
        for stock in stocks.values():
            for article in model.code.course:
                if isinstance(article, s.Setup):
                    stock.body(article.body, {}, frozenset())
            if stock.left <= 0:
                stock.unknown |= set(stock.filled)
        return stocks

    def count(self, name: str) -> int | None:
        """Return the count of a component, None if unknown."""
        return None if name in self.unknown else self.filled[name]

    def body(self, body: s.Block, values: Values, calls: frozenset[str]) -> None:
        """Evaluate the statements of a block; `calls` are the active calls."""
        bindings = dict(values)
        for statement in body:
            self.left -= 1
            if self.left <= 0:
                return
            self._statement(statement, bindings, calls)

    def _statement(self, statement: s.Statement, values: dict[Local, int], calls: frozenset[str]) -> None:
        match statement:
            case s.Fill():
                self._fill(statement, values)
            case s.Let(variable=variable, value=value):
                local, number = self.model.locals.get(variable), self.value(value, values)
                if local is not None and number is not None:
                    values[local] = number
            case s.ForEach(variable=variable, domain=domain, body=body):
                self._each(self.model.locals[variable], domain, body, values, calls)
            case s.Repeat(kind="times", subject=subject, body=body) if subject is not None:
                times = self.value(subject, values)
                if times is None:
                    self._doubt(body)
                for _ in range(min(times or 0, self.left)):
                    self.body(body, values, calls)
            case s.If(branches=branches, otherwise=otherwise):
                self._when(branches, otherwise, values, calls)
            case s.Call(call=s.Called(name=name, arguments=arguments)) if name in self.model.code.rules:
                rule = self.model.code.rules[name]
                if name in calls:
                    self._doubt(rule.body)
                    return
                numbers = (self.value(argument, values) for argument in arguments)
                bound = zip(self.model.parameters.get(rule, ()), numbers, strict=False)
                self.body(rule.body, {local: n for local, n in bound if n is not None}, calls | {name})
            case _:
                self._doubt(statement)

    def _each(
        self, local: Local, domain: s.Range, body: s.Block, values: dict[Local, int], calls: frozenset[str]
    ) -> None:
        every = domain.kind == "all" or (local.type.kind == "player" and domain.kind in ("from", "after"))
        if not every or domain.extreme is not None or local.type.kind not in ("player", "enum", "board", "cards"):
            self._doubt(body)
            return
        for number in range(self.model.size(local.type, self.seats)):
            bindings = {**values, local: number}
            included = 1 if domain.where is None else self.value(domain.where, bindings)
            if included is None:
                self._doubt(body)
            elif included:
                self.body(body, bindings, calls)

    def _when(
        self,
        branches: Iterable[tuple[s.Expression, s.Block]],
        otherwise: s.Block,
        values: dict[Local, int],
        calls: frozenset[str],
    ) -> None:
        for condition, body in branches:
            holds = self.value(condition, values)
            if holds is None:
                self._doubt((tuple(body for _, body in branches), otherwise))
                return
            if holds:
                self.body(body, values, calls)
                return
        self.body(otherwise, values, calls)

    def _fill(self, fill: s.Fill, values: Values) -> None:
        names = self._named(fill.filling, values)
        count = 1 if fill.count is None else self.value(fill.count, values)
        if count is None or len(names) != 1:
            self.unknown |= names
        else:
            self.filled[next(iter(names))] += count

    def _named(self, e: s.Expression, values: Values) -> set[str]:
        """Return the deck, token or card that fills a place; all candidates if it is unknown."""
        kind = self.model.types.get(e)
        if isinstance(e, s.Name) and e.text in self.model.declared.decks:
            return {e.text}
        if kind is None or kind.kind not in ("enum", "cards"):
            return set()
        number = self.value(e, values)
        numbers = range(self.model.size(kind, self.seats)) if number is None else (number,)
        return {self.model.value_name(kind, n) for n in numbers}

    def _doubt(self, tree: object) -> None:
        """Mark everything that a tree and its called rules fill in as unknown."""
        if tree not in self.fills:
            self.fills[tree] = tuple(self._fills(tree))
        for fill in self.fills[tree]:
            self.unknown |= self._named(fill.filling, {})

    def _fills(self, tree: object) -> Iterator[s.Fill]:
        """Yield the `fill` statements of a tree and of the rules that it calls."""
        waiting: list[object] = [tree]
        seen = set[str]()
        while waiting:
            for node in s.walk(waiting.pop()):
                if isinstance(node, s.Fill):
                    yield node
                elif isinstance(node, s.Called) and node.name in self.model.code.rules and node.name not in seen:
                    seen.add(node.name)
                    waiting.append(self.model.code.rules[node.name].body)

    # ---- values ----

    def value(self, e: s.Expression, values: Values) -> int | None:
        """Return the value of an expression, None if it depends on play."""
        ref = self.model.refs.get(e)
        match e:
            case s.Number(value=value):
                return value
            case s.Truth(value=truth):
                return int(truth)
            case s.Minus(operand=operand):
                number = self.value(operand, values)
                return None if number is None else -number
            case s.Negation(operand=operand):
                number = self.value(operand, values)
                return None if number is None else int(not number)
            case s.Binary(operator=operator, left=left, right=right):
                return _computed(operator, self.value(left, values), self.value(right, values))
            case s.Compare(operator=operator, left=left, right=right):
                return _compared(operator, self.value(left, values), self.value(right, values))
            case s.Conditional(condition=condition, then=then, other=other):
                holds = self.value(condition, values)
                return None if holds is None else self.value(then if holds else other, values)
            case s.Indexed() | s.Of() if ref is not None and ref.kind == "table":
                return self._cell(ref.name, [self.value(i, values) for i in s.index_nodes(e)])
            case s.Name() if ref is not None and ref.kind == "local" and ref.local is not None:
                return values.get(ref.local)
            case s.Name() if ref is not None and ref.kind == "value":
                return ref.number
            case s.Name() if ref is not None and ref.kind == "option":
                return self.model.settings[ref.name].start
            case s.Name() if ref is not None and ref.kind == "players":
                return self.seats
        return None

    def _cell(self, name: str, keys: list[int | None]) -> int | None:
        table, index = self.model.tables[name], 0
        for key, low, size in zip(keys, table.lows, table.sizes, strict=False):
            if key is None or not 0 <= key - low < size:
                return None
            index = index * size + key - low
        return table.cells[index]


def _computed(operator: str, left: int | None, right: int | None) -> int | None:
    if left is None or right is None or (operator in ("div", "mod") and right == 0):
        return None
    results = {"+": left + right, "-": left - right, "*": left * right}
    return results[operator] if operator in results else left // right if operator == "div" else left % right


def _compared(operator: str, left: int | None, right: int | None) -> int | None:
    if left is None or right is None:
        return None
    holds = {"=": left == right, "!=": left != right, "<": left < right, "<=": left <= right, ">": left > right}
    return int(holds.get(operator, left >= right))
