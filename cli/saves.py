"""Where saves lie, and what is said of those that cannot be used."""

from __future__ import annotations

import os
import re
from datetime import datetime
from pathlib import Path

from wongar_dsl.match import SaveError
from wongar_dsl.words import Value, Words

from .tongue import Refusal, quoted

SUFFIX = ".json"


def folder() -> Path:
    """Where saves lie that nobody gave a place."""
    from platformdirs import user_data_path

    return user_data_path("wongar", appauthor=False) / "saves"


def new_file(game: str) -> Path:
    """A place for the save of a game that begins now."""
    name = re.sub(r"[^A-Za-z0-9_]+", "-", game)
    now = datetime.now().strftime("%Y-%m-%d-%H%M%S")
    return folder() / f"{now}-{name}-{os.getpid()}{SUFFIX}"


def newest() -> Path | None:
    """The save that was written last."""
    try:
        found = [(f.stat().st_mtime_ns, f) for f in folder().iterdir() if f.suffix == SUFFIX and f.is_file()]
    except OSError:
        return None
    return max(found)[1] if found else None


def refusal(error: SaveError, words: Words) -> Refusal:
    """What is told of a save that cannot be used."""
    arguments: dict[str, Value] = {
        {"game": "rules"}.get(name, name): quoted(value) if isinstance(value, str) else value
        for name, value in error.arguments.items()
    }
    return Refusal(words.say(f"cli.save.{error.reason}", None, **arguments))
