"""How numbers are spoken of: as rules say them, not as formulas."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.library import shipped_names
from wongar_dsl.words import Nominal, Term

from .books import lines, model, words


def test_a_ladder_of_comparisons_is_one_sentence() -> None:
    [line] = lines("ubongo", "winner")
    assert line.startswith("The player with the most gems of one colour wins; in a tie, the second most gems")
    assert line.endswith("down to the 6th rank.")


def test_the_greater_of_both_differences_is_how_far_two_numbers_are_apart() -> None:
    assert lines("ubongo", "distance")[0].endswith(
        "is the difference between the number of the space of arrival and the number of the space of departure."
    )


def test_the_least_of_several_numbers_is_one_of_them_within_limits() -> None:
    [line] = lines("tongiaki", "growth", "de")
    assert ", höchstens aber " in line


def test_the_top_card_so_many_times_are_so_many_cards() -> None:
    assert lines("ubongo", "lay_gems")[-1] == "12 gems go from the bag into the row of every space."
    assert lines("ubongo", "take_gems")[-1].startswith("Otherwise the 2 foremost gems of the row")


def test_a_number_that_stands_for_nothing_is_not_said() -> None:
    assert lines("ubongo", "take_gems")[0] == "The player no longer has to wait."
    assert lines("ubongo", "play_round")[0] == "At the beginning of the round, nobody has covered their area yet."


def test_who_is_first_of_two_is_not_behind_the_other() -> None:
    [line] = lines("ubongo", "earlier")
    assert line.endswith("and are not behind the caller, counted clockwise from the starting player.")


def test_a_condition_that_is_made_of_some_is_asked_with_an_if_of_its_own() -> None:
    [line] = lines("tongiaki", "may_land", "de")
    assert "(" not in line
    assert " und wenn er dabei noch kein Schiff erhalten hat oder kein Strand " in line


def test_the_greatest_number_of_things_of_a_kind_says_what_is_asked_of_that_number() -> None:
    [line] = lines("ubongo", "amount")
    assert "stands the greatest number of gems of a colour in the collection of the player that is reached by" in line
    [line] = lines("ubongo", "colours_with")
    assert line.endswith("of which the player has at least k gems in the collection.")


def test_who_has_most_does_something_in_one_sentence() -> None:
    [line] = lines("ubongo", "serve_next")
    assert line.endswith(
        "; in a tie, it is the first of the tied players in clockwise order, starting with the starting player."
    )


def test_a_verb_agrees_with_a_determiner_that_says_so() -> None:
    assert " va dalla pila delle tavole nella scatola." in lines("ubongo", "stack_boards", "it")[-1]


def test_that_there_is_exactly_one_is_said_of_that_one() -> None:
    found = [line for line in lines("goofspiel", "play") if "exactly one" in line]
    assert [line.split("exactly one ")[1] for line in found] == [
        "player has made the highest bid, they gain as many points as the value of the prize."
    ]


def test_an_option_may_have_a_sentence_for_who_chooses_it() -> None:
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
def test_whoever_has_most_or_fewest_of_what_lies_somewhere_wins(
    tmp_path: Path, language: str, has: str, number: str, extreme: str
) -> None:
    path = tmp_path / "ranked.rules"
    path.write_text(RANKED.replace("{}", extreme), encoding="utf-8")
    *ranks, _ = lines(str(path), "winner", language)
    assert len(ranks) == 4
    assert all(has in line[0].lower() + line[1:] for line in ranks), ranks
    assert not any(number in line.lower() for line in ranks), ranks


@pytest.mark.parametrize("language", ["de", "nl", "it", "en"])
def test_cards_come_into_a_hand_by_taking_and_to_a_pile_by_putting(language: str) -> None:
    takes, puts = {
        "de": ("nimmt", "legt"), "nl": ("neemt", "legt"), "it": ("rende", "ette"), "en": ("take", "put"),
    }[language]  # fmt: skip
    found = lines("wongar/initiated", "setup", language)
    assert any(puts in line for line in found)
    dealt = lines("wongar/initiated", "deal_rituals", language)
    assert any(takes in line for line in dealt)
    assert not any(puts in line for line in dealt)


@pytest.mark.parametrize("language", ["de", "nl", "it", "en"])
def test_what_many_faces_share_is_never_said_of_this_kind_before_a_kind_is_named(language: str) -> None:
    for name in shipped_names():
        rules = model(name)
        for sort, effects in rules.code.effects.items():
            for effect in effects:
                kinds = [local for local in rules.parameters.get(effect, ()) if local.type.kind == "enum"]
                assert all(words(language).has_term(f"{sort}.{local.name}", rules.scope) for local in kinds), (
                    name,
                    sort,
                )


@pytest.mark.parametrize("language", ["de", "nl", "it", "en"])
def test_no_face_of_a_card_is_called_by_a_number_in_digits(language: str) -> None:
    for name in shipped_names():
        rules = model(name)
        for sort in rules.cards.values():
            for face in sort.faces:
                said = words(language).value(Nominal(Term(face.name, rules.scope)), rules.scope)
                assert not said.isdigit(), (name, face.name)
