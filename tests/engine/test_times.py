"""Move times passed in from outside: invalid times are refused and change nothing."""

from __future__ import annotations

import pytest

import wongar_dsl
from wongar_dsl.engine.game import MAX_TIME_MS


@pytest.mark.parametrize("time", [-1, MAX_TIME_MS + 1, 1 << 63, -(1 << 70)])
@pytest.mark.parametrize("backend", ["python", "auto"])
def test_invalid_move_time_is_refused(time: int, backend: str) -> None:
    match = wongar_dsl.begin(wongar_dsl.load("ubongo", backend=backend), 1)
    before, move = match.state.cells.copy(), match.state.legal_moves()[0]
    for play in (match.play, match.state.apply):
        with pytest.raises(ValueError, match=f"from 0 to 1000000000000 milliseconds, not {time}"):
            play(move, time=time)
    assert (match.state.cells, match.steps) == (before, [])
    match.play(move, time=MAX_TIME_MS)
