"""Component counts: evaluates the set-up to count the cards, tokens and other things that a game needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Local, Model
from wongar_dsl.nlg.prose.content.static_values import evaluate

#: Maximum number of statements to evaluate; later counts are then unknown.
MAX_STATEMENTS = 200_000

Values = Mapping[Local, int]


@dataclass(slots=True)
class ComponentCounts:
    """Counts of the decks, tokens and cards that the set-up uses, for a number of players.

    `unknown` are components whose count depends on chance or on decisions. `laid` counts the cards that the set-up puts
    into each zone with the values of its indices; `uncounted` are zones that it fills with an unknown number.
    """

    model: Model
    seats: int
    filled: Counter[str] = field(default_factory=Counter)
    unknown: set[str] = field(default_factory=set)
    laid: Counter[tuple[str, tuple[int | None, ...]]] = field(default_factory=Counter)
    uncounted: set[str] = field(default_factory=set)
    left: int = MAX_STATEMENTS
    #: The `fill` statements below each tree and the rules that it calls.
    fills: dict[object, tuple[s.Fill, ...]] = field(default_factory=dict)

    @classmethod
    def by_seats(cls, model: Model, seats: Iterable[int]) -> dict[int, ComponentCounts]:
        """Evaluate the set-up of a game for each of several numbers of players."""
        fills: dict[object, tuple[s.Fill, ...]] = {}
        counts_by_seats = {number: cls(model, number, fills=fills) for number in seats}
        for counts in counts_by_seats.values():
            for article in model.code.main_procedures:
                if isinstance(article, s.Setup):
                    counts.body(article.body, {}, frozenset())
            if counts.left <= 0:
                counts.unknown |= set(counts.filled)
        return counts_by_seats

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
        self, local: Local, domain: s.Domain, body: s.Block, values: dict[Local, int], calls: frozenset[str]
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
            [name] = names
            self.filled[name] += count
            zone, indices = self._place(fill.zone)
            deck = self.model.declared.decks.get(name)
            key = (zone, tuple(self.value(index, values) for index in indices))
            self.laid[key] += count * (deck.total if deck is not None else 1)

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
        for fill in self._fills(tree):
            self.unknown |= self._named(fill.filling, {})
            self.uncounted.add(self._place(fill.zone)[0])

    def _fills(self, tree: object) -> tuple[s.Fill, ...]:
        """Return the `fill` statements of a tree and of the rules that it calls, searched for once."""
        if tree not in self.fills:
            result, waiting, seen = list[s.Fill](), [tree], set[str]()
            while waiting:
                for node in s.walk(waiting.pop()):
                    if isinstance(node, s.Fill):
                        result.append(node)
                    elif isinstance(node, s.Called) and node.name in self.model.code.rules and node.name not in seen:
                        seen.add(node.name)
                        waiting.append(self.model.code.rules[node.name].body)
            self.fills[tree] = tuple(result)
        return self.fills[tree]

    def value(self, e: s.Expression, values: Values) -> int | None:
        """Return the value of an expression, None if it depends on play."""
        return evaluate(self.model, e, self.seats, values)

    # ---- limits ----

    def may_be_full(self, zone: str, capacity: int, moves: Sequence[s.Move | s.Lay | s.MoveAll]) -> bool:
        """Return whether a zone may hold as many cards as it has room for.

        It cannot if cards only come back to it from zones that got them from it, each with the same indices. `moves`
        are the movements of the game.
        """
        closed, waiting = set[str](), [zone]
        while waiting:
            closed.add(here := waiting.pop())
            for move in moves:
                target, indices = self._place(move.target)
                if target != here:
                    continue
                source = move.origin if isinstance(move, s.MoveAll) else move.origin or move.what
                origin, origin_indices = self._place(source)
                if not origin or len(indices) != len(origin_indices) or not all(map(s.same, indices, origin_indices)):
                    return True
                waiting += [origin] if origin not in closed else []
        by_indices: Counter[tuple[int | None, ...]] = Counter()
        for (name, values), count in self.laid.items():
            by_indices[values] += count if name in closed else 0
        play = tuple(a for a in self.model.code.procedures if not isinstance(a, s.Setup | s.Rule))
        uncounted = self.uncounted | {self._place(fill.zone)[0] for fill in self._fills(play)}
        if closed & uncounted or any(None in values for values, count in by_indices.items() if count):
            return True
        return max(by_indices.values(), default=0) >= capacity

    def _place(self, e: s.Expression) -> tuple[str, tuple[s.Expression, ...]]:
        """Return the zone and indices of a place, of a card in a slot, or of a card at the end of a pile."""
        return zone_name(self.model, e), s.index_nodes(_without_end(e))


def zone_name(model: Model, e: s.Expression) -> str:
    """Return the zone of a place, of a card in a slot, or of a card at the end of a pile; empty for anything else."""
    ref = model.refs.get(_without_end(e))
    return ref.name if ref is not None and ref.name in model.declared.zones else ""


def _without_end(e: s.Expression) -> s.Expression:
    return e.owner if isinstance(e, s.Of) and e.name in ("top", "bottom") else e
