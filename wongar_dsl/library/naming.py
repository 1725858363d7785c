"""How a game is named: `game`, `game/variant`, the path of a rule file, or several of these joined by plus signs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from wongar_dsl.library.packs import PACK, Pack, read_pack
from wongar_dsl.library.shipped import SUFFIX, find
from wongar_dsl.text.files import Place, named_from

#: What stands between the pieces of a name.
PLUS = "+"
#: Maximum number of pieces of a name: as many files as a save may name.
MOST_PIECES = 50


def is_file(path: Path) -> bool:
    """Whether a file is there, be it inside of a pack; also for what no path can be."""
    return file_at(path) is not None


def file_at(path: Path) -> Place | None:
    """The file of a path, on a disk or inside of a pack; None where none is."""
    try:
        if path.is_file():
            return path
    except (OSError, ValueError):
        return None
    outside = next((above for above in path.parents if above.name.endswith(PACK)), None)
    pack = read_pack(outside, str(outside))[1] if outside is not None else None
    if outside is None or not isinstance(pack, Pack):
        return None
    inside = pack.folder(str(outside)) / path.relative_to(outside).as_posix()
    return inside if inside.is_file() else None


def pieces(name: str) -> tuple[str, ...]:
    """The games and variants that a name joins; a plus sign in the path of a file joins nothing.

    `game/one/other` is the game with both variants, as its games are called.
    """
    if too_many(name) or is_file(Path(name)):
        return (name,)
    parts = name.split(PLUS)
    found: list[str] = []
    while parts:
        # A file of which the path has plus signs in it.
        longest = next((n for n in range(len(parts), 1, -1) if is_file(Path(PLUS.join(parts[:n])))), 1)
        found += _variants(PLUS.join(parts[:longest])) if longest == 1 else [PLUS.join(parts[:longest])]
        del parts[:longest]
    return tuple(found)


def too_many(name: str) -> bool:
    """Return whether a name has more than `MOST_PIECES` pieces; then it is not looked at piece by piece."""
    return name.count(PLUS) >= MOST_PIECES and not is_file(Path(name))


def _variants(name: str) -> list[str]:
    game, *variants = name.split("/")
    if len(variants) > 1 and all(find(f"{game}/{variant}") is not None for variant in variants):
        return [f"{game}/{variants[0]}", *variants[1:]]
    return [name]


def near(folder: Path, name: str) -> tuple[Path, ...]:
    """Where a rule file can lie that is named from a folder."""
    return tuple(folder / way for way in named_from(f"{name}{SUFFIX}"))


def around(file: Path, name: str) -> tuple[Path, ...]:
    """Where a rule file can lie that another one names: one with a folder of its own also finds those next to that."""
    beside, shelf = near(file.parent, name), shelf_of(file)
    return beside if shelf is None else (*beside, *near(shelf, name)[1:])


def shown_beside(file: Path, shown: str, other: Path) -> str:
    """How a file is shown that was found from one that is shown so."""
    return os.path.normpath(Path(shown).parent / os.path.relpath(other, file.parent))


def shelf_of(file: Path) -> Path | None:
    """The folder in which a rule file has a folder of its own, which is called as it is; None where it has none."""
    folder = Path(os.path.abspath(file)).parent
    return folder.parent if file.name == f"{folder.name}{SUFFIX}" else None


def rule_files_in(folder: Path) -> Iterator[Path]:
    """The rule files that lie in a folder."""
    yield from sorted(folder.glob(f"*{SUFFIX}"))


def with_own_folders(folder: Path) -> Iterator[Path]:
    """The rule files that have folders of their own in a folder; none where it cannot be read."""
    with suppress(OSError):
        yield from (own for inside in sorted(folder.iterdir()) if is_file(own := inside / f"{inside.name}{SUFFIX}"))


def places(piece: str, first: str) -> tuple[Path, ...]:
    """Where the file of a variant is looked for, which is named after a game or variant `first`."""
    beside = around(Path(first), piece) if is_file(Path(first)) else ()
    return (Path(piece), *dict.fromkeys((*beside, *near(Path(), piece))))


def located(name: str) -> tuple[str, ...]:
    """The pieces of a name, with the full path of each that is a file; nothing where none is."""
    first, *others = pieces(name)
    files = [Path(first) if is_file(Path(first)) else None]
    files += [next(filter(is_file, places(piece, first)), None) for piece in others]
    if not any(files):
        return ()
    whole = zip((first, *others), files, strict=True)
    return tuple(piece if file is None else str(file.resolve()) for piece, file in whole)


def unknown_piece(name: str) -> str | None:
    """The first piece of a name that neither comes with the program nor is the path of a rule file that is there."""
    first, *others = pieces(name)
    game = first.partition("/")[0]
    names = {first: (first,)} | {other: (other, f"{game}/{other}") for other in others}
    for piece, known in names.items():
        if not (is_file(Path(piece)) if piece.endswith(SUFFIX) else any(map(find, known))):
            return piece
    return None


def moved(files: tuple[str, ...], place: Mapping[str, str]) -> str:
    """The name that joins pieces, as `located` gave them, of which the files now lie at other places."""
    return PLUS.join(place[piece] if os.path.isabs(piece) else piece for piece in files)
