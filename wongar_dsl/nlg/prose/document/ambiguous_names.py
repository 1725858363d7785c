"""Detection of ambiguous names: two entities that one text calls by the same words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Model
from wongar_dsl.nlg.prose.game_facts import GameFacts
from wongar_dsl.nlg.prose.micro.referring_expressions import ReferenceResolver
from wongar_dsl.nlg.prose.micro.sentence_plan import Entity, Introduction, Plan, PlanGroup, PlanLine
from wongar_dsl.nlg.prose.pipeline import unresolved_plan
from wongar_dsl.nlg.words import NounPhrase, Translator, Value

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
    facts = GameFacts.of(model)
    # Inlined text is reported once, for the declaration that contains it.
    within = {node: article for article in model.code.articles for node in s.walk(article)}
    reported: set[tuple[s.Node, str, str]] = set()
    for article in model.code.articles:
        if isinstance(article, s.Procedure | s.Define | s.Winner):
            walk = _NameComparison(model, languages)
            walk.plans(unresolved_plan(model, article, languages[0], facts))
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
        if isinstance(value, Introduction) and value.entity is not None:
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
