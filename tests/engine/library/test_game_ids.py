"""Names with plus signs: too many parts are refused before any file is looked up."""

from __future__ import annotations

import pytest

from wongar_dsl.engine.library import game_ids, inspect
from wongar_dsl.engine.saves.saves import MAX_FILES


def test_limit_of_parts_equals_the_limit_of_saves() -> None:
    assert game_ids.MAX_NAME_PIECES == MAX_FILES


@pytest.mark.parametrize("pieces", [51, 5_000, 100_000])
def test_too_many_parts_are_refused_without_file_lookups(pieces: int, monkeypatch: pytest.MonkeyPatch) -> None:
    lookups: list[object] = []
    is_file = game_ids.is_file
    monkeypatch.setattr(game_ids, "is_file", lambda path: lookups.append(path) or is_file(path))
    rules, diagnostics = inspect("+".join(["nim", *["x"] * (pieces - 1)]))
    assert rules is None
    assert [(d.code, d.arguments["found"], d.arguments["limit"]) for d in diagnostics] == [("R0414", pieces, 50)]
    assert len(lookups) < 10


def test_allowed_number_of_parts_is_looked_up() -> None:
    assert [d.code for d in inspect("+".join(["nim", *["x"] * 49]))[1]] == ["R0004"]
