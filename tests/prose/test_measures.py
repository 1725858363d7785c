"""How numbers are spoken of: as rules say them, not as formulas."""

from __future__ import annotations

from .books import lines


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
