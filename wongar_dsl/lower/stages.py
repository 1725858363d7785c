"""Rules in which somebody decides: blocks that end at decisions, with everything that must last kept in the state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from wongar_dsl import ir
from wongar_dsl import syntax as s
from wongar_dsl.checker.shape import walk as nodes
from wongar_dsl.lower.code import Frame, Unit, plus
from wongar_dsl.lower.expressions import ONE, ZERO
from wongar_dsl.lower.statements import Statements
from wongar_dsl.model import Local
from wongar_dsl.source import Span


class Stages(Statements):
    """Lowers rules with decisions to blocks."""

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)
        self.blocks: list[ir.Block | None] = []
        self.decisions: list[ir.DecisionSpec | None] = []
        self.pending: list[tuple[int, int, int, int]] = []
        self._frames: dict[s.Article, Frame] = {}
        self._frame: Frame | None = None
        self._current = -1
        self._leave: list[int] = []

    # ---- blocks ----

    def new_block(self) -> int:
        """Reserve a block."""
        self.blocks.append(None)
        return len(self.blocks) - 1

    def start(self, block: int) -> None:
        """Go on writing in a block."""
        self._current = block
        self.unit.out = []

    def finish(self, end: ir.End) -> None:
        """Close the block at hand."""
        self.blocks[self._current] = ir.Block(tuple(self.unit.out), end, self.unit.rule)
        self.unit.out = []
        self._current = -1

    def _slot(self) -> ir.Load:
        assert self._frame is not None
        address = self.layout.frame()
        self._frame.addresses.append(address)
        return ir.Load(ir.Const(address))

    def _keep(self, value: ir.Expr) -> ir.Expr:
        """Keep a value for as long as the rule runs."""
        if isinstance(value, ir.Const):
            return value
        slot = self._slot()
        self.unit.add(ir.Store(slot.address, value))
        return slot

    # ---- rules ----

    def entry(self, articles: Iterable[s.Procedure]) -> int:
        """The first block of a game: setup, then play, then the end."""
        first = self.new_block()
        self.unit = Unit("play")
        self.start(first)
        self._frame = Frame("play", first, (), 0, 0)
        *before, play = articles
        for article in before:
            self._call_staged(article, ())
        after = self.new_block()
        self.finish(ir.Pause(after))
        self.start(after)
        self._call_staged(play, ())
        self.article = self.model.articles["play", ""]
        self._end_game(self.winners())
        self.finish(ir.Jump(self._current))
        return first

    def _staged_rule(self, article: s.Procedure) -> Frame:
        if article in self._frames:
            return self._frames[article]
        parameters = tuple(self.layout.frame() for _ in self.model.parameters[article])
        frame = Frame(article.name.text, self.new_block(), parameters, self.layout.frame(), self.new_block())
        self._frames[article] = frame
        around = (self.unit, self._frame, self._current, self._leave, self.article)
        self.unit, self._frame, self._leave, self.article = Unit(article.name.text), frame, [], article
        for local, address in zip(self.model.parameters[article], parameters, strict=True):
            self.unit.names[local] = ir.Load(ir.Const(address))
        self.start(frame.entry)
        self.staged(article.body)
        self.finish(ir.Jump(frame.exit))
        self.start(frame.exit)
        # A rule leaves nothing behind, so that equal positions are equal states.
        for address in (*parameters, *frame.addresses):
            self.unit.add(ir.Store(ir.Const(address), ZERO))
        self.finish(ir.Resume(frame.back))
        self.unit, self._frame, self._current, self._leave, self.article = around
        return frame

    def _call_staged(self, article: s.Procedure, values: tuple[ir.Expr, ...]) -> None:
        if article not in self.model.staged:
            self.unit.add(ir.Call(self.procedure(article), values, None))
            return
        frame = self._staged_rule(article)
        after = self.new_block()
        for address, value in zip(frame.parameters, values, strict=True):
            self.unit.add(ir.Store(ir.Const(address), value))
        self.unit.add(ir.Store(ir.Const(frame.back), ir.Const(after)))
        self.finish(ir.Jump(frame.entry))
        self.start(after)

    # ---- statements ----

    def staged(self, statements: Iterable[s.Statement]) -> None:
        """Statements among which somebody decides; what they bind is cleared at their end."""
        assert self._frame is not None
        before = len(self._frame.addresses)
        for statement in statements:
            if self._plain(statement):
                self._plain_statement(statement)
            else:
                self._staged_statement(statement)
        self._clear(before)

    def _clear(self, before: int) -> None:
        assert self._frame is not None
        for address in self._frame.addresses[before:]:
            self.unit.add(ir.Store(ir.Const(address), ZERO))

    def _plain(self, statement: s.Statement) -> bool:
        """Whether a statement neither waits nor leaves the rule or the loop around it."""
        for node in nodes(statement):
            match node:
                case s.Choose() | s.ChooseTogether():
                    return False
                case s.Called(name=name) if self.model.articles.get(("rule", name)) in self.model.staged:
                    return False
                case s.Perform(card=card):
                    if any(e in self.model.staged for e in self.model.effects(self.type_of(card).name)):
                        return False
                case s.Simple(word="end rule") | s.Give():
                    return False
        return not _leaves_loop(statement)

    def _plain_statement(self, statement: s.Statement) -> None:
        if isinstance(statement, s.Let):
            slot = self._slot()
            self.unit.add(ir.Store(slot.address, self.ex(statement.value)))
            self.unit.names[self.model.locals[statement.variable]] = slot
        else:
            self.statement(statement)

    def _staged_statement(self, node: s.Statement) -> None:
        assert self._frame is not None
        match node:
            case s.If(branches=branches, otherwise=otherwise):
                self._staged_if(branches, otherwise)
            case s.Repeat():
                self._staged_repeat(node)
            case s.ForEach():
                self._staged_for(node.variable, node.domain, lambda: self.staged(node.body))
            case s.Choose():
                self._choose(node)
            case s.ChooseTogether():
                self._choose_together(node)
            case s.Call(call=s.Called(name=name, arguments=arguments)):
                rule = self.model.articles["rule", name]
                assert isinstance(rule, s.Procedure)
                self._call_staged(rule, tuple(self.ex(a) for a in arguments))
            case s.Perform():
                self._staged_perform(node)
            case s.Simple(word="leave loop"):
                self._go(self._leave[-1])
            case s.Simple(word="end rule"):
                self._go(self._frame.exit)
            case _:
                raise AssertionError(node)

    def _go(self, block: int) -> None:
        """Jump away; what follows is never reached, but needs a block to stand in."""
        self.finish(ir.Jump(block))
        self.start(self.new_block())

    def _staged_if(self, branches: tuple[tuple[s.Expression, s.Block], ...], otherwise: s.Block) -> None:
        after = self.new_block()
        for condition, body in branches:
            then, other = self.new_block(), self.new_block()
            self.finish(ir.Branch(self.ex(condition), then, other))
            self.start(then)
            self.staged(body)
            self.finish(ir.Jump(after))
            self.start(other)
        self.staged(otherwise)
        self.finish(ir.Jump(after))
        self.start(after)

    def _staged_repeat(self, node: s.Repeat) -> None:
        assert self._frame is not None
        before = len(self._frame.addresses)
        head, body, after = self.new_block(), self.new_block(), self.new_block()
        step = count = None
        if node.kind == "times":
            assert node.subject is not None
            count = self._keep(self.ex(node.subject))
            step = self._slot()
            self.unit.add(ir.Store(step.address, ZERO))
        self.finish(ir.Jump(head))
        self.start(head)
        if step is not None and count is not None:
            self.finish(ir.Branch(ir.Bin("<", step, count), body, after))
        elif node.subject is not None:
            first, second = (body, after) if node.kind == "while" else (after, body)
            self.finish(ir.Branch(self.ex(node.subject), first, second))
        else:
            self.finish(ir.Jump(body))
        self.start(body)
        self._leave.append(after)
        self.staged(node.body)
        self._leave.pop()
        if step is not None:
            self.unit.add(ir.Store(step.address, ir.Bin("+", step, ONE)))
        self.finish(ir.Jump(head))
        self.start(after)
        self._clear(before)

    def _staged_for(self, variable: s.Word, d: s.Domain, body: Callable[[], None]) -> None:
        assert self._frame is not None
        before = len(self._frame.addresses)
        local = self.region_locals[d] = self.model.locals[variable]
        walk = self.walk(d, self._keep)
        best = self._keep(self._best(d, walk, local)) if d.measure is not None else None
        step, value = self._slot(), self._slot()
        head, test, inside, onward, after = (self.new_block() for _ in range(5))
        self.unit.add(ir.Store(step.address, ZERO))
        self.finish(ir.Jump(head))
        self.start(head)
        self.finish(ir.Branch(ir.Bin("<", step, walk.count), test, after))
        self.start(test)
        self.unit.add(ir.Store(value.address, walk.element(step)))
        self.unit.names[local] = value
        if walk.stop is not None:
            going = self.new_block()
            self.finish(ir.Branch(walk.stop(), after, going))
            self.start(going)
        conditions: list[Callable[[], ir.Expr]] = []
        if walk.guard is not None:
            guard = walk.guard
            conditions.append(lambda: guard(value))
        if d.where is not None:
            where = d.where
            conditions.append(lambda: self.ex(where))
        if d.measure is not None and best is not None:
            measure, goal = d.measure, best
            conditions.append(lambda: ir.Bin("==", self.ex(measure), goal))
        for condition in conditions:
            following = self.new_block()
            self.finish(ir.Branch(condition(), following, onward))
            self.start(following)
        self.finish(ir.Jump(inside))
        self.start(inside)
        self._leave.append(after)
        body()
        self._leave.pop()
        self.finish(ir.Jump(onward))
        self.start(onward)
        self.unit.add(ir.Store(step.address, ir.Bin("+", step, ONE)))
        self.finish(ir.Jump(head))
        self.start(after)
        self._clear(before)

    def _staged_perform(self, node: s.Perform) -> None:
        assert self._frame is not None
        before = len(self._frame.addresses)
        card, player = self._keep(self.ex(node.card)), self._keep(self.ex(node.player))
        place = self._keep(self.ex(node.place)) if node.place is not None else None
        after = self.new_block()
        for effect, test in self.effects(self.type_of(node.card).name, card):
            then, other = self.new_block(), self.new_block()
            self.finish(ir.Branch(test, then, other))
            self.start(then)
            self._call_staged(effect, self.effect_arguments(effect, card, player, place))
            self.finish(ir.Jump(after))
            self.start(other)
        self.finish(ir.Jump(after))
        self.start(after)
        self._clear(before)

    # ---- decisions ----

    def _choose(self, node: s.Choose) -> None:
        assert self._frame is not None
        number = len(self.decisions)
        self.decisions.append(None)
        seat = self.ex(node.chooser)
        otherwise = self.new_block() if node.otherwise is not None else -1
        impossible = -1
        if node.otherwise is None and not self._always(node.choices):
            otherwise = impossible = self.new_block()
        self.finish(ir.Decide(number, seat, otherwise))
        after = self.new_block()
        options = []
        lister = self._lister(node.choices)
        for choice in node.choices:
            before = len(self._frame.addresses)
            cells = [self._slot() for _ in choice.parameters]
            for offered, cell in zip(choice.parameters, cells, strict=True):
                self.unit.names[self.model.locals[offered.name]] = cell
            block = self.new_block()
            options.append(self._option(choice, cells, block))
            self.start(block)
            self.staged(choice.body)
            self._clear(before)
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
        self.decisions[number] = ir.DecisionSpec(name, tuple(options), lister, False, self.unit.rule)
        self.start(after)

    @staticmethod
    def _always(choices: tuple[s.Choice, ...]) -> bool:
        """Whether one option is always there, seen from the text alone."""
        return any(c.condition is None and not c.parameters for c in choices)

    def _option(self, choice: s.Choice, cells: list[ir.Load], block: int) -> ir.OptionSpec:
        parameters = tuple((o.name.text, self.model.locals[o.name].type) for o in choice.parameters)
        private = []
        for offered in choice.parameters:
            ref = self.model.refs.get(offered.domain.base)
            hidden = ref is not None and ref.kind == "zone" and self.layout.place(ref.name).seen != "all"
            private.append(hidden)
        addresses = tuple(c.address.value for c in cells if isinstance(c.address, ir.Const))
        checks = tuple(self._checks(choice))
        return ir.OptionSpec(choice.name.text, parameters, addresses, tuple(private), checks, block)

    def _checks(self, choice: s.Choice) -> Iterator[ir.Check]:
        """What an option needs, one procedure for each part, taking the option's arguments."""
        for offered in choice.parameters:
            name, local = offered.name.text, self.model.locals[offered.name]
            bare = replace(offered.domain, where=None, extreme=None, measure=None)
            # The node is new, what was found out about it is not.
            yield self._check(choice, offered.domain.span, name, True, lambda b=bare, v=local: self._member(v, b))
            for condition in _conjuncts(offered.domain.where):
                yield self._check(choice, condition.span, name, False, lambda c=condition: self.ex(c))
        for condition in _conjuncts(choice.condition):
            yield self._check(choice, condition.span, "", False, lambda c=condition: self.ex(c))

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
        for option, choice in enumerate(choices):
            self._list(option, choice, choice.parameters, [])
        self.procedures[number] = ir.Procedure(f"options of {around.rule}", 0, tuple(self.unit.out))
        self.unit = around
        return number

    def _list(self, option: int, choice: s.Choice, left: tuple[s.Offered, ...], values: list[ir.Expr]) -> None:
        # The condition is tested as soon as the arguments that it looks at are bound, and once.
        if choice.condition is not None and len(values) == self._depth(choice, choice.condition):
            condition = self.ex(choice.condition)
            with self.unit.inner() as then:
                self._list_rest(option, choice, left, values)
            self.unit.add(ir.If(condition, tuple(then), ()))
        else:
            self._list_rest(option, choice, left, values)

    def _depth(self, choice: s.Choice, condition: s.Expression) -> int:
        """How many of the arguments must be bound before a condition can be tested."""
        used = self._locals_in(condition)
        places = [i for i, o in enumerate(choice.parameters) if self.model.locals[o.name] in used]
        return max(places, default=-1) + 1

    def _locals_in(self, e: s.Expression) -> set[object]:
        refs = (self.model.refs.get(n) for n in nodes(e))
        return {r.local for r in refs if r is not None and r.kind == "local"}

    def _list_rest(self, option: int, choice: s.Choice, left: tuple[s.Offered, ...], values: list[ir.Expr]) -> None:
        if not left:
            self.unit.add(ir.Yield(option, tuple(values)))
            return
        first, *rest = left
        self.each(first.name, first.domain, lambda x: self._list(option, choice, tuple(rest), [*values, x]))

    def _choose_together(self, node: s.ChooseTogether) -> None:
        """First everybody chooses, kept apart by seat; then the choices are carried out, in the same order or by time."""
        assert self._frame is not None
        before = len(self._frame.addresses)
        number = len(self.decisions)
        self.decisions.append(None)
        width = 2 + max((len(c.parameters) for c in node.choices), default=0)
        # One row for each seat: the option that was chosen, counted from 1, the time that it took, its arguments.
        rows = [self._slot() for _ in range(self.seats * width)]
        assert isinstance(rows[0].address, ir.Const)
        base = rows[0].address.value
        self._staged_for(node.variable, node.domain, lambda: self._ask(node, number, base, width))
        self._carry_out(node, base, width)
        self._clear(before)

    def _row(self, base: int, width: int, player: ir.Expr) -> ir.Expr:
        return plus(ir.Const(base), ir.Bin("*", player, ir.Const(width)))

    def _ask(self, node: s.ChooseTogether, number: int, base: int, width: int) -> None:
        """One seat chooses; what it chose is kept in its row."""
        player = self.unit.names[self.model.locals[node.variable]]
        assert isinstance(player, ir.Load) and isinstance(player.address, ir.Const)
        self.pending.append((number, base, width, player.address.value))
        after = self.new_block()
        self.finish(ir.Decide(number, player, -1 if self._always(node.choices) else after))
        options = []
        lister = self._lister(node.choices)
        row = self._row(base, width, player)
        for i, choice in enumerate(node.choices):
            cells = [self._slot() for _ in choice.parameters]
            for offered, cell in zip(choice.parameters, cells, strict=True):
                self.unit.names[self.model.locals[offered.name]] = cell
            block = self.new_block()
            options.append(self._option(choice, cells, block))
            self.start(block)
            self.unit.add(ir.Store(row, ir.Const(i + 1)))
            self.unit.add(ir.Store(plus(row, ONE), ir.Load(ir.Const(ir.AT_TIME))))
            for j, cell in enumerate(cells):
                self.unit.add(ir.Store(plus(row, ir.Const(j + 2)), cell))
                self.unit.add(ir.Store(cell.address, ZERO))
            self.unit.add(ir.Store(ir.Const(ir.AT_TIME), ZERO))
            self.finish(ir.Jump(after))
        name = self.model.decision_names[node]
        self.decisions[number] = ir.DecisionSpec(name, tuple(options), lister, True, self.unit.rule)
        self.start(after)

    def _carry_out(self, node: s.ChooseTogether, base: int, width: int) -> None:
        """Carry out the choices one after the other: the next is the first one left, or the quickest."""
        assert self._frame is not None
        local = self.model.locals[node.variable]
        player = self._slot()
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
            if node.by_time:
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
            inner = len(self._frame.addresses)
            then, other = self.new_block(), self.new_block()
            self.finish(ir.Branch(ir.Bin("==", ir.Load(row), ir.Const(i + 1)), then, other))
            self.start(then)
            for j, offered in enumerate(choice.parameters):
                cell = self._slot()
                self.unit.add(ir.Store(cell.address, ir.Load(plus(row, ir.Const(j + 2)))))
                self.unit.names[self.model.locals[offered.name]] = cell
            for j in range(width):
                self.unit.add(ir.Store(plus(row, ir.Const(j)), ZERO))
            self.staged(choice.body)
            self._clear(inner)
            self.finish(ir.Jump(head))
            self.start(other)
        self.finish(ir.Jump(head))
        self.start(after)
        self.unit.add(ir.Store(player.address, ZERO))


def _leaves_loop(statement: s.Statement) -> bool:
    """Whether a `leave loop` in a statement means a loop around it."""
    match statement:
        case s.Simple(word="leave loop"):
            return True
        case s.If(branches=branches, otherwise=otherwise):
            return any(_leaves_loop(x) for _, body in branches for x in body) or any(map(_leaves_loop, otherwise))
    return False


def _conjuncts(e: s.Expression | None) -> tuple[s.Expression, ...]:
    """The parts of a condition that must all hold."""
    if e is None:
        return ()
    if isinstance(e, s.Logical) and e.operator == "and":
        return tuple(part for operand in e.operands for part in _conjuncts(operand))
    return (e,)
