"""Definitions, references and renaming of a name: in rules, variants, catalogs, lexicons and case files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from wongar_dsl.base.span import LocatedKey, Source, Span
from wongar_dsl.base.storage import strict_yaml
from wongar_dsl.base.storage.files import FileError, read_text
from wongar_dsl.base.storage.strict_yaml import YamlFault
from wongar_dsl.engine.library import RULES_SUFFIX
from wongar_dsl.engine.library.game_ids import folder_above_own, rule_files_in, rule_files_in_own_folders
from wongar_dsl.engine.rule_cases.file import MAX_FILE_BYTES, CaseError, parse_cases
from wongar_dsl.engine.rule_cases.file import SUFFIX as CASES
from wongar_dsl.language import ast as s
from wongar_dsl.language.parser import reserved_words
from wongar_dsl.language.parser.parser import read_file
from wongar_dsl.language.semantics.builtins import TAKEN
from wongar_dsl.language.server.fixes import ChangedFile, Edit, apply_edits
from wongar_dsl.language.server.symbols import (
    DocumentView,
    GameSymbols,
    Occurrence,
    Snapshot,
    Symbol,
    TextPosition,
    offers,
    owner_key,
    part,
    read_snapshot,
)

#: Maximum number of rule files that are searched in a folder.
MAX_FILES = 60


@dataclass(frozen=True, slots=True)
class Location:
    """A span in a file."""

    path: Path
    span: Span


def definition(view: DocumentView, place: TextPosition) -> tuple[Location, ...]:
    """Return the declarations of the name at a position, or the file that it names."""
    name = view.at(place)
    if name is None:
        return ()
    snapshot = view.snapshot
    if name.symbol.kind == "file":
        stem = name.symbol.name.rpartition("/")[2]
        heads = [file.tree.head for file in snapshot.files if file.tree.head is not None]
        return _located(view, (head.name.span for head in heads if head.name.text == stem))
    spans = [occurrence.span for occurrence in snapshot.everywhere.get(name.symbol, ()) if occurrence.declares]
    if not spans and snapshot.model is not None:
        # Areas of a lattice have no declaration of their own: use that of the board.
        boards = [b for b, graph in snapshot.model.boards.items() if graph.steps and name.symbol.name in graph.areas]
        spans = [o.span for b in boards for o in snapshot.everywhere.get(Symbol("name", b), ()) if o.declares]
    return _located(view, spans)


def _located(view: DocumentView, spans: Iterable[Span]) -> tuple[Location, ...]:
    """Return spans with their files; those of the edited file are shifted to their current lines."""
    located = ((view.snapshot.path_of(span.source), span) for span in spans)
    return tuple(_current(view, path, span) for path, span in located if path is not None)


def _current(view: DocumentView, path: Path, span: Span) -> Location:
    return Location(path, view.current_span(span) if path == view.snapshot.path else span)


def related_files(snapshot: Snapshot, texts: Mapping[Path, str], should_stop: Callable[[], bool]) -> Iterator[Snapshot]:
    """Yield the snapshot itself, and those of open or adjacent files of the same game.

    `should_stop` returns whether the time is used up.
    """
    yield snapshot
    own_paths = {file.at.resolve() for file in snapshot.files if isinstance(file.at, Path)} | {snapshot.path}
    folders = {folder for path in own_paths for folder in (path.parent, folder_above_own(path)) if folder is not None}
    names = [path.name.removesuffix(RULES_SUFFIX) for path in own_paths]
    adjacent = [path for folder in sorted(folders) for path in _rule_files(folder) if _mentions(path, names)]
    for path in dict.fromkeys([*texts, *adjacent]):
        if path != snapshot.path and not should_stop():
            candidate = read_snapshot(path, texts)
            read = {file.at.resolve() for file in candidate.files if isinstance(file.at, Path)} | {path}
            if own_paths & read:
                yield candidate


def _mentions(path: Path, names: Sequence[str]) -> bool:
    _, source = read_file(path, path.name)
    return isinstance(source, Source) and any(name in source.text for name in names)


def _rule_files(folder: Path) -> list[Path]:
    try:
        files = [*rule_files_in(folder), *rule_files_in_own_folders(folder)]
        return [path.resolve() for path in files[:MAX_FILES] if path.is_file()]
    except OSError:
        return []


def occurrences_in(snapshots: Sequence[Snapshot], symbol: Symbol) -> dict[tuple[Path, int, int], Occurrence]:
    """Return all occurrences of a name in some files and those that they build on, keyed by file, line and column."""
    results: dict[tuple[Path, int, int], Occurrence] = {}
    for snapshot in snapshots:
        for name in snapshot.everywhere.get(symbol, ()):
            path = snapshot.path_of(name.span.source)
            if path is not None:
                results.setdefault((path, name.span.line, name.span.column), name)
    return dict(sorted(results.items()))


def references(
    view: DocumentView,
    place: TextPosition,
    texts: Mapping[Path, str],
    should_stop: Callable[[], bool],
    declared: bool = True,
) -> tuple[Location, ...]:
    """Return all references to the name at a position, including those in other files of its game."""
    name = view.at(place)
    if name is None:
        return ()
    matches = occurrences_in(list(related_files(view.snapshot, texts, should_stop)), name.symbol)
    return tuple(
        _current(view, path, occurrence.span)
        for (path, _, _), occurrence in matches.items()
        if declared or not occurrence.declares
    )


def occurrences_in_file(view: DocumentView, place: TextPosition) -> tuple[Span, ...]:
    """Return all current spans in the file itself of the name at a position."""
    name = view.at(place)
    if name is None:
        return ()
    return tuple(
        view.current_span(occurrence.span) for occurrence in view.snapshot.names if occurrence.symbol == name.symbol
    )


# ---- names in catalogs, lexicons and case files ----------------------------------------------------------------------


#: Suffixes that message names may have.
_SUFFIXES = frozenset({"together", "each", "same", "rule"})
#: Keys of case files whose values are not names of the rules.
_FREE_KEYS = frozenset({"name", "covers", "seats", "game", "seed"})
MAX_DEPTH = 16


@dataclass(frozen=True, slots=True)
class Renaming:
    """A name, its replacement, the games whose texts use it, and for a local name its owner: `("rule", "draw")`.

    The owner of an option's parameter is `("decision", "turn", "draw")`.
    """

    symbol: Symbol
    new: str
    games: frozenset[str]
    owner: tuple[str, ...] = ()

    def message(self, name: str) -> str:
        """Return the name of a message after renaming; it begins with the game."""
        game, _, rest = name.partition(".")
        if game.split("/")[0] not in self.games or not rest:
            return name
        parts = _split(rest)
        old, deciding = self.symbol.name, parts[0] == "decision"
        match self.symbol.kind:
            case "decision" if deciding and parts[1:2] == [old]:
                parts[1] = self.new
            case "option" if deciding and parts[1:3] == [self.symbol.owner, old]:
                parts[2] = self.new
            case "message" if parts[0] == old and set(parts[1:]) <= _SUFFIXES:
                parts[0] = self.new
            case "name" if not deciding and parts[0] != "rules" and len(parts) > 1:
                parts[1] = _word(old).sub(self.new, parts[1])
        return ".".join([game, *parts])

    def term(self, name: str) -> str:
        """Return the name of a term of the game after renaming."""
        parts = _split(name)
        if self.symbol.kind in ("name", "option"):
            parts[0] = _word(self.symbol.name).sub(self.new, parts[0])
        elif self.symbol.kind == "local" and len(parts) == 2 and parts == [self.owner[-1], self.symbol.name]:
            parts[1] = self.new
        return ".".join(parts)

    def slots(self, message: str) -> bool:
        """Return whether a slot with that name in a message's text means the renamed symbol."""
        game, _, rest = message.partition(".")
        parts = tuple(_split(rest))
        if game.split("/")[0] not in self.games:
            return False
        match self.symbol.kind:
            case "local" if self.owner[:1] == ("decision",):
                return parts[0] == "decision" and parts[1:3] == self.owner[1:]
            case "local":
                return parts[:2] == self.owner
            case "attribute":
                return parts[0] == "card"
        return False


def _split(name: str) -> list[str]:
    """Split a name at its dots."""
    return name.split(".") if name else [""]


def _word(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")


_CONTEXT = re.compile(r'^msgctxt\s+"([^"]*)"\s*$')
_SLOT = re.compile(r"\{(\w+)(:[^{}]*)?\}")


def catalog_edits(source: Source, renaming: Renaming) -> Iterator[Edit]:
    """Yield the changes in a PO file: names of messages, their slots, and terms named in slots."""
    message = ""
    for number, text in enumerate(source.text.split("\n"), 1):
        line = text.rstrip("\r")
        context = _CONTEXT.match(line)
        if context is not None:
            message = context[1]
            new = renaming.message(message)
            if new != message:
                yield Edit(part(source, number, context.start(1) + 1, len(message)), new)
        elif line.startswith(("msgid", "msgstr", '"')) and message.partition(".")[0].split("/")[0] in renaming.games:
            yield from _slots(source, number, line, message, renaming)


def _slots(source: Source, number: int, line: str, message: str, renaming: Renaming) -> Iterator[Edit]:
    old = renaming.symbol.name
    for slot in _SLOT.finditer(line):
        if slot[1] == old and renaming.slots(message):
            yield Edit(part(source, number, slot.start(1) + 1, len(old)), renaming.new)
        if slot[2] and renaming.symbol.kind == "name":
            for word in _word(old).finditer(slot[2]):
                yield Edit(part(source, number, slot.start(2) + word.start() + 1, len(old)), renaming.new)


def lexicon_edits(source: Source, renaming: Renaming) -> Iterator[Edit]:
    """Yield the changes in a lexicon: the terms of the games. Raises `YamlFault`."""
    tree = strict_yaml.parse(source.text, MAX_DEPTH, _keep)
    games = tree.get("games") if isinstance(tree, dict) else None
    for game, terms in games.items() if isinstance(games, dict) else ():
        for key in terms if isinstance(terms, dict) and game.split("/")[0] in renaming.games else ():
            new = renaming.term(key)
            line = source.line(key.line) if isinstance(key, LocatedKey) else ""
            key_match = re.search(rf"""(?<![\w.]){re.escape(key)}(?=["']?\s*:)""", line)
            if new != key and key_match is not None and isinstance(key, LocatedKey):
                yield Edit(part(source, key.line, key_match.start() + 1, len(key)), new)


def _keep(value: object, line: int) -> object:
    return value


def case_edits(source: Source, name: str, new: str) -> Iterator[Edit]:
    """Yield the words in a case file that may be the name. Raises `YamlFault`."""
    for scalar in strict_yaml.scalars(source.text):
        if _FREE_KEYS & set(scalar.within):
            continue
        line = source.line(scalar.line)
        end = scalar.end_column - 1 if scalar.end_line == scalar.line else len(line)
        for word in _word(name).finditer(line, scalar.column - 1, end):
            yield Edit(part(source, scalar.line, word.start() + 1, len(name)), new)


# ---- renaming --------------------------------------------------------------------------------------------------------


_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
#: Articles whose names cannot occur in case files, which describe states of a game.
_NOT_IN_CASES = frozenset({"rule", "define", "table", "deck", "paths", "shapes", "coverings"})


class CannotRename(Exception):
    """Raised if a name cannot be renamed; the message is `editor.rename.<reason>` with `arguments`."""

    def __init__(self, reason: str, **arguments: str) -> None:
        self.reason, self.arguments = reason, arguments
        super().__init__(reason)


def renamable(view: DocumentView, place: TextPosition) -> Span:
    """Return the span of the name at a position if it can be renamed; raise `CannotRename` otherwise."""
    return view.current_span(_renamable_name(view, place).span)


def rename(
    view: DocumentView,
    place: TextPosition,
    new: str,
    texts: Mapping[Path, str],
    words: Path | None,
    should_stop: Callable[[], bool],
) -> tuple[ChangedFile, ...]:
    """Return all files that change if the name at a position becomes `new`; raise `CannotRename` if that is impossible.

    `texts` are the open files; `words` is the folder of texts shipped with the program, for a shipped game.
    """
    name = _renamable_name(view, place)
    symbol, edited = name.symbol, view.snapshot
    if view.text != (edited.file.source.text if edited.file is not None else None):
        raise CannotRename("broken", file=edited.path.name)
    _check(new)
    declarations = [occurrence for occurrence in edited.everywhere[symbol] if occurrence.declares]
    if not declarations or any(_folder(edited, occurrence) != edited.path.parent for occurrence in declarations):
        raise CannotRename("elsewhere", name=symbol.name)
    snapshots = list(related_files(edited, texts, should_stop))
    if should_stop():
        raise CannotRename("late")
    for snapshot in snapshots:
        if not snapshot.is_complete:
            raise CannotRename("broken", file=snapshot.path.name)
    occurrences_by_place = occurrences_in(snapshots, symbol)
    if any(path.parent != edited.path.parent for path, _, _ in occurrences_by_place):
        raise CannotRename("elsewhere", name=symbol.name)
    for snapshot in snapshots:
        _check_unused(snapshot, symbol, new)
    changed = list(_rules(occurrences_by_place, snapshots, new))
    renaming = Renaming(symbol, new, frozenset(_games(snapshots)), _owner(declarations[0]))
    _check_result(snapshots, changed, texts)
    folder = edited.path.parent
    changed += _words([folder / "locales", *([words] if words is not None else [])], renaming)
    changed += _cases(folder, renaming, declarations[0], [snapshot.symbols for snapshot in snapshots])
    return tuple(changed)


def _folder(snapshot: Snapshot, name: Occurrence) -> Path | None:
    path = snapshot.path_of(name.span.source)
    return path.parent if path is not None else None


# ---- checks --------------------------------------------------------------------------------------------------------


def _renamable_name(view: DocumentView, place: TextPosition) -> Occurrence:
    name = view.at(place)
    if name is None:
        raise CannotRename("nothing")
    if name.symbol.kind == "file":
        raise CannotRename("file", name=name.symbol.name)
    if name.symbol.kind == "builtin" or name.symbol.name == "me":
        raise CannotRename("builtin", name=name.symbol.name)
    return name


def _check(new: str) -> None:
    if not _NAME.fullmatch(new):
        raise CannotRename("no_name", name=new[:60])
    if new in reserved_words() | TAKEN:
        raise CannotRename("reserved", name=new)


def _check_unused(snapshot: Snapshot, symbol: Symbol, new: str) -> None:
    """Check that the new name is unused where the symbol is visible; raise `CannotRename` if not."""
    for symbol_here, places in snapshot.everywhere.items():
        if symbol_here.name != new:
            continue
        same = symbol_here.kind == symbol.kind and (symbol.kind == "local" or symbol_here.owner == symbol.owner)
        if symbol.kind == "local" and symbol_here.kind == "local":
            mine = snapshot.everywhere.get(symbol, ())
            same = bool({id(name.article) for name in mine} & {id(name.article) for name in places})
        if same or {symbol.kind, symbol_here.kind} in ({"name", "local"}, {"name", "builtin"}):
            span = places[0].span
            raise CannotRename("taken", name=new, place=f"{Path(span.source.name).name}:{span.line}")


def _check_result(snapshots: Sequence[Snapshot], changed: Sequence[ChangedFile], texts: Mapping[Path, str]) -> None:
    """Check that the changed rules have no additional mistakes; raise `CannotRename` if they have."""
    after = {**texts, **{file.path: apply_edits(file.text, file.edits) for file in changed}}
    for snapshot in snapshots:
        before = Counter(diagnostic.code for diagnostic in snapshot.loaded.diagnostics)
        now = Counter(diagnostic.code for diagnostic in read_snapshot(snapshot.path, after).loaded.diagnostics)
        if now - before:
            raise CannotRename("wrong", file=snapshot.path.name, code=min(now - before))


def _games(snapshots: Sequence[Snapshot]) -> Iterator[str]:
    for snapshot in snapshots:
        for file in snapshot.files[:1]:
            if file.tree.head is not None:
                yield file.tree.head.name.text


# ---- rules ---------------------------------------------------------------------------------------------------------


def _rules(
    occurrences: Mapping[tuple[Path, int, int], Occurrence], snapshots: Sequence[Snapshot], new: str
) -> Iterator[ChangedFile]:
    sources = {path: file.source for snapshot in snapshots for file in snapshot.files
               if (path := snapshot.path_of(file.source)) is not None}  # fmt: skip
    edits: dict[Path, list[Edit]] = {}
    for (path, _, _), name in occurrences.items():
        # A message keeps the name of its argument, since its texts use it.
        edits.setdefault(path, []).append(Edit(name.span, f"{name.symbol.name}: {new}" if name.slot else new))
    for path, file_edits in edits.items():
        yield ChangedFile(path, sources[path].text, tuple(file_edits))


def _owner(declared: Occurrence) -> tuple[str, ...]:
    """Return the owner of a local name, as catalogs write it."""
    article = declared.article.new_article
    if declared.symbol.kind != "local":
        return ()
    for title, options in offers(article):
        for option in options:
            if any(owner_key(offered.name.span) == declared.symbol.owner for offered in option.parameters):
                return ("decision", title, option.name.text)
    parameters = article.parameters if isinstance(article, s.Procedure | s.Define) else ()
    if any(owner_key(typed.name.span) == declared.symbol.owner for typed in parameters):
        return (article.keyword, article.name.text)
    return ("none", "")


# ---- catalogs, lexicons and cases ----------------------------------------------------------------------------------


def _words(roots: Sequence[Path], renaming: Renaming) -> Iterator[ChangedFile]:
    """Yield the catalogs and lexicons that change."""
    for root in roots:
        files: list[Path] = []
        with suppress(OSError):
            files = sorted(path for path in root.glob("*/*") if path.suffix == ".po" or path.name == "lexicon.yaml")
        for path in files:
            source = _text(path, "")
            try:
                lexicon = path.suffix != ".po"
                places = list(lexicon_edits(source, renaming) if lexicon else catalog_edits(source, renaming))
            except YamlFault:
                raise CannotRename("unreadable", file=str(path)) from None
            yield from _changed(path, source, places)


def _cases(
    folder: Path, renaming: Renaming, declared: Occurrence, scopes: Sequence[GameSymbols]
) -> Iterator[ChangedFile]:
    symbol = renaming.symbol
    article = declared.article.new_article
    if symbol.kind in ("local", "book") or (article.keyword in _NOT_IN_CASES and article.name.text == symbol.name):
        return
    files: list[Path] = []
    with suppress(OSError):
        files = sorted(path for path in folder.iterdir() if path.name.endswith(CASES))
    for path in files:
        source = _text(path, CASES)
        try:
            places = list(case_edits(source, symbol.name, renaming.new))
            if places and any(_is_ambiguous(scope, symbol) for scope in scopes):
                raise CannotRename("unclear", name=symbol.name, file=f"{path.name}:{places[0].span.line}")
            for file in _changed(path, source, places):
                parse_cases(apply_edits(file.text, file.edits), path)
                yield file
        except (YamlFault, CaseError):
            raise CannotRename("unreadable", file=path.name) from None


def _is_ambiguous(scope: GameSymbols, symbol: Symbol) -> bool:
    """Return whether another symbol has the same name, which makes its use in a case ambiguous."""
    name = symbol.name
    slots = {argument.name for message in scope.messages.values() for argument in message.arguments}
    meanings = [("attribute", name in slots | set(scope.attributes)), ("message", name in scope.messages),
                ("decision", name in scope.options), ("name", name in scope.names)]  # fmt: skip
    options = sum(name in options for options in scope.options.values()) - (symbol.kind == "option")
    return options > 0 or any(exists for kind, exists in meanings if kind != symbol.kind)


def _text(path: Path, ending: str) -> Source:
    try:
        return Source(str(path), read_text(path, 2 * MAX_FILE_BYTES, ending))
    except FileError:
        raise CannotRename("unreadable", file=path.name) from None


def _changed(path: Path, source: Source, places: Sequence[Edit]) -> Iterator[ChangedFile]:
    if places:
        yield ChangedFile(path, source.text, tuple(places))
