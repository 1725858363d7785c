"""Languages on disk: their folders and files, and the choice of the language of the reader."""

from __future__ import annotations

import importlib.resources
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from wongar_dsl.base.span import LocatedKey
from wongar_dsl.base.storage import files
from wongar_dsl.base.storage.cache import Cache, memoised
from wongar_dsl.base.storage.files import FileError, FileOrFolder
from wongar_dsl.base.terminal_text import escape_text
from wongar_dsl.nlg.words.arguments import Listing, Text, Value, WordsError
from wongar_dsl.nlg.words.cldr import load_babel
from wongar_dsl.nlg.words.lexicon import Tree

#: A folder that holds one folder per language.
Root = FileOrFolder
#: The fallback language, and the language of the source sentences.
ENGLISH = "en"

#: Name of a language folder; it cannot lead out of its parent.
_CODE = re.compile(r"[A-Za-z]{2,8}([_-][A-Za-z0-9]{1,8}){0,3}")


def builtin_folder() -> Root:
    """Return the folder of the shipped languages.

    In an installation that is the package `wongar_dsl.locales`, in a source tree the folder `locales`.
    """
    try:
        return importlib.resources.files("wongar_dsl.locales")
    except ModuleNotFoundError:
        return Path(__file__).parents[3] / "locales"


def is_code(name: str) -> bool:
    """Return whether `name` is a valid name of a language folder."""
    return _CODE.fullmatch(name) is not None


def available(roots: Sequence[Root] = ()) -> tuple[str, ...]:
    """Return the languages that have a folder, always including English; `roots` are searched as well."""
    return tuple(
        sorted({ENGLISH, *(code for root in (builtin_folder(), *roots) for code in languages_in(root, False))})
    )


def languages_in(folder: Root, known: bool = True) -> tuple[str, ...]:
    """Return the languages in a folder: those known to CLDR, and those with a grammar of their own.

    Without `known`, every folder with lexicon or catalog files counts.
    """
    codes = []
    with suppress(OSError):
        for inside in folder.iterdir():
            named = inside.is_dir() and is_code(inside.name)
            words = named and any(is_language_file(file.name) for file in inside.iterdir())
            if words and (not known or load_babel(inside.name) is not None or _has_grammar(inside)):
                codes.append(inside.name)
    return tuple(sorted(codes))


def _has_grammar(folder: Root) -> bool:
    """Return whether a folder defines a grammar, as for a language unknown to CLDR."""
    try:
        with folder.joinpath("lexicon.yaml").open(encoding="utf-8") as file:
            return any(line.startswith("features:") for line in file)
    except (OSError, ValueError):
        return False


def is_language_file(name: str) -> bool:
    """Return whether a file of this name in a language folder is read: a lexicon or a catalog."""
    return name == "lexicon.yaml" or name.endswith(".po")


def negotiate(
    requested: str | None, environ: Mapping[str, str], configured: str | None, available: Iterable[str]
) -> str:
    """Choose the language to use.

    It is the first available one of `requested` (`--lang`), WONGAR_LANG, `configured`, LANGUAGE, LC_ALL, LC_MESSAGES
    and LANG, else English. Raises `WordsError("words.unknown_language")` only for `requested`, which the user typed.
    """
    codes = tuple(available)
    wishes = [environ.get("WONGAR_LANG", ""), configured or "", *environ.get("LANGUAGE", "").split(":")]
    system = [environ.get(variable, "") for variable in ("LC_ALL", "LC_MESSAGES", "LANG")]
    # The C locale is an explicit request for no translation.
    wishes += [ENGLISH if wish.partition(".")[0] in {"C", "POSIX"} else wish for wish in system]
    wishes = wishes if requested is None else [requested]
    match = next(filter(None, (_match(wish, codes) for wish in wishes)), None)
    if match is None and requested is not None:
        raise unknown_language(requested, codes)
    return match or ENGLISH


def unknown_language(code: str, available: Iterable[str]) -> WordsError:
    """Return the error for a language that is not among the `available` ones."""
    shown = Listing(tuple(Text(name) for name in sorted(available)))
    return WordsError("words.unknown_language", language=code, available=shown)


def _match(wish: str, known: Sequence[str]) -> str | None:
    """Return the known language for `de_AT.UTF-8@euro`: de_AT if available, else de."""
    plain = re.split(r"[.@]", wish.strip())[0].replace("-", "_").lower()
    by_name = {code.replace("-", "_").lower(): code for code in known}
    while plain and plain not in by_name:
        plain = plain.rpartition("_")[0]
    return by_name.get(plain)


MAX_FILE_BYTES = 2_000_000
MAX_DEPTH = 12


def read_text(file: Root) -> str:
    """Read `file` as UTF-8. Raises `WordsError` if it is unreadable, too large or not UTF-8."""
    name = Text(str(file))
    try:
        return files.read_text(file, MAX_FILE_BYTES)
    except FileError as error:
        if error.reason == "too_large":
            raise WordsError("words.too_large", file=name, n=MAX_FILE_BYTES) from None
        if error.reason == "not_utf8":
            raise WordsError("words.not_utf8", file=name, line=error.line) from None
        raise WordsError("words.unreadable", file=name) from None


def read_tree(text: str, name: str, cache: Cache | None = None) -> dict[str, Tree]:
    """Parse the YAML mapping `text`; `name` appears in errors, `cache` stores parsed files.

    Keys carry their line numbers. Raises `WordsError` for invalid YAML, a non-mapping, excessive nesting, a duplicate
    key, or characters that could control a terminal.
    """
    return memoised(lambda: _read(text, name), cache, "words", text)


def _read(text: str, name: str) -> dict[str, Tree]:
    # Imported late: the parser is slow to import, and cached files do not need it.
    from wongar_dsl.base.storage import strict_yaml

    def checked(value: str | list[Tree] | dict[str, Tree], line: int) -> Tree:
        if isinstance(value, str) and escape_text(value) != value:
            raise WordsError("words.control", file=name, line=line)
        return value

    try:
        tree = strict_yaml.parse(text, MAX_DEPTH, checked)
    except strict_yaml.YamlFault as fault:
        if fault.reason == "twice":
            details: dict[str, Value] = {"file": Text(name), "line": fault.line, "word": Text(fault.name)}
            raise WordsError("words.key_twice", **details) from None
        raise WordsError(
            "words.tab" if fault.reason == "tab" else "words.bad_yaml", file=name, line=fault.line
        ) from None
    if tree is None:
        return {}
    if not isinstance(tree, dict):
        raise WordsError("words.bad_yaml", file=name, line=1)
    _check_keys(tree, name)
    return tree


def _check_keys(tree: Tree, name: str) -> None:
    for part in tree if isinstance(tree, list) else tree.values() if isinstance(tree, dict) else ():
        _check_keys(part, name)
    for key in tree if isinstance(tree, dict) else ():
        if escape_text(key) != key:
            raise WordsError("words.control", file=name, line=line_of(key))


def line_of(key: str) -> int:
    """Return the line of a key in a parsed tree, 0 if unknown."""
    return key.line if isinstance(key, LocatedKey) else 0
