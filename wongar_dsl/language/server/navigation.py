"""Navigation: definitions and references of a name, in the game and in variants next to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from wongar_dsl.base.span import Source, Span
from wongar_dsl.engine.library import SUFFIX
from wongar_dsl.engine.library.game_ids import folder_above_own, rule_files_in, rule_files_in_own_folders
from wongar_dsl.engine.library.source_files import read_file
from wongar_dsl.language.server.snapshot import DocumentView, Snapshot, read_snapshot
from wongar_dsl.language.server.symbols import Occurrence, Symbol
from wongar_dsl.language.server.text_positions import TextPosition

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
        return _located(snapshot, [head.name.span for head in heads if head.name.text == stem], view)
    spans = [occurrence.span for occurrence in snapshot.everywhere.get(name.symbol, ()) if occurrence.declares]
    if not spans and snapshot.model is not None:
        # Areas of a lattice have no declaration of their own: use that of the board.
        boards = [b for b, graph in snapshot.model.boards.items() if graph.steps and name.symbol.name in graph.areas]
        spans = [o.span for b in boards for o in snapshot.everywhere.get(Symbol("name", b), ()) if o.declares]
    return _located(snapshot, spans, view)


def _located(snapshot: Snapshot, spans: Sequence[Span], view: DocumentView) -> tuple[Location, ...]:
    """Return spans with their files; those of the edited file are shifted to their current lines."""
    locations = []
    for span in spans:
        path = snapshot.path_of(span.source)
        if path is not None:
            locations.append(Location(path, view.current_span(span) if path == snapshot.path else span))
    return tuple(locations)


def related_files(snapshot: Snapshot, texts: Mapping[Path, str], should_stop: Callable[[], bool]) -> Iterator[Snapshot]:
    """Yield the snapshot itself, and those of open or adjacent files of the same game.

    `should_stop` returns whether the time is used up.
    """
    yield snapshot
    own_paths = {file.at.resolve() for file in snapshot.files if isinstance(file.at, Path)} | {snapshot.path}
    folders = {folder for path in own_paths for folder in (path.parent, folder_above_own(path)) if folder is not None}
    names = [path.name.removesuffix(SUFFIX) for path in own_paths]
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
    snapshots = list(related_files(view.snapshot, texts, should_stop))
    matches = occurrences_in(snapshots, name.symbol)
    return tuple(
        Location(path, view.current_span(occurrence.span) if path == view.snapshot.path else occurrence.span)
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
