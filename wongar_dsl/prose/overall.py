"""What the rules say as a whole, found out once for whoever puts many of them into words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from wongar_dsl import syntax as s
from wongar_dsl.model import Model
from wongar_dsl.prose.account import Why
from wongar_dsl.prose.keeping import Keeping, needless

N = TypeVar("N", bound=s.Node)


@dataclass(frozen=True, slots=True)
class Overall:
    """All nodes of the rules of a game by their sort, the remembered values that only messages speak of, so that
    players need not know them: `untold`, what is kept in mind where, and the statements whose effect goes without
    saying, with the reason."""

    untold: frozenset[str]
    keeping: Keeping
    needless: Mapping[s.Node, Why]
    _nodes: Mapping[type[s.Node], Sequence[s.Node]]

    @classmethod
    def of(cls, model: Model) -> Overall:
        """The rules of a game."""
        nodes: dict[type[s.Node], list[s.Node]] = {}
        for article in model.code.articles:
            for node in s.walk(article):
                nodes.setdefault(type(node), []).append(node)
        keeping = Keeping(model)
        return cls(_untold(model), keeping, needless(keeping), nodes)

    def nodes(self, sort: type[N]) -> Iterator[N]:
        """The nodes of a sort, in the order of the rules."""
        for node in self._nodes.get(sort, ()):
            assert isinstance(node, sort)
            yield node


def _untold(model: Model) -> frozenset[str]:
    """The remembered values that nothing asks for but messages, and what they are set to themselves."""
    read: set[str] = set()
    for article in model.code.articles:
        for node in _asking(article):
            ref = model.refs.get(node)
            if ref is not None and ref.kind == "remember":
                read.add(ref.name)
    return frozenset(model.declared.remembered) - read


def _asking(node: object) -> Iterator[s.Node]:
    """The nodes under a node, without messages, and without what is set."""
    match node:
        case tuple():
            for item in node:
                yield from _asking(item)
        case s.MessageRef():
            return
        case s.Assign(target=target, value=value):
            yield from (n for index in s.index_nodes(target) for n in _asking(index))
            yield from (n for n in _asking(value) if not s.same(n, target))
        case s.Node():
            yield node
            for name in s.parts(type(node)):
                yield from _asking(getattr(node, name))
