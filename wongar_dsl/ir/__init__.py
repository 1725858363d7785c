"""The intermediate form that all backends run: a flat state of integers and a program over it.

A *state* is a list of integers.  `Program.fields` says what stands where.  A program has *procedures*, which never
wait, and *blocks*, which end where somebody decides; all that must outlive a decision stands in the state.  Passes
import this package as `ir`.
"""

from __future__ import annotations

from wongar_dsl.ir.code import *  # noqa: F403
from wongar_dsl.ir.events import *  # noqa: F403
from wongar_dsl.ir.program import *  # noqa: F403
