"""Renaming of a name in rules, variants, catalogs, lexicons and case files, in all of them or not at all."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from wongar_dsl.base.span import Source, Span
from wongar_dsl.base.storage.files import FileError, read_text
from wongar_dsl.base.storage.strict_yaml import YamlFault
from wongar_dsl.engine.rule_cases.file import MAX_FILE_BYTES, CaseError, parse_cases
from wongar_dsl.engine.rule_cases.file import SUFFIX as CASES
from wongar_dsl.language import ast as s
from wongar_dsl.language.ast import walk
from wongar_dsl.language.parser import reserved_words
from wongar_dsl.language.semantics.builtins import TAKEN
from wongar_dsl.language.server.fixes import ChangedFile, Edit, apply_edits
from wongar_dsl.language.server.navigation import occurrences_in, related_files
from wongar_dsl.language.server.rename_edits import FileEdit, Renaming, case_edits, catalog_edits, lexicon_edits
from wongar_dsl.language.server.snapshot import DocumentView, Snapshot, read_snapshot
from wongar_dsl.language.server.symbols import GameSymbols, Occurrence, Symbol, owner_key, title_of
from wongar_dsl.language.server.text_positions import TextPosition

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
    article = declared.article.article if isinstance(declared.article, s.Replace) else declared.article
    if declared.symbol.kind != "local":
        return ()
    for node in walk(article):
        match node:
            case s.Choose() | s.ChooseSimultaneously():
                choices, title = node.options, title_of(node, article)
            case s.AddTo(sort="choice", name=name, parts=parts):
                choices, title = tuple(part for part in parts if isinstance(part, s.Option)), name.text
            case _:
                continue
        for choice in choices:
            if any(owner_key(offered.name.span) == declared.symbol.owner for offered in choice.parameters):
                return ("decision", title, choice.name.text)
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
    article = declared.article.article if isinstance(declared.article, s.Replace) else declared.article
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


def _changed(path: Path, source: Source, places: Sequence[FileEdit]) -> Iterator[ChangedFile]:
    if places:
        yield ChangedFile(path, source.text, tuple(Edit(place.span, place.new) for place in places))
