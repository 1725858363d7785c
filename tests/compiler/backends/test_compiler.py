"""Missing, broken or hanging compilers, and cache folders that are full, unwritable or owned by another user.

The game is then played in Python, or the cached library is rebuilt. Only libraries built here are loaded.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import pytest

from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import load_backend
from wongar_dsl.compiler.backends.bulk import Backend
from wongar_dsl.compiler.backends.native import compiler
from wongar_dsl.compiler.backends.native import library as native_library
from wongar_dsl.engine import library


@cache
def program() -> ir.Program:
    return library.load("nim").game(2).program


@pytest.fixture(autouse=True)
def _uncached_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clear everything cached about compilers and loaded libraries."""
    compiler.compiler.cache_clear()
    for name, nothing in (("_versions", {}), ("_hanging", set()), ("_at_hand", {})):
        monkeypatch.setattr(compiler, name, nothing)
    monkeypatch.setattr(compiler, "GCC_FLAGS", ("-O0",))  # Fast compilation is enough here.


@pytest.fixture
def compiler_script(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A script that is configured as the compiler."""
    path = tmp_path / "a compiler"
    path.touch(mode=0o700)
    monkeypatch.setenv(compiler.COMPILER_VARIABLE, f"'{path}'")
    return path


def load_native(folder: Path) -> Backend:
    """Return the backend loaded when machine code is requested, after comparing its playouts with another backend."""
    backend = load_backend(program(), "native", Cache(folder))
    assert backend.playouts(1, 0, 2, 100) == load_backend(program()).playouts(1, 0, 2, 100)
    return backend


def cached_libraries(folder: Path) -> list[Path]:
    """Return the cached files that are libraries."""
    return [path for path in folder.glob("*.bin") if b"\x7fELF" in path.read_bytes()[:100]]


@cache
def compiled_files() -> dict[str, bytes]:
    """Return the files of a cache after the game was compiled, by name."""
    with tempfile.TemporaryDirectory() as folder:
        load_native(Path(folder))
        compiler._at_hand.clear()
        return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


# ---- compilers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["", "/does/not/exist", "false", "true", "'unbalanced", "cat", "yes", "python3"])
def test_game_is_played_in_python_without_a_working_compiler(
    command: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(compiler.COMPILER_VARIABLE, command)
    assert load_native(tmp_path).name == "python"
    assert load_backend(program(), "auto", Cache(tmp_path)).name == "python"


def test_hanging_compiler_is_killed_with_its_children(
    compiler_script: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started = tmp_path / "started"
    compiler_script.write_text(f'#!/bin/sh\n[ "$1" = --version ] && exit\nsleep 100 & echo $! >> {started}\nwait\n')
    monkeypatch.setattr(compiler, "COMPILE_TIMEOUT_S", 0.3)
    began = time.monotonic()
    assert [load_native(tmp_path).name for _ in range(3)] == ["python"] * 3
    assert time.monotonic() - began < 3
    [sleeping] = started.read_text().split()  # A compiler that hung is not tried again.
    assert has_ended(int(sleeping))


@pytest.mark.parametrize("command", ["sleep 100", "yes"])
def test_compiler_that_never_ends_is_killed(
    command: str, compiler_script: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    compiler_script.write_text(f"#!/bin/sh\nexec {command}\n")
    monkeypatch.setattr(compiler, "VERSION_TIMEOUT_S", 0.2 if command == "sleep 100" else 10)
    assert load_native(tmp_path).name == "python"


def test_compiler_without_gcc_flags_is_used(compiler_script: Path, tmp_path: Path) -> None:
    refusing = 'case "$*" in *-tree-*) exit 1 ;; esac'
    compiler_script.write_text(
        f'#!/bin/sh\n[ "$1" = --version ] && echo clang version 22 && exit\n{refusing}\nexec cc "$@"\n'
    )
    assert load_native(tmp_path).name == "native"


def test_library_of_another_source_is_not_used(compiler_script: Path, tmp_path: Path) -> None:
    """The compiler always writes the same library."""
    other_source = tmp_path / "other.c"
    other_source.write_text('__attribute__((visibility("default"))) const char game_source[] = "other";')
    compiler_script.write_text(
        f'#!/bin/sh\n[ "$1" = --version ] && exit\nfor to; do :; done\ncc -shared {other_source} -o "$to"\n'
    )
    assert load_native(tmp_path).name == "python"
    assert not cached_libraries(tmp_path)


def test_process_killed_while_compiling_leaves_no_file(compiler_script: Path, tmp_path: Path) -> None:
    started = tmp_path / "started"
    compiler_script.write_text(f'#!/bin/sh\n[ "$1" = --version ] && exit\necho $$ > {started}\nexec sleep 100\n')
    compiled_program = program()
    process = os.fork()
    if not process:
        try:
            load_backend(compiled_program, "native", Cache(tmp_path / "kept"))
        finally:
            os._exit(0)
    while not started.exists() or not started.read_text():
        time.sleep(0.01)
        assert os.waitpid(process, os.WNOHANG) == (0, 0)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    os.kill(int(started.read_text()), signal.SIGKILL)
    assert not any(path.suffix == ".so" for path in (tmp_path / "kept").rglob("*"))


def has_ended(process: int) -> bool:
    """Return whether a process has ended, or ends within a second."""
    for _ in range(100):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        if f"{process} (sleep) Z" in Path(f"/proc/{process}/stat").read_text():
            return True
        time.sleep(0.01)
    return False


# ---- cache -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("damage", ["cut short", "empty", "another", "open to all", "of somebody else"])
def test_broken_or_foreign_library_is_rebuilt(damage: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, content in compiled_files().items():
        (tmp_path / name).touch(mode=0o600)
        (tmp_path / name).write_bytes(content)
    [path] = cached_libraries(tmp_path)
    data = path.read_bytes()
    if damage == "of somebody else":
        if uid := os.getuid():
            monkeypatch.setattr(os, "getuid", lambda: uid + 1)
        else:
            os.chown(path, 1, 1)
    elif damage == "open to all":
        path.chmod(0o666)
    else:
        path.write_bytes({"cut short": data[: len(data) // 2], "empty": b"", "another": data[:-1] + b"x"}[damage])
    loads: list[bytes] = []
    load = compiler._loaded
    monkeypatch.setattr(compiler, "_loaded", lambda data, *rest: (loads.append(data), load(data, *rest))[1])
    assert load_native(tmp_path).name == "native"
    assert len(loads) == 1  # Only the rebuilt library is loaded.
    if not os.getuid():
        assert path.stat().st_uid == 0
        assert path.stat().st_mode & 0o077 == 0
        assert path.read_bytes()[-100:] == data[-100:] or damage == "another"


def test_game_is_compiled_each_time_without_a_usable_folder(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    assert load_native(tmp_path).name == "native"
    assert not list(tmp_path.iterdir())
    file = tmp_path / "file"
    file.touch()
    compiler._at_hand.clear()
    assert load_native(file / "folder").name == "native"


def test_python_backend_is_used_on_a_full_disk(tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    try:
        assert load_native(tmp_path).name == "python"
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not [path for path in tmp_path.iterdir() if path.suffix != ".bin"]


def test_python_backend_is_used_with_too_little_memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(native_library, "INITIAL_MEMORY_BYTES", 1 << 60)
    assert load_native(tmp_path).name == "python"


def test_library_is_loaded_from_the_cache_if_temp_is_noexec(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Temporary files lie on a file system mounted noexec."""
    load = ctypes.CDLL

    def refusing(name: str) -> ctypes.CDLL:
        if not name.startswith(str(tmp_path)):
            raise OSError("failed to map segment from shared object")
        return load(name)

    monkeypatch.setattr(ctypes, "CDLL", refusing)
    assert load_native(tmp_path).name == "native"
    assert not list(tmp_path.glob("native-*"))
    compiler._at_hand.clear()
    with monkeypatch.context() as patch:
        patch.setattr(compiler, "_compile", None)  # The library is in the cache.
        assert load_native(tmp_path).name == "native"
    compiler._at_hand.clear()
    monkeypatch.setattr(ctypes, "CDLL", lambda name: refusing("elsewhere"))
    assert load_native(tmp_path).name == "python"


def test_concurrent_compilations_leave_one_complete_library(tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as threads:
        backend_names = list(threads.map(lambda _: load_backend(program(), "native", Cache(tmp_path)).name, range(4)))
    assert set(backend_names) == {"native"}
    assert len(cached_libraries(tmp_path)) == 1
    assert not [path for path in tmp_path.iterdir() if path.suffix != ".bin"]
