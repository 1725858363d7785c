"""Lazy import of package attributes (PEP 562).

Re-exporting names from submodules would import all submodules for every user of the package.  With this `__getattr__` a
submodule is imported on first access to one of its names.  Type checkers read plain imports under `TYPE_CHECKING`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module

#: Marks a submodule that exports all its names.
ALL = "*"


def lazy_getattr(package: str, modules: Mapping[str, str]) -> Callable[[str], object]:
    """Return a `__getattr__` for a package.

    `modules` maps each submodule to the names that it provides, separated by spaces.  `ours=theirs` exports a name
    under another one.  Submodules with `ALL` are searched in their order for any other name.
    """
    sources = {
        name: (module, original or name)
        for module, names in modules.items()
        for name, _, original in (item.partition("=") for item in names.split())
        if name != ALL
    }
    open_modules = [module for module, names in modules.items() if names == ALL]

    def attribute(name: str) -> object:
        candidates = [sources[name]] if name in sources else [(module, name) for module in open_modules]
        # Python itself looks up names like `__path__`, which no submodule provides.
        for module, original in candidates if not name.startswith("__") else ():
            module_object = import_module(f"{package}{module}")
            if hasattr(module_object, original):
                # Store it as an attribute of the package, so that `__getattr__` is not called for it again.
                return vars(sys.modules[package]).setdefault(name, getattr(module_object, original))
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return attribute
