"""Shipped games: the rule files that are part of the program."""

from __future__ import annotations

from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from wongar_dsl.base.storage.files import FileOrFolder

#: Suffixes of rule files and of packs, each a variant with its texts and cases in one file.
SUFFIX, PACK_SUFFIX = ".rules", ".variant"


def builtin_games() -> dict[str, tuple[str, ...]]:
    """Return the shipped games, each with the names of its variants."""
    games: dict[str, tuple[str, ...]] = {}
    for name in _files():
        game, _, variant = name.partition("/")
        games[game] = (*games.get(game, ()), variant) if variant else ()
    return games


def builtin_names() -> tuple[str, ...]:
    """Return the names of all shipped games and variants for `find`: each game, then its variants."""
    return tuple(_files())


def find(name: str) -> Traversable | None:
    """Return the rule file of a shipped game or `game/variant`, None if there is none."""
    return _files().get(name)


def find_variant(name: str) -> Traversable | None:
    """Return the rule file of a shipped variant by its name alone, None if there is none."""
    return next((file for full_name, file in _files().items() if full_name.partition("/")[2] == name != ""), None)


def is_builtin(file: FileOrFolder) -> bool:
    """Return whether a rule file is shipped."""
    return _key(file) in map(_key, _files().values())


def _key(file: FileOrFolder) -> str:
    return str(file.resolve() if isinstance(file, Path) else file)


def _files() -> dict[str, Traversable]:
    """Return all shipped rule files by name.

    A folder contains the game with its name and its variants, or is a collection of games.
    """
    files_by_name: dict[str, Traversable] = {}
    for folder in sorted(resources.files("wongar_dsl.rules").iterdir(), key=lambda f: f.name):
        files = {f.name.removesuffix(SUFFIX): f for f in folder.iterdir()} if folder.is_dir() else {}
        files = {name: files[name] for name in sorted(files) if files[name].name.endswith(SUFFIX)}
        game = files.pop(folder.name, None)
        if game is not None:
            files_by_name[folder.name] = game
            files_by_name |= {f"{folder.name}/{name}": file for name, file in files.items()}
        else:
            files_by_name |= files
    return files_by_name
