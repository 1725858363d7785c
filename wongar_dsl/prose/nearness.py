"""What is near to what a sentence speaks of anyhow: *an adjacent area*, not *an area that touches that area*."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from wongar_dsl.prose.plan import Entity, Introduction, Mention
from wongar_dsl.words import Attribute, Nominal, Relative, Said, Value


def near(said: Said, known: Collection[Entity], besides: Collection[Value] = ()) -> Said:
    """The sentence, the places in it without what they are near to, where the sentence says that besides.

    It does so where it speaks of that place, or of the figure that stands there and is moved away.  Places that are
    `known` are not described again.  What the whole sentence speaks `besides` counts as well.
    """
    values = said.values
    others = {name: (*(v for other, v in values.items() if other != name), *besides) for name in values}
    return replace(said, values={name: _nearer(value, others[name], known) for name, value in values.items()})


def _nearer(value: Value, others: Collection[Value], known: Collection[Entity]) -> Value:
    if isinstance(value, Mention) and value.entity in known:
        return value
    thing = value.entity.thing if isinstance(value, Mention) and value.entity is not None else value
    match thing:
        case Introduction(modifiers=[Relative(message="prose.touches" | "prose.within" as near_, values=where), *rest]):
            pass
        case _:
            return value
    if not any(_is_there(other, where["other"]) for other in others):
        return value
    if near_ == "prose.touches":
        closer = replace(thing, words=(*thing.words, "adjacent"), modifiers=tuple(rest))
    else:
        here = Relative("prose.within_here", "area", {"n": where["n"]})
        closer = replace(thing, modifiers=(here, *rest))
    return closer


def _is_there(other: Value, place: Value) -> bool:
    """Whether a value of a sentence is a place, or what stands there."""
    if isinstance(other, Mention) and isinstance(place, Mention):
        return other.entity is place.entity
    match place:
        case Nominal(modifiers=[Attribute(message="prose.of.one", values={"owner": owner})]):
            return other == owner
    return False
