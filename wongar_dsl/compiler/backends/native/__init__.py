"""Native backend: `generator` writes C, `compiler` compiles and caches it, and `backend` runs it."""

from __future__ import annotations

from wongar_dsl.compiler.backends.native.backend import NativeBackend
from wongar_dsl.compiler.backends.native.generator import generate

__all__ = ["NativeBackend", "generate"]
