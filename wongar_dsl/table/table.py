"""A table: a match with its rules, the players by name, the language spoken, and where it is saved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from wongar_dsl.bots import is_bot
from wongar_dsl.cache import Cache
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.engine.save_files import SaveFile, write_save
from wongar_dsl.engine.saves import Saved, SaveError, read_save, replay
from wongar_dsl.library import Rules, load, located, moved
from wongar_dsl.narration import Narrator
from wongar_dsl.table.names import letters_of, names_of
from wongar_dsl.table.numbering import Numbering
from wongar_dsl.text.diagnostics import RulesError
from wongar_dsl.words import Words


@dataclass(slots=True)
class Table:
    """A match with all that belongs to it.

    `file` is the path of the rules, a line for each if several are combined, empty for those that come with the
    program; `path` is where the match is saved
    after every decision; `torn`: what was read from there had a last line that was cut off; `guided`: it is a guided
    first game.
    """

    rules: Rules
    match: Match
    words: Words
    file: str
    path: Path
    torn: bool = False
    kept: SaveFile | None = None
    guided: bool = False
    numbering: Numbering = field(default_factory=Numbering, init=False)
    names: tuple[str, ...] = field(init=False)
    letters: tuple[str, ...] = field(init=False)
    narrator: Narrator = field(init=False)
    #: The words of the table, while somebody is spoken to in their own.
    common: Words = field(init=False)
    own: dict[int, Words] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self.common = self.words
        self.sit(self.match.seats)

    def sit(self, seats: Sequence[Seat]) -> None:
        """Others sit at the table, or the same with other names."""
        self.match.seats = tuple(seats)
        self.names = names_of(self.match.seats)
        self.letters = letters_of(self.names)
        self._say(self.words)

    def speak(self, words: Words) -> None:
        """Go on in another language."""
        self.common = words
        self._say(words)

    def give(self, seat: int, words: Words) -> None:
        """Speak to somebody in a language of their own, whenever it is they who look."""
        self.own[seat] = words
        self.match.speak(seat, words.language)

    def speak_to(self, seat: int | None) -> None:
        """Go on in the language of who looks now, or with None in that of the table."""
        words = self.common if seat is None else self.own.get(seat, self.common)
        if words is not self.words:
            self._say(words)

    def _say(self, words: Words) -> None:
        self.words = words
        self.narrator = Narrator(self.match.game, words, self.names)

    def save(self, path: Path | None = None) -> None:
        """Write what is new to the match's place, or all of it to another one; raises OSError, `SaveError`."""
        if path is not None and path != self.path:
            write_save(path, self.match, self.file, self.common.language, self.guided)
            return
        if self.kept is None:
            self.kept = SaveFile(self.path, self.file, self.guided)
        self.kept.keep(self.match, self.common.language)

    @property
    def lost(self) -> bool:
        """Whether the save was moved, removed or changed by another program since it was written."""
        return self.kept is not None and self.kept.lost

    def close(self) -> None:
        """Leave the save to others."""
        if self.kept is not None:
            self.kept.close()

    @property
    def elapsed(self) -> int:
        """How long the decision at hand has been waited for where its clock has run before, in milliseconds."""
        return self.match.thought

    @elapsed.setter
    def elapsed(self, time: int) -> None:
        self.match.thought = time

    def humans(self) -> tuple[int, ...]:
        """The seats at which people sit."""
        return tuple(p for p, s in enumerate(self.match.seats) if s.kind == "human")


@dataclass(frozen=True, slots=True)
class Reopened:
    """What a save holds: a match and its rules, `file` as of a table, and what the save said of itself."""

    rules: Rules
    match: Match
    file: str
    saved: Saved


def reopened(path: Path, backend: str, cache: Cache | None, marked: bool = False) -> Reopened:
    """What a save holds, if `marked` with events that tell where in the rules they come from.

    Raises `SaveError` for one that cannot be used.
    """
    # A new game is played without what lays out the position of an old one.
    from wongar_dsl.table.takeover import lay

    saved = read_save(path)
    if not all(seat.kind == "human" or is_bot(seat.kind) for seat in saved.seats):
        raise SaveError("broken", path=str(path))
    rules, file = _rules_of(saved, path, cache)
    try:
        seats, settings = len(saved.seats), saved.settings
        game = rules.marked(seats, settings, backend) if marked else rules.game(seats, settings, backend, cache)
    except (ValueError, KeyError, TypeError):
        raise SaveError("broken", path=str(path)) from None
    return Reopened(rules, replay(game, rules.hash, saved, path, lay), file, saved)


def _rules_of(saved: Saved, path: Path, cache: Cache | None) -> tuple[Rules, str]:
    """The rules of a save, and their path: those that lie beside it as they did, or where they lay; their hash
    decides."""
    near = path.resolve().parent
    files = tuple(saved.file.split("\n")) if saved.file else ()
    from_save = dict(zip(files, saved.beside.split("\n"), strict=False))
    as_it_lay, together = (
        {f: str(near / from_save.get(f, f)) for f in files},
        {f: str(near / Path(f).name) for f in files},
    )
    places = (as_it_lay, together, {f: f for f in files})
    names = [moved(files, where) for where in places] if files else [saved.game]
    found = False
    for name in dict.fromkeys(names):
        try:
            rules = load(name, cache)
        except RulesError:
            continue
        found = True
        if rules.hash == saved.rules:
            return rules, "\n".join(located(name))
    game = saved.file.replace("\n", " + ") or saved.game
    raise SaveError("other_rules" if found else "unknown_game", path=str(path), game=game)
