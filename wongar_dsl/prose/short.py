"""The rules in short that somebody wrote: which paragraphs there are, and whether they hold for a game as it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wongar_dsl.model import Model
from wongar_dsl.prose.plan import Line
from wongar_dsl.words import Said, Words

#: Marks a paragraph about articles that a variant changed.
USUAL = "rules.usual"


def paragraphs(words: Words, scope: str, names: Sequence[str]) -> Iterator[str]:
    """The paragraphs about a game, then those about its variants; `names` are those of the game and its variants."""
    number = 1
    while words.knows(f"rules.{number}", scope):
        yield f"rules.{number}"
        number += 1
    for variant in names[1:]:
        if words.knows(f"rules.{variant}", scope):
            yield f"rules.{variant}"


def written_for(words: Words, scope: str, names: Sequence[str], paragraph: str) -> frozenset[str]:
    """The game and the variants that whoever wrote a paragraph had in mind."""
    variant = paragraph.removeprefix("rules.")
    if variant in names[1:]:
        return frozenset(names[: names.index(variant) + 1])
    found = words.articles(paragraph, scope)[0].partition(".")[0]
    return frozenset((names[0], *found.split("/")[1:]))


def changed_since(model: Model, key: str, known: frozenset[str]) -> bool:
    """Whether a variant other than those that are `known` has changed or replaced an article."""
    merged = model.merged
    sort, _, name = key.partition(".")
    pair = next((one for one in (*merged.changed, *merged.replaced) if one == (sort, name or sort)), None)
    if pair is None:
        return False
    by = {*merged.changed.get(pair, ())}
    if pair in merged.replaced:
        by.add(merged.origin[pair])
    return bool(by - known)


def lines(model: Model, words: Words) -> tuple[Line, ...]:
    """The paragraphs as lines; one about articles that a variant changed is marked as the usual rule."""
    merged, found = model.merged, list[Line]()
    for name in paragraphs(words, model.scope, merged.names):
        articles = words.articles(name, model.scope)[1]
        known = written_for(words, model.scope, merged.names, name)
        stale = any(changed_since(model, key, known) for key in articles)
        said = Said(USUAL, {"text": Said(name)}) if stale else Said(name)
        found.append(Line(said, merged.head, plain=False))
    return tuple(found)
