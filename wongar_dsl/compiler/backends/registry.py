"""Backends by name, and the backend that steps in Python and runs bulk work as machine code."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from threading import Thread
from typing import TYPE_CHECKING, Any, cast

from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.compiler import CHOICES, ir
from wongar_dsl.compiler.backends.bulk import Backend
from wongar_dsl.compiler.backends.interpreter import ReferenceBackend
from wongar_dsl.compiler.backends.protocol import NoCompiler
from wongar_dsl.compiler.backends.python import PythonBackend

if TYPE_CHECKING:
    from wongar_dsl.compiler.backends.native import NativeBackend

_STEPPING = ("program", "start", "run", "advance", "options", "evaluate", "choose", "search")
#: Members for bulk work: true if they wait for the native backend, otherwise Python is used until it is ready.
_BULK = {
    "name": True, "bulk_backend": True, "playouts": True, "evaluate_options": True, "perft": True,
    "playout": False, "outcomes": False, "determinize": False,
}  # fmt: skip


class AutoBackend:
    """`Backend` that compiles the program in a thread on first bulk use, and uses Python meanwhile."""

    def __init__(self, plain: Backend, native: Callable[[], NativeBackend]) -> None:
        """Store both backends.  `native` creates the native backend, and raises NoCompiler if there is none."""
        self.stepping_backend, self._make = plain, native
        self._compiled: Backend | None = None
        self._error: BaseException | None = None
        self._thread: Thread | None = None
        vars(self).update({name: getattr(plain, name) for name in _STEPPING})

    def __getattr__(self, name: str) -> Any:
        if name not in _BULK:
            raise AttributeError(name)
        return getattr(self._bulk_backend(_BULK[name]), name)

    @property
    def reached_marks(self) -> set[int]:
        """Implement `Backend.reached_marks`."""
        reached = self.stepping_backend.reached_marks
        if self._compiled is not None and self._compiled is not self.stepping_backend:
            native_marks = self._compiled.reached_marks
            reached |= native_marks
            native_marks.clear()
        return reached

    def _bulk_backend(self, wait: bool) -> Backend:
        """Return the backend for bulk work; without `wait`, the Python backend until the native one is ready."""
        if self._thread is None:
            thread = Thread(target=self._compile, daemon=True)
            thread.start()
            self._thread = thread
        if wait:
            self._thread.join()
        if self._error is not None:
            raise self._error
        return self._compiled or self.stepping_backend

    def _compile(self) -> None:
        try:
            self._compiled = self._make()
        except NoCompiler:
            self._compiled = self.stepping_backend
        except BaseException as error:
            self._error = error


# ---- choice by name ------------------------------------------------------------------------------------------------


def load_backend(
    program: ir.Program, backend: str = "python", cache: Cache | None = None, made_of: Sequence[str] = ()
) -> Backend:
    """Load a program on one of `CHOICES`.

    `cache` stores the compiled code.  `made_of` identifies the program, if its origin is known, so that cached code is
    found without generating the source.  Without a C compiler `native` becomes `python`.  Python's compiler is limited
    to 20 nested loops, 100 indentation levels and 200 brackets, and very large programs are too expensive; programs
    beyond that run on the equivalent but slower reference backend.  The `name` of the result is the actual backend.
    Raises KeyError for an unknown name.
    """
    if backend not in CHOICES:
        raise KeyError(backend)
    if backend == "native":
        with contextlib.suppress(NoCompiler):
            return _native(program, cache, made_of)
    if backend == "auto":
        automatic = AutoBackend(_python(program, cache, made_of), lambda: _native(program, cache, made_of))
        return cast(Backend, automatic)
    return ReferenceBackend(program) if backend == "reference" else _python(program, cache, made_of)


def python_backend(backend: Backend) -> PythonBackend | None:
    """Return a backend that runs the same program as generated Python; None if that is not possible."""
    plain = backend.stepping_backend
    if plain is backend and plain.name == "reference":
        plain = _python(backend.program, None, ())
    return plain if isinstance(plain, PythonBackend) else None


def _python(program: ir.Program, cache: Cache | None, made_of: Sequence[str]) -> Backend:
    with contextlib.suppress(SyntaxError, RecursionError, MemoryError):
        return PythonBackend(program, cache, made_of)
    return ReferenceBackend(program)


def _native(program: ir.Program, cache: Cache | None, made_of: Sequence[str]) -> NativeBackend:
    # Imported lazily: users of stepping backends should not wait for the import.
    from wongar_dsl.compiler.backends.native import NativeBackend

    return NativeBackend(program, cache, lambda: _python(program, cache, made_of))
