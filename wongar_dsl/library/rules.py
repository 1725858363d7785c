"""A game whose rules have been checked, with the files that it was made of."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from wongar_dsl.cache import Cache
from wongar_dsl.engine import Game
from wongar_dsl.model import Model
from wongar_dsl.text.diagnostics import Diagnostic
from wongar_dsl.text.span import Source

#: Part of every rules hash: goes up when the same rules would play otherwise.
FORMAT = 1


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

    def game(
        self,
        seats: int,
        settings: Mapping[str, int] | None = None,
        backend: str = "python",
        cache: Cache | None = None,
    ) -> Game:
        """The game for a number of seats; raises ValueError or KeyError as `Game` does."""
        return Game(self.model, seats, settings, backend, cache)
