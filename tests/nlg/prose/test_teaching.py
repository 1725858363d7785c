"""The teaching rulebook: the sentences of the reference, in the order in which players need them."""

from __future__ import annotations

import pytest

from wongar_dsl.engine.library import Rules, builtin_names, load
from wongar_dsl.nlg.narration.excerpts import read_rulebook
from wongar_dsl.nlg.prose.document.document_model import Prose
from wongar_dsl.nlg.prose.document.outline import rulebook
from wongar_dsl.nlg.prose.document.teaching import reference_only, teaching_rulebook
from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook
from wongar_dsl.nlg.words import Translator

#: Blocks that only the reference of a game has: zones, stored values, flags, and areas that a picture shows.
REFERENCE_ONLY = {
    "connect_four": ["remembered"],
    "goofspiel": ["zones"],
    "kuhn_poker": ["zones", "remembered"],
    "nim": ["zones"],
    "tictactoe": ["remembered"],
    "tongiaki": ["zones", "remembered", "remembered.passing"],
    "ubongo": ["zones", "remembered"],
    "wongar": ["board.area.touches", "zones", "remembered", "rule.end_after_this_round"],
}
#: Sentences that only the teaching book has.
ADDED = {"aim": 1, "setup": 1, "secrets": 1}


def words_of(rules: Rules, language: str) -> Translator:
    """Return the words of a game in a language."""
    return Translator.load(language, rules.words_beside)


def lines(book: RealisedRulebook) -> dict[str, list[str]]:
    """Return the sentences of each section."""
    return {
        section.key: [
            line.text for block in section.blocks if isinstance(block, Prose) for line in book.sentences(block)
        ]
        for _, section in book.book.walk()
    }


@pytest.mark.parametrize("name", builtin_names())
def test_book_leaves_out_only_tables_for_reference_and_has_no_empty_or_double_part(name: str) -> None:
    rules = load(name)
    words = words_of(rules, "en")
    book = teaching_rulebook(rules.model, words)
    assert reference_only(book, rulebook(rules.model, words)) == REFERENCE_ONLY[name.partition("/")[0]]
    sections = [section for _, section in book.walk()]
    assert all(section.blocks or section.sections for section in sections)
    for keys in [section.key for section in sections], [(type(b), b.key) for s in sections for b in s.blocks]:
        assert len(keys) == len(set(keys))


@pytest.mark.parametrize("language", ["de", "nl", "it", "en"])
@pytest.mark.parametrize("name", ["wongar", "tongiaki", "ubongo", "kuhn_poker"])
def test_every_sentence_but_the_announced_ones_stands_in_the_reference(name: str, language: str) -> None:
    rules = load(name)
    words = words_of(rules, language)
    taught, reference = (
        lines(read_rulebook(rules.model, words, rules.name, None, style)) for style in ("teach", "reference")
    )
    known = {line for part in reference.values() for line in part}
    for key, part in taught.items():
        new = [line for line in part if line not in known and not key.startswith("summary")]
        assert len(new) <= ADDED.get(key, 0), (key, new)
