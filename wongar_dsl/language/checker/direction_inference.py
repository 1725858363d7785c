"""Direction inference: finds the local names and values that are directions of a lattice.

Directions are numbers in the rules but words to players. A name bound by `direction of` is a direction. A parameter is
one if every call passes one, a `let` name if it is never set to anything else, a definition or rule if it always gives
one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from wongar_dsl.language import ast as s
from wongar_dsl.language.ast import walk
from wongar_dsl.language.checker.context import CheckContext
from wongar_dsl.language.semantics import NUMBER, Local, Ref

#: The board of a direction: its name, `ANY` while nothing is known about a value, `NO` for an ordinary number.
ANY, NO = None, ""
Lattice = str | None
#: A local name, or the result of a definition or rule, to which values are assigned.
Target = Local | s.Declaration


def find_directions(context: CheckContext) -> None:
    """Infer the lattice of every local name and result that is a direction, and enter it in the model.

    Iterates to a fixed point over all assignments.
    """
    sources = list(_sources(context))
    lattices: dict[Target, Lattice] = dict.fromkeys((target for target, _ in sources), ANY)
    changed = True
    while changed:
        changed = False
        for target, e in sources:
            lattice = _join(context, lattices[target], _lattice(context, e, lattices))
            changed = changed or lattice != lattices[target]
            lattices[target] = lattice
        sources.reverse()  # alternate the order, since values flow both down and up the file
    context.model.lattices.update({target: lattice for target, lattice in lattices.items() if lattice})


def lattice_of(context: CheckContext, e: s.Expression) -> str:
    """Return the lattice of a direction, or "" for another value; call it after `find_directions`."""
    return _lattice(context, e, context.model.lattices) or NO


def _sources(context: CheckContext) -> Iterator[tuple[Target, s.Expression]]:
    """Yield each number variable or result with every expression assigned to it, or the domain that it runs over."""
    model = context.model
    for article in model.articles.values():
        if isinstance(article, s.Define):
            yield article, article.value
        for node in walk(article):
            match node:
                case s.Let(variable=name, value=e):
                    yield from _number_variable(context, name, e)
                case s.Quantified(variable=name) | s.ForEach(variable=name) | s.OptionParameter(name=name):
                    yield from _number_variable(context, name, node.domain.base)
                case s.Assign(target=target, value=e):
                    ref = model.refs.get(target)
                    if ref is not None and ref.local is not None:
                        yield ref.local, e
                case s.Give(value=e) if isinstance(article, s.Rule):
                    yield article, e
                case s.Called(arguments=arguments):
                    called = _called_article(context, model.refs.get(node))
                    parameters = model.parameters.get(called, ()) if called is not None else ()
                    yield from zip(parameters, arguments, strict=False)


def _number_variable(context: CheckContext, name: s.Word, e: s.Expression) -> Iterator[tuple[Local, s.Expression]]:
    local = context.model.locals.get(name)
    if local is not None and local.type == NUMBER:
        yield local, e


def _called_article(context: CheckContext, ref: Ref | None) -> s.Define | s.Rule | None:
    return context.code.called(ref.kind, ref.name) if ref is not None and ref.kind in ("define", "rule") else None


def _lattice(
    context: CheckContext, e: s.Expression, lattices: Mapping[Target, Lattice] | Mapping[Target, str]
) -> Lattice:
    match e:
        case s.Conditional(then=then, other=other):
            return _join(context, _lattice(context, then, lattices), _lattice(context, other, lattices))
        case s.Quantified(kind="first" | "random", domain=domain):
            return _lattice(context, domain.base, lattices)
    ref = context.model.refs.get(e)
    if ref is None:
        return NO
    if ref.local is not None:
        return lattices.get(ref.local, NO)
    if ref.kind == "direction":
        return ref.name
    if ref.kind == "value" and context.model.types.get(e) == NUMBER and isinstance(e, s.Name):
        board = context.names[e.text].node
        return board.text if isinstance(board, s.Word) else NO
    called = _called_article(context, ref)
    return lattices.get(called, NO) if called is not None else NO


def _join(context: CheckContext, one: Lattice, other: Lattice) -> Lattice:
    """Merge the boards found for two sources of a value; boards with equal directions count as one."""
    if one is ANY or other is ANY:
        return other if one is ANY else one
    boards = context.model.boards
    same = one in boards and other in boards and boards[one].directions == boards[other].directions
    return one if one == other or same else NO
