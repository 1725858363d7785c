"""Search for the occurrences of a name in catalogs, lexicons and case files, for renaming."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from wongar_dsl.base.span import Source, Span
from wongar_dsl.base.storage import strict_yaml
from wongar_dsl.base.storage.located_key import LocatedKey
from wongar_dsl.language.server.symbols import Symbol
from wongar_dsl.language.server.text_positions import part

#: Suffixes that message names may have.
_SUFFIXES = frozenset({"together", "each", "same", "rule"})
#: Keys of case files whose values are not names of the rules.
_FREE_KEYS = frozenset({"name", "covers", "seats", "game", "seed"})
MAX_DEPTH = 16


@dataclass(frozen=True, slots=True)
class FileEdit:
    """A span in a line of a file, and its replacement."""

    span: Span
    new: str


@dataclass(frozen=True, slots=True)
class Renaming:
    """A name, its replacement, the games whose texts use it, and for a local name its owner: `("rule", "draw")`.

    The owner of an option's parameter is `("decision", "turn", "draw")`.
    """

    symbol: Symbol
    new: str
    games: frozenset[str]
    owner: tuple[str, ...] = ()

    def message(self, name: str) -> str:
        """Return the name of a message after renaming; it begins with the game."""
        game, _, rest = name.partition(".")
        if game.split("/")[0] not in self.games or not rest:
            return name
        parts = _split(rest)
        old, deciding = self.symbol.name, parts[0] == "decision"
        match self.symbol.kind:
            case "decision" if deciding and parts[1:2] == [old]:
                parts[1] = self.new
            case "option" if deciding and parts[1:3] == [self.symbol.owner, old]:
                parts[2] = self.new
            case "message" if parts[0] == old and set(parts[1:]) <= _SUFFIXES:
                parts[0] = self.new
            case "name" if not deciding and parts[0] != "rules" and len(parts) > 1:
                parts[1] = _word(old).sub(self.new, parts[1])
        return ".".join([game, *parts])

    def term(self, name: str) -> str:
        """Return the name of a term of the game after renaming."""
        parts = _split(name)
        if self.symbol.kind in ("name", "option"):
            parts[0] = _word(self.symbol.name).sub(self.new, parts[0])
        elif self.symbol.kind == "local" and len(parts) == 2 and parts == [self.owner[-1], self.symbol.name]:
            parts[1] = self.new
        return ".".join(parts)

    def slots(self, message: str) -> bool:
        """Return whether a slot with that name in a message's text means the renamed symbol."""
        game, _, rest = message.partition(".")
        parts = tuple(_split(rest))
        if game.split("/")[0] not in self.games:
            return False
        match self.symbol.kind:
            case "local" if self.owner[:1] == ("decision",):
                return parts[0] == "decision" and parts[1:3] == self.owner[1:]
            case "local":
                return parts[:2] == self.owner
            case "attribute":
                return parts[0] == "card"
        return False


def _split(name: str) -> list[str]:
    """Split a name at its dots."""
    return name.split(".") if name else [""]


def _word(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")


_CONTEXT = re.compile(r'^msgctxt\s+"([^"]*)"\s*$')
_SLOT = re.compile(r"\{(\w+)(:[^{}]*)?\}")


def catalog_edits(source: Source, renaming: Renaming) -> Iterator[FileEdit]:
    """Yield the changes in a PO file: names of messages, their slots, and terms named in slots."""
    message = ""
    for number, text in enumerate(source.text.split("\n"), 1):
        line = text.rstrip("\r")
        context = _CONTEXT.match(line)
        if context is not None:
            message = context[1]
            new = renaming.message(message)
            if new != message:
                yield FileEdit(part(source, number, context.start(1) + 1, len(message)), new)
        elif line.startswith(("msgid", "msgstr", '"')) and message.partition(".")[0].split("/")[0] in renaming.games:
            yield from _slots(source, number, line, message, renaming)


def _slots(source: Source, number: int, line: str, message: str, renaming: Renaming) -> Iterator[FileEdit]:
    old = renaming.symbol.name
    for slot in _SLOT.finditer(line):
        if slot[1] == old and renaming.slots(message):
            yield FileEdit(part(source, number, slot.start(1) + 1, len(old)), renaming.new)
        if slot[2] and renaming.symbol.kind == "name":
            for word in _word(old).finditer(slot[2]):
                yield FileEdit(part(source, number, slot.start(2) + word.start() + 1, len(old)), renaming.new)


def lexicon_edits(source: Source, renaming: Renaming) -> Iterator[FileEdit]:
    """Yield the changes in a lexicon: the terms of the games. Raises `YamlFault`."""
    tree = strict_yaml.parse(source.text, MAX_DEPTH, _keep)
    games = tree.get("games") if isinstance(tree, dict) else None
    for game, terms in games.items() if isinstance(games, dict) else ():
        for key in terms if isinstance(terms, dict) and game.split("/")[0] in renaming.games else ():
            new = renaming.term(key)
            line = source.line(key.line) if isinstance(key, LocatedKey) else ""
            key_match = re.search(rf"""(?<![\w.]){re.escape(key)}(?=["']?\s*:)""", line)
            if new != key and key_match is not None and isinstance(key, LocatedKey):
                yield FileEdit(part(source, key.line, key_match.start() + 1, len(key)), new)


def _keep(value: object, line: int) -> object:
    return value


def case_edits(source: Source, name: str, new: str) -> Iterator[FileEdit]:
    """Yield the words in a case file that may be the name. Raises `YamlFault`."""
    for scalar in strict_yaml.scalars(source.text):
        if _FREE_KEYS & set(scalar.within):
            continue
        line = source.line(scalar.line)
        end = scalar.end_column - 1 if scalar.end_line == scalar.line else len(line)
        for word in _word(name).finditer(line, scalar.column - 1, end):
            yield FileEdit(part(source, scalar.line, word.start() + 1, len(name)), new)
