"""Games as C for other people's programs: the example plays and counts as `wongar` does, and what is handed in wrongly
does no harm."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from wongar_dsl import library
from wongar_dsl.embedding import PREFIX, Embedded, embed
from wongar_dsl.engine import Game

EXAMPLE = Path(__file__).parents[2] / "examples" / "c"
STRICT = ("-std=c11", "-Wall", "-Wextra", "-pedantic", "-Werror")
DECIDES, ENDED, FAULTED, NO_ROOM, NO_MOVE = range(5)


def game(name: str, seats: int = 2) -> Game:
    return library.load(name).game(seats)


@cache
def embedded(name: str, seats: int = 2, prefix: str = PREFIX) -> Embedded:
    return embed(game(name, seats), "0", "0", prefix)


def example(folder: Path, name: str, *arguments: str, seats: int = 2) -> list[str]:
    """What the example program prints, made with a game."""
    found = embedded(name, seats)
    (folder / "game.c").write_text(found.source, encoding="utf-8")
    (folder / "game.h").write_text(found.header, encoding="utf-8")
    shutil.copy(EXAMPLE / "main.c", folder)
    program = folder / "play"
    command = ["cc", *STRICT, "-O0", *(folder / file for file in ("main.c", "game.c")), "-o", program]
    subprocess.run(command, check=True)
    return subprocess.run([program, *arguments], capture_output=True, encoding="utf-8", check=True).stdout.splitlines()


@pytest.mark.parametrize(("name", "depth", "chance"), [("nim", 4, False), ("kuhn_poker", 5, True)])
def test_the_example_counts_the_courses_that_the_command_counts(
    tmp_path: Path, name: str, depth: int, chance: bool
) -> None:
    shown = example(tmp_path, name, "perft-chance" if chance else "perft", str(depth), "5")
    levels = list(game(name).backend.perft(5, depth, chance))[1:]
    assert shown == [
        f"{steps}: {level.histories} courses, {level.over} of them over, {level.positions} positions"
        for steps, level in enumerate(levels, 1)
    ]


def test_the_example_says_how_it_is_called(tmp_path: Path) -> None:
    example(tmp_path, "nim", "1")
    for arguments in (["some"], ["-1"], ["1", "2"], ["perft"], ["perft", "some"], ["perft", "2", "x"], ["perft", "61"]):
        called = subprocess.run([tmp_path / "play", *arguments], capture_output=True, encoding="utf-8")
        assert (called.returncode, called.stdout) == (2, ""), arguments
        assert "perft DEPTH [SEED]" in called.stderr


@pytest.mark.parametrize(("name", "seats"), [("wongar/initiated", 3), ("tongiaki", 2), ("ubongo", 2), ("goofspiel", 2)])
def test_a_game_of_the_example_can_be_played_again_by_its_moves(tmp_path: Path, name: str, seats: int) -> None:
    shown = example(tmp_path, name, "3", seats=seats)
    state, _ = game(name, seats).start(3)
    moves = 0
    for line in shown:
        if made := re.fullmatch(r"(\d+)\. seat (\d+), (\w+): (.*)", line):
            moves += 1
            assert state.decision is not None
            assert (int(made[1]), int(made[2]), made[3]) == (moves, state.seat + 1, state.decision.name)
            state.apply(state.read(made[4]))
    assert state.over
    assert moves > 5
    scores = state.scores if state.game.program.score is not None else [0] * seats
    ends = [f"seat {s + 1}{' has won' if s in state.winners else ''}, points {n}" for s, n in enumerate(scores)]
    assert shown[moves:] == ends


def test_every_function_is_declared_with_what_it_means(tmp_path: Path) -> None:
    found = embedded("nim")
    (tmp_path / "game.c").write_text(found.source, encoding="utf-8")
    subprocess.run(["cc", *STRICT, "-c", "game.c", "-o", "game.o"], cwd=tmp_path, check=True)
    symbols = subprocess.run(["nm", "-g", "game.o"], cwd=tmp_path, capture_output=True, encoding="utf-8", check=True)
    defined = [line.split() for line in symbols.stdout.splitlines()]
    assert {kind for *_, kind, _ in defined} == {"T"}  # Functions alone, and none from outside.
    declared = re.findall(r"^[\w *]*?\b(game_\w+)\(", found.header, re.MULTILINE)
    assert sorted(declared) == sorted(name for *_, name in defined)
    for paragraph in found.header.split("\n\n"):
        assert not re.search(r"^\w.*\);$", paragraph, re.MULTILINE) or "/*" in paragraph
    assert "@" not in found.header
    assert found.source.startswith(found.header)


def test_a_program_can_hold_two_games(tmp_path: Path) -> None:
    uses = []
    for name in ("nim", "tictactoe"):
        found = embedded(name, prefix=f"{name}_1")
        (tmp_path / f"{name}.c").write_text(found.source, encoding="utf-8")
        (tmp_path / f"{name}.h").write_text(found.header, encoding="utf-8")
        uses.append(f"{name}_1_abi() - {name.upper()}_1_ABI")
    main = f'#include "nim.h"\n#include "tictactoe.h"\nint main(void) {{ return (int)({" + ".join(uses)}); }}\n'
    (tmp_path / "main.c").write_text(main, encoding="utf-8")
    subprocess.run(["cc", *STRICT, "main.c", "nim.c", "tictactoe.c", "-o", "main"], cwd=tmp_path, check=True)
    subprocess.run([tmp_path / "main"], check=True)


@pytest.mark.parametrize("prefix", ["", "Game", "own", "a-b", "a b", "1a", "a__b", "_a", "ä", "a;"])
def test_a_prefix_that_is_no_word_in_c_is_refused(prefix: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(prefix)}$"):
        embed(game("nim"), "0", "0", prefix)


@pytest.fixture(scope="module")
def nim(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The game as a library, in which what goes beyond memory or meaning ends the process."""
    folder = tmp_path_factory.mktemp("nim")
    (folder / "game.c").write_text(embedded("nim").source, encoding="utf-8")
    checked = ("-fsanitize=undefined", "-fsanitize-undefined-trap-on-error")
    subprocess.run(["cc", *STRICT, *checked, "-shared", "-fPIC", "game.c", "-o", "game.so"], cwd=folder, check=True)
    found = ctypes.CDLL(str(folder / "game.so"))
    for name in ("make", "move", "cells"):
        getattr(found, f"game_{name}").restype = ctypes.c_void_p
    for name in ("decision_name", "option_name", "fault", "fault_rule"):
        getattr(found, f"game_{name}").restype = ctypes.c_char_p
    found.game_least_bytes.restype = found.game_points.restype = ctypes.c_int64
    return found


@pytest.fixture
def memory() -> ctypes.c_void_p:
    """Memory that begins at a multiple of 16, and is not empty."""
    kept = ctypes.create_string_buffer(b"\xff" * (1 << 20), 1 << 20)
    memory = ctypes.c_void_p(-(-ctypes.addressof(kept) // 16) * 16)
    memory.kept = kept  # type: ignore[attr-defined]
    return memory


def test_a_run_is_made_only_in_memory_that_can_hold_it(nim: ctypes.CDLL, memory: ctypes.c_void_p) -> None:
    least = nim.game_least_bytes()
    assert nim.game_make(memory, ctypes.c_uint64(least)) == memory.value
    assert nim.game_make(memory, ctypes.c_uint64(least - 1)) is None
    assert nim.game_make(None, ctypes.c_uint64(least)) is None
    assert memory.value is not None
    assert nim.game_make(ctypes.c_void_p(memory.value + 8), ctypes.c_uint64(least)) is None


def test_what_there_is_not_does_no_harm(nim: ctypes.CDLL, memory: ctypes.c_void_p) -> None:
    run = ctypes.c_void_p(nim.game_make(memory, ctypes.c_uint64(nim.game_least_bytes())))
    text = ctypes.create_string_buffer(64)
    # Before the first game there is nothing to do.
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
    # A text is cut short where there is no room, as far as that goes.
    whole = nim.game_text(run, 0, text, 64)
    assert text.value.decode() == game("nim").start(1)[0].write(game("nim").start(1)[0].legal_moves()[0])
    assert whole == len(text.value)
    for bytes_ in (0, 1, 5, whole):
        cut = ctypes.create_string_buffer(b"x" * 80, 80)
        assert nim.game_text(run, 0, cut, bytes_) == whole
        assert cut.raw[:bytes_] == (text.value[: max(bytes_ - 1, 0)] + b"\0")[:bytes_]
        assert cut.raw[bytes_] == ord("x")


def test_too_little_memory_for_a_count_is_told(nim: ctypes.CDLL, memory: ctypes.c_void_p) -> None:
    run = ctypes.c_void_p(nim.game_make(memory, ctypes.c_uint64(nim.game_least_bytes())))
    levels = (ctypes.c_uint64 * 5 * 61)()
    assert nim.game_perft(run, ctypes.c_uint64(0), 60, 0, levels) == -NO_ROOM
    assert nim.game_start(run, ctypes.c_uint64(1)) == DECIDES


def test_a_game_goes_on_from_a_position_that_was_kept(nim: ctypes.CDLL, memory: ctypes.c_void_p) -> None:
    run = ctypes.c_void_p(nim.game_make(memory, ctypes.c_uint64(1 << 19)))
    luck = (ctypes.c_uint64 * 2)(17, 5)
    assert nim.game_start(run, ctypes.c_uint64(1)) == DECIDES
    length = len(game("nim").backend.start(1))
    kept = (ctypes.c_int64 * length).from_buffer_copy(ctypes.string_at(nim.game_cells(run), 8 * length))
    before = nim.game_count(run)
    played = ctypes.c_int64()
    assert nim.game_playout(run, luck, ctypes.c_int64(1000), ctypes.byref(played)) == ENDED
    assert (nim.game_count(run), nim.game_decision(run), nim.game_seat(run)) == (0, -1, -1)
    state = game("nim").start(1)[0].cells
    assert game("nim").backend.playout(state, (17, 5), 1000)[0] == played.value
    assert nim.game_winners(run) in (1, 2)
    assert nim.game_set(run, kept) == DECIDES
    assert nim.game_count(run) == before
    nim.game_stop(run, 1)
    assert nim.game_start(run, ctypes.c_uint64(1)) == DECIDES
    assert nim.game_playout(run, luck, ctypes.c_int64(1000), ctypes.byref(played)) == 5
    nim.game_stop(run, 0)
    assert nim.game_start(run, ctypes.c_uint64(1)) == DECIDES
