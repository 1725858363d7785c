"""What the classes of statements say of themselves."""

from __future__ import annotations

from dataclasses import fields

import pytest

from wongar_dsl import syntax as s

KINDS = [kind for kind in vars(s).values() if isinstance(kind, type) and issubclass(kind, s.Statement)]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_what_a_statement_changes_is_named_by_its_fields(kind: type[s.Statement]) -> None:
    assert set(kind.changes) <= {field.name for field in fields(kind)}
    assert not kind.changes or kind.lasting or kind is s.Assign
