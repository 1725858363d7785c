"""Reading words files: a strict, small part of YAML.

Only mappings, lists and strings: no tags, no anchors, no numbers, no `no` that turns into false.  A file from a
stranger can therefore be wrong, but neither large, nor deep, nor clever.
"""

from __future__ import annotations

from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TypeAlias

import yaml

from wongar_dsl.cache import Cache
from wongar_dsl.words.arguments import Text
from wongar_dsl.words.errors import WordsError
from wongar_dsl.words.inflection import Tree

#: A place that holds files: a folder, or a folder inside an installed package.
Root: TypeAlias = "Path | Traversable"

LARGEST = 2_000_000
DEEPEST = 12

# libyaml where it is there: ten times faster.  Only its events are used, its tree builder overflows the stack.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_text(file: Root) -> str:
    """The text of `file`, UTF-8.  Raises `WordsError` if it cannot be read, is too large or is no UTF-8."""
    name = Text(str(file))
    try:
        with file.open("rb") as stream:
            data = stream.read(LARGEST + 1)
    except (OSError, ValueError):
        raise WordsError("words.unreadable", {"file": name}) from None
    if len(data) > LARGEST:
        raise WordsError("words.too_large", {"file": name, "n": LARGEST})
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise WordsError("words.not_utf8", {"file": name}) from None


def read_tree(text: str, name: str, cache: Cache | None = None) -> dict[str, Tree]:
    """The mapping that the words file `text` writes down; `name` is told in errors, `cache` keeps what was read before.

    Raises `WordsError` for anything that is no YAML, no mapping, nested too deeply, or names a key twice.
    """
    kept: dict[str, Tree] | None = cache.load("words", text) if cache is not None else None
    if kept is not None:
        return kept
    result: list[Tree] = []
    # One entry for each open collection: the collection, and for a mapping the key that waits for its value.
    open_ones: list[tuple[list[Tree] | dict[str, Tree], str | None]] = []

    def put(value: Tree, line: int) -> None:
        if not open_ones:
            result.append(value)
            return
        into, key = open_ones[-1]
        if isinstance(into, list):
            into.append(value)
        elif key is None:
            if not isinstance(value, str):
                raise _bad("words.bad_yaml", name, line)
            if value in into:
                raise WordsError("words.key_twice", {"file": Text(name), "line": line, "word": Text(value)})
            open_ones[-1] = (into, value)
        else:
            into[key] = value
            open_ones[-1] = (into, None)

    try:
        for event in yaml.parse(text, Loader=_LOADER):
            line = event.start_mark.line + 1 if event.start_mark else 1
            if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
                raise _bad("words.bad_yaml", name, line)
            if isinstance(event, yaml.ScalarEvent):
                put(event.value, line)
            elif isinstance(event, yaml.CollectionStartEvent):
                opened: list[Tree] | dict[str, Tree] = [] if isinstance(event, yaml.SequenceStartEvent) else {}
                put(opened, line)
                open_ones.append((opened, None))
                if len(open_ones) > DEEPEST:
                    raise _bad("words.bad_yaml", name, line)
            elif isinstance(event, yaml.CollectionEndEvent):
                open_ones.pop()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise _bad("words.bad_yaml", name, mark.line + 1 if mark else 1) from None
    except ValueError:
        raise _bad("words.bad_yaml", name, 1) from None
    if not result:
        return {}
    if len(result) > 1 or not isinstance(result[0], dict):
        raise _bad("words.bad_yaml", name, 1)
    if cache is not None:
        cache.save(result[0], "words", text)
    return result[0]


def _bad(message: str, name: str, line: int) -> WordsError:
    return WordsError(message, {"file": Text(name), "line": line})
