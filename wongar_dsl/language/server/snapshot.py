"""Snapshot of a rule file: its text and tree, the files that it builds on, and its diagnostics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from wongar_dsl import pipeline
from wongar_dsl.base.span import Source, Span
from wongar_dsl.engine.library.loader import LoadResult, RuleFile, read_open
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Model
from wongar_dsl.language.server.symbols import GameSymbols, Occurrence, Symbol, occurrences
from wongar_dsl.language.server.text_positions import LineShift, TextPosition, holds, lines_of
from wongar_dsl.language.variants.merge import MergedRules
from wongar_dsl.nlg.translation.missing_words import MissingText, missing_texts


@dataclass(frozen=True)
class Snapshot:
    """A rule file as it was read, with all that it builds on; `path` is its full path."""

    path: Path
    loaded: LoadResult

    @property
    def files(self) -> tuple[RuleFile, ...]:
        """The files of the game, base first, this one last; empty if it cannot be read."""
        return self.loaded.chain

    @property
    def file(self) -> RuleFile | None:
        """The file itself."""
        return self.files[-1] if self.files else None

    @property
    def tree(self) -> s.File | None:
        """The syntax tree of the file itself."""
        return self.file.tree if self.file is not None else None

    @property
    def model(self) -> Model | None:
        """The checked rules, None if not even the files of the base could be checked."""
        return self.loaded.model

    @property
    def text_scope(self) -> str | None:
        """The scope under which the texts of the game are looked up: `game/variant`."""
        return self.model.scope if self.model is not None else None

    @property
    def is_complete(self) -> bool:
        """Return whether every article of the file could be parsed."""
        return self.tree is not None and self.tree.head is not None and not self.tree.unparsed_words

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the file."""
        return lines_of(self.file.source.text) if self.file is not None else []

    @cached_property
    def symbols(self) -> GameSymbols:
        """The declarations of all its files."""
        return GameSymbols.of([file.tree for file in self.files], self.model)

    @cached_property
    def base(self) -> MergedRules | None:
        """The rules before this file changed them; None for a game, and for a base that cannot be read."""
        if len(self.files) < 2:
            return None
        levels, _ = pipeline.apply_variants([pipeline.Layer(file.tree) for file in self.files[:-1]])
        return levels[-1][0] if levels else None

    @cached_property
    def missing_texts(self) -> tuple[MissingText, ...]:
        """Missing texts in any language; empty for rules with mistakes, and for rules without any texts."""
        rules = self.loaded.rules
        if rules is None:
            return ()
        return missing_texts(rules.game(rules.model.players[0]), rules.words_beside, homes=rules.homes)

    @property
    def missing_texts_ready(self) -> bool:
        """Return whether `missing_texts` has been computed, which takes long."""
        return "missing_texts" in vars(self)

    @cached_property
    def names(self) -> tuple[Occurrence, ...]:
        """All names of the file, in source order."""
        return occurrences(self.tree, self.symbols) if self.tree is not None else ()

    @cached_property
    def everywhere(self) -> Mapping[Symbol, tuple[Occurrence, ...]]:
        """All occurrences of each symbol in all files."""
        results: dict[Symbol, list[Occurrence]] = {}
        for file in self.files[:-1]:
            for name in occurrences(file.tree, self.symbols):
                results.setdefault(name.symbol, []).append(name)
        for name in self.names:
            results.setdefault(name.symbol, []).append(name)
        return {symbol: tuple(names) for symbol, names in results.items()}

    def at(self, place: TextPosition) -> Occurrence | None:
        """Return the name at a position; of two adjacent names, the one that begins there."""
        return next((name for name in reversed(self.names) if holds(name.span, place)), None)

    def path_of(self, source: Source) -> Path | None:
        """Return the path of a source; None for one inside of a package."""
        file = next((file for file in self.files if file.source == source), None)
        if file is None or not isinstance(file.at, Path):
            return None
        return self.path if file is self.file else file.at.resolve()

    def prepare(self) -> None:
        """Compute in advance the values that most requests need."""
        _ = self.everywhere


def read_snapshot(path: Path, texts: Mapping[Path, str]) -> Snapshot:
    """Read a snapshot of the rule file at a path; `texts` are the files open in editors, by full path."""
    snapshot = Snapshot(path, read_open(path, texts))
    snapshot.prepare()
    return snapshot


@dataclass(frozen=True)
class DocumentView:
    """The current text of a file, and its last snapshot without parse errors."""

    text: str
    snapshot: Snapshot

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the text."""
        return lines_of(self.text)

    @cached_property
    def shift(self) -> LineShift:
        """The line mapping from the snapshot to the text."""
        return LineShift.between(self.snapshot.lines, self.lines)

    def older(self, place: TextPosition) -> TextPosition:
        """Return the position in the snapshot that corresponds to one in the text."""
        return TextPosition(self.shift.older(place.line), place.column)

    def current_span(self, span: Span) -> Span:
        """Return the current span of a part of a line of the snapshot."""
        line = self.shift.newer(span.line)
        return Span(span.source, line, span.column, line, span.end_column)

    def at(self, place: TextPosition) -> Occurrence | None:
        """Return the name at a position, if it has not been changed."""
        name = self.snapshot.at(self.older(place))
        line = self.lines[place.line - 1] if 0 < place.line <= len(self.lines) else ""
        if name is None or line[name.span.column - 1 : name.span.end_column - 1] != name.symbol.name:
            return None
        return name
