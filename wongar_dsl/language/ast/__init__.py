"""The abstract syntax tree of a rule file: frozen nodes, each with its span.

Nodes compare by identity, so that passes can keep their results in tables keyed by node. An *article* is a top-level
declaration; articles hold statements, statements hold expressions. Passes import this package as `s`; its modules are
loaded on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wongar_dsl.base.lazy import ALL, lazy_getattr

if TYPE_CHECKING:
    from wongar_dsl.language.ast.declarations import *  # noqa: F403
    from wongar_dsl.language.ast.nodes import *  # noqa: F403
    from wongar_dsl.language.ast.traversal import *  # noqa: F403
    from wongar_dsl.language.ast.zones import *  # noqa: F403
else:
    _MODULES = (".declarations", ".nodes", ".traversal", ".zones")
    __getattr__ = lazy_getattr(__name__, dict.fromkeys(_MODULES, ALL))
