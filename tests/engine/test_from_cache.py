"""Games from the cache are played without being compiled again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.ir.information_flow import InformationFlow, information_flow
from wongar_dsl.engine import library

PLAY = """
import sys
from pathlib import Path
from wongar_dsl.engine import library
from wongar_dsl.base.storage.cache import Cache
cache = Cache(Path(sys.argv[1]))
game = library.load("nim", cache).game(2, cache=cache)
state, _ = game.start(7)
while not state.over:
    state.apply(state.legal_moves()[0])
stages = ("language.parser", "language.checker", "language.dataflow", "compiler.lowering")
compilers = ("lark", *(f"wongar_dsl.{stage}" for stage in stages))
print(*state.winners, *(name for name in sys.modules if name.startswith(compilers)))
"""


def test_cached_game_is_played_without_the_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a new process; a game that is not in the cache imports the compiler there."""
    monkeypatch.setattr("wongar_dsl.engine.library._shipped_rules", {})
    cache = Cache(tmp_path)
    library.load("nim", cache).game(2, cache=cache).start(7)
    done = subprocess.run([sys.executable, "-c", PLAY, str(tmp_path)], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1"]


def test_information_flow_is_analysed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache, analysed_seats = Cache(tmp_path), []

    def analysed(program: ir.Program) -> InformationFlow:
        analysed_seats.append(program.seats)
        return information_flow(program)

    monkeypatch.setattr("wongar_dsl.compiler.ir.information_flow.information_flow", analysed)
    flows = []
    for seats in (2, 2, 3):
        monkeypatch.setattr("wongar_dsl.engine.library._shipped_rules", {})
        game = library.load("goofspiel", cache).game(seats, cache=cache)
        assert game.knowledge.flow == information_flow(game.program)
        flows.append(game.knowledge.flow)
    assert analysed_seats == [2, 3]
    assert flows[0] is not flows[1]
