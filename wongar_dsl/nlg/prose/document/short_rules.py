"""The author's summary of the rules: its paragraphs, and their validity for a variant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wongar_dsl.language.semantics import Model
from wongar_dsl.nlg.prose.micro.sentence_plan import PlanLine
from wongar_dsl.nlg.words import Sentence, Translator

#: Message that marks a paragraph whose declarations a variant changed.
USUAL = "rules.usual"


def paragraphs(words: Translator, scope: str, names: Sequence[str]) -> Iterator[str]:
    """Yield the messages about a game, then about its variants; `names` are those of the game and its variants."""
    number = 1
    while words.has_message(f"rules.{number}", scope):
        yield f"rules.{number}"
        number += 1
    for variant in names[1:]:
        if words.has_message(f"rules.{variant}", scope):
            yield f"rules.{variant}"


def intended_variants(words: Translator, scope: str, names: Sequence[str], paragraph: str) -> frozenset[str]:
    """Return the game and the variants for which the author wrote a paragraph."""
    variant = paragraph.removeprefix("rules.")
    if variant in names[1:]:
        return frozenset(names[: names.index(variant) + 1])
    full_name = words.articles(paragraph, scope)[0].partition(".")[0]
    return frozenset((names[0], *full_name.split("/")[1:]))


def changed_since(model: Model, key: str, known: frozenset[str]) -> bool:
    """Return whether a variant outside `known` has changed or replaced a declaration."""
    merged = model.merged
    sort, _, name = key.partition(".")
    pair = next((change for change in (*merged.changed, *merged.replaced) if change == (sort, name or sort)), None)
    if pair is None:
        return False
    by = {*merged.changed.get(pair, ())}
    if pair in merged.replaced:
        by.add(merged.origin[pair])
    return bool(by - known)


def lines(model: Model, words: Translator) -> tuple[PlanLine, ...]:
    """Return the paragraphs as lines; outdated ones are marked as the usual rule."""
    merged, result = model.merged, list[PlanLine]()
    for name in paragraphs(words, model.scope, merged.names):
        articles = words.articles(name, model.scope)[1]
        base = intended_variants(words, model.scope, merged.names, name)
        stale = any(changed_since(model, key, base) for key in articles)
        sentence = Sentence(USUAL, {"text": Sentence(name)}) if stale else Sentence(name)
        result.append(PlanLine(sentence, merged.head, plain=False))
    return tuple(result)
