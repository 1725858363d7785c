"""Names of games: shipped ones, `game/variant`, the path of a rule file, or several joined by plus signs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from wongar_dsl.base.storage.files import PACK_SUFFIX, RULES_SUFFIX, FileOrFolder, named_file, possible_paths


def builtin_games() -> dict[str, tuple[str, ...]]:
    """Return the shipped games, each with the names of its variants."""
    games: dict[str, tuple[str, ...]] = {}
    for name in _files():
        game, _, variant = name.partition("/")
        games[game] = (*games.get(game, ()), variant) if variant else ()
    return games


def builtin_names() -> tuple[str, ...]:
    """Return the names of all shipped games and variants for `find`: each game, then its variants."""
    return tuple(_files())


def find(name: str) -> Traversable | None:
    """Return the rule file of a shipped game or `game/variant`, None if there is none."""
    return _files().get(name)


def find_variant(name: str) -> Traversable | None:
    """Return the rule file of a shipped variant by its name alone, None if there is none."""
    return next((file for full_name, file in _files().items() if full_name.partition("/")[2] == name != ""), None)


def is_builtin(file: FileOrFolder) -> bool:
    """Return whether a rule file is shipped."""
    return _key(file) in map(_key, _files().values())


def _key(file: FileOrFolder) -> str:
    return str(file.resolve() if isinstance(file, Path) else file)


def _files() -> dict[str, Traversable]:
    """Return all shipped rule files by name.

    A folder contains the game with its name and its variants, or is a collection of games.
    """
    files_by_name: dict[str, Traversable] = {}
    for folder in sorted(resources.files("wongar_dsl.rules").iterdir(), key=lambda f: f.name):
        files = {f.name.removesuffix(RULES_SUFFIX): f for f in folder.iterdir()} if folder.is_dir() else {}
        files = {name: files[name] for name in sorted(files) if files[name].name.endswith(RULES_SUFFIX)}
        game = files.pop(folder.name, None)
        if game is not None:
            files_by_name[folder.name] = game
            files_by_name |= {f"{folder.name}/{name}": file for name, file in files.items()}
        else:
            files_by_name |= files
    return files_by_name


#: Separator of the pieces of a name.
PLUS = "+"
#: Maximum number of pieces of a name: as many files as a save may name.
MAX_NAME_PIECES = 50


def is_file(path: Path) -> bool:
    """Return whether a path is an existing file, on disk or in a pack; False for an invalid path."""
    return file_at(path) is not None


def file_at(path: Path) -> FileOrFolder | None:
    """Return the file at a path, on disk or in a pack; None if there is none."""
    try:
        if path.is_file():
            return path
    except (OSError, ValueError):
        return None
    pack_path = next((above for above in path.parents if above.name.endswith(PACK_SUFFIX)), None)
    if pack_path is None:
        return None
    from wongar_dsl.engine.library.pack import Pack, read_pack

    pack = read_pack(pack_path, str(pack_path))[1]
    if not isinstance(pack, Pack):
        return None
    packed_file = pack.folder(str(pack_path)) / path.relative_to(pack_path).as_posix()
    return packed_file if packed_file.is_file() else None


def pieces(name: str) -> tuple[str, ...]:
    """Return the games and variants that a name joins.

    A plus sign inside the path of a file separates nothing. `game/one/other` is the game with both variants, the form
    in which games show their names.
    """
    if too_many(name) or is_file(Path(name)):
        return (name,)
    parts = name.split(PLUS)
    result: list[str] = []
    while parts:
        # Prefer the path of a file that contains plus signs.
        longest = next((n for n in range(len(parts), 1, -1) if is_file(Path(PLUS.join(parts[:n])))), 1)
        result += _variants(PLUS.join(parts[:longest])) if longest == 1 else [PLUS.join(parts[:longest])]
        del parts[:longest]
    return (_base_beside(*result), *result[1:])


def _base_beside(base: str, *others: str) -> str:
    """Return the path of the rule file that `base` means next to one of its variants, else `base` itself.

    A variant in a copied folder is one of the game in that folder, not of the shipped game.
    """
    if is_file(Path(base)):
        return base
    variants = (next(filter(is_file, variant_paths(piece, base)), None) for piece in others)
    folders = [folder for file in variants if file is not None for folder in (file.parent, folder_above_own(file))]
    places = (named_file(folder, base, RULES_SUFFIX) for folder in folders if folder is not None)
    return next((str(place) for place in places if place is not None), base)


def too_many(name: str) -> bool:
    """Return whether a name has more than `MAX_NAME_PIECES` pieces; such a name is not analysed further."""
    return name.count(PLUS) >= MAX_NAME_PIECES and not is_file(Path(name))


def _variants(name: str) -> list[str]:
    game, *variants = name.split("/")
    if len(variants) > 1 and all(find(f"{game}/{variant}") is not None for variant in variants):
        return [f"{game}/{variants[0]}", *variants[1:]]
    return [name]


def candidate_paths(folder: Path, name: str) -> tuple[Path, ...]:
    """Return the paths where a rule file may be that is named relative to a folder."""
    return tuple(folder / path for path in possible_paths(f"{name}{RULES_SUFFIX}"))


def neighbour_paths(file: Path, name: str) -> tuple[Path, ...]:
    """Return the paths where a rule file may be that another one names: next to it, or next to its own folder."""
    beside, above = candidate_paths(file.parent, name), folder_above_own(file)
    return beside if above is None else (*beside, *candidate_paths(above, name)[1:])


def relative_display_name(file: Path, shown: str, other: Path) -> str:
    """Return the displayed path of a file that was found relative to another one, displayed as `shown`."""
    return os.path.normpath(Path(shown).parent / os.path.relpath(other, file.parent))


def folder_above_own(file: Path) -> Path | None:
    """Return the folder above a rule file's own folder: `games` for `games/chess/chess.rules`.

    None if the folder of the file does not have its name.
    """
    folder = Path(os.path.abspath(file)).parent
    return folder.parent if file.name == f"{folder.name}{RULES_SUFFIX}" else None


def rule_files_in(folder: Path) -> Iterator[Path]:
    """Yield the rule files in a folder."""
    yield from sorted(folder.glob(f"*{RULES_SUFFIX}"))


def rule_files_in_own_folders(folder: Path) -> Iterator[Path]:
    """Yield the rule files `name/name.rules` below a folder; nothing if it cannot be read."""
    with suppress(OSError):
        candidates = (subfolder / f"{subfolder.name}{RULES_SUFFIX}" for subfolder in sorted(folder.iterdir()))
        yield from filter(is_file, candidates)


def variant_paths(piece: str, first: str) -> tuple[Path, ...]:
    """Return the paths where the file of a variant may be that is named after a game or variant `first`."""
    beside = neighbour_paths(Path(first), piece) if is_file(Path(first)) else ()
    return (Path(piece), *dict.fromkeys((*beside, *candidate_paths(Path(), piece))))


def resolved_pieces(name: str) -> tuple[str, ...]:
    """Return the pieces of a name, files by their full paths; an empty tuple if none is a file."""
    first, *others = pieces(name)
    files = [Path(first) if is_file(Path(first)) else None]
    files += [next(filter(is_file, variant_paths(piece, first)), None) for piece in others]
    if not any(files):
        return ()
    whole = zip((first, *others), files, strict=True)
    return tuple(piece if file is None else str(file.resolve()) for piece, file in whole)


def unknown_piece(name: str) -> str | None:
    """Return the first piece of a name that is neither shipped nor an existing rule file, None if all exist."""
    first, *others = pieces(name)
    game = first.partition("/")[0]
    names = {first: (first,)} | {variant: (variant, f"{game}/{variant}") for variant in others}
    for piece, candidates in names.items():
        if not (is_file(Path(piece)) if piece.endswith(RULES_SUFFIX) else any(map(find, candidates))):
            return piece
    return None


def relocated_name(files: tuple[str, ...], place: Mapping[str, str]) -> str:
    """Return the name for pieces returned by `resolved_pieces`, after their files have moved to new paths."""
    return PLUS.join(place[piece] if os.path.isabs(piece) else piece for piece in files)
