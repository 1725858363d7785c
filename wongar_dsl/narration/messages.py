"""Everything that a game can say: its messages with the kinds of their slots, and the terms that can stand in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from wongar_dsl import syntax as s
from wongar_dsl.engine import Game
from wongar_dsl.model import Model, Type
from wongar_dsl.prose.vocabulary import sentences_of
from wongar_dsl.prose.vocabulary import terms_of as terms_of_prose
from wongar_dsl.syntax import walk
from wongar_dsl.text.span import Span
from wongar_dsl.words.catalog_check import MessageSpec
from wongar_dsl.words.words import (
    AFTER,
    ALSO,
    BRIEF,
    EACH,
    ECHOED,
    IN_A_STORY,
    KNOWN,
    REPEATED,
    SAME,
    SHARED,
    TOGETHER,
)

#: What the names of the sentences end with that tell several messages together, and those of the parts of their lists.
_LISTS = (TOGETHER, EACH, REPEATED, f"{REPEATED}{EACH}", SHARED, f"{SHARED}{EACH}")
_MORE = (*IN_A_STORY, BRIEF, KNOWN, ECHOED, f"{TOGETHER}{ALSO}", f"{SHARED}{ALSO}", f"{TOGETHER}{AFTER}")


@dataclass(frozen=True, slots=True)
class Message:
    """A message that a game can say: its name without that of the game, its slots, and where the rules speak of it.

    One that is not `needed` can be missing.  `offered` are the slots that nobody wrote, but which a sentence can have
    since the statement knows them.
    """

    name: str
    slots: Mapping[str, str]
    span: Span | None
    needed: bool = True
    offered: Mapping[str, str] = field(default_factory=dict)

    def spec(self, scope: str) -> MessageSpec:
        """The message under its full name."""
        return MessageSpec(f"{scope}.{self.name}", self.slots, self.needed, self.offered)


def messages_of(game: Game) -> list[Message]:
    """The messages of a game: what is told, asked and offered, the rules in short, and what is said of rules."""
    model = game.model
    places = {**dict(_choices(model)), **{name: node.span for node, name in _told(model)}}
    found: dict[str, Message] = {}

    def add(name: str, slots: Mapping[str, str], needed: bool = True, place: str = "") -> None:
        known = found.get(name)
        # A decision can be taken in several places; a question may speak of what all of them have.
        shared = slots if known is None else {n: kind for n, kind in known.slots.items() if n in slots}
        found[name] = Message(name, shared, places.get(place), needed)

    for message in model.messages.values():
        add(message.name, {name: kind_of(model, kind) for name, kind in message.slots}, True, message.name)
        offered = {name: kind_of(model, kind) for name, kind in message.offered}
        found[message.name] = replace(found[message.name], offered=offered)
        for end in (*_LISTS, *_MORE):
            more = {"parts": "listing"} if end.startswith((TOGETHER, REPEATED, SHARED)) and EACH not in end else {}
            # How many there are of a part, and how often something happens again.
            more |= {"n": "number"} if end in _LISTS else {}
            add(f"{message.name}{end}", more | dict(found[message.name].slots), False, message.name)
            found[f"{message.name}{end}"] = replace(found[f"{message.name}{end}"], offered=offered)
        kinds = [kind for kind in (*found[message.name].slots.values(), *offered.values()) if kind.startswith("term:")]
        if len(set(kinds)) < len(kinds):
            add(f"{message.name}{SAME}", found[message.name].slots, False, message.name)
            found[f"{message.name}{SAME}"] = replace(found[f"{message.name}{SAME}"], offered=offered)
    for decision in game.program.decisions:
        asked = f"decision.{decision.name}"
        known = game.knowledge.spoken_of(decision) if decision.scope else frozenset()
        around = {name: kind_of(model, kind) for name, kind, _ in decision.scope if name in known and name != "player"}
        add(asked, {**around, "player": "player"}, True, asked)
        for option in decision.options:
            own = {name: kind_of(model, kind) for name, kind in option.parameters}
            add(f"{asked}.{option.name}", around | own, True, f"{asked}.{option.name}")
    for part in model.merged.names[1:]:
        add(f"rules.{part}", {}, False)
    for name, slots in sentences_of(model):
        add(name, {slot: kind_of(model, kind) for slot, kind in slots.items()}, False)
    return list(found.values())


def kind_of(model: Model, slot: Type) -> str:
    """The kind of a slot, as `MessageSpec` has them."""
    if slot.kind == "board" and model.boards[slot.name].steps:
        return "text"  # The squares of a lattice are called as they are written.
    if slot.kind == "enum" and slot.name in model.shapes:
        return "text"  # And so are shapes, which are drawn.
    if slot.kind == "direction":
        return "term:direction"
    if slot.kind in ("enum", "board", "cards"):
        return f"term:{slot.name}"
    simple = {"figure": "term:figure", "number": "number", "player": "player", "tally": "tally", "truth": "truth"}
    return simple.get(slot.kind, "text")


def vocabulary_of(model: Model) -> dict[str, tuple[str, ...]]:
    """The terms of each type that can stand in a sentence; a hidden card is told as its sort."""
    found = {name: values for name, values in model.enums.items() if name not in model.shapes}
    found |= {name: board.areas for name, board in model.boards.items() if not board.steps}
    found |= {name: (*(f.name for f in sort.faces), name) for name, sort in model.cards.items()}
    found["direction"] = ways_of(model)
    return found | ({"figure": tuple(model.figures)} if model.figures else {})


def ways_of(model: Model) -> tuple[str, ...]:
    """What the directions on the lattices of a game are called."""
    return tuple(dict.fromkeys(way for board in model.boards.values() for way in board.ways))


def terms_of(model: Model) -> dict[str, Span]:
    """What players see the name of, and where it is declared."""
    declared = model.declared
    remembered = {name: declared.spans[name] for name, what in declared.remembered.items() if what.seen != "nobody"}
    return {**declared.shown, **remembered}


def usable_terms(model: Model) -> frozenset[str]:
    """Every name of the rules that a term may stand for, be it seen or not."""
    named = {*model.declared.spans, *terms_of(model)}
    kinds = {face.kind for sort in model.cards.values() for face in sort.faces}
    options = {option for decision in model.decisions.values() for option, _ in decision.options}
    variants = {"/".join(model.merged.names[:end]) for end in range(1, len(model.merged.names) + 1)}
    inside = {name for values in vocabulary_of(model).values() for name in values}
    drawn = {name for shapes in model.shapes for name in model.enums[shapes]}
    said = terms_of_prose(model)
    return frozenset(
        named | kinds | options | inside | drawn | said | set(model.merged.names) | variants | set(model.tables)
    )


def _told(model: Model) -> Iterator[tuple[s.Node, str]]:
    for article in model.code.articles:
        for node in walk(article):
            if isinstance(node, s.MessageRef) and node.name is not None:
                yield node, node.name


def _choices(model: Model) -> Iterator[tuple[str, Span]]:
    for node, name in model.decision_names.items():
        yield f"decision.{name}", node.span
        if isinstance(node, (s.Choose, s.ChooseSimultaneously)):
            for choice in node.choices:
                yield f"decision.{name}.{choice.name.text}", choice.name.span
