"""Rule case files as the commands use them: find, read, check and extend them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from wongar_dsl.base.diagnostics import Diagnostic
from wongar_dsl.base.did_you_mean import did_you_mean
from wongar_dsl.base.storage.files import (
    PACK_SUFFIX,
    FileError,
    MemoryPath,
    decode,
    read_bytes,
    relative_path,
    write_bytes,
)
from wongar_dsl.base.terminal_text import escape_line
from wongar_dsl.engine.library import builtin_names, inspect, pieces, unknown_piece
from wongar_dsl.engine.library.game_ids import find, is_file
from wongar_dsl.engine.library.pack import Pack, read_pack
from wongar_dsl.engine.rule_cases.file import (
    EXAMPLE,
    MAX_FILE_BYTES,
    RULES,
    SUFFIX,
    YES,
    CaseError,
    CaseFailure,
    CaseFile,
    case_fault,
    file_source,
    only_rules,
    parse_cases,
    read,
)
from wongar_dsl.engine.rule_cases.position_writer import Data, append_case
from wongar_dsl.engine.rule_cases.position_writer import yaml_lines as lines_of
from wongar_dsl.engine.rule_cases.runner import CaseRunner, check
from wongar_dsl.nlg.diagnostic_text import CASE_WORDS
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.narration.illegal_move import reason_for_illegal_move
from wongar_dsl.nlg.words import Text, Translator, Value, quoted
from wongar_dsl.session.game_session import GameSession

from . import save_paths
from .errors import UserError, os_error_text
from .language import cache

if TYPE_CHECKING:
    from wongar_dsl.engine.library import Rules


#: Reads a case file; raises `CaseError`.
Reader = Callable[[Path | MemoryPath], CaseFile]


def open_cases(path: Path | MemoryPath, reader: Reader = read) -> CaseFile:
    """Read a file of rule cases.

    Raises `CaseError` if the file is invalid or its game is unknown.
    """
    file = reader(path)
    unknown = unknown_piece(file.game)
    if unknown is not None:
        only = only_rules(path.parent)
        if unknown.endswith(RULES):
            near = "" if only is None else only.name
        else:
            near = did_you_mean(unknown, builtin_names()) or ""
        raise CaseError("cases.unknown_game", file.game_line, name=unknown, suggestion=near)
    return file


def case_faults(
    name: str, rules: Rules | None, should_stop: Callable[[], bool], reader: Reader = read
) -> Iterator[Diagnostic]:
    """Yield the errors in the case files beside the rule file of a game.

    Errors in the rules themselves are not included. `rules` are the rules of `name` if they are loaded already; a file
    about another game is only checked if it lies beside the rules under their name.
    """
    rule_file = _rule_file(name)
    for path in cases_of(name):
        try:
            file = open_cases(path, reader)
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


_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class CaseTarget:
    """A case file, and the game name in it; empty if the file is named after the rules beside it.

    `standalone` is true if the file is not beside its rules, so that the case cannot be run there.
    """

    path: Path
    game: str
    standalone: bool = False


def write_case(session: GameSession, name: str, example: bool = False) -> tuple[CaseTarget, int]:
    """Write the last step as a case to the file `name`, or to the default file; return the file and the line.

    With `example`, the rulebook tells the case as an example. The default file is beside the rules or, if that is not
    writable, in the folder of cases beside the saves. Raises `UserError`; nothing is changed then.
    """
    target = _named_target(session, name) if name else _default_target(session)
    try:
        exists = target.path.exists() or target.path.is_symlink()
        data = read_bytes(target.path, MAX_FILE_BYTES, SUFFIX) if exists else b""
        if exists and not target.standalone:
            _require_same_rules(session, open_cases(target.path).game, target.path)
        text, line = _with_case(session, target, decode(data) if exists else None, example)
        encoded = (_BOM if data.startswith(_BOM) else b"") + text.encode()
        if len(encoded) > MAX_FILE_BYTES:
            raise CaseError("cases.too_large", 1, limit=MAX_FILE_BYTES)
        target.path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(target.path.resolve(), encoded)
    except (CaseError, FileError) as error:
        if isinstance(error, FileError):
            error = CaseError(f"cases.{error.reason}", error.line, limit=MAX_FILE_BYTES)
        raise UserError("\n".join(failure_lines(error.finding, target.path, session.words))) from None
    except (OSError, ValueError, RuntimeError) as error:
        why = quoted(os_error_text(error, session.words))
        raise UserError(session.words.say("cli.case.cannot_write", path=quoted(str(target.path)), why=why)) from None
    return target, line


# ---- failures --------------------------------------------------------------------------------------------------------

#: Two lists among the arguments of a failure; only their differences are printed.
_DIFFERENCE = ("expected", "found")
_SIGNS = {"missing": "-", "surplus": "+"}


def failure_lines(finding: CaseFailure, path: Path | MemoryPath, words: Translator) -> Iterator[str]:
    """Yield the lines that describe a failure: a sentence, then the difference line by line."""
    arguments: dict[str, Value] = {}
    lists: dict[str, tuple[str, ...]] = {}
    for name, value in finding.arguments.items():
        if isinstance(value, tuple):
            lists[name] = value
        elif isinstance(value, int):
            arguments[name] = value
        elif name == "expected" and value in CASE_WORDS:
            arguments[name] = Text(words.say(f"cases.word.{value}"))
        else:
            arguments[name] = Text(escape_line(value))
    yield f"{escape_line(str(path))}:{finding.line}: {words.say(finding.code, None, **arguments)}"
    if finding.refused is not None:
        error, state, names = finding.refused
        why = reason_for_illegal_move(error, state, Narrator(state.game, words, names))
        if why is not None:  # The game has words for it.
            yield f"    {why.text}"
    if finding.arguments.get("where"):
        where, condition = arguments["where"], arguments.get("condition", Text(""))
        yield "    " + words.say("cases.because", where=where, condition=condition)
    if finding.arguments.get("suggestion"):
        yield "    " + words.say("report.suggestion", name=arguments["suggestion"])
    yield from _difference(lists, words)


def _difference(lists: dict[str, tuple[str, ...]], words: Translator) -> Iterator[str]:
    if all(name in lists for name in _DIFFERENCE):
        expected, actual = lists["expected"], lists["found"]
        lines = [("-", x) for x in expected if x not in actual] + [("+", x) for x in actual if x not in expected]
        if not lines:  # The same elements in another order or number.
            lines = [("-", ", ".join(expected)), ("+", ", ".join(actual))]
        yield f"    {words.say('cases.legend')}"
        yield from (f"    {sign} {escape_line(x)}" for sign, x in lines)
        return
    for name in ("missing", "surplus"):
        yield from (f"    {_SIGNS[name]} {escape_line(x)}" for x in lists.get(name, ()))
    for name in ("found", "known"):
        if lists.get(name):
            yield f"    {words.say(f'cases.{name}')}"
            yield from (f"      {escape_line(x)}" for x in lists[name])


# ---- target file -----------------------------------------------------------------------------------------------------


def _session_files(session: GameSession) -> list[str]:
    """Return the merged games and variants by name or path; empty for built-in games."""
    return session.file.split("\n") if session.file else []


def _default_target(session: GameSession) -> CaseTarget:
    """Return the file named after the rules, beside them if that is writable."""
    files = _session_files(session)
    stem = "+".join(Path(file).stem for file in files) or session.rules.name.replace("/", "-")
    elsewhere = save_paths.folder().parent / "cases" / f"{stem}{SUFFIX}"
    rule_paths = [Path(file) for file in files if os.path.isabs(file)]
    if not rule_paths:
        return CaseTarget(elsewhere, session.rules.name)
    beside = rule_paths[-1].parent / f"{stem}{SUFFIX}"
    game = _named_from(beside, files)
    if game is None or not os.access(beside if beside.exists() else beside.parent, os.W_OK):
        return CaseTarget(elsewhere, "" if len(files) == 1 else game or "", standalone=True)
    return CaseTarget(Path(relative_path(str(beside))), game)


def _named_target(session: GameSession, name: str) -> CaseTarget:
    """Return the file that the user named.

    Raises `UserError` if it could not refer to the rules from there.
    """
    path, files = save_paths.resolve_path(name, session.words), _session_files(session)
    if not path.name.endswith(SUFFIX):
        path = path.with_name(path.name.removesuffix(Path(SUFFIX).suffix) + SUFFIX)
    game = _named_from(path, files) if files else session.rules.name
    if game is None:
        folder = str(Path(next(file for file in files if os.path.isabs(file))).parent)
        raise UserError(session.words.say("cli.case.not_beside", path=quoted(str(path)), folder=quoted(folder)))
    if not save_paths.has_folder(path):
        raise UserError(session.words.say("cli.save.no_folder", path=quoted(str(path.parent))))
    return CaseTarget(path, game)


def _named_from(path: Path, files: list[str]) -> str | None:
    """Return the name of merged rules relative to a case file; None if one of them is not in its folder or below."""
    folder, pieces = path.resolve().parent, []
    for file in files:
        if os.path.isabs(file) and not Path(file).resolve().is_relative_to(folder):
            return None
        pieces.append(str(Path(file).resolve().relative_to(folder)) if os.path.isabs(file) else file)
    return "" if pieces == [path.name.removesuffix(SUFFIX) + RULES] else "+".join(pieces)


# ---- content ---------------------------------------------------------------------------------------------------------


def _with_case(session: GameSession, target: CaseTarget, text: str | None, example: bool) -> tuple[str, int]:
    """Return the text of a case file with the new case, which passes, and its line.

    Raises `CaseError` and `UserError`.
    """
    # Imported here because other commands only read cases.
    from wongar_dsl.engine.rule_cases.recorder import record_case

    file = parse_cases(text, target.path) if text is not None else None
    recorded = record_case(session.match, file is not None and file.laid_out)
    if recorded is None:
        raise UserError(session.words.say("cli.case.impossible"))
    names = {case.name for case in file.cases} if file is not None else set()
    mark: dict[str, Data] = {EXAMPLE: YES} if example else {}
    case: dict[str, Data] = {"name": _case_name(session, names), **mark, **recorded}
    if text is not None:
        result, line = append_case(text, case)
    else:
        head: dict[str, Data] = {"game": target.game} if target.game else {}
        result = "\n".join(lines_of({**head, "cases": [case]})) + "\n"
        line = 3 if head else 2
    new = parse_cases(result, target.path)
    if not target.standalone and file is None:
        _require_same_rules(session, new.game, target.path)
    game = partial(session.rules.game, backend="python", cache=cache())
    if not CaseRunner(session.rules.model, game).run(new.cases[-1]).passed:
        raise UserError(session.words.say("cli.case.impossible"))
    return result, line


def _require_same_rules(session: GameSession, game: str, path: Path) -> None:
    """Raise `UserError` unless a case file is about the rules being played."""
    rules, _ = inspect(game, cache())
    if rules is None or rules.hash != session.rules.hash:
        raise UserError(session.words.say("cli.case.other_rules", path=quoted(str(path))))


def _case_name(session: GameSession, taken: set[str]) -> str:
    """Return a unique name for the case."""
    steps, say = session.match.steps, session.words.say
    name = (
        say("cli.case.name", step=Text(str(len(steps))), move=Text(steps[-1].text))
        if steps
        else say("cli.case.name.start")
    )
    number, candidate = 2, name
    while candidate in taken:
        candidate, number = f"{name} ({number})", number + 1
    return candidate
