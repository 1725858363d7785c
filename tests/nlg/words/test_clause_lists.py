"""Lists of clauses with several subjects: the last one has a conjunction, apart from the lists inside the clauses."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from wongar_dsl.nlg.words import Listing, Sentence
from wongar_dsl.nlg.words.lists import list_text
from wongar_dsl.nlg.words.locale import load_locale
from wongar_dsl.nlg.words.template import Template

#: Clauses as (text, whether the subject of the previous clause continues), with the list in each language.
CASES = [
    ([("A1", False), ("A2", True), ("B1", False)], "A1 {0} A2, {0} B1", "A1 {0} A2, {0} B1"),
    ([("A1", False), ("B1", False), ("B2", True)], "A1, {0} B1 {0} B2", "A1, {0} B1 {0} B2"),
    ([("A1", False), ("A2", True), ("B1", False), ("C1", False)], "A1 {0} A2, B1, {0} C1", "A1 {0} A2, B1 {0} C1"),
]


@pytest.mark.parametrize(("clauses", "english", "others"), CASES)
@pytest.mark.parametrize(("language", "word"), [("en", "and"), ("de", "und"), ("nl", "en"), ("it", "e")])
def test_last_subject_has_a_conjunction(
    clauses: list[tuple[str, bool]], english: str, others: str, language: str, word: str
) -> None:
    def template(message: str) -> Template:
        return cast(Template, SimpleNamespace(clause=message == "A1" or None))

    realiser = load_locale(language, ()).realiser
    listing = Listing(tuple(Sentence(text, joined=joined) for text, joined in clauses))
    said = list_text(
        listing, [text for text, _ in clauses], realiser.cldr.lists["standard"], realiser.lexicon, template
    )
    assert said == (english if language == "en" else others).format(word)
