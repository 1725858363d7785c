"""Rules in which somebody decides: blocks that end at decisions, with everything that must last kept in the state."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable

from wongar_dsl import ir
from wongar_dsl import syntax as s
from wongar_dsl.lower.code import Frame, Unit
from wongar_dsl.lower.layouts import Laying
from wongar_dsl.lower.pool import ONE, ZERO
from wongar_dsl.syntax import walk as nodes


class Stages(Laying):
    """Lowers rules with decisions to blocks."""

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)
        self.blocks: list[ir.Block | None] = []
        self.decisions: list[ir.DecisionSpec | None] = []
        self.sealed: list[tuple[int, int, int, int]] = []
        self.resumed: set[int] = set()
        self.frames: dict[s.Article, Frame] = {}
        self.frame: Frame | None = None
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

    def slot(self) -> ir.Load:
        """A new place in the state, for as long as the rule runs."""
        assert self.frame is not None
        address = self.memory.frame()
        self.frame.addresses.append(address)
        return ir.Load(ir.Const(address))

    def _keep(self, value: ir.Expr) -> ir.Expr:
        """Keep a value for as long as the rule runs."""
        if isinstance(value, ir.Const):
            return value
        slot = self.slot()
        self.unit.add(ir.Store(slot.address, value))
        return slot

    # ---- rules ----

    def entry(self, articles: Iterable[s.Procedure]) -> int:
        """The first block of a game: setup, then play, then the end."""
        first = self.new_block()
        self.unit = Unit("play")
        self.start(first)
        self.frame = Frame("play", first, (), 0, 0)
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
        if article in self.frames:
            return self.frames[article]
        parameters = tuple(self.memory.frame() for _ in self.model.parameters[article])
        frame = Frame(article.name.text, self.new_block(), parameters, self.memory.frame(), self.new_block())
        self.frames[article] = frame
        around = (self.unit, self.frame, self._current, self._leave, self.article)
        self.unit, self.frame, self._leave, self.article = Unit(article.name.text), frame, [], article
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
        self.unit, self.frame, self._current, self._leave, self.article = around
        return frame

    def _call_staged(self, article: s.Procedure, values: tuple[ir.Expr, ...]) -> None:
        if article not in self.model.staged:
            self.unit.add(ir.Call(self.procedure(article), values, None))
            return
        frame = self._staged_rule(article)
        after = self.new_block()
        for address, value in zip(frame.parameters, values, strict=True):
            self.unit.add(ir.Store(ir.Const(address), value))
        self.resumed.add(after)
        self.unit.add(ir.Store(ir.Const(frame.back), ir.Const(after)))
        self.finish(ir.Jump(frame.entry))
        self.start(after)

    # ---- statements ----

    def staged(self, statements: Iterable[s.Statement]) -> None:
        """Statements among which somebody decides; what they bind is cleared at their end."""
        assert self.frame is not None
        before = len(self.frame.addresses)
        for statement in statements:
            if self._plain(statement):
                self._plain_statement(statement)
            else:
                self._staged_statement(statement)
        self.clear(before)

    def clear(self, before: int) -> None:
        """Clear what was bound since `before`."""
        assert self.frame is not None
        for address in self.frame.addresses[before:]:
            self.unit.add(ir.Store(ir.Const(address), ZERO))

    def _plain(self, statement: s.Statement) -> bool:
        """Whether a statement neither waits nor leaves the rule or the loop around it."""
        for node in nodes(statement):
            match node:
                case s.Choose() | s.ChooseSimultaneously():
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
            slot = self.slot()
            self.unit.add(ir.Store(slot.address, self.ex(statement.value)))
            self.unit.names[self.model.locals[statement.variable]] = slot
        else:
            self.statement(statement)

    def _staged_statement(self, node: s.Statement) -> None:
        assert self.frame is not None
        match node:
            case s.If(branches=branches, otherwise=otherwise):
                self._staged_if(branches, otherwise)
            case s.Repeat():
                self._staged_repeat(node)
            case s.ForEach():
                self.staged_for(node.variable, node.domain, lambda: self.staged(node.body))
            case s.Choose():
                self.choose(node)
            case s.ChooseSimultaneously():
                self.choose_together(node)
            case s.Call(call=s.Called(name=name, arguments=arguments)):
                rule = self.model.articles["rule", name]
                assert isinstance(rule, s.Procedure)
                self._call_staged(rule, tuple(self.ex(a) for a in arguments))
            case s.Perform():
                self._staged_perform(node)
            case s.Simple(word="leave loop"):
                self._go(self._leave[-1])
            case s.Simple(word="end rule"):
                self._go(self.frame.exit)
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
        assert self.frame is not None
        before = len(self.frame.addresses)
        head, body, after = self.new_block(), self.new_block(), self.new_block()
        step = count = None
        if node.kind == "times":
            assert node.subject is not None
            count = self._keep(self.ex(node.subject))
            step = self.slot()
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
        self.clear(before)

    def staged_for(self, variable: s.Word, d: s.Domain, body: Callable[[], None]) -> None:
        """A loop over a domain with decisions in it."""
        assert self.frame is not None
        before = len(self.frame.addresses)
        local = self.region_locals[d] = self.model.locals[variable]
        walk = self.walk(d, self._keep)
        best = self._keep(self.best(d, walk, local)) if d.measure is not None else None
        step, value = self.slot(), self.slot()
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
        self.clear(before)

    def _staged_perform(self, node: s.Perform) -> None:
        assert self.frame is not None
        before = len(self.frame.addresses)
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
        self.clear(before)

    # ---- decisions ----

    @abstractmethod
    def choose(self, node: s.Choose) -> None:
        """Somebody chooses."""

    @abstractmethod
    def choose_together(self, node: s.ChooseSimultaneously) -> None:
        """Several choose at once."""


def _leaves_loop(statement: s.Statement) -> bool:
    """Whether a `leave loop` in a statement means a loop around it."""
    match statement:
        case s.Simple(word="leave loop"):
            return True
        case s.If(branches=branches, otherwise=otherwise):
            return any(_leaves_loop(x) for _, body in branches for x in body) or any(map(_leaves_loop, otherwise))
    return False
