"""Every construct of the language has its one function that lowers it."""

from __future__ import annotations

from typing import get_args

import pytest

from wongar_dsl import syntax as s
from wongar_dsl.lower.dispatch import DISPATCH
from wongar_dsl.model.types import RefKind


def leaves(base: type[s.Node]) -> set[type[s.Node]]:
    """The classes of nodes under one, without those that only stand for others."""
    below = {cls for cls in vars(s).values() if isinstance(cls, type) and issubclass(cls, base) and cls is not base}
    return {cls for cls in below if not any(other is not cls and issubclass(other, cls) for other in below)}


@pytest.mark.parametrize(("union", "base"), [(s.Expression, s.ExpressionNode), (s.Statement, s.StatementNode)])
def test_the_type_checker_knows_every_node(union: object, base: type[s.Node]) -> None:
    assert set(get_args(union)) == leaves(base)


def test_every_expression_is_lowered() -> None:
    assert set(DISPATCH.expressions) == set(get_args(s.Expression))


def test_every_statement_is_lowered() -> None:
    assert set(DISPATCH.statements) == set(get_args(s.Statement))


def test_every_domain_is_lowered() -> None:
    assert set(DISPATCH.domains) == set(get_args(s.DomainKind))


def test_every_name_with_a_value_is_lowered() -> None:
    # These stand for things; what is asked of them has a kind of its own.
    things = {"zone", "facekind", "track", "type", "coverings", "direction", "unknown"}
    assert set(DISPATCH.references) == set(get_args(RefKind)) - things


def test_every_article_that_is_done_is_lowered() -> None:
    assert set(DISPATCH.articles) == leaves(s.Procedure) | {s.Define, s.Winner}
