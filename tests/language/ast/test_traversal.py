"""Syntax trees: statements and their traversal."""

from __future__ import annotations

import pickle
from dataclasses import fields
from typing import get_args

import pytest

from wongar_dsl.engine.library import load
from wongar_dsl.language import ast as s


@pytest.mark.parametrize("kind", get_args(s.Statement), ids=lambda kind: kind.__name__)
def test_changes_of_a_statement_are_its_fields(kind: type[s.StatementNode]) -> None:
    assert set(kind.changes) <= {field.name for field in fields(kind)}
    assert not kind.changes or kind.lasting or kind is s.Assign


def nodes_by_fields(part: object) -> list[s.Node]:
    """Return the node and all its descendants, read from the fields one by one."""
    if isinstance(part, tuple):
        return [node for item in part for node in nodes_by_fields(item)]
    if not isinstance(part, s.Node):
        return []
    return [part, *(node for field in fields(part) for node in nodes_by_fields(getattr(part, field.name)))]


def test_each_traversal_yields_all_nodes_in_source_order() -> None:
    articles = load("connect_four").model.code.articles
    expected = nodes_by_fields(articles)
    assert len(expected) > len(articles)
    for _ in range(2):
        assert list(s.walk(articles)) == expected
        assert [node for article in articles for node in s.walk(article)] == expected


def test_listed_descendants_are_not_saved() -> None:
    (article, *_) = s.copied(load("nim").model.code.articles)
    before = pickle.dumps(article)
    assert len(list(s.walk(article))) > 1
    assert pickle.dumps(article) == before
