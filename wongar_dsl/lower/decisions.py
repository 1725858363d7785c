"""Decisions: the options with their listers and conditions, one seat at a time or several at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from wongar_dsl import ir
from wongar_dsl import syntax as s
from wongar_dsl.lower.code import Unit, conjuncts, plus, times
from wongar_dsl.lower.cycle_memory import Leaf, Rounds
from wongar_dsl.lower.pool import ONE, ZERO
from wongar_dsl.model import Local, Type
from wongar_dsl.syntax import walk as nodes
from wongar_dsl.text.span import Span


class Decisions(Rounds):
    """Lowers whole games."""

    def choose(self, node: s.Choose) -> None:
        """See `Stages.choose`."""
        assert self.frame is not None
        number = len(self.decisions)
        self.decisions.append(None)
        seat = self.sure(node.chooser)
        otherwise = self.new_block() if node.otherwise is not None else -1
        impossible = -1
        if node.otherwise is None and not self._always(node.choices):
            otherwise = impossible = self.new_block()
        if node.acyclic:
            self.enter(partial(self._every, node.choices))
        self.finish(ir.Decide(number, seat, otherwise))
        after = self.new_block()
        options: list[ir.OptionSpec] = []
        scope = self._scope()
        lister = self._fresh_lister(node) if node.acyclic else self._lister(node.choices)
        clock = self._clock(node.clock)
        for option, choice in enumerate(node.choices):
            before = len(self.frame.addresses)
            cells = self._begin(choice, options)
            if node.acyclic:
                # The position is the one before the arguments were put down.
                self.made(option, list(cells))
            if node.clock is not None and node.clock.start is not None:
                self.unit.add(ir.Store(ir.Const(ir.AT_TIME), self._shown(node.clock)))
            self.staged(choice.body)
            self.clear(before)
            self.finish(ir.Jump(after))
        if node.otherwise is not None:
            self.start(otherwise)
            self.staged(node.otherwise)
            self.finish(ir.Jump(after))
        elif impossible >= 0:
            self.start(impossible)
            self.unit.add(ir.Fault(self.fault("R0604", node)))
            self.finish(ir.Jump(after))
        name = self.model.decision_names[node]
        spec = ir.DecisionSpec(name, tuple(options), lister, False, self.unit.rule, clock, scope)
        self.decisions[number] = spec
        self.start(after)

    def _clock(self, clock: s.Clock | None) -> tuple[int, int] | None:
        """The procedures that read a clock: what it shows at first, and at its end."""
        if clock is None:
            return None
        around, numbers = self.unit, []
        for reading, factor in ((clock.start, 1), (clock.end, 1000)):
            if reading is None and factor > 1:
                numbers.append(-1)
                continue
            self.unit = Unit(around.rule, names=dict(around.names))
            self.unit.add(ir.Return(times(self.ex(reading), factor) if reading is not None else ZERO))
            numbers.append(len(self.procedures))
            self.procedures.append(ir.Procedure(f"options of {around.rule}", 0, tuple(self.unit.out)))
        self.unit = around
        return numbers[0], numbers[1]

    def _shown(self, clock: s.Clock | None) -> ir.Expr:
        """What the clock shows when somebody has answered: with no clock, how long the answer took."""
        taken = ir.Load(ir.Const(ir.AT_TIME))
        return taken if clock is None or clock.start is None else plus(self.ex(clock.start), taken)

    @staticmethod
    def _always(choices: tuple[s.Choice, ...]) -> bool:
        """Whether one option is always there, seen from the text alone."""
        return any(c.condition is None and not c.parameters for c in choices)

    def _scope(self) -> tuple[tuple[str, Type, int], ...]:
        """The names that stand around a decision, as far as a question may speak of them."""
        found: dict[str, tuple[str, Type, int]] = {}
        for local, cell in self.unit.names.items():
            match cell:
                case ir.Load(address=ir.Const(value=address)) if local.type.kind in (
                    "enum",
                    "board",
                    "player",
                    "number",
                ):
                    found[local.name] = (local.name, local.type, address)
        return tuple(found.values())

    def _begin(self, choice: s.Choice, options: list[ir.OptionSpec]) -> list[ir.Load]:
        """Enter an option, and go on in its block; gives where its arguments are kept."""
        cells = [self.slot() for _ in choice.parameters]
        for offered, cell in zip(choice.parameters, cells, strict=True):
            self.unit.names[self.model.locals[offered.name]] = cell
        block = self.new_block()
        options.append(self._option(choice, cells, block))
        self.start(block)
        return cells

    def _option(self, choice: s.Choice, cells: list[ir.Load], block: int) -> ir.OptionSpec:
        parameters = tuple((o.name.text, self.model.locals[o.name].type) for o in choice.parameters)
        drawn_from = []
        for offered in choice.parameters:
            ref = self.model.refs.get(offered.domain.base)
            hidden = ref is not None and ref.kind == "zone" and self.memory.place(ref.name).seen != "all"
            drawn_from.append(ref.name if ref is not None and hidden else "")
        addresses = tuple(c.address.value for c in cells if isinstance(c.address, ir.Const))
        checks = tuple(self._checks(choice))
        return ir.OptionSpec(choice.name.text, parameters, addresses, tuple(drawn_from), checks, block)

    def _checks(self, choice: s.Choice) -> Iterator[ir.Check]:
        """What an option needs, one procedure for each part, taking the option's arguments."""
        for offered in choice.parameters:
            name, local = offered.name.text, self.model.locals[offered.name]
            bare = replace(offered.domain, where=None, extreme=None, measure=None)
            # The node is new, what was found out about it is not.
            yield self._check(choice, offered.domain.span, name, True, partial(self._member, local, bare))
            for condition in conjuncts(offered.domain.where):
                yield self._check(choice, condition.span, name, False, partial(self.ex, condition))
        for condition in conjuncts(choice.condition):
            yield self._check(choice, condition.span, "", False, partial(self.ex, condition))

    def _check(
        self, choice: s.Choice, span: Span, parameter: str, member: bool, value: Callable[[], ir.Expr]
    ) -> ir.Check:
        around, self.unit = self.unit, Unit(self.unit.rule, names=dict(self.unit.names))
        for offered in choice.parameters:
            self.unit.names[self.model.locals[offered.name]] = self.unit.fresh()
        self.unit.add(ir.Return(value()))
        name = f"options of {self.unit.rule}"
        self.procedures.append(ir.Procedure(name, len(choice.parameters), tuple(self.unit.out)))
        self.unit = around
        return ir.Check(len(self.procedures) - 1, span, parameter, member)

    def _member(self, local: Local, domain: s.Domain) -> ir.Expr:
        """Whether the value of a name is one of those that a domain runs over."""
        wanted = self.unit.names[local]
        self.region_locals[domain] = local
        walk = self.walk(domain, self.unit.keep)
        found = self.unit.fresh()
        self.unit.add(ir.SetVar(found.number, ZERO))
        hit = (ir.SetVar(found.number, ONE), ir.Break())
        self.loop(walk, local, lambda x: self.unit.add(ir.If(ir.Bin("==", x, wanted), hit, ())))
        self.unit.names[local] = wanted
        return found

    def _lister(self, choices: tuple[s.Choice, ...]) -> int:
        """The procedure that lists the options of a choice, in the order of the text."""
        number = len(self.procedures)
        self.procedures.append(None)
        around = self.unit
        self.unit = Unit(around.rule, names=dict(around.names))
        self._every(choices, lambda option, values: self.unit.add(ir.Yield(option, tuple(values))))
        self.procedures[number] = ir.Procedure(f"options of {around.rule}", 0, tuple(self.unit.out))
        self.unit = around
        return number

    def _fresh_lister(self, node: s.Choose) -> int:
        """The procedure that lists the options of a choice without going round."""
        number = len(self.procedures)
        self.procedures.append(None)
        around = self.unit
        self.unit = Unit(around.rule, names=dict(around.names))
        only = node.otherwise[0] if node.otherwise and len(node.otherwise) == 1 else None
        again = node.otherwise is None or (isinstance(only, s.Simple) and only.word == "impossible")
        self.list_fresh(lambda leaf: self._every(node.choices, leaf), again)
        self.procedures[number] = ir.Procedure(f"options of {around.rule}", 0, tuple(self.unit.out))
        self.unit = around
        return number

    def _every(self, choices: tuple[s.Choice, ...], leaf: Leaf) -> None:
        """Do something for each option that is there, in the order of the text."""
        for option, choice in enumerate(choices):
            self._list(option, choice, choice.parameters, [], leaf)

    def _list(
        self, option: int, choice: s.Choice, left: tuple[s.Offered, ...], values: list[ir.Expr], leaf: Leaf
    ) -> None:
        # The condition is tested as soon as the arguments that it looks at are bound, and once.
        if choice.condition is not None and len(values) == self._depth(choice, choice.condition):
            condition = self.ex(choice.condition)
            with self.unit.inner() as then:
                self._list_rest(option, choice, left, values, leaf)
            self.unit.add(ir.If(condition, tuple(then), ()))
        else:
            self._list_rest(option, choice, left, values, leaf)

    def _depth(self, choice: s.Choice, condition: s.Expression) -> int:
        """How many of the arguments must be bound before a condition can be tested."""
        used = self._locals_in(condition)
        places = [i for i, o in enumerate(choice.parameters) if self.model.locals[o.name] in used]
        return max(places, default=-1) + 1

    def _locals_in(self, e: s.Expression) -> set[object]:
        refs = (self.model.refs.get(n) for n in nodes(e))
        return {r.local for r in refs if r is not None and r.kind == "local"}

    def _list_rest(
        self, option: int, choice: s.Choice, left: tuple[s.Offered, ...], values: list[ir.Expr], leaf: Leaf
    ) -> None:
        if not left:
            leaf(option, values)
            return
        first, *rest = left
        self.each(first.name, first.domain, lambda x: self._list(option, choice, tuple(rest), [*values, x], leaf))

    def choose_together(self, node: s.ChooseSimultaneously) -> None:
        """First all choose, kept apart by seat; then the choices are carried out, in the same order or by time."""
        assert self.frame is not None
        before = len(self.frame.addresses)
        number = len(self.decisions)
        self.decisions.append(None)
        width = 2 + max((len(c.parameters) for c in node.choices), default=0)
        # One row for each seat: the option that was chosen, counted from 1, the time that it took, its arguments.
        rows = [self.slot() for _ in range(self.seats * width)]
        assert isinstance(rows[0].address, ir.Const)
        base = rows[0].address.value
        self.staged_for(node.variable, node.domain, lambda: self._ask(node, number, base, width))
        self._carry_out(node, base, width)
        self.clear(before)

    def _row(self, base: int, width: int, player: ir.Expr) -> ir.Expr:
        return plus(ir.Const(base), ir.Bin("*", player, ir.Const(width)))

    def _ask(self, node: s.ChooseSimultaneously, number: int, base: int, width: int) -> None:
        """One seat chooses; what it chose is kept in its row."""
        player = self.unit.names[self.model.locals[node.variable]]
        assert isinstance(player, ir.Load)
        assert isinstance(player.address, ir.Const)
        self.sealed.append((number, base, width, player.address.value))
        after = self.new_block()
        self.finish(ir.Decide(number, player, -1 if self._always(node.choices) else after))
        options: list[ir.OptionSpec] = []
        scope = self._scope()
        lister = self._lister(node.choices)
        clock = self._clock(node.clock)
        row = self._row(base, width, player)
        for i, choice in enumerate(node.choices):
            cells = self._begin(choice, options)
            self.unit.add(ir.Store(row, ir.Const(i + 1)))
            self.unit.add(ir.Store(plus(row, ONE), self._shown(node.clock)))
            for j, cell in enumerate(cells):
                self.unit.add(ir.Store(plus(row, ir.Const(j + 2)), cell))
                self.unit.add(ir.Store(cell.address, ZERO))
            self.unit.add(ir.Store(ir.Const(ir.AT_TIME), ZERO))
            self.finish(ir.Jump(after))
        name = self.model.decision_names[node]
        self.decisions[number] = ir.DecisionSpec(name, tuple(options), lister, True, self.unit.rule, clock, scope)
        self.start(after)

    def _carry_out(self, node: s.ChooseSimultaneously, base: int, width: int) -> None:
        """Carry out the choices one after the other: the next is the first one left, or the quickest."""
        assert self.frame is not None
        local = self.model.locals[node.variable]
        player = self.slot()
        head, body, after = self.new_block(), self.new_block(), self.new_block()
        self.finish(ir.Jump(head))
        self.start(head)
        pick, best = self.unit.fresh(), self.unit.fresh()
        self.unit.add(ir.SetVar(pick.number, ir.Const(-1)))
        self.unit.add(ir.SetVar(best.number, ZERO))

        def compare(x: ir.Var) -> None:
            row = self._row(base, width, x)
            time = ir.Load(plus(row, ONE))
            better: ir.Expr = ir.Bin("<", pick, ZERO)
            if node.clock is not None:
                better = ir.Bin("or", better, ir.Bin("<", time, best))
            take = (ir.SetVar(pick.number, x), ir.SetVar(best.number, time))
            self.unit.add(ir.If(ir.Bin("and", ir.Bin(">", ir.Load(row), ZERO), better), take, ()))

        order = replace(node.domain, where=None, extreme=None, measure=None)
        self.loop(self.walk(order, self.unit.keep), local, compare)
        self.unit.add(ir.Store(player.address, pick))
        self.finish(ir.Branch(ir.Bin(">=", pick, ZERO), body, after))
        self.start(body)
        self.unit.names[local] = player
        row = self._row(base, width, player)
        self.unit.add(ir.Store(ir.Const(ir.AT_TIME), ir.Load(plus(row, ONE))))
        for i, choice in enumerate(node.choices):
            inner = len(self.frame.addresses)
            then, other = self.new_block(), self.new_block()
            self.finish(ir.Branch(ir.Bin("==", ir.Load(row), ir.Const(i + 1)), then, other))
            self.start(then)
            for j, offered in enumerate(choice.parameters):
                cell = self.slot()
                self.unit.add(ir.Store(cell.address, ir.Load(plus(row, ir.Const(j + 2)))))
                self.unit.names[self.model.locals[offered.name]] = cell
            for j in range(width):
                self.unit.add(ir.Store(plus(row, ir.Const(j)), ZERO))
            self.staged(choice.body)
            self.clear(inner)
            self.finish(ir.Jump(head))
            self.start(other)
        self.finish(ir.Jump(head))
        self.start(after)
        self.unit.add(ir.Store(player.address, ZERO))
