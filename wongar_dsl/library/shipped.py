"""The games that come with the program: where their rule files are."""

from __future__ import annotations

from importlib import resources
from importlib.resources.abc import Traversable

SUFFIX = ".rules"
#: No file system has longer names.
LONGEST_NAME = 200


def shipped() -> dict[str, tuple[str, ...]]:
    """The games that come with the program, each with the names of its variants."""
    found: dict[str, tuple[str, ...]] = {}
    for folder in sorted(_folder().iterdir(), key=lambda f: f.name):
        files = [f.name for f in folder.iterdir()] if folder.is_dir() else []
        names = sorted(name.removesuffix(SUFFIX) for name in files if name.endswith(SUFFIX))
        if folder.name in names:
            found[folder.name] = tuple(n for n in names if n != folder.name)
        else:
            found |= dict.fromkeys(names, ())
    return found


def find(name: str) -> Traversable | None:
    """The rule file of a game or `game/variant` that comes with the program."""
    parts = name.split("/")
    if not all(p.isidentifier() for p in parts) or len(parts) > 2 or len(name) > LONGEST_NAME:
        return None
    folder = _folder()
    tries = [(parts[0], parts[-1])] if len(parts) == 2 else [(parts[0], parts[0]), ("classics", parts[0])]
    for directory, stem in tries:
        at = folder.joinpath(directory, f"{stem}{SUFFIX}")
        if at.is_file():
            return at
    return None


def find_variant(name: str) -> Traversable | None:
    """The rule file of a variant, by its name alone."""
    for game, variants in shipped().items():
        if name in variants:
            return find(f"{game}/{name}")
    return None


def _folder() -> Traversable:
    return resources.files("wongar_dsl.rules")
