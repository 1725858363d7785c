"""Noun phrases in four languages: described, possessed, or as pronouns."""

from __future__ import annotations

from dataclasses import replace

import pytest

from wongar_dsl.nlg.words.arguments import Attribute, Listing, NounPhrase, Relative, Sentence, Term, Value, WordsError
from wongar_dsl.nlg.words.clause import parse_template
from wongar_dsl.nlg.words.locale import load_locale
from wongar_dsl.nlg.words.slots import SlotSpec

PLAYER, TOKEN = NounPhrase(Term("player"), ("def",)), NounPhrase(Term("token"), ("indef",))


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


def test_verbs_of_a_list_agree_with_the_form_of_their_subject() -> None:
    for short, text in ((False, "the player does the following and does"), (True, "they do the following and do")):
        player = NounPhrase(PLAYER.head, PLAYER.words, pronoun=short, key=1)
        again = NounPhrase(PLAYER.head, PLAYER.words, pronoun=True, key=1)
        deeds = Listing((Sentence("prose.does", {"player": player}), Sentence("prose.does", {"player": again})))
        said = load_locale("en", ()).value(deeds, SlotSpec(conjunction="and"))
        assert said.startswith(text), said


def test_clause_in_a_modifier_is_enclosed_in_commas() -> None:
    """The closing comma is needed if text follows; a possessive refers to the subject of the sentence."""
    german = load_locale("de", (), strict=True)
    player, place = NounPhrase(Term("player"), ("every",)), NounPhrase(Term("supply"), own=True)
    values: dict[str, Value] = {
        "player": NounPhrase(PLAYER.head, PLAYER.words, pronoun=True),
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
    dutch = load_locale("nl", (), strict=True)
    when = parse_template("Als {condition:subordinate}.")

    def condition(what: NounPhrase, place: NounPhrase) -> str:
        values: dict[str, Value] = {"player": PLAYER, "what": what, "place": place}
        return dutch.sentence(when, {"condition": Sentence("prose.has", values)})

    supply = NounPhrase(Term("supply"), ("def",))
    there = replace(supply, there=True)
    assert condition(TOKEN, supply) == "Als de speler een speelsteen in de voorraad heeft."
    assert condition(TOKEN, there) == "Als de speler daar een speelsteen heeft."
    assert condition(NounPhrase(Term("token"), ("this",)), there) == "Als de speler deze speelsteen daar heeft."


def test_known_direction_has_an_article() -> None:
    """*In het westen*, but *in deze richting* with a demonstrative."""
    dutch = load_locale("nl", (), strict=True)

    def space_text(way: Value) -> str:
        beside: dict[str, Value] = {"one": NounPhrase(Term("card"), ("def",)), "two": way}
        space = NounPhrase(Term("space"), ("def",), (Attribute("prose.next_to", beside),))
        return dutch.sentence(parse_template("{space}."), {"space": space})

    assert space_text(Term("west")) == "Het veld naast de kaart in het westen."
    assert space_text(NounPhrase(Term("direction"), ("this",))) == "Het veld naast de kaart in deze richting."
