"""Where saves lie, and what is said of those that cannot be used."""

from __future__ import annotations

import errno
import os
import re
from datetime import datetime
from itertools import chain, count
from pathlib import Path

from wongar_dsl.engine.saves import SaveError, read_save
from wongar_dsl.words import Text, Value, Words, quoted

from .errors import Refusal

SUFFIX = ".json"


def folder() -> Path:
    """Where saves lie that nobody gave a place."""
    from platformdirs import user_data_path

    return user_data_path("wongar", appauthor=False) / "saves"


def new_file(game: str) -> Path:
    """A place for the save of a game that begins now."""
    name = re.sub(r"[^A-Za-z0-9_]+", "-", game)
    now = datetime.now().strftime("%Y-%m-%d-%H%M%S")
    stem = f"{now}-{name}-{os.getpid()}"
    places = chain([folder() / f"{stem}{SUFFIX}"], (folder() / f"{stem}-{number}{SUFFIX}" for number in count(2)))
    return next(place for place in places if not place.exists())


def newest() -> Path | None:
    """The save that was written last among those of games that go on; of finished ones, if there are no others."""
    from wongar_dsl.table.kept import kept_files

    ordered = [file for _, file in kept_files(folder())]
    return next((f for f in ordered if not _finished(f)), ordered[0] if ordered else None)


def _finished(file: Path) -> bool:
    """Whether a save holds a game that is over; one that cannot be read is not, so that resuming says why."""
    try:
        return read_save(file).over
    except SaveError:
        return False


def place(text: str, words: Words) -> Path:
    """The path that somebody wrote, `~` included; raises `Refusal` where there is no such user."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        why = Text(words.say("cli.os.no_home"))
        raise Refusal(words.say("cli.save.unreadable", path=quoted(text), why=why), 2) from None


def chosen(text: str | None, words: Words) -> Path:
    """The save that somebody named, by its path or its number in the list of saves, else the newest; raises `Refusal`
    where there is none."""
    path = numbered(text, words) or place(text, words) if text else newest()
    if path is None:
        raise Refusal(words.say("cli.save.none"))
    return path


def numbered(text: str, words: Words) -> Path | None:
    """The save that has a number in the list; None for what is no number, or the name of a file here."""
    if not re.fullmatch(r"[1-9][0-9]{0,5}", text, re.ASCII) or Path(text).exists():
        return None
    from wongar_dsl.table.kept import kept_files

    found = kept_files(folder())
    if int(text) > len(found):
        raise Refusal(words.say("cli.saves.no_such_number", None, number=int(text), n=len(found)))
    return found[int(text) - 1][1]


def has_folder(path: Path) -> bool:
    """Return whether the folder of a file exists; one that cannot be looked at is refused when it is written to."""
    try:
        return path.parent.is_dir()
    except (OSError, ValueError):
        return True


def may_replace(path: Path) -> bool:
    """Whether a save may be written there without a question: nothing is there yet, or a save is."""
    try:
        if not path.is_symlink() and not path.exists():
            return True
        if not path.is_file():
            return False
        read_save(path)
    except SaveError as error:
        # A save of another version, or of rules that have changed, is a save all the same.
        return error.reason not in ("broken", "unreadable")
    except (OSError, ValueError):
        return True  # What cannot be looked at cannot be written either, and that is told.
    return True


def means_yes(answer: str, words: Words) -> bool:
    """Whether an answer agrees, in the language spoken."""
    return answer.strip().casefold() in words.say("cli.yes").casefold().split()


def reason(error: BaseException | None, words: Words) -> str:
    """Why a file cannot be read or written, in the language spoken for what happens often."""
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        return words.say("cli.os.full")
    if isinstance(error, OSError) and error.errno == errno.EBADF:
        return words.say("cli.os.closed")
    if isinstance(error, OSError) and error.errno == errno.EINVAL:
        return words.say("cli.os.no_file")
    often = {
        FileNotFoundError: "cli.os.missing",
        PermissionError: "cli.os.denied",
        IsADirectoryError: "cli.os.folder",
        NotADirectoryError: "cli.os.not_folder",
        FileExistsError: "cli.os.not_folder",
    }
    name = next((name for kind, name in often.items() if isinstance(error, kind)), None)
    return words.say(name) if name is not None else getattr(error, "strerror", None) or ""


def not_written(path: str | Path, error: BaseException, words: Words) -> Refusal:
    """What is told of a file that cannot be written."""
    why = reason(error, words)
    if not why:
        return Refusal(words.say("report.not_written", path=quoted(str(path))))
    return Refusal(words.say("cli.new.not_written", path=quoted(str(path)), why=quoted(why)))


def refusal(error: SaveError, words: Words) -> Refusal:
    """What is told of a save that cannot be used."""
    arguments: dict[str, Value] = {
        {"game": "rules"}.get(name, name): quoted(value) if isinstance(value, str) else value
        for name, value in error.arguments.items()
    }
    if "why" in arguments:
        arguments["why"] = quoted(reason(error.__context__, words))
    return Refusal(words.say(f"cli.save.{error.reason}", None, **arguments))
