"""Intermediate representation (IR) that all backends run: a flat integer state and a program over it.

A *state* is a list of integers, whose layout is in `Program.fields`.  A program has *procedures*, which never suspend,
and *blocks*, which end at decisions.  Everything that must survive a decision is in the state.  Passes import this
package as `ir`; the instruction classes are loaded on first access.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wongar_dsl.base.lazy import ALL, lazy_getattr
from wongar_dsl.compiler.ir.program import *  # noqa: F403

if TYPE_CHECKING:
    from wongar_dsl.compiler.ir.instructions import *  # noqa: F403
else:
    __getattr__ = lazy_getattr(__name__, {".instructions": ALL})
