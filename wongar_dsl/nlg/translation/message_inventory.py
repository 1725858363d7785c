"""Inventory of the messages and terms of games, with the kinds of the slots and the terms that can fill them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from wongar_dsl.base.span import Span
from wongar_dsl.engine import Game
from wongar_dsl.language import ast as s
from wongar_dsl.language.ast import walk
from wongar_dsl.language.semantics import Model, Type
from wongar_dsl.nlg.narration.option_text import messages_covered_by_rules
from wongar_dsl.nlg.prose.document.translation_checks import sentences_of
from wongar_dsl.nlg.prose.document.translation_checks import terms_of as terms_of_prose
from wongar_dsl.nlg.words import Translator
from wongar_dsl.nlg.words.catalog_check import MessageSpec
from wongar_dsl.nlg.words.lexicon import scopes
from wongar_dsl.nlg.words.locale import OTHERWISE, load_locale
from wongar_dsl.nlg.words.negotiation import ENGLISH
from wongar_dsl.nlg.words.translator import (
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

#: Suffixes of the messages that combine several events, and of the parts of their lists.
_LISTS = (TOGETHER, EACH, REPEATED, f"{REPEATED}{EACH}", SHARED, f"{SHARED}{EACH}")
_MORE = (*IN_A_STORY, BRIEF, KNOWN, ECHOED, f"{TOGETHER}{ALSO}", f"{SHARED}{ALSO}", f"{TOGETHER}{AFTER}")


@dataclass(slots=True)
class MessageInventory:
    """Inventory of all text of some games: messages, terms, and other names."""

    specs: dict[str, MessageSpec] = field(default_factory=dict)
    vocabulary: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)
    usable: dict[str, frozenset[str]] = field(default_factory=lambda: {"": frozenset()})
    #: Keys of the declarations of each game and its variants.
    articles: dict[str, frozenset[str]] = field(default_factory=dict)

    @classmethod
    def collect(cls, games: Sequence[Game], scoped: bool = False) -> MessageInventory:
        """Collect the text of `games` under the name of each; with `scoped`, under those of its variants as well."""
        result = cls()
        for game in games:
            for scope in scopes(game.name) if scoped else (game.model.name,):
                result._add(game, scope)
        # Only terms that a slot can contain are required.
        named = {kind.partition(":")[2] for spec in result.specs.values() for kind in spec.all_slots.values()}
        for terms in result.vocabulary.values():
            for sort in terms.keys() - named:
                del terms[sort]
        result.usable[""] |= frozenset(load_locale(ENGLISH, ()).lexicon.terms)
        return result

    def _add(self, game: Game, scope: str) -> None:
        by_rules = messages_covered_by_rules(game, Translator.load(ENGLISH))
        for message in messages_of(game):
            name = f"{scope}.{message.name}"
            previous = self.specs.get(name, MessageSpec(name, needed=False))
            # The base and its variants may fill different slots of the same message.
            slots = {**previous.slots, **message.slots}
            offered = {n: kind for n, kind in {**previous.offered, **message.offered}.items() if n not in slots}
            needed = (message.needed and message.name not in by_rules) or previous.needed
            self.specs[name] = MessageSpec(name, slots, needed, offered, previous.span or message.span)
        terms = self.vocabulary.setdefault(scope, {})
        for sort, names in vocabulary_of(game.model).items():
            terms[sort] = tuple(dict.fromkeys((*terms.get(sort, ()), *names)))
        keys = set(map(s.key_text, game.model.merged.articles))
        declared = game.model.declared
        keys |= {f"changes.{name}" for name in (*declared.remembered, *declared.zones)}
        self.articles[scope] = self.articles.get(scope, frozenset()) | keys
        self.usable[scope] = self.usable.get(scope, frozenset()) | usable_terms(game.model)
        self.usable[""] |= usable_terms(game.model)


def messages_of(game: Game) -> list[MessageSpec]:
    """Return the messages of a game: events, prompts, options, the rules summary, and names used in the rulebook."""
    model = game.model
    places = {**dict(_decision_spans(model)), **{name: node.span for node, name in _message_refs(model)}}
    messages: dict[str, MessageSpec] = {}

    def add(
        name: str,
        slots: Mapping[str, str],
        needed: bool = True,
        place: str = "",
        offered: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        earlier = messages.get(name)
        # A decision can occur in several places, so its prompt may only use the slots that all of them have.
        shared = slots if earlier is None else {n: kind for n, kind in earlier.slots.items() if n in slots}
        messages[name] = MessageSpec(name, shared, needed, offered, places.get(place))

    for message in model.messages.values():
        slots, offered = (
            {slot: kind_of(model, of) for slot, of in named} for named in (message.slots, message.offered)
        )
        add(message.name, slots, True, message.name, offered)
        for end in (*_LISTS, *_MORE):
            more = {"parts": "listing"} if end.startswith((TOGETHER, REPEATED, SHARED)) and EACH not in end else {}
            # The count of a part, or of repetitions of the event.
            more |= {"n": "number"} if end in _LISTS else {}
            add(f"{message.name}{end}", more | slots, False, message.name, offered)
        kinds = [kind for kind in (*slots.values(), *offered.values()) if kind.startswith("term:")]
        if len(set(kinds)) < len(kinds):
            add(f"{message.name}{SAME}", slots, False, message.name, offered)
    for decision in game.program.decisions:
        prompt = f"decision.{decision.name}"
        public = game.knowledge.public_names_in_scope(decision) if decision.scope else frozenset()
        around = {name: kind_of(model, kind) for name, kind, _ in decision.scope if name in public and name != "player"}
        add(prompt, {**around, "player": "player"}, True, prompt)
        for option in decision.options:
            parameters = {name: kind_of(model, kind) for name, kind in option.parameters}
            add(f"{prompt}.{option.name}", around | parameters, True, f"{prompt}.{option.name}")
    for part in model.merged.names[1:]:
        add(f"rules.{part}", {}, False)
    for name, typed in sentences_of(model):
        add(name, {slot: kind_of(model, kind) for slot, kind in typed.items()}, False)
    substitutes = (replace(m, name=f"{m.name}{OTHERWISE}", needed=False) for m in messages.values())
    return [*messages.values(), *substitutes]


def kind_of(model: Model, slot: Type) -> str:
    """Return the kind of a slot, as in `MessageSpec`."""
    if slot.kind == "board" and model.boards[slot.name].steps:
        return "text"  # The squares of a lattice are shown as written.
    if slot.kind == "enum" and slot.name in model.shapes:
        return "text"  # Shapes are drawn, so they have no name.
    if slot.kind == "direction":
        return "term:direction"
    if slot.kind in ("enum", "board", "cards"):
        return f"term:{slot.name}"
    simple = {"figure": "term:figure", "number": "number", "player": "player", "tally": "tally", "truth": "truth"}
    return simple.get(slot.kind, "text")


def vocabulary_of(model: Model) -> dict[str, tuple[str, ...]]:
    """Return the terms of each type that a sentence can contain; a hidden card is named by its kind."""
    terms = {name: values for name, values in model.enums.items() if name not in model.shapes}
    terms |= {name: board.areas for name, board in model.boards.items() if not board.steps}
    terms |= {name: (*(f.name for f in sort.faces), name) for name, sort in model.cards.items()}
    terms["direction"] = direction_terms(model)
    return terms | ({"figure": tuple(model.figures)} if model.figures else {})


def direction_terms(model: Model) -> tuple[str, ...]:
    """Return the names of the directions on the lattices of a game."""
    return tuple(dict.fromkeys(direction for board in model.boards.values() for direction in board.direction_names))


def terms_of(model: Model) -> dict[str, Span]:
    """Return the names that players see, with the spans of their declarations."""
    declared = model.declared
    remembered = {name: declared.spans[name] for name, cell in declared.remembered.items() if cell.seen != "nobody"}
    return {**declared.shown, **remembered}


def usable_terms(model: Model) -> frozenset[str]:
    """Return every name of the rules that a term may stand for, visible or not."""
    named = {*model.declared.spans, *terms_of(model)}
    kinds = {face.kind for sort in model.cards.values() for face in sort.faces}
    options = {option for decision in model.decisions.values() for option, _ in decision.options}
    variants = {"/".join(model.merged.names[:end]) for end in range(1, len(model.merged.names) + 1)}
    inside = {name for values in vocabulary_of(model).values() for name in values}
    drawn = {name for shapes in model.shapes for name in model.enums[shapes]}
    prose_terms = terms_of_prose(model)
    terms = named | kinds | options | inside | drawn | prose_terms | set(model.merged.names) | variants
    terms |= set(model.tables)
    return frozenset(terms | {f"{name}{OTHERWISE}" for name in terms})


def _message_refs(model: Model) -> Iterator[tuple[s.Node, str]]:
    for article in model.code.articles:
        for node in walk(article):
            if isinstance(node, s.MessageRef) and node.name is not None:
                yield node, node.name


def _decision_spans(model: Model) -> Iterator[tuple[str, Span]]:
    for node, name in model.decision_names.items():
        yield f"decision.{name}", node.span
        if isinstance(node, (s.Choose, s.ChooseSimultaneously)):
            for choice in node.options:
                yield f"decision.{name}.{choice.name.text}", choice.name.span
