"""The backends by their names."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from wongar_dsl import ir
from wongar_dsl.backends.auto import AutoBackend
from wongar_dsl.backends.protocol import Backend
from wongar_dsl.backends.python import PythonBackend
from wongar_dsl.backends.reference import ReferenceBackend
from wongar_dsl.cache import Cache

if TYPE_CHECKING:
    from wongar_dsl.backends.native import NativeBackend

BACKENDS = ("reference", "python", "native")
#: What may be asked for: `auto` goes step by step in Python, and plays whole games as machine code where it can.
CHOICES = (*BACKENDS, "auto")


def load_backend(
    program: ir.Program, backend: str = "python", cache: Cache | None = None, made_of: Sequence[str] = ()
) -> Backend:
    """Make a program ready on one of `CHOICES`; raises KeyError for another.

    `cache` keeps what is costly to make; `made_of` says what this program was made of and no other one, where that is
    known: by that, what was kept is found without a look at the code.

    Where there is no C compiler, `native` is `python`; Python compiles no more than 20 loops inside each other, nor 100
    indents or 200 brackets, and is given no very large program: one that needs more is run by the reference, which is
    equal and slower.
    What it became, its `name` tells.
    """
    if backend not in CHOICES:
        raise KeyError(backend)
    if backend == "native":
        from wongar_dsl.backends.native import NoCompiler

        with contextlib.suppress(NoCompiler):
            return _native(program, cache, made_of)
    if backend == "auto":
        return AutoBackend(_python(program, cache, made_of), lambda: _native(program, cache, made_of))
    return ReferenceBackend(program) if backend == "reference" else _python(program, cache, made_of)


def stepwise(backend: Backend) -> PythonBackend | None:
    """What runs the same program step by step as generated Python; None where Python is not up to it."""
    plain = backend.plain
    if isinstance(backend, ReferenceBackend):
        plain = _python(backend.program, None, ())
    return plain if isinstance(plain, PythonBackend) else None


def _python(program: ir.Program, cache: Cache | None, made_of: Sequence[str]) -> Backend:
    with contextlib.suppress(SyntaxError, RecursionError, MemoryError):
        return PythonBackend(program, cache, made_of)
    return ReferenceBackend(program)


def _native(program: ir.Program, cache: Cache | None, made_of: Sequence[str]) -> NativeBackend:
    """Raises NoCompiler."""
    # Who plays step by step does not wait for what makes machine code.
    from wongar_dsl.backends.native import NativeBackend

    return NativeBackend(program, cache, lambda: _python(program, cache, made_of))
