"""Every determiner and count beside every sort of term: mere names, unknown names, nouns with a single number."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from tests.nlg.prose.books import LANGUAGES, words
from wongar_dsl.nlg.words.arguments import Attribute, NounPhrase, Sentence, Term, Value
from wongar_dsl.nlg.words.lexicon import Tree
from wongar_dsl.nlg.words.locale import Locale, load_locale
from wongar_dsl.nlg.words.slots import SlotSpec

#: A noun without a plural and one without a singular; a noun for things that have only names.
NOUNS: dict[str, dict[str, Tree]] = {
    "de": {
        "bank": {"gender": "f", "sg": "Bank", "pl": "Banken", "pl.dat": "Banken"},
        "gold": {"gender": "n", "only": "sg", "sg": "Gold", "sg.gen": "Goldes"},
        "people": {"gender": "f", "only": "pl", "pl": "Leute", "pl.dat": "Leuten"},
        "sign": {"gender": "n", "sg": "Zeichen", "sg.gen": "Zeichens", "pl": "Zeichen", "pl.dat": "Zeichen"},
    },
    "nl": {
        "bank": {"gender": "de", "sg": "bank", "pl": "banken"},
        "gold": {"gender": "het", "only": "sg", "sg": "goud"},
        "people": {"gender": "de", "only": "pl", "pl": "lieden"},
        "sign": {"gender": "het", "sg": "teken", "pl": "tekens"},
    },
    "it": {
        "bank": {"gender": "f", "sg": "banca", "pl": "banche"},
        "gold": {"gender": "m", "only": "sg", "sg": "oro"},
        "people": {"gender": "m", "only": "pl", "pl": "pantaloni"},
        "sign": {"gender": "m", "sg": "segno", "pl": "segni"},
    },
    "en": {
        "bank": {"sg": "bank", "pl": "banks"},
        "gold": {"only": "sg", "sg": "gold"},
        "people": {"only": "pl", "pl": "trousers"},
        "sign": {"sg": "sign", "pl": "signs"},
    },
}
#: A term that is only a name, with and without a noun for its sort; a name without a term; and nouns.
TERMS = {
    "label": Term("aa", sort="sign"),
    "name": Term("aa"),
    "unknown name": Term("dry_rice"),
    "countable": Term("sign"),
    "no plural": Term("gold"),
    "no singular": Term("people"),
}
ARTICLES = {"def", "indef"}


def locale(language: str) -> Locale:
    speech = load_locale(language, ())
    lexicon = replace(speech.lexicon, terms={**speech.lexicon.terms, **NOUNS[language], "aa": "A"}, _built={})
    return replace(speech, lexicon=lexicon)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("term", TERMS.values(), ids=TERMS)
def test_no_determiner_is_dropped(language: str, term: Term) -> None:
    speech = locale(language)
    cases = speech.lexicon.features.dimensions.get("case", (None,))
    for name, determiner in speech.lexicon.determiners.items():
        forms = {form for _, form in determiner.forms.entries if form}
        for case, several in product(cases if forms and name not in ARTICLES else (), (False, True)):
            text = speech.value(NounPhrase(term, (name,), several=several), SlotSpec(features=(case or "",)))
            if several and any(not form for _, form in determiner.forms.entries):
                continue
            shown = text.replace("vom ", "von dem ").removeprefix("von ")
            assert shown.startswith(tuple(forms)), (name, case)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("term", TERMS.values(), ids=TERMS)
def test_no_number_stands_beside_no(language: str, term: Term) -> None:
    said = locale(language)
    none = NounPhrase(term, ("not_any",))
    assert said.value(replace(none, one=True)) == said.value(none)


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
        assert form[:3] in speech.value(phrase, request), (determiner, case)


GOLD, BANK = NounPhrase(Term("gold"), several=True), NounPhrase(Term("bank"), ("def",))
IN_THE_BANK: dict[str, Value] = {"player": NounPhrase(Term("player"), ("def",)), "what": GOLD, "place": BANK}
FEWEST, AS_MANY = (Sentence(f"prose.{name}", IN_THE_BANK) for name in ("has_fewest", "as_many_in"))
GOLD_GOES, PEOPLE_GO = (
    Sentence("prose.goes", {"what": NounPhrase(Term(name, count=n)), "place": BANK})
    for name, n in (("gold", 2), ("people", 1))
)
ONE_GOLD, ONE_PEOPLE = (NounPhrase(Term(name), ("indef",), one=True) for name in ("gold", "people"))
FIGURE: dict[str, Value] = {"figure": Term("people"), "area": Term("gold")}
STANDS, BELONGS = (Sentence(f"rulebook.figure.{where}", FIGURE) for where in ("board", "held"))


def amount(determiner: str) -> NounPhrase:
    return NounPhrase(Term("gold"), (determiner,), several=True)


#: Words of amount, and sentences that agree with a noun without a plural or without a singular.
WORDED: dict[str, list[tuple[Value, str]]] = {
    "de": [
        (amount("as_many"), "so viel Gold"), (amount("most"), "das meiste Gold"), (ONE_GOLD, "ein Gold"),
        (AS_MANY, ", wie Gold in der Bank ist,"), (GOLD_GOES, "2 Gold kommen in die Bank"),
        (PEOPLE_GO, "1 Leute kommen in die Bank"), (ONE_PEOPLE, "1 Leute"),
        (STANDS, "Leute stehen in"), (BELONGS, "Leute gehören einem"),
    ],
    "nl": [
        (amount("as_many"), "zoveel goud"), (amount("most"), "het meeste goud"), (ONE_GOLD, "één goud"),
        (AS_MANY, "als er goud in de bank is,"), (GOLD_GOES, "2 goud komen in de bank"),
        (PEOPLE_GO, "1 lieden komen in de bank"), (ONE_PEOPLE, "1 lieden"),
        (STANDS, "lieden staan in"), (BELONGS, "lieden horen bij"),
    ],
    "it": [
        (amount("as_many"), "una quantità di oro"), (amount("most"), "la maggior quantità di oro"),
        (ONE_GOLD, "un oro"),
        (AS_MANY, "pari al numero dell’oro che c’è nella banca"),
        (FEWEST, "il giocatore ha la minor quantità di oro nella banca"), (GOLD_GOES, "2 oro vanno nella banca"),
        (PEOPLE_GO, "1 pantaloni vanno nella banca"), (ONE_PEOPLE, "1 pantaloni"),
        (STANDS, "pantaloni stanno in"), (BELONGS, "pantaloni appartengono a"),
    ],
    "en": [
        (amount("as_many"), "as much gold"), (amount("fewest"), "the least gold"), (ONE_GOLD, "one gold"),
        (AS_MANY, "as there is gold in the bank"), (FEWEST, "the player has the least gold in the bank"),
        (GOLD_GOES, "2 gold go into the bank"), (PEOPLE_GO, "1 trousers go into the bank"),
        (ONE_PEOPLE, "1 trousers"), (STANDS, "trousers stand in"), (BELONGS, "trousers belong to"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("language", "value", "text"), [(language, *row) for language, rows in WORDED.items() for row in rows]
)
def test_a_noun_with_one_number_has_its_own_words_of_amount_and_agreement(
    language: str, value: Value, text: str
) -> None:
    assert text in locale(language).value(value)


@pytest.mark.parametrize("language", LANGUAGES)
def test_fallback_texts_hold_no_representation_of_a_value(language: str) -> None:
    inner = Sentence("no.such", {"what": NounPhrase(Term("dry_rice", count=3), ("no_determiner",))})
    text = words(language).say("no.such.line", what=inner)
    assert "dry rice" in text
    assert "=" not in text


@pytest.mark.parametrize(
    ("language", "name", "said"),
    [("en", "beast", "a random beast"), ("en", "ape", "a random ape"), ("it", "ape", "un ape a caso"),
     ("it", "drago", "un drago a caso"), ("it", "spice", "uno spice a caso")],
)  # fmt: skip
def test_an_article_before_a_name_without_a_term_fits_the_next_word(language: str, name: str, said: str) -> None:
    request = SlotSpec(determiner="indef", adjectives=("chance",))
    assert load_locale(language, ()).term(Term(name, "x"), request) == said


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_preposition_contracts_with_what_stands_before_a_name_without_a_term(language: str) -> None:
    said = locale(language)
    owned = [SlotSpec(determiner=name) for name in said.lexicon.determiners] + [SlotSpec(owner="il tuo")]
    for contracted, preposition in product(said.lexicon.contractions, said.lexicon.prepositions):
        if contracted.startswith(f"{preposition} "):
            for request in owned:
                text = said.term(Term("stock", "x"), replace(request, preposition=preposition))
                assert f"{contracted} " not in f"{text} "


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["bank", "people"])
def test_verb_and_pronoun_agree_with_the_kind_of_a_card_with_parameters(language: str, kind: str) -> None:
    said = locale(language)
    label = said.term(Term("gold"))

    def texts(name: str) -> list[str]:
        zones: dict[str, Value] = {"from": Term("bank"), "to": Term("gold")}
        moved = Sentence("engine.card_moved", {"card": Term(name), **zones})
        return [said.value(value).replace(f" ({label})", "") for value in (moved, NounPhrase(Term(name), pronoun=True))]

    assert texts(f"{kind}(gold)") == texts(kind)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("term", TERMS.values(), ids=TERMS)
def test_value_that_something_belongs_to_has_an_article(language: str, term: Term) -> None:
    said = locale(language)
    bare, definite = (
        said.value(NounPhrase(Term("bank"), ("def",), (Attribute("prose.of.one", {"owner": NounPhrase(term, words)}),)))
        for words in ((), ("def",))
    )
    assert bare == definite


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("determiner", ["as_many", "that_many", "any", "another", "further", "not_any", "this"])
def test_a_possession_keeps_its_determiner(language: str, determiner: str) -> None:
    said = locale(language)
    owned = said.value(NounPhrase(Term("sign"), (determiner,), own=True, several=True))
    bare = said.value(NounPhrase(Term("sign"), (determiner,), several=True))
    assert owned != bare
    assert owned.split()[0] == bare.split()[0]
