"""Cards, tokens and their kinds: which of them is meant, how many, where they lie and whose they are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.nlg.narration.told import game_of, reasons_at_start

from .books import LANGUAGES, assert_told, model, small, told, variant, words

GOOFSPIEL, UBONGO, WONGAR = ("goofspiel", "play"), ("ubongo", "take_gems"), ("wongar", "take_turn")
TONGIAKI, NIM = ("tongiaki", "take_turn"), ("nim", "play")
COLOUR = "for each g in {kinds}\n        move g from collection of p to bag"
#: Statements about kinds of cards, with the words that the sentence must have in each language.
KINDS = (
    (GOOFSPIEL, "for each c in kind of card in spent\n        player(1) gains 77 points", {
        "en": "For every kind of card on the discard pile", "de": "Für jede Sorte Karten auf dem Ablagestapel",
        "nl": "Voor elke soort kaart op de aflegstapel", "it": "Per ogni tipo di carta nel mazzo degli scarti",
    }),
    (GOOFSPIEL, "for each c in kind of card in spent where worth of c > 1\n        player(1) gains 77 points", {
        "en": "the value of this kind", "de": "der Wert dieser Sorte", "nl": "de waarde van deze soort",
        "it": "il valore di questo tipo",
    }),
    (GOOFSPIEL, "for each c in kind of card in spent\n        player(1) gains count of c in prizes points", {
        "en": "cards of this kind on the pile of prizes", "de": "Karten dieser Sorte auf dem Preisstapel",
        "nl": "kaarten van deze soort op de prijzenstapel",
        "it": "carte di questo tipo che ci sono nel mazzo dei premi",
    }),
    (GOOFSPIEL, "for each c in kind of card in spent\n"
     "        player(1) gains number of d in prizes where d is c points", {
        "en": "cards of this kind on the pile of prizes", "de": "Karten dieser Sorte auf dem Preisstapel",
        "nl": "kaarten van deze soort op de prijzenstapel",
        "it": "carte di questo tipo che ci sono nel mazzo dei premi",
    }),
    (GOOFSPIEL, "for each c in kind of card in spent\n        move c from spent to prizes", {
        "en": "A card of every kind of card on the discard pile goes", "de": "Eine Karte jeder Sorte Karten auf dem",
        "nl": "Een kaart van elke soort kaart op de", "it": "Una carta di ogni tipo di carta nel",
    }),
    (GOOFSPIEL, "for each c in card\n        move c from spent to prizes", {
        "en": "A card of every kind of card goes from the discard pile", "de": "kommt vom Ablagestapel",
        "nl": "Van de aflegstapel komt een kaart van elke soort", "it": "va dal mazzo degli scarti",
    }),
    (GOOFSPIEL, "for each c in card\n        if prize is c\n            player(1) gains 77 points", {
        "en": "the prize is of this kind", "de": "der Preis von dieser Sorte ist", "nl": "de prijs van deze soort is",
        "it": "il premio è di questo tipo",
    }),
    (GOOFSPIEL, "player(1) gains number of c in kind of card in spent points", {
        "en": "as there are kinds of card on", "de": "wie es Sorten Karten auf", "nl": "als er soorten kaart op",
        "it": "i tipi di carta nel",
    }),
    (GOOFSPIEL, "if number of c in kind of card in spent = 3\n        player(1) gains 77 points", {
        "en": "exactly 3 kinds of card on", "de": "genau 3 Sorten Karten auf", "nl": "precies 3 soorten kaart op",
        "it": "esattamente 3 tipi di carta nel",
    }),
    (GOOFSPIEL, "let rare = first c in kind of card in spent\n    move rare from spent to prizes", {
        "en": "A card of the first kind of card on", "de": "Eine Karte der ersten Sorte Karten auf",
        "nl": "Een kaart van de eerste soort kaart op", "it": "Una carta del primo tipo di carta nel",
    }),
    # The game's own noun for the kind is used, and can be counted.
    (UBONGO, COLOUR.format(kinds="gem"), {
        "en": "A gem of every colour goes from the collection of the player", "de": "Ein Edelstein jeder Farbe kommt",
        "nl": "Uit de verzameling van de speler komt een edelsteen van elke kleur", "it": "Una gemma di ogni colore va",
    }),
    (UBONGO, COLOUR.format(kinds="kind of gem in bag"), {
        "en": "A gem of every colour in the bag goes from the", "de": "Ein Edelstein jeder Farbe im Säckchen",
        "nl": "een edelsteen van elke kleur in het zakje", "it": "Una gemma di ogni colore nel sacchetto",
    }),
    (UBONGO, "if number of g in kind of gem in collection of p >= 3\n        p wins", {
        "en": "at least 3 colours in the collection", "de": "mindestens 3 Farben in der Sammlung",
        "nl": "minstens 3 kleuren in de verzameling", "it": "almeno 3 colori nella collezione",
    }),
    # Cards with a parameter named `kind`, whose term is not the one for their own kinds.
    (WONGAR, "if number of c in kind of ritual_card in rituals_held of me >= 4\n        me takes elder", {
        "en": "at least 4 kinds of ritual card", "de": "mindestens 4 Sorten Ritualkarten",
        "nl": "minstens 4 soorten ritueelkaart", "it": "almeno 4 tipi di carta rituale",
    }),
    (WONGAR, "for each c in kind of area_card in taken of me\n        me gains 77 points for scorpions", {
        "en": "For every kind of area card", "de": "Für jede Sorte Gebietskarten", "nl": "Voor elke soort gebiedskaart",
        "it": "Per ogni tipo di carta-area",
    }),
    (WONGAR, "let drawn = random c in rituals_held of me\n    if count of drawn in rituals_held of me = 2\n"
     "        me gains 77 points for scorpions", {
        "en": "exactly 2 copies of this", "de": "genau 2 Exemplare dieser", "nl": "precies 2 exemplaren van deze",
        "it": "esattamente 2 copie di questa",
    }),
    (WONGAR, "for each c in taken of me where c is token_card\n        me gains 77 points for scorpions", {
        "en": "area card with the symbol of one kind", "de": "Gebietskarte mit dem Symbol einer Spielsteinsorte",
        "nl": "gebiedskaart met het symbool voor", "it": "carta-area con il simbolo di un tipo",
    }),
    (WONGAR, "if some c in taken of me where c is token_card(disc)\n        me gains 77 points for scorpions", {
        "en": "a disc area card", "de": "eine Gebietskarte „Linse“", "nl": "een gebiedskaart “schijfje”",
        "it": "una carta-area «disco»",
    }),
    # Whole zones: the contents move with their owner from their place.
    (WONGAR, "move all of ground[emu, me] to ground[hands, me]", {
        "en": "All tokens of the player[^.]* from the emu area into the hands area",
        "de": "Alle Spielsteine des Spielers[^.]* aus dem Emu-Gebiet ins Hände-Gebiet",
        "nl": "Uit het emoegebied[^.]* alle speelstenen van de speler in het handengebied",
        "it": "Tutti i segnalini del giocatore[^.]* dall’area dell’emù nell’area delle mani",
    }),
    (WONGAR, "move all of ground[emu, me] to ground[emu, left of me]", {
        "en": "All tokens of the player[^.]* as tokens of the left-hand neighbour",
        "de": "Alle Spielsteine des Spielers[^.]* als Spielsteine des linken Nachbarn",
        "nl": "alle speelstenen van de speler[^.]* als speelstenen van de linkerbuur",
        "it": "Tutti i segnalini del giocatore[^.]* come segnalini del vicino di sinistra",
    }),
    (WONGAR, "move all of bag of left of me to supply of me", {
        "en": "All tokens[^.]* from the cloth bag of the left-hand neighbour[^.]* into the supply of the player",
        "de": "Alle Spielsteine[^.]* aus dem Stoffsäckchen des linken Nachbarn[^.]* in den Vorrat des Spielers",
        "nl": "Uit de stoffen zak van de linkerbuur[^.]* alle speelstenen in de voorraad van de speler",
        "it": "Tutti i segnalini[^.]* dal sacchetto di stoffa del vicino di sinistra[^.]* nella riserva del giocatore",
    }),
    (WONGAR, "move all of area_pile of fish to area_pile of bat", {
        "en": "All area cards[^.]* from the pile of area cards of the fish area onto",
        "de": "Alle Gebietskarten[^.]* vom Gebietskartenstapel des Fisch-Gebiets auf",
        "nl": "Van de gebiedskaartenstapel van het vissengebied[^.]* alle gebiedskaarten op",
        "it": "Tutte le carte-area[^.]* dal mazzetto di carte-area dell’area del pesce sul",
    }),
    (WONGAR, "move all of rituals_held of me to discards", {
        "en": "The ritual cards in hand of the player go onto the discard pile",
        "de": "Die Ritualkarten auf der Hand des Spielers kommen auf den Ablagestapel",
        "nl": "De ritueelkaarten in de hand van de speler komen op de aflegstapel",
        "it": "Le carte rituali in mano del giocatore vanno sul mazzo degli scarti",
    }),
    (TONGIAKI, "move all of berth[tonga, beach_1, left of me] to supply of me", {
        "en": "All ships of the left-hand neighbour[^.]* from beach 1 of Tonga into the supply of the player",
        "de": "Alle Schiffe des linken Nachbarn[^.]* von Strand 1 Tongas in den Vorrat des Spielers",
        "nl": "Van strand 1 van Tonga[^.]* alle schepen van de linkerbuur[^.]* in de voorraad van de speler",
        "it": "Tutte le navi del vicino di sinistra[^.]* dalla spiaggia 1 di Tonga nella riserva del giocatore",
    }),
    (TONGIAKI, "move all of throne[tonga, me] to at_sea of me", {
        "en": "All ships of the player[^.]* from the mask of Tonga into the group of ships",
        "de": "Alle Schiffe des Spielers[^.]* von der Maske Tongas in die Schiffsgruppe",
        "nl": "Van het masker van Tonga[^.]* alle schepen van de speler in de groep schepen",
        "it": "Tutte le navi del giocatore[^.]* dalla maschera di Tonga nel gruppo di navi",
    }),
    (TONGIAKI, "move all of adrift of me to supply of me", {
        "en": "All ships of the player[^.]* from the last water card",
        "de": "Alle Schiffe des Spielers[^.]* von der letzten Wasserkarte",
        "nl": "Van de laatste waterkaart[^.]* alle schepen van de speler",
        "it": "Tutte le navi del giocatore[^.]* dall’ultima carta acqua",
    }),
    (UBONGO, "move all of bag to line of field_1", {
        "en": "All gems go from the bag into", "de": "Alle Edelsteine kommen aus dem Säckchen in",
        "nl": "Uit het zakje komen alle edelstenen in", "it": "Tutte le gemme vanno dal sacchetto nella",
    }),
    (NIM, "move all of matches of heap_b to box", {
        "en": "All matches go from heap B into the box", "de": "Alle Streichhölzer kommen von Haufen B in",
        "nl": "Uit hoop B komen alle lucifers in", "it": "Tutti i fiammiferi vanno dal mucchio B nella",
    }),
)  # fmt: skip


@pytest.mark.parametrize(("where", "statement", "patterns"), KINDS)
def test_kinds_and_contents_have_their_words(where: tuple[str, str], statement: str, patterns: dict[str, str]) -> None:
    base, name = where
    changed = variant(base, f"before {name if name == 'play' else f'rule {name}'}\n    {statement}")
    for language in LANGUAGES:
        text = " ".join(told(changed, name, language)[:2])
        assert re.search(patterns[language], text), text


@pytest.mark.parametrize("game", ["wongar", "wongar/initiated", "tongiaki", "ubongo", "goofspiel", "kuhn_poker"])
def test_each_kind_has_other_words_than_its_cards(game: str) -> None:
    """Else *a card that is a token card* would be told as *a card that is a card*."""
    facts = model(game)
    for cards in facts.cards.values():
        if len(cards.kinds) > 1:
            for language in LANGUAGES:
                texts = [words(language).term(name, facts.scope) for name in (cards.name, *cards.kinds)]
                assert len(set(texts)) == len(texts), cards.name


FRUIT = """
enum fruit = apple, pear
cards card
    ace(fruit: fruit)
    joker
tokens bowl of each player holds fruit, seen by all
tokens tray holds fruit, seen by all
hand grip of each player holds card, seen by owner
remember ripe: fruit = pear
score points
play
    let drawn = random f in fruit
    for each f in fruit
        fill {tokens} with 7 f
    fill {tokens} with 7 drawn
    fill {tokens} with 7 ripe
    for each c in card
        fill grip of player(1) with 7 c
    for each c in grip of player(1)
        fill grip of player(2) with 7 c
    player(1) chooses more
        take(f: fruit)
            fill {tokens} with 7 f
        double(c: grip of player(1))
            fill grip of player(1) with 7 c
    player(1) chooses again
        take(f: fruit, n: 1 to 2)
            fill tray with n f
        rest
            nothing
    player(2) wins
"""
SAID = {
    "en": "receives that many fruit of this kind", "de": "kommen in tray ebenso viele fruit dieser Sorte",
    "nl": "komen in tray evenveel fruit van deze soort", "it": "vanno altrettanti fruit di questo tipo",
}  # fmt: skip


@pytest.mark.parametrize("tokens", ["tray", "bowl of player(1)"])
def test_a_number_of_new_things_is_told_for_a_kind_with_a_name(tokens: str) -> None:
    rules = small(FRUIT.format(tokens=tokens))
    for language in LANGUAGES:
        text = " ".join(told(rules, "play", language))
        assert len(re.findall(r"\b7 (?!wins)", text)) == FRUIT.count(" 7 "), text
    assert_told(rules, "play", SAID)


HEROES = """
cards hero
    knight
    thief
deck heroes of hero
    {copies} knight, 1 thief
pile stock holds hero, seen by all
hand grip of each player holds hero, seen by owner
slot shown holds hero
remember wanted: hero
score points
setup
    fill stock with heroes
play
    {statement}
    player(2) wins
"""
#: Statements with a condition that two cards are equal or different.
EQUATIONS = (
    "if shown is top of stock\n        player(1) gains 77 points",
    "if shown is not wanted\n        player(1) gains 77 points",
    "for each h in grip of player(1) where h is wanted\n        player(1) gains 77 points",
    "for each h in grip of player(1)\n        for each k in stock where k is h\n"
    "            move k from stock to grip of player(1)",
    "for each h in grip of player(1)\n        for each k in stock where k is not h\n"
    "            player(1) gains 7 points",
    "player(1) gains (number of h in stock where (some k in grip of player(1) where k is h)) points",
    "player(1) chooses two\n        pair(a: grip of player(1), b: grip of player(2) where b is not a)\n"
    "            player(1) gains 77 points\n        otherwise\n            nothing",
)
SAME = {
    "en": "of the same kind as", "de": "von derselben Sorte ist wie", "nl": "van dezelfde soort is als",
    "it": "dello stesso tipo d",
}  # fmt: skip


@pytest.mark.parametrize("copies", [1, 2])
@pytest.mark.parametrize("statement", EQUATIONS)
def test_only_cards_with_copies_are_of_the_same_kind(statement: str, copies: int) -> None:
    assert_told(small(HEROES.format(copies=copies, statement=statement)), "play", SAME, copies > 1)


REFUSED = """
cards card
    ace
    joker
pile out holds card, seen by all
hand grip of each player holds card, seen by all
setup
    fill out with 2 ace
    fill grip of player(1) with 2 ace
    fill grip of player(1) with 1 joker
play
    player(1) chooses pair
        lay(a: grip of player(1), b: out where b is not a)
            move a from grip of player(1) to out
        otherwise
            nothing
    player(2) wins
"""
ANOTHER_KIND = {
    "en": "It has to be another kind of card.", "de": "Es muss eine andere Sorte Karten sein.",
    "nl": "Het moet een andere soort kaart zijn.", "it": "Deve essere un altro tipo di carta.",
}  # fmt: skip


def test_a_card_of_the_same_kind_is_refused_for_its_kind(tmp_path: Path) -> None:
    """Another ace is another card, but is refused too."""
    game = game_of(tmp_path, REFUSED)
    assert {lang: reasons_at_start(game, "lay(ace, ace)", lang)[0] for lang in LANGUAGES} == ANOTHER_KIND


BIDS = """after setup
    for each p in player
        move random c in holding of p from holding of p to {goal} as bid(player: p, card)
"""
#: A slot, which its card becomes, and another place, to which the card goes.
GOALS = {
    "bid of p": {"en": "as their bid", "de": "als sein Gebot", "nl": "als zijn bod", "it": "che diventa la sua"},
    "spent": {"en": "goes onto the", "de": "kommt auf den", "nl": "komt op de", "it": "va nel mazzo"},
}


@pytest.mark.parametrize("goal", GOALS)
def test_only_a_slot_makes_a_card_what_the_slot_is_called(goal: str) -> None:
    changed = variant("goofspiel", BIDS.format(goal=goal))
    for language in LANGUAGES:
        text = told(changed, "setup", language)[-1]
        assert [other for other, words in GOALS.items() if words[language] in text] == [goal]


MARKED = """remember lucky of each field: yes or no = no
remember charm of each field: number = 0
remember last: field
rule bless(here: field)
    set charm of here to 77
before rule take_gems
    {}
after rule take_gems
    if lucky of field_1 and charm of field_1 > 5 and last is field_1
        p wins
"""
WINS = "\n        p wins"
#: Statements for each kind of use of the space of a pawn.
USES = (
    "set lucky of standing of p to yes",
    "set charm of standing of p to 77",
    "set charm of standing of p to charm of standing of p + 77",
    f"if charm of standing of p > 77{WINS}",
    f"if lucky of standing of p{WINS}",
    f"if place_of[standing of p] > 77{WINS}",
    f"if position of standing of p > 77{WINS}",
    f"if last is standing of p{WINS}",
    f"if last is not standing of p{WINS}",
    f"if standing of left of p is standing of p{WINS}",
    f"if (some q in player where q is not p and standing of q is standing of p){WINS}",
    f"if distance(standing of p, field_1) > 77{WINS}",
    "set last to standing of p",
    "set standing of left of p to standing of p",
    "let here = standing of p\n    set charm of here to charm of here + 77",
    "bless(standing of p)",
    "for each here in field where here is not standing of p\n        set charm of here to 77",
)
PAWN = {"en": "pawn", "de": "Spielfigur", "nl": "pion", "it": "pedina"}
#: The words before the pawn if its space is meant, and in the game's own clause for standing on a space.
SPACE = {
    "en": r"space of (the|their) ", "de": r"Feld(s)? (der|seiner) ", "nl": r"veld van (de|zijn) ",
    "it": r"casella della (sua )?",
}  # fmt: skip
STANDS = {"en": r"has the ", "de": r"mit der ", "nl": r"met de ", "it": r"ha la "}
BOARD = {"en": "on the board", "de": "auf dem Spielplan", "nl": "op het bord", "it": "sul tabellone"}


@pytest.mark.parametrize("statement", USES)
def test_a_marked_place_is_worded_as_the_space_of_the_marker(statement: str) -> None:
    changed = variant("ubongo", MARKED.format(statement))
    for language, pawn in PAWN.items():
        text = told(changed, "take_gems", language)[0]
        of_space = re.findall(rf"{SPACE[language]}{pawn}", text)
        assert of_space
        assert text.count(pawn) == len(of_space) + len(re.findall(rf"{STANDS[language]}{pawn}", text)), text


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        # The marker says where things lie.
        (f"if line of standing of p is empty{WINS}", PAWN),
        (f"if size of line of standing of p > 7{WINS}", PAWN),
        # A marker without a place is nowhere.
        (f"if standing of p is nobody{WINS}", BOARD),
        ("set standing of left of p to nobody", BOARD),
    ],
)
def test_a_space_without_a_use_of_its_own_is_not_told(statement: str, said: dict[str, str]) -> None:
    changed = variant("ubongo", MARKED.format(statement))
    for language in LANGUAGES:
        text = told(changed, "take_gems", language)[0]
        assert said[language] in text
        assert re.search(SPACE[language], text) is None, text


DEALT = """
cards tile
    sheep
deck box of tile
    9 sheep
pile stack holds tile, seen by all
pile open_stack holds tile, seen by all
setup
    fill stack with box
play
    repeat {} times
        move top of stack to open_stack
    nobody wins
"""


@pytest.mark.parametrize("number", [1, 2])
def test_cards_from_the_top_of_a_pile_are_counted_also_a_single_one(number: int) -> None:
    assert f"{number} tile" in "\n".join(told(small(DEALT.format(number)), "play", "en"))
