"""The intermediate form that all backends run: a flat state of integers and a program over it.

A *state* is a list of integers.  `Program.fields` says what stands where.  A program has *procedures*, which never
wait, and *blocks*, which end where somebody decides; all that must outlive a decision stands in the state.  Passes
import this package as `ir`; what code is made of is loaded when it is first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wongar_dsl.ir.events import *  # noqa: F403
from wongar_dsl.ir.program import *  # noqa: F403
from wongar_dsl.late.names import ALL, names_of

if TYPE_CHECKING:
    from wongar_dsl.ir.code import *  # noqa: F403
else:
    __getattr__ = names_of(__name__, {".code": ALL})
