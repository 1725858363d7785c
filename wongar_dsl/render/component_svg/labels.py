"""Names of the components in a picture, in the viewer's language."""

from __future__ import annotations

from dataclasses import dataclass

from wongar_dsl.language.semantics import Model, Type
from wongar_dsl.nlg.words import Translator, Value


@dataclass(frozen=True)
class PictureNames:
    """Names of one game in one language."""

    model: Model
    words: Translator

    @property
    def scope(self) -> str:
        """Scope of the game with its variants, for the lookup of words."""
        return self.model.scope

    def term(self, name: str, spec: str = "") -> str:
        """Return the displayed term for a name of the rules."""
        return self.words.term(name, self.scope, spec)

    def title(self, name: str) -> str:
        """Return the term for a name of the rules, capitalised."""
        return self.words.capital(self.term(name))

    def short(self, kind: Type, value: int) -> str:
        """Return the short name of a value; a drawn value without a term keeps its name in the rules."""
        name = self.model.value_name(kind, value)
        drawn = kind.name in self.model.shapes or (kind.kind == "board" and bool(self.model.boards[kind.name].steps))
        named = not drawn or self.words.has_term(name, self.scope)
        return self.term(name, "short") if named else name

    def say(self, message: str, **arguments: Value) -> str:
        """Return a sentence about a picture."""
        return self.words.say(f"picture.{message}", None, **arguments)
