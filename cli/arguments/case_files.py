"""Rule case files as the commands use them: find, read and check them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from wongar_dsl.base.did_you_mean import did_you_mean
from wongar_dsl.base.storage.files import MemoryPath
from wongar_dsl.engine.library import builtin_names, inspect, pieces, unknown_piece
from wongar_dsl.engine.library.builtin_games import PACK_SUFFIX, find
from wongar_dsl.engine.library.game_ids import is_file
from wongar_dsl.engine.library.pack import Pack, read_pack
from wongar_dsl.engine.rule_cases.file import RULES, SUFFIX, CaseError, CaseFile, only_rules, read
from wongar_dsl.engine.rule_cases.runner import CaseRunner
from wongar_dsl.engine.rule_cases.static_check import check
from wongar_dsl.nlg.diagnostic_text.faults import case_fault, file_source

if TYPE_CHECKING:
    from wongar_dsl.base.diagnostics import Diagnostic
    from wongar_dsl.engine.library import Rules


def open_cases(path: Path | MemoryPath) -> CaseFile:
    """Read a file of rule cases.

    Raises `CaseError` if the file is invalid or its game is unknown.
    """
    file = read(path)
    unknown = unknown_piece(file.game)
    if unknown is not None:
        only = only_rules(path.parent)
        if unknown.endswith(RULES):
            near = "" if only is None else only.name
        else:
            near = did_you_mean(unknown, builtin_names()) or ""
        raise CaseError("cases.unknown_game", file.game_line, name=unknown, suggestion=near)
    return file


def case_faults(name: str, rules: Rules | None, should_stop: Callable[[], bool]) -> Iterator[Diagnostic]:
    """Yield the errors in the case files beside the rule file of a game.

    Errors in the rules themselves are not included. `rules` are the rules of `name` if they are loaded already; a file
    about another game is only checked if it lies beside the rules under their name.
    """
    rule_file = _rule_file(name)
    for path in cases_of(name):
        try:
            file = open_cases(path)
        except CaseError as error:
            yield case_fault(error.finding, file_source(path))
            continue
        case_rules = rules if _rule_file(file.game).resolve() == rule_file.resolve() else None
        if case_rules is None and path.name == rule_file.name.removesuffix(RULES) + SUFFIX:
            case_rules = inspect(file.game)[0]
        if case_rules is not None:
            bench = CaseRunner(case_rules.model, partial(case_rules.game, backend="reference"))
            source = file_source(path)
            yield from (case_fault(failure, source) for failure in check(bench, file.cases, should_stop))


def cases_of(name: str) -> list[Path | MemoryPath]:
    """Return the case files in the pack of a game or, without a pack, beside its rule file."""
    return [*packed_cases(name)] or [*_beside(_rule_file(name))]


def packed_cases(name: str) -> list[MemoryPath]:
    """Return the case files in the packs that a game name refers to.

    A pack that cannot be read is skipped.
    """
    packs = [piece for piece in pieces(name) if piece.endswith(PACK_SUFFIX) and is_file(Path(piece))]
    read = [(piece, read_pack(Path(piece), piece)[1]) for piece in packs]
    folders = [pack.folder(piece) for piece, pack in read if isinstance(pack, Pack)]
    return [place for folder in folders for place in folder.iterdir() if place.name.endswith(SUFFIX)]


def _rule_file(name: str) -> Path:
    return Path(name) if name.endswith(RULES) else Path(str(find(name) or name))


def _beside(file: Path) -> Iterator[Path]:
    """Yield the case files beside a rule file, except those named after another rule file."""
    try:
        inside = sorted(os.listdir(file.parent)) if file.is_file() else []
    except (OSError, ValueError):
        return
    for entry in inside:
        rules = entry.removesuffix(SUFFIX) + RULES
        if entry.endswith(SUFFIX) and (rules == file.name or rules not in inside):
            yield file.parent / entry
