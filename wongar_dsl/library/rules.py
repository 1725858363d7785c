"""A game whose rules have been checked, with the files that it was made of."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from wongar_dsl import ir, pipeline
from wongar_dsl.cache import Cache
from wongar_dsl.engine import Game
from wongar_dsl.engine.knowledge import Knowledge
from wongar_dsl.ir.calling import Calls
from wongar_dsl.model import Model
from wongar_dsl.text.diagnostics import Diagnostic
from wongar_dsl.text.files import Place
from wongar_dsl.text.span import Source

if TYPE_CHECKING:
    from wongar_dsl.ir.information_flow import InformationFlow

T = TypeVar("T")

#: Part of every rules hash: goes up when the same rules would play otherwise.
FORMAT = 2
#: Where words lie beside rules.
WORDS = "locales"


@dataclass(frozen=True)
class Rules:
    """A checked game: its model, the files that it was made of (base first), warnings, and where the words for it are.

    `folders` are the folders of the files, for catalogs that lie beside them; `smallest` is the program for the fewest
    seats, which reading the rules has made; it is not written into the cache a second time.
    """

    model: Model
    sources: tuple[Source, ...]
    warnings: tuple[Diagnostic, ...] = ()
    folders: tuple[Place, ...] = field(default=())
    smallest: ir.Program | None = field(default=None, compare=False, repr=False)
    #: For each file that somebody can write words beside: what the rules are up to it, and the folder for its words.
    homes: Mapping[str, tuple[str, Path]] = field(default_factory=dict)
    #: What was made ready before, in this process: other rules are other objects, whatever their files say.
    _ready: dict[str, tuple[ir.Program, Knowledge]] = field(default_factory=dict, init=False, compare=False, repr=False)

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in vars(self).items() if name != "smallest"} | {"_ready": {}}

    @property
    def name(self) -> str:
        """The name of the game and its variants: `game/variant`."""
        return self.model.scope

    @property
    def words_beside(self) -> list[Place]:
        """The folders of words beside the rule files."""
        return [f / WORDS for f in self.folders if (f / WORDS).is_dir()]

    @cached_property
    def hash(self) -> str:
        """A fingerprint of the rules as text, whatever the files are called; 64 hexadecimal digits."""
        digest = hashlib.sha256(f"rules {FORMAT}\n".encode())
        for source in self.sources:
            text = source.text.replace("\r\n", "\n").encode()
            digest.update(f"{len(text)}\n".encode() + text)
        return digest.hexdigest()

    def game(
        self,
        seats: int,
        settings: Mapping[str, int] | None = None,
        backend: str = "python",
        cache: Cache | None = None,
    ) -> Game:
        """The game for a number of seats, from the cache where it was made before.

        Raises ValueError for a number of seats or a setting that the rules do not allow, KeyError for a backend.
        """
        program, knowledge = self._ready_for(seats, settings or {}, cache)
        made_of = self._made_of(seats, settings or {})
        made = pipeline.load_backend(program, backend, cache, made_of)
        return Game(self.model, program, made, knowledge, self.hash, self.words_beside)

    def marked(self, seats: int, settings: Mapping[str, int] | None = None, backend: str = "python") -> Game:
        """The game with a program that notes what of the rules it comes to, which is slower; raises as `game` does."""
        program = pipeline.compile_model(self.model, seats, settings, marks=True)
        return Game(self.model, program, pipeline.load_backend(program, backend), Knowledge(program))

    def program(self, seats: int, settings: Mapping[str, int], cache: Cache | None = None) -> ir.Program:
        """The rules made ready for a number of seats; raises ValueError as `game` does."""
        return self._ready_for(seats, settings, cache)[0]

    def _ready_for(self, seats: int, settings: Mapping[str, int], cache: Cache | None) -> tuple[ir.Program, Knowledge]:
        """What is played with so many seats, and who may know what in it; made once."""
        table = repr((seats, sorted(settings.items())))
        if table not in self._ready:
            made_of = self._made_of(seats, settings)
            program = _kept(cache, ir.Program, partial(self._made, seats, settings), "program", *made_of)
            flow = partial(_flow, program, cache, made_of) if cache is not None else None
            calls = partial(_kept, cache, Calls, partial(Calls.of, program), "calls", *made_of)
            self._ready[table] = program, Knowledge(program, flow, calls)
        return self._ready[table]

    def _made_of(self, seats: int, settings: Mapping[str, int]) -> tuple[str, ...]:
        """What a program is made of."""
        # Programs tell where faults stand, with the names of the files.
        files = [source.name for source in self.sources]
        return self.hash, repr((seats, sorted(settings.items()), files))

    def _made(self, seats: int, settings: Mapping[str, int]) -> ir.Program:
        """The rules made ready, if possible without doing it again."""
        made = self.smallest
        if made is not None and made.seats == seats and {**made.settings, **settings} == made.settings:
            return made
        return pipeline.compile_model(self.model, seats, settings)


def _flow(program: ir.Program, cache: Cache, made_of: tuple[str, ...]) -> InformationFlow:
    """What can flow where in a program; who plays with bots would wait for that each time."""
    from wongar_dsl.ir.information_flow import InformationFlow, information_flow

    return _kept(cache, InformationFlow, partial(information_flow, program), "flow", *made_of)


def _kept(cache: Cache | None, sort: type[T], make: Callable[[], T], *key: str) -> T:
    """What the cache has under a key; else it is made, and kept there."""
    kept = cache.load(*key) if cache is not None else None
    if isinstance(kept, sort):
        return kept
    made = make()
    if cache is not None:
        cache.save(made, *key)
    return made
