"""`wongar validate` and `wongar watch`: checks rules and the catalogs, cases and tutorial beside them."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from wongar_dsl.base.diagnostics import Diagnostic, Severity
from wongar_dsl.base.storage.files import relative_path
from wongar_dsl.base.terminal_text import escape_line
from wongar_dsl.engine import Game
from wongar_dsl.engine.library import RULES_SUFFIX, Rules, builtin_games, inspect, load, resolved_pieces
from wongar_dsl.engine.library.loader import LoadResult, read
from wongar_dsl.engine.rule_cases.file import CaseError
from wongar_dsl.engine.rule_cases.file import read as read_cases
from wongar_dsl.nlg.diagnostic_text import render_github, render_json, render_text
from wongar_dsl.nlg.narration.teaching_book import Examples, example_faults, examples_left_out
from wongar_dsl.nlg.translation import FOLDER, faults_of, missing_text_warnings, missing_texts, prepare_stubs
from wongar_dsl.nlg.words import Text, Translator, WordsError, quoted
from wongar_dsl.nlg.words.po_files import write_file
from wongar_dsl.session.lesson_check import faults

from ..case_files import Reader, case_faults, cases_of, open_cases
from ..declarations import rule_files
from ..errors import FAILURE, SUCCESS, USAGE, UserError, write_error
from ..language import cache as program_cache
from ..load_game import games_in, refusal, words_for
from ..terminal.screen import Screen, echo, echo_data, terminal_width, uses_colours
from ..terminal.signals import interrupt_code, raise_on_signal
from .test import run_file

if TYPE_CHECKING:
    from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook

#: Limit in seconds of processor time for checking the cases of one game. The rest is found when the cases are run.
MAX_CASE_CPU_S = 3.0


def validate_command(words: Translator, paths: tuple[str, ...], form: str, write_words: bool) -> int:
    """Run `wongar validate`."""
    reported_before: dict[tuple[str, str, str], Diagnostic] = {}
    games_of, reader = cache(games_in), cache(read_cases)
    for name in dict.fromkeys(file for path in paths for file in _files(path, words)):
        rules, diagnostics = inspect(name)
        if rules is not None:
            diagnostics = (*diagnostics, *catalog_problems(rules, games_of, words, write_words, form == "text"))
        tutorial_faults = faults(rules) if rules is not None else ()
        diagnostics = (*diagnostics, *case_problems(name, rules, reader), *tutorial_faults)
        told = None
        if rules is not None and all(d.severity is not Severity.ERROR for d in diagnostics):
            told = unsuitable_examples(rules, words, reader)
            diagnostics = (*diagnostics, *example_faults(told))
        # Findings that a variant inherits are not repeated.
        by_key = by_content(diagnostics)
        reported = tuple(d for key, d in by_key.items() if key not in reported_before)
        reported_before |= by_key
        if form != "text":
            continue
        if reported:
            colour = uses_colours(sys.stdout)
            echo(render_text(reported, words.say, terminal_width(), colour) + "\n", has_codes=colour)
        if rules is not None and all(d.severity is not Severity.ERROR for d in diagnostics):
            low, high = rules.model.players
            if low == high:
                echo(words.say("report.good_exactly", file=quoted(name), n=low))
            else:
                echo(words.say("report.good", file=quoted(name), low=low, high=high))
            for note in example_notes(told, words) if told is not None else ():
                echo(note)
    if form == "json":
        echo_data(render_json(reported_before.values(), words.say))
    elif form == "github" and reported_before:
        echo(render_github(reported_before.values(), words.say))
    return FAILURE if any(d.severity is Severity.ERROR for d in reported_before.values()) else SUCCESS


def by_content(diagnostics: Iterable[Diagnostic]) -> dict[tuple[str, str, str], Diagnostic]:
    """Return diagnostics by code, location and arguments, so that repeated ones can be dropped."""
    return {(d.code, str(d.span), repr(dict(d.arguments))): d for d in diagnostics}


def catalog_problems(
    rules: Rules, games_of: Callable[[Path], tuple[list[Game], bool]], words: Translator, write: bool, announce: bool
) -> tuple[Diagnostic, ...]:
    """Return the errors in the catalogs beside rules, and the missing texts.

    With `write`, stubs for the missing texts are written to the files; `announce` prints the files written.
    """
    # Nothing is played, so a backend without compilation is enough.
    game, roots = rules.game(rules.model.players[0], backend="reference"), rules.words_beside
    findings: list[Diagnostic] = []
    for folder in rules.folders:
        # The catalogs of a pack were checked when it was made, and its user cannot change them.
        if isinstance(folder, Path) and (folder / FOLDER).exists():
            others, complete = games_of(folder)
            findings += faults_of([game, *others], folder / FOLDER, complete)
    place = rules.folders[0] / FOLDER if rules.folders else None
    # For a pack, only the user's own language is checked.
    packed = any(not isinstance(folder, Path) for folder in rules.folders)
    required_languages = (words.language,) if packed else ()
    missing = missing_text_warnings(
        game, roots, place if isinstance(place, Path) else None, rules.homes, required_languages
    )
    if not write or place is None:
        return (*findings, *missing)
    try:
        if not isinstance(place, Path):
            raise OSError
        written = prepare_stubs(missing_texts(game, roots, even_if_wordless=True, homes=rules.homes), place)
        for path, file in written.items():
            write_file(path, file.text)
    except OSError as error:
        raise write_error(str(place), error, words) from None
    for path, file in written.items() if announce else ():
        echo(words.say("report.words_written", path=quoted(relative_path(str(path))), n=file.entries))
    # A missing text whose stub was written earlier is already reported with its line in the file.
    return (*findings, *(() if written else missing))


def case_problems(name: str, rules: Rules | None, reader: Reader = read_cases) -> tuple[Diagnostic, ...]:
    """Return the errors in the cases beside rules, without running them."""
    end = time.process_time() + MAX_CASE_CPU_S
    return tuple(case_faults(name, rules, lambda: time.process_time() > end, reader))


def example_notes(told: Examples, words: Translator) -> Iterator[str]:
    """Yield the notes on examples that do not hold with the rules, such as those of the game of a variant."""
    for file in told.files:
        failing = [left for left in told.book.left_out if left.reason == "fails" and told.file_of(left.case) is file]
        path = escape_line(relative_path(str(file.path)))
        if len(failing) > 1 and len(failing) == sum(case.example for case in file.cases):
            yield words.say("report.no_example_holds", None, place=Text(path))
            continue
        for left_out in failing:
            name, place = quoted(left_out.case.name), Text(f"{path}:{left_out.case.line}")
            if left_out.instead:
                other = quoted(left_out.instead[0].name)
                yield words.say("report.example_replaced", None, name=name, place=place, other=other)
            else:
                yield words.say("report.example_left_out", None, name=name, place=place)


def unsuitable_examples(rules: Rules, words: Translator, reader: Reader = read_cases) -> Examples:
    """Return what is left out of the examples of rules, as far as the time limit for cases allows to tell them."""
    end = time.process_time() + MAX_CASE_CPU_S
    return examples_left_out(rules, words, program_cache(), lambda: time.process_time() > end, reader)


def _files(path: str, words: Translator) -> Iterator[str]:
    """Yield the rule files for a path; the name of a game takes precedence over a folder of that name."""
    is_game = path in builtin_games() and not any(Path(path).glob("*.rules"))
    yield from (path,) if is_game else rule_files(path, words)


#: Polling interval in seconds; one poll takes less than a millisecond.
POLL_INTERVAL_S = 0.25
#: Fingerprint of a file: modification time, size and inode.
Fingerprint = tuple[int, int, int] | None


def watch_command(words: Translator, game: str) -> int:
    """Run `wongar watch`."""
    watch = RuleWatcher(game, words)
    try:
        with raise_on_signal():
            watch.begin()
            while True:
                watch.wait()
                watch.recheck()
    except KeyboardInterrupt as stopped:
        return interrupt_code(stopped)


class RuleWatcher:
    """Rules being edited: fingerprints of their files, and the rulebook of the last valid version."""

    def __init__(self, game: str, words: Translator) -> None:
        self._game, self._words = game, words
        self._screen = Screen()
        self._last_rulebook: RealisedRulebook | None = None
        self._fingerprints: dict[Path, Fingerprint] = {}
        self._files: frozenset[Path] = frozenset()

    def begin(self) -> None:
        """Check the rules for the first time.

        Raises `UserError` for built-in rules, which have no files to watch.
        """
        if not resolved_pieces(self._game):
            load(self._game)  # Raises the usual error if the game does not exist.
            raise UserError(self._words.say("cli.watch.nothing", file=quoted(self._game)), USAGE)
        self._check()
        echo(self._words.say("cli.watch.waiting", file=quoted(self._game)))

    def wait(self) -> None:
        """Wait until a file was saved and the files no longer change."""
        while _fingerprints(self._files) == self._fingerprints:
            time.sleep(POLL_INTERVAL_S)
        seen: dict[Path, Fingerprint] = {}
        while seen != (seen := _fingerprints(self._files)):
            time.sleep(POLL_INTERVAL_S)

    def recheck(self) -> None:
        """Check the saved rules and report the differences."""
        changed = [
            path
            for path, fingerprint in _fingerprints(self._files).items()
            if self._fingerprints.get(path) != fingerprint
        ]
        removed = {path.name for path in changed if not path.exists()}
        saved = {path.name for path in changed} - removed or ({self._game} if not changed else set())
        self._screen.line()
        for message, names in (("cli.watch.saved", saved), ("cli.watch.gone", removed)):
            if names:
                files = quoted(self._words.chain(sorted(names)))
                self._screen.line([("strong", self._words.say(message, files=files))])
        self._check()

    def _check(self) -> None:
        """Report errors, run the cases, and report the differences from the last valid version."""
        # A file saved during the check is found by the next poll.
        self._fingerprints = _fingerprints(self._files)
        loaded = read(self._game)
        files = frozenset(_watched_files(self._game, loaded))
        if loaded.rules is None:  # Files that could not be read are still watched.
            files |= self._files
        if files != self._files:
            self._files = files
            self._fingerprints = {
                path: self._fingerprints.get(path, fingerprint) for path, fingerprint in _fingerprints(files).items()
            }
        try:
            self._report(loaded)
        except (UserError, WordsError) as error:
            if (refused := refusal(error, self._words)) is not None:
                echo(refused.text)

    def _report(self, loaded: LoadResult) -> None:
        # Imported here because `wongar validate` does not need them.
        from wongar_dsl.nlg.prose.render.differences import differences

        from .diff import rulebook_reading, show_part

        self._diagnose(loaded)
        if loaded.rules is None:
            return
        for path in cases_of(self._game):
            # The reason was reported with the errors.
            with contextlib.suppress(CaseError):
                open_cases(path)
                run_file(path, self._words)
        now = rulebook_reading(loaded.rules, words_for(loaded.rules, self._words))
        before, self._last_rulebook = self._last_rulebook, now
        if before is None:
            return
        parts = list(differences(before, now, wordings=True))
        if not parts:
            echo(self._words.say("cli.watch.same"))
        for part in parts:
            show_part(part, self._screen, self._words)

    def _diagnose(self, loaded: LoadResult) -> None:
        """Print the errors in the rules, their catalogs and their cases."""
        diagnostics = list(loaded.diagnostics)
        if loaded.rules is not None:
            diagnostics += catalog_problems(loaded.rules, games_in, self._words, write=False, announce=False)
        diagnostics += case_problems(self._game, loaded.rules)
        # Each of these checks loads the rules again; duplicates are removed.
        unique = by_content(diagnostics)
        if unique:
            colour = uses_colours(sys.stdout)
            echo(render_text(list(unique.values()), self._words.say, terminal_width(), colour), has_codes=colour)
        else:
            echo(self._words.say("cli.watch.good"))


def _fingerprints(files: Collection[Path]) -> dict[Path, Fingerprint]:
    """Return the fingerprints of the files, including the current files in catalog folders."""
    catalogs = (path for place in files if place.name == "locales" for path in place.glob("*/*"))
    read = (*files, *(path for path in catalogs if path.suffix in (".po", ".yaml")))
    return {path: _fingerprint_of(path) for path in read}


def _fingerprint_of(path: Path) -> Fingerprint:
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    # The time of a folder changes only when entries are added or removed, which is visible from its files.
    return (0, 0, 0) if path.is_dir() else (status.st_mtime_ns, status.st_size, status.st_ino)


def _watched_files(game: str, loaded: LoadResult) -> Iterator[Path]:
    """Yield all files that the output depends on: the rules and their bases, cases and `locales` folders."""
    rule_files = [Path(place) for place in resolved_pieces(game) if os.path.isabs(place)]
    rules = dict.fromkeys((*rule_files, *(path for path, _ in loaded.files), *loaded.absent))
    for path in rules:
        yield path
        if path.name.endswith(RULES_SUFFIX):
            yield path.with_name(path.name.removesuffix(RULES_SUFFIX) + ".cases.yaml")
        yield path.parent / "locales"
