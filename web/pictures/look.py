"""Who looks at a position, and what of it is marked: what changed, and what the options at hand lead to."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from wongar_dsl.model import Type
from wongar_dsl.pictures.lettering import measure
from wongar_dsl.table.scene import Scene
from wongar_dsl.words import Listing, Text, Value

from ..spoken import Spoken, number_of

T = TypeVar("T")

#: A board's name and the number of an area on it.
Place = tuple[str, int]

PLAYER = Type("player")


@dataclass(frozen=True)
class Look:
    """A scene, the places that `changed` since the viewer last decided, and for each place the `options` (their
    numbers in the menu) that lead to it."""

    scene: Scene
    changed: frozenset[Place] = frozenset()
    options: Mapping[Place, tuple[int, ...]] = field(default_factory=dict)

    def made(self, key: tuple[Hashable, ...], make: Callable[[], T]) -> T:
        """What is made of the rules, of the words, and of what the key says, and of nothing else: made once, if they
        remember it."""
        words = self.scene.narrator.words
        return words.made((number_of(self.scene.state.game), *key), make) if isinstance(words, Spoken) else make()

    @property
    def people(self) -> tuple[Hashable, ...]:
        """Who is shown, and to whom: what is said of players hangs on that."""
        return (*self.scene.narrator.names, self.scene.viewer)

    # ---- words ----

    def say(self, message: str, **arguments: Value) -> str:
        """A message of the table."""
        return self.scene.narrator.words.say(f"web.{message}", None, **arguments)

    def term(self, name: str) -> str:
        """The short name of a thing, with a capital."""
        return self.scene.narrator.words.capital(self.scene.narrator.term(name, "short"))

    def short(self, kind: Type, value: int) -> str:
        """The short name of a value, with a capital."""
        return self.scene.narrator.words.capital(self.scene.narrator.short(kind, value))

    def title(self, parts: Sequence[tuple[Type, int]], room: int, size: int) -> str:
        """What a card is called in a picture: its short name, or the whole one of the thing that it is named after,
        where that fits into a line in bold letters of a size.  The first of its `parts` is the card itself."""
        narrator, short = self.scene.narrator, self.short(*parts[0])
        for kind, value in parts[1:]:
            whole = narrator.words.capital(narrator.term(self.scene.state.game.model.value_name(kind, value)))
            if self.short(kind, value) == short and measure(whole, size, bold=True) <= room:
                return whole
        return short

    def counted(self, kind: Type, value: int, count: int) -> str:
        """So many of a kind of thing: so many, and their name."""
        narrator = self.scene.narrator
        name = self.scene.state.game.model.value_name(kind, value)
        if narrator.words.has_term(name, narrator.scope):
            return narrator.words.term(name, narrator.scope, "num", count)
        return f"{count} {name}"

    def player(self, seat: int) -> str:
        """What a player is called in a picture that is read out: the name, or *you* for the viewer."""
        return self.say("you") if seat == self.scene.viewer else self.scene.narrator.names[seat]

    def owned(self, seat: int, things: list[str]) -> str:
        """What belongs to a player, in words."""
        return self.say("owned", player=Text(self.player(seat)), things=Listing(tuple(map(Text, things))))

    def chain(self, items: list[str]) -> str:
        """Items one after the other."""
        return self.scene.narrator.words.chain(items)

    def label(self, name: str, things: list[str], place: Place | None = None) -> str:
        """A place in words: its name, what is there, and whether that changed."""
        said = self.say("place", place=Text(name), things=Text(self.chain(things))) if things else name
        if place in self.changed:
            said = self.say("place.changed", place=Text(said))
        return said

    # ---- marks ----

    def classes(self, *names: str, place: Place) -> str:
        """The classes of a place: its own, and those that say what is marked."""
        marks = [*names]
        marks += ["changed"] if place in self.changed else []
        marks += ["open"] if place in self.options else []
        return " ".join(marks)


def place_key(place: Place) -> str:
    """How a place is named in a page: `area-3`."""
    return f"{place[0]}-{place[1]}"


def seat_class(seat: int | None) -> str:
    """The class of a player's colour."""
    return f"seat seat-{seat % 8}" if seat is not None else "seat seat-none"
