"""Runs a program as Python: `generator` writes its source, `runtime` is what that source calls, `backend` runs both."""

from __future__ import annotations

from wongar_dsl.backends.python.backend import PythonBackend

__all__ = ["PythonBackend"]
