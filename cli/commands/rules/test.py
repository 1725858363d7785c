"""`wongar test`: runs rule cases and reports failures."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from functools import partial
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wongar_dsl.base.storage.files import MemoryPath
from wongar_dsl.base.text.terminal import escape_line
from wongar_dsl.engine import IllegalMove, State
from wongar_dsl.engine.rule_cases.file import RULES, SUFFIX, CaseError, CaseFailure
from wongar_dsl.engine.rule_cases.runner import CaseRunner
from wongar_dsl.nlg.diagnostic_text.diagnostics import CASE_WORDS
from wongar_dsl.nlg.words import Translator
from wongar_dsl.nlg.words.arguments import Text, Value

from ...arguments.case_files import cases_of, open_cases, packed_cases
from ...errors import UserError
from ...exit_codes import FAILURE, SUCCESS, USAGE
from ...terminal.screen import echo
from ..options import backend_option, files_below, number_option

if TYPE_CHECKING:
    from .rule_coverage import CoverageReport

#: Limit in seconds of processor time for the cases of one file; those of a built-in game take 1 to 2 s.
MAX_CPU_S = 7.0
#: Maximum number of random games that add to the coverage.
MAX_PLAYOUTS = 100_000
#: Two lists among the arguments of a failure; only their differences are printed.
_DIFFERENCE = ("expected", "found")
_SIGNS = {"missing": "-", "surplus": "+"}


def command(words: Translator) -> click.Command:
    """Return the click command `wongar test`."""

    def run(paths: tuple[str, ...], only: str, backend: str, coverage: bool, playouts: int | None) -> int:
        from .rule_coverage import CoverageReport

        case_files = list(files(paths, words))
        if not case_files:
            echo(words.say("cases.no_files"), err=True)
            return USAGE
        if playouts is not None and not coverage:
            raise UserError(words.say("cli.test.playouts.alone"), USAGE)
        covering = CoverageReport(backend) if coverage else None
        good = [run_file(path, words, only, backend, covering) for path in case_files]
        if covering is not None:
            for line in covering.report(words, playouts):
                echo(line)
        return SUCCESS if all(good) else FAILURE

    return click.Command(
        "test",
        callback=run,
        help=words.say("cli.test.help"),
        params=[
            click.Argument(["paths"], nargs=-1, metavar=words.say("cli.test.metavar")),
            click.Option(
                ["--only"], default="", metavar=words.say("cli.test.only.metavar"), help=words.say("cli.test.only")
            ),
            backend_option(words),
            click.Option(["--coverage"], is_flag=True, help=words.say("cli.test.coverage")),
            number_option(words, "--playouts", "cli.test.playouts", low=0, high=MAX_PLAYOUTS),
        ],
    )


def files(paths: Iterable[str], words: Translator) -> Iterator[Path | MemoryPath]:
    """Yield the case files for paths: files, folders, rule files or games.

    Without paths, the built-in case files. Raises `RulesError` for a pack that cannot be played.
    """
    from wongar_dsl.engine.library import builtin_names, load, pieces
    from wongar_dsl.engine.library.builtin_games import PACK_SUFFIX

    for name in paths or (str(resources.files("wongar_dsl.rules")),):
        path = Path(name)
        if path.is_dir():
            yield from files_below(path, SUFFIX, words)
        elif any(piece.endswith(PACK_SUFFIX) for piece in pieces(name)):
            load(name)
            yield from packed_cases(name)
        elif (name.endswith(RULES) and path.is_file()) or (name in builtin_names() and not path.exists()):
            yield from cases_of(name)
        else:
            yield path


def run_file(
    path: Path | MemoryPath,
    words: Translator,
    only: str = "",
    backend: str = "python",
    covering: CoverageReport | None = None,
) -> bool:
    """Run the cases of a file, print the failures, and return whether all passed.

    `covering` records the rule lines reached.
    """
    from wongar_dsl.engine.library import inspect

    try:
        file = open_cases(path)
    except CaseError as error:
        echo("\n".join(failure_lines(error.finding, path, words)), err=True)
        return False
    if file.beside:
        names = {"file": str(path), "name": file.named, "rules": file.beside}
        texts = {name: Text(escape_line(text)) for name, text in names.items()}
        tested = "cases.tested_beside" if file.beside == file.game else "cases.tested_named"
        echo(words.say(tested, None, line=Text(str(file.game_line)), **texts), err=True)
    rules, diagnostics = inspect(file.game)
    if rules is None:
        from wongar_dsl.nlg.diagnostic_text.diagnostics import render_text

        echo(render_text(diagnostics, words.say), err=True)
        return False
    game = partial(rules.game, backend=backend) if covering is None else partial(covering.game, rules)
    bench = CaseRunner(rules.model, game)
    end = time.process_time() + MAX_CPU_S
    cases = (case for case in file.cases if only.casefold() in case.name.casefold())
    outcomes = list(bench.run_all(cases, lambda: time.process_time() > end))
    failed = [o for o in outcomes if not o.passed]
    shown = Text(escape_line(str(path)))
    for outcome in failed:
        name = Text(escape_line(outcome.case.name))
        echo(words.say("cases.case_failed", file=shown, line=Text(str(outcome.case.line)), name=name))
        for finding in outcome.findings:
            echo("\n".join("  " + line for line in failure_lines(finding, path, words)))
    echo(words.say("cases.passed", n=len(outcomes) - len(failed), file=shown, rules=Text(escape_line(file.game))))
    if failed:
        echo(words.say("cases.failed", n=len(failed), file=shown))
    return not failed


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
        yield from (f"    {line}" for line in _why(finding.refused, words))
    if finding.arguments.get("where"):
        where, condition = arguments["where"], arguments.get("condition", Text(""))
        yield "    " + words.say("cases.because", where=where, condition=condition)
    if finding.arguments.get("suggestion"):
        yield "    " + words.say("report.suggestion", name=arguments["suggestion"])
    yield from _difference(lists, words)


def _why(refused: tuple[IllegalMove, State, tuple[str, ...]], words: Translator) -> Iterator[str]:
    """Yield the reason why a move is illegal, if the game has words for it."""
    from wongar_dsl.nlg.narration import Narrator
    from wongar_dsl.nlg.narration.illegal_move import reason_for_illegal_move

    error, state, names = refused
    why = reason_for_illegal_move(error, state, Narrator(state.game, words, names))
    if why is not None:
        yield why.text


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
