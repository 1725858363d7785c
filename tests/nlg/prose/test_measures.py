"""Numbers in rulebooks are worded like rules, not like formulas."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.engine.library import builtin_names
from wongar_dsl.nlg.words import NounPhrase, Term

from .books import lines, lines_of, model, rules_in, rules_of, shipped, text_of_book, words


def test_chain_of_tie_breaks_is_one_sentence() -> None:
    line, still_tied = lines("ubongo", "winner")
    assert line.startswith("The player with the most gems of one colour wins; in a tie, the second most gems")
    assert line.endswith("down to the 6th rank.")
    assert still_tied == "If there is still a tie, the tied players share the victory."


def test_greater_of_both_differences_is_worded_as_a_difference() -> None:
    assert lines("ubongo", "distance")[0].endswith(
        "is the difference between the number of the space of arrival and the number of the space of departure."
    )


def test_minimum_is_worded_as_a_limit() -> None:
    [line] = lines("tongiaki", "growth", "de")
    assert ", höchstens aber " in line


def test_repeated_top_card_is_worded_as_a_number_of_cards() -> None:
    assert lines("ubongo", "lay_gems")[-1] == "12 gems go from the bag into the row of every space."
    assert lines("ubongo", "take_gems")[-1].startswith("Otherwise the 2 foremost gems of the row")


def test_number_meaning_none_is_not_shown() -> None:
    assert lines("ubongo", "take_gems")[0] == "The player no longer has to wait."
    assert lines("ubongo", "play_round")[0] == "No area counts as covered any more."


def test_comparison_of_seat_order_is_worded_clockwise() -> None:
    [line] = lines("ubongo", "earlier")
    assert line.endswith("and are not behind the caller, counted clockwise from the starting player.")


def test_compound_condition_repeats_the_if() -> None:
    [line] = lines("tongiaki", "may_land", "de")
    assert "(" not in line
    assert " und wenn er dabei noch kein Schiff erhalten hat oder kein Strand " in line


def test_maximum_number_of_a_kind_states_its_condition() -> None:
    [line] = lines("ubongo", "amount")
    assert "stands the greatest number of gems of a colour in the collection of the player that is reached by" in line
    [line] = lines("ubongo", "colours_with")
    assert line.endswith("of which the player has at least k gems in the collection.")


def test_action_of_the_leading_player_is_one_sentence() -> None:
    [line] = lines("ubongo", "serve_next")
    assert line.endswith(
        "; in a tie, it is the first of the tied players in clockwise order, starting with the starting player."
    )


def test_verb_agrees_with_a_singular_determiner() -> None:
    assert " va dalla pila delle tavole nella scatola." in lines("ubongo", "stack_boards", "it")[-1]


def test_exactly_one_is_the_subject_of_its_consequence() -> None:
    matches = [line for line in lines("goofspiel", "play") if "exactly one" in line]
    assert [line.split("exactly one ")[1] for line in matches] == [
        "player has made the highest bid, they gain as many points as the value of the prize."
    ]


def test_option_may_have_its_own_sentence() -> None:
    assert "  give up." in lines("ubongo", "run_sandglass")


RANKED = """variant ranked of wongar
replace winner p
    source house rule
    {} size of rituals_held of p
    then {} size of taken of p
    then {} count of double_ritual in rituals_held of p
    then {} supply[p, disc]
"""


@pytest.mark.parametrize("extreme", ["most", "fewest"])
@pytest.mark.parametrize(
    ("language", "has", "number"),
    [("de", "der Spieler, der die ", "die Zahl"), ("nl", "de speler die de ", "het aantal"),
     ("it", "il giocatore che ha ", "il numero"), ("en", "the player who has ", "the number")],
)  # fmt: skip
def test_ranking_by_pieces_is_worded_with_the_player(language: str, has: str, number: str, extreme: str) -> None:
    changed = rules_of("ranked.rules", RANKED.replace("{}", extreme))
    *ranks, _ = lines_of(changed, "winner", language)
    assert len(ranks) == 4
    assert all(has in line[0].lower() + line[1:] for line in ranks), ranks
    assert not any(number in line.lower() for line in ranks), ranks


@pytest.mark.parametrize("language", ["de", "nl", "it", "en"])
def test_cards_are_taken_into_a_hand_and_put_on_a_pile(language: str) -> None:
    takes, puts = {
        "de": ("nimmt", "legt"), "nl": ("neemt", "legt"), "it": ("rende", "ette"), "en": ("take", "put"),
    }[language]  # fmt: skip
    setup = lines("wongar/initiated", "setup", language)
    assert any(puts in line for line in setup)
    dealt = lines("wongar/initiated", "deal_rituals", language)
    assert any(takes in line for line in dealt)
    assert not any(puts in line for line in dealt)


@pytest.mark.parametrize("language", ["de", "nl", "it", "en"])
def test_parameters_of_card_kinds_have_terms(language: str) -> None:
    for name in builtin_names():
        rules = model(name)
        for sort, effects in rules.code.effects.items():
            for effect in effects:
                kinds = [local for local in rules.parameters.get(effect, ()) if local.type.kind == "enum"]
                assert all(words(language).has_term(f"{sort}.{local.name}", rules.scope) for local in kinds), (
                    name,
                    sort,
                )


@pytest.mark.parametrize("language", ["de", "nl", "it", "en"])
def test_card_faces_are_not_named_by_digits(language: str) -> None:
    for name in builtin_names():
        rules = model(name)
        for sort in rules.cards.values():
            for face in sort.faces:
                name_text = words(language).value(NounPhrase(Term(face.name, rules.scope)), rules.scope)
                assert not name_text.isdigit(), (name, face.name)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", ""),
        ("at most 30 area_card", "at most 16 area_card"),
        ("bottom of area_pile of here as", "top of area_pile of here as"),
    ],
)
def test_limit_that_no_place_reaches_is_left_out(tmp_path: Path, before: str, after: str) -> None:
    """15 cards are laid on each area, and cards come back to a pile only from the card beside it."""
    text = shipped("wongar").sources[-1].text.replace(before, after, 1)
    assert "at most" not in _limits(tmp_path, text)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("at most 30 area_card", "at most 15 area_card"),
        # More cards are laid than one deck for each area.
        ("fill area_pile of here with area_deck", "repeat 2 times\n            fill area_pile of here with area_deck"),
        # A card comes from another area, or cards are filled in during the game.
        ("bottom of area_pile of here as scorpion_slid_under(area)", "bottom of area_pile of emu quietly"),
        (
            "    next_player takes ancestor",
            "    fill area_pile of emu with area_deck\n        next_player takes ancestor",
        ),
    ],
)
def test_limit_that_a_place_may_reach_is_told(tmp_path: Path, before: str, after: str) -> None:
    text = shipped("wongar").sources[-1].text
    assert before in text
    assert "at most" in _limits(tmp_path, text.replace(before, after, 1))


@pytest.mark.parametrize("island", ["tonga", "niue"])
def test_first_value_of_an_enumeration_is_not_nothing(tmp_path: Path, island: str) -> None:
    """The number of the first value is 0, which means *none* for numbers."""
    change = f"set discovered to {island}\n    if discovered is {island}\n        nobody wins"
    (tmp_path / "found.rules").write_text(
        f"variant found of tongiaki\n    source house rule\n\nafter rule increase\n    {change}\n", encoding="utf-8"
    )
    text = text_of_book(rules_in(tmp_path / "found.rules"), "en")
    assert f"{island.capitalize()} becomes the island reached." in text
    assert f"If the island reached is {island.capitalize()}, the game ends and nobody wins." in text


def test_nobody_is_not_worded_like_a_player(tmp_path: Path) -> None:
    (tmp_path / "free.rules").write_text(
        "variant free of connect_four\n    source house rule\n\nbefore play\n    set owner of a1 to nobody\n",
        encoding="utf-8",
    )
    assert "The owner of a1 is now nobody." in text_of_book(rules_in(tmp_path / "free.rules"), "en")


def _limits(folder: Path, rules: str) -> str:
    """Return the row of the piles of area cards in the table of places."""
    path = folder / "wongar.rules"
    path.write_text(rules, encoding="utf-8")
    text = text_of_book(rules_in(path), "en")
    return next(line for line in text.split("\n") if line.startswith("Pile of area cards "))


COMPARED = """\
variant compared of goofspiel
    source house rule

before play
    for each p in player
        if holding of p is not empty
            p gains 1 points
        if holding of first q in player is not empty
            p gains 1 points
        if points of p > points of left of p
            p gains 1 points
        if points of p < points of left of p
            p gains 1 points
"""


@pytest.mark.parametrize(
    ("language", "more", "fewer"),
    [
        ("de", "mehr Punkte hat als sein linker Nachbar", "weniger Punkte hat als sein linker Nachbar"),
        ("nl", "meer punten heeft dan zijn linkerbuur", "minder punten heeft dan zijn linkerbuur"),
        ("it", "più punti del suo vicino di sinistra", "meno punti del suo vicino di sinistra"),
        ("en", "more points than their left-hand neighbour", "fewer points than their left-hand neighbour"),
    ],
)
def test_points_are_compared_with_those_of_another_player(tmp_path: Path, language: str, more: str, fewer: str) -> None:
    (tmp_path / "compared.rules").write_text(COMPARED, encoding="utf-8")
    text = text_of_book(rules_in(tmp_path / "compared.rules"), language)
    assert more in text
    assert fewer in text


def test_italian_hand_has_an_article_except_as_a_place(tmp_path: Path) -> None:
    (tmp_path / "compared.rules").write_text(COMPARED, encoding="utf-8")
    text = text_of_book(rules_in(tmp_path / "compared.rules"), "it")
    assert "Se la mano non è vuota" in text
    assert "Ogni giocatore riceve in mano una serie di carte." in text
    assert "gioca una carta dalla mano" in text


@pytest.mark.parametrize(("sign", "adjective"), [(">", "maggiori"), ("<", "minori")])
def test_italian_comparison_agrees_with_its_subject(sign: str, adjective: str) -> None:
    message = "prose.is_more" if sign == ">" else "prose.is_less"
    points = NounPhrase(Term("point"), ("def",), several=True)
    assert words("it").say(message, what=points, n=3) == f"I punti sono {adjective} di 3"


CRITERIA = """variant criteria of wongar
replace winner p
    source house rule
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
@pytest.mark.parametrize("language", ["de", "nl", "it", "en"])
def test_every_criterion_is_worded_with_one_player(language: str, extreme: str) -> None:
    """A count of things that meet a condition is not told as a number, and only one *player* is meant."""
    first, second, still, extremes, compared, condition = DECIDING[language]
    most = extremes[extreme == "fewest"]
    changed = rules_of("criteria.rules", CRITERIA.format(extreme))
    ranks = lines_of(changed, "winner", language)
    assert ranks[:2] == (first.format(most=most), second.format(most=most))
    assert all(line.startswith(still) for line in ranks[2:6]), ranks
    assert compared in ranks[2]
    assert condition in ranks[3]


ONLY_ONE = """game lone
    players 2
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
{}            move top of stock to gone
    nobody wins
"""


@pytest.mark.parametrize(
    ("sign", "before", "named"),
    [
        ("=", "", True),
        ("!=", "", False),
        (">", "", False),
        ("=", "            move top of other to stock\n", False),
        ("=", "            move all of gone to stock\n", False),
    ],
)
def test_only_card_of_a_pile_is_this_card_until_something_moves(sign: str, before: str, named: bool) -> None:
    changed = rules_of("lone.rules", ONLY_ONE.format(sign, before))
    assert any("this card" in line.lower() for line in lines_of(changed, "play")) == named


def test_only_gem_of_a_row_is_this_gem() -> None:
    assert lines("ubongo", "take_gems")[2].endswith(
        "if exactly one gem lies in the row of their pawn, this gem goes into their collection."
    )
