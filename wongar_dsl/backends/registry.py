"""The backends by their names."""

from __future__ import annotations

from wongar_dsl import ir
from wongar_dsl.backends.protocol import Backend
from wongar_dsl.backends.python import PythonBackend
from wongar_dsl.backends.reference import ReferenceBackend
from wongar_dsl.cache import Cache

BACKENDS = ("reference", "python")


def load_backend(program: ir.Program, backend: str = "python", cache: Cache | None = None) -> Backend:
    """Make a program ready on a backend, `python` or `reference`; raises KeyError for another.

    `cache` keeps what is costly to make.
    """
    if backend not in BACKENDS:
        raise KeyError(backend)
    return PythonBackend(program, cache) if backend == "python" else ReferenceBackend(program)
