"""Compiles C to a library that is loaded into this process, and keeps it for the next one.

A library is code: what is kept of it is an entry of the cache, sealed and the user's alone, and it is loaded from a
file that is made for that in a folder of its own, and gone afterwards.  So nothing that is broken, or that anybody else
could have written, is ever loaded, and where nothing can be kept it is compiled anew.
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

from wongar_dsl.cache import Cache, require_own

#: Names a compiler, before those that are looked for.
CHOSEN = "WONGAR_CC"
_COMPILERS = ("cc", "gcc", "clang")
#: What is compiled stands alone: without a library under it there is nothing that a game could call.
FLAGS = (
    "-std=c11", "-O2", "-fPIC", "-shared", "-ffreestanding", "-nostdlib", "-fvisibility=hidden", "-w",
)  # fmt: skip
#: Loops stay loops, instead of calls of a library: gcc needs to be told, and others do not all understand it.
GCC_FLAGS = ("-fno-tree-loop-distribute-patterns",)
#: So long, in seconds, may a compiler take to say what it is, and to compile.
GREETING, PATIENCE = 10, 60
#: A source of more characters is not compiled: that would take too long, and too much memory.
MOST_SOURCE = 16_000_000
_MOST_TOLD = 65_536
#: How names of folders begin in which a compiler works, and seconds after which one is nobody's any more.
PREFIX, FORSAKEN = "native-", 3_600
#: What a source says of itself, and its library too: another word for each.
_DIGEST = re.compile(r'^#define SOURCE "(\w+)"$', re.MULTILINE)


class NoCompiler(Exception):
    """There is no C compiler, or it cannot compile this."""


@once
def compiler() -> tuple[str, ...]:
    """The command of a C compiler, empty where there is none."""
    chosen = os.environ.get(CHOSEN)
    if chosen is not None:
        with contextlib.suppress(ValueError):
            return tuple(shlex.split(chosen))
        return ()
    found = next((path for name in _COMPILERS if (path := shutil.which(name))), None)
    if found is not None:
        return (found,)
    if importlib.util.find_spec("ziglang") is not None:
        return (sys.executable, "-m", "ziglang", "cc")
    return ()


#: What each compiler says of itself, None for one that says nothing; and those that did not come to an end.
_versions: dict[tuple[str, ...], str | None] = {}
_hanging: set[tuple[str, ...]] = set()
#: What is loaded in this process, by what it was made of.
_at_hand: dict[str, ctypes.CDLL] = {}
_one_at_a_time = threading.Lock()


def at_hand() -> bool:
    """Whether there is a C compiler that can be run."""
    with _one_at_a_time:
        return _version(compiler()) is not None


def compiled(source: str, cache: Cache | None, flags: Sequence[str] = FLAGS) -> ctypes.CDLL:
    """The library of a source, compiled where it was not before; raises NoCompiler."""
    command = compiler()
    with _one_at_a_time:
        version = _version(command)
    if version is None or len(source) > MOST_SOURCE:
        raise NoCompiler
    if "clang" not in version:
        flags = (*flags, *GCC_FLAGS)
    made_of = "\0".join((source, *flags, *command, version, platform.machine(), sys.platform))
    key = hashlib.sha256(made_of.encode()).hexdigest()
    with _one_at_a_time:
        if key not in _at_hand:
            try:
                _at_hand[key] = _kept(key, source, cache) or _made(command, key, source, cache, flags)
            except OSError as error:
                raise NoCompiler(str(error)) from error
        return _at_hand[key]


def _kept(key: str, source: str, cache: Cache | None) -> ctypes.CDLL | None:
    """The library that was compiled before; None where there is none that can be used."""
    data = cache.get("native", key) if cache is not None else None
    with contextlib.suppress(OSError):
        return _loaded(data, source, cache) if data is not None else None
    return None


def _made(command: tuple[str, ...], key: str, source: str, cache: Cache | None, flags: Sequence[str]) -> ctypes.CDLL:
    """The library, compiled now and kept; raises OSError and NoCompiler."""
    if command in _hanging:
        raise NoCompiler
    with _folder() as folder:
        _sweep(Path(folder))
        path, made = Path(folder) / "game.c", Path(folder) / "game.so"
        path.write_text(source, encoding="utf-8")
        _carried_out(command, (*flags, str(path), "-o", str(made)), PATIENCE)
        data = made.read_bytes()
    library = _loaded(data, source, cache)
    if cache is not None:
        cache.put(data, "native", key)
    return library


def _folder(inside: Path | None = None) -> tempfile.TemporaryDirectory[str]:
    """A folder of the user's alone, which is gone afterwards; raises OSError."""
    return tempfile.TemporaryDirectory(prefix=PREFIX, dir=inside, ignore_cleanup_errors=True)


def _sweep(own: Path) -> None:
    """Remove folders beside a new one that killed programs of this user left: no compiler works for an hour."""
    now = own.stat().st_mtime
    for folder in own.parent.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            found = folder.lstat()
            mine = stat.S_ISDIR(found.st_mode) and (not hasattr(os, "getuid") or found.st_uid == os.getuid())
            if mine and now - found.st_mtime > FORSAKEN:
                shutil.rmtree(folder)


def _loaded(data: bytes, source: str, cache: Cache | None) -> ctypes.CDLL:
    """Load a library, where it is that of the source; raises OSError."""
    try:
        return _loaded_from(None, data, source)
    except OSError:
        # What lies where files are put for a while may not be run, so that it has to be tried elsewhere.
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
            found = (ctypes.c_char * (len(digest[1]) + 1)).in_dll(library, "game_source").value
        except ValueError as error:
            raise OSError(str(error)) from error
        if found != digest[1].encode():
            raise OSError("a library of another source")
        return library


# ---- compilers -----------------------------------------------------------------------------------------------------


def _version(command: tuple[str, ...]) -> str | None:
    """What a compiler says of itself; None where there is none, or it cannot be run."""
    if not command:
        return None
    if command not in _versions:
        _versions[command] = None
        with contextlib.suppress(OSError, NoCompiler):
            _versions[command] = _carried_out(command, ("--version",), GREETING).decode(errors="replace")
    return _versions[command]


def _carried_out(command: tuple[str, ...], arguments: Sequence[str], patience: float) -> bytes:
    """The beginning of what a compiler prints; raises OSError, and NoCompiler where it fails or does not end."""
    with subprocess.Popen(
        [*command, *arguments],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        timer = threading.Timer(patience, _end, (process,))
        timer.daemon = True
        timer.start()
        try:
            told = process.stdout.read(_MOST_TOLD)
            if len(told) == _MOST_TOLD:
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
    return told


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process with all that it has started, so that nothing is waited for any more."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
