"""Games by name: what there is, and a game ready to be asked, from the store where it has been read before."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from wongar_dsl.cache import Store, fingerprint
from wongar_dsl.library.rules import Rules
from wongar_dsl.text.diagnostics import Diagnostic, RulesError

if TYPE_CHECKING:
    from wongar_dsl.library.loader import Loaded


def load(name: str | Path, store: Store | None = None) -> Rules:
    """The rules of a game: `game`, `game/variant`, or the path of a rule file; raises `RulesError`."""
    rules, diagnostics = inspect(name, store)
    if rules is None:
        raise RulesError(diagnostics)
    return rules


def inspect(name: str | Path, store: Store | None = None) -> tuple[Rules | None, tuple[Diagnostic, ...]]:
    """As `load`, but gives everything that was found instead of raising; rules are None where there are errors."""
    kept = _kept(store, str(name)) if store is not None else None
    if kept is not None:
        return kept
    # Reading takes the parser, and the parser takes time to import.
    from wongar_dsl.library.loader import read

    loaded = read(name)
    if store is not None and loaded.rules is not None:
        _keep(store, str(name), loaded)
    return loaded.rules, loaded.found


def _keep(store: Store, name: str, loaded: Loaded) -> None:
    present = {path for path, _ in loaded.files}
    absent = [str(p) for p in loaded.absent if p.resolve() not in present]
    files = [(str(path), mark) for path, mark in loaded.files]
    store.save((files, absent, loaded.rules, loaded.found), "rules", name, os.getcwd())


def _kept(store: Store, name: str) -> tuple[Rules | None, tuple[Diagnostic, ...]] | None:
    """What was found before, if every file is as it was."""
    entry = store.load("rules", name, os.getcwd())
    if entry is None:
        return None
    files, absent, rules, found = entry
    try:
        if any(fingerprint(Path(path).read_bytes()) != mark for path, mark in files):
            return None
    except OSError:
        return None
    return None if any(Path(path).exists() for path in absent) else (rules, found)
