"""Class attributes of statement nodes."""

from __future__ import annotations

from dataclasses import fields
from typing import get_args

import pytest

from wongar_dsl.language import ast as s


@pytest.mark.parametrize("kind", get_args(s.Statement), ids=lambda kind: kind.__name__)
def test_changes_of_a_statement_are_its_fields(kind: type[s.StatementNode]) -> None:
    assert set(kind.changes) <= {field.name for field in fields(kind)}
    assert not kind.changes or kind.lasting or kind is s.Assign
