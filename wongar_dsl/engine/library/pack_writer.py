"""Creation of packs from the rules of a variant that are not shipped, with their texts, cases and lessons."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from wongar_dsl.base.diagnostics import RulesError
from wongar_dsl.base.storage.files import RULES_SUFFIX, FileOrFolder, MemoryPath, read_bytes
from wongar_dsl.engine.library.game_ids import PLUS, is_builtin, resolved_pieces
from wongar_dsl.engine.library.loader import LoadResult, read
from wongar_dsl.engine.library.pack import CASES, LESSON, MAX_BYTES, Pack, fingerprints, is_packable
from wongar_dsl.nlg.words.catalogs import Catalog, CatalogEntry, read_catalog
from wongar_dsl.nlg.words.languages import ENGLISH, languages_in, read_text, read_tree
from wongar_dsl.nlg.words.lexicon import Tree
from wongar_dsl.nlg.words.lexicon_reader import merge
from wongar_dsl.nlg.words.po_files import header, key


class PackError(Exception):
    """Raised if something cannot be packed; `file` is the file concerned."""

    def __init__(self, reason: Literal["nothing", "twice", "name", "too_large"], file: str = "") -> None:
        self.reason, self.file = reason, file
        super().__init__(f"{reason}: {file}")


def pack(name: str) -> tuple[str, bytes]:
    """Return the name and the bytes of a pack; equal files give equal bytes.

    Raises `RulesError` for rules with mistakes, `PackError`, `WordsError` for unreadable texts, and FileError.
    """
    loaded = read(name)
    if loaded.rules is None:
        raise RulesError(loaded.diagnostics)
    game, *variants = loaded.rules.model.merged.names
    pieces, files, base = _rules(loaded)
    names = [file.at for file in loaded.chain if file.at.name in files and not is_builtin(file.at)]
    for place in names:
        for kind in (CASES, LESSON):
            beside = _beside(place, place.name.removesuffix(RULES_SUFFIX) + kind)
            if beside is not None and beside.is_file():
                files[beside.name] = read_bytes(beside, MAX_BYTES, kind)
    folders = [folder for place in names if (folder := _beside(place, "locales")) is not None]
    files |= _words(list(dict.fromkeys(reversed(folders))), game)
    for file in files:
        if not is_packable(file):
            raise PackError("name", file)
    articles: Mapping[str, str] = {}
    if base:
        shipped = read(base).rules
        articles = fingerprints(shipped.model.merged) if shipped is not None else {}
    data = Pack(pieces, files, base, articles).file_bytes()
    if len(data) > MAX_BYTES:
        raise PackError("too_large")
    return _pack_name(name) or PLUS.join(variants) or game, data


def _pack_name(name: str) -> str:
    """Return the name of a pack: those of its rule files, without their bases; empty for a name with packs."""
    files = [piece for piece in resolved_pieces(name) if Path(piece).is_absolute()]
    stems = [Path(file).name.removesuffix(RULES_SUFFIX) for file in files if file.endswith(RULES_SUFFIX)]
    return PLUS.join(dict.fromkeys(stems)) if len(stems) == len(files) else ""


def _rules(loaded: LoadResult) -> tuple[tuple[str, ...], dict[str, bytes], str]:
    """Return the pieces of the pack's name, its rule files, and its shipped base."""
    pieces, shipped, files = [], [], dict[str, bytes]()
    for file in loaded.chain:
        name, place, source = file.name, file.at, file.source
        if is_builtin(place):
            pieces.append(name)
            shipped.append(name)
            continue
        if place.name in files:
            raise PackError("twice", place.name)
        pieces.append(place.name)
        files[place.name] = source.text.encode()
    if not files:
        raise PackError("nothing")
    return tuple(pieces), files, "/".join(shipped)


def _beside(place: FileOrFolder, name: str) -> Path | MemoryPath | None:
    """Return the path of a file with this name in the folder of another one."""
    return place.parent / name if isinstance(place, Path | MemoryPath) else None


# ---- texts ---------------------------------------------------------------------------------------------------------


def _words(folders: Sequence[Path | MemoryPath], game: str) -> dict[str, bytes]:
    """Return the lexicons and catalogs of a game, in all languages; later folders take precedence."""
    files = {}
    for code in sorted({code for folder in folders for code in languages_in(folder, known=False)}):
        trees, entries = [], dict[str, CatalogEntry]()
        for folder in folders:
            lexicon = folder / code / "lexicon.yaml"
            if lexicon.is_file():
                trees.append(_own_terms(read_tree(read_text(lexicon), str(lexicon)), game))
            catalogs = sorted((folder / code).iterdir(), key=str) if (folder / code).is_dir() else []
            for catalog in (file for file in catalogs if file.name.endswith(".po")):
                catalog_entries = read_catalog(read_text(catalog), str(catalog)).entries
                entries |= {name: e for name, e in catalog_entries.items() if name.startswith((f"{game}.", f"{game}/"))}
        terms = merge(trees)
        if terms:
            lines = ["games:", *_yaml(terms, "  ")]
            files[f"locales/{code}/lexicon.yaml"] = "".join(f"{line}\n" for line in lines).encode()
        finished = Catalog(entries, source=code == ENGLISH)
        entry_texts = [_entry(name, entry) for name, entry in entries.items() if finished.texts(name)]
        if entry_texts:
            files[f"locales/{code}/messages.po"] = (
                header(code) + "".join(f"\n{entry}" for entry in entry_texts)
            ).encode()
    return files


def _own_terms(tree: Mapping[str, Tree], game: str) -> dict[str, Tree]:
    """Return the terms of a game and its variants."""
    games = tree.get("games")
    scopes = games if isinstance(games, dict) else {}
    return {scope: terms for scope, terms in scopes.items() if scope == game or scope.startswith(f"{game}/")}


def _yaml(tree: Mapping[str, Tree], indent: str) -> Iterator[str]:
    """Yield the YAML lines of a mapping."""
    for name, value in tree.items():
        if isinstance(value, dict) and value:
            yield f"{indent}{key(name)}:"
            yield from _yaml(value, f"{indent}  ")
        else:
            yield f"{indent}{key(name)}: {json.dumps(value, ensure_ascii=False)}"


def _entry(name: str, entry: CatalogEntry) -> str:
    """Return an entry in the format of a catalog."""
    singular, *more = (json.dumps(text, ensure_ascii=False) for text in entry.english)
    lines = [f"msgctxt {json.dumps(name, ensure_ascii=False)}", f"msgid {singular}"]
    texts = [json.dumps(text, ensure_ascii=False) for text in entry.texts]
    if more:
        lines += [f"msgid_plural {more[0]}", *(f"msgstr[{n}] {text}" for n, text in enumerate(texts))]
    else:
        lines.append(f"msgstr {texts[0]}")
    return "".join(f"{line}\n" for line in lines)
