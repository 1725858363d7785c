"""Packs: a variant in one text file, with everything that it needs beyond the shipped games.

    packed variant 1
    play chess+quick.rules
    file quick.rules
      variant quick of chess
    file locales/de/lexicon.yaml
      games: {chess: {quick: Schnellschach}}
    base chess
      option minutes 5f1d2c3b4a59
    end

A pack is plain text, so that a player can read a stranger's pack before playing it. Unlike an archive it cannot expand,
lead out of its folder or contain links. The lines of files are indented by two spaces, so that none is read as a head.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from wongar_dsl.base.diagnostics import Diagnostic, Hint
from wongar_dsl.base.span import Source, Span
from wongar_dsl.base.storage.files import PACK_SUFFIX, RULES_SUFFIX, FileError, MemoryPath, decode, read_bytes
from wongar_dsl.language import ast as s

if TYPE_CHECKING:
    from wongar_dsl.language.variants.merge import MergedRules

FORMAT = 1
#: Size limits of a pack, in bytes and files; a game with texts in four languages and cases has 300,000 bytes.
MAX_BYTES, MAX_FILES = 500_000, 200
CASES, LESSON = ".cases.yaml", ".lesson.yaml"
_FIRST = re.compile(r"packed variant (\d{1,6})")
_INDENT = "  "
#: Paths of files that a pack may contain: rules, cases and lessons, and texts below `locales`.
_ALLOWED = re.compile(
    rf"[\w+-]{{1,100}}({re.escape(RULES_SUFFIX)}|{re.escape(CASES)}|{re.escape(LESSON)})|locales/[\w-]{{2,30}}/[\w-]{{1,100}}\.(yaml|po)"
)
_PIECE = re.compile(rf"[\w/-]{{1,200}}({re.escape(RULES_SUFFIX)})?")
_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Pack:
    """The contents of a pack: the pieces of its name, its files, and the base that it was made with.

    A piece with the suffix of a rule file is a file of the pack. `articles` are the fingerprints of the base's
    declarations.
    """

    pieces: tuple[str, ...]
    files: Mapping[str, bytes]
    base: str = ""
    articles: Mapping[str, str] = field(default_factory=dict)
    source: Source = field(default=Source("", ""), compare=False)
    base_line: int = 1

    def folder(self, outside: str) -> MemoryPath:
        """Return its files as a folder with the path of the pack."""
        return MemoryPath(outside, self.files)

    @property
    def base_span(self) -> Span:
        """The line that names its base."""
        return _line(self.source, self.base_line)

    def place(self, file: str, line: int) -> Span:
        """Return the position in the pack of a line of one of its files."""
        heads = self.source.text.split("\n")
        return _line(self.source, heads.index(f"file {file}") + 1 + line)

    def file_bytes(self) -> bytes:
        """Return the bytes of the pack, always the same for the same contents."""
        return "".join(f"{line}\n" for line in self._lines()).encode()

    def _lines(self) -> Iterator[str]:
        yield f"packed variant {FORMAT}"
        yield f"play {'+'.join(self.pieces)}"
        for name, data in sorted(self.files.items(), key=_first_rules):
            yield f"file {name}"
            text = data.decode("utf-8-sig").replace("\r\n", "\n")
            yield from (f"{_INDENT}{line}" if line else "" for line in text.removesuffix("\n").split("\n"))
        if self.base:
            yield f"base {self.base}"
            yield from (f"{_INDENT}{name} {mark}" for name, mark in self.articles.items())
        yield "end"


def _first_rules(file: tuple[str, bytes]) -> tuple[int, str]:
    """Return the sort key of a file: rules first, since a reader wants to see them first."""
    name, _ = file
    return (0 if name.endswith(RULES_SUFFIX) else 1 if name.endswith((CASES, LESSON)) else 2), name


def is_packable(file: str) -> bool:
    """Return whether a pack may contain a file with this path."""
    return _ALLOWED.fullmatch(file) is not None


def fingerprints(merged: MergedRules) -> dict[str, str]:
    """Return a fingerprint of each declaration, independent of layout and comments, by its name in a variant."""
    marks = {" ".join(filter(None, s.key_of(a))): _fingerprint(a) for a in merged.articles}
    return {"players": _digest(repr(merged.head.players)), **dict(sorted(marks.items()))}


def _fingerprint(article: s.Declaration) -> str:
    # Imported here because this module is always imported, to recognise packs, but few games are packed.
    from wongar_dsl.language.printer import unparse

    return _digest("\n".join(line.text for line in unparse(article)))


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:_DIGITS]


def differences(pack: Pack, merged: MergedRules) -> tuple[str, ...]:
    """Return the names of the declarations that differ between a base and the base that the pack was made with."""
    old, new = pack.articles, fingerprints(merged)
    return tuple(name for name in dict.fromkeys((*old, *new)) if old.get(name) != new.get(name))


# ---- reading -------------------------------------------------------------------------------------------------------


class _Unusable(Exception):
    """Raised for a line of a pack that cannot be used."""

    def __init__(self, reason: str, line: int) -> None:
        self.reason, self.line = reason, line
        super().__init__(reason)


def read_pack(path: Path, shown: str) -> tuple[bytes | None, Pack | Diagnostic]:
    """Return the bytes of a pack, None if it cannot be read, and its contents or a diagnostic."""
    try:
        data = read_bytes(path, MAX_BYTES, PACK_SUFFIX)
    except FileError as error:
        if error.reason == "too_large":
            return None, Diagnostic("R0009", _line(Source(shown, ""), 1), {"path": shown}, hint=Hint("pack_too_large"))
        return None, Diagnostic("R0001", _line(Source(shown, ""), 1), {"path": shown})
    try:
        source = Source(shown, decode(data).replace("\r\n", "\n"))
    except FileError as error:
        readable = Source(shown, data.decode("utf-8", "replace"))
        reason = "pack_none" if not data.startswith(b"packed variant ") else "pack_not_utf8"
        return data, Diagnostic("R0009", _line(readable, error.line), {"path": shown}, hint=Hint(reason))
    try:
        return data, _read(source)
    except _Unusable as fault:
        return data, Diagnostic("R0009", _line(source, fault.line), {"path": shown}, hint=Hint(fault.reason))


def _line(source: Source, line: int) -> Span:
    return Span(source, line, 1, line, max(2, len(source.line(line)) + 1))


def _read(source: Source) -> Pack:
    lines = source.text.split("\n")
    first = _FIRST.fullmatch(lines[0])
    if first is None:
        raise _Unusable("pack_none", 1)
    if int(first[1]) != FORMAT:
        raise _Unusable("pack_version", 1)
    if source.text.rstrip("\n").rpartition("\n")[2] != "end":
        raise _Unusable("pack_cut", len(lines))
    pieces: tuple[str, ...] = ()
    base, base_line, articles, files = "", 1, dict[str, str](), dict[str, bytes]()
    for number, head, inside in _sections(lines):
        word, _, name = head.partition(" ")
        if word == "play" and not pieces and not inside:
            pieces = tuple(name.split("+"))
            if not all(map(_PIECE.fullmatch, pieces)):
                raise _Unusable("pack_line", number)
        elif word == "base" and not base and _PIECE.fullmatch(name):
            base, base_line = name, number
            articles = {article: mark for article, _, mark in (line.rpartition(" ") for line in inside)}
        elif word == "file":
            if not is_packable(name):
                raise _Unusable("pack_path", number)
            if name in files or len(files) >= MAX_FILES:
                raise _Unusable("pack_twice", number)
            files[name] = "".join(f"{line}\n" for line in inside).encode()
        elif head != "end" or inside:
            raise _Unusable("pack_line", number)
    if not pieces or any(piece.endswith(RULES_SUFFIX) and piece not in files for piece in pieces):
        raise _Unusable("pack_line", 2)
    return Pack(pieces, files, base, articles, source, base_line)


def _sections(lines: list[str]) -> Iterator[tuple[int, str, list[str]]]:
    """Yield the heads of a pack, each with its line number and the lines below it."""
    number, head, inside = 1, "", list[str]()
    for line_number, line in enumerate(lines[1:], 2):
        if line == "" or line.startswith(_INDENT):
            inside.append(line.removeprefix(_INDENT))
        else:
            if head:
                yield number, head, inside
            number, head, inside = line_number, line, []
    yield number, head, [line for line in inside if line]


def foreign_words(pack: Pack, game: str) -> Span | None:
    """Return the position where the texts of a pack concern anything but its game, or are malformed; None if nowhere.

    Such texts could change the meaning of questions that the program itself asks.
    """
    from wongar_dsl.nlg.words.arguments import WordsError
    from wongar_dsl.nlg.words.catalogs import read_catalog
    from wongar_dsl.nlg.words.languages import line_of, read_tree

    for name, data in pack.files.items():
        if not name.startswith("locales/"):
            continue
        try:
            text = decode(data)
            if name.endswith(".po"):
                entries = read_catalog(text, name).entries
                wrong = (
                    entry.line
                    for message_name, entry in entries.items()
                    if not message_name.startswith((f"{game}.", f"{game}/"))
                )
            elif name.endswith("/lexicon.yaml"):
                tree = read_tree(text, name)
                games = tree.get("games")
                scopes = games if isinstance(games, dict) else {}
                others = [scope for scope in scopes if scope != game and not scope.startswith(f"{game}/")]
                wrong = (line_of(key) for key in (*(key for key in tree if key != "games"), *others))
            else:
                return pack.place(name, 0)
            line = next(iter(wrong), None)
        except WordsError as error:
            number = error.details.get("line")
            line = number if isinstance(number, int) else 0
        if line is not None:
            return pack.place(name, line)
    return None
