"""How every command comes by a game: load the rules, find the words beside them, settle seats and settings, deal."""

from __future__ import annotations

import contextlib
import os
import shlex
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from wongar_dsl import library
from wongar_dsl.cache import Cache
from wongar_dsl.engine import Game
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.engine.save_files import SaveFile
from wongar_dsl.engine.saves import SaveError
from wongar_dsl.library import Rules
from wongar_dsl.table.errors import TableError
from wongar_dsl.table.setup import deal
from wongar_dsl.table.table import Table, reopened
from wongar_dsl.words import Text, Words, WordsError

from . import saves
from .cache import cache
from .errors import Refusal, refused
from .language import folders, load, named_folders, speak
from .terminal.screen import echo, terminal_width

#: How many seconds of processor time the rule files beside one, or beside a game, are read for.
NEIGHBOURS = 3.0

#: The code of a packed variant whose base is another one here.
OTHER_BASE = "R0010"


@dataclass(frozen=True, slots=True)
class Opening:
    """The rules of a game, and the language spoken with the words that lie beside them."""

    rules: Rules
    words: Words
    file: str

    def seats(self, first: str, other: str) -> tuple[Seat, ...]:
        """As few seats as the game allows: one of a kind, all the others of another one."""
        return (Seat(first), *(Seat(other),) * (self.rules.model.players[0] - 1))

    def deal(self, seats: int | None, settings: Sequence[str], backend: str) -> Game:
        """The game for so many seats, else for the fewest; raises `Refusal` for what the rules do not allow."""
        try:
            return deal(self.rules, seats or self.rules.model.players[0], settings, backend, cache())
        except TableError as error:
            raise refused(error, self.words) from None

    def lay(self, seats: Sequence[Seat], seed: int, settings: Sequence[str], backend: str, path: Path | None) -> Table:
        """A new game on the table; raises `Refusal` and `PlayFault`."""
        game = self.deal(len(seats), settings, backend)
        if backend == "native":
            tell_backend(game, backend, self.words)
        match = Match.begin(game, seats, seed, self.rules.hash)
        return Table(self.rules, match, self.words, self.file, path or saves.new_file(game.name))


def tell_backend(game: Game, backend: str, words: Words) -> None:
    """Tell somebody to whom speed matters that a game cannot be run as machine code.

    Where it can be, nobody waits here for the compiler, unless it is asked for machine code and nothing else.
    """
    from wongar_dsl.backends.native.compiler import at_hand

    if game.backend.name != "native" if backend == "native" else backend == "auto" and not at_hand():
        from wongar_dsl.backends.native.library import too_large

        large = backend == "native" and at_hand() and too_large(game.program)
        echo(words.say("cli.too_large_to_compile" if large else "cli.no_compiler"), err=True)


def opening(name: str, words: Words) -> Opening:
    """A game by its name or path; raises `RulesError`, and `Refusal` where the words beside it cannot be used."""
    rules = library.load(name, cache())
    return Opening(rules, words_for(rules, words), "\n".join(library.located(name)))


def neighbours(files: Iterable[Path], cache: Cache | None = None) -> Iterator[tuple[Path, Rules | None]]:
    """Rule files, each with its rules: None for one with mistakes, or one that no time is left for.

    There can be more than there is time for, and files of strangers.
    """
    end = time.process_time() + NEIGHBOURS
    for file in files:
        yield file, library.inspect(str(file), cache)[0] if time.process_time() < end else None


def words_for(rules: Rules, words: Words, *more: Rules) -> Words:
    """The same language, with the words that lie beside the rule files of some rules, and of `more`."""
    roots = list(dict.fromkeys(root for one in (rules, *more) for root in one.words_beside))
    if not roots:
        return words
    try:
        return load(words.language, roots)
    except WordsError as error:
        raise Refusal(words.say(error.name, None, **error.details)) from None


def warnings(table: Table) -> list[str]:
    """What to tell before a game: that its base is another one than where it was packed, and mistakes in its words.

    What cannot be said is English there.
    """
    words, own, beside = table.words, folders(), table.rules.words_beside
    based = [d for d in table.rules.warnings if d.code == OTHER_BASE]
    # The words of a pack were checked where it was made, and whoever plays it cannot mend them.
    written = [
        folder
        for folder in dict.fromkeys((*own, *beside))
        if isinstance(folder, Path) and (folder / words.language).is_dir()
    ]
    if not based and not written:
        return []
    from wongar_dsl.narration.catalog_faults import wrong_in
    from wongar_dsl.narration.diagnostics import render_text

    told = [render_text([d], words.say, terminal_width()) for d in based]
    game = table.file.replace("\n", "+") or table.rules.name
    for folder in written:
        found = wrong_in([table.match.game], folder, [words.language], [*own, *beside])
        wrong = {(f.file, f.line, f.about) for f in found if not f.unused}
        if wrong:
            check = ["validate", game] if folder in beside else ["words", words.language, "--game", game]
            named = ["--words", str(folder)] if folder in named_folders() else []
            command = Text(shlex.join(["wongar", *check, *named]))
            told.append(words.say("cli.wrong_words", n=len(wrong), language=Text(words.language), command=command))
    return told


def reopen(
    path: Path,
    words: Words,
    backend: str = "python",
    as_spoken: bool = False,
    writing: bool = False,
    marked: bool = False,
) -> Table:
    """The game that a save holds; raises `Refusal` for a save that cannot be used, or, where `writing`, is in use.

    With `as_spoken` it goes on in the language that was spoken at the table, where that is still known; if `marked`,
    its events tell where in the rules they come from.
    """
    try:
        found = reopened(path, backend, cache(), marked)
        kept = None
        if writing:
            try:
                kept = SaveFile.resume(path, found.saved, found.match)
            except OSError as error:
                raise SaveError("unreadable", path=str(path), why=error.strerror or "") from error
    except SaveError as error:
        raise saves.refusal(error, words) from None
    saved, spoken = found.saved, words_for(found.rules, words)
    table = Table(found.rules, found.match, spoken, found.file, path, saved.torn, kept, saved.guided)
    if writing:
        # Imported where it is used: who begins a game numbers nothing anew.
        from wongar_dsl.table.renumbering import catch_up

        catch_up(table.numbering, table.match)
    if as_spoken and saved.language not in ("", words.language):
        with contextlib.suppress(WordsError, Refusal):
            table.speak(speak(saved.language, os.environ, found.rules.words_beside))
    return table


def switch(table: Table, language: str) -> str | None:
    """Go on in another language; gives what is wrong with it, or None."""
    try:
        words = speak(language, os.environ, table.rules.words_beside)
    except Refusal as refusal:
        error = refusal.__context__
        return table.words.say(error.name, None, **error.details) if isinstance(error, WordsError) else refusal.text
    table.speak(words)
    return None
