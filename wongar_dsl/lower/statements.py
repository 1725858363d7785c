"""Lowering of control flow, names and calls, for both builders."""

from __future__ import annotations

from functools import partial

from wongar_dsl import ir
from wongar_dsl import syntax as s
from wongar_dsl.ir.builder import Cell, Iteration
from wongar_dsl.lower import cycle_memory, procedures, scoring, suspension, turns
from wongar_dsl.lower.context import Dispatch, Lowering
from wongar_dsl.lower.domains import each_copy
from wongar_dsl.lower.references import attribute_of, is_face_kind


def if_(to: Lowering, node: s.If) -> None:
    """Lower `if c ... otherwise if d ... otherwise ...`."""

    def branch(number: int) -> None:
        if number == len(node.branches):
            to.block(node.otherwise)
            return
        test, body = node.branches[number]
        last = number + 1 == len(node.branches) and not node.otherwise
        to.flow.when(to.condition(test), lambda: to.block(body), None if last else lambda: branch(number + 1))

    with to.in_turn(turns.under(to, [test for test, _ in node.branches])):
        branch(0)


def repeat(to: Lowering, node: s.Repeat) -> None:
    """Lower `repeat n times`, `while c`, `until c` and endless loops."""
    with to.flow.scope():
        subject = node.subject
        if subject is None:
            with to.in_turn(None):
                to.flow.loop(lambda: to.block(node.body), None)
        elif node.kind == "times":
            count = to.flow.once(to.value(subject))

            def turn(step: Cell) -> None:
                with to.in_turn(turns.of(step, count)):
                    to.block(node.body)

            to.flow.over(Iteration(count), None, turn)
        else:
            holds = node.kind == "until"
            with to.in_turn(None):
                to.flow.loop(
                    lambda: to.block(node.body), lambda: to.value(subject) if holds else ir.Not(to.value(subject))
                )


def for_each(to: Lowering, node: s.ForEach) -> None:
    """Lower `for each x in domain`."""
    with to.in_turn(turns.each(to, node)):
        each_copy(to, node.variable, node.domain, lambda _: to.block(node.body))


def let(to: Lowering, node: s.Let) -> None:
    """Lower `let x = e`."""
    to.code.names[to.model.locals[node.variable]] = to.flow.local(to.bounded(node.value))


def simple(to: Lowering, node: s.Simple) -> None:
    """Lower a statement that consists of keywords."""
    match node.word:
        case "leave loop":
            to.flow.leave_loop()
        case "end rule":
            procedures.leave(to)
        case "end game":
            scoring.end_game(to)
        case "forget choices":
            cycle_memory.forget(to)
        case "impossible":
            to.code.add(ir.Fault(to.fault("R0604", node)))


def give(to: Lowering, node: s.Give) -> None:
    """Lower `give e`."""
    to.code.add(ir.Return(to.bounded(node.value)))


# ---- rules and cards -----------------------------------------------------------------------------------------------


def call(to: Lowering, node: s.Call) -> None:
    """Lower a call of a rule."""
    assert isinstance(node.call, s.Called)
    article = to.model.code.called(to.model.refs[node.call].kind, node.call.name)
    run(to, article, tuple(to.bounded(a) for a in node.call.arguments))


def perform(to: Lowering, node: s.Perform) -> None:
    """Lower `perform card for p at place`: the effect of the card's kind."""
    with to.flow.scope():
        cards = to.type_of(node.card).name
        arguments = [e for e in (node.player, node.place) if e is not None]
        card, *values = [to.flow.once(to.value(e)) for e in (node.card, *arguments)]

        def case(effect: s.Effect) -> None:
            run(to, effect, (*_parameters(to, cards, effect, card), *values))

        to.flow.one_of(
            (is_face_kind(to, "==", cards, card, effect.name.text), partial(case, effect))
            for effect in to.model.code.effects[cards]
        )


def _parameters(to: Lowering, cards: str, effect: s.Effect, card: ir.Expr) -> list[ir.Expr]:
    """Return the parameters of a card, as arguments of its effect."""
    parameters = to.model.cards[cards].kinds[effect.name.text]
    return [attribute_of(to, cards, name, card) for name, _ in parameters]


def run(to: Lowering, article: s.Article, values: tuple[ir.Expr, ...]) -> None:
    """Call a rule as a statement."""
    if isinstance(article, s.Procedure) and article in to.calls.suspending:
        suspension.call(to, article, values)
    else:
        to.code.add(ir.Call(procedures.number(to, article), values, None))


#: Lowering functions of this module.
LOWERED = Dispatch(
    statements={
        s.If: if_,
        s.Repeat: repeat,
        s.ForEach: for_each,
        s.Let: let,
        s.Simple: simple,
        s.Give: give,
        s.Call: call,
        s.Perform: perform,
    },
)
