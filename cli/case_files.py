"""Files of rule cases as commands find them: with the game that each is about."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from wongar_dsl.cases.check import check
from wongar_dsl.cases.file import RULES, SUFFIX, CaseError, CaseFile, read
from wongar_dsl.cases.runner import CaseRunner
from wongar_dsl.library import inspect, pieces, shipped_names, unknown_piece
from wongar_dsl.library.naming import is_file
from wongar_dsl.library.packs import PACK, Pack, read_pack
from wongar_dsl.library.shipped import find
from wongar_dsl.narration.case_faults import case_source, diagnostic
from wongar_dsl.text.memory import MemoryPlace
from wongar_dsl.text.suggest import did_you_mean

if TYPE_CHECKING:
    from wongar_dsl.library import Rules
    from wongar_dsl.text.diagnostics import Diagnostic


def opened(path: Path | MemoryPlace) -> CaseFile:
    """The cases in a file, about a game that there is; raises `CaseError`."""
    file = read(path)
    unknown = unknown_piece(file.game)
    if unknown is not None:
        near = "" if unknown.endswith(RULES) else did_you_mean(unknown, shipped_names()) or ""
        raise CaseError("cases.unknown_game", file.game_line, name=unknown, suggestion=near)
    return file


def faults(name: str, rules: Rules | None, late: Callable[[], bool]) -> Iterator[Diagnostic]:
    """What keeps the cases beside the rule file of a game from being run; what is wrong in the rules is told there."""
    own = _rule_file(name)
    for path in cases_of(name):
        try:
            file = opened(path)
        except CaseError as error:
            yield diagnostic(error.finding, case_source(path))
            continue
        about = rules if _rule_file(file.game).resolve() == own.resolve() else None
        if about is None and path.name == own.name.removesuffix(RULES) + SUFFIX:
            about = inspect(file.game)[0]
        if about is not None:
            bench = CaseRunner(about.model, partial(about.game, backend="reference"))
            source = case_source(path)
            yield from (diagnostic(failure, source) for failure in check(bench, file.cases, late))


def cases_of(name: str) -> list[Path | MemoryPlace]:
    """The files of cases beside the rule file of a game, or in its pack."""
    return [*packed(name)] or [*_beside(_rule_file(name))]


def packed(name: str) -> list[MemoryPlace]:
    """The files of cases in the packs that a game is named by; none where there are no packs that can be read."""
    packs = [piece for piece in pieces(name) if piece.endswith(PACK) and is_file(Path(piece))]
    read = [(piece, read_pack(Path(piece), piece)[1]) for piece in packs]
    folders = [pack.folder(piece) for piece, pack in read if isinstance(pack, Pack)]
    return [place for folder in folders for place in folder.iterdir() if place.name.endswith(SUFFIX)]


def _rule_file(name: str) -> Path:
    """Where the rules of a game are."""
    return Path(name) if name.endswith(RULES) else Path(str(find(name) or name))


def _beside(file: Path) -> Iterator[Path]:
    """The files of cases in the folder of a rule file, but those that are named after another one."""
    try:
        inside = sorted(os.listdir(file.parent)) if file.is_file() else []
    except (OSError, ValueError):
        return
    for entry in inside:
        rules = entry.removesuffix(SUFFIX) + RULES
        if entry.endswith(SUFFIX) and (rules == file.name or rules not in inside):
            yield file.parent / entry
