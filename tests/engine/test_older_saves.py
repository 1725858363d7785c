"""Saves written before each seed had its own step continue with their original random numbers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.properties.play import game
from wongar_dsl.engine.hidden_information.observation import observe
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.engine.saves.saves import head_of, lines_of, read_save, replay


@pytest.mark.parametrize(("chance", "prizes"), [(1, "two one three"), (2, "two one three"), (3, "two three one")])
def test_older_save_continues_its_random_stream(tmp_path: Path, chance: int, prizes: str) -> None:
    played, path = game("goofspiel", 2), tmp_path / "save.json"
    match = Match.begin(played, [Seat("human"), Seat("human")], 20_001, "hash")
    path.write_text(json.dumps(head_of(match, path) | {"chance": chance}) + "\n", encoding="utf-8")
    prizes_drawn = []
    for _ in range(3):
        match = replay(played, "hash", read_save(path), path)
        prizes_drawn.append(observe(match.state, None)["prize"])
        for _ in range(2):
            match.play(match.state.legal_moves()[0])
        lines = (head_of(match, path), *lines_of(match))
        assert lines[0]["chance"] == chance
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    assert " ".join(map(str, prizes_drawn)) == prizes
