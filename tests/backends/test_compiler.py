"""Compilers that are missing, broken or never done, and folders that are full, closed or somebody else's: the game is
played in Python then, or what is kept is made anew.  Nothing is loaded that was not made here."""

from __future__ import annotations

import ctypes
import os
import resource
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import pytest

from wongar_dsl import ir, library
from wongar_dsl.backends import load_backend
from wongar_dsl.backends.native import compiler, generate, memory
from wongar_dsl.backends.protocol import Backend
from wongar_dsl.cache import Cache

#: What is really said to gcc.
FLAGS = (*compiler.FLAGS, *compiler.GCC_FLAGS)


@cache
def program() -> ir.Program:
    return library.load("nim").game(2).program


@pytest.fixture(autouse=True)
def _anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is known of compilers, and nothing is loaded yet."""
    compiler.compiler.cache_clear()
    for name, nothing in (("_versions", {}), ("_hanging", set()), ("_at_hand", {})):
        monkeypatch.setattr(compiler, name, nothing)
    monkeypatch.setattr(compiler, "GCC_FLAGS", ("-O0",))  # Whatever is compiled here is to be there soon.


@pytest.fixture
def chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The compiler that is chosen: a script."""
    path = tmp_path / "a compiler"
    path.touch(mode=0o700)
    monkeypatch.setenv(compiler.CHOSEN, f"'{path}'")
    return path


def loaded(folder: Path) -> Backend:
    """The backend that is got by asking for machine code; it plays as any other."""
    found = load_backend(program(), "native", Cache(folder))
    assert found.playouts(1, 0, 2, 100) == load_backend(program()).playouts(1, 0, 2, 100)
    return found


def libraries(folder: Path) -> list[Path]:
    """What was kept that is a library."""
    return [path for path in folder.glob("*.bin") if b"\x7fELF" in path.read_bytes()[:100]]


# ---- compilers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["", "/does/not/exist", "false", "true", "'unbalanced", "cat", "yes", "python3"])
def test_without_a_compiler_that_works_it_is_played_in_python(
    command: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(compiler.CHOSEN, command)
    assert loaded(tmp_path).name == "python"
    assert load_backend(program(), "auto", Cache(tmp_path)).name == "python"


def test_a_compiler_that_is_never_done_is_ended_with_all_that_it_started(
    chosen: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started = tmp_path / "started"
    chosen.write_text(f'#!/bin/sh\n[ "$1" = --version ] && exit\nsleep 100 & echo $! >> {started}\nwait\n')
    monkeypatch.setattr(compiler, "PATIENCE", 0.3)
    began = time.monotonic()
    assert [loaded(tmp_path).name for _ in range(3)] == ["python"] * 3
    assert time.monotonic() - began < 3
    [sleeping] = started.read_text().split()  # What is never done is not tried again.
    assert gone(int(sleeping))


def test_a_compiler_that_does_not_say_what_it_is_is_ended(
    chosen: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    chosen.write_text("#!/bin/sh\nexec sleep 100\n")
    monkeypatch.setattr(compiler, "GREETING", 0.2)
    assert loaded(tmp_path).name == "python"


def test_a_compiler_that_talks_without_end_is_ended(chosen: Path, tmp_path: Path) -> None:
    chosen.write_text("#!/bin/sh\nexec yes\n")
    assert loaded(tmp_path).name == "python"


def test_a_compiler_that_understands_nothing_of_gcc_s_own_is_used(chosen: Path, tmp_path: Path) -> None:
    refusing = 'case "$*" in *-tree-*) exit 1 ;; esac'
    chosen.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo clang version 22 && exit\n{refusing}\nexec cc "$@"\n')
    assert loaded(tmp_path).name == "native"


def test_a_library_of_another_source_is_not_used(chosen: Path, tmp_path: Path) -> None:
    """A compiler that always gives the same library."""
    other = tmp_path / "other.c"
    other.write_text('__attribute__((visibility("default"))) const char game_source[] = "other";')
    chosen.write_text(f'#!/bin/sh\n[ "$1" = --version ] && exit\nfor to; do :; done\ncc -shared {other} -o "$to"\n')
    assert loaded(tmp_path).name == "python"
    assert not libraries(tmp_path)


def test_who_stops_while_it_compiles_leaves_nothing_behind(chosen: Path, tmp_path: Path) -> None:
    started = tmp_path / "started"
    chosen.write_text(f'#!/bin/sh\n[ "$1" = --version ] && exit\necho $$ > {started}\nexec sleep 100\n')
    playing = f"import sys; sys.path.insert(0, {str(Path(__file__).parents[2])!r})\n"
    playing += "from tests.backends import test_compiler as t; from pathlib import Path\n"
    playing += f"t.load_backend(t.program(), 'native', t.Cache(Path({str(tmp_path / 'kept')!r})))"
    with subprocess.Popen([sys.executable, "-c", playing]) as process:
        while not started.exists() or not started.read_text():
            time.sleep(0.01)
            assert process.poll() is None
        process.kill()
    os.kill(int(started.read_text()), 9)
    assert not any(path.suffix == ".so" for path in (tmp_path / "kept").rglob("*"))


def gone(process: int) -> bool:
    """Whether a process has ended, or does so within a second."""
    for _ in range(100):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        if f"{process} (sleep) Z" in Path(f"/proc/{process}/stat").read_text():
            return True
        time.sleep(0.01)
    return False


# ---- what is kept --------------------------------------------------------------------------------------------------


def test_what_was_compiled_is_compiled_no_more(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert loaded(tmp_path).name == "native"
    compiler._at_hand.clear()
    monkeypatch.setattr(compiler, "_made", None)
    assert loaded(tmp_path).name == "native"


@pytest.mark.parametrize("damage", ["cut short", "empty", "another", "open to all", "of somebody else"])
def test_a_library_that_is_broken_or_not_ours_is_made_anew(
    damage: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    loaded(tmp_path)
    compiler._at_hand.clear()
    [path] = libraries(tmp_path)
    data = path.read_bytes()
    if damage == "of somebody else":
        if own := os.getuid():
            monkeypatch.setattr(os, "getuid", lambda: own + 1)
        else:
            os.chown(path, 1, 1)
    elif damage == "open to all":
        path.chmod(0o666)
    else:
        path.write_bytes({"cut short": data[: len(data) // 2], "empty": b"", "another": data[:-1] + b"x"}[damage])
    asked: list[bytes] = []
    load = compiler._loaded
    monkeypatch.setattr(compiler, "_loaded", lambda data, *rest: (asked.append(data), load(data, *rest))[1])
    assert loaded(tmp_path).name == "native"
    assert len(asked) == 1  # Only what was made now.
    if not os.getuid():
        assert path.stat().st_uid == 0
        assert path.stat().st_mode & 0o077 == 0
        assert path.read_bytes()[-100:] == data[-100:] or damage == "another"


def test_a_folder_that_is_open_to_all_is_not_used(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    assert loaded(tmp_path).name == "native"
    assert not list(tmp_path.iterdir())


def test_where_nothing_can_be_kept_it_is_compiled_each_time(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    assert loaded(file / "folder").name == "native"


def test_a_full_disk_leaves_python(tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    try:
        assert loaded(tmp_path).name == "python"
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not [path for path in tmp_path.iterdir() if path.suffix != ".bin"]


def test_too_little_memory_for_machine_code_leaves_python(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(memory, "FIRST_ROOM", 1 << 60)
    assert loaded(tmp_path).name == "python"


def test_what_may_not_be_run_here_is_run_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Files for a while lie where nothing may be run."""
    load = ctypes.CDLL

    def refusing(name: str) -> ctypes.CDLL:
        if not name.startswith(str(tmp_path)):
            raise OSError("failed to map segment from shared object")
        return load(name)

    monkeypatch.setattr(ctypes, "CDLL", refusing)
    assert loaded(tmp_path).name == "native"
    assert not list(tmp_path.glob("native-*"))
    monkeypatch.setattr(compiler, "_at_hand", {})
    monkeypatch.setattr(ctypes, "CDLL", lambda name: refusing("elsewhere"))
    assert loaded(tmp_path).name == "python"


def test_programs_that_are_made_at_once_leave_one_whole_library(tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda _: load_backend(program(), "native", Cache(tmp_path)).name, range(4)))
    assert set(found) == {"native"}
    assert len(libraries(tmp_path)) == 1
    assert not [path for path in tmp_path.iterdir() if path.suffix != ".bin"]


def test_a_game_calls_nothing(tmp_path: Path) -> None:
    source, made = tmp_path / "game.c", tmp_path / "game.so"
    source.write_text(generate(library.load("tongiaki").game(2).program), encoding="utf-8")
    subprocess.run([*compiler.compiler(), *FLAGS, source, "-o", made], check=True)
    tool = shutil.which("nm")
    assert tool is not None
    told = subprocess.run([tool, "-D", "--undefined-only", made], capture_output=True, check=True, text=True)
    assert told.stdout == ""
