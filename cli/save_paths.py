"""Paths of saves, and of other files that a user names."""

from __future__ import annotations

import os
import re
from datetime import datetime
from itertools import chain, count
from pathlib import Path

from platformdirs import user_data_path

from wongar_dsl.engine.saves import SaveError, read_save
from wongar_dsl.nlg.words import Text, Translator, quoted
from wongar_dsl.session.game_session import save_files

from .errors import USAGE, UserError

SUFFIX = ".json"


def folder() -> Path:
    """Return the default folder of saves."""
    return user_data_path("wongar", appauthor=False) / "saves"


def new_file(game: str, place: Path | None = None) -> Path:
    """Return an unused path for a game that is saved now, by default in the folder of saves."""
    name = re.sub(r"[^A-Za-z0-9_]+", "-", game)
    now = datetime.now().strftime("%Y-%m-%d-%H%M%S")
    stem = f"{now}-{name}-{os.getpid()}"
    names = chain([stem], (f"{stem}-{number}" for number in count(2)))
    paths = ((place or folder()) / f"{name}{SUFFIX}" for name in names)
    return next(path for path in paths if not path.exists())


def _finished(file: Path) -> bool:
    """Return whether a save holds a finished game; False for an unreadable one, so that resuming reports the fault."""
    try:
        return read_save(file).over
    except SaveError:
        return False


def resolve_path(text: str, words: Translator) -> Path:
    """Return a user's path with `~` expanded.

    Raises `UserError` if there is no such user.
    """
    try:
        return Path(text).expanduser()
    except RuntimeError:
        why = Text(words.say("cli.os.no_home"))
        raise UserError(words.say("cli.save.unreadable", path=quoted(text), why=why), USAGE) from None


def named_save(text: str | None, words: Translator) -> Path:
    """Return the save named by path or by number in the list of saves, otherwise the newest, of open games first.

    Raises `UserError` if there is none.
    """
    if text:
        return numbered_save(text, words) or resolve_path(text, words)
    ordered = [file for _, file in save_files(folder())]
    if not ordered:
        raise UserError(words.say("cli.save.none"))
    return next((file for file in ordered if not _finished(file)), ordered[0])


def numbered_save(text: str, words: Translator) -> Path | None:
    """Return the save with a number in the list; None if the text is no number or names an existing file.

    Raises `UserError` if the number is too large.
    """
    if not re.fullmatch(r"[1-9][0-9]{0,5}", text, re.ASCII) or Path(text).exists():
        return None
    files = save_files(folder())
    if int(text) > len(files):
        raise UserError(words.say("cli.saves.no_such_number", None, number=int(text), n=len(files)))
    return files[int(text) - 1][1]


def has_folder(path: Path) -> bool:
    """Return whether the folder of a file exists; one that cannot be looked at is refused when it is written to."""
    try:
        return path.parent.is_dir()
    except (OSError, ValueError):
        return True


def may_replace(path: Path) -> bool:
    """Return whether a path may be overwritten without asking: it is free, or holds a save."""
    try:
        if not path.is_symlink() and not path.exists():
            return True
        if not path.is_file():
            return False
        read_save(path)
    except SaveError as error:
        # A save of another version, or of rules that have changed, is a save nevertheless.
        return error.reason not in ("broken", "unreadable")
    except (OSError, ValueError):
        return True  # An inaccessible path cannot be written either, which is reported then.
    return True
