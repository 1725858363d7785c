"""`wongar test`: runs rule cases, and reports failures and the rule lines that nothing reaches."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from importlib import resources
from pathlib import Path

from wongar_dsl.base.span import Source
from wongar_dsl.base.storage.files import PACK_SUFFIX, MemoryPath
from wongar_dsl.base.terminal_text import escape_line
from wongar_dsl.engine.game import Game
from wongar_dsl.engine.library import inspect, load
from wongar_dsl.engine.library.game_ids import builtin_names, pieces
from wongar_dsl.engine.library.rules import Rules
from wongar_dsl.engine.rule_cases.coverage import Coverage, MissedLines, coverage, play_random_games, reached_marks
from wongar_dsl.engine.rule_cases.file import RULES, SUFFIX, CaseError
from wongar_dsl.engine.rule_cases.runner import CaseRunner
from wongar_dsl.nlg.diagnostic_text import render_text
from wongar_dsl.nlg.words import Text, Translator

from ..case_files import cases_of, failure_lines, open_cases, packed_cases
from ..declarations import files_below
from ..errors import FAILURE, SUCCESS, USAGE, UserError
from ..terminal.screen import echo

#: Limit in seconds of processor time for the cases of one file; those of a built-in game take 1 to 2 s.
MAX_CPU_S = 7.0


def test_command(
    words: Translator, paths: tuple[str, ...], only: str, backend: str, coverage: bool, playouts: int | None
) -> int:
    """Run `wongar test`."""
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


def files(paths: Iterable[str], words: Translator) -> Iterator[Path | MemoryPath]:
    """Yield the case files for paths: files, folders, rule files or games.

    Without paths, the built-in case files. Raises `RulesError` for a pack that cannot be played.
    """
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


#: Default number of random playouts, and the limit in seconds of processor time for the playouts of one game.
PLAYOUTS, MAX_PLAYOUT_CPU_S = 20, 5.0


class CoverageReport:
    """Coverage of the games that cases are run with."""

    def __init__(self, backend: str) -> None:
        self._backend = backend
        self._rules: dict[str, Rules] = {}
        self._games: list[Game] = []

    def game(self, rules: Rules, seats: int, settings: Mapping[str, int]) -> Game:
        """Return an instrumented game to run cases with."""
        self._rules[rules.hash] = rules
        self._games.append(rules.marked(seats, settings, self._backend))
        return self._games[-1]

    def report(self, words: Translator, playouts: int | None) -> Iterator[str]:
        """Yield the lines of the report: coverage by the cases, then by random playouts.

        Without a number, as many of the default number are played as the time limit allows.
        """
        marks = reached_marks(self._games)
        for rules, source in self._sources():
            yield ""
            yield from _coverage_lines(words, "cases", source, coverage(rules.model, source, marks))
        for rules in self._rules.values() if playouts != 0 else ():
            sources = [source for source in _own(rules) if coverage(rules.model, source, set()).lines]
            games, played = self._played(rules, playouts) if sources else ([], 0)
            marks = reached_marks(games)
            for source in sources:
                yield ""
                yield from _coverage_lines(words, "games", source, coverage(rules.model, source, marks), played)

    def _played(self, rules: Rules, playouts: int | None) -> tuple[list[Game], int]:
        """Play random playouts of a game; return the instrumented games and the number of playouts."""
        end = time.process_time() + MAX_PLAYOUT_CPU_S

        def late() -> bool:
            return playouts is None and time.process_time() > end

        def marked(seats: int) -> Game:
            return rules.marked(seats, backend=self._backend)

        return play_random_games(marked, rules.model.players, playouts or PLAYOUTS, late)

    def _sources(self) -> Iterator[tuple[Rules, Source]]:
        """Yield each source file that the cases test once, with its rules."""
        seen: set[str] = set()
        for rules in self._rules.values():
            for source in _own(rules):
                if source.text not in seen:
                    seen.add(source.text)
                    yield rules, source


def _own(rules: Rules) -> tuple[Source, ...]:
    """Return the sources of the rules; for a variant, without those of its base."""
    return rules.sources[1:] or rules.sources


def _coverage_lines(words: Translator, kind: str, source: Source, found: Coverage, games: int = 0) -> Iterator[str]:
    if not found.lines:
        yield words.say("coverage.nothing", None, file=Text(escape_line(source.name)))
        return
    reached_count, lines = Text(words.number(found.reached)), Text(words.number(found.lines))
    yield words.say(
        f"coverage.{kind}", None, file=Text(escape_line(source.name)), n=games, reached=reached_count, lines=lines
    )
    if found.missed:
        yield "  " + words.say(f"coverage.{kind}.missed")
    for missed in found.missed:
        numbers = str(missed.first) if missed.first == missed.last else f"{missed.first}–{missed.last}"
        yield f"    {numbers:<9} {_part(words, source, missed)}"


def _part(words: Translator, source: Source, missed: MissedLines) -> str:
    """Return the declaration and, if part of it was reached, the first line that was not."""
    article = escape_line(missed.article.text)
    if missed.whole and missed.article.source.text == source.text:
        return words.say("coverage.whole", article=Text(article))
    return f"{article} … {escape_line(source.line(missed.first).strip())}"
