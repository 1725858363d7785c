"""A table: a match with its rules, the players by name, the language spoken, and where it is saved."""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass, field
from pathlib import Path

from wongar_dsl.bots import BOTS
from wongar_dsl.cache import Cache
from wongar_dsl.engine.match import Match
from wongar_dsl.engine.saves import SaveError, read_save, replay, write_save
from wongar_dsl.library import Rules, load
from wongar_dsl.narration import Narrator
from wongar_dsl.table.names import letters_of, names_of
from wongar_dsl.table.numbering import Numbering
from wongar_dsl.text.diagnostics import RulesError
from wongar_dsl.words import Words

#: No clock runs longer than this, in milliseconds.
LONGEST_WAIT = 10**9


@dataclass(slots=True)
class Table:
    """A match with all that belongs to it.

    `file` is the path of the rules, empty for those that come with the program; `path` is where the match is saved
    after every decision; `elapsed` is how long the decision at hand has been waited for where its clock has run before,
    in milliseconds.
    """

    rules: Rules
    match: Match
    words: Words
    file: str
    path: Path
    elapsed: int = 0
    numbering: Numbering = field(default_factory=Numbering, init=False)
    names: tuple[str, ...] = field(init=False)
    letters: tuple[str, ...] = field(init=False)
    narrator: Narrator = field(init=False)

    def __post_init__(self) -> None:
        self.names = names_of(self.match.seats)
        self.letters = letters_of(self.names)
        self.speak(self.words)

    def speak(self, words: Words) -> None:
        """Go on in another language."""
        self.words = words
        self.narrator = Narrator(self.match.game, words, self.names)

    def save(self, path: Path | None = None) -> None:
        """Write the match to its place, or to another one; raises OSError."""
        write_save(path or self.path, self.match.record(self.file) | self._circumstances())

    def _circumstances(self) -> dict[str, object]:
        """What a save keeps besides the match: the language spoken, and the clock that has run."""
        return {"language": self.words.language} | ({"elapsed": self.elapsed} if self.elapsed else {})

    def humans(self) -> tuple[int, ...]:
        """The seats at which people sit."""
        return tuple(p for p, s in enumerate(self.match.seats) if s.kind == "human")


def words_beside(rules: Rules) -> list[Path]:
    """The folders of words beside the rule files."""
    return [f / "locales" for f in rules.folders if (f / "locales").is_dir()]


@dataclass(frozen=True, slots=True)
class Reopened:
    """What a save holds: a match and its rules, `file` and `elapsed` as of a table, and the language spoken."""

    rules: Rules
    match: Match
    file: str
    language: str
    elapsed: int


def reopened(path: Path, backend: str, cache: Cache | None) -> Reopened:
    """What a save holds; raises `SaveError` for one that cannot be used."""
    try:
        # Nothing is waited for at a pipe, and no device is read to its end.
        if path.exists() and not path.is_file() and not path.is_dir():
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
    except (OSError, ValueError) as error:
        raise SaveError("unreadable", path=str(path), why=str(error)) from None
    data = read_save(path)
    name = str(data.get("file") or data["game"])
    seats = data["seats"]
    if not isinstance(seats, list) or not all(_is_seat(s) for s in seats):
        raise SaveError("broken", path=str(path))
    try:
        rules = load(name, cache)
    except RulesError:
        raise SaveError("unknown_game", path=str(path), game=name) from None
    if data["rules"] != rules.hash:
        raise SaveError("other_rules", path=str(path), game=name)
    try:
        game = rules.game(len(seats), _settings(data["options"]), backend, cache)
    except (ValueError, KeyError, TypeError):
        raise SaveError("broken", path=str(path)) from None
    language, elapsed = data.get("language", ""), data.get("elapsed", 0)
    if not isinstance(language, str) or not isinstance(elapsed, int) or not 0 <= elapsed < LONGEST_WAIT:
        raise SaveError("broken", path=str(path))
    return Reopened(rules, replay(game, rules.hash, data, path), str(data.get("file") or ""), language, elapsed)


def _is_seat(data: object) -> bool:
    if not isinstance(data, dict) or data.get("kind") not in ("human", *BOTS):
        return False
    name = data.get("name")
    return isinstance(name, str) and len(name) <= 60 and name.isprintable()


def _settings(data: object) -> dict[str, int]:
    if not isinstance(data, dict) or not all(isinstance(v, int) for v in data.values()):
        raise ValueError
    return {str(k): int(v) for k, v in data.items()}
