"""The backends by their names."""

from __future__ import annotations

import contextlib

from wongar_dsl import ir
from wongar_dsl.backends.protocol import Backend
from wongar_dsl.backends.python import PythonBackend
from wongar_dsl.backends.reference import ReferenceBackend
from wongar_dsl.cache import Cache

BACKENDS = ("reference", "python")


def load_backend(program: ir.Program, backend: str = "python", cache: Cache | None = None) -> Backend:
    """Make a program ready on a backend, `python` or `reference`; raises KeyError for another.

    `cache` keeps what is costly to make.  Python compiles no more than 20 loops inside each other, nor 100 indents or
    200 brackets: a program that needs more is run by the reference, which means the same and is slower.
    """
    if backend not in BACKENDS:
        raise KeyError(backend)
    if backend == "python":
        with contextlib.suppress(SyntaxError, RecursionError, MemoryError):
            return PythonBackend(program, cache)
    return ReferenceBackend(program)
