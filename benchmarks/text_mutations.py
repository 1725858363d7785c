"""Random damage to texts for fuzzing: characters, words, lines, blocks, pieces of other files, extreme numbers.

Most damage is small, so that many texts stay valid and later stages are reached too.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

#: Strings that are invalid in a good file, or special to some parser.
STRANGE = (
    "9" * 40, "-1", "\x00", "\x1b]0;x\x07", "\u202e", "{", "}", "[", "]", "{}", '"', "n/0", "Infinity", "NaN", "\t",
    "ß", "\ud800", "%s", "{n.__class__}", "..", "~", "&a", "*a", "!!", "\\", "\r", "\ufeff", "#",
)  # fmt: skip
NUMBERS = ("0", "1", "2", "-1", "63", "64", "65", "255", "4096", "65536", "999999999", "1000000001", "9" * 40)
_TOKEN = re.compile(r"\n *|\w+|[^\w\s]|[ \t]+")
_NUMBER = re.compile(r"\d+")


def damaged(text: str, chance: random.Random, others: Sequence[str] = ()) -> str:
    """Return a text damaged in one to three places; pieces may come from `others`."""
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
    """Return the parts with one removed, doubled, swapped, or replaced by a nearby, random or strange one."""
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
    numbers = list(_NUMBER.finditer(text))
    if not numbers:
        return _words(text, chance, others)
    match = chance.choice(numbers)
    return text[: match.start()] + chance.choice(NUMBERS) + text[match.end() :]


def _alike(text: str, chance: random.Random, others: Sequence[str]) -> str:
    """Replace a word by another one of similar length, so that names mostly replace names."""
    tokens = _TOKEN.findall(text)
    words = [i for i, token in enumerate(tokens) if token.isidentifier()]
    if not words:
        return _lines(text, chance, others)
    i = chance.choice(words)
    near = [j for j in words if abs(len(tokens[j]) - len(tokens[i])) < 3]
    tokens[i] = tokens[chance.choice(near)]
    return "".join(tokens)


def _blocks(text: str, chance: random.Random, _: Sequence[str]) -> str:
    """Remove, double, move or re-indent a line with the lines nested below it."""
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
            index = chance.randrange(len(rest) + 1)
            return "".join([*rest[:index], *block, *rest[index:]])
        case _:
            moved = [line[4:] if chance.random() < 0.5 and line[:4] == "    " else "    " + line for line in block]
            return "".join([*lines[:start], *moved, *lines[end:]])


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _spliced(text: str, chance: random.Random, others: Sequence[str]) -> str:
    """Insert some lines of another file."""
    if not others:
        return _lines(text, chance, others)
    lines, donor = text.splitlines(keepends=True), chance.choice(others).splitlines(keepends=True)
    if not donor:
        return text
    start = chance.randrange(len(donor))
    index = chance.randrange(len(lines) + 1)
    return "".join([*lines[:index], *donor[start : start + chance.randint(1, 8)], *lines[index:]])


_WAYS: tuple[Callable[[str, random.Random, Sequence[str]], str], ...] = (
    _signs, _words, _words, _lines, _numbers, _alike, _alike, _blocks, _spliced,
)  # fmt: skip
