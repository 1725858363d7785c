"""The counts of `tools/house.py` stay within their limits."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.house import LIMITS, _matches_classes, counts, nodes_by_type


def test_no_count_exceeds_its_limit() -> None:
    exceeded = {name: (count, LIMITS[name]) for name, count in counts().items() if count > LIMITS[name]}
    assert exceeded == {}, "lower the count, or say in the change why the limit has to rise"


@pytest.mark.parametrize(
    ("source", "matches"),
    [
        ("from wongar_dsl.language import ast as s\nmatch x:\n    case s.Let():\n        pass\n", True),
        ("from .ast import Let\nmatch x:\n    case Let():\n        pass\n", True),
        ("from wongar_dsl.language import ast as s\nisinstance(x, s.Let)\n", False),
        ("match x:\n    case Let():\n        pass\n", False),
    ],
)
def test_patterns_with_classes_of_a_package_are_found(source: str, matches: bool) -> None:
    path = Path("wongar_dsl/language/example.py")
    assert _matches_classes(path, nodes_by_type(source), "wongar_dsl.language.ast") is matches
