"""Reading words files: text, and the mapping that a lexicon is."""

from __future__ import annotations

from wongar_dsl.cache import Cache, remembered
from wongar_dsl.text import files
from wongar_dsl.text.escapes import printable
from wongar_dsl.text.files import FileError, Place
from wongar_dsl.text.keys import Key
from wongar_dsl.words.arguments import Text, Value
from wongar_dsl.words.errors import WordsError
from wongar_dsl.words.inflection import Tree

#: A place that holds a folder for each language.
Root = Place

LARGEST = 2_000_000
DEEPEST = 12


def read_text(file: Root) -> str:
    """The text of `file`, UTF-8.  Raises `WordsError` if it cannot be read, is too large or is no UTF-8."""
    name = Text(str(file))
    try:
        return files.read_text(file, LARGEST)
    except FileError as error:
        if error.reason == "too_large":
            raise WordsError("words.too_large", {"file": name, "n": LARGEST}) from None
        if error.reason == "not_utf8":
            raise WordsError("words.not_utf8", {"file": name, "line": error.line}) from None
        raise WordsError("words.unreadable", {"file": name}) from None


def read_tree(text: str, name: str, cache: Cache | None = None) -> dict[str, Tree]:
    """The mapping that the words file `text` writes down; `name` is told in errors, `cache` keeps what was read before.

    Its keys know their lines.  Raises `WordsError` for anything that is no YAML, no mapping, nested too deeply, names a
    key twice, or holds characters that would steer a terminal.
    """
    return remembered(lambda: _read(text, name), cache, "words", text)


def _read(text: str, name: str) -> dict[str, Tree]:
    # What was read before comes from the cache, and the parser takes its time to import.
    from wongar_dsl.text import strict_yaml

    def checked(value: str | list[Tree] | dict[str, Tree], line: int) -> Tree:
        if isinstance(value, str) and printable(value) != value:
            raise _bad("words.control", name, line)
        return value

    try:
        tree = strict_yaml.parse(text, DEEPEST, checked)
    except strict_yaml.YamlFault as fault:
        if fault.reason == "twice":
            details: dict[str, Value] = {"file": Text(name), "line": fault.line, "word": Text(fault.name)}
            raise WordsError("words.key_twice", details) from None
        raise _bad("words.tab" if fault.reason == "tab" else "words.bad_yaml", name, fault.line) from None
    if tree is None:
        return {}
    if not isinstance(tree, dict):
        raise _bad("words.bad_yaml", name, 1)
    _check_keys(tree, name)
    return tree


def _check_keys(tree: Tree, name: str) -> None:
    for part in tree if isinstance(tree, list) else tree.values() if isinstance(tree, dict) else ():
        _check_keys(part, name)
    for key in tree if isinstance(tree, dict) else ():
        if printable(key) != key:
            raise _bad("words.control", name, line_of(key))


def line_of(key: str) -> int:
    """The line where a key of a tree that was read stands; 0 where that is not known."""
    return key.line if isinstance(key, Key) else 0


def _bad(message: str, name: str, line: int) -> WordsError:
    return WordsError(message, {"file": Text(name), "line": line})
