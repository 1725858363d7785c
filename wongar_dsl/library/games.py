"""Games by name: what there is, and a game ready to be asked, from the cache where it has been read before."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

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
    kept = _kept(cache, str(name)) if cache is not None else None
    if kept is not None:
        return kept
    # Reading takes the parser, and the parser takes time to import.
    from wongar_dsl.library.loader import read

    loaded = read(name)
    if cache is not None and loaded.rules is not None:
        _keep(cache, str(name), loaded)
    return loaded.rules, loaded.found


def _keep(cache: Cache, name: str, loaded: Loaded) -> None:
    present = {path for path, _ in loaded.files}
    absent = [str(p) for p in loaded.absent if p.resolve() not in present]
    files = [(str(path), mark) for path, mark in loaded.files]
    cache.save((files, absent, loaded.rules, loaded.found), "rules", name, _here(name))


def _kept(cache: Cache, name: str) -> tuple[Rules | None, tuple[Diagnostic, ...]] | None:
    """What was found before, if every file is as it was."""
    entry = cache.load("rules", name, _here(name))
    if entry is None:
        return None
    files, absent, rules, found = entry
    if not all(_unchanged(Path(path), mark) for path, mark in files):
        return None
    return None if any(Path(path).exists() for path in absent) else (rules, found)


def _unchanged(path: Path, mark: str) -> bool:
    """Whether a file is still there with the content that `mark` stands for."""
    try:
        # What has become a pipe or a device in the meantime is not read.
        return path.is_file() and fingerprint(path.read_bytes()) == mark
    except OSError:
        return False


def _here(name: str) -> str:
    """The folder from which a name is read; empty where somebody has removed it, and for what is shipped: that is the
    same everywhere."""
    if find(name) is not None and not is_file(Path(name)):
        return ""
    try:
        return os.getcwd()
    except OSError:
        return ""
