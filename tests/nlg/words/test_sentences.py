"""Sentences for players in four languages."""

from __future__ import annotations

import pytest

from wongar_dsl.nlg.words import Genitive, Listing, PlayerName, Term, Text, Translator, Value, ValueList, available
from wongar_dsl.nlg.words.arguments import ProperName
from wongar_dsl.nlg.words.locale import load_locale

ANNA, ALDO = PlayerName("Anna"), PlayerName("Aldo")
LANGUAGES = ("de", "nl", "it", "en")


@pytest.fixture(scope="module")
def words() -> dict[str, Translator]:
    return {language: Translator.load(language, strict=True) for language in LANGUAGES}


def term(name: str, count: int | None = None) -> Term:
    return Term(name, "wongar", count)


REMOVED: dict[str, Value] = {
    "player": ANNA, "token": term("cylinder"), "owner": ALDO, "area": term("kangaroo"), "n": 1,
}  # fmt: skip
MOVED: dict[str, Value] = {
    "token": term("cube", 2), "from": Genitive(term("supply"), (ANNA,)),
    "to": Genitive(term("area_pile"), (term("kangaroo"),)),
}  # fmt: skip
SENTENCES: list[tuple[str, dict[str, Value], dict[str, str]]] = [
    ("wongar.removed", REMOVED, {
        "de": "Anna entfernt eine Walze von Aldo aus dem Känguru-Gebiet.",
        "nl": "Anna verwijdert een staafje van Aldo uit het kangoeroegebied.",
        "it": "Anna allontana un cilindro di Aldo dall’area del canguro.",
        "en": "Anna removes one cylinder belonging to Aldo from the kangaroo area.",
    }),
    ("wongar.majority", {"token": term("disc"), "area": term("fish"), "counts": ValueList(((ANNA, 2), (ALDO, 1)))}, {
        "de": "Linsen im Fisch-Gebiet: Anna 2, Aldo 1.", "nl": "Schijfjes in het vissengebied: Anna 2, Aldo 1.",
        "it": "Dischi nell’area del pesce: Anna 2, Aldo 1.", "en": "Discs in the fish area: Anna 2, Aldo 1.",
    }),
    ("wongar.ceremony_scored", {"player": ANNA, "n": 1000, "token": term("cylinder")}, {
        "de": "Anna erhält 1.000 Siegpunkte für die Walzen.", "nl": "Anna krijgt 1.000 winstpunten voor de staafjes.",
        "it": "Anna guadagna 1.000 punti vittoria per i cilindri.",
        "en": "Anna gains 1,000 victory points for the cylinders.",
    }),
    ("engine.tokens_moved", MOVED, {
        "de": "2 Würfel kommen aus dem Vorrat von Anna zum Gebietskartenstapel des Känguru-Gebiets.",
        "nl": "2 blokjes gaan uit de voorraad van Anna naar de gebiedskaartenstapel van het kangoeroegebied.",
        "it": "2 cubi vanno dalla riserva di Anna al mazzetto di carte-area dell’area del canguro.",
        "en": "2 cubes go from the supply of Anna to the pile of area cards of the kangaroo area.",
    }),
    ("engine.game_ended", {"winners": Listing((ANNA, ALDO))}, {
        "de": "Das Spiel ist zu Ende. Der Sieg geht an Anna und Aldo.",
        "nl": "Het spel is afgelopen. De overwinning gaat naar Anna en Aldo.",
        "it": "La partita è finita. Vincono Anna e Aldo.", "en": "The game is over. Anna and Aldo win.",
    }),
]  # fmt: skip


@pytest.mark.parametrize(("message", "args", "expected"), SENTENCES, ids=[row[0] for row in SENTENCES])
def test_messages_are_realised(
    words: dict[str, Translator], message: str, args: dict[str, Value], expected: dict[str, str]
) -> None:
    assert {language: words[language].say(message, **args) for language in LANGUAGES} == expected


@pytest.mark.parametrize(
    ("language", "name", "spec", "expected"),
    [
        ("de", "elder", "def", "der Älteste"),
        ("de", "elder", "def gen", "des Ältesten"),
        ("de", "elder", "pl", "Älteste"),
        ("de", "ancestor", "von def", "vom Urahnen"),
        ("de", "card", "zu def", "zur Karte"),
        ("de", "area", "in any pl acc", "in beliebige Gebiete"),
        ("de", "card", "offen pl", "offene Karten"),
        ("de", "pile", "verdeckt def dat", "dem verdeckten Stapel"),
        ("de", "token", "not_any pl acc", "keine Spielsteine"),
        ("nl", "area", "any", "een willekeurig gebied"),
        ("nl", "pile", "dicht indef", "een dichte stapel"),
        ("nl", "area", "nieuw def", "het nieuwe gebied"),
        ("nl", "kangaroo", "short", "kangoeroe"),
        ("it", "scorpion", "su def pl", "sugli scorpioni"),
        ("it", "elder", "di def pl", "degli Anziani"),
        ("it", "area", "indef", "un’area"),
        ("it", "card", "coperto indef", "una carta coperta"),
        ("it", "token", "altro def pl", "gli altri segnalini"),
        ("it", "token", "tuo in", "nel tuo segnalino"),
        ("en", "area", "indef", "an area"),
        ("en", "area", "own", "one of their own areas"),
        ("en", "kangaroo", "short", "kangaroo"),
    ],
)
def test_terms_are_inflected(words: dict[str, Translator], language: str, name: str, spec: str, expected: str) -> None:
    assert words[language].term(name, "wongar", spec) == expected


@pytest.mark.parametrize(
    ("language", "name", "said"),
    [
        ("it", "Anna", "Tocca ad Anna."),
        ("it", "Bice", "Tocca a Bice."),
        ("en", "Anna", "It is Anna’s turn."),
        ("en", "Ines", "It is Ines’s turn."),
    ],
)
def test_names_have_euphonic_prepositions_and_possessives(
    words: dict[str, Translator], language: str, name: str, said: str
) -> None:
    assert words[language].say("engine.turn_begins", player=PlayerName(name)) == said


def test_only_names_of_people_have_endings(words: dict[str, Translator]) -> None:
    assert words["en"].say("engine.turn_begins", player=ProperName("a1")) == "It is of a1 turn."


def test_names_and_quoted_text_keep_their_case(words: dict[str, Translator]) -> None:
    assert words["de"].say("wongar.declined", player=PlayerName("anna")) == "anna verzichtet auf eine Zusatzaktion."
    assert words["en"].say("words.unreadable", file=Text("readme")) == "readme cannot be read."


def test_braces_in_names_stay(words: dict[str, Translator]) -> None:
    odd = PlayerName("{0.__class__}")
    assert words["de"].say("engine.game_ended", winners=Listing((odd, odd, odd))).count("{0.__class__}") == 3
    assert "{0.__class__} 1, {0.__class__} 2" in words["de"].value(ValueList(((odd, 1), (odd, 2))))


def test_message_is_found_by_game_and_name(words: dict[str, Translator]) -> None:
    args = {name: Term(value.name) if isinstance(value, Term) else value for name, value in REMOVED.items()}
    assert words["de"].say("removed", "wongar", **args) == SENTENCES[0][2]["de"]
    assert words["de"].say("wongar.removed", **args) == SENTENCES[0][2]["de"]
    assert words["de"].has("removed", "wongar")
    assert not words["de"].has("removed", "tongiaki")


def test_term_of_a_game_overrides_the_common_term(words: dict[str, Translator]) -> None:
    assert words["it"].term("bag") == "sacchetto"
    assert words["it"].term("bag", "wongar") == "sacchetto di stoffa"
    assert words["it"].term("card", "wongar") == "carta"


def test_numbers_and_values(words: dict[str, Translator]) -> None:
    assert [words[language].number(1_234_567) for language in LANGUAGES] == [
        "1.234.567", "1.234.567", "1.234.567", "1,234,567",
    ]  # fmt: skip
    english, italian = (load_locale(language, ()) for language in ("en", "it"))
    assert [english.ordinal(n) for n in (1, 2, 3, 4, 11, 22)] == ["1st", "2nd", "3rd", "4th", "11th", "22nd"]
    assert (italian.ordinal(3), italian.ordinal(3, "f")) == ("3º", "3ª")
    assert words["it"].value(Listing(())) == "nessuno"
    assert words["nl"].value(True) == "ja"
    assert words["it"].term("disc", "wongar", "num", 1_000_000) == "1.000.000 dischi"


def test_text_width_and_padding(words: dict[str, Translator]) -> None:
    english = words["en"]
    widths = {"Känguru": 7, "区域": 4, "e\u0301": 1, "\u202eab\u202c": 2}
    assert {text: english.width(text) for text in widths} == widths
    assert english.pad("区域", 6) == "区域  "
    assert english.pad("7", 3, "right") == "  7"
    assert english.pad("7", 3, "centre") == " 7 "
    assert english.pad("longer", 3) == "longer"


@pytest.mark.parametrize(
    ("language", "colour", "expected"),
    [
        ("de", "green", "zwei grüne Edelsteine"),
        ("nl", "green", "twee groene edelstenen"),
        ("en", "green", "two green gems"),
        ("it", "green", "due gemme verdi"),
        ("it", "red", "due gemme rosse"),
        ("it", "blue", "due gemme blu"),
        ("it", "brown", "due gemme marroni"),
        ("it", "yellow", "due gemme gialle"),
    ],
)
def test_equal_items_are_counted(words: dict[str, Translator], language: str, colour: str, expected: str) -> None:
    both, other = Term(colour, "ubongo"), Term("violet", "ubongo")

    def taken(front: Term, behind: Term, **more: Value) -> str:
        values: dict[str, Value] = {"player": ANNA, "field": Term("field_1", "ubongo"), **more}
        return words[language].say("gems_taken", "ubongo", front=front, behind=behind, **values)

    assert expected in taken(both, both)
    assert expected not in taken(both, other)
    # The event of a moved gem contains the gem that the message names as `behind`.
    assert taken(both, other, card=other) == taken(both, other)


#: Values of a sentence in the pseudo-languages, which reveal text that bypasses the catalogs or does not fit.
ARGS: dict[str, Value] = {
    "player": ANNA, "token": Term("cylinder", count=2), "owner": PlayerName("Bo"), "area": Term("emu"),
}  # fmt: skip


def test_long_pseudo_language_expands_and_accents_text() -> None:
    plain = Translator.load("en").say("wongar.removed", **ARGS)
    text = Translator.load("xx-long").say("wongar.removed", **ARGS)
    assert 1.3 * len(plain) <= len(text) <= 1.6 * len(plain)
    assert text.startswith("Anna ")
    assert " Bo" in text
    assert not any(letter in text.replace("Anna", "").replace("Bo", "") for letter in "aeiou")


def test_rtl_pseudo_language_reverses_text() -> None:
    words = Translator.load("xx-rtl")
    text = words.say("wongar.removed", **ARGS)
    assert text.count("\u202e") == text.count("\u202c") > 2
    assert words.width(text) == words.width(Translator.load("en").say("wongar.removed", **ARGS))


def test_wide_pseudo_language_doubles_the_width() -> None:
    words = Translator.load("xx-wide")
    text = words.say("wongar.last_round")
    assert words.width(text) == 2 * len(text)


def test_pseudo_languages_are_not_listed() -> None:
    assert not any(language.startswith("xx") for language in available())
