"""Headings of a rulebook have content, also if a variant removes rules or cards."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from wongar_dsl.base.diagnostics import RulesError
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Model
from wongar_dsl.language.variants.addressable_parts import part_name, parts_of
from wongar_dsl.nlg.prose.document.document_model import Block, CountList, PicturePlace, Prose, Rulebook, Section
from wongar_dsl.nlg.prose.document.outline import rulebook, unreported
from wongar_dsl.nlg.prose.micro.sentence_plan import PlanLine

from .books import LANGUAGES, book, model, rules_of, words

GAMES = (
    "wongar", "wongar/initiated", "tongiaki", "ubongo", "ubongo/hard+long", "connect_four", "goofspiel", "kuhn_poker",
    "nim", "tictactoe",
)  # fmt: skip


def without_content(document: Rulebook) -> Iterator[str]:
    """Yield the keys of headings without content, and of components without a count."""
    for _, section in document.walk():
        if not section.sections and not any(map(has_content, section.blocks)):
            yield section.key
        counted = (item for block in section.blocks if isinstance(block, CountList) for item in block.items)
        yield from (item.key for item in counted if item.each is None and not item.counts)


def has_content(block: Block) -> bool:
    return isinstance(block, PicturePlace) or any(getattr(block, part, ()) for part in ("plans", "items", "rows"))


def emptied(rules: Model) -> Iterator[str]:
    """Yield changes that leave a rule without content, or a deck without a card of each kind."""
    for article in rules.merged.articles:
        if isinstance(article, s.Rule) and not article.gives:
            yield f"replace {article.span.source.line(article.span.line).strip()}\n    nothing\n"
        if isinstance(article, s.Deck):
            cards = {card.partition("(")[0]: card for card in map(part_name, parts_of(article))}
            yield from (f"remove {card} from deck {article.name.text}\n" for card in cards.values())
            yield from (f"set {card} in {article.name.text} to 0\n" for card in [*cards.values()][:1])


def house(base: str, text: str) -> Model | None:
    """Return the rules of a variant, None if it is wrong."""
    try:
        return rules_of("house.rules", f"variant house of {base}\n    source house rule\n\n{text}")
    except RulesError:
        return None


@pytest.mark.parametrize("name", GAMES)
def test_every_heading_has_content(name: str) -> None:
    assert list(without_content(book(name))) == []


@pytest.mark.parametrize("name", ["tongiaki", "kuhn_poker"])
def test_a_heading_whose_content_a_variant_removes_is_removed(name: str) -> None:
    tried = 0
    for change in emptied(model(name)):
        changed = house(name, change)
        if changed is None:
            # The base needs what the change removes.
            continue
        tried += 1
        document = rulebook(changed, words("en"))
        assert list(without_content(document)) == [], change
        assert list(unreported(changed, document)) == [], change
    assert tried


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_rule_that_does_nothing_says_so(language: str) -> None:
    changed = house("wongar", "replace rule elder_privilege()\n    nothing\n")
    assert changed is not None
    sections: dict[str, Section] = {part.key: part for _, part in rulebook(changed, words(language)).walk()}
    [block] = sections["rule.elder_privilege"].blocks
    assert isinstance(block, Prose)
    [line] = block.plans
    assert isinstance(line, PlanLine)
    assert line.sentence.message == "prose.nothing_happens"


def test_a_card_without_copies_has_no_effect_and_no_place_in_headings() -> None:
    changed = house("wongar", "remove elder_card from deck area_deck\nremove ritual(cube) from deck ritual_deck\n")
    assert changed is not None
    sections = {part.key: part for _, part in rulebook(changed, words("en")).walk()}
    assert "effect.elder_card" not in sections
    [cards, _] = sections["effect.ritual"].blocks
    assert isinstance(cards, CountList)
    assert [item.key.rpartition(".")[2] for item in cards.items] == ["ritual(disc)", "ritual(cylinder)"]
