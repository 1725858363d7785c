"""Sentences for players in four languages."""

from __future__ import annotations

import pytest

from wongar_dsl.nlg.words import Genitive, Listing, PlayerName, Term, Text, Translator, Value, ValueList, available

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
SENT: dict[str, Value] = {
    "player": ANNA, "token": term("disc"), "from": term("hands"), "to": term("emu"), "n": 2,
}  # fmt: skip

SENTENCES: list[tuple[str, dict[str, Value], dict[str, str]]] = [
    (
        "wongar.removed",
        REMOVED,
        {
            "de": "Anna entfernt eine Walze von Aldo aus dem Känguru-Gebiet.",
            "nl": "Anna verwijdert een staafje van Aldo uit het kangoeroegebied.",
            "it": "Anna allontana un cilindro di Aldo dall’area del canguro.",
            "en": "Anna removes one cylinder belonging to Aldo from the kangaroo area.",
        },
    ),
    (
        "wongar.sent",
        SENT,
        {
            "de": "Anna verschiebt 2 Linsen aus dem Hände-Gebiet ins Emu-Gebiet.",
            "nl": "Anna verschuift 2 schijfjes uit het handengebied naar het emoegebied.",
            "it": "Anna sposta 2 dischi dall’area delle mani nell’area dell’emù.",
            "en": "Anna moves 2 discs from the hands area to the emu area.",
        },
    ),
    (
        "wongar.figure_moved",
        {"player": ANNA, "figure": term("elder"), "area": term("bat")},
        {
            "de": "Anna versetzt den Ältesten ins Fledermaus-Gebiet.",
            "nl": "Anna verplaatst de stamoudste naar het vleermuizengebied.",
            "it": "Anna sposta l’Anziano nell’area del pipistrello.",
            "en": "Anna moves the elder to the bat area.",
        },
    ),
    (
        "wongar.ceremony_begins",
        {"area": term("foot"), "summoner": term("both_together")},
        {
            "de": "Im Fuß-Gebiet beginnt eine Zeremonie „Urahne und Ältester“.",
            "nl": "In het voetgebied begint een ceremonie “voorvader en stamoudste”.",
            "it": "Nell’area del piede comincia una cerimonia «Antenato e Anziano».",
            "en": "A ceremony begins in the foot area, called by the ancestor and the elder.",
        },
    ),
    (
        "wongar.tie_broken",
        {"player": ANNA, "token": term("cube")},
        {
            "de": "Anna kommt beim Gleichstand um die Würfel im Uhrzeigersinn vom Urahnen aus zuerst.",
            "nl": "Anna komt bij de gelijke stand voor de blokjes met de klok mee vanaf de voorvader als eerste.",
            "it": "Anna vince lo spareggio per i cubi, in senso orario a partire dall’Antenato.",
            "en": "Anna comes first in the tie for the cubes, clockwise from the ancestor.",
        },
    ),
    (
        "wongar.majority",
        {"token": term("disc"), "area": term("fish"), "counts": ValueList(((ANNA, 2), (ALDO, 1)))},
        {
            "de": "Linsen im Fisch-Gebiet: Anna 2, Aldo 1.",
            "nl": "Schijfjes in het vissengebied: Anna 2, Aldo 1.",
            "it": "Dischi nell’area del pesce: Anna 2, Aldo 1.",
            "en": "Discs in the fish area: Anna 2, Aldo 1.",
        },
    ),
    (
        "wongar.phase_begins",
        {"phase": term("late")},
        {"de": "Phase 3 beginnt.", "nl": "Fase 3 begint.", "it": "Comincia la fase 3.", "en": "Phase 3 begins."},
    ),
    (
        "wongar.ritual_drawn",
        {"player": ANNA, "card": term("ritual_card")},
        {
            "de": "Anna zieht eine Ritualkarte.",
            "nl": "Anna trekt een ritueelkaart.",
            "it": "Anna pesca una carta rituale.",
            "en": "Anna draws a ritual card.",
        },
    ),
    (
        "wongar.card_taken",
        {"player": ANNA, "card": term("ancestor_card"), "area": term("snake")},
        {
            "de": "Anna nimmt die Gebietskarte „Urahne“ aus dem Schlangen-Gebiet.",
            "nl": "Anna pakt de gebiedskaart “voorvader” uit het slangengebied.",
            "it": "Anna prende la carta-area «Antenato» dall’area del serpente.",
            "en": "Anna takes the ancestor area card from the snake area.",
        },
    ),
    (
        "wongar.ceremony_scored",
        {"player": ANNA, "n": 1000, "token": term("cylinder")},
        {
            "de": "Anna erhält 1.000 Siegpunkte für die Walzen.",
            "nl": "Anna krijgt 1.000 winstpunten voor de staafjes.",
            "it": "Anna guadagna 1.000 punti vittoria per i cilindri.",
            "en": "Anna gains 1,000 victory points for the cylinders.",
        },
    ),
    (
        "wongar.stung",
        {"player": ANNA, "n": 1},
        {
            "de": "Der Skorpion kostet Anna einen Siegpunkt.",
            "nl": "De schorpioen kost Anna één winstpunt.",
            "it": "Lo scorpione costa un punto vittoria ad Anna.",
            "en": "The scorpion costs Anna one victory point.",
        },
    ),
    (
        "wongar.round_begins",
        {"round": 3, "player": ANNA},
        {
            "de": "Runde 3 beginnt mit Anna.",
            "nl": "Ronde 3 begint met Anna.",
            "it": "Il giro 3 comincia con Anna.",
            "en": "Round 3 begins with Anna.",
        },
    ),
    (
        "engine.tokens_moved",
        {
            "token": term("cube", 2),
            "from": Genitive(term("supply"), (ANNA,)),
            "to": Genitive(term("area_pile"), (term("kangaroo"),)),
        },
        {
            "de": "2 Würfel kommen aus dem Vorrat von Anna zum Gebietskartenstapel des Känguru-Gebiets.",
            "nl": "2 blokjes gaan uit de voorraad van Anna naar de gebiedskaartenstapel van het kangoeroegebied.",
            "it": "2 cubi vanno dalla riserva di Anna al mazzetto di carte-area dell’area del canguro.",
            "en": "2 cubes go from the supply of Anna to the pile of area cards of the kangaroo area.",
        },
    ),
    (
        "wongar.scorpion_slid_under",
        {"area": term("emu")},
        {
            "de": "Im Emu-Gebiet wird ein aufgedeckter Skorpion unter den Stapel geschoben.",
            "nl": "In het emoegebied wordt een opengedraaide schorpioen onder de stapel geschoven.",
            "it": "Nell’area dell’emù uno scorpione scoperto finisce sotto il mazzetto.",
            "en": "A face-up scorpion in the emu area is slid under the pile.",
        },
    ),
    (
        "wongar.passed_over",
        {"player": ANNA},
        {
            "de": "Anna wird mangels offener Karten übergangen.",
            "nl": "Anna wordt bij gebrek aan een open kaart overgeslagen.",
            "it": "Anna passa per mancanza di carte scoperte.",
            "en": "Anna is passed over for lack of a face-up card.",
        },
    ),
    (
        "engine.card_laid",
        {"card": term("card"), "from": Genitive(term("supply"), (ANNA,)), "to": term("board"), "area": Text("C3")},
        {
            "de": "Eine Karte kommt aus dem Vorrat von Anna zum Spielplan (C3).",
            "nl": "Een kaart gaat uit de voorraad van Anna naar het speelbord (C3).",
            "it": "Una carta va dalla riserva di Anna al tabellone (C3).",
            "en": "A card goes from the supply of Anna to the board (C3).",
        },
    ),
    (
        "engine.game_ended",
        {"winners": Listing((ANNA, ALDO))},
        {
            "de": "Das Spiel ist zu Ende. Der Sieg geht an Anna und Aldo.",
            "nl": "Het spel is afgelopen. De overwinning gaat naar Anna en Aldo.",
            "it": "La partita è finita. Vincono Anna e Aldo.",
            "en": "The game is over. Anna and Aldo win.",
        },
    ),
]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("message", "args", "expected"), SENTENCES, ids=[row[0] for row in SENTENCES])
def test_messages_are_realised(
    words: dict[str, Translator], language: str, message: str, args: dict[str, Value], expected: dict[str, str]
) -> None:
    assert words[language].say(message, **args) == expected[language]


@pytest.mark.parametrize(
    ("language", "name", "spec", "expected"),
    [
        ("de", "elder", "indef", "ein Ältester"),
        ("de", "elder", "def", "der Älteste"),
        ("de", "elder", "def gen", "des Ältesten"),
        ("de", "elder", "def pl", "die Ältesten"),
        ("de", "elder", "pl", "Älteste"),
        ("de", "ancestor", "von def", "vom Urahnen"),
        ("de", "supply", "zu def", "zum Vorrat"),
        ("de", "card", "zu def", "zur Karte"),
        ("de", "area", "in any pl acc", "in beliebige Gebiete"),
        ("de", "area", "in any acc", "in ein beliebiges Gebiet"),
        ("de", "area", "in def dat pl", "in den Gebieten"),
        ("de", "card", "offen indef acc", "eine offene Karte"),
        ("de", "card", "offen pl", "offene Karten"),
        ("de", "pile", "verdeckt def dat", "dem verdeckten Stapel"),
        ("de", "pile", "verdeckt indef", "ein verdeckter Stapel"),
        ("de", "token", "not_any pl acc", "keine Spielsteine"),
        ("de", "kangaroo", "short", "Känguru"),
        ("nl", "card", "any", "een willekeurige kaart"),
        ("nl", "area", "any", "een willekeurig gebied"),
        ("nl", "pile", "dicht indef", "een dichte stapel"),
        ("nl", "area", "nieuw indef", "een nieuw gebied"),
        ("nl", "area", "nieuw def", "het nieuwe gebied"),
        ("nl", "kangaroo", "short", "kangoeroe"),
        ("it", "scorpion", "def", "lo scorpione"),
        ("it", "scorpion", "su def pl", "sugli scorpioni"),
        ("it", "elder", "a def", "all’Anziano"),
        ("it", "elder", "di def pl", "degli Anziani"),
        ("it", "area", "indef", "un’area"),
        ("it", "scorpion", "indef", "uno scorpione"),
        ("it", "card", "coperto indef", "una carta coperta"),
        ("it", "area", "altro indef", "un’altra area"),
        ("it", "token", "altro def pl", "gli altri segnalini"),
        ("it", "token", "tuo in", "nel tuo segnalino"),
        ("it", "kangaroo", "short", "canguro"),
        ("en", "area", "indef", "an area"),
        ("en", "area", "own", "one of their own areas"),
        ("en", "kangaroo", "short", "kangaroo"),
    ],
)
def test_terms_are_inflected(words: dict[str, Translator], language: str, name: str, spec: str, expected: str) -> None:
    assert words[language].term(name, "wongar", spec) == expected


def test_italian_preposition_before_a_name_is_euphonic(words: dict[str, Translator]) -> None:
    assert words["it"].say("engine.turn_begins", player=ANNA) == "Tocca ad Anna."
    assert words["it"].say("engine.turn_begins", player=PlayerName("Bice")) == "Tocca a Bice."


def test_english_possessives(words: dict[str, Translator]) -> None:
    assert words["en"].say("engine.turn_begins", player=ANNA) == "It is Anna’s turn."
    assert words["en"].say("engine.turn_begins", player=PlayerName("Ines")) == "It is Ines’s turn."


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


def test_numbers_ordinals_and_lists(words: dict[str, Translator]) -> None:
    assert [words[language].number(1_234_567) for language in LANGUAGES] == [
        "1.234.567", "1.234.567", "1.234.567", "1,234,567",
    ]  # fmt: skip
    assert [words["en"].ordinal(n) for n in (1, 2, 3, 4, 11, 22)] == ["1st", "2nd", "3rd", "4th", "11th", "22nd"]
    assert (words["it"].ordinal(3), words["it"].ordinal(3, "f")) == ("3º", "3ª")
    assert words["de"].listing((ANNA, ALDO, PlayerName("Ida")), "or") == "Anna, Aldo oder Ida"
    assert words["it"].listing(()) == "nessuno"
    assert words["nl"].value(True) == "ja"


def test_italian_millions_have_a_form(words: dict[str, Translator]) -> None:
    assert words["it"].term("disc", "wongar", "num", 1_000_000) == "1.000.000 dischi"


def test_text_width_and_padding(words: dict[str, Translator]) -> None:
    english = words["en"]
    assert (
        english.width("Känguru"),
        english.width("区域"),
        english.width("e\u0301"),
        english.width("\u202eab\u202c"),
    ) == (
        7,
        4,
        1,
        2,
    )
    assert english.pad("区域", 6) == "区域  "
    assert english.pad("7", 3, "right") == "  7"
    assert english.pad("7", 3, "centre") == " 7 "
    assert english.pad("longer", 3) == "longer"


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("de", "zwei Edelsteine, beide grün"),
        ("nl", "twee edelstenen, allebei groen"),
        ("it", "due gemme verdi"),
        ("en", "two green gems"),
    ],
)
def test_equal_items_are_counted(language: str, expected: str) -> None:
    words = Translator.load(language, strict=True)
    colours = [Term(name, "ubongo") for name in ("green", "red")]
    field = Term("field_1", "ubongo")

    def taken_text(front: Term, behind: Term) -> str:
        return words.say("gems_taken", "ubongo", player=PlayerName("Anna"), front=front, behind=behind, field=field)

    assert expected in taken_text(colours[0], colours[0])
    assert expected not in taken_text(*colours)


@pytest.mark.parametrize("language", available())
def test_unused_argument_is_not_counted_as_an_equal_item(language: str) -> None:
    """The event of a moved gem contains the gem that the message names as `behind`."""
    words = Translator.load(language, strict=True)
    terms = {"front": "yellow", "behind": "green", "field": "field_1"}
    values = {name: Term(term, "ubongo") for name, term in terms.items()}
    plain = words.say("gems_taken", "ubongo", player=PlayerName("Anna"), **values)
    assert words.say("gems_taken", "ubongo", player=PlayerName("Anna"), card=values["behind"], **values) == plain


@pytest.mark.parametrize(
    ("colour", "form"),
    [("red", "rosse"), ("green", "verdi"), ("blue", "blu"), ("brown", "marroni"), ("yellow", "gialle")],
)
def test_italian_colour_agrees_with_two_gems(colour: str, form: str) -> None:
    both, field = Term(colour, "ubongo"), Term("field_1", "ubongo")
    sentence = Translator.load("it", strict=True).say(
        "gems_taken", "ubongo", player=PlayerName("Anna"), front=both, behind=both, field=field
    )
    assert sentence == f"Anna prende due gemme {form} dalla casella 1."
