"""`wongar watch`: checks rules each time they are saved, and says what changed."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wongar_dsl.words import Words, quoted

from ..errors import Refusal
from ..terminal.screen import Screen, colours, echo, terminal_width
from .options import game_argument

if TYPE_CHECKING:
    from wongar_dsl.library.loader import Loaded
    from wongar_dsl.prose.reading import Reading

#: How often is looked whether something was saved, in seconds: asking the system takes less than a thousandth.
PAUSE = 0.25
STOPPED, ENDED = 130, 143
#: What a file looks like from outside: when it was written, how long it is, and which one it is.
Look = tuple[int, int, int] | None


def command(words: Words) -> click.Command:
    """The click command."""

    def run(game: str) -> int:
        from ..terminal.ending import Ended, told_to_end

        watch = Watch(game, words)
        try:
            with told_to_end():
                watch.begin()
                while True:
                    watch.wait()
                    watch.again()
        except KeyboardInterrupt as stopped:
            return ENDED if isinstance(stopped, Ended) else STOPPED

    return click.Command("watch", callback=run, help=words.say("cli.watch.help"), params=[game_argument(words)])


class Watch:
    """Rules that somebody is writing: their files as they were last looked at, and what they said when last right."""

    def __init__(self, game: str, words: Words) -> None:
        self._game, self._words = game, words
        self._screen = Screen()
        self._told: Reading | None = None
        self._looks: dict[Path, Look] = {}
        self._files: frozenset[Path] = frozenset()

    def begin(self) -> None:
        """Check the rules for the first time; raises `Refusal` for those that come with the program."""
        from wongar_dsl.library import located

        if not located(self._game):
            from wongar_dsl.library import load

            load(self._game)  # What is not there is told as everywhere.
            raise Refusal(self._words.say("cli.watch.nothing", file=quoted(self._game)), 2)
        self._check()
        echo(self._words.say("cli.watch.waiting", file=quoted(self._game)))

    def wait(self) -> None:
        """Until something was saved, and whoever writes it is done."""
        while self._look() == self._looks:
            time.sleep(PAUSE)
        seen: dict[Path, Look] = {}
        while seen != (seen := self._look()):
            time.sleep(PAUSE)

    def again(self) -> None:
        """Check the rules that were saved, and tell what changed."""
        changed = [path for path, look in self._look().items() if self._looks.get(path) != look]
        gone = {path.name for path in changed if not path.exists()}
        saved = {path.name for path in changed} - gone or ({self._game} if not changed else set())
        self._screen.line()
        for message, names in (("cli.watch.saved", saved), ("cli.watch.gone", gone)):
            if names:
                files = quoted(self._words.chain(sorted(names)))
                self._screen.line([("strong", self._words.say(message, files=files))])
        self._check()

    def _check(self) -> None:
        """Tell what is wrong, run the cases, and say what is different from when the rules were last right."""
        from wongar_dsl.library.loader import read

        # What is saved while this looks is seen by the next look.
        self._looks = self._look()
        loaded = read(self._game)
        files = frozenset(_files(self._game, loaded))
        if loaded.rules is None:  # What could not be read is waited for.
            files |= self._files
        if files != self._files:
            self._files = files
            self._looks = {path: self._looks.get(path, look) for path, look in _looks(files).items()}
        try:
            self._report(loaded)
        except Refusal as refusal:
            echo(refusal.text)

    def _report(self, loaded: Loaded) -> None:
        from wongar_dsl.cases.file import CaseError

        from ..case_files import cases_of, opened
        from ..differing import reading
        from ..opening import words_for
        from .test import run_file

        self._diagnose(loaded)
        if loaded.rules is None:
            return
        for path in cases_of(self._game):
            # Why a file cannot be read was told with the mistakes.
            with contextlib.suppress(CaseError):
                opened(path)
                run_file(path, self._words)
        now = reading(loaded.rules, words_for(loaded.rules, self._words))
        before, self._told = self._told, now
        if before is not None:
            self._compare(before, now)

    def _diagnose(self, loaded: Loaded) -> None:
        """What is wrong with the rules, their words and their cases."""
        from wongar_dsl.narration.diagnostics import render_text

        from .validate import about_cases, about_words, games_in

        found = list(loaded.found)
        if loaded.rules is not None:
            found += about_words(loaded.rules, games_in, self._words, write=False, talk=False)
        found += about_cases(self._game, loaded.rules)
        # The rules were read anew for each of these; the same is told once.
        every = {(d.code, str(d.span), repr(dict(d.arguments))): d for d in found}
        if every:
            colour = colours(sys.stdout)
            echo(render_text(list(every.values()), self._words.say, terminal_width(), colour), painted=colour)
        else:
            echo(self._words.say("cli.watch.good"))

    def _compare(self, before: Reading, now: Reading) -> None:
        from wongar_dsl.prose.differences import differences

        from ..differing import show_part

        found = list(differences(before, now))
        if not found:
            echo(self._words.say("cli.watch.same"))
        for part in found:
            show_part(part, self._screen, self._words)

    def _look(self) -> dict[Path, Look]:
        return _looks(self._files)


def _looks(files: Iterable[Path]) -> dict[Path, Look]:
    """What files look like now; those in folders of words too, which come and go."""
    return {path: _look(path) for place in files for path in (place, *_below(place))}


def _look(path: Path) -> Look:
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    # The time of a folder tells only that something in it came or went, and that is seen by its files.
    return (0, 0, 0) if path.is_dir() else (found.st_mtime_ns, found.st_size, found.st_ino)


def _below(place: Path) -> Iterator[Path]:
    """The catalogs and lexicons in a folder of words."""
    if place.name == "locales":
        for path in place.glob("*/*"):
            if path.suffix in (".po", ".yaml"):
                yield path


def _files(game: str, loaded: Loaded) -> Iterator[Path]:
    """All files that what is told of a game hangs on: its rules and those below them, their cases, their words."""
    from wongar_dsl.library import SUFFIX, located

    own = [Path(place) for place in located(game) if os.path.isabs(place)]
    rules = dict.fromkeys((*own, *(path for path, _ in loaded.files), *loaded.absent))
    for path in rules:
        yield path
        if path.name.endswith(SUFFIX):
            yield path.with_name(path.name.removesuffix(SUFFIX) + ".cases.yaml")
        yield path.parent / "locales"
