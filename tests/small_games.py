"""Small games for tests: a test writes what it is about, and not what every rule file begins with."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.engine import PlayFault
from wongar_dsl.library import inspect, load
from wongar_dsl.text.diagnostics import Diagnostic

HEAD = "game small\n    players 2\n    source house rule\n"


def written(folder: Path, text: str, players: str = "2") -> Path:
    """The rule file of a game for two, or so many, of which the text lacks the first lines."""
    path = folder / "small.rules"
    path.write_text(HEAD.replace("2", players) + text.strip("\n") + "\n", encoding="utf-8")
    return path


def found(folder: Path, text: str) -> tuple[Diagnostic, ...]:
    """What is found in such a game."""
    return inspect(written(folder, text))[1]


def codes(folder: Path, text: str) -> list[str]:
    """The codes of what is found in such a game."""
    return [diagnostic.code for diagnostic in found(folder, text)]


def fault(folder: Path, text: str, backend: str) -> str:
    """The code of the fault in which such a game ends before anybody decides."""
    game = load(written(folder, text)).game(2, backend=backend)
    with pytest.raises(PlayFault) as caught:
        game.start(1)
    return caught.value.diagnostic.code


def kept(folder: Path, text: str, backend: str) -> dict[str, int]:
    """What such a game keeps, by name, when somebody decides first: the first number of each thing."""
    game = load(written(folder, text)).game(2, backend=backend)
    state, _ = game.start(1)
    return {name: state.cells[place.base] for name, place in game.fields.items()}
