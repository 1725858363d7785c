"""Loader: reads a rule file and its bases, merges the variants, and checks the rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from wongar_dsl import pipeline
from wongar_dsl.base.diagnostics import Diagnostic, Hint, Severity
from wongar_dsl.base.did_you_mean import did_you_mean
from wongar_dsl.base.span import Source
from wongar_dsl.base.storage.cache import fingerprint
from wongar_dsl.base.storage.files import (
    PACK_SUFFIX,
    RULES_SUFFIX,
    FileOrFolder,
    MemoryPath,
)
from wongar_dsl.engine.library.game_ids import (
    MAX_NAME_PIECES,
    PLUS,
    builtin_games,
    builtin_names,
    candidate_paths,
    file_at,
    find,
    find_variant,
    is_builtin,
    is_file,
    neighbour_paths,
    pieces,
    relative_display_name,
    too_many,
    variant_paths,
)
from wongar_dsl.engine.library.pack import Pack, differences, foreign_words, read_pack
from wongar_dsl.engine.library.rules import WORDS, Rules
from wongar_dsl.language import ast as s
from wongar_dsl.language.parser.parser import beginning_of, parse, read_file, source_of
from wongar_dsl.language.semantics import Model

#: Longer file names are not looked up.
MAX_FILE_NAME = 200
#: Prefixes of the codes of errors within a line: syntax, names and types. An error of another group, or R0211, comes
#: from the effect of a line on the rest of the game.
_LINE_ERROR_CODES = ("R01", "R02", "R03")
#: Maximum length of a chain of variants.
MAX_CHAIN_LENGTH = 16


@dataclass(frozen=True, slots=True)
class LoadResult:
    """Result of reading a game.

    `rules` are None if there are errors. `files` are all files read, each with a fingerprint; `absent` are the files
    that would have been read instead if they existed. `chain` are the files of the game and its variants, base first,
    as far as they were found. `model` is the model even of wrong rules.
    """

    rules: Rules | None
    diagnostics: tuple[Diagnostic, ...]
    files: tuple[tuple[Path, str], ...]
    absent: tuple[Path, ...]
    chain: tuple[RuleFile, ...] = ()
    model: Model | None = None


#: Finds the files of a game with a loader: the chain, and the only file read if there is no chain.
_Find = Callable[["_Loader"], tuple[tuple["RuleFile", ...], "RuleFile | None"]]


def read(name: str | Path) -> LoadResult:
    """Read a game by its name or path, and check it."""
    return _loaded({}, lambda loader: (loader.named(str(name)), None))


def read_open(path: Path, texts: Mapping[Path, str]) -> LoadResult:
    """Read and check the rule file at a path; `texts` are open files of an editor, by full path.

    They take precedence over the files on disk, and need not exist there.
    """

    def find_files(loader: _Loader) -> tuple[tuple[RuleFile, ...], RuleFile | None]:
        file = loader.read_file(path)
        return loader.chain(file) if file is not None else (), file

    return _loaded(texts, find_files)


def _loaded(texts: Mapping[Path, str], find_files: _Find) -> LoadResult:
    loader = _Loader(texts)
    chain, single = find_files(loader)
    rules = _rules(chain, loader)
    diagnostics = tuple(_without_wrong_suggestions(loader, texts, find_files))
    files = chain or ((single,) if single is not None else ())
    return LoadResult(rules, diagnostics, tuple(loader.files), tuple(loader.absent), files, loader.model)


def _without_wrong_suggestions(loader: _Loader, texts: Mapping[Path, str], find_files: _Find) -> Iterator[Diagnostic]:
    """Yield the diagnostics, without suggestions that would lead to another error.

    All suggestions are applied, the first of each line, and the files are checked again.
    """
    paths = {file.source: file.at for file in loader.read.values() if file is not None}
    applied: dict[tuple[Source, int], Diagnostic] = {}
    for d in loader.diagnostics:
        if d.suggestion is not None and d.span is not None and d.span.end_line == d.span.line:
            applied.setdefault((d.span.source, d.span.line), d)
    changed = dict(texts)
    for source, path in paths.items():
        changes = [d for d in applied.values() if d.span is not None and d.span.source == source]
        if changes and isinstance(path, Path):
            changed[path.resolve()] = _corrected(source, changes)
    errors = _errors(changed, find_files) if changed != texts else []
    already = {_content(d) for d in loader.diagnostics if d not in applied.values()}
    new = [error for error in errors if _content(error) not in already]
    refuted = [d for d in applied.values() if any(_refutes(error, d) for error in new)]
    yield from (replace(d, suggestion=None) if d in refuted else d for d in loader.diagnostics)


def _content(d: Diagnostic) -> tuple[str, str, int]:
    """Return what identifies an error in a file whose lines have changed: code, arguments and line."""
    return d.code, str(dict(d.arguments)), d.span.line if d.span is not None else 0


def _corrected(source: Source, changes: Iterable[Diagnostic]) -> str:
    """Return the text of a file with the suggestions of some diagnostics, at most one on each line."""
    lines = source.text.split("\n")
    for d in changes:
        assert d.span is not None
        line = lines[d.span.line - 1]
        lines[d.span.line - 1] = f"{line[: d.span.column - 1]}{d.suggestion}{line[d.span.end_column - 1 :]}"
    return "\n".join(lines)


def _errors(texts: Mapping[Path, str], find_files: _Find) -> list[Diagnostic]:
    """Return the errors of syntax, names and types in a game with some texts in place of files."""
    loader = _Loader(texts)
    chain, _ = find_files(loader)
    levels, wrong = pipeline.apply_variants(loader.layers(chain), loader.unread)
    errors = [d for d in (*loader.diagnostics, *wrong) if d.severity is Severity.ERROR]
    if levels:
        errors += pipeline.check(levels, loader.unread if errors else None, lines_only=True)[1]
    errors = [d for d in errors if d.severity is Severity.ERROR and d.code != "R0211"]
    return [d for d in errors if d.code.startswith(_LINE_ERROR_CODES)]


def _refutes(error: Diagnostic, before: Diagnostic) -> bool:
    """Return whether an error shows that a suggestion is wrong: its line has still an error.

    Another mistake of the author does not: a syntax error further on, or an error beside it with its own suggestion.
    """
    place, span, new = error.span, before.span, before.suggestion or ""
    if place is None or span is None or (place.source.name, place.line) != (span.source.name, span.line):
        return False
    behind, ahead = place.column >= span.column + len(new), place.end_column <= span.column
    has_own_suggestion = error.suggestion is not None and (ahead or behind)
    return not (has_own_suggestion or (behind and error.code.startswith("R01")))


def _rules(chain: tuple[RuleFile, ...], loader: _Loader) -> Rules | None:
    if not chain:
        return None
    loader.compare(chain)
    built = pipeline.build(loader.layers(chain), loader.diagnostics, loader.unread)
    loader.diagnostics, loader.model = list(built.diagnostics), built.model
    if built.model is None or built.program is None:
        return None
    sources = tuple(file.source for file in chain)
    folders = tuple(dict.fromkeys(folder for file in reversed(chain) if (folder := _folder(file.at)) is not None))
    warnings = tuple(d for d in loader.diagnostics if d.severity is Severity.WARNING)
    return Rules(built.model, sources, warnings, folders, built.program, loader.homes(chain))


def with_variant(base: Rules, source: Source) -> tuple[Rules | None, tuple[Diagnostic, ...]]:
    """Apply the text of a variant to a base; return the rules, None if there are errors, and the diagnostics."""
    tree, unreadable = parse(source)
    if unreadable or not isinstance(tree.head, s.Variant):
        return None, unreadable
    built = pipeline.build([pipeline.Layer(tree)], base=base.model.merged)
    if built.model is None or built.program is None:
        return None, built.diagnostics
    sources = (*base.sources, source)
    rules = replace(
        base, model=built.model, sources=sources, warnings=built.diagnostics, min_seats_program=built.program
    )
    return rules, built.diagnostics


@dataclass(frozen=True, slots=True)
class RuleFile:
    """A rule file: its path, text and tree."""

    at: FileOrFolder
    source: Source
    tree: s.File

    @property
    def name(self) -> str:
        """The name of the game or variant in its first line."""
        return self.tree.head.name.text if self.tree.head is not None else ""


def _folder(at: FileOrFolder) -> FileOrFolder | None:
    """Return the folder of a file, None if it has none."""
    return at.parent if isinstance(at, MemoryPath) else at.resolve().parent if isinstance(at, Path) else None


class _Loader:
    """State of one loading process: the files read so far, their chains, and the diagnostics."""

    def __init__(self, texts: Mapping[Path, str]) -> None:
        #: Texts that take precedence over files, by full path.
        self.texts = texts
        self.model: Model | None = None
        self.diagnostics: list[Diagnostic] = []
        self.packs: list[Pack] = []
        #: As in `LoadResult`.
        self.files: list[tuple[Path, str]] = []
        self.absent: list[Path] = []
        #: Words in parts that could not be parsed. An error about one of these names is not certain.
        self.unread: set[str] = set()
        #: The files read, and the chain of each: all files that it builds on, and itself.
        self.read: dict[str, RuleFile | None] = {}
        self.chains: dict[str, tuple[RuleFile, ...]] = {}

    def named(self, name: str) -> tuple[RuleFile, ...]:
        """Return the files of a game and variants, by path or name, after all they build on.

        Returns an empty tuple after reporting a mistake.
        """
        if too_many(name):
            arguments: dict[str, str | int] = {
                "what": f"{name[:60]}…",
                "found": name.count(PLUS) + 1,
                "limit": MAX_NAME_PIECES,
            }
            self.diagnostics.append(Diagnostic("R0414", beginning_of(name[:60]), arguments))
            return ()
        names = self._unpacked(pieces(name))
        if not names:
            return ()
        first, *others = names
        file = self._find(first)
        chain = self.chain(file) if file is not None else ()
        for piece in others:
            if not chain:
                return ()
            game = chain[0].name
            if piece == game:  # A pack after a game names that game again.
                continue
            variant = self._beside(piece, first) or self._shipped(f"{game}/{piece}") or self._shipped(piece)
            if variant is None:
                self._report_missing(piece, builtin_games().get(game, ()))
                return ()
            chain = self._joined(chain, variant, None, ())
        return chain

    def _unpacked(self, names: tuple[str, ...]) -> list[str]:
        """Return the pieces of a name, with packs replaced by their pieces; an empty list after reporting a mistake."""
        unpacked: list[str] = []
        for name in names:
            if not name.endswith(PACK_SUFFIX) or not is_file(Path(name)):
                unpacked.append(name)
                continue
            data, pack = read_pack(Path(name), name)
            if data is not None:
                self.files.append((Path(name).resolve(), fingerprint(data)))
            if isinstance(pack, Diagnostic):
                self.diagnostics.append(pack)
                return []
            self.packs.append(pack)
            unpacked += (f"{name}/{piece}" if piece.endswith(RULES_SUFFIX) else piece for piece in pack.pieces)
        return unpacked

    def compare(self, chain: tuple[RuleFile, ...]) -> None:
        """Report packs whose base has changed since they were made, or whose texts are about another game."""
        for pack in self.packs:
            foreign = foreign_words(pack, chain[0].name)
            if foreign is not None:
                self.diagnostics.append(
                    Diagnostic("R0009", foreign, {"path": pack.source.name}, hint=Hint("pack_words"))
                )
            files = [f for f in chain if not isinstance(f.at, MemoryPath) and f.name in pack.base.split("/")]
            levels, _ = pipeline.apply_variants([pipeline.Layer(file.tree) for file in files])
            names = differences(pack, levels[-1][0]) if levels else ()
            if names:
                self.diagnostics.append(Diagnostic("R0010", pack.base_span, {"name": pack.base, "things": names}))

    def homes(self, chain: tuple[RuleFile, ...]) -> dict[str, tuple[str, Path]]:
        """Return for each file that is not shipped, by name, the scope up to it and the folder of its texts."""
        return {
            file.source.name: ("/".join(base.name for base in self.chain(file)), file.at.resolve().parent / WORDS)
            for file in chain
            if isinstance(file.at, Path) and not is_builtin(file.at)
        }

    def _joined(
        self, chain: tuple[RuleFile, ...], other: RuleFile, word: s.Word | None, below: tuple[str, ...]
    ) -> tuple[RuleFile, ...]:
        """Return files followed by those of another variant; an empty tuple after reporting a mistake."""
        more = self.chain(other, below)
        if not chain or not more:
            return ()
        if len(more) == 1 or str(more[0].at) != str(chain[0].at):
            head = other.tree.head
            assert head is not None
            place = word if word is not None else head.name
            self.diagnostics.append(Diagnostic("R0008", place.span, {"name": other.name, "what": chain[0].name}))
            return ()
        present = {str(file.at) for file in chain}
        return (*chain, *(file for file in more if str(file.at) not in present))

    def read_file(self, path: Path) -> RuleFile | None:
        """Return the file at a path, or the open text for it."""
        return self._read(path, str(path))

    def _find(self, name: str) -> RuleFile | None:
        path_found = file_at(Path(name))
        if path_found is not None:
            return self._read(path_found, name)
        shipped_file = find(name)
        if shipped_file is not None:
            return self._read(shipped_file, name + RULES_SUFFIX if "/" in name else f"{name}/{name}{RULES_SUFFIX}")
        suggestion = next((str(place) for place in candidate_paths(Path(), name) if is_file(place)), None)
        self._report_missing(name, builtin_names(), suggestion)
        return None

    def _report_missing(self, name: str, known: Sequence[str], meant: str | None = None) -> None:
        """Report that there is no such game or file."""
        code = "R0001" if name.endswith(RULES_SUFFIX) else "R0004"
        arguments = {"path": name} if code == "R0001" else {"name": name}
        suggestion = meant or did_you_mean(name, known)
        self.diagnostics.append(Diagnostic(code, beginning_of(name), arguments, suggestion=suggestion))

    def _beside(self, piece: str, first: str) -> RuleFile | None:
        """Return the file of a variant that is named together with a game or variant `first`."""
        for place in variant_paths(piece, first):
            file = file_at(place)
            if file is not None:
                return self._read(file, str(place))
            if place.name.endswith(RULES_SUFFIX):
                self.absent.append(place)
        return None

    def _shipped(self, name: str) -> RuleFile | None:
        """Return the file of a shipped game or variant."""
        place = find(name)
        return self._read(place, place.name if isinstance(place, Path) else name) if place is not None else None

    def _read(self, at: FileOrFolder, shown: str) -> RuleFile | None:
        """Return a rule file, read only once; None after reporting a mistake."""
        key = str(at.resolve() if isinstance(at, Path) else at)
        if key not in self.read:
            self.read[key] = self._parse_file(at, shown)
        return self.read[key]

    def _parse_file(self, at: FileOrFolder, shown: str) -> RuleFile | None:
        text = self.texts.get(at.resolve()) if isinstance(at, Path) else None
        data, source = read_file(at, shown) if text is None else (None, source_of(text.encode(errors="replace"), shown))
        if data is not None and isinstance(at, Path):
            self.files.append((at.resolve(), fingerprint(data)))
        if isinstance(source, Diagnostic):
            self.diagnostics.append(source)
            return None
        tree, diagnostics = parse(source)
        self.diagnostics.extend(diagnostics)
        self.unread.update(tree.unparsed_words)
        self.unread.update(word for d in diagnostics for word in re.findall(r"\w+", d.suggestion or ""))
        return RuleFile(at, tree.span.source, tree)

    def chain(self, file: RuleFile, below: tuple[str, ...] = ()) -> tuple[RuleFile, ...]:
        """Return a file after all that it builds on, each once; an empty tuple after reporting a mistake.

        `below` are the files that build on it.
        """
        head, key = file.tree.head, str(file.at)
        if not isinstance(head, s.Variant):
            return (file,) if head is not None else ()
        if key in self.chains:
            return self.chains[key]
        if key in below or len(below) > MAX_CHAIN_LENGTH:
            names = (head.name.text, head.base.text)
            self.diagnostics.append(Diagnostic("R0005", head.base.span, {"names": names}))
            return ()
        first, *others = (s.Word(head.base.span, name) for name in head.base.text.split(PLUS))
        base = self._base(file, head, first)
        chain = self.chain(base, (*below, key)) if base is not None else ()
        for word in (*others, *head.others):
            extension = self._base(file, head, word, chain[0].name) if chain else None
            chain = self._joined(chain, extension, word, (*below, key)) if extension is not None else ()
        self.chains[key] = (*chain, file) if chain else ()
        return self.chains[key]

    def layers(self, chain: tuple[RuleFile, ...]) -> list[pipeline.Layer]:
        """Return the trees of a chain, each with the positions of the files that it builds on."""
        places = {str(file.at): place for place, file in enumerate(chain)}
        return [pipeline.Layer(file.tree, {places[str(base.at)] for base in self.chain(file)}) for file in chain]

    def _base(self, file: RuleFile, head: s.Variant, word: s.Word, game: str = "") -> RuleFile | None:
        """Return the file of a variant's base: one next to it, or a shipped one; None after reporting a mistake.

        `game` is the game that it must be a variant of, if known.
        """
        name = word.text
        # `of game/variant` means the same as `of variant`.
        stem = name.rpartition("/")[2]
        if isinstance(file.at, MemoryPath):
            packed = file.at.parent / f"{stem}{RULES_SUFFIX}"
            if packed.is_file() and (stem != head.name.text or packed != file.at):
                return self._read(packed, str(packed))
        elif isinstance(file.at, Path) and len(stem) <= MAX_FILE_NAME:
            for place in neighbour_paths(file.at, stem):
                self.absent.append(place)
                exists = is_file(place) or place.resolve() in self.texts
                if exists and (stem != head.name.text or place.resolve() != file.at.resolve()):
                    return self._read(place, relative_display_name(file.at, file.source.name, place))
        shipped_file = find(f"{game}/{name}") or find(name) or find_variant(name)
        if shipped_file is not None and str(shipped_file) != str(file.at):
            return self._read(shipped_file, f"{shipped_file.name if isinstance(shipped_file, Path) else name}")
        if shipped_file is not None or name == head.name.text:
            self.diagnostics.append(Diagnostic("R0005", word.span, {"names": (name, name)}))
            return None
        names = [*builtin_games(), *(v for vs in builtin_games().values() for v in vs)]
        if "/" in name:
            names = [names for names in builtin_names() if "/" in names]
        suggestion = did_you_mean(name, names)
        self.diagnostics.append(Diagnostic("R0006", word.span, {"name": name}, suggestion=suggestion))
        return None
