"""Games by name: what there is, and a game ready to be asked, from the cache where it has been read before."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wongar_dsl.cache import Cache, fingerprint
from wongar_dsl.library.naming import is_file
from wongar_dsl.library.rules import Rules
from wongar_dsl.library.shipped import find
from wongar_dsl.text.diagnostics import Diagnostic, RulesError

if TYPE_CHECKING:
    from wongar_dsl.library.loader import Loaded


def load(name: str | Path, cache: Cache | None = None) -> Rules:
    """The rules of a game: `game`, `game/variant`, or the path of a rule file; raises `RulesError`."""
    rules, diagnostics = inspect(name, cache)
    if rules is None:
        raise RulesError(diagnostics)
    return rules


def inspect(name: str | Path, cache: Cache | None = None) -> tuple[Rules | None, tuple[Diagnostic, ...]]:
    """As `load`, but gives everything that was found instead of raising; rules are None where there are errors."""
    kept = _kept(cache, str(name))
    if kept is not None:
        return kept
    # Reading takes the parser, and the parser takes time to import.
    from wongar_dsl.library.loader import read

    loaded = read(name)
    if loaded.rules is not None:
        _keep(cache, str(name), loaded.rules, loaded)
    return loaded.rules, loaded.found


class _Entry(NamedTuple):
    """What was found in rules without errors, with the files that were read and those that must not be there."""

    files: list[tuple[str, str]]
    absent: list[str]
    rules: Rules
    found: tuple[Diagnostic, ...]

    def holds(self) -> bool:
        """Whether every file is as it was."""
        same = all(_unchanged(Path(path), mark) for path, mark in self.files)
        return same and not any(Path(path).exists() for path in self.absent)


#: What comes with the program, as far as this process has read it.
_at_hand: dict[str, _Entry] = {}


def _keep(cache: Cache | None, name: str, rules: Rules, loaded: Loaded) -> None:
    present = {path for path, _ in loaded.files}
    absent = [str(p) for p in loaded.absent if p.resolve() not in present]
    entry = _Entry([(str(path), mark) for path, mark in loaded.files], absent, rules, loaded.found)
    if _is_shipped(name):
        _at_hand[name] = entry
    if cache is not None:
        cache.save(tuple(entry), "rules", name, _here(name))


def _kept(cache: Cache | None, name: str) -> tuple[Rules, tuple[Diagnostic, ...]] | None:
    """What was found before, if every file is as it was."""
    shipped = _is_shipped(name)
    entry = _at_hand.get(name) if shipped else None
    if entry is None and cache is not None:
        kept = cache.load("rules", name, _here(name))
        entry = _Entry(*kept) if kept is not None else None
    if entry is None or not entry.holds():
        return None
    if shipped:
        _at_hand[name] = entry
    return entry.rules, entry.found


def _unchanged(path: Path, mark: str) -> bool:
    """Whether a file is still there with the content that `mark` stands for."""
    try:
        # What has become a pipe or a device in the meantime is not read.
        return path.is_file() and fingerprint(path.read_bytes()) == mark
    except OSError:
        return False


def _is_shipped(name: str) -> bool:
    """Whether a name means a game that comes with the program, and no file."""
    return find(name) is not None and not is_file(Path(name))


def _here(name: str) -> str:
    """The folder from which a name is read; empty where somebody has removed it, and for what is shipped."""
    if _is_shipped(name):
        return ""
    try:
        return os.getcwd()
    except OSError:
        return ""
