"""Noun phrases in four languages: described, possessed, or as pronouns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from tests.nlg.prose.books import reading
from wongar_dsl.nlg.prose.document.document_model import Prose
from wongar_dsl.nlg.words.arguments import Attribute, Listing, NounPhrase, Relative, Sentence, Term, Value
from wongar_dsl.nlg.words.errors import WordsError
from wongar_dsl.nlg.words.locale import Locale, load_locale
from wongar_dsl.nlg.words.noun_phrase import CLOSE, OPEN, fix_commas
from wongar_dsl.nlg.words.slots import SlotSpec
from wongar_dsl.nlg.words.template import parse_template

#: Sentences of an imaginary game by language, English first.
MESSAGES: Mapping[str, Mapping[str, str]] = {
    "en": {
        "x.places": "{player} [places|place] {token} {area:in def}.",
        "x.takes": "{player} [takes|take] {token}.",
        "x.lies": "{card:indef} [lies|lie] {area:in def}.",
        "x.away": "{area} [is|are|be] at most two steps away from {other:def}.",
        "x.puts": "{player} [puts|put] {token} into {supply}.",
        "x.of_card": "of {card:def}",
        "x.has": "{player} [has|have] {token} {area:in def}.",
        "x.when": "If {condition:subordinate}, {then:inverted}.",
        "x.may": "{player} may {deed:infinitive}.",
    },
    "de": {
        "x.places": "{player} [setzt|setzen] {token:acc} {area:in def acc}.",
        "x.takes": "{player} [nimmt|nehmen] {token:acc} [+auf].",
        "x.lies": "{card:indef} [liegt|liegen] {area:in def dat}.",
        "x.away": "{area} [ist|sind|sein] höchstens zwei Schritte {other:von def} [=entfernt].",
        "x.puts": "{player} [legt|legen] {token:acc} {supply:in acc}.",
        "x.of_card": "{card:def gen}",
        "x.has": "{player} [hat|haben] {token:acc} {area:in def dat}.",
        "x.when": "Wenn {condition:subordinate}, {then:inverted}.",
        "x.may": "{player} darf {deed:infinitive}.",
    },
    "nl": {
        "x.places": "{player} [zet|zetten] {token} {area:in def}.",
        "x.takes": "{player} [pakt|pakken] {token} [+op].",
        "x.lies": "{card:indef} [ligt|liggen] {area:in def}.",
        "x.away": "{area} [is|zijn] hoogstens twee stappen {other:van def} [=verwijderd].",
        "x.puts": "{player} [legt|leggen] {token} {supply:in}.",
        "x.of_card": "{card:van def}",
        "x.has": "{player} [heeft|hebben] {token} {area:in def}.",
        "x.when": "Als {condition:subordinate}, {then:inverted}.",
        "x.may": "{player} mag {deed:infinitive}.",
    },
    "it": {
        "x.places": "{player} [piazza|piazzano|piazzare] {token} {area:in def}.",
        "x.takes": "{player} [prende|prendono|prendere] {token}.",
        "x.lies": "{area:in def} [si trova|si trovano|trovarsi] {card:indef}.",
        "x.away": "{area} [dista|distano|distare] al massimo due passi {other:da def}.",
        "x.puts": "{player} [mette|mettono|mettere] {token} {supply:in}.",
        "x.of_card": "{card:di def}",
        "x.has": "{player} [ha|hanno|avere] {token} {area:in def}.",
        "x.when": "Se {condition:subordinate}, {then:inverted}.",
        "x.may": "{player} può {deed:infinitive}.",
    },
}

PLAYER, EVERY = NounPhrase(Term("player"), ("def",)), NounPhrase(Term("player"), ("every",))
TOKEN = NounPhrase(Term("token"), ("indef",))
AREA = NounPhrase(Term("area"), ("def",), (Attribute("of_card", {"card": Term("card")}),))
WITH_CARD = Relative("lies", "area", {"card": Term("card")})
AWAY_CLAUSE = Relative("away", "area", {"other": NounPhrase(Term("area"), ("this",))})
WITH_TOKEN = Relative("has", "player", {"token": TOKEN, "area": AREA})
SUPPLY = NounPhrase(Term("supply"), own=True)
HAS = Sentence("has", {"player": PLAYER, "token": TOKEN, "area": AREA})


def pronoun_of(subject: NounPhrase) -> NounPhrase:
    return NounPhrase(subject.head, subject.words, pronoun=True)


CASES: list[tuple[str, dict[str, Value], dict[str, str]]] = [
    (
        "places",
        {"player": PLAYER, "token": NounPhrase(Term("token"), ("further",)), "area": AREA},
        {
            "de": "Der Spieler setzt einen weiteren Spielstein ins Gebiet der Karte.",
            "nl": "De speler zet nog een speelsteen in het gebied van de kaart.",
            "en": "The player places another token in the area of the card.",
            "it": "Il giocatore piazza un altro segnalino nell’area della carta.",
        },
    ),
    (
        "places",
        {
            "player": EVERY,
            "token": NounPhrase(Term("token", count=3), ("top",)),
            "area": NounPhrase(Term("area"), ("indef",), (WITH_CARD,)),
        },
        {
            "de": "Jeder Spieler setzt 3 oberste Spielsteine in ein Gebiet, in dem eine Karte liegt.",
            "nl": "Elke speler zet 3 bovenste speelstenen in een gebied waarin een kaart ligt.",
            "en": "Every player places 3 top tokens in an area in which a card lies.",
            "it": "Ogni giocatore piazza 3 primi segnalini in un’area in cui si trova una carta.",
        },
    ),
    (
        "takes",
        {"player": NounPhrase(Term("player"), ("every",), (WITH_TOKEN,)), "token": TOKEN},
        {
            "de": "Jeder Spieler, der einen Spielstein im Gebiet der Karte hat, nimmt einen Spielstein auf.",
            "nl": "Elke speler die een speelsteen in het gebied van de kaart heeft, pakt een speelsteen op.",
            "en": "Every player who has a token in the area of the card takes a token.",
            "it": "Ogni giocatore che ha un segnalino nell’area della carta prende un segnalino.",
        },
    ),
    (
        "puts",
        {"player": EVERY, "token": TOKEN, "supply": SUPPLY},
        {
            "de": "Jeder Spieler legt einen Spielstein in seinen Vorrat.",
            "nl": "Elke speler legt een speelsteen in zijn voorraad.",
            "en": "Every player puts a token into their supply.",
            "it": "Ogni giocatore mette un segnalino nella sua riserva.",
        },
    ),
    (
        "when",
        {"condition": HAS, "then": Sentence("takes", {"player": pronoun_of(PLAYER), "token": TOKEN})},
        {
            "de": "Wenn der Spieler einen Spielstein im Gebiet der Karte hat, nimmt er einen Spielstein auf.",
            "nl": "Als de speler een speelsteen in het gebied van de kaart heeft, pakt hij een speelsteen op.",
            "en": "If the player has a token in the area of the card, they take a token.",
            "it": "Se il giocatore ha un segnalino nell’area della carta, prende un segnalino.",
        },
    ),
    (
        "may",
        {"player": PLAYER, "deed": Sentence("takes", {"token": NounPhrase(Term("token", count=2))})},
        {
            "de": "Der Spieler darf 2 Spielsteine aufnehmen.",
            "nl": "De speler mag 2 speelstenen oppakken.",
            "en": "The player may take 2 tokens.",
            "it": "Il giocatore può prendere 2 segnalini.",
        },
    ),
    (
        "places",
        {"player": PLAYER, "token": TOKEN, "area": NounPhrase(Term("area"), ("another",), (AWAY_CLAUSE,))},
        {
            "de": "Der Spieler setzt einen Spielstein in ein anderes Gebiet, das höchstens zwei Schritte von diesem "
            "Gebiet entfernt ist.",
            "nl": "De speler zet een speelsteen in een ander gebied dat hoogstens twee stappen van dit gebied "
            "verwijderd is.",
            "en": "The player places a token in another area that is at most two steps away from this area.",
            "it": "Il giocatore piazza un segnalino in un’altra area che dista al massimo due passi da quest’area.",
        },
    ),
]


def test_verbs_of_a_list_agree_with_the_form_of_their_subject(speeches: dict[str, Locale]) -> None:
    first, then = (NounPhrase(PLAYER.head, PLAYER.words, pronoun=pronoun, key=1) for pronoun in (False, True))
    takes, puts = Sentence("takes", {"player": first, "token": TOKEN}), {"token": TOKEN, "supply": SUPPLY}
    for player, last, text in (
        (first, then, "the player takes a token, puts a token into their supply and takes a token"),
        (then, then, "they take a token, put a token into their supply and take a token"),
    ):
        deeds = (takes, Sentence("puts", {"player": last, **puts}), Sentence("takes", {"player": last, "token": TOKEN}))
        deeds = (Sentence("takes", {"player": player, "token": TOKEN}), *deeds[1:])
        value = Listing(deeds)
        assert speeches["en"].realiser.value(value, SlotSpec(conjunction="and"), "x") == text


@pytest.fixture(scope="module")
def speeches(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Locale]:
    root = tmp_path_factory.mktemp("words")
    for language, messages in MESSAGES.items():
        (root / language).mkdir()
        entries = [
            f'msgctxt "{name}"\nmsgid "{MESSAGES["en"][name]}"\nmsgstr "{text if language != "en" else ""}"\n'
            for name, text in messages.items()
        ]
        (root / language / "x.po").write_text("\n".join(entries), encoding="utf-8")
    return {language: load_locale(language, [root], strict=True) for language in MESSAGES}


def say(speech: Locale, message: str, values: Mapping[str, Value]) -> str:
    return speech.realiser.sentence(speech.realiser.template(message, "x"), values, "x")


@pytest.mark.parametrize("language", list(MESSAGES))
@pytest.mark.parametrize(("message", "values", "texts"), CASES)
def test_noun_phrases_are_realised_naturally(
    speeches: dict[str, Locale], message: str, values: dict[str, Value], texts: dict[str, str], language: str
) -> None:
    assert say(speeches[language], message, values) == texts[language]


@pytest.mark.parametrize(
    ("message", "values", "name"),
    [
        ("gone", {}, "unknown_message"),
        ("takes", {"player": NounPhrase(Term("player"), ("shiny",)), "token": TOKEN}, "unknown_word"),
        (
            "takes",
            {"player": NounPhrase(Term("player"), ("def",), (Attribute("gone"),)), "token": TOKEN},
            "unknown_message",
        ),
        (
            "takes",
            {"player": NounPhrase(Term("player"), ("def",), (Relative("of_card", "card"),)), "token": TOKEN},
            "no_verb",
        ),
        (
            "takes",
            {"player": NounPhrase(Term("player"), ("def",), (Relative("has", "gone"),)), "token": TOKEN},
            "missing_slot",
        ),
    ],
)
def test_missing_words_are_errors(
    speeches: dict[str, Locale], message: str, values: dict[str, Value], name: str
) -> None:
    with pytest.raises(WordsError, match=name):
        say(speeches["de"], message, values)


def test_nested_clauses_leave_no_markers(speeches: dict[str, Locale]) -> None:
    """Internal markers stand for commas that depend on the following text."""
    near = NounPhrase(Term("area"), ("indef",), (AWAY_CLAUSE,))
    relative = Relative("lies", "card", {"area": near})
    values: dict[str, Value] = {"player": PLAYER, "token": NounPhrase(Term("token"), ("indef",), (relative,))}
    assert say(speeches["de"], "takes", values) == (
        "Der Spieler nimmt einen Spielstein, der in einem Gebiet liegt, das höchstens zwei Schritte von diesem Gebiet "
        "entfernt ist, auf."
    )
    assert not {"\ue000", "\ue001"} & set(say(speeches["nl"], "takes", values))


def test_clause_in_a_modifier_is_enclosed_in_commas() -> None:
    """The closing comma is needed if text follows; a possessive refers to the subject of the sentence."""
    german = load_locale("de", (), strict=True).realiser
    player, place = NounPhrase(Term("player"), ("every",)), NounPhrase(Term("supply"), own=True)
    values: dict[str, Value] = {
        "player": pronoun_of(PLAYER),
        "what": NounPhrase(Term("card"), several=True),
        "place": place,
    }
    steps = NounPhrase(Term("step"), ("as_many",), (Attribute("prose.as_many_theirs", values),), several=True)
    going = parse_template("{player} [geht|gehen] {steps:acc} weit.")
    assert german.sentence(going, {"player": player, "steps": steps}) == (
        "Jeder Spieler geht so viele Schritte, wie er in seinem Vorrat Karten hat, weit."
    )


def test_position_of_a_place_adverb_depends_on_definiteness() -> None:
    """In Dutch: *Als hij daar schepen heeft*; a named place keeps its own position."""
    dutch = load_locale("nl", (), strict=True).realiser
    when = parse_template("Als {condition:subordinate}.")

    def condition(what: NounPhrase, place: NounPhrase) -> str:
        values: dict[str, Value] = {"player": PLAYER, "what": what, "place": place}
        return dutch.sentence(when, {"condition": Sentence("prose.has", values)})

    supply = NounPhrase(Term("supply"), ("def",))
    there = replace(supply, there=True)
    assert condition(TOKEN, supply) == "Als de speler een speelsteen in de voorraad heeft."
    assert condition(TOKEN, there) == "Als de speler daar een speelsteen heeft."
    assert condition(NounPhrase(Term("token"), ("this",)), there) == "Als de speler deze speelsteen daar heeft."


def test_dutch_relative_clause_has_only_a_closing_comma() -> None:
    """For example *doet elke speler die wacht, het volgende*."""
    dutch = load_locale("nl", (), strict=True).realiser
    having: dict[str, Value] = {"what": TOKEN, "place": NounPhrase(Term("supply"), ("def",))}
    player = NounPhrase(Term("player"), ("every",), (Relative("prose.has", "player", having),))
    does = parse_template("{does:inverted}.")
    assert dutch.sentence(does, {"does": Sentence("prose.does", {"player": player})}) == (
        "Doet elke speler die een speelsteen in de voorraad heeft, het volgende."
    )


def test_known_direction_has_an_article() -> None:
    """*In het westen*, but *in deze richting* with a demonstrative."""
    dutch = load_locale("nl", (), strict=True).realiser

    def space_text(way: Value) -> str:
        beside: dict[str, Value] = {"one": NounPhrase(Term("card"), ("def",)), "two": way}
        space = NounPhrase(Term("space"), ("def",), (Attribute("prose.next_to", beside),))
        return dutch.sentence(parse_template("{space}."), {"space": space})

    assert space_text(Term("west")) == "Het veld naast de kaart in het westen."
    assert space_text(NounPhrase(Term("direction"), ("this",))) == "Het veld naast de kaart in deze richting."


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", ("ins Stoffsäckchen", "aus dem Stoffsäckchen")),
        ("nl", ("in de stoffen zak", "uit de stoffen zak")),
        ("it", ("nel sacchetto di stoffa", "dal sacchetto di stoffa")),
        ("en", ("into the cloth bag", "from the cloth bag")),
    ],
)
def test_shared_thing_is_singular_without_an_owner(language: str, said: tuple[str, str]) -> None:
    """The contents of each player are modelled separately, but the text has one thing; a variant may differ."""

    def lines(game: str) -> str:
        result = reading(game, language)
        blocks = (block for _, section in result.book.walk() for block in section.blocks if isinstance(block, Prose))
        return "\n".join(unit.text for block in blocks for unit in result.units(block))

    assert all(words in lines("wongar") for words in said)
    assert not any(words in lines("wongar/initiated") for words in said)


@pytest.mark.parametrize(
    ("marked", "text"),
    [
        (f"das Feld{OPEN}, das er wählt{CLOSE} (schräg) gehört ihm", "das Feld, das er wählt (schräg), gehört ihm"),
        (f"ein Feld{OPEN}, das er wählt{CLOSE}{CLOSE} (nur schräg).", "ein Feld, das er wählt (nur schräg)."),
        (f"das Feld{OPEN}, das er wählt{CLOSE} gehört ihm", "das Feld, das er wählt, gehört ihm"),
    ],
)
def test_a_clause_before_a_parenthesis_has_its_comma_behind_it(marked: str, text: str) -> None:
    assert fix_commas(marked, "around") == text
