"""The games that come with the program: where their rule files are."""

from __future__ import annotations

from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from wongar_dsl.text.files import Place

SUFFIX = ".rules"


def shipped() -> dict[str, tuple[str, ...]]:
    """The games that come with the program, each with the names of its variants."""
    found: dict[str, tuple[str, ...]] = {}
    for name in _files():
        game, _, variant = name.partition("/")
        found[game] = (*found.get(game, ()), variant) if variant else ()
    return found


def shipped_names() -> tuple[str, ...]:
    """The games and variants that come with the program, as `find` knows them: each game, then its variants."""
    return tuple(_files())


def find(name: str) -> Traversable | None:
    """The rule file of a game or `game/variant` that comes with the program."""
    return _files().get(name)


def find_variant(name: str) -> Traversable | None:
    """The rule file of a variant, by its name alone."""
    return next((file for known, file in _files().items() if known.partition("/")[2] == name != ""), None)


def is_shipped(place: Place) -> bool:
    """Whether a rule file comes with the program."""
    return _whole(place) in {_whole(file) for file in _files().values()}


def _whole(place: Place) -> str:
    return str(place.resolve() if isinstance(place, Path) else place)


def _files() -> dict[str, Traversable]:
    """Every rule file by its name: a folder has the name of the game in it, or is a collection of games."""
    found: dict[str, Traversable] = {}
    for folder in sorted(resources.files("wongar_dsl.rules").iterdir(), key=lambda f: f.name):
        files = {f.name.removesuffix(SUFFIX): f for f in folder.iterdir()} if folder.is_dir() else {}
        files = {name: files[name] for name in sorted(files) if files[name].name.endswith(SUFFIX)}
        game = files.pop(folder.name, None)
        if game is not None:
            found[folder.name] = game
            found |= {f"{folder.name}/{name}": file for name, file in files.items()}
        else:
            found |= files
    return found
