"""Python backend: `generator` writes Python source, `runtime` has the functions that it calls, `backend` runs it."""

from __future__ import annotations

from wongar_dsl.compiler.backends.python.backend import PythonBackend

__all__ = ["PythonBackend"]
