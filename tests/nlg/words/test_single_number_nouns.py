"""Nouns without a plural or without a singular beside every determiner and count."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from tests.nlg.prose.books import LANGUAGES, words
from wongar_dsl.nlg.words.arguments import NounPhrase, Sentence, Term, Value
from wongar_dsl.nlg.words.inflection import Tree
from wongar_dsl.nlg.words.locale import Locale, load_locale
from wongar_dsl.nlg.words.slots import SlotSpec

#: A noun without a plural and one without a singular.
NOUNS: dict[str, dict[str, Tree]] = {
    "de": {
        "gold": {"gender": "n", "only": "sg", "sg": "Gold", "sg.gen": "Goldes"},
        "people": {"gender": "f", "only": "pl", "pl": "Leute", "pl.dat": "Leuten"},
    },
    "nl": {
        "gold": {"gender": "het", "only": "sg", "sg": "goud"},
        "people": {"gender": "de", "only": "pl", "pl": "lieden"},
    },
    "it": {
        "gold": {"gender": "m", "only": "sg", "sg": "oro"},
        "people": {"gender": "m", "only": "pl", "pl": "pantaloni"},
    },
    "en": {"gold": {"only": "sg", "sg": "gold"}, "people": {"only": "pl", "pl": "trousers"}},
}


def locale(language: str) -> Locale:
    speech = load_locale(language, ())
    lexicon = replace(speech.lexicon, terms={**speech.lexicon.terms, **NOUNS[language]}, _built={})
    return replace(speech, realiser=replace(speech.realiser, lexicon=lexicon))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["gold", "people"])
def test_every_determiner_fits_a_noun_with_one_number(language: str, name: str) -> None:
    speech = locale(language)
    noun = speech.lexicon.noun(name)
    assert noun is not None
    form = noun.forms.pick(speech.lexicon.features.completed({noun.only or ""})) or ""
    cases = speech.lexicon.features.dimensions.get("case", (None,))
    for determiner, case, several in product(speech.lexicon.determiners, cases, (False, True)):
        request = SlotSpec(features=tuple(filter(None, (case,))))
        phrase = NounPhrase(Term(name), (determiner,), several=several)
        assert form[:3] in speech.realiser.value(phrase, request), (determiner, case)


@pytest.mark.parametrize(
    ("language", "determiner", "text"),
    [
        ("de", "as_many", "so viel Gold"),
        ("de", "that_many", "ebenso viel Gold"),
        ("de", "most", "das meiste Gold"),
        ("de", "fewest", "das wenigste Gold"),
        ("nl", "as_many", "zoveel goud"),
        ("nl", "most", "het meeste goud"),
        ("nl", "fewest", "het minste goud"),
        ("it", "as_many", "una quantità di oro"),
        ("it", "that_many", "altrettanto oro"),
        ("it", "most", "la maggior quantità di oro"),
        ("en", "as_many", "as much gold"),
        ("en", "that_many", "that much gold"),
        ("en", "fewest", "the least gold"),
    ],
)
def test_a_noun_without_a_plural_has_its_own_words_of_amount(language: str, determiner: str, text: str) -> None:
    assert locale(language).realiser.value(NounPhrase(Term("gold"), (determiner,), several=True)) == text


@pytest.mark.parametrize("words_before", [(), ("indef",)])
@pytest.mark.parametrize(
    ("language", "gold", "people"),
    [
        ("de", "ein Gold", "1 Leute"),
        ("nl", "één goud", "1 lieden"),
        ("it", "un oro", "1 pantaloni"),
        ("en", "one gold", "1 trousers"),
    ],
)
def test_one_of_a_noun_with_one_number(language: str, gold: str, people: str, words_before: tuple[str, ...]) -> None:
    said = locale(language).realiser
    assert said.value(NounPhrase(Term("gold"), words_before, one=True)) == gold
    assert said.value(NounPhrase(Term("people"), words_before, one=True)) == people


@pytest.mark.parametrize("language", LANGUAGES)
def test_fallback_texts_hold_no_representation_of_a_value(language: str) -> None:
    inner = Sentence("no.such", {"what": NounPhrase(Term("dry_rice", count=3), ("no_determiner",))})
    text = words(language).say("no.such.line", what=inner)
    assert "dry rice" in text
    assert "=" not in text


@pytest.mark.parametrize(
    ("language", "stands", "belongs"),
    [
        ("de", "Leute stehen in", "Leute gehören einem"),
        ("nl", "lieden staan in", "lieden horen bij"),
        ("it", "pantaloni stanno in", "pantaloni appartengono a"),
        ("en", "trousers stand in", "trousers belong to"),
    ],
)
def test_verb_agrees_with_a_figure_without_a_singular(language: str, stands: str, belongs: str) -> None:
    said = locale(language).realiser
    values: dict[str, Value] = {"figure": Term("people"), "area": Term("gold")}
    assert stands in said.value(Sentence("rulebook.figure.board", values))
    assert belongs in said.value(Sentence("rulebook.figure.held", values))
