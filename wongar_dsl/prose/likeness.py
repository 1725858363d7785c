"""Who and what would be called by the same words in one text, so that nobody can tell which of them is meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wongar_dsl import syntax as s
from wongar_dsl.model import Model
from wongar_dsl.prose.overall import Overall
from wongar_dsl.prose.phrases import meant_by
from wongar_dsl.prose.plan import Entity, Group, Introduction, Line, Plan
from wongar_dsl.prose.refer import Referring
from wongar_dsl.words import Nominal, Value, Words

#: By what one points at somebody or something that is known; what has no such word is called by a name.
_POINTING = ((), ("def",), ("this",))


@dataclass(frozen=True, slots=True)
class Likeness:
    """Two names of a rule that are called alike: in which article, where, by which words, and in which languages."""

    article: s.Article
    one: str
    other: str
    origin: s.Node
    words: str
    languages: tuple[str, ...]


def likenesses(model: Model, languages: Sequence[Words]) -> Iterator[Likeness]:
    """Each pair of names in an article that one of these languages calls by the same words at some place."""
    if not languages:
        return
    overall = Overall.of(model)
    # What is written out elsewhere is told once, for the article that it stands in.
    within = {node: article for article in model.code.articles for node in s.walk(article)}
    told: set[tuple[s.Node, str, str]] = set()
    for article in model.code.articles:
        if isinstance(article, s.Procedure | s.Define | s.Winner):
            walk = _Comparing(model, languages)
            walk.plans(meant_by(model, article, languages[0], overall))
            for (one, other), (origin, words, codes) in walk.found.items():
                if (origin, one, other) not in told:
                    told.add((origin, one, other))
                    yield Likeness(within.get(origin, article), one, other, origin, words, codes)


class _Comparing(Referring):
    """A walk over a plan that notes by which words it calls whom, and whether somebody else was called by them."""

    def __init__(self, model: Model, languages: Sequence[Words]) -> None:
        super().__init__()
        self._model, self._languages = model, languages
        self._origin: s.Node | None = None
        #: Who was called by which words, in the order in which each was spoken of last.
        self._spoken: dict[Entity, list[tuple[str, ...]]] = {}
        #: By the names: where they are called alike first, how in the first language, and in which languages.
        self.found: dict[tuple[str, str], tuple[s.Node, str, tuple[str, ...]]] = {}

    def _plan(self, plan: Plan) -> Plan:
        if isinstance(plan, Line | Group):
            self._origin = plan.origin
        return super()._plan(plan)

    def _value(self, value: Value, slot: str = "") -> Value:
        if isinstance(value, Introduction) and value.entity is not None:
            self._speak(value.entity)
        return super()._value(value, slot)

    def _called(self, entity: Entity, subject: bool) -> Nominal:
        later = self._later_than(entity)
        thing = super()._called(entity, subject)
        self._speak(entity)
        if not thing.pronoun and not thing.modifiers and thing.words[:1] in _POINTING:
            texts = tuple(words.value(thing, self._model.scope) for words in self._languages)
            # *This* one is whoever was spoken of last; by anything else only one may be called.
            for other in later if thing.words == ("this",) else self._spoken:
                if other is not entity and other in self._known:
                    for before in self._spoken[other]:
                        self._compare(entity, other, texts, before)
            self._spoken[entity].append(texts)
        return thing

    def _speak(self, entity: Entity) -> None:
        self._spoken[entity] = self._spoken.pop(entity, [])

    def _later_than(self, entity: Entity) -> list[Entity]:
        """Who was spoken of after somebody."""
        spoken = list(self._spoken)
        return spoken[spoken.index(entity) + 1 :] if entity in spoken else []

    def _compare(self, one: Entity, other: Entity, texts: tuple[str, ...], before: tuple[str, ...]) -> None:
        names = (one.name, other.name) if one.name <= other.name else (other.name, one.name)
        same = [at for at, text in enumerate(texts) if text == before[at]]
        if same and self._origin is not None and names not in self.found:
            codes = tuple(self._languages[at].language for at in same)
            self.found[names] = (self._origin, texts[same[0]], codes)
