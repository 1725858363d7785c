"""Names with plus signs: more pieces than a save may name are refused before any file is looked for."""

from __future__ import annotations

import pytest

from wongar_dsl.engine.saves import MOST_FILES
from wongar_dsl.library import inspect, naming


def test_as_many_files_can_be_combined_as_a_save_may_name() -> None:
    assert naming.MOST_PIECES == MOST_FILES


@pytest.mark.parametrize("pieces", [51, 5_000, 100_000])
def test_too_many_pieces_are_refused_without_a_look_at_each(pieces: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    there = naming.is_file
    monkeypatch.setattr(naming, "is_file", lambda path: asked.append(path) or there(path))
    rules, found = inspect("+".join(["nim", *["x"] * (pieces - 1)]))
    assert rules is None
    assert [(d.code, d.arguments["found"], d.arguments["limit"]) for d in found] == [("R0414", pieces, 50)]
    assert len(asked) < 10


def test_fewer_pieces_are_looked_for() -> None:
    assert [d.code for d in inspect("+".join(["nim", *["x"] * 49]))[1]] == ["R0004"]
