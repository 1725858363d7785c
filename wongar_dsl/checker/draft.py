"""The model as it grows while rules are checked."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TypeVar

from wongar_dsl import syntax as s
from wongar_dsl.model import (
    CardSort,
    Code,
    CoveringData,
    Decision,
    Declarations,
    Local,
    Message,
    Model,
    Ref,
    Setting,
    TableData,
    Told,
    Type,
)  # fmt: skip
from wongar_dsl.model.boards import Graph
from wongar_dsl.model.shapes import Shape

A = TypeVar("A", bound=s.Article)


@dataclass(frozen=True, slots=True)
class Draft(Model):
    """A model that is still filled in, with the articles that it is made of; nobody else sees these."""

    enums: dict[str, tuple[str, ...]] = field(default_factory=dict)
    shapes: dict[str, tuple[Shape, ...]] = field(default_factory=dict)
    coverings: dict[str, CoveringData] = field(default_factory=dict)
    boards: dict[str, Graph] = field(default_factory=dict)
    cards: dict[str, CardSort] = field(default_factory=dict)
    figures: list[str] = field(default_factory=list)
    tracks: dict[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    tables: dict[str, TableData] = field(default_factory=dict)
    settings: dict[str, Setting] = field(default_factory=dict)
    articles: dict[tuple[str, str], s.Article] = field(default_factory=dict)
    types: dict[s.Node, Type] = field(default_factory=dict)
    refs: dict[s.Node, Ref] = field(default_factory=dict)
    locals: dict[s.Node, Local] = field(default_factory=dict)
    parameters: dict[s.Article, tuple[Local, ...]] = field(default_factory=dict)
    lattices: dict[Local | s.Article, str] = field(default_factory=dict)
    messages: dict[str, Message] = field(default_factory=dict)
    told: dict[s.Node, Told] = field(default_factory=dict)
    decisions: dict[str, Decision] = field(default_factory=dict)
    decision_names: dict[s.Node, str] = field(default_factory=dict)
    source_of: dict[s.Node, s.Article] = field(default_factory=dict)

    def all_of(self, sort: type[A]) -> list[A]:
        """All articles of a sort, in the order of the file."""
        return [article for article in self.articles.values() if isinstance(article, sort)]

    def article(self, sort: type[A], name: str = "") -> A | None:
        """The article of a sort and a name, None where there is none."""
        article = self.articles.get((sort.keyword, name))
        return article if isinstance(article, sort) else None

    def finished(self, code: Code, declared: Declarations) -> Model:
        """The model as everybody else gets it."""
        found = {f.name: getattr(self, f.name) for f in fields(Model) if f.init}
        return Model(**found | {"code": code, "declared": declared})
