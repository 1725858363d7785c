"""The backends by their names."""

from __future__ import annotations

from wongar_dsl import ir
from wongar_dsl.backends.protocol import Runner
from wongar_dsl.backends.python import Generated
from wongar_dsl.backends.reference import Reference
from wongar_dsl.cache import Store

BACKENDS = ("reference", "python")


def runner(program: ir.Program, backend: str = "python", store: Store | None = None) -> Runner:
    """Make a program ready on a backend, `python` or `reference`; raises KeyError for another.

    `store` keeps what is costly to make.
    """
    if backend not in BACKENDS:
        raise KeyError(backend)
    return Generated(program, store) if backend == "python" else Reference(program)
