"""Checked rules of a game, and the programs that are built from them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from wongar_dsl.base.diagnostics import Diagnostic
from wongar_dsl.base.span import Source
from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.base.storage.files import FileOrFolder
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import load_backend
from wongar_dsl.compiler.ir.program import CallSites
from wongar_dsl.engine import Game
from wongar_dsl.engine.hidden_information.information import InformationModel
from wongar_dsl.language.semantics import Model

if TYPE_CHECKING:
    from wongar_dsl.compiler.ir.information_flow import InformationFlow

T = TypeVar("T")

#: Version in every rules hash; raised when the same rules would play differently.
FORMAT = 2
#: A fact on the box of a game, in its head and as a variant changes it.
_FACT = re.compile(r"[ \t]+(?:age|minutes)\b")
_CHANGED_FACT = re.compile(r"set[ \t]+(age|minutes)[ \t]+to\b")
#: Folder of texts next to rules.
WORDS = "locales"


@dataclass(frozen=True)
class Rules:
    """A checked game: its model, its source files (base first), warnings, and the folders of its texts.

    `folders` are the folders of the files, for catalogs next to them. `min_seats_program` is the program for the
    minimum number of seats, a by-product of checking, which is not pickled with the rules.
    """

    model: Model
    sources: tuple[Source, ...]
    warnings: tuple[Diagnostic, ...] = ()
    folders: tuple[FileOrFolder, ...] = field(default=())
    min_seats_program: ir.Program | None = field(default=None, compare=False, repr=False)
    #: For each file next to which texts can be written: the scope of the rules up to it, and the folder of its texts.
    homes: Mapping[str, tuple[str, Path]] = field(default_factory=dict)
    #: Programs built in this process.
    _programs: dict[str, tuple[ir.Program, InformationModel]] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in vars(self).items() if name != "min_seats_program"} | {"_programs": {}}

    @property
    def name(self) -> str:
        """The name of the game and its variants: `game/variant`."""
        return self.model.scope

    @property
    def words_beside(self) -> list[FileOrFolder]:
        """The folders of texts next to the rule files."""
        return [f / WORDS for f in self.folders if (f / WORDS).is_dir()]

    @cached_property
    def hash(self) -> str:
        """Fingerprint of the text of the rules, independent of file names; 64 hexadecimal digits.

        The age and the length on the box of a game have no influence on play, and are left out: a save fits the rules
        before and after they are declared.
        """
        return _digest(_without_box_facts(source.text, self.model.settings) for source in self.sources)

    @cached_property
    def _text_hash(self) -> str:
        """Fingerprint of the whole text, on which the lines in a program depend."""
        return _digest(source.text for source in self.sources)

    def game(
        self,
        seats: int,
        settings: Mapping[str, int] | None = None,
        backend: str = "python",
        cache: Cache | None = None,
    ) -> Game:
        """Return the game for a number of seats, from the cache if possible.

        Raises ValueError for a number of seats or a setting that the rules do not allow, KeyError for an unknown
        backend.
        """
        program, knowledge = self._prepared(seats, settings or {}, cache)
        cache_key = self._cache_key(seats, settings or {})
        loaded_backend = load_backend(program, backend, cache, cache_key)
        return Game(self.model, program, loaded_backend, knowledge, self.hash, self.words_beside)

    def marked(self, seats: int, settings: Mapping[str, int] | None = None, backend: str = "python") -> Game:
        """Return the game with coverage marks, which is slower; raises the same errors as `game`."""
        program = self._compiled(seats, settings or {}, marks=True)
        return Game(self.model, program, load_backend(program, backend), InformationModel(program))

    def program(self, seats: int, settings: Mapping[str, int], cache: Cache | None = None) -> ir.Program:
        """Return the program for a number of seats; raises ValueError as `game` does."""
        return self._prepared(seats, settings, cache)[0]

    def _prepared(
        self, seats: int, settings: Mapping[str, int], cache: Cache | None
    ) -> tuple[ir.Program, InformationModel]:
        """Return the program for a number of seats, and its information model; each is built once."""
        key = repr((seats, sorted(settings.items())))
        if key not in self._programs:
            cache_key = self._cache_key(seats, settings)
            program = _cached(cache, ir.Program, partial(self._build_program, seats, settings), "program", *cache_key)
            flow = partial(_flow, program, cache, cache_key) if cache is not None else None
            calls = partial(_cached, cache, CallSites, partial(CallSites.of, program), "calls", *cache_key)
            self._programs[key] = program, InformationModel(program, flow, calls)
        return self._programs[key]

    def _cache_key(self, seats: int, settings: Mapping[str, int]) -> tuple[str, ...]:
        """Return the cache key of a program."""
        # Faults in programs contain the names of the files.
        files = [source.name for source in self.sources]
        return self._text_hash, repr((seats, sorted(settings.items()), files))

    def _build_program(self, seats: int, settings: Mapping[str, int]) -> ir.Program:
        """Build the program, or reuse the one from checking."""
        program = self.min_seats_program
        if program is not None and program.seats == seats and {**program.settings, **settings} == program.settings:
            return program
        return self._compiled(seats, settings)

    def _compiled(self, seats: int, settings: Mapping[str, int], marks: bool = False) -> ir.Program:
        from wongar_dsl.compiler.lowering import compile_model  # A program from the cache does not need the compiler.

        return compile_model(self.model, seats, settings, marks)


def _flow(program: ir.Program, cache: Cache, cache_key: tuple[str, ...]) -> InformationFlow:
    """Return the information flow of a program, cached because it is slow and every game with bots needs it."""
    from wongar_dsl.compiler.ir.information_flow import InformationFlow, information_flow

    return _cached(cache, InformationFlow, partial(information_flow, program), "flow", *cache_key)


def _cached(cache: Cache | None, kind: type[T], make: Callable[[], T], *key: str) -> T:
    """Return the cached value of a key; build and store it if it is missing."""
    cached = cache.load(*key) if cache is not None else None
    if isinstance(cached, kind):
        return cached
    value = make()
    if cache is not None:
        cache.save(value, *key)
    return value


def _digest(texts: Iterable[str]) -> str:
    digest = hashlib.sha256(f"rules {FORMAT}\n".encode())
    for text in texts:
        data = text.replace("\r\n", "\n").encode()
        digest.update(f"{len(data)}\n".encode() + data)
    return digest.hexdigest()


def _without_box_facts(text: str, options: Container[str]) -> str:
    """Return the text of a rule file as it is without the facts on the box of the game, and without their sources.

    A variant's change of a fact is removed with the blank lines below it, or above it at the end of the file. `options`
    are the options of the game: `set age to 12` sets one of this name.
    """
    kept: list[str] = []
    in_head = in_change = False
    removed: int | None = None
    for line in text.replace("\r\n", "\n").split("\n"):
        body = line.strip()
        indent = len(line) - len(line.lstrip()) if body else 0
        if removed is not None and (indent > removed or (in_change and not body)):
            continue
        if body:
            removed = None
        if body and not indent and body[0] not in "#)]":
            changed = _CHANGED_FACT.match(line)
            in_head, in_change = body.split()[0] == "game", changed is not None and changed[1] not in options
            removed = 0 if in_change else None
        elif in_head and _FACT.match(line):
            removed = indent
        if removed is None or not body:
            kept.append(line)
    if in_change and removed is not None:
        while kept and not kept[-1].strip():
            kept.pop()
        kept.append("")
    return "\n".join(kept)
