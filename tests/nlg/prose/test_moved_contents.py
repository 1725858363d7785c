"""Moves of whole zones are worded as moves of the contents, with owner and place, never of the place itself."""

from __future__ import annotations

import pytest

from .books import LANGUAGES, rules_of
from .test_antecedents import lines

VARIANT = """variant emptied of {base}
    source house rule
before {where}
    {statement}
"""
WONGAR = ("wongar", "take_turn")
TONGIAKI = ("tongiaki", "take_turn")
#: Statements in a declaration of a game, with the words that the sentence must have in each language.
MOVES = (
    (WONGAR, "move all of ground[emu, me] to ground[hands, me]", {
        "en": ("All tokens of the player", "from the emu area into the hands area"),
        "de": ("Alle Spielsteine des Spielers", "aus dem Emu-Gebiet ins Hände-Gebiet"),
        "nl": ("Uit het emoegebied", "alle speelstenen van de speler in het handengebied"),
        "it": ("Tutti i segnalini del giocatore", "dall’area dell’emù nell’area delle mani"),
    }),
    (WONGAR, "move all of ground[emu, me] to ground[emu, left of me]", {
        "en": ("All tokens of the player", "as tokens of the left-hand neighbour"),
        "de": ("Alle Spielsteine des Spielers", "als Spielsteine des linken Nachbarn"),
        "nl": ("alle speelstenen van de speler", "als speelstenen van de linkerbuur"),
        "it": ("Tutti i segnalini del giocatore", "come segnalini del vicino di sinistra"),
    }),
    (WONGAR, "move all of bag of left of me to supply of me", {
        "en": ("All tokens", "from the cloth bag of the left-hand neighbour", "into the supply of the player"),
        "de": ("Alle Spielsteine", "aus dem Stoffsäckchen des linken Nachbarn", "in den Vorrat des Spielers"),
        "nl": ("Uit de stoffen zak van de linkerbuur", "alle speelstenen in de voorraad van de speler"),
        "it": ("Tutti i segnalini", "dal sacchetto di stoffa del vicino di sinistra", "nella riserva del giocatore"),
    }),
    (WONGAR, "move all of area_pile of fish to area_pile of bat", {
        "en": ("All area cards", "from the pile of area cards of the fish area onto"),
        "de": ("Alle Gebietskarten", "vom Gebietskartenstapel des Fisch-Gebiets auf"),
        "nl": ("Van de gebiedskaartenstapel van het vissengebied", "alle gebiedskaarten op"),
        "it": ("Tutte le carte-area", "dal mazzetto di carte-area dell’area del pesce sul"),
    }),
    (WONGAR, "move all of rituals_held of me to discards", {
        "en": ("The ritual cards in hand of the player go onto the discard pile",),
        "de": ("Die Ritualkarten auf der Hand des Spielers kommen auf den Ablagestapel",),
        "nl": ("De ritueelkaarten in de hand van de speler komen op de aflegstapel",),
        "it": ("Le carte rituali in mano del giocatore vanno sul mazzo degli scarti",),
    }),
    (TONGIAKI, "move all of berth[tonga, beach_1, left of me] to supply of me", {
        "en": ("All ships of the left-hand neighbour", "from beach 1 of Tonga into the supply of the player"),
        "de": ("Alle Schiffe des linken Nachbarn", "von Strand 1 Tongas in den Vorrat des Spielers"),
        "nl": ("Van strand 1 van Tonga", "alle schepen van de linkerbuur", "in de voorraad van de speler"),
        "it": ("Tutte le navi del vicino di sinistra", "dalla spiaggia 1 di Tonga nella riserva del giocatore"),
    }),
    (TONGIAKI, "move all of throne[tonga, me] to at_sea of me", {
        "en": ("All ships of the player", "from the mask of Tonga into the group of ships"),
        "de": ("Alle Schiffe des Spielers", "von der Maske Tongas in die Schiffsgruppe"),
        "nl": ("Van het masker van Tonga", "alle schepen van de speler in de groep schepen"),
        "it": ("Tutte le navi del giocatore", "dalla maschera di Tonga nel gruppo di navi"),
    }),
    (TONGIAKI, "move all of adrift of me to supply of me", {
        "en": ("All ships of the player", "from the last water card"),
        "de": ("Alle Schiffe des Spielers", "von der letzten Wasserkarte"),
        "nl": ("Van de laatste waterkaart", "alle schepen van de speler"),
        "it": ("Tutte le navi del giocatore", "dall’ultima carta acqua"),
    }),
    (("ubongo", "take_gems"), "move all of bag to line of field_1", {
        "en": ("All gems go from the bag into",), "de": ("Alle Edelsteine kommen aus dem Säckchen in",),
        "nl": ("Uit het zakje komen alle edelstenen in",), "it": ("Tutte le gemme vanno dal sacchetto nella",),
    }),
    (("nim", "play"), "move all of matches of heap_b to box", {
        "en": ("All matches go from heap B into the box",), "de": ("Alle Streichhölzer kommen von Haufen B in",),
        "nl": ("Uit hoop B komen alle lucifers in",), "it": ("Tutti i fiammiferi vanno dal mucchio B nella",),
    }),
)  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "statement", "expected"), MOVES)
def test_contents_move_with_their_owner_from_their_place(
    game: tuple[str, str], statement: str, expected: dict[str, tuple[str, ...]], language: str
) -> None:
    base, name = game
    where = name if name == "play" else f"rule {name}"
    changed = rules_of("emptied.rules", VARIANT.format(base=base, where=where, statement=statement))
    first = lines(changed, name, language)[0]
    assert [words for words in expected[language] if words not in first] == [], first


BIDS = """variant spent of goofspiel
    source house rule
after setup
    for each p in player
        move random c in holding of p from holding of p to {goal} as bid(player: p, card)
"""
#: A slot, which its card becomes, and another place, to which the card goes.
GOALS = {
    "bid of p": {
        "en": "as their bid",
        "de": "als sein Gebot",
        "nl": "als zijn bod",
        "it": "che diventa la sua offerta",
    },
    "spent": {"en": "goes onto the", "de": "kommt auf den", "nl": "komt op de", "it": "va nel mazzo"},
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("goal", GOALS)
def test_only_a_slot_makes_a_card_what_the_slot_is_called(language: str, goal: str) -> None:
    changed = rules_of("spent.rules", BIDS.format(goal=goal))
    text = lines(changed, "setup", language)[-1]
    assert [other for other, told in GOALS.items() if told[language] in text] == [goal]
