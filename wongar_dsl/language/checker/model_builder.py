"""Mutable form of the checked model, which the checker fills and then freezes."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TypeVar

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import (
    CardSort,
    CodeDeclarations,
    CoveringData,
    Decision,
    Declarations,
    Local,
    Message,
    MessageUse,
    Model,
    Ref,
    Setting,
    TableData,
    Type,
)  # fmt: skip
from wongar_dsl.language.semantics.boards import Graph
from wongar_dsl.language.semantics.shapes import Shape

A = TypeVar("A", bound=s.Declaration)


@dataclass(frozen=True, slots=True)
class ModelBuilder(Model):
    """A model under construction, with the articles that it is built from."""

    enums: dict[str, tuple[str, ...]] = field(default_factory=dict)
    shapes: dict[str, tuple[Shape, ...]] = field(default_factory=dict)
    coverings: dict[str, CoveringData] = field(default_factory=dict)
    boards: dict[str, Graph] = field(default_factory=dict)
    cards: dict[str, CardSort] = field(default_factory=dict)
    figures: list[str] = field(default_factory=list)
    tracks: dict[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    tables: dict[str, TableData] = field(default_factory=dict)
    settings: dict[str, Setting] = field(default_factory=dict)
    articles: dict[tuple[str, str], s.Declaration] = field(default_factory=dict)
    types: dict[s.Node, Type] = field(default_factory=dict)
    refs: dict[s.Node, Ref] = field(default_factory=dict)
    locals: dict[s.Node, Local] = field(default_factory=dict)
    parameters: dict[s.Declaration, tuple[Local, ...]] = field(default_factory=dict)
    lattices: dict[Local | s.Declaration, str] = field(default_factory=dict)
    messages: dict[str, Message] = field(default_factory=dict)
    message_uses: dict[s.Node, MessageUse] = field(default_factory=dict)
    decisions: dict[str, Decision] = field(default_factory=dict)
    decision_names: dict[s.Node, str] = field(default_factory=dict)
    enclosing_article: dict[s.Node, s.Declaration] = field(default_factory=dict)

    def all_of(self, sort: type[A]) -> list[A]:
        """Return all articles of a sort, in the order of the file."""
        return [article for article in self.articles.values() if isinstance(article, sort)]

    def article(self, sort: type[A], name: str = "") -> A | None:
        """Return the article of a sort with this name, None if there is none."""
        article = self.articles.get((sort.keyword, name))
        return article if isinstance(article, sort) else None

    def finished(self, code: CodeDeclarations, declared: Declarations) -> Model:
        """Return the finished, read-only model."""
        values = {f.name: getattr(self, f.name) for f in fields(Model) if f.init}
        return Model(**values | {"code": code, "declared": declared})
