"""Generated C for other programs: the example plays and counts as `wongar` does, and invalid arguments do no harm."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from wongar_dsl.adapters.c import PREFIX, Embedded, embed
from wongar_dsl.engine import Game, library

EXAMPLE = Path(__file__).parents[3] / "examples" / "c"
STRICT = ("-std=c11", "-Wall", "-Wextra", "-pedantic", "-Werror")
DECIDES, ENDED, FAULTED, NO_ROOM, NO_MOVE = range(5)


def game(name: str) -> Game:
    return library.load(name).game(2)


@cache
def embedded(name: str, prefix: str = PREFIX) -> Embedded:
    return embed(game(name), "0", "0", prefix)


def build_example(folder: Path, name: str) -> Path:
    """Return the example program, built with a game."""
    generated, program = embedded(name), folder / "play"
    (folder / "game.c").write_text(generated.source, encoding="utf-8")
    (folder / "game.h").write_text(generated.header, encoding="utf-8")
    shutil.copy(EXAMPLE / "main.c", folder)
    subprocess.run(["cc", *STRICT, "-O0", folder / "main.c", folder / "game.c", "-o", program], check=True)
    return program


def output(program: Path, *arguments: str) -> list[str]:
    return subprocess.run([program, *arguments], capture_output=True, encoding="utf-8", check=True).stdout.splitlines()


def test_example_counts_as_the_command_does_and_prints_its_usage(tmp_path: Path) -> None:
    program = build_example(tmp_path, "kuhn_poker")
    for command, depth, chance in (("perft", 2, False), ("perft-chance", 5, True)):
        levels = list(game("kuhn_poker").backend.perft(5, depth, chance))[1:]
        assert output(program, command, str(depth), "5") == [
            f"{steps}: {level.histories} courses, {level.over} of them over, {level.positions} positions"
            for steps, level in enumerate(levels, 1)
        ]
    for arguments in (["some"], ["-1"], ["1", "2"], ["perft"], ["perft", "some"], ["perft", "2", "x"], ["perft", "61"]):
        called = subprocess.run([program, *arguments], capture_output=True, encoding="utf-8")
        assert (called.returncode, called.stdout) == (2, ""), arguments
        assert "perft DEPTH [SEED]" in called.stderr


@pytest.mark.parametrize("name", ["tongiaki", "ubongo"])
def test_moves_of_the_example_can_be_replayed(tmp_path: Path, name: str) -> None:
    shown = output(build_example(tmp_path, name), "3")
    state, _ = game(name).start(3)
    moves = 0
    for line in shown:
        if made := re.fullmatch(r"(\d+)\. seat (\d+), (\w+): (.*)", line):
            moves += 1
            assert state.decision is not None
            assert (int(made[1]), int(made[2]), made[3]) == (moves, state.seat + 1, state.decision.name)
            state.apply(state.read(made[4]))
    assert state.over
    assert moves > 5
    scores = state.scores if state.game.program.score is not None else [0, 0]
    ends = [f"seat {s + 1}{' has won' if s in state.winners else ''}, points {n}" for s, n in enumerate(scores)]
    assert shown[moves:] == ends


def test_every_function_is_declared_with_a_comment(tmp_path: Path) -> None:
    generated = embedded("nim")
    (tmp_path / "game.c").write_text(generated.source, encoding="utf-8")
    subprocess.run(["cc", *STRICT, "-c", "game.c", "-o", "game.o"], cwd=tmp_path, check=True)
    symbols = subprocess.run(["nm", "-g", "game.o"], cwd=tmp_path, capture_output=True, encoding="utf-8", check=True)
    defined = [line.split() for line in symbols.stdout.splitlines()]
    assert {kind for *_, kind, _ in defined} == {"T"}  # Only functions, and no external symbols.
    declared = re.findall(r"^[\w *]*?\b(game_\w+)\(", generated.header, re.MULTILINE)
    assert sorted(declared) == sorted(name for *_, name in defined)
    for paragraph in generated.header.split("\n\n"):
        assert not re.search(r"^\w.*\);$", paragraph, re.MULTILINE) or "/*" in paragraph
    assert "@" not in generated.header
    assert generated.source.startswith(generated.header)


def test_two_games_can_be_linked_into_one_program(tmp_path: Path) -> None:
    uses = []
    for name in ("nim", "tictactoe"):
        generated = embedded(name, prefix=f"{name}_1")
        (tmp_path / f"{name}.c").write_text(generated.source, encoding="utf-8")
        (tmp_path / f"{name}.h").write_text(generated.header, encoding="utf-8")
        uses.append(f"{name}_1_abi() - {name.upper()}_1_ABI")
    main = f'#include "nim.h"\n#include "tictactoe.h"\nint main(void) {{ return (int)({" + ".join(uses)}); }}\n'
    (tmp_path / "main.c").write_text(main, encoding="utf-8")
    subprocess.run(["cc", *STRICT, "main.c", "nim.c", "tictactoe.c", "-o", "main"], cwd=tmp_path, check=True)
    subprocess.run([tmp_path / "main"], check=True)


@pytest.mark.parametrize("prefix", ["", "Game", "own", "a-b", "a b", "1a", "a__b", "_a", "ä", "a;"])
def test_invalid_c_prefix_is_refused(prefix: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(prefix)}$"):
        embed(game("nim"), "0", "0", prefix)


@pytest.fixture(scope="module")
def nim(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The game as a library in which undefined behaviour ends the process."""
    folder = tmp_path_factory.mktemp("nim")
    (folder / "game.c").write_text(embedded("nim").source, encoding="utf-8")
    checked = ("-fsanitize=undefined", "-fsanitize-undefined-trap-on-error")
    subprocess.run(["cc", *STRICT, *checked, "-shared", "-fPIC", "game.c", "-o", "game.so"], cwd=folder, check=True)
    game_library = ctypes.CDLL(str(folder / "game.so"))
    for name in ("make", "move", "cells"):
        getattr(game_library, f"game_{name}").restype = ctypes.c_void_p
    for name in ("decision_name", "option_name", "fault", "fault_rule"):
        getattr(game_library, f"game_{name}").restype = ctypes.c_char_p
    game_library.game_least_bytes.restype = game_library.game_points.restype = ctypes.c_int64
    return game_library


@pytest.fixture
def memory() -> ctypes.c_void_p:
    """Memory aligned to 16 bytes that is not zeroed."""
    buffer = ctypes.create_string_buffer(b"\xff" * (1 << 20), 1 << 20)
    memory = ctypes.c_void_p(-(-ctypes.addressof(buffer) // 16) * 16)
    memory.kept = buffer  # type: ignore[attr-defined]
    return memory


def test_run_is_created_only_in_sufficient_aligned_memory(nim: ctypes.CDLL, memory: ctypes.c_void_p) -> None:
    least = nim.game_least_bytes()
    assert nim.game_make(memory, ctypes.c_uint64(least)) == memory.value
    assert nim.game_make(memory, ctypes.c_uint64(least - 1)) is None
    assert nim.game_make(None, ctypes.c_uint64(least)) is None
    assert memory.value is not None
    assert nim.game_make(ctypes.c_void_p(memory.value + 8), ctypes.c_uint64(least)) is None


def test_invalid_numbers_are_refused(nim: ctypes.CDLL, memory: ctypes.c_void_p) -> None:
    run = ctypes.c_void_p(nim.game_make(memory, ctypes.c_uint64(nim.game_least_bytes())))
    text = ctypes.create_string_buffer(64)
    # No decision is pending before the first game.
    assert (nim.game_count(run), nim.game_decision(run), nim.game_seat(run), nim.game_winners(run)) == (0, -1, -1, 0)
    assert nim.game_choose(run, 0, ctypes.c_int64(0)) == NO_MOVE
    assert nim.game_start(run, ctypes.c_uint64(1)) == DECIDES
    count = nim.game_count(run)
    for number in (-1, count, 1 << 30, -(1 << 31)):
        assert nim.game_move(run, number) is None
        assert nim.game_choose(run, number, ctypes.c_int64(0)) == NO_MOVE
        assert nim.game_text(run, number, text, 64) == -1
        assert text.value == b""
        assert nim.game_decision_name(number) is None
        assert nim.game_option_name(0, number) is None
        assert nim.game_option_name(number, 0) is None
        assert nim.game_option_arguments(0, number) == -1
        assert nim.game_points(run, number) == 0
    assert nim.game_count(run) == count
    assert (nim.game_decision_name(0), nim.game_option_name(0, 0), nim.game_option_arguments(0, 0)) == (
        b"turn", b"take", 2,
    )  # fmt: skip
    assert (nim.game_fault(run), nim.game_fault_rule(run), nim.game_fault_line(run)) == (b"", b"", 0)
    # A text is truncated to the size of the buffer.
    whole = nim.game_text(run, 0, text, 64)
    assert text.value.decode() == game("nim").start(1)[0].write(game("nim").start(1)[0].legal_moves()[0])
    assert whole == len(text.value)
    for bytes_ in (0, 1, 5, whole):
        cut = ctypes.create_string_buffer(b"x" * 80, 80)
        assert nim.game_text(run, 0, cut, bytes_) == whole
        assert cut.raw[:bytes_] == (text.value[: max(bytes_ - 1, 0)] + b"\0")[:bytes_]
        assert cut.raw[bytes_] == ord("x")


def test_perft_reports_too_little_memory(nim: ctypes.CDLL, memory: ctypes.c_void_p) -> None:
    run = ctypes.c_void_p(nim.game_make(memory, ctypes.c_uint64(nim.game_least_bytes())))
    levels = (ctypes.c_uint64 * 5 * 61)()
    assert nim.game_perft(run, ctypes.c_uint64(0), 60, 0, levels) == -NO_ROOM
    assert nim.game_start(run, ctypes.c_uint64(1)) == DECIDES


def test_game_continues_from_a_saved_position(nim: ctypes.CDLL, memory: ctypes.c_void_p) -> None:
    run = ctypes.c_void_p(nim.game_make(memory, ctypes.c_uint64(1 << 19)))
    luck = (ctypes.c_uint64 * 2)(17, 5)
    assert nim.game_start(run, ctypes.c_uint64(1)) == DECIDES
    length = len(game("nim").backend.start(1))
    saved = (ctypes.c_int64 * length).from_buffer_copy(ctypes.string_at(nim.game_cells(run), 8 * length))
    before = nim.game_count(run)
    played = ctypes.c_int64()
    assert nim.game_playout(run, luck, ctypes.c_int64(1000), ctypes.byref(played)) == ENDED
    assert (nim.game_count(run), nim.game_decision(run), nim.game_seat(run)) == (0, -1, -1)
    state = game("nim").start(1)[0].cells
    assert game("nim").backend.playout(state, (17, 5), 1000)[0] == played.value
    assert nim.game_winners(run) in (1, 2)
    assert nim.game_set(run, saved) == DECIDES
    assert nim.game_count(run) == before
    nim.game_stop(run, 1)
    assert nim.game_start(run, ctypes.c_uint64(1)) == DECIDES
    assert nim.game_playout(run, luck, ctypes.c_int64(1000), ctypes.byref(played)) == 5
    nim.game_stop(run, 0)
    assert nim.game_start(run, ctypes.c_uint64(1)) == DECIDES
