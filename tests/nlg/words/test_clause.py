"""Clauses: agreement, marks and lists; the golden rulebooks have them in all word orders."""

from __future__ import annotations

import pytest

from wongar_dsl.nlg.words.arguments import Listing, PlayerName, Term, WordsError
from wongar_dsl.nlg.words.clause import Order, parse_template, without_marks
from wongar_dsl.nlg.words.locale import Locale, load_locale

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


def test_prepositional_phrase_before_the_verb_is_no_subject(speeches: dict[str, Locale]) -> None:
    text = "{areas:in and def dat} [findet|finden] eine Zeremonie [+statt]."
    values = {"areas": Listing((Term("emu", "wongar"), Term("bat", "wongar")))}
    sentence = speeches["de"].sentence(parse_template(text), values)
    assert sentence == "Im Emu-Gebiet und im Fledermaus-Gebiet findet eine Zeremonie statt."


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
