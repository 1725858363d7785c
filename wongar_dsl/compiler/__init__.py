"""The compiler: from a checked model to a program, and the backends that run it.

The names of the backends stand here, so that help texts do not wait for the backends.
"""

from __future__ import annotations

BACKENDS = ("reference", "python", "native")
#: Valid names for `load_backend`.  `auto` steps in Python, and runs bulk work as machine code if possible.
CHOICES = (*BACKENDS, "auto")
