"""Runs a program as machine code: `generator` writes it as C, `compiler` has that compiled and keeps it, `backend` runs
it."""

from __future__ import annotations

from wongar_dsl.backends.native.backend import NativeBackend
from wongar_dsl.backends.native.compiler import NoCompiler
from wongar_dsl.backends.native.generator import generate

__all__ = ["NativeBackend", "NoCompiler", "generate"]
