"""Clauses and noun phrases: agreement, marks and places; the golden rulebooks have them in all word orders."""

from __future__ import annotations

from dataclasses import replace

import pytest

from wongar_dsl.nlg.words.arguments import (
    Attribute,
    Listing,
    NounPhrase,
    PlayerName,
    Relative,
    Sentence,
    Term,
    Value,
    WordsError,
)
from wongar_dsl.nlg.words.clause import CLOSE, OPEN, Order, after_verb, fix_commas, parse_template, without_marks
from wongar_dsl.nlg.words.locale import Locale, load_locale
from wongar_dsl.nlg.words.slots import SlotSpec

ANNA, BERT = PlayerName("Anna"), PlayerName("Bert")


@pytest.fixture(scope="module")
def speeches() -> dict[str, Locale]:
    return {language: load_locale(language, ()) for language in ("de", "nl", "it", "en")}


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("de", "{players:and} [scheidet|scheiden] [+aus].", "Anna und Bert scheiden aus."),
        ("nl", "{players:and} [stopt|stoppen].", "Anna en Bert stoppen."),
        ("en", "{players:and} [leaves|leave].", "Anna and Bert leave."),
        ("it", "{players:and} [lascia|lasciano|lasciare].", "Anna e Bert lasciano."),
        ("de", "{token:num nom} [liegt|liegen] dort.", "2 Linsen liegen dort."),
        ("de", "{role:def pl} [wartet|warten].", "Die Spieler warten."),
        ("en", "{n:disc} [lies|lie] there.", "2 discs lie there."),
        ("en", "it [is|is|be] {role:possessive def} turn.", "It is the player’s turn."),
        ("it", "[lascia|lasciano|lasciare] {players:and}.", "Lasciano Anna e Bert."),
        ("it", "lo scorpione [lascia|lasciano|lasciare] {players:and}.", "Lo scorpione lascia Anna e Bert."),
        ("it", "[tocca|toccano|toccare] {players:a and}.", "Tocca ad Anna e Bert."),
        ("de", "{players:and dat} [fehlt|fehlen] eine Linse.", "Anna und Bert fehlt eine Linse."),
        ("de", "{n:disc in dat} [liegt|liegen] {token:num}.", "In 2 Linsen liegen 2 Linsen."),
    ],
)
def test_verb_agrees_with_its_subject(speeches: dict[str, Locale], language: str, text: str, said: str) -> None:
    values = {"players": Listing((ANNA, BERT)), "token": Term("disc", "wongar", 2), "n": 2, "role": Term("player")}
    assert speeches[language].sentence(parse_template(text), values, "wongar") == said


PLAYER, TOKEN, SUPPLY, CARD = (NounPhrase(Term(name), ("def",)) for name in ("player", "token", "supply", "card"))
CARDS: dict[str, Value] = {
    "player": replace(PLAYER, pronoun=True),
    "what": NounPhrase(Term("card"), several=True),
    "place": NounPhrase(Term("supply"), own=True),
}
STEPS = NounPhrase(Term("step"), ("as_many",), (Attribute("prose.as_many_theirs", CARDS),), several=True)
AREAS = Listing((Term("emu", "wongar"), Term("bat", "wongar")))


def owning(what: NounPhrase, place: NounPhrase) -> Sentence:
    return Sentence("prose.has", {"player": PLAYER, "what": what, "place": place})


def beside(way: Value) -> NounPhrase:
    return NounPhrase(Term("space"), ("def",), (Attribute("prose.next_to", {"one": CARD, "two": way}),))


@pytest.mark.parametrize(
    ("language", "text", "values", "said"),
    [
        # A prepositional phrase before the verb is no subject.
        ("de", "{areas:in and def dat} [findet|finden] eine Zeremonie [+statt].", {"areas": AREAS},
         "Im Emu-Gebiet und im Fledermaus-Gebiet findet eine Zeremonie statt."),
        # The closing comma is needed if text follows; a possessive refers to the subject of the sentence.
        ("de", "{player} [geht|gehen] {steps:acc} weit.",
         {"player": NounPhrase(Term("player"), ("every",)), "steps": STEPS},
         "Jeder Spieler geht so viele Schritte, wie er in seinem Vorrat Karten hat, weit."),
        # An adverb for a place stands before an indefinite thing.
        ("nl", "Als {it:subordinate}.", {"it": owning(replace(TOKEN, words=("indef",)), SUPPLY)},
         "Als de speler een speelsteen in de voorraad heeft."),
        ("nl", "Als {it:subordinate}.", {"it": owning(replace(TOKEN, words=("indef",)), replace(SUPPLY, there=True))},
         "Als de speler daar een speelsteen heeft."),
        ("nl", "Als {it:subordinate}.", {"it": owning(replace(TOKEN, words=("this",)), replace(SUPPLY, there=True))},
         "Als de speler deze speelsteen daar heeft."),
        # A known direction has an article, but no demonstrative has one beside it.
        ("nl", "{space}.", {"space": beside(Term("west"))}, "Het veld naast de kaart in het westen."),
        ("nl", "{space}.", {"space": beside(NounPhrase(Term("direction"), ("this",)))},
         "Het veld naast de kaart in deze richting."),
    ],
)  # fmt: skip
def test_phrases_stand_in_their_place(language: str, text: str, values: dict[str, Value], said: str) -> None:
    assert load_locale(language, (), strict=True).sentence(parse_template(text), values) == said


@pytest.mark.parametrize(
    ("short", "text"), [(False, "the player does the following and does"), (True, "they do the following and do")]
)
def test_verbs_of_a_list_agree_with_the_form_of_their_subject(short: bool, text: str) -> None:
    players = (replace(PLAYER, pronoun=pronoun, key=1) for pronoun in (short, True))
    deeds = Listing(tuple(Sentence("prose.does", {"player": player}) for player in players))
    assert load_locale("en", ()).value(deeds, SlotSpec(conjunction="and")).startswith(text)


@pytest.mark.parametrize(
    ("words", "modifiers", "name"),
    [
        (("shiny",), (), "unknown_word"),
        (("def",), (Attribute("gone"),), "unknown_message"),
        (("def",), (Relative("prose.of.one", "owner"),), "no_verb"),
        (("def",), (Relative("prose.has", "gone"),), "missing_slot"),
    ],
)
def test_missing_words_are_errors(
    words: tuple[str, ...], modifiers: tuple[Attribute | Relative, ...], name: str
) -> None:
    german = load_locale("de", (), strict=True)
    with pytest.raises(WordsError, match=name):
        german.sentence(
            parse_template("{player} [wartet|warten]."), {"player": NounPhrase(PLAYER.head, words, modifiers)}
        )
    with pytest.raises(WordsError, match="unknown_message"):
        german.template("gone", "x")


@pytest.mark.parametrize("text", ["{p} [geht|gehen] und [bleibt|bleiben].", "{p} geht [+vor].", "{p} [geht|  ]."])
def test_invalid_verb_marks_are_refused(text: str) -> None:
    with pytest.raises(WordsError, match="bad_mark"):
        parse_template(text, "x")


@pytest.mark.parametrize("text", ["wongar [PFAD …]", "[j/n]", "a [ b ] c", "[x|]", "[|x]", "[[a|b]]", "[[+a]] b"])
def test_other_brackets_are_kept(speeches: dict[str, Locale], text: str) -> None:
    plain = text.replace("[[", "[").replace("]]", "]")
    assert speeches["de"].sentence(parse_template(text), {}) == without_marks(text) == plain


def test_empty_clause_end_leaves_no_space() -> None:
    assert [without_marks(text) for text in ("a [+] b", "a[+] b", "a[+], b")] == ["a b", "a b", "a, b"]


def test_sentence_without_marks_cannot_be_a_clause(speeches: dict[str, Locale]) -> None:
    with pytest.raises(WordsError, match="no_verb"):
        speeches["de"].clause(parse_template("{player} setzt."), {"player": ANNA}, Order.INVERTED)


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


@pytest.mark.parametrize(
    ("before", "clause"),
    [
        ("ein Feld", f"{OPEN}, das er hat{CLOSE}"),
        ("ein Feld", f"{OPEN}, das an ein Gebiet{OPEN}, das er hat{CLOSE} grenzt{CLOSE}"),
        (f"das Feld{OPEN}, das er hat{CLOSE} oder eins", f"{OPEN}, das frei ist{CLOSE}"),
    ],
)
def test_a_clause_before_the_last_verb_moves_behind_it(before: str, clause: str) -> None:
    assert after_verb(f"{before}{clause} wählen", "wählen") == f"{before} wählen{clause}"
    assert after_verb(f"{before}{clause} frei wählen", "wählen") == f"{before}{clause} frei wählen"
