"""A name for a kind of cards is worded as a kind, and a card that moves by that name as one of this kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from .books import LANGUAGES, model, rules_in, rules_of, text_of_book, words
from .test_antecedents import lines

VARIANT = """variant kinds of {base}
    source house rule
before {where}
    {statement}
"""
#: Statements about kinds of cards, with the words that the sentence must have in each language.
KINDS = {
    "for each c in kind of card in spent\n        player(1) gains 77 points": {
        "en": "For every kind of card on the discard pile", "de": "Für jede Sorte Karten auf dem Ablagestapel",
        "nl": "Voor elke soort kaart op de aflegstapel", "it": "Per ogni tipo di carta nel mazzo degli scarti",
    },
    "for each c in kind of card in spent where worth of c > 1\n        player(1) gains 77 points": {
        "en": "the value of this kind", "de": "der Wert dieser Sorte", "nl": "de waarde van deze soort",
        "it": "il valore di questo tipo",
    },
    "for each c in kind of card in spent\n        player(1) gains count of c in prizes points": {
        "en": "cards of this kind on the pile of prizes", "de": "Karten dieser Sorte auf dem Preisstapel",
        "nl": "kaarten van deze soort op de prijzenstapel",
        "it": "carte di questo tipo che ci sono nel mazzo dei premi",
    },
    "for each c in kind of card in spent\n        player(1) gains number of d in prizes where d is c points": {
        "en": "cards of this kind on the pile of prizes", "de": "Karten dieser Sorte auf dem Preisstapel",
        "nl": "kaarten van deze soort op de prijzenstapel",
        "it": "carte di questo tipo che ci sono nel mazzo dei premi",
    },
    "for each c in kind of card in spent\n        move c from spent to prizes": {
        "en": "A card of every kind of card on the discard pile goes", "de": "Eine Karte jeder Sorte Karten auf dem",
        "nl": "Een kaart van elke soort kaart op de", "it": "Una carta di ogni tipo di carta nel",
    },
    "for each c in card\n        move c from spent to prizes": {
        "en": "A card of every kind of card goes from the discard pile", "de": "kommt vom Ablagestapel",
        "nl": "Van de aflegstapel komt een kaart van elke soort", "it": "va dal mazzo degli scarti",
    },
    "for each c in card\n        if prize is c\n            player(1) gains 77 points": {
        "en": "the prize is of this kind", "de": "der Preis von dieser Sorte ist", "nl": "de prijs van deze soort is",
        "it": "il premio è di questo tipo",
    },
    "player(1) gains number of c in kind of card in spent points": {
        "en": "as there are kinds of card on", "de": "wie es Sorten Karten auf", "nl": "als er soorten kaart op",
        "it": "i tipi di carta nel",
    },
    "if number of c in kind of card in spent = 3\n        player(1) gains 77 points": {
        "en": "exactly 3 kinds of card on", "de": "genau 3 Sorten Karten auf", "nl": "precies 3 soorten kaart op",
        "it": "esattamente 3 tipi di carta nel",
    },
    "let rare = first c in kind of card in spent\n    move rare from spent to prizes": {
        "en": "A card of the first kind of card on", "de": "Eine Karte der ersten Sorte Karten auf",
        "nl": "Een kaart van de eerste soort kaart op", "it": "Una carta del primo tipo di carta nel",
    },
}  # fmt: skip
#: The game's own noun for the kind is used, and can be counted.
COLOUR = "for each g in {kinds}\n        move g from collection of p to bag"
OWN_NOUNS = {
    COLOUR.format(kinds="gem"): {
        "en": "A gem of every colour goes from the collection of the player", "de": "Ein Edelstein jeder Farbe kommt",
        "nl": "Uit de verzameling van de speler komt een edelsteen van elke kleur", "it": "Una gemma di ogni colore va",
    },
    COLOUR.format(kinds="kind of gem in bag"): {
        "en": "A gem of every colour in the bag goes from the", "de": "Ein Edelstein jeder Farbe im Säckchen",
        "nl": "een edelsteen van elke kleur in het zakje", "it": "Una gemma di ogni colore nel sacchetto",
    },
    "if number of g in kind of gem in collection of p >= 3\n        p wins": {
        "en": "at least 3 colours in the collection", "de": "mindestens 3 Farben in der Sammlung",
        "nl": "minstens 3 kleuren in de verzameling", "it": "almeno 3 colori nella collezione",
    },
}  # fmt: skip

#: Cards with a parameter named `kind`, whose term is not the one for their own kinds.
SHOWN = {
    "if number of c in kind of ritual_card in rituals_held of me >= 4\n        me gains 77 points for scorpions": {
        "en": "at least 4 kinds of ritual card", "de": "mindestens 4 Sorten Ritualkarten",
        "nl": "minstens 4 soorten ritueelkaart", "it": "almeno 4 tipi di carta rituale",
    },
    "for each c in kind of area_card in taken of me\n        me gains 77 points for scorpions": {
        "en": "For every kind of area card", "de": "Für jede Sorte Gebietskarten", "nl": "Voor elke soort gebiedskaart",
        "it": "Per ogni tipo di carta-area",
    },
    "let drawn = random c in rituals_held of me\n    if count of drawn in rituals_held of me = 2\n"
    "        me gains 77 points for scorpions": {
        "en": "exactly 2 copies of this", "de": "genau 2 Exemplare dieser", "nl": "precies 2 exemplaren van deze",
        "it": "esattamente 2 copie di questa",
    },
    "for each c in taken of me where c is token_card\n        me gains 77 points for scorpions": {
        "en": "area card with the symbol of one kind", "de": "Gebietskarte mit dem Symbol einer Spielsteinsorte",
        "nl": "gebiedskaart met het symbool voor", "it": "carta-area con il simbolo di un tipo",
    },
    "if some c in taken of me where c is token_card(disc)\n        me gains 77 points for scorpions": {
        "en": "a disc area card", "de": "eine Gebietskarte „Linse“", "nl": "een gebiedskaart “schijfje”",
        "it": "una carta-area «disco»",
    },
}  # fmt: skip


def beginning(folder: Path, base: str, name: str, statement: str, language: str) -> str:
    path = folder / "kinds.rules"
    where = name if name == "play" else f"rule {name}"
    path.write_text(VARIANT.format(base=base, where=where, statement=statement), encoding="utf-8")
    return " ".join(lines(rules_in(path), name, language)[:2])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("statement", KINDS)
def test_a_name_for_a_kind_is_worded_as_a_kind(statement: str, tmp_path: Path, language: str) -> None:
    line = beginning(tmp_path, "goofspiel", "play", statement, language)
    assert KINDS[statement][language] in line, line


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("statement", OWN_NOUNS)
def test_the_noun_of_the_game_for_a_kind_is_used(statement: str, tmp_path: Path, language: str) -> None:
    line = beginning(tmp_path, "ubongo", "take_gems", statement, language)
    assert OWN_NOUNS[statement][language] in line, line


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("statement", SHOWN)
def test_the_term_of_a_parameter_named_kind_is_not_used_for_kinds(
    statement: str, tmp_path: Path, language: str
) -> None:
    line = beginning(tmp_path, "wongar", "take_turn", statement, language)
    assert SHOWN[statement][language] in line, line


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ["wongar", "wongar/initiated", "tongiaki", "ubongo", "goofspiel", "kuhn_poker"])
def test_each_kind_has_other_words_than_its_cards(game: str, language: str) -> None:
    """Else *a card that is a token card* would be told as *a card that is a card*."""
    facts = model(game)
    for cards in facts.cards.values():
        if len(cards.kinds) > 1:
            texts = [words(language).term(name, facts.scope) for name in (cards.name, *cards.kinds)]
            assert len(set(texts)) == len(texts), cards.name


IS_THE_DESTINATION = {
    "en": "an island that is the destination of this route is at least",
    "de": "einer Insel, die das Ziel dieses Wegs ist,",
    "nl": "een eiland dat het doel van deze weg is,",
    "it": "un’isola che è la meta di questa rotta è almeno",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_thing_whose_card_something_is_is_the_subject_of_its_clause(language: str) -> None:
    changed = rules_of(
        "other.rules",
        "variant other of tongiaki\n    source house rule\n\nset goal of sail in choice emigration to island where"
        " leads_to(land, way, goal) and worth[goal] >= worth[land]\n",
    )
    assert IS_THE_DESTINATION[language] in text_of_book(changed, language)
