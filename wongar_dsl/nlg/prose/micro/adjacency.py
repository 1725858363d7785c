"""Places near one that the sentence already mentions: *an adjacent area*, not *an area that touches that area*."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from wongar_dsl.nlg.prose.micro.sentence_plan import Entity, Introduction, Mention
from wongar_dsl.nlg.words import Attribute, NounPhrase, Relative, Sentence, Value


def with_adjacency(sentence: Sentence, known: Collection[Entity], besides: Collection[Value] = ()) -> Sentence:
    """Shorten the descriptions of places that are near another place of the sentence.

    The other place may be mentioned itself or by a figure that stands there and moves away; `besides` are values of the
    surrounding sentence. Places in `known` keep their short form.
    """
    values = sentence.values
    others = {name: (*(v for slot, v in values.items() if slot != name), *besides) for name in values}
    return replace(sentence, values={name: _nearer(value, others[name], known) for name, value in values.items()})


def _nearer(value: Value, others: Collection[Value], known: Collection[Entity]) -> Value:
    if isinstance(value, Mention) and value.entity in known:
        return value
    thing = value.entity.thing if isinstance(value, Mention) and value.entity is not None else value
    match thing:
        case Introduction(modifiers=[Relative(message="prose.touches" | "prose.within" as near_, values=where), *rest]):
            pass
        case _:
            return value
    if not any(_is_there(item, where["other"]) for item in others):
        return value
    if near_ == "prose.touches":
        closer = replace(thing, words=(*thing.words, "adjacent"), modifiers=tuple(rest))
    elif thing.words[:1] in (("indef",), ("another",)):
        # *Another*, since a place is not within any distance of itself; other phrases say how far it is at least.
        nearby = Relative("prose.within_here", "area", {"n": where["n"]})
        closer = replace(thing, words=("another", *thing.words[1:]), modifiers=(nearby, *rest))
    else:
        return value
    return closer


def _is_there(other: Value, place: Value) -> bool:
    """Return whether a value of the sentence is a place, or the thing that stands there."""
    if isinstance(other, Mention) and isinstance(place, Mention):
        return other.entity is place.entity
    match place:
        case NounPhrase(modifiers=[Attribute(message="prose.of.one", values={"owner": owner})]):
            return other == owner
    return False
