"""What is known about a rule file at one moment: its text, its tree, the files that it builds on, and what is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from wongar_dsl import pipeline
from wongar_dsl import syntax as s
from wongar_dsl.language_server.positions import Position, Shift, holds, lines_of
from wongar_dsl.language_server.symbols import Occurrence, Scope, Symbol, occurrences
from wongar_dsl.library.loader import Loaded, RuleFile, read_open
from wongar_dsl.model import Model
from wongar_dsl.narration.untranslated import Lack, lacking
from wongar_dsl.text.span import Source, Span
from wongar_dsl.variants.merge import MergedRules


@dataclass(frozen=True)
class Snapshot:
    """A rule file as it was read: `loaded` with all that it builds on; `path` is its full path."""

    path: Path
    loaded: Loaded

    @property
    def files(self) -> tuple[RuleFile, ...]:
        """The files of the game, base first, this one last; none where it cannot be read."""
        return self.loaded.chain

    @property
    def own(self) -> RuleFile | None:
        """The file itself."""
        return self.files[-1] if self.files else None

    @property
    def tree(self) -> s.File | None:
        """The tree of the file itself."""
        return self.own.tree if self.own is not None else None

    @property
    def model(self) -> Model | None:
        """What is known about the rules, None where not even the files of the base are."""
        return self.loaded.model

    @property
    def game(self) -> str | None:
        """The name under which the game has its words: `game/variant`."""
        return self.model.scope if self.model is not None else None

    @property
    def whole(self) -> bool:
        """Whether every article of the file could be read."""
        return self.tree is not None and self.tree.head is not None and not self.tree.unread

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the file."""
        return lines_of(self.own.source.text) if self.own is not None else []

    @cached_property
    def scope(self) -> Scope:
        """What the files declare."""
        return Scope.of([file.tree for file in self.files], self.model)

    @cached_property
    def base(self) -> MergedRules | None:
        """The rules before this file changed them; None for a game, and where they cannot be read."""
        if len(self.files) < 2:
            return None
        levels, _ = pipeline.apply_variants([pipeline.Layer(file.tree) for file in self.files[:-1]])
        return levels[-1][0] if levels else None

    @cached_property
    def lacks(self) -> tuple[Lack, ...]:
        """What has no words yet in some language; nothing is told of rules with mistakes, or without words at all."""
        rules = self.loaded.rules
        if rules is None:
            return ()
        return lacking(rules.game(rules.model.players[0]), rules.words_beside, homes=rules.homes)

    @property
    def lacks_known(self) -> bool:
        """Whether somebody has found out already what has no words, which takes its time."""
        return "lacks" in vars(self)

    @cached_property
    def names(self) -> tuple[Occurrence, ...]:
        """All names of the file, in the order of their places."""
        return occurrences(self.tree, self.scope) if self.tree is not None else ()

    @cached_property
    def everywhere(self) -> Mapping[Symbol, tuple[Occurrence, ...]]:
        """All names in all of the files, by what they stand for."""
        found: dict[Symbol, list[Occurrence]] = {}
        for file in self.files[:-1]:
            for name in occurrences(file.tree, self.scope):
                found.setdefault(name.symbol, []).append(name)
        for name in self.names:
            found.setdefault(name.symbol, []).append(name)
        return {symbol: tuple(names) for symbol, names in found.items()}

    def at(self, place: Position) -> Occurrence | None:
        """The name at a place; of two that meet there, the one that begins there."""
        return next((name for name in reversed(self.names) if holds(name.span, place)), None)

    def path_of(self, source: Source) -> Path | None:
        """Where a text was read; None for one that lies inside of a package."""
        file = next((file for file in self.files if file.source is source), None)
        if file is None or not isinstance(file.at, Path):
            return None
        return self.path if file is self.own else file.at.resolve()

    def prepare(self) -> None:
        """Find out now what everybody will ask."""
        _ = self.everywhere


def take(path: Path, texts: Mapping[Path, str]) -> Snapshot:
    """A snapshot of the rule file at a place; `texts` are those that editors have open, by full path."""
    snapshot = Snapshot(path, read_open(path, texts))
    snapshot.prepare()
    return snapshot


@dataclass(frozen=True)
class View:
    """The text that somebody sees now, and the last snapshot of it of which every article could be read."""

    text: str
    good: Snapshot

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the text."""
        return lines_of(self.text)

    @cached_property
    def shift(self) -> Shift:
        """Where the lines of the snapshot are now."""
        return Shift.between(self.good.lines, self.lines)

    def older(self, place: Position) -> Position:
        """A place of the text in the snapshot."""
        return Position(self.shift.older(place.line), place.column)

    def now(self, span: Span) -> Span:
        """A span of a line of the snapshot, where it is now."""
        line = self.shift.newer(span.line)
        return Span(span.source, line, span.column, line, span.end_column)

    def at(self, place: Position) -> Occurrence | None:
        """The name at a place, if it still stands there."""
        name = self.good.at(self.older(place))
        line = self.lines[place.line - 1] if 0 < place.line <= len(self.lines) else ""
        if name is None or line[name.span.column - 1 : name.span.end_column - 1] != name.symbol.name:
            return None
        return name
