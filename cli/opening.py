"""A game on the table: rules, match, players and where it is saved."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from wongar_dsl import library
from wongar_dsl.bots import BOTS
from wongar_dsl.engine import Game, notation
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.engine.save_files import SaveFile, write_save
from wongar_dsl.engine.saves import Saved, SaveError, read_save, replay
from wongar_dsl.library import Rules
from wongar_dsl.narration import Narrator
from wongar_dsl.text.diagnostics import RulesError
from wongar_dsl.words import Listing, Text, Value, Words, WordsError

from . import saves
from .cache import cache
from .language import Refusal, quoted, speak
from .language import load as load_words
from .seats import letters_of, names_of


@dataclass(slots=True)
class Table:
    """A match with all that belongs to it.  `path` is where it is saved after every decision; `torn`: what was read
    from there had a last line that was cut off."""

    rules: Rules
    match: Match
    words: Words
    file: str
    path: Path
    torn: bool = False
    kept: SaveFile | None = None
    names: tuple[str, ...] = field(init=False)
    letters: tuple[str, ...] = field(init=False)
    narrator: Narrator = field(init=False)

    def __post_init__(self) -> None:
        self.names = names_of(self.match.seats)
        self.letters = letters_of(self.names)
        self.narrator = Narrator(self.match.game, self.words, self.names)

    def speak(self, language: str) -> None:
        """Go on in another language; raises `WordsError` where there is no such one."""
        self.words = load_words(language, roots_of(self.rules))
        self.narrator = Narrator(self.match.game, self.words, self.names)

    def save(self, path: Path | None = None) -> None:
        """Write what is new to the match's place, or all of it to another one; raises OSError, `SaveError`."""
        if path is not None and path != self.path:
            write_save(path, self.match, self.file, self.words.language)
            return
        if self.kept is None:
            self.kept = SaveFile(self.path, self.file, self.words.language)
        self.kept.keep(self.match)

    def close(self) -> None:
        """Leave the save to others."""
        if self.kept is not None:
            self.kept.close()

    def humans(self) -> tuple[int, ...]:
        """The seats at which people sit."""
        return tuple(p for p, s in enumerate(self.match.seats) if s.kind == "human")


def roots_of(rules: Rules) -> list[Path]:
    """The folders of words beside the rule files."""
    return [f / "locales" for f in rules.folders if (f / "locales").is_dir()]


def words_for(rules: Rules, words: Words) -> Words:
    """The same language, with the words that lie beside the rule files."""
    roots = roots_of(rules)
    if not roots:
        return words
    try:
        return load_words(words.language, roots)
    except WordsError as error:
        raise Refusal(words.say(error.name, None, **error.details)) from None


def load(name: str) -> Rules:
    """The rules of a game; raises `RulesError`."""
    return library.load(name, cache())


def file_of(name: str) -> str:
    """The full path of rules that were given as a file, else nothing."""
    with contextlib.suppress(OSError, ValueError):
        if Path(name).is_file():
            return str(Path(name).resolve())
    return ""


def deal(rules: Rules, seats: int, options: Mapping[str, int], backend: str, words: Words) -> Game:
    """The game for so many seats; raises `Refusal` for a number that the rules do not allow."""
    low, high = rules.model.players
    if low == high != seats:
        raise Refusal(words.say("cli.other_number_of_seats", n=low, given=seats), 2)
    if not low <= seats <= high:
        raise Refusal(words.say("cli.bad_number_of_seats", n=seats, low=low, high=high), 2)
    return rules.game(seats, options, backend, cache())


def read_options(rules: Rules, given: Sequence[str], words: Words) -> dict[str, int]:
    """The options of `--set name=value`; raises `Refusal` for what the rules do not have or allow."""
    result: dict[str, int] = {}
    for text in given:
        name, sign, value = text.partition("=")
        known = rules.model.settings.get(name.strip())
        if known is None or not sign:
            there = Listing(tuple(Text(n) for n in rules.model.settings))
            if not there.items:
                raise Refusal(words.say("cli.no_options", option=quoted(name)), 2)
            raise Refusal(words.say("cli.bad_option", option=quoted(text), known=there), 2)
        kind, _, low, high = known
        read = notation.read_value(rules.model, kind, value.strip(), rules.model.players[1])
        if read is None or (kind.kind == "number" and not low <= read <= high):
            if kind.kind == "number":
                allowed: Value = Text(words.say("cli.from_to", low=low, high=high))
            elif kind.kind == "truth":
                allowed = Listing((Text("yes"), Text("no")))
            else:
                names = (rules.model.value_name(kind, i) for i in range(rules.model.size(kind, 1)))
                allowed = Listing(tuple(Text(n) for n in names))
            shown: dict[str, Value] = {"option": quoted(name), "value": quoted(value), "allowed": allowed}
            raise Refusal(words.say("cli.bad_value", None, **shown), 2)
        result[name.strip()] = read
    return result


def lay(
    name: str, seats: Sequence[Seat], seed: int, options: Sequence[str], backend: str, path: Path | None, words: Words
) -> Table:
    """A new game on the table."""
    rules = load(name)
    words = words_for(rules, words)
    game = deal(rules, len(seats), read_options(rules, options, words), backend, words)
    match = Match.begin(game, seats, seed, rules.hash)
    return Table(rules, match, words, file_of(name), path or saves.new_file(game.name))


def reopen(path: Path, words: Words, backend: str = "python", writing: bool = False) -> Table:
    """The game that a save holds, and where `writing`, with nobody else at it; raises `Refusal` for a save that cannot
    be used."""
    try:
        saved = read_save(path)
        if not all(s.kind in ("human", *BOTS) for s in saved.seats):
            raise SaveError("broken", path=str(path))
        rules, file = _rules_of(saved, path)
        try:
            game = rules.game(len(saved.seats), saved.settings, backend, cache())
        except (ValueError, KeyError, TypeError):
            raise SaveError("broken", path=str(path)) from None
        match = replay(game, rules.hash, saved, path)
        try:
            kept = SaveFile.resume(path, saved, match, words.language) if writing else None
        except OSError as error:
            raise SaveError("unreadable", path=str(path), why=error.strerror or "") from error
    except SaveError as error:
        raise saves.refusal(error, words) from None
    return Table(rules, match, words_for(rules, words), file, path, saved.torn, kept)


def _rules_of(saved: Saved, path: Path) -> tuple[Rules, str]:
    """The rules of a save: those that lie beside it as they did, or where they lay; their hash decides."""
    near = path.resolve().parent
    places = [near / saved.beside, near / Path(saved.file).name, Path(saved.file)] if saved.file else []
    names = [str(place) for place in dict.fromkeys(places)] or [saved.game]
    found = False
    for name in names:
        try:
            rules = load(name)
        except RulesError:
            continue
        found = True
        if rules.hash == saved.rules:
            return rules, file_of(name)
    reason = "other_rules" if found else "unknown_game"
    raise SaveError(reason, path=str(path), game=saved.file or saved.game)


def switch(table: Table, language: str) -> str | None:
    """Go on in another language; gives what is wrong with it, or None."""
    try:
        words = speak(language, os.environ, roots_of(table.rules))
    except Refusal as refusal:
        error = refusal.__context__
        return table.words.say(error.name, None, **error.details) if isinstance(error, WordsError) else refusal.text
    table.words = words
    table.narrator = Narrator(table.match.game, words, table.names)
    return None
