"""Saves: matches as files."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from wongar_dsl.engine.game import Game
from wongar_dsl.engine.match import SAVE_FORMAT, SAVE_VERSION, Match, Seat
from wongar_dsl.engine.moves import IllegalMove, PlayFault

MAX_SAVE = 20_000_000


class SaveError(Exception):
    """A save that cannot be used.

    `reason` is `unreadable`, `broken`, `version`, `other_rules` or `unknown_game`; `arguments` are for the message.
    """

    def __init__(self, reason: str, **arguments: str | int) -> None:
        self.reason, self.arguments = reason, arguments
        super().__init__(reason)


def write_save(path: Path, record: Mapping[str, object]) -> None:
    """Write a save in one go: a kill at any moment leaves the old one or the new one; raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(json.dumps(record, ensure_ascii=False))
            out.flush()
            os.fsync(out.fileno())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def read_save(path: Path) -> dict[str, object]:
    """Read a save and check its shape; raises `SaveError`."""
    try:
        if path.stat().st_size > MAX_SAVE:
            raise SaveError("broken", path=str(path))
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SaveError("unreadable", path=str(path), why=error.strerror or "") from None
    except (ValueError, RecursionError):
        raise SaveError("broken", path=str(path)) from None
    if not isinstance(data, dict) or data.get("format") != SAVE_FORMAT:
        raise SaveError("broken", path=str(path))
    if data.get("version") != SAVE_VERSION:
        raise SaveError("version", path=str(path), version=str(data.get("version")))
    wanted = {"game": str, "rules": str, "options": dict, "seats": list, "seed": int, "choices": list, "state": list}
    if any(not isinstance(data.get(key), kind) for key, kind in wanted.items()):
        raise SaveError("broken", path=str(path))
    return data


def replay(game: Game, rules_hash: str, data: Mapping[str, object], path: Path) -> Match:
    """Play a save again from the start; raises `SaveError` where it does not fit the rules or itself."""
    if data["rules"] != rules_hash:
        raise SaveError("other_rules", path=str(path), game=game.name)
    broken = SaveError("broken", path=str(path))
    seats, seed, choices = data["seats"], data["seed"], data["choices"]
    if not isinstance(seats, list) or not isinstance(seed, int) or not isinstance(choices, list):
        raise broken
    try:
        match = Match.begin(game, [Seat(str(s["kind"]), str(s["name"])) for s in seats], seed, rules_hash)
        for choice in choices:
            text, time = choice if isinstance(choice, list) else (choice, 0)
            match.play(match.state.read(text), int(time))
    except (IllegalMove, PlayFault, KeyError, TypeError, ValueError):
        raise broken from None
    if match.state.cells != data["state"]:
        raise broken
    return match
