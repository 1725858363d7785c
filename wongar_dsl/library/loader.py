"""The whole way from a rule file to checked rules: text, tree, variants, checks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path

from wongar_dsl import syntax as s
from wongar_dsl.cache import fingerprint
from wongar_dsl.checker import check, named_once
from wongar_dsl.library.rules import Rules
from wongar_dsl.library.shipped import SUFFIX, find, find_variant, shipped, shipped_names
from wongar_dsl.library.sources import read_file
from wongar_dsl.lower import lower
from wongar_dsl.parser import MAX_INDENTS, parse, reserved_words
from wongar_dsl.text.codes import Severity
from wongar_dsl.text.diagnostics import Diagnostic
from wongar_dsl.text.span import Source, Span
from wongar_dsl.text.suggest import did_you_mean
from wongar_dsl.variants.attribution import attribute
from wongar_dsl.variants.merge import MergedRules, apply_variant, from_game

#: No file system has longer names.
LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class Loaded:
    """What came of reading a game.

    `rules` are None where there are errors; `files` are all files that were read, with a fingerprint each, and `absent`
    those that would have been read instead if they were there.
    """

    rules: Rules | None
    found: tuple[Diagnostic, ...]
    files: tuple[tuple[Path, str], ...]
    absent: tuple[Path, ...]


def read(name: str | Path) -> Loaded:
    """Read a game by its name or path, and check it."""
    work = _Loading()
    rules = _rules(name, work)
    return Loaded(rules, tuple(work.found), tuple(work.files), tuple(work.absent))


def _rules(name: str | Path, work: _Loading) -> Rules | None:
    file = work.find(str(name))
    merged = work.merge(file, ()) if file is not None else None
    if merged is not None:
        unreadable, program = work.broken, None
        try:
            model, found = check(merged, reserved_words())
            held = [d for d in found if not unreadable or _holds_anyway(d, work.unread)]
            work.found.extend(named_once(_attributed(held, work.levels)))
            if not work.broken:
                # What cannot be made ready for play is found now, not at the table.
                program = lower(model, model.players[0])
        except RecursionError:
            work.found.append(Diagnostic("R0104", merged.head.name.span, {"limit": MAX_INDENTS}))
        if not work.broken:
            warnings = tuple(d for d in work.found if d.severity is Severity.WARNING)
            return Rules(model, tuple(work.sources), warnings, tuple(dict.fromkeys(work.folders)), program)
    return None


def _attributed(found: list[Diagnostic], levels: Sequence[tuple[MergedRules, s.File]]) -> list[Diagnostic]:
    """Findings in a base that only a variant makes wrong, shown in the variant: `levels` go from the game up to it."""
    _, file = levels[-1]
    if len(levels) == 1 or all(d.span is None or d.span.source is file.span.source for d in found):
        return found
    base = levels[-2][0]
    known = {(d.code, str(d.span), str(d.arguments)) for d in check(base, reserved_words())[1]}
    older = [d for d in found if (d.code, str(d.span), str(d.arguments)) in known]
    newer = [d for d in found if (d.code, str(d.span), str(d.arguments)) not in known]
    return [*_attributed(older, levels[:-1]), *attribute(newer, base, file)]


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
        "R0211",
        "R0212",
        "R0213",
        "R0301",
        "R0302",
        "R0304",
        "R0402",
    }
    | {"R0403", "R0404", "R0405", "R0414", "R0416", "R0417"}
)


def _holds_anyway(diagnostic: Diagnostic, unread: set[str]) -> bool:
    """Whether a finding stands although parts of the rules, with the words `unread`, could not be read."""
    said = " ".join(value for value in diagnostic.arguments.values() if isinstance(value, str))
    names = set(re.findall(r"\w+", said))
    return diagnostic.code in _SURE and not names & unread


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
        self.files: list[tuple[Path, str]] = []
        self.absent: list[Path] = []
        self.unread: set[str] = set()
        #: The rules as each file leaves them, from the game up to the last variant.
        self.levels: list[tuple[MergedRules, s.File]] = []

    @property
    def broken(self) -> bool:
        return any(d.severity is Severity.ERROR for d in self.found)

    def find(self, name: str) -> _File | None:
        """A rule file by path or name; None after noting why not."""
        path = Path(name)
        if self._is_file(path):
            return self._read(path, name)
        at = find(name)
        if at is not None:
            return self._read(at, name + SUFFIX if "/" in name else f"{name}/{name}{SUFFIX}")
        near = f"{name}{SUFFIX}" if self._is_file(Path(f"{name}{SUFFIX}")) else did_you_mean(name, shipped_names())
        span = Span(Source(name, ""), 1, 1, 1, 1)
        code = "R0001" if name.endswith(SUFFIX) else "R0004"
        arguments = {"path": name} if code == "R0001" else {"name": name}
        self.found.append(Diagnostic(code, span, arguments, suggestion=near))
        return None

    @staticmethod
    def _is_file(path: Path) -> bool:
        try:
            return path.is_file()
        except (OSError, ValueError):
            return False

    def _read(self, at: Path | Traversable, shown: str) -> _File | None:
        data, source = read_file(at, shown)
        if data is not None and isinstance(at, Path):
            self.files.append((at.resolve(), fingerprint(data)))
        if isinstance(source, Diagnostic):
            self.found.append(source)
            return None
        tree, diagnostics = parse(source)
        self.found.extend(diagnostics)
        self.unread.update(tree.unread)
        self.unread.update(d.suggestion for d in diagnostics if d.suggestion)
        if isinstance(at, Path):
            self.folders.append(at.resolve().parent)
        return _File(at, source, tree)

    def merge(self, file: _File, below: tuple[str, ...]) -> MergedRules | None:
        """The articles of a file and of all that it builds on."""
        head = file.tree.head
        if isinstance(head, s.Game):
            self.sources.append(file.source)
            game = from_game(file.tree)
            if game is not None:
                self.levels.append((game, file.tree))
            return game
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
        merged, diagnostics = apply_variant(base, file.tree)
        self.found.extend(d for d in diagnostics if not self.unread or _holds_anyway(d, self.unread))
        self.levels.append((merged, file.tree))
        return merged

    def _base(self, file: _File, head: s.Variant) -> _File | None:
        """The file that a variant builds on: beside it, or among the games that come with the program."""
        name = head.base.text
        # `of game/variant`, as a game is named elsewhere, means the same as `of variant`.
        stem = name.rpartition("/")[2]
        if isinstance(file.at, Path) and len(stem) <= LONGEST_NAME:
            beside = file.at.parent / f"{stem}{SUFFIX}"
            self.absent.append(beside)
            if beside.is_file() and (stem != head.name.text or beside.resolve() != file.at.resolve()):
                return self._read(beside, str(Path(file.source.name).parent / f"{stem}{SUFFIX}"))
        at = find(name) or find_variant(name)
        if at is not None and str(at) != str(file.at):
            return self._read(at, f"{at.name if isinstance(at, Path) else name}")
        if at is not None:
            self.found.append(Diagnostic("R0005", head.base.span, {"names": (name, name)}))
            return None
        if name == head.name.text:
            self.found.append(Diagnostic("R0005", head.base.span, {"names": (name, name)}))
            return None
        known = [*shipped(), *(v for vs in shipped().values() for v in vs)]
        if "/" in name:
            known = [known for known in shipped_names() if "/" in known]
        suggestion = did_you_mean(name, known)
        self.found.append(Diagnostic("R0006", head.base.span, {"name": name}, suggestion=suggestion))
        return None
