"""Game library: finds games by name, and loads and checks their rules, with a cache for rules read before."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wongar_dsl.base.diagnostics import Diagnostic, RulesError
from wongar_dsl.base.storage.cache import Cache, fingerprint
from wongar_dsl.base.storage.files import RULES_SUFFIX
from wongar_dsl.engine.library.game_ids import (
    builtin_games,
    builtin_names,
    find,
    is_file,
    pieces,
    relocated_name,
    resolved_pieces,
    unknown_piece,
)
from wongar_dsl.engine.library.rules import Rules

if TYPE_CHECKING:
    from wongar_dsl.engine.library.loader import LoadResult

__all__ = [
    "RULES_SUFFIX",
    "Cache",
    "Rules",
    "builtin_games",
    "builtin_names",
    "inspect",
    "load",
    "pieces",
    "relocated_name",
    "resolved_pieces",
    "unknown_piece",
]


def load(name: str | Path, cache: Cache | None = None) -> Rules:
    """Return the rules of a game: `game`, `game/variant`, or a path of a rule file; raise `RulesError` for mistakes."""
    rules, diagnostics = inspect(name, cache)
    if rules is None:
        raise RulesError(diagnostics)
    return rules


def inspect(name: str | Path, cache: Cache | None = None) -> tuple[Rules | None, tuple[Diagnostic, ...]]:
    """Return the rules and all diagnostics; the rules are None if there are errors."""
    cached = _cached(cache, str(name))
    if cached is not None:
        return cached
    # The loader imports the parser, which takes long.
    from wongar_dsl.engine.library.loader import read

    loaded = read(name)
    if loaded.rules is not None:
        _store(cache, str(name), loaded.rules, loaded)
    return loaded.rules, loaded.diagnostics


class _CachedRules(NamedTuple):
    """A cache entry: rules without errors, the files that were read, and the files that must not exist."""

    files: list[tuple[str, str]]
    absent: list[str]
    rules: Rules
    diagnostics: tuple[Diagnostic, ...]

    def is_current(self) -> bool:
        """Return whether every file is unchanged."""
        same = all(_unchanged(Path(path), digest) for path, digest in self.files)
        return same and not any(Path(path).exists() for path in self.absent)


#: Shipped rules that this process has loaded, by name.
_shipped_rules: dict[str, _CachedRules] = {}


def _store(cache: Cache | None, name: str, rules: Rules, loaded: LoadResult) -> None:
    present = {path for path, _ in loaded.files}
    absent = [str(p) for p in loaded.absent if p.resolve() not in present]
    entry = _CachedRules([(str(path), digest) for path, digest in loaded.files], absent, rules, loaded.diagnostics)
    if _is_shipped(name):
        _shipped_rules[name] = entry
    if cache is not None:
        cache.save(tuple(entry), "rules", name, _working_folder(name))


def _cached(cache: Cache | None, name: str) -> tuple[Rules, tuple[Diagnostic, ...]] | None:
    """Return the cached rules and diagnostics, None if a file has changed."""
    shipped = _is_shipped(name)
    entry = _shipped_rules.get(name) if shipped else None
    if entry is None and cache is not None:
        data = cache.load("rules", name, _working_folder(name))
        entry = _CachedRules(*data) if data is not None else None
    if entry is None or not entry.is_current():
        return None
    if shipped:
        _shipped_rules[name] = entry
    return entry.rules, entry.diagnostics


def _unchanged(path: Path, digest: str) -> bool:
    """Return whether a file still has the content with this fingerprint."""
    try:
        # A path that has become a pipe or a device is not read.
        return path.is_file() and fingerprint(path.read_bytes()) == digest
    except OSError:
        return False


def _is_shipped(name: str) -> bool:
    """Return whether a name refers to a shipped game and not to a file."""
    return find(name) is not None and not is_file(Path(name))


def _working_folder(name: str) -> str:
    """Return the current folder, to which a name is relative.

    The result is empty for shipped games, and if the folder has been removed.
    """
    if _is_shipped(name):
        return ""
    try:
        return os.getcwd()
    except OSError:
        return ""
