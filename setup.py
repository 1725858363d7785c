"""Find the packages of the distribution; `pyproject.toml` holds everything else.

The folders `cli`, `web`, `rules` and `locales` lie beside `wongar_dsl` and are installed inside it (`package-dir` in
`pyproject.toml`), so that the distribution installs one top-level name.  setuptools cannot express "find packages below
each of these folders, under this prefix" in `pyproject.toml`, hence this file.
"""

from setuptools import find_packages, setup

#: Folders with subpackages, by the name of the installed package.
TREES = {"wongar_dsl": "wongar_dsl", "wongar_dsl.cli": "cli", "wongar_dsl.web": "web"}
#: Folders with data files, each installed as one package without subpackages.
DATA = ["wongar_dsl.examples", "wongar_dsl.locales", "wongar_dsl.rules"]


def packages() -> list[str]:
    """Return the names of all packages, sorted."""
    names = {*TREES, *DATA}
    for prefix, folder in TREES.items():
        names.update(f"{prefix}.{name}" for name in find_packages(folder))
    return sorted(names)


setup(packages=packages())
