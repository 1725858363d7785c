"""Checks for translators of a game: optional terms and messages, the numbers that texts may state, and names that one
text calls by the same words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Model, Type
from wongar_dsl.nlg.prose.context import COMPARED, SLOTS, owners_of, with_player
from wongar_dsl.nlg.prose.micro.instructions import BY
from wongar_dsl.nlg.prose.micro.referring_expressions import ReferenceResolver
from wongar_dsl.nlg.prose.micro.sentence_plan import Entity, Introduction, Plan, PlanGroup, PlanLine
from wongar_dsl.nlg.prose.pipeline import unresolved_plan
from wongar_dsl.nlg.words import NounPhrase, Translator, Value
from wongar_dsl.nlg.words.locale import INTRODUCTION, NOTE


def terms_of(model: Model) -> frozenset[str]:
    """Return the optional terms of a game: for parameters, local names, table values, and kinds."""
    parameters = {
        f"{owner}.{local.name}"
        for article, locals_ in model.parameters.items()
        for owner in owners_of(model, article)
        for local in locals_
    }
    places = {f"{name}.place" for name in model.declared.zones}
    # Names bound inside declarations, and table values that their title does not explain.
    named = {
        f"{article.name.text}.{word.text}"
        for article in model.code.articles
        for part in s.walk(article)
        for word in _names_in(part)
    }
    # Areas that the rules name.
    areas = {
        node.text
        for article in model.code.articles
        for node in s.walk(article)
        if isinstance(node, s.Name) and node in model.types and model.types[node].kind == "board"
    }
    cells = {f"{name}.value" for name in {*model.tables, *model.declared.spans}}
    kinds = {f"{name}.kind" for name in {*model.enums, *model.cards}}
    kinds |= {f"{name}.one" for name in {*model.cards, *model.coverings}}
    kinds |= {f"{kind}.one" for cards in model.cards.values() for kind, parameters in cards.kinds.items() if parameters}
    kinds |= {f"{name}.each" for name in model.code.defines}
    kinds |= {f"{name}.item" for name in model.declared.spans}
    nobodys = {f"{name}.none" for name in model.declared.remembered} | {f"{name}.top" for name in model.declared.zones}
    return frozenset(parameters | places | named | cells | areas | kinds | nobodys)


def _names_in(part: s.Node) -> tuple[s.Word, ...]:
    """Return the name that a node binds."""
    name = part.name if isinstance(part, s.OptionParameter) else getattr(part, s.BOUND, None)
    return (name,) if isinstance(name, s.Word) else ()


#: Beginnings of the names of sentences about changes.
CHANGES = ("rule.", "fills.", "becomes.", "grows.", "shrinks.", "grows_to.", "shrinks_to.", "now.", "first.")


def sentences_of(model: Model) -> Iterator[tuple[str, dict[str, Type]]]:
    """Yield the optional messages for a game's rulebook, with the types of their slots.

    `NAME.by` says the same as a sentence about a change, as an action of `{player}`; `_descriptions` has the others.
    """
    for name, slots in _descriptions(model):
        yield name, slots
        if name.startswith(CHANGES) or name.endswith((".rule", ".fills", ".becomes", ".ends")):
            yield f"{name}{BY}", {**slots, "player": Type("player")}


def _descriptions(model: Model) -> Iterator[tuple[str, dict[str, Type]]]:
    """Yield the optional messages that describe a game, with the types of their slots.

    `rule.NAME` and `define.NAME` describe the call of a rule or definition, `amounts.NAME` its value. `state.NAME`,
    `becomes.NAME`, `grows_to.NAME` and `shrinks_to.NAME` (set to a bound), `now.NAME` (set to the present time),
    `is.NAME`, `none.NAME`, `grows.NAME` and `shrinks.NAME` concern a stored value, `until.NAME` one that ends a loop.
    `of.NAME` follows the noun of an
    indexed thing, and `at.NAME` names the index that the place is called by. `fills.NAME` says that a card comes to a
    slot, `has.NAME`, `most.NAME` and `fewest.NAME` that a player has something there. `about.NAME` says what a setting
    decides, and `begins.setup` or `begins.play` who takes the first turn.
    """
    for rule in (*model.code.rules.values(), *model.code.defines.values()):
        locals_ = model.parameters.get(rule, ())
        kinds = [local.type for local in locals_]
        slots = with_player({local.name: local.type for local in locals_}, kinds)
        name = f"{rule.keyword}.{rule.name.text}"
        yield name, slots
        give = next((node for node in s.walk(rule) if isinstance(node, s.Give)), None)
        if give is not None:
            yield f"gives.{rule.name.text}", {"what": model.types[give.value]}
        if isinstance(rule, s.Define):
            yield f"{name}.not", slots
            yield from _each("of.* at.*", rule.name.text, _slots(kinds))
            yield f"amounts.{rule.name.text}", {**slots, "value": model.types[rule.value]}
            yield f"ranks.{rule.name.text}", {"last": Type("number")}
            yield from _measured(rule.name.text, _slots(kinds))
    for name, value in model.declared.remembered.items():
        slots, player = _slots(value.indices), {"player": value.type} if value.type.kind == "player" else {}
        yield from _each("state.* state.*.not state.*.becomes state.*.ends until.*", name, slots)
        yield from _each("becomes.* grows_to.* shrinks_to.*", name, {**slots, "value": value.type, **player})
        yield from _each("now.*", name, slots)
        for end in ("", ".not"):
            yield f"is.{name}{end}", {**slots, "value": value.type}
            yield f"none.{name}{end}", slots
        yield from _each("grows.* shrinks.*", name, {**slots, "n": Type("number")})
        yield from _each("none.*.becomes of.*", name, slots)
        yield from _measured(name, slots)
    for zone in model.declared.zones.values():
        slots = _slots(zone.indices)
        yield from _each("of.* at.*", zone.name, slots)
        if "player" in slots:
            having = {"player": slots["player"], "what": zone.holds}
            yield from _each("has.* most.* fewest.*", zone.name, {**having, **slots})
            for kind in dict.fromkeys(kind for sort in model.cards.values() for kind, _ in sort.attributes.values()):
                yield f"has_of.{zone.name}", {**having, "kind": kind}
        if zone.traits.single:
            yield f"fills.{zone.name}", {"what": zone.holds, **slots}
        elif not zone.traits.tokens:
            for compared in COMPARED.values():
                yield f"{compared}.{zone.name}", {**slots, "n": Type("number")}
    for article in model.code.articles:
        for local in (model.locals[node.variable] for node in s.walk(article) if isinstance(node, s.Let)):
            value_slot = {"value": model.display_type(local)}
            yield from _each("first.* becomes.*", f"{article.name.text}.{local.name}", value_slot)
    for option in model.settings:
        yield f"about.{option}", {}
    for part in (s.Setup, s.Play):
        yield f"begins.{part.keyword}", {}
    for table, data in model.tables.items():
        yield from _each("of.* none.* none.*.not", table, _slots(data.keys))
        yield from _measured(table, _slots(data.keys))
    for decision in model.decisions.values():
        for option, offered in decision.options:
            yield f"option.{decision.name}.{option}", {"player": Type("player"), **dict(offered)}
    for message in model.messages.values():
        yield from _each("*.rule *.fills", message.name, dict((*message.slots, *message.offered)))


def authored_texts_of(model: Model) -> Iterator[str]:
    """Yield the optional messages that only an author can write: the introduction, and for each declaration a note, a
    question and its answer.
    """
    yield INTRODUCTION
    for article in model.merged.articles:
        yield f"{NOTE}{s.key_text(article)}"
        yield f"question.{s.key_text(article)}"
        yield f"answer.{s.key_text(article)}"


def numbers_of(model: Model) -> dict[str, frozenset[int]]:
    """Return the numbers that each declaration gives, by its key: those that it states, how many parts it has, and the
    numbers of players.
    """
    low, high = model.players
    players = range(low, high + 1)
    return {s.key_text(article): frozenset((*players, *_stated(article))) for article in model.merged.articles}


def _stated(article: s.Declaration) -> Iterator[int]:
    """Yield the numbers in a declaration, and the number of its parts."""
    yield len(article.listed_parts)
    yield len(article.inner_names)
    for node in s.walk(article):
        for name in s.field_names(type(node)):
            value = getattr(node, name)
            if isinstance(value, int) and not isinstance(value, bool):
                yield value


def _each(patterns: str, name: str, slots: dict[str, Type]) -> Iterator[tuple[str, dict[str, Type]]]:
    """Yield messages with the same slots, named by patterns with `*` for a name."""
    return ((pattern.replace("*", name), slots) for pattern in patterns.split())


def _measured(name: str, slots: dict[str, Type]) -> Iterator[tuple[str, dict[str, Type]]]:
    """Yield the optional messages for comparisons and superlatives of a value."""
    for compared in COMPARED.values():
        for end in ("", ".not"):
            yield f"{compared}.{name}{end}", {**slots, "n": Type("number")}
    yield from _each("most.* fewest.* most_of.* fewest_of.*", name, slots)


def _slots(kinds: Sequence[Type]) -> dict[str, Type]:
    """Return the slots for operands, with the first player also as `player`."""
    return with_player(dict(zip(SLOTS, kinds, strict=False)), kinds)


#: Determiners of definite phrases; a phrase with another determiner is no reference.
_POINTING = ((), ("def",), ("this",))


@dataclass(frozen=True, slots=True)
class AmbiguousName:
    """Two names of a rule with the same words: the declaration, the node, the words and the languages."""

    article: s.Declaration
    one: str
    other: str
    origin: s.Node
    words: str
    languages: tuple[str, ...]


def find_ambiguous_names(model: Model, languages: Sequence[Translator]) -> Iterator[AmbiguousName]:
    """Yield each pair of names in a declaration that some language renders alike at some point."""
    if not languages:
        return
    # Inlined text is reported once, for the declaration that contains it.
    within = {node: article for article in model.code.articles for node in s.walk(article)}
    reported: set[tuple[s.Node, str, str]] = set()
    for article in model.code.articles:
        if isinstance(article, s.Procedure | s.Define | s.Winner):
            walk = _NameComparison(model, languages)
            walk.plans(unresolved_plan(model, article, languages[0]))
            for (first, second), (origin, words, codes) in walk.found.items():
                if (origin, first, second) not in reported:
                    reported.add((origin, first, second))
                    yield AmbiguousName(within.get(origin, article), first, second, origin, words, codes)


class _NameComparison(ReferenceResolver):
    """A reference resolver that records the words for each entity, and compares them with those of others."""

    def __init__(self, model: Model, languages: Sequence[Translator]) -> None:
        super().__init__()
        self._model, self._languages = model, languages
        self._origin: s.Node | None = None
        #: The words for each entity, in the order of its last mention.
        self._spoken: dict[Entity, list[tuple[str, ...]]] = {}
        #: By pair of names: the first ambiguous node, the words in the first language, and the languages.
        self.found: dict[tuple[str, str], tuple[s.Node, str, tuple[str, ...]]] = {}

    def _plan(self, plan: Plan) -> Plan:
        if isinstance(plan, PlanLine | PlanGroup):
            self._origin = plan.origin
        return super()._plan(plan)

    def _value(self, value: Value, slot: str = "") -> Value:
        if isinstance(value, Introduction):
            self._speak(value.entity)
        return super()._value(value, slot)

    def _called(self, entity: Entity, subject: bool) -> NounPhrase:
        later = self._later_than(entity)
        thing = super()._called(entity, subject)
        self._speak(entity)
        if not thing.pronoun and not thing.modifiers and thing.words[:1] in _POINTING:
            texts = tuple(words.value(thing, self._model.scope) for words in self._languages)
            # *This* refers to the last mention; other definite phrases must be unique.
            for candidate in later if thing.words == ("this",) else self._spoken:
                if candidate is not entity and candidate in self._known:
                    for before in self._spoken[candidate]:
                        self._compare(entity, candidate, texts, before)
            self._spoken[entity].append(texts)
        return thing

    def _speak(self, entity: Entity) -> None:
        self._spoken[entity] = self._spoken.pop(entity, [])

    def _later_than(self, entity: Entity) -> list[Entity]:
        """Return the entities mentioned after another one."""
        spoken = list(self._spoken)
        return spoken[spoken.index(entity) + 1 :] if entity in spoken else []

    def _compare(self, one: Entity, other: Entity, texts: tuple[str, ...], before: tuple[str, ...]) -> None:
        names = (one.name, other.name) if one.name <= other.name else (other.name, one.name)
        same = [index for index, text in enumerate(texts) if text == before[index]]
        if same and self._origin is not None and names not in self.found:
            codes = tuple(self._languages[index].language for index in same)
            self.found[names] = (self._origin, texts[same[0]], codes)
