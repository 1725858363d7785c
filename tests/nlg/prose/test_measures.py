"""Numbers in rulebooks are worded like rules, not like formulas."""

from __future__ import annotations

import pytest

from wongar_dsl.nlg.words import NounPhrase, Term

from .books import assert_told, lines_of, rules_of, shipped, small, text_of_book, variant, words

RANKED = """replace winner p
    {0} size of rituals_held of p
    then {0} size of taken of p
    then {0} count of double_ritual in rituals_held of p
    then {0} supply[p, disc]
"""
HAS = {
    "de": ("der Spieler, der die ", "die Zahl"), "nl": ("de speler die de ", "het aantal"),
    "it": ("il giocatore che ha ", "il numero"), "en": ("the player who has ", "the number"),
}  # fmt: skip
CRITERIA = """replace winner p
    {0} number of here in area where ground[here, p, disc] > 0
    then {0} number of c in taken of p where c is scorpion_card
    then {0} number of q in player where points of q < points of p
    then {0} number of k in token where supply[p, k] > 3
    then {0} points of p
    then {0} 2 * points of p
"""
#: The first criteria, the lead of the later ones, and words for a number, the player, and a condition about a number.
DECIDING = {
    "de": (
        "Es gewinnt der Spieler, der eine Linse in den {most} Gebieten hat.",
        "Bei Gleichstand gewinnt der Spieler, der die {most} Skorpionkarten gesammelt hat.",
        "Bei weiterem Gleichstand gewinnt", ("meisten", "wenigsten"), "die weniger Siegpunkte haben als er,", "dass er",
    ),
    "nl": (
        "De speler die een schijfje in de {most} gebieden heeft, wint.",
        "Bij gelijke stand wint de speler die de {most} schorpioenkaarten gepakt heeft.",
        "Blijft de stand gelijk, dan wint", ("meeste", "minste"), "die minder winstpunten hebben dan hij,", "dat hij ",
    ),
    "it": (
        "Vince il giocatore che ha un disco nel {most} numero di aree.",
        "In caso di parità vince il giocatore che ha preso il {most} numero di carte scorpione.",
        "Se la parità persiste, vince", ("maggior", "minor"), "che hanno meno punti vittoria di lui ", "vale che ha ",
    ),
    "en": (
        "The player who has a disc in the {most} areas wins.",
        "In a tie, the player who has taken the {most} scorpion cards wins.",
        "If the tie remains, the player", ("most", "fewest"), "who have fewer victory points than them ", "that they ",
    ),
}  # fmt: skip


@pytest.mark.parametrize("extreme", ["most", "fewest"])
def test_ranking_by_pieces_is_worded_with_the_player(extreme: str) -> None:
    changed = variant("wongar", RANKED.format(extreme))
    for language, (has, number) in HAS.items():
        *ranks, _ = lines_of(changed, "winner", language)
        assert len(ranks) == 4
        assert all(has in line[0].lower() + line[1:] for line in ranks), ranks
        assert not any(number in line.lower() for line in ranks), ranks


@pytest.mark.parametrize("extreme", ["most", "fewest"])
def test_every_criterion_is_worded_with_one_player(extreme: str) -> None:
    """A count of things that meet a condition is not told as a number, and only one *player* is meant."""
    changed = variant("wongar", CRITERIA.format(extreme))
    for language, (first, second, still, extremes, compared, condition) in DECIDING.items():
        most = extremes[extreme == "fewest"]
        ranks = lines_of(changed, "winner", language)
        assert ranks[:2] == (first.format(most=most), second.format(most=most))
        assert all(line.startswith(still) for line in ranks[2:6]), ranks
        assert compared in ranks[2]
        assert condition in ranks[3]


LIMIT, FILLED = "at most 30 area_card", "fill area_pile of here with area_deck"
SCORPION = "bottom of area_pile of here as"


@pytest.mark.parametrize(
    ("before", "after", "is_told"),
    [
        # 15 cards are laid on each area, and cards come back to a pile only from the card beside it.
        ("", "", False),
        (LIMIT, "at most 16 area_card", False),
        (SCORPION, "top of area_pile of here as", False),
        (LIMIT, "at most 15 area_card", True),
        # More cards are laid than one deck for each area.
        (FILLED, f"repeat 2 times\n            {FILLED}", True),
        # A card comes from another area, or cards are filled in during the game.
        (f"{SCORPION} scorpion_slid_under(area)", "bottom of area_pile of emu quietly", True),
        ("    next_player takes", "    fill area_pile of emu with area_deck\n        next_player takes", True),
    ],
)
def test_only_a_limit_that_a_place_may_reach_is_told(before: str, after: str, is_told: bool) -> None:
    text = shipped("wongar").sources[-1].text
    assert before in text
    places = text_of_book(rules_of("wongar.rules", text.replace(before, after, 1)), "en", "places")
    [line] = (line for line in places.split("\n") if line.startswith("Pile of area cards "))
    assert ("at most" in line) is is_told


@pytest.mark.parametrize(("message", "adjective"), [("prose.is_more", "maggiori"), ("prose.is_less", "minori")])
def test_italian_comparison_agrees_with_its_subject(message: str, adjective: str) -> None:
    points = NounPhrase(Term("point"), ("def",), several=True)
    assert words("it").say(message, what=points, n=3) == f"I punti sono {adjective} di 3"


ONLY_ONE = """
cards card
    red
    blue
deck pack of card total 4
    2 red, 2 blue
pile stock holds card, seen as a number
pile other holds card, seen as a number
heap gone holds card, seen by all
setup
    fill stock with pack
play
    repeat 3 times
        if size of stock {} 1
            {}move top of stock to gone
    nobody wins
"""


@pytest.mark.parametrize(
    ("sign", "before", "named"),
    [
        ("=", "", True),
        ("!=", "", False),
        (">", "", False),
        ("=", "move top of other to stock\n            ", False),
        ("=", "move all of gone to stock\n            ", False),
    ],
)
def test_only_card_of_a_pile_is_this_card_until_something_moves(sign: str, before: str, named: bool) -> None:
    assert_told(small(ONLY_ONE.format(sign, before)), "play", {"en": "(?i)this card"}, named)
