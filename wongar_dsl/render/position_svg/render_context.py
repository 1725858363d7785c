"""Render context: the viewer's scene with its marks, and texts for pictures."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from wongar_dsl.language.semantics import Type
from wongar_dsl.nlg.words import Listing, Text, Value
from wongar_dsl.session.board.board_refs import BoardArea
from wongar_dsl.session.board.scene import Scene

from .translation_cache import CachedTranslator, number_of

T = TypeVar("T")


@dataclass(frozen=True)
class RenderContext:
    """Render context: a scene, locations `changed` since the viewer's last decision, and option numbers by location."""

    scene: Scene
    changed: frozenset[BoardArea] = frozenset()
    options: Mapping[BoardArea, tuple[int, ...]] = field(default_factory=dict)

    def cached(self, key: tuple[Hashable, ...], make: Callable[[], T]) -> T:
        """Return a value that depends only on the rules, the language and `key`; cached if the texts support it."""
        words = self.scene.narrator.words
        return (
            words.cached((number_of(self.scene.state.game), *key), make)
            if isinstance(words, CachedTranslator)
            else make()
        )

    @property
    def people(self) -> tuple[Hashable, ...]:
        """The player names and the viewer, part of cache keys of texts about players."""
        return (*self.scene.narrator.names, self.scene.viewer)

    # ---- texts ----

    def say(self, message: str, **arguments: Value) -> str:
        """Return a message of the web catalog."""
        return self.scene.narrator.words.say(f"web.{message}", None, **arguments)

    def term(self, name: str) -> str:
        """Return the short name of a thing, capitalised."""
        return self.scene.narrator.words.capital(self.scene.narrator.term(name, "short"))

    def short(self, kind: Type, value: int) -> str:
        """Return the short name of a value, capitalised."""
        return self.scene.narrator.words.capital(self.scene.narrator.short(kind, value))

    def listed(self, kind: Type, value: int) -> str:
        """Return the capitalised short name of a value in a list, quoted if it reads like a count."""
        return self.scene.narrator.listed(self.short(kind, value))

    def counted(self, kind: Type, value: int, count: int) -> str:
        """Return a count with the name of the thing counted."""
        narrator = self.scene.narrator
        name = self.scene.state.game.model.value_name(kind, value)
        if narrator.words.has_term(name, narrator.scope):
            return narrator.words.term(name, narrator.scope, "num", count)
        return f"{count} {name}"

    def player(self, seat: int) -> str:
        """Return a player's name in a description, or *you* for the viewer."""
        return self.say("you") if seat == self.scene.viewer else self.scene.narrator.names[seat]

    def owned_phrase(self, seat: int, things: list[str]) -> str:
        """Describe what a player has."""
        return self.say("owned", player=Text(self.player(seat)), things=Listing(tuple(map(Text, things))))

    def chain(self, items: list[str]) -> str:
        """Join items as a list."""
        return self.scene.narrator.words.chain(items)

    def label(self, name: str, things: list[str], place: BoardArea | None = None) -> str:
        """Describe a location: its name, its contents, and whether they changed."""
        text = self.say("place", place=Text(name), things=Text(self.chain(things))) if things else name
        if place in self.changed:
            text = self.say("place.changed", place=Text(text))
        return text

    # ---- marks ----

    def classes(self, *names: str, place: BoardArea) -> str:
        """Return the CSS classes of a location, including those of its marks."""
        marks = [*names]
        marks += ["changed"] if place in self.changed else []
        marks += ["open"] if place in self.options else []
        return " ".join(marks)


def place_key(place: BoardArea) -> str:
    """Return the id of a location in a page: `area-3`."""
    return f"{place[0]}-{place[1]}"


def seat_class(seat: int | None) -> str:
    """Return the CSS class of a player's colour."""
    return f"seat seat-{seat % 8}" if seat is not None else "seat seat-none"
