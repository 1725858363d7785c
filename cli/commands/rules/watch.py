"""`wongar watch`: checks rules whenever they are saved, and reports the differences."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wongar_dsl.nlg.words import Translator, quoted

from ...errors import UserError
from ...exit_codes import USAGE
from ...terminal.screen import Screen, echo, terminal_width, uses_colours
from ...terminal.signals import interrupt_code, raise_on_signal
from ..options import game_argument

if TYPE_CHECKING:
    from wongar_dsl.engine.library.loader import LoadResult
    from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook

#: Polling interval in seconds; one poll takes less than a millisecond.
POLL_INTERVAL_S = 0.25
#: Fingerprint of a file: modification time, size and inode.
Fingerprint = tuple[int, int, int] | None


def command(words: Translator) -> click.Command:
    """Return the click command `wongar watch`."""

    def run(game: str) -> int:

        watch = RuleWatcher(game, words)
        try:
            with raise_on_signal():
                watch.begin()
                while True:
                    watch.wait()
                    watch.recheck()
        except KeyboardInterrupt as stopped:
            return interrupt_code(stopped)

    return click.Command("watch", callback=run, help=words.say("cli.watch.help"), params=[game_argument(words)])


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
        from wongar_dsl.engine.library import resolved_pieces

        if not resolved_pieces(self._game):
            from wongar_dsl.engine.library import load

            load(self._game)  # Raises the usual error if the game does not exist.
            raise UserError(self._words.say("cli.watch.nothing", file=quoted(self._game)), USAGE)
        self._check()
        echo(self._words.say("cli.watch.waiting", file=quoted(self._game)))

    def wait(self) -> None:
        """Wait until a file was saved and the files no longer change."""
        while self._current_fingerprints() == self._fingerprints:
            time.sleep(POLL_INTERVAL_S)
        seen: dict[Path, Fingerprint] = {}
        while seen != (seen := self._current_fingerprints()):
            time.sleep(POLL_INTERVAL_S)

    def recheck(self) -> None:
        """Check the saved rules and report the differences."""
        changed = [
            path
            for path, fingerprint in self._current_fingerprints().items()
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
        from wongar_dsl.engine.library.loader import read

        # A file saved during the check is found by the next poll.
        self._fingerprints = self._current_fingerprints()
        loaded = read(self._game)
        files = frozenset(_files(self._game, loaded))
        if loaded.rules is None:  # Files that could not be read are still watched.
            files |= self._files
        if files != self._files:
            self._files = files
            self._fingerprints = {
                path: self._fingerprints.get(path, fingerprint) for path, fingerprint in _fingerprints(files).items()
            }
        try:
            self._report(loaded)
        except UserError as refusal:
            echo(refusal.text)

    def _report(self, loaded: LoadResult) -> None:
        from wongar_dsl.engine.rule_cases.file import CaseError

        from ...arguments.case_files import cases_of, open_cases
        from ...arguments.load_game import words_for
        from .diff_view import rulebook_reading
        from .test import run_file

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
        if before is not None:
            self._compare(before, now)

    def _diagnose(self, loaded: LoadResult) -> None:
        """Print the errors in the rules, their catalogs and their cases."""
        from wongar_dsl.nlg.diagnostic_text.diagnostics import render_text

        from .validate import by_content, case_problems, catalog_problems, games_in

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

    def _compare(self, before: RealisedRulebook, now: RealisedRulebook) -> None:
        from wongar_dsl.nlg.prose.render.differences import differences

        from .diff_view import show_part

        parts = list(differences(before, now, wordings=True))
        if not parts:
            echo(self._words.say("cli.watch.same"))
        for part in parts:
            show_part(part, self._screen, self._words)

    def _current_fingerprints(self) -> dict[Path, Fingerprint]:
        return _fingerprints(self._files)


def _fingerprints(files: Iterable[Path]) -> dict[Path, Fingerprint]:
    """Return the fingerprints of the files, including the current files in catalog folders."""
    return {path: _fingerprint_of(path) for place in files for path in (place, *_below(place))}


def _fingerprint_of(path: Path) -> Fingerprint:
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    # The time of a folder changes only when entries are added or removed, which is visible from its files.
    return (0, 0, 0) if path.is_dir() else (status.st_mtime_ns, status.st_size, status.st_ino)


def _below(place: Path) -> Iterator[Path]:
    """Yield the catalogs and lexicons in a `locales` folder."""
    if place.name == "locales":
        for path in place.glob("*/*"):
            if path.suffix in (".po", ".yaml"):
                yield path


def _files(game: str, loaded: LoadResult) -> Iterator[Path]:
    """Yield all files that the output depends on: the rules and their bases, cases and `locales` folders."""
    from wongar_dsl.engine.library import SUFFIX, resolved_pieces

    rule_files = [Path(place) for place in resolved_pieces(game) if os.path.isabs(place)]
    rules = dict.fromkeys((*rule_files, *(path for path, _ in loaded.files), *loaded.absent))
    for path in rules:
        yield path
        if path.name.endswith(SUFFIX):
            yield path.with_name(path.name.removesuffix(SUFFIX) + ".cases.yaml")
        yield path.parent / "locales"
