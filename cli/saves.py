"""Where saves lie, and what is said of those that cannot be used."""

from __future__ import annotations

import os
import re
from datetime import datetime
from pathlib import Path

from wongar_dsl.engine.saves import SaveError, read_save
from wongar_dsl.words import Value, Words

from .language import Refusal, quoted

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
    """The save that was written last among those of games that go on; of finished ones, if there are no others."""
    try:
        found = [(f.stat().st_mtime_ns, f) for f in folder().iterdir() if f.suffix == SUFFIX and f.is_file()]
    except OSError:
        return None
    ordered = [f for _, f in sorted(found, reverse=True)]
    return next((f for f in ordered if not _finished(f)), ordered[0] if ordered else None)


def _finished(file: Path) -> bool:
    """Whether a save holds a game that is over; one that cannot be read is not, so that resuming says why."""
    try:
        return read_save(file).over
    except SaveError:
        return False


def reason(error: BaseException | None, words: Words) -> str:
    """Why a file cannot be read or written, in the language spoken for what happens often."""
    often = {
        FileNotFoundError: "cli.os.missing",
        PermissionError: "cli.os.denied",
        IsADirectoryError: "cli.os.folder",
        NotADirectoryError: "cli.os.not_folder",
        FileExistsError: "cli.os.not_folder",
    }
    name = next((name for kind, name in often.items() if isinstance(error, kind)), None)
    return words.say(name) if name is not None else getattr(error, "strerror", None) or ""


def refusal(error: SaveError, words: Words) -> Refusal:
    """What is told of a save that cannot be used."""
    arguments: dict[str, Value] = {
        {"game": "rules"}.get(name, name): quoted(value) if isinstance(value, str) else value
        for name, value in error.arguments.items()
    }
    if "why" in arguments:
        arguments["why"] = quoted(reason(error.__context__, words))
    return Refusal(words.say(f"cli.save.{error.reason}", None, **arguments))
