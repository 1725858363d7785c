"""Damage to texts of every sort: signs, words, lines, blocks, pieces of other files, numbers without measure.

Most of it is small, so that many a text still means something and what comes after reading is reached too.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

#: What stands in no good file, or means something to some reader of files.
STRANGE = (
    "9" * 40, "-1", "\x00", "\x1b]0;x\x07", "\u202e", "{", "}", "[", "]", "{}", '"', "n/0", "Infinity", "NaN", "\t",
    "ß", "\ud800", "%s", "{n.__class__}", "..", "~", "&a", "*a", "!!", "\\", "\r", "\ufeff", "#",
)  # fmt: skip
NUMBERS = ("0", "1", "2", "-1", "63", "64", "65", "255", "4096", "65536", "999999999", "1000000001", "9" * 40)
_TOKEN = re.compile(r"\n *|\w+|[^\w\s]|[ \t]+")
_NUMBER = re.compile(r"\d+")


def damaged(text: str, chance: random.Random, others: Sequence[str] = ()) -> str:
    """A text that is damaged in one to three places; pieces come from `others` too."""
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        text = chance.choice(_WAYS)(text, chance, others)
    return text


def _signs(text: str, chance: random.Random, _: Sequence[str]) -> str:
    return "".join(_changed(list(text), chance, ""))


def _words(text: str, chance: random.Random, _: Sequence[str]) -> str:
    return "".join(_changed(_TOKEN.findall(text), chance, " "))


def _lines(text: str, chance: random.Random, _: Sequence[str]) -> str:
    return "".join(_changed(text.splitlines(keepends=True), chance, ""))


def _changed(parts: list[str], chance: random.Random, between: str) -> list[str]:
    """Parts of which one is missing, doubled, exchanged, replaced by a near one, by any, or by something strange."""
    if len(parts) < 2:
        return parts
    i, j = chance.randrange(len(parts)), chance.randrange(len(parts))
    match chance.randrange(6):
        case 0:
            del parts[i]
        case 1:
            parts.insert(i, parts[i] + between)
        case 2:
            parts[i], parts[j] = parts[j], parts[i]
        case 3:
            parts[i] = parts[j]
        case 4:
            parts[i] = chance.choice(STRANGE)
        case _:
            parts[i] = parts[min(max(i + chance.randrange(-12, 13), 0), len(parts) - 1)]
    return parts


def _numbers(text: str, chance: random.Random, others: Sequence[str]) -> str:
    found = list(_NUMBER.finditer(text))
    if not found:
        return _words(text, chance, others)
    one = chance.choice(found)
    return text[: one.start()] + chance.choice(NUMBERS) + text[one.end() :]


def _alike(text: str, chance: random.Random, others: Sequence[str]) -> str:
    """A word in place of another of its length: names take the place of names more often than not."""
    tokens = _TOKEN.findall(text)
    words = [i for i, token in enumerate(tokens) if token.isidentifier()]
    if not words:
        return _lines(text, chance, others)
    i = chance.choice(words)
    near = [j for j in words if abs(len(tokens[j]) - len(tokens[i])) < 3]
    tokens[i] = tokens[chance.choice(near)]
    return "".join(tokens)


def _blocks(text: str, chance: random.Random, _: Sequence[str]) -> str:
    """A line with all that stands below it, missing, doubled, moved, or further in or out."""
    lines = text.splitlines(keepends=True)
    if not lines:
        return text
    start = chance.randrange(len(lines))
    end = start + 1
    while end < len(lines) and _indent(lines[end]) > _indent(lines[start]):
        end += 1
    block, rest = lines[start:end], lines[:start] + lines[end:]
    match chance.randrange(4):
        case 0:
            return "".join(rest)
        case 1:
            return "".join([*lines[:end], *block, *lines[end:]])
        case 2:
            at = chance.randrange(len(rest) + 1)
            return "".join([*rest[:at], *block, *rest[at:]])
        case _:
            moved = [line[4:] if chance.random() < 0.5 and line[:4] == "    " else "    " + line for line in block]
            return "".join([*lines[:start], *moved, *lines[end:]])


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _spliced(text: str, chance: random.Random, others: Sequence[str]) -> str:
    """Some lines of another file among the lines of this one."""
    if not others:
        return _lines(text, chance, others)
    lines, other = text.splitlines(keepends=True), chance.choice(others).splitlines(keepends=True)
    if not other:
        return text
    start = chance.randrange(len(other))
    at = chance.randrange(len(lines) + 1)
    return "".join([*lines[:at], *other[start : start + chance.randint(1, 8)], *lines[at:]])


_WAYS: tuple[Callable[[str, random.Random, Sequence[str]], str], ...] = (
    _signs, _words, _words, _lines, _numbers, _alike, _alike, _blocks, _spliced,
)  # fmt: skip
