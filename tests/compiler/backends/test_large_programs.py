"""Compilation cost is estimated before a compiler starts; programs that are too large are not compiled."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.small_games import write_rules
from wongar_dsl.compiler.backends import python
from wongar_dsl.compiler.backends.native import backend as native
from wongar_dsl.compiler.backends.native import compiler, library
from wongar_dsl.engine.history import StateDeltas
from wongar_dsl.engine.library import load

#: Five rules, each with a decision.
RULES = (
    "".join(f"rule n{i}(p: player)\n    p chooses t{i}\n        a(x: 1 to 3)\n            nothing\n" for i in range(5))
    + "play\n"
    + "".join(f"    n{i}(player(1))\n" for i in range(5))
    + "    nobody wins\n"
)


@pytest.mark.parametrize(("limit", "value"), [("MAX_BLOCKS", 10), ("MAX_COMPILE_WORK", 10_000)])
def test_too_large_program_starts_no_compiler(
    limit: str, value: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, name in ((library, "compile_library"), (compiler, "_compiler_output")):
        monkeypatch.setattr(module, name, None)  # Starting the compiler would fail.
    monkeypatch.setattr(library, limit, value)
    rules = load(write_rules(tmp_path, RULES))
    game = rules.game(2, backend="native")
    assert game.backend.name == "python"
    assert library.too_large(game.program)
    playouts = rules.game(2, backend="reference").backend.playouts(1, 0, 3, 100)
    for backend in ("native", "auto"):
        assert rules.game(2, backend=backend).backend.playouts(1, 0, 3, 100) == playouts


def test_shipped_games_are_far_below_the_limits() -> None:
    for name in ("wongar", "tongiaki", "ubongo"):
        program = load(name).game(4, backend="reference").program
        assert 5 * len(program.blocks) < library.MAX_BLOCKS
        assert not library.too_large(program)


def test_too_large_program_for_python_uses_the_reference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(python, "MAX_BLOCKS", 10)
    assert load(write_rules(tmp_path, RULES)).game(2, backend="python").backend.name == "reference"


def test_single_steps_of_large_states_are_equal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = load(write_rules(tmp_path, RULES))
    played = []
    for large in (1, 20_000):
        monkeypatch.setattr(native.NativeBackend, "LARGE", large)
        game = rules.game(2, backend="native")
        if game.backend.name != "native":
            pytest.skip("there is no compiler")
        state, _ = game.start(7)
        steps = []
        for _ in range(4):
            moves = state.legal_moves()
            state.apply(moves[-1])
            steps.append((moves, state.cells.copy()))
        played.append(steps)
    assert played[0] == played[1]


@pytest.mark.parametrize("size", [1, 127, 128, 129, 8192, 8193, 20_000])
def test_states_are_restored_from_differences(size: int) -> None:
    first = list(range(size))
    states = [first]
    differences = StateDeltas(first)
    for number, index in enumerate((0, size - 1, size // 2, min(128, size - 1))):
        states.append(states[-1].copy())
        states[-1][index] = -number - 1
        differences.add(states[-1])
    for number in (4, 0, 2, 1, 3):
        assert differences.state(number) == states[number]


def test_folders_of_killed_compilations_are_removed(tmp_path: Path) -> None:
    old, new, unrelated = (tmp_path / name for name in ("native-old", "native-new", "another-old"))
    for folder in (old, new, unrelated):
        folder.mkdir()
        (folder / "game.c").write_text("")
    link = tmp_path / "native-link"
    link.symlink_to(unrelated)
    for folder in (old, unrelated):
        os.utime(folder, (0, 0))
    compiler._sweep(new)
    assert {path.name for path in tmp_path.iterdir()} == {"another-old", "native-link", "native-new"}
