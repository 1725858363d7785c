"""From a name to the places where it stands, in the game and in the variants beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from wongar_dsl.language_server.positions import Position
from wongar_dsl.language_server.snapshot import Snapshot, View, take
from wongar_dsl.language_server.symbols import Occurrence, Symbol
from wongar_dsl.library import SUFFIX
from wongar_dsl.library.naming import rule_files_in, shelf_of, with_own_folders
from wongar_dsl.library.sources import read_file
from wongar_dsl.text.span import Source, Span

#: So many rule files beside one are looked through.
MOST_FILES = 60


@dataclass(frozen=True, slots=True)
class Found:
    """A place in a file."""

    path: Path
    span: Span


def definition(view: View, place: Position) -> tuple[Found, ...]:
    """Where the name at a place is declared: each declaration of it, or the file that it names."""
    name = view.at(place)
    if name is None:
        return ()
    good = view.good
    if name.symbol.kind == "file":
        stem = name.symbol.name.rpartition("/")[2]
        heads = [file.tree.head for file in good.files if file.tree.head is not None]
        return _located(good, [head.name.span for head in heads if head.name.text == stem], view)
    spans = [other.span for other in good.everywhere.get(name.symbol, ()) if other.declares]
    if not spans and good.model is not None:
        # The areas of a lattice are written nowhere: its board has them.
        boards = [b for b, graph in good.model.boards.items() if graph.steps and name.symbol.name in graph.areas]
        spans = [o.span for b in boards for o in good.everywhere.get(Symbol("name", b), ()) if o.declares]
    return _located(good, spans, view)


def _located(snapshot: Snapshot, spans: Sequence[Span], view: View) -> tuple[Found, ...]:
    """Places in files; those of the file itself where they are now."""
    found = []
    for span in spans:
        path = snapshot.path_of(span.source)
        if path is not None:
            found.append(Found(path, view.now(span) if path == snapshot.path else span))
    return tuple(found)


def related(snapshot: Snapshot, texts: Mapping[Path, str], stop: Callable[[], bool]) -> Iterator[Snapshot]:
    """The file itself, and those that are open or lie beside the files of its game and are of that game too.

    `stop` says when it takes too long.
    """
    yield snapshot
    own = {file.at.resolve() for file in snapshot.files if isinstance(file.at, Path)} | {snapshot.path}
    folders = {folder for path in own for folder in (path.parent, shelf_of(path)) if folder is not None}
    names = [path.name.removesuffix(SUFFIX) for path in own]
    beside = [path for folder in sorted(folders) for path in _rule_files(folder) if _speaks_of(path, names)]
    for path in dict.fromkeys([*texts, *beside]):
        if path != snapshot.path and not stop():
            other = take(path, texts)
            read = {file.at.resolve() for file in other.files if isinstance(file.at, Path)} | {path}
            if own & read:
                yield other


def _speaks_of(path: Path, names: Sequence[str]) -> bool:
    _, source = read_file(path, path.name)
    return isinstance(source, Source) and any(name in source.text for name in names)


def _rule_files(folder: Path) -> list[Path]:
    try:
        files = [*rule_files_in(folder), *with_own_folders(folder)]
        return [path.resolve() for path in files[:MOST_FILES] if path.is_file()]
    except OSError:
        return []


def occurrences_in(snapshots: Sequence[Snapshot], symbol: Symbol) -> dict[tuple[Path, int, int], Occurrence]:
    """All places of a name in some files and those that they build on, each once, by file, line and column."""
    found: dict[tuple[Path, int, int], Occurrence] = {}
    for snapshot in snapshots:
        for name in snapshot.everywhere.get(symbol, ()):
            path = snapshot.path_of(name.span.source)
            if path is not None:
                found.setdefault((path, name.span.line, name.span.column), name)
    return dict(sorted(found.items()))


def references(
    view: View, place: Position, texts: Mapping[Path, str], stop: Callable[[], bool], declared: bool = True
) -> tuple[Found, ...]:
    """All places of the name at a place, also in the other files of its game."""
    name = view.at(place)
    if name is None:
        return ()
    snapshots = list(related(view.good, texts, stop))
    found = occurrences_in(snapshots, name.symbol)
    return tuple(
        Found(path, view.now(other.span) if path == view.good.path else other.span)
        for (path, _, _), other in found.items()
        if declared or not other.declares
    )


def same_here(view: View, place: Position) -> tuple[Span, ...]:
    """All places of the name at a place in the file itself, as they are now."""
    name = view.at(place)
    if name is None:
        return ()
    return tuple(view.now(other.span) for other in view.good.names if other.symbol == name.symbol)
