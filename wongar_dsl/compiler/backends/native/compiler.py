"""Compiler driver: compiles C to a shared library, caches it, and loads it into this process.

A library is executable code.  The cached copy is a sealed entry that belongs to the user alone.  It is loaded from a
temporary file in a private folder, which is then removed.  So no damaged library, and none that another user could have
written, is ever loaded.  Without a cache the library is compiled again in each process.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import importlib.util
import os
import platform
import re
import shlex
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from functools import cache as once
from pathlib import Path

from wongar_dsl.base.storage.cache import Cache, require_own
from wongar_dsl.compiler.backends.protocol import NoCompiler

#: Environment variable with the command of a compiler, which has priority.
COMPILER_VARIABLE = "WONGAR_CC"
_COMPILERS = ("cc", "gcc", "clang")
#: The library is freestanding, so that a game cannot call library functions.
FLAGS = (
    "-std=c11", "-O2", "-fPIC", "-shared", "-ffreestanding", "-nostdlib", "-fvisibility=hidden", "-w",
)  # fmt: skip
#: Prevents gcc from replacing loops by library calls; other compilers may not know the option.
GCC_FLAGS = ("-fno-tree-loop-distribute-patterns",)
#: Time limits in seconds for the version query and for a compilation.
VERSION_TIMEOUT_S, COMPILE_TIMEOUT_S = 10, 60
#: Maximum length of a source in characters; compiling more takes too much time and memory.
MAX_SOURCE_CHARS = 16_000_000
_MAX_COMPILER_OUTPUT = 65_536
#: Prefix of temporary folders, and age in seconds after which one is abandoned.
PREFIX, ABANDONED_AFTER_S = "native-", 3_600
#: Digest in the source, which the library contains too.
_DIGEST = re.compile(r'^#define SOURCE "(\w+)"$', re.MULTILINE)


@once
def compiler() -> tuple[str, ...]:
    """Return the command of a C compiler, empty if there is none."""
    chosen = os.environ.get(COMPILER_VARIABLE)
    if chosen is not None:
        with contextlib.suppress(ValueError):
            return tuple(shlex.split(chosen))
        return ()
    path_found = next((path for name in _COMPILERS if (path := shutil.which(name))), None)
    if path_found is not None:
        return (path_found,)
    if importlib.util.find_spec("ziglang") is not None:
        return (sys.executable, "-m", "ziglang", "cc")
    return ()


#: Version text of each compiler, None for one that fails; and compilers that did not finish in time.
_versions: dict[tuple[str, ...], str | None] = {}
_hanging: set[tuple[str, ...]] = set()
#: Libraries loaded in this process, by key.
_at_hand: dict[str, ctypes.CDLL] = {}
_one_at_a_time = threading.Lock()


def is_available() -> bool:
    """Return whether there is a working C compiler."""
    with _one_at_a_time:
        return _version(compiler()) is not None


def compile_library(source: str, cache: Cache | None, flags: Sequence[str] = FLAGS) -> ctypes.CDLL:
    """Return the library of a source, compiled if it is not cached.  Raises NoCompiler."""
    command = compiler()
    with _one_at_a_time:
        version = _version(command)
    if version is None or len(source) > MAX_SOURCE_CHARS:
        raise NoCompiler
    if "clang" not in version:
        flags = (*flags, *GCC_FLAGS)
    made_of = "\0".join((source, *flags, *command, version, platform.machine(), sys.platform))
    key = hashlib.sha256(made_of.encode()).hexdigest()
    with _one_at_a_time:
        if key not in _at_hand:
            try:
                _at_hand[key] = _cached(key, source, cache) or _compile(command, key, source, cache, flags)
            except OSError as error:
                raise NoCompiler(str(error)) from error
        return _at_hand[key]


def _cached(key: str, source: str, cache: Cache | None) -> ctypes.CDLL | None:
    """Return the cached library, None if there is none that can be loaded."""
    data = cache.get("native", key) if cache is not None else None
    with contextlib.suppress(OSError):
        return _loaded(data, source, cache) if data is not None else None
    return None


def _compile(command: tuple[str, ...], key: str, source: str, cache: Cache | None, flags: Sequence[str]) -> ctypes.CDLL:
    """Compile, load and cache a library.  Raises OSError and NoCompiler."""
    if command in _hanging:
        raise NoCompiler
    with _folder() as folder:
        _sweep(Path(folder))
        path, library_path = Path(folder) / "game.c", Path(folder) / "game.so"
        path.write_text(source, encoding="utf-8")
        _compiler_output(command, (*flags, str(path), "-o", str(library_path)), COMPILE_TIMEOUT_S)
        data = library_path.read_bytes()
    library = _loaded(data, source, cache)
    if cache is not None:
        cache.put(data, "native", key)
    return library


def _folder(inside: Path | None = None) -> tempfile.TemporaryDirectory[str]:
    """Return a private temporary folder.  Raises OSError."""
    return tempfile.TemporaryDirectory(prefix=PREFIX, dir=inside, ignore_cleanup_errors=True)


def _sweep(own: Path) -> None:
    """Remove old temporary folders of this user, left by killed processes."""
    now = own.stat().st_mtime
    for folder in own.parent.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            status = folder.lstat()
            mine = stat.S_ISDIR(status.st_mode) and (not hasattr(os, "getuid") or status.st_uid == os.getuid())
            if mine and now - status.st_mtime > ABANDONED_AFTER_S:
                shutil.rmtree(folder)


def _loaded(data: bytes, source: str, cache: Cache | None) -> ctypes.CDLL:
    """Load a library, if it belongs to the source.  Raises OSError."""
    try:
        return _loaded_from(None, data, source)
    except OSError:
        # The temporary folder may be mounted noexec, so the cache folder is tried too.
        if cache is None:
            raise
        return _loaded_from(cache.folder, data, source)


def _loaded_from(inside: Path | None, data: bytes, source: str) -> ctypes.CDLL:
    with _folder(inside) as folder:
        path = Path(folder) / "game.so"
        path.touch(mode=0o600)
        path.write_bytes(data)
        require_own(path)
        library = ctypes.CDLL(str(path))
        digest = _DIGEST.search(source)
        assert digest is not None
        try:
            library_digest = (ctypes.c_char * (len(digest[1]) + 1)).in_dll(library, "game_source").value
        except ValueError as error:
            raise OSError(str(error)) from error
        if library_digest != digest[1].encode():
            raise OSError("a library of another source")
        return library


# ---- compilers -----------------------------------------------------------------------------------------------------


def _version(command: tuple[str, ...]) -> str | None:
    """Return the version text of a compiler; None if it does not run."""
    if not command:
        return None
    if command not in _versions:
        _versions[command] = None
        with contextlib.suppress(OSError, NoCompiler):
            _versions[command] = _compiler_output(command, ("--version",), VERSION_TIMEOUT_S).decode(errors="replace")
    return _versions[command]


def _compiler_output(command: tuple[str, ...], arguments: Sequence[str], patience: float) -> bytes:
    """Return the beginning of a compiler's output.  Raises OSError, and NoCompiler if it fails or does not finish."""
    with subprocess.Popen(
        [*command, *arguments],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        timer = threading.Timer(patience, _end, (process,))
        timer.daemon = True
        timer.start()
        try:
            output = process.stdout.read(_MAX_COMPILER_OUTPUT)
            if len(output) == _MAX_COMPILER_OUTPUT:
                _end(process)
            process.wait()
        except BaseException:
            _end(process)
            raise
        finally:
            if not timer.is_alive():
                _hanging.add(command)
            timer.cancel()
    if process.returncode or command in _hanging:
        raise NoCompiler(f"{shlex.join(command)}: {process.returncode}")
    return output


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process with all its children, so that its output is closed."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
