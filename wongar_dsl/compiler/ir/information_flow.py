"""Information-flow analysis: rule variables that may hold hidden information, and choices that may reveal it.

A conservative static analysis of a program.  Values carry labels, as bits: `HIDDEN` for values from chance or from a
field that is not public, and a bit for each decision and each option argument.  A computed value has the labels of its
operands, a stored one also those of its conditions (of structured code by nesting, of blocks by control dependence).  A
public field holds nothing hidden: a value that is written to it becomes public.

`HashState` has no label: hashes are only compared where options are listed.  `DetectCycle` reads all cells but has no
label either: its result is visible at once, since it decides whether there is a decision.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import gcd
from typing import TypeVar, assert_never

from wongar_dsl.compiler.ir import instructions as ir
from wongar_dsl.compiler.ir.cfg import breaks, control_dependents, expressions, reachable, statements
from wongar_dsl.compiler.ir.containers import container
from wongar_dsl.compiler.ir.program import AT_TIME, DecisionSpec, Field, Program

# ---- alias analysis ------------------------------------------------------------------------------------------------


#: Maximum number of possible addresses in a set; a larger set is treated as any address.
MAX_ADDRESSES = 24

#: Set of possible numbers: all `first + k * step` with k >= 0, for each of these pairs.
AddressSet = frozenset[tuple[int, int]]
ANY: AddressSet = frozenset({(0, 1)})


def possible_addresses(e: ir.Expr, variables: Mapping[int, AddressSet]) -> AddressSet:
    """Return the possible values of an expression, given those of the variables."""
    match e:
        case ir.Const(value=value):
            return frozenset({(value, 0)})
        case ir.Var(number=number):
            return variables.get(number, frozenset())
        case ir.Bin(operator="+", left=left, right=right):
            a, b = possible_addresses(left, variables), possible_addresses(right, variables)
            sums = frozenset((x + y, gcd(s, t)) for x, s in a for y, t in b)
            return sums if len(sums) <= MAX_ADDRESSES else ANY
        case ir.Bin(operator="*", left=left, right=ir.Const(value=factor)) if factor >= 0:
            return frozenset((x * factor, s * factor) for x, s in possible_addresses(left, variables))
    return ANY


def fields_at(program: Program, at: AddressSet) -> Iterator[tuple[Field | None, int, int]]:
    """Yield the fields that an address can lie in, each with its first address and step.

    The field is None if the address is outside of all fields.
    """
    for first, step in at:
        for field in program.fields:
            size = field.width
            for n in field.sizes:
                size *= n
            if field.base <= first < field.base + size:
                yield field, first, step
                break
        else:
            yield None, first, step


# ---- information flow ----------------------------------------------------------------------------------------------


HIDDEN = 1

Label = int
K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class InformationFlow:
    """Result of the analysis.

    `hidden`: addresses of rule variables that may hold values from hidden fields or chance.  `nonzero_at`: for each
    decision, those that may be non-zero at it.  `hidden_arguments`: option arguments (decision, option, argument) that
    may be stored in a hidden field.  `hidden_choices`: decisions whose chosen option may be stored in a hidden
    variable.  `hidden_event_arguments`: event arguments (event, argument) that may depend on hidden fields, chance or
    hidden choices.  `hidden_counts`: zones visible to no player whose size may depend on these; players can infer other
    sizes from events.
    """

    hidden: frozenset[int]
    nonzero_at: tuple[frozenset[int], ...]
    hidden_arguments: frozenset[tuple[int, int, int]]
    hidden_choices: frozenset[int]
    hidden_event_arguments: frozenset[tuple[int, int]]
    hidden_counts: frozenset[str]


def information_flow(program: Program) -> InformationFlow:
    """Analyse a program."""
    return _Analysis(program).result()


class _VariableLabels:
    """Labels and possible values of the variables of one procedure or block; labels of its conditions and result."""

    def __init__(self) -> None:
        self.labels: dict[int, Label] = {}
        self.numbers: dict[int, AddressSet] = {}
        self.conditions: Label = 0
        self.result: Label = 0


class _Analysis:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.cell_labels: dict[int, Label] = {}
        self.field_labels: dict[str, Label] = {}
        self.sizes: dict[str, Label] = {f.name: 0 for f in program.fields if f.seen == "nobody" and container(f)}
        self.scratch: Label = 0
        self.procedures = [_VariableLabels() for _ in program.procedures]
        self.blocks = [_VariableLabels() for _ in program.blocks]
        self.changed = False
        self.writes: dict[int, frozenset[int]] = {}
        # Enclosing loops, and the conditions under which each is left early.
        self.loops: list[int] = []
        self.exit_conditions: dict[int, Label] = {}
        self.choice_bits: dict[tuple[int, ...], Label] = {}
        self.event_labels: dict[tuple[int, int], Label] = {}
        self.secret_labels: Label = HIDDEN
        self.regions = self._regions()
        self.return_addresses = {b.end.address for b in program.blocks if isinstance(b.end, ir.Resume)}
        self.successors = [tuple(self._successors(b.body, b.end)) for b in program.blocks]
        self.dependents = control_dependents(self.successors)
        #: By block: the positions of statements that store a value which is emitted at once.
        self.emitted_at_once = [frozenset(self._emitted_at_once(block.body)) for block in program.blocks]
        self.fields_at = cache(lambda at: tuple(fields_at(program, at)))

    def result(self) -> InformationFlow:
        for number, decision in enumerate(self.program.decisions):
            self._arguments(number, decision)
        self.changed = True
        while self.changed:
            self.changed = False
            for number, block in enumerate(self.program.blocks):
                self._block(number, block.body, block.end)
            for number, procedure in enumerate(self.program.procedures):
                scope = self.procedures[number]
                self._body(procedure.body, scope, scope.conditions)
            hidden_keys = self._hidden_choice_keys()
        hidden = frozenset(a for a, label in self.cell_labels.items() if label & HIDDEN)
        return InformationFlow(
            hidden,
            tuple(self._nonzero_at_decisions(hidden)),
            frozenset((key[0], key[1], key[2]) for key in hidden_keys if len(key) == 3),
            frozenset(key[0] for key in hidden_keys if len(key) == 1),
            frozenset(key for key, label in self.event_labels.items() if label & self.secret_labels),
            frozenset(name for name, label in self.sizes.items() if label & self.secret_labels),
        )

    def _hidden_choice_keys(self) -> list[tuple[int, ...]]:
        """Return the choices that other players may not see; everything that depends on one becomes secret."""
        zones = remembered = 0
        for field in self.program.fields:
            if field.seen != "all":
                zones |= self.field_labels.get(field.name, 0)
                remembered |= self.field_labels.get(field.name, 0) if field.kind == "remember" else 0
        hidden_keys = [key for key, bit in self.choice_bits.items() if bit & (zones if len(key) == 3 else remembered)]
        secret_labels = HIDDEN
        for key in hidden_keys:
            secret_labels |= self.choice_bits[key]
        self.changed |= secret_labels != self.secret_labels
        self.secret_labels = secret_labels
        return hidden_keys

    # ---- structure of the program ----

    def _bit(self, *key: int) -> Label:
        return self.choice_bits.setdefault(key, 2 << len(self.choice_bits))

    def _arguments(self, number: int, decision: DecisionSpec) -> None:
        if len(decision.options) > 1:
            self._bit(number)
        for i, option in enumerate(decision.options):
            first = self.program.blocks[option.block].body
            for j, (address, zone) in enumerate(zip(option.addresses, option.drawn_from, strict=True)):
                hidden = HIDDEN if zone and not self._always_emits(first, ir.Load(ir.Const(address))) else 0
                self._add_cell_labels(range(address, address + 1), self._bit(number, i, j) | hidden)

    def _always_emits(self, body: ir.Body, value: ir.Expr) -> bool:
        """Return whether statements always emit a value completely, directly or in a procedure."""
        names = {value}
        for statement in body:
            match statement:
                case ir.SetVar(number=number, value=given):
                    names.discard(ir.Var(number))
                    names |= {ir.Var(number)} if given in names else set()
                case ir.Call(procedure=procedure, arguments=arguments):
                    inner = self.program.procedures[procedure].body
                    if any(a in names and self._always_emits(inner, ir.Var(i)) for i, a in enumerate(arguments)):
                        return True
                case ir.Emit(event=event, arguments=told):
                    spec = self.program.events[event]
                    shown = [a for i, a in enumerate(told) if not spec.secret[i] and i not in spec.doubtful]
                    if any(len(a) == 1 and a[0] in names for a in shown):
                        return True
                case ir.If(then=then, otherwise=otherwise):
                    if any(self._always_emits(then, name) and self._always_emits(otherwise, name) for name in names):
                        return True
                case ir.Store(address=address) if ir.Load(address) in names:
                    names.discard(ir.Load(address))
        return False

    def _emitted_at_once(self, body: ir.Body) -> Iterator[int]:
        """Yield the positions of statements that store a value which is always emitted after them."""
        for i, statement in enumerate(body):
            match statement:
                case ir.Store(address=ir.Const() as at) if self._always_emits(body[i + 1 :], ir.Load(at)):
                    yield i

    def _regions(self) -> list[range]:
        """Return the ranges of variables that are accessed by computed addresses."""
        seats = self.program.seats
        regions = [range(base, base + seats * width) for _, base, width, _ in self.program.simultaneous_cells]
        bodies = [b.body for b in self.program.blocks] + [p.body for p in self.program.procedures]
        for body in bodies:
            for statement in statements(body):
                if isinstance(statement, ir.HashState):
                    regions.append(range(statement.first, statement.end))
        return regions

    def _successors(self, body: ir.Body, end: ir.End) -> Iterator[int]:
        """Yield the successors of a block in the same rule; a call continues after its return."""
        match end:
            case ir.Jump(block=number):
                after = self._return(body)
                yield number if after is None else after
            case ir.Branch(then=then, otherwise=otherwise):
                yield from (then, otherwise)
            case ir.Pause(block=number):
                yield number
            case ir.Decide(decision=decision, otherwise=otherwise):
                yield from (o.block for o in self.program.decisions[decision].options)
                if otherwise >= 0:
                    yield otherwise
            case ir.Resume():
                pass
            case _:
                assert_never(end)

    def _return(self, body: ir.Body) -> int | None:
        """Return the block at which a called rule returns; None without a call."""
        for statement in reversed(body):
            match statement:
                case ir.Store(address=ir.Const(value=at), value=ir.Const(value=after)) if at in self.return_addresses:
                    return after if after in self.program.return_blocks else None
        return None

    def _nonzero_at_decisions(self, wanted: frozenset[int]) -> list[frozenset[int]]:
        """Return for each decision the `wanted` variables that may be non-zero there.

        Rules clear the variables that they bind.
        """
        if not wanted:
            return [wanted for _ in self.program.decisions]
        return_blocks: dict[int, set[int]] = {}
        for block in self.program.blocks:
            for statement in block.body:
                match statement:
                    case ir.Store(address=ir.Const(value=at), value=ir.Const(value=after)) if (
                        at in self.return_addresses
                    ):
                        return_blocks.setdefault(at, set()).add(after)
        begin = frozenset(address for address, value in self.program.initial if value) & wanted
        before: dict[int, frozenset[int]] = {self.program.entry: begin}
        held_at: list[frozenset[int]] = [frozenset()] * len(self.program.decisions)
        waiting = [self.program.entry]
        while waiting:
            number = waiting.pop()
            block = self.program.blocks[number]
            held = self._after(block.body, self.blocks[number], before[number]) & wanted
            match block.end:
                case ir.Jump(block=following):
                    successors: set[int] = {following}
                case ir.Resume(address=address):
                    successors = return_blocks.get(address, set())
                case ir.Decide(decision=decision):
                    held_at[decision] |= held
                    successors = set(self.successors[number])
                    held |= {a for o in self.program.decisions[decision].options for a in o.addresses} & wanted
                case _:
                    successors = set(self.successors[number])
            for following in successors:
                earlier = before.get(following)
                if earlier is None or not held <= earlier:
                    before[following] = held if earlier is None else earlier | held
                    waiting.append(following)
        return held_at

    def _after(self, body: ir.Body, scope: _VariableLabels, held: frozenset[int]) -> frozenset[int]:
        """Return the variables that may be non-zero after statements."""
        for statement in body:
            match statement:
                case ir.Store(address=ir.Const(value=at), value=ir.Const(value=0)):
                    held -= {at}
                case ir.Store(address=address) | ir.Push(pile=address):
                    held |= self._touched(possible_addresses(address, scope.numbers))
                case ir.If(then=then, otherwise=otherwise):
                    held = self._after(then, scope, held) | self._after(otherwise, scope, held)
                case ir.ForRange(body=inner) | ir.ForList(body=inner) | ir.Loop(body=inner):
                    held |= self._after(inner, scope, held)
                case ir.Call(procedure=number):
                    held |= self._written(number)
        return held

    def _touched(self, at: AddressSet) -> frozenset[int]:
        addresses: set[int] = set()
        for field, first, step in self.fields_at(at):
            if field is None and first >= self.program.frames:
                addresses.update(self._variables(first, step))
            elif field is None and step:
                addresses.update(range(self.program.frames, self.program.size))
        return frozenset(addresses)

    def _written(self, procedure: int) -> frozenset[int]:
        """Return the rule variables that a procedure and its callees may write."""
        if procedure not in self.writes:
            self.writes[procedure] = frozenset()
            written: frozenset[int] = frozenset()
            for statement in statements(self.program.procedures[procedure].body):
                match statement:
                    case ir.Store(address=address):
                        written |= self._touched(possible_addresses(address, self.procedures[procedure].numbers))
                    case ir.Call(procedure=called):
                        written |= self._written(called)
            self.writes[procedure] = written
        return self.writes[procedure]

    # ---- labels ----

    def _add_label(self, labels: dict[K, Label], key: K, label: Label) -> None:
        before = labels.get(key, 0)
        self.changed |= before | label != before
        labels[key] = before | label

    def _add_cell_labels(self, addresses: Sequence[int], label: Label) -> None:
        for address in addresses:
            self._add_label(self.cell_labels, address, label)

    def _assign(self, scope: _VariableLabels, number: int, label: Label, value: AddressSet) -> None:
        before, earlier = scope.labels.get(number, 0), scope.numbers.get(number, frozenset())
        merged = earlier | value
        if len(merged) > MAX_ADDRESSES:
            merged = ANY
        if before | label != before or (merged != earlier and earlier != ANY):
            scope.labels[number], scope.numbers[number] = before | label, merged
            self.changed = True

    def _add_condition(self, scope: _VariableLabels, label: Label) -> None:
        if scope.conditions | label != scope.conditions:
            scope.conditions |= label
            self.changed = True

    # ---- blocks ----

    def _block(self, number: int, body: ir.Body, end: ir.End) -> None:
        scope = self.blocks[number]
        for i, statement in enumerate(body):
            match statement:
                case ir.Store(address=at, value=stored) if i in self.emitted_at_once[number]:
                    # A value that is emitted at once is not secret.
                    value = self._label(stored, scope) | scope.conditions
                    self._write(possible_addresses(at, scope.numbers), value & ~HIDDEN)
                case _:
                    self._statement(statement, scope, scope.conditions)
        label: Label = scope.conditions
        match end:
            case ir.Branch(condition=condition):
                label |= self._label(condition, scope)
            case ir.Decide(decision=decision):
                label |= self.choice_bits.get((decision,), 0)
            case ir.Jump(block=called) if self._return(body) is not None:
                for inside in reachable([called], self.successors.__getitem__):
                    self._add_condition(self.blocks[inside], label)
        for dependent in self.dependents[number]:
            self._add_condition(self.blocks[dependent], label)

    # ---- statements ----

    def _body(self, body: ir.Body, scope: _VariableLabels, conditions: Label) -> None:
        for statement in body:
            self._statement(statement, scope, conditions | scope.conditions)

    def _statement(self, statement: ir.Stmt, scope: _VariableLabels, conditions: Label) -> None:
        match statement:
            case ir.SetVar(number=number, value=value):
                self._assign(
                    scope, number, conditions | self._label(value, scope), possible_addresses(value, scope.numbers)
                )
            case ir.Store(address=address, value=value):
                label = conditions | self._label(value, scope) | self._label(address, scope)
                self._write(possible_addresses(address, scope.numbers), label)
            case ir.Poke(value=value):
                label = self.scratch | conditions | self._label(value, scope)
                self.changed |= label != self.scratch
                self.scratch = label
            case ir.If(condition=condition, then=then, otherwise=otherwise):
                label = self._label(condition, scope)
                self._leaving((*then, *otherwise), scope, conditions | label)
                self._body(then, scope, conditions | label)
                self._body(otherwise, scope, conditions | label)
            case (
                ir.ForRange(number=number, count=bound, body=inner) | ir.ForList(number=number, index=bound, body=inner)
            ):
                label = self._label(bound, scope)
                self._assign(scope, number, conditions | label, ANY)
                self._loop(statement, inner, scope, conditions | label)
            case ir.Loop(body=inner):
                self._loop(statement, inner, scope, conditions)
            case ir.Call(procedure=procedure, arguments=arguments, into=into):
                called = self.procedures[procedure]
                self._add_condition(called, conditions)
                for i, argument in enumerate(arguments):
                    self._assign(called, i, self._label(argument, scope), possible_addresses(argument, scope.numbers))
                if into is not None:
                    self._assign(scope, into, conditions | called.result | called.conditions, ANY)
            case ir.Return(value=value):
                label = scope.result | conditions | (self._label(value, scope) if value is not None else 0)
                self.changed |= label != scope.result
                scope.result = label
            case ir.Chance(into=into):
                self._assign(scope, into, HIDDEN, ANY)
            case ir.HashState(into=into) | ir.DetectCycle(into=into):
                self._assign(scope, into, conditions, ANY)
            case ir.Push(pile=pile, card=card):
                self._write(possible_addresses(pile, scope.numbers), conditions | self._label(card, scope))
            case ir.Pop(into=into, pile=pile):
                self._assign(
                    scope, into, conditions | self._read(possible_addresses(pile, scope.numbers), whole=True), ANY
                )
            case ir.Emit():
                self._event(statement, scope)
            case (
                ir.Break() | ir.Shuffle() | ir.RemoveCard() | ir.Fault() | ir.EndGame() | ir.Yield()
                | ir.Charge() | ir.CoverageMark()
            ):  # fmt: skip
                pass
            case _:
                assert_never(statement)

    def _event(self, event: ir.Emit, scope: _VariableLabels) -> None:
        """Label the arguments of an event.  Conditions are ignored, because the event itself reveals them."""
        for statement in event.prepare:
            self._statement(statement, scope, 0)
        for number in self.program.events[event.event].doubtful:
            label = self.event_labels.get((event.event, number), 0)
            for value in event.arguments[number]:
                label |= self._label(value, scope)
            self.event_labels[event.event, number] = label
        self._count(event, scope)

    def _count(self, event: ir.Emit, scope: _VariableLabels) -> None:
        """Label zones whose size viewers cannot track.

        They count along with all events, except those that do not show the amount.
        """
        spec = self.program.events[event.event]
        places = [kind.name for _, kind in spec.fields[: spec.own] if kind.kind == "place"]
        hidden = [i for i, (name, _) in enumerate(spec.fields[: spec.own]) if name == "n" and spec.secret[i]]
        # A zone of known size at either end reveals the amount.
        if hidden and all(name in self.sizes for name in places):
            number = self._label(event.arguments[hidden[0]][0], scope)
            label = self.sizes[places[0]] if spec.kind == "all_moved" else number
            for name in places:
                self._add_label(self.sizes, name, label)

    def _loop(self, loop: ir.Stmt, body: ir.Body, scope: _VariableLabels, conditions: Label) -> None:
        """Analyse a loop body; all of it depends on the conditions that leave the loop."""
        self.loops.append(id(loop))
        self._body(body, scope, conditions | self.exit_conditions.get(id(loop), 0))
        self.loops.pop()

    def _leaving(self, body: ir.Body, scope: _VariableLabels, label: Label) -> None:
        """Record that a conditional exit affects the rest of the loop or procedure."""
        if self.loops and breaks(body):
            self._add_label(self.exit_conditions, self.loops[-1], label)
        if label and any(isinstance(s, ir.Return) for s in statements(body)):
            self._add_condition(scope, label)

    # ---- the state ----

    def _write(self, at: AddressSet, label: Label) -> None:
        for field, first, step in self.fields_at(at):
            if field is not None:
                self._add_label(self.field_labels, field.name, label)
            elif first >= self.program.frames:
                self._add_cell_labels(self._variables(first, step), label)
            elif step and first != AT_TIME:
                self._add_cell_labels(range(self.program.frames, self.program.size), label)
                for field_ in self.program.fields:
                    self._add_label(self.field_labels, field_.name, label)

    def _variables(self, first: int, step: int) -> Sequence[int]:
        region = next((r for r in self.regions if first in r), None)
        if region is not None:
            return region
        return range(first, self.program.size if step else first + 1)

    def _read(self, at: AddressSet, whole: bool = False) -> Label:
        """Return the label of the cells at an address; none for a card count that is visible."""
        label: Label = 0
        for field, first, step in self.fields_at(at):
            if field is not None:
                zone = container(field)
                number = zone is not None and zone.sized and field.seen in ("number", "owner")
                aligned = (first - field.base) % field.width == 0 and step % field.width == 0
                if field.seen != "all" and not (number and aligned and not whole):
                    label |= HIDDEN
            elif first >= self.program.frames:
                for address in self._variables(first, step):
                    label |= self.cell_labels.get(address, 0)
            elif step:
                label |= HIDDEN
        return label

    # ---- expressions ----

    def _label(self, e: ir.Expr, scope: _VariableLabels) -> Label:
        label: Label = 0
        for part in expressions(e):
            label |= self._label(part, scope)
        match e:
            case ir.Var(number=number):
                label |= scope.labels.get(number, 0)
            case ir.Load(address=address):
                label |= self._read(possible_addresses(address, scope.numbers))
            case ir.Top(pile=pile) | ir.Bottom(pile=pile) | ir.CountIn(pile=pile):
                label |= self._read(possible_addresses(pile, scope.numbers), whole=True)
            case ir.Find(size=size, row=row):
                label |= self._read(possible_addresses(size, scope.numbers))
                label |= self._read(possible_addresses(row, scope.numbers), whole=True)
            case ir.Peek():
                label |= self.scratch
        return label
