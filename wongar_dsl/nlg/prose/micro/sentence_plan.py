"""Language-independent sentence plans: lines, and groups of lines under a lead.

A line consists of values of `words`, so a plan contains no text. The referent of a name is an entity and each reference
a mention; `referring_expressions` chooses the referring expressions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Type
from wongar_dsl.nlg.words import NounPhrase, Sentence, Term


@dataclass(slots=True, eq=False)
class Entity:
    """The referent of a name inside a rule.

    `thing` is the phrase that introduces it and is refined step by step. A `given` entity (a parameter) existed before
    the text and always has the same phrase. A `passing` one has its name only inside one condition or number. A
    `quoted` one is introduced with its name in the rules, which tells it from another with the same noun. `other_than`
    is the one that *another* or *every other* excludes.
    """

    name: str
    type: Type
    thing: NounPhrase | int
    given: bool = False
    passing: bool = False
    quoted: bool = False
    other_than: Entity | None = None


@dataclass(frozen=True, slots=True)
class Mention(NounPhrase):
    """A reference to an entity."""

    entity: Entity | None = None

    @classmethod
    def of(cls, entity: Entity) -> Mention:
        """Return a mention of an entity."""
        return cls(Term(entity.name), entity=entity)


@dataclass(frozen=True, slots=True)
class Introduction(NounPhrase):
    """The introduction of an entity, with all its restrictions."""

    entity: Entity | None = None

    @classmethod
    def of(cls, entity: Entity, thing: NounPhrase) -> Introduction:
        """Return the introduction of an entity by a phrase."""
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
class PlanLine:
    """A sentence; `origin` is its node, and `others` are further nodes that it covers.

    `plain`: it is a single clause without a lead.
    """

    sentence: Sentence
    origin: s.Node
    plain: bool = True
    others: tuple[s.Node, ...] = ()


@dataclass(frozen=True, slots=True)
class PlanGroup:
    """Lines under a lead; with `options`, they are alternatives."""

    lead: Sentence
    parts: tuple[Plan, ...]
    origin: s.Node
    options: bool = False


@dataclass(frozen=True, slots=True)
class VerbatimRule:
    """A node that cannot be verbalised and is quoted in the text instead of being omitted.

    `others` are nodes that would have been covered as well, and `parts` are plans below it.
    """

    origin: s.Node
    others: tuple[s.Node, ...] = ()
    parts: tuple[Plan, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """An inlined rule; its entities are unknown after it."""

    parts: tuple[Plan, ...]
    origin: s.Node


Plan = PlanLine | PlanGroup | VerbatimRule | Passage


def sentences(plans: Iterable[Plan]) -> Iterator[Sentence]:
    """Yield the sentences of plans, including the leads of groups."""
    for plan in plans:
        match plan:
            case PlanLine(sentence=said):
                yield said
            case PlanGroup(lead=lead, parts=parts):
                yield lead
                yield from sentences(parts)
            case VerbatimRule(parts=parts) | Passage(parts=parts):
                yield from sentences(parts)
