"""Registries of the lowering are complete for all constructs of the language."""

from __future__ import annotations

from typing import get_args

import pytest

from wongar_dsl.compiler.lowering.context import DOMAINS, NODES, REFERENCES
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics.model import RefKind


def concrete_classes(base: type[s.Node]) -> set[type[s.Node]]:
    """Return the node classes below a base class that have no subclasses."""
    below = {cls for cls in vars(s).values() if isinstance(cls, type) and issubclass(cls, base) and cls is not base}
    return {cls for cls in below if not any(subclass is not cls and issubclass(subclass, cls) for subclass in below)}


@pytest.mark.parametrize(("union", "base"), [(s.Expression, s.ExpressionNode), (s.Statement, s.StatementNode)])
def test_union_types_list_every_node(union: object, base: type[s.Node]) -> None:
    assert set(get_args(union)) == concrete_classes(base)


def test_every_node_with_code_is_lowered() -> None:
    articles = concrete_classes(s.Procedure) | {s.Define, s.Winner}
    assert set(NODES) == {*get_args(s.Expression), *get_args(s.Statement)} | articles


def test_every_domain_is_lowered() -> None:
    assert set(DOMAINS) == set(get_args(s.DomainKind))


def test_every_name_with_a_value_is_lowered() -> None:
    # These are not values themselves; properties of them have their own kinds of reference.
    things = {"zone", "facekind", "track", "type", "coverings", "direction", "unknown"}
    assert set(REFERENCES) == set(get_args(RefKind)) - things
