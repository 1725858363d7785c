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
from wongar_dsl.engine.saves import SaveError, read_save, replay, write_save
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
    """A match with all that belongs to it.  `path` is where it is saved after every decision."""

    rules: Rules
    match: Match
    words: Words
    file: str
    path: Path
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
        """Write the match to its place, or to another one; raises OSError."""
        write_save(path or self.path, self.match.record(self.file))

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


def reopen(path: Path, words: Words, backend: str = "python") -> Table:
    """The game that a save holds; raises `Refusal` for a save that cannot be used."""
    try:
        data = read_save(path)
        name = str(data.get("file") or data["game"])
        seats = data["seats"]
        if not isinstance(seats, list) or not all(_is_seat(s) for s in seats):
            raise SaveError("broken", path=str(path))
        try:
            rules = load(name)
        except RulesError:
            raise SaveError("unknown_game", path=str(path), game=name) from None
        if data["rules"] != rules.hash:
            raise SaveError("other_rules", path=str(path), game=name)
        try:
            game = rules.game(len(seats), _options(data["options"]), backend, cache())
        except (ValueError, KeyError, TypeError):
            raise SaveError("broken", path=str(path)) from None
        match = replay(game, rules.hash, data, path)
    except SaveError as error:
        raise saves.refusal(error, words) from None
    return Table(rules, match, words_for(rules, words), str(data.get("file") or ""), path)


def _is_seat(data: object) -> bool:
    if not isinstance(data, dict) or data.get("kind") not in ("human", *BOTS):
        return False
    name = data.get("name")
    return isinstance(name, str) and len(name) <= 60 and name.isprintable()


def _options(data: object) -> dict[str, int]:
    if not isinstance(data, dict) or not all(isinstance(v, int) for v in data.values()):
        raise ValueError
    return {str(k): int(v) for k, v in data.items()}


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
