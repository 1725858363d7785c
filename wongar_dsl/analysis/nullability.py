"""Which values may be nobody or nowhere: only there lowering has to ask before it looks something up by them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from wongar_dsl import syntax as s
from wongar_dsl.model import NONE, Local, Model
from wongar_dsl.model.builtins import REFERENCES
from wongar_dsl.syntax import walk


class Nullability:
    """Follows values that may be nobody through the names that they are given."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._doubtful: set[Local] = set()
        ways = [(local, e) for local, e in self._ways() if local.type.can_be_none]
        while more := {local for local, e in ways if local not in self._doubtful and self.may_be_none(e)}:
            self._doubtful |= more

    def may_be_none(self, e: s.Expression) -> bool:
        """Whether a value may be nobody."""
        kind = self._model.types.get(e)
        if kind is None or not (kind.can_be_none or kind == NONE):
            return False
        match e:
            case s.Nobody():
                return True
            case s.Either(then=then, other=other):
                return self.may_be_none(then) or self.may_be_none(other)
            case s.Quantified(kind=asked):
                return asked == "first"
            case s.Name() | s.Of() | s.Indexed() | s.Called():
                return self._names_none(e)
            case _:
                return True  # Of such a type, and not known to be somebody: it is asked for.

    def _names_none(self, e: s.Name | s.Of | s.Indexed | s.Called) -> bool:
        """Whether what a name means may be nobody."""
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

    def _ways(self) -> Iterator[tuple[Local, s.Expression]]:
        """Every way in which a value gets a name."""
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
                        given = [e for e in (player, place) if e is not None]
                        for effect in model.code.effects[model.types[card].name]:
                            bound = model.parameters[effect][len(effect.names) :]
                            yield from zip(bound, given, strict=False)
