"""Finds rule files and runs them through the whole pipeline: text, tree, variants, checks."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from wongar_dsl import syntax as s
from wongar_dsl.amend import Merged, amend, begin
from wongar_dsl.checker import check
from wongar_dsl.diagnostics import Diagnostic, RulesError, Severity, did_you_mean
from wongar_dsl.engine import Game
from wongar_dsl.lower import lower
from wongar_dsl.model import Model
from wongar_dsl.parser import MAX_CHARACTERS, MAX_INDENTS, parse, reserved_words
from wongar_dsl.source import Source, Span

#: Part of every rules hash: goes up when the same rules would play otherwise.
FORMAT = 1
SUFFIX = ".rules"


@dataclass(frozen=True)
class Rules:
    """A checked game: its model, the files that it was made of (base first), warnings, and where the words for it are.

    `folders` are the folders of the files, for catalogs that lie beside them.
    """

    model: Model
    sources: tuple[Source, ...]
    warnings: tuple[Diagnostic, ...] = ()
    folders: tuple[Path, ...] = field(default=())

    @property
    def name(self) -> str:
        """The name of the game and its variants: `game/variant`."""
        return "/".join(self.model.merged.names)

    @cached_property
    def hash(self) -> str:
        """A fingerprint of the rules as text, whatever the files are called; 64 hexadecimal digits."""
        digest = hashlib.sha256(f"rules {FORMAT}\n".encode())
        for source in self.sources:
            text = source.text.replace("\r\n", "\n").encode()
            digest.update(f"{len(text)}\n".encode() + text)
        return digest.hexdigest()

    def game(self, seats: int, options: Mapping[str, int] | None = None, backend: str = "python") -> Game:
        """The game for a number of seats; raises ValueError or KeyError as `Game` does."""
        return Game(self.model, seats, options, backend)


def shipped() -> dict[str, tuple[str, ...]]:
    """The games that come with the program, each with the names of its variants."""
    found: dict[str, tuple[str, ...]] = {}
    for folder in sorted(_shipped_folder().iterdir(), key=lambda f: f.name):
        files = [f.name for f in folder.iterdir()] if folder.is_dir() else []
        names = sorted(name.removesuffix(SUFFIX) for name in files if name.endswith(SUFFIX))
        if folder.name in names:
            found[folder.name] = tuple(n for n in names if n != folder.name)
        else:
            found |= dict.fromkeys(names, ())
    return found


def load(name: str | Path) -> Rules:
    """The rules of a game: `game`, `game/variant`, or the path of a rule file; raises `RulesError`."""
    rules, diagnostics = inspect(name)
    if rules is None:
        raise RulesError(diagnostics)
    return rules


def inspect(name: str | Path) -> tuple[Rules | None, tuple[Diagnostic, ...]]:
    """As `load`, but gives everything that was found instead of raising; rules are None where there are errors."""
    work = _Loading()
    file = work.find(str(name))
    merged = work.merge(file, ()) if file is not None else None
    if merged is not None:
        unreadable = work.broken
        try:
            model, found = check(merged, reserved_words())
            work.found.extend(d for d in found if not unreadable or _holds_anyway(d, work.unread))
            if not work.broken:
                # What cannot be made ready for play is found now, not at the table.
                lower(model, model.players[0])
        except RecursionError:
            work.found.append(Diagnostic("R0104", merged.head.name.span, {"limit": MAX_INDENTS}))
        if not work.broken:
            warnings = tuple(d for d in work.found if d.severity is Severity.WARNING)
            return Rules(model, tuple(work.sources), warnings, tuple(dict.fromkeys(work.folders))), tuple(work.found)
    return None, tuple(work.found)


#: What is true of a part of the rules even if others could not be read.
_SURE = frozenset(
    {
        "R0201",
        "R0202",
        "R0203",
        "R0205",
        "R0206",
        "R0207",
        "R0208",
        "R0209",
        "R0301",
        "R0302",
        "R0304",
        "R0305",
        "R0402",
        "R0403",
        "R0404",
    }
    | {"R0405", "R0414", "R0416", "R0417"}
)


def _holds_anyway(diagnostic: Diagnostic, unread: set[str]) -> bool:
    """Whether a finding stands although parts of the rules, with the words `unread`, could not be read."""
    names = {word for value in diagnostic.arguments.values() if isinstance(value, str) for word in value.split()}
    return diagnostic.code in _SURE and not names & unread


def _shipped_folder() -> Traversable:
    return resources.files("wongar_dsl.rules")


@dataclass(frozen=True, slots=True)
class _File:
    """A rule file as found: the place it was read from, and its tree."""

    at: Path | Traversable
    source: Source
    tree: s.File


class _Loading:
    def __init__(self) -> None:
        self.found: list[Diagnostic] = []
        self.sources: list[Source] = []
        self.folders: list[Path] = []
        self.unread: set[str] = set()

    @property
    def broken(self) -> bool:
        return any(d.severity is Severity.ERROR for d in self.found)

    def find(self, name: str) -> _File | None:
        """A rule file by path or name; None after noting why not."""
        path = Path(name)
        try:
            is_file = path.is_file()
        except (OSError, ValueError):
            is_file = False
        if is_file:
            return self._read(path, name)
        at = _shipped(name)
        if at is not None:
            return self._read(at, name + SUFFIX if "/" in name else f"{name}/{name}{SUFFIX}")
        known = [g for g, vs in shipped().items() for g in (g, *(f"{g}/{v}" for v in vs))]
        span = Span(Source(name, ""), 1, 1, 1, 1)
        code = "R0001" if name.endswith(SUFFIX) else "R0004"
        arguments = {"path": name} if code == "R0001" else {"name": name}
        self.found.append(Diagnostic(code, span, arguments, suggestion=did_you_mean(name, known)))
        return None

    def _read(self, at: Path | Traversable, shown: str) -> _File | None:
        span = Span(Source(shown, ""), 1, 1, 1, 1)
        try:
            if isinstance(at, Path) and at.stat().st_size > 4 * MAX_CHARACTERS:
                arguments = {"size": at.stat().st_size, "limit": MAX_CHARACTERS}
                self.found.append(Diagnostic("R0002", span, arguments))
                return None
            data = at.read_bytes()
        except OSError:
            self.found.append(Diagnostic("R0001", span, {"path": shown}))
            return None
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = data[: error.start].count(b"\n") + 1
            span = Span(Source(shown, data.decode("utf-8", "replace")), line, 1, line, 2)
            self.found.append(Diagnostic("R0003", span, {"line": line}))
            return None
        source = Source(shown, text)
        tree, diagnostics = parse(source)
        self.found.extend(diagnostics)
        self.unread.update(tree.unread)
        if isinstance(at, Path):
            self.folders.append(at.resolve().parent)
        return _File(at, source, tree)

    def merge(self, file: _File, below: tuple[str, ...]) -> Merged | None:
        """The articles of a file and of all that it builds on."""
        head = file.tree.head
        if isinstance(head, s.Game):
            self.sources.append(file.source)
            return begin(file.tree)
        if not isinstance(head, s.Variant):
            return None
        key = str(file.at)
        if key in below or len(below) > 16:
            names = (head.name.text, head.base.text)
            self.found.append(Diagnostic("R0005", head.base.span, {"names": names}))
            return None
        base_file = self._base(file, head)
        if base_file is None:
            return None
        base = self.merge(base_file, (*below, key))
        self.sources.append(file.source)
        if base is None:
            return None
        merged, diagnostics = amend(base, file.tree)
        self.found.extend(d for d in diagnostics if not self.unread or _holds_anyway(d, self.unread))
        return merged

    def _base(self, file: _File, head: s.Variant) -> _File | None:
        """The file that a variant builds on: beside it, or among the games that come with the program."""
        name = head.base.text
        if isinstance(file.at, Path):
            beside = file.at.parent / f"{name}{SUFFIX}"
            if beside.is_file() and (name != head.name.text or beside.resolve() != file.at.resolve()):
                return self._read(beside, str(Path(file.source.name).parent / f"{name}{SUFFIX}"))
        at = _shipped(name) or _shipped_variant(name)
        if at is not None and str(at) != str(file.at):
            return self._read(at, f"{at.name if isinstance(at, Path) else name}")
        if at is not None:
            self.found.append(Diagnostic("R0005", head.base.span, {"names": (name, name)}))
            return None
        if name == head.name.text:
            self.found.append(Diagnostic("R0005", head.base.span, {"names": (name, name)}))
            return None
        known = [*shipped(), *(v for vs in shipped().values() for v in vs)]
        suggestion = did_you_mean(name, known)
        self.found.append(Diagnostic("R0006", head.base.span, {"name": name}, suggestion=suggestion))
        return None


def _shipped(name: str) -> Traversable | None:
    """The rule file of a game or `game/variant` that comes with the program."""
    parts = name.split("/")
    if not all(p.isidentifier() for p in parts) or len(parts) > 2:
        return None
    folder = _shipped_folder()
    tries = [(parts[0], parts[-1])] if len(parts) == 2 else [(parts[0], parts[0]), ("classics", parts[0])]
    for directory, stem in tries:
        at = folder.joinpath(directory, f"{stem}{SUFFIX}")
        if at.is_file():
            return at
    return None


def _shipped_variant(name: str) -> Traversable | None:
    for game, variants in shipped().items():
        if name in variants:
            return _shipped(f"{game}/{name}")
    return None
