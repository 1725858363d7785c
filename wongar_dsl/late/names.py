"""Names of a package that are imported when they are first asked for.

A package that gathers what stands in its modules would load all of them for whoever wants one name.  With these, as its
`__getattr__`, it loads a module when the first of its names is wanted.  The type checker reads plain imports beside
them, under `TYPE_CHECKING`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module

#: Stands for all names of a module.
ALL = "*"


def names_of(package: str, modules: Mapping[str, str]) -> Callable[[str], object]:
    """The `__getattr__` of a package: `modules` are those where its names stand, each with the names that it has.

    A name can be called otherwise there: `ours=theirs`.  Modules with `ALL` of their names are asked in their order.
    """
    where = {
        name: (module, own or name)
        for module, names in modules.items()
        for name, _, own in (one.partition("=") for one in names.split())
        if name != ALL
    }
    generous = [module for module, names in modules.items() if names == ALL]

    def attribute(name: str) -> object:
        asked = [where[name]] if name in where else [(module, name) for module in generous]
        # What Python itself looks for, a `__path__` say, no module gives away.
        for module, own in asked if not name.startswith("__") else ():
            found = import_module(f"{package}{module}")
            if hasattr(found, own):
                # From now on it is a name of the package like any other.
                return vars(sys.modules[package]).setdefault(name, getattr(found, own))
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return attribute
