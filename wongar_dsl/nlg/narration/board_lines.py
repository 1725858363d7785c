"""Options that denote a column or row of a grid, although the rules name one of its squares.

With `drop(foot: cell where row of foot = 1)` a player chooses a column. All selectable squares lie in one row, and
nothing is put on the chosen square itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Literal

from wongar_dsl.compiler import ir
from wongar_dsl.engine import Game
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Model
from wongar_dsl.language.semantics.boards import SQUARE

Line = Literal["column", "row"]
#: Meaning of a square if only squares of one row, or of one column, are selectable.
_ACROSS: Mapping[str, Line] = {"row": "column", "column": "row"}


@lru_cache(maxsize=256)
def line_parameters(game: Game, decision: ir.DecisionSpec, option: int) -> Mapping[str, Line]:
    """Return the parameters of an option that stand for a column or a row, by their names."""
    model = game.model
    kinds = dict(decision.options[option].parameters)
    if not any(kind.kind == "board" and model.boards[kind.name].directions == SQUARE for kind in kinds.values()):
        return {}
    # Imported late: few games have squares to choose, and the others do not need the verbaliser.
    from wongar_dsl.nlg.prose.content.options import choose_statement_of

    options = tuple(spec.name for spec in decision.options)
    place = choose_statement_of(model, decision.rule, decision.name, options)
    if place is None:
        return {}
    choice = place[1].options[option]
    result: dict[str, Line] = {}
    for parameter in choice.parameters:
        name = parameter.name.text
        kind = kinds.get(name)
        if kind is None or kind.kind != "board" or model.boards[kind.name].directions != SQUARE:
            continue
        lines = {line for c in (parameter.domain.where, choice.condition) for line in _pinned(model, c, name)}
        if len(lines) == 1 and not _filled(model, choice.body, name):
            result[name] = lines.pop()
    return result


def line_name(area: str, line: Line) -> str:
    """Return the letters of a square's column, or the number of its row."""
    column = area.rstrip("0123456789")
    return column if line == "column" else area.removeprefix(column)


def _pinned(model: Model, condition: s.Expression | None, name: str) -> Iterator[Line]:
    """Yield the lines that a square denotes by the conjuncts of a condition."""
    match condition:
        case s.Logical(operator="and", operands=operands):
            for operand in operands:
                yield from _pinned(model, operand, name)
        case s.Compare(operator="=", left=s.Of(name=word, owner=s.Name(text=text)), right=s.Number()):
            if text == name and word in _ACROSS:
                yield _ACROSS[word]
        case s.Called(name=called, arguments=arguments) if called in model.code.defines:
            define = model.code.defines[called]
            for typed, argument in zip(define.parameters, arguments, strict=True):
                if isinstance(argument, s.Name) and argument.text == name:
                    yield from _pinned(model, define.value, typed.name.text)


def _filled(model: Model, body: object, name: str) -> bool:
    """Return whether statements put anything but a number on a square, or store the square itself."""
    for node in s.walk(body):
        match node:
            case s.Assign(value=s.Name(text=text)) | s.Let(value=s.Name(text=text)) if text == name:
                return True
            case s.Lay(area=s.Name(text=text)) if text == name:
                return True
            case s.Called(name=called, arguments=arguments) if called in model.code.rules:
                rule = model.code.rules[called]
                for typed, argument in zip(rule.parameters, arguments, strict=False):
                    if isinstance(argument, s.Name) and argument.text == name and called != name:
                        return True if _recursive(rule) else _filled(model, rule.body, typed.name.text)
        if isinstance(node, s.StatementNode):
            for changed in node.changes:
                if any(_holds(model, part, name) for part in s.walk(getattr(node, changed))):
                    return True
    return False


def _recursive(rule: s.Rule) -> bool:
    return any(isinstance(node, s.Called) and node.name == rule.name.text for node in s.walk(rule.body))


def _holds(model: Model, node: s.Node, name: str) -> bool:
    """Return whether an expression refers to the content of a square, other than a number."""
    match node:
        case s.Of(name=place, owner=s.Name(text=text)):
            named = text == name
        case s.Indexed(name=place, indices=indices):
            named = any(isinstance(index, s.Name) and index.text == name for index in indices)
        case _:
            return False
    remembered = model.declared.remembered.get(place)
    return named and (remembered is None or remembered.type.kind != "number")
