"""What the things in a picture are called, in the language of who looks at it."""

from __future__ import annotations

from dataclasses import dataclass

from wongar_dsl.model import Model, Type
from wongar_dsl.words import Value, Words


@dataclass(frozen=True)
class Names:
    """The names of one game in one language."""

    model: Model
    words: Words

    @property
    def scope(self) -> str:
        """The game with its variants, as words are looked up."""
        return self.model.scope

    def term(self, name: str, spec: str = "") -> str:
        """A name of the rules as it is called."""
        return self.words.term(name, self.scope, spec)

    def title(self, name: str) -> str:
        """A name of the rules at the beginning of a line."""
        return self.words.capital(self.term(name))

    def short(self, kind: Type, value: int) -> str:
        """The short name of a value; what is drawn may have only the name that the rules give it."""
        name = self.model.value_name(kind, value)
        drawn = kind.name in self.model.shapes or (kind.kind == "board" and bool(self.model.boards[kind.name].steps))
        named = not drawn or self.words.has_term(name, self.scope)
        return self.term(name, "short") if named else name

    def say(self, message: str, **arguments: Value) -> str:
        """A sentence about a picture."""
        return self.words.say(f"picture.{message}", None, **arguments)
