"""Backends by name."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends.auto import AutoBackend
from wongar_dsl.compiler.backends.protocol import Backend
from wongar_dsl.compiler.backends.python import PythonBackend

if TYPE_CHECKING:
    from wongar_dsl.compiler.backends.native import NativeBackend

BACKENDS = ("reference", "python", "native")
#: Valid names for `load_backend`.  `auto` steps in Python, and runs bulk work as machine code if possible.
CHOICES = (*BACKENDS, "auto")


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
        from wongar_dsl.compiler.backends.native import NoCompiler

        with contextlib.suppress(NoCompiler):
            return _native(program, cache, made_of)
    if backend == "auto":
        return AutoBackend(_python(program, cache, made_of), lambda: _native(program, cache, made_of))
    return _reference(program) if backend == "reference" else _python(program, cache, made_of)


def python_backend(backend: Backend) -> PythonBackend | None:
    """Return a backend that runs the same program as generated Python; None if that is not possible."""
    plain = backend.stepping_backend
    if plain is backend and plain.name == "reference":
        plain = _python(backend.program, None, ())
    return plain if isinstance(plain, PythonBackend) else None


def _python(program: ir.Program, cache: Cache | None, made_of: Sequence[str]) -> Backend:
    with contextlib.suppress(SyntaxError, RecursionError, MemoryError):
        return PythonBackend(program, cache, made_of)
    return _reference(program)


def _reference(program: ir.Program) -> Backend:
    from wongar_dsl.compiler.backends.interpreter import ReferenceBackend

    return ReferenceBackend(program)


def _native(program: ir.Program, cache: Cache | None, made_of: Sequence[str]) -> NativeBackend:
    # Imported lazily: users of stepping backends should not wait for the import.
    from wongar_dsl.compiler.backends.native import NativeBackend

    return NativeBackend(program, cache, lambda: _python(program, cache, made_of))
