"""What is said of a piece of rules, in order, before there is a language: lines, and groups of lines under a lead.

What stands in a line are values of `words`, so a plan has no text in it.  Who or what a name of the rules stands for is
an entity; each place that speaks of it is a mention, and only `refer` decides how it is called there.
"""

from __future__ import annotations

from dataclasses import dataclass

from wongar_dsl import syntax as s
from wongar_dsl.model import Type
from wongar_dsl.words import Nominal, Said, Term


@dataclass(slots=True, eq=False)
class Entity:
    """Who or what a name inside of a rule stands for.

    `thing` is how it is spoken of where it comes up, which becomes known bit by bit; one that is `given` was there
    before (a parameter), and is spoken of alike wherever it stands.  One that is `passing` has its name only inside of
    one condition or number.
    """

    name: str
    type: Type
    thing: Nominal | int
    given: bool = False
    passing: bool = False


@dataclass(frozen=True, slots=True)
class Mention(Nominal):
    """A place that speaks of an entity."""

    entity: Entity | None = None

    @classmethod
    def of(cls, entity: Entity) -> Mention:
        """A mention of an entity."""
        return cls(Term(entity.name), entity=entity)


@dataclass(frozen=True, slots=True)
class Introduction(Nominal):
    """An entity where it comes up, with all that is asked of it."""

    entity: Entity | None = None

    @classmethod
    def of(cls, entity: Entity, thing: Nominal) -> Introduction:
        """An entity as the thing that it is when it comes up."""
        return cls(
            thing.head,
            thing.words,
            thing.modifiers,
            thing.own,
            thing.pronoun,
            thing.several,
            thing.whose,
            doing=thing.doing,
            aside=thing.aside,
            there=thing.there,
            key=id(entity),
            entity=entity,
        )


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that is said; `origin` is what it was made of, and `others` what it says besides.

    `plain`: it is one clause without a lead.
    """

    said: Said
    origin: s.Node
    plain: bool = True
    others: tuple[s.Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """Lines under a lead; they are `options` where one of them is chosen."""

    lead: Said
    parts: tuple[Plan, ...]
    origin: s.Node
    options: bool = False


@dataclass(frozen=True, slots=True)
class Unsaid:
    """What no words are known for; a text shows it as it is written, and never goes on as if it were not there.

    `others` is what would have been said with it, and `parts` what is said below it.
    """

    origin: s.Node
    others: tuple[s.Node, ...] = ()
    parts: tuple[Plan, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """A rule that is written out where it is called: whom it speaks of, nobody knows behind it."""

    parts: tuple[Plan, ...]
    origin: s.Node


Plan = Line | Group | Unsaid | Passage
