"""Readers for lexicon and catalog files: plain text, and YAML mappings."""

from __future__ import annotations

from wongar_dsl.base.span import LocatedKey
from wongar_dsl.base.storage import files
from wongar_dsl.base.storage.cache import Cache, memoised
from wongar_dsl.base.storage.files import FileError, FileOrFolder
from wongar_dsl.base.text.terminal import escape_text
from wongar_dsl.nlg.words.arguments import Text, Value, WordsError
from wongar_dsl.nlg.words.lexicon import Tree

#: A folder that holds one folder per language.
Root = FileOrFolder

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
