"""Nullability analysis: values that may be none, that is no player or no area.

Lowering emits null checks only for these values.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from wongar_dsl.language import ast as s
from wongar_dsl.language.ast import walk
from wongar_dsl.language.semantics import NONE, Local, Model
from wongar_dsl.language.semantics.builtins import REFERENCES


class Nullability:
    """Nullability of values, propagated through local names."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._doubtful: set[Local] = set()
        assignments = [(local, e) for local, e in self._bindings() if local.type.can_be_none]
        while new := {local for local, e in assignments if local not in self._doubtful and self.may_be_none(e)}:
            self._doubtful |= new

    def may_be_none(self, e: s.Expression) -> bool:
        """Return whether a value may be none."""
        kind = self._model.types.get(e)
        if kind is None or not (kind.can_be_none or kind == NONE):
            return False
        match e:
            case s.Nobody():
                return True
            case s.Conditional(then=then, other=other):
                return self.may_be_none(then) or self.may_be_none(other)
            case s.Quantified(kind=quantifier):
                return quantifier == "first"
            case s.Name() | s.Of() | s.Indexed() | s.Called():
                return self._names_none(e)
            case _:
                return True  # A nullable type with an unknown value needs a check.

    def _names_none(self, e: s.Name | s.Of | s.Indexed | s.Called) -> bool:
        """Return whether a name or call may yield none."""
        ref = self._model.refs.get(e)
        if ref is None:
            return False
        absent = REFERENCES[ref.kind].absent
        match absent:
            case "never" | "always":
                return absent == "always"
            case "local":
                return ref.local in self._doubtful
            case "cells":
                return -1 in self._model.tables[ref.name].cells
            case "definition":
                return self.may_be_none(self._model.code.defines[ref.name].value)
            case "number":
                number = e.arguments[0] if isinstance(e, s.Called) else None
                return not (isinstance(number, s.Number) and 1 <= number.value <= self._model.players[0])
            case "owner":
                return isinstance(e, s.Of) and self.may_be_none(e.owner)
            case never:
                assert_never(never)

    def _bindings(self) -> Iterator[tuple[Local, s.Expression]]:
        """Yield every local name with an expression that it is bound to."""
        model = self._model
        for article in model.code.articles:
            for node in walk(article):
                match node:
                    case s.Let(variable=variable, value=value):
                        yield model.locals[variable], value
                    case s.Assign(target=target, value=value):
                        ref = model.refs.get(target)
                        if ref is not None and ref.kind == "local" and ref.local is not None:
                            yield ref.local, value
                    case s.Called(arguments=arguments):
                        ref = model.refs.get(node)
                        if ref is not None and REFERENCES[ref.kind].reads == "called":
                            called = model.code.called(ref.kind, ref.name)
                            yield from zip(model.parameters[called], arguments, strict=True)
                    case s.Perform(card=card, player=player, place=place):
                        place_arguments = [e for e in (player, place) if e is not None]
                        for effect in model.code.effects[model.types[card].name]:
                            bound = model.parameters[effect][len(effect.card_parameters) :]
                            yield from zip(bound, place_arguments, strict=False)
