"""Parsing of seats, names and settings; errors are language-independent values."""

from __future__ import annotations

import pytest

from wongar_dsl.engine import library
from wongar_dsl.engine.match import Seat
from wongar_dsl.nlg.words import Listing, Text
from wongar_dsl.session.seats import SessionSetupError, create_game, letters_of, names_of, read_seats


@pytest.mark.parametrize(
    ("text", "seats"),
    [
        ("human:Ann, greedy,bot:slow:Zoe", [("human", "Ann"), ("greedy",), ("slow", "Zoe")]),
        (
            "human:Jan@nl,human@pt-BR,human:a@b c,human:Al@home9",
            [("human", "Jan", "nl"), ("human", "", "pt-BR"), ("human", "a@b c"), ("human", "Al@home9")],
        ),
        (
            "human,easy,medium:Bo,hard,mcts:200,mcts:0.5s:Cy,bot:quick:Di",
            [("human",), ("easy",), ("medium", "Bo"), ("hard",), ("mcts:200",), ("mcts:0.5s", "Cy"), ("quick", "Di")],
        ),
    ],
)
def test_seats_with_names_languages_levels_and_budgets_are_parsed(text: str, seats: list[tuple[str, ...]]) -> None:
    assert read_seats(text) == tuple(Seat(*seat) for seat in seats)


def test_names_and_letters_are_unique() -> None:
    names = names_of(read_seats("human,human:Bea,random"))
    assert names == ("Ada", "Bea", "Cleo")
    assert letters_of(names) == ("A", "B", "C")
    assert letters_of(("Ann", "Abe")) == ("A", "B")


@pytest.mark.parametrize(
    ("text", "reason"),
    [("devil", "bad_seat"), ("human:\x1b", "bad_name"), ("human:\u202ex", "bad_name"),
     (f"human:{'x' * 21}", "bad_name"), ("human:Al,human:AL", "same_name"), ("", "bad_seat"),
     ("easy@de", "bad_seat"), ("@de", "bad_seat"), ("mcts", "bad_seat"), ("mcts:", "bad_seat"), ("mcts:0", "bad_seat"),
     ("mcts:x", "bad_seat"), ("expert", "bad_seat"), ("bot:mcts:10", "bad_seat")],
)  # fmt: skip
def test_invalid_seat_has_a_reason(text: str, reason: str) -> None:
    with pytest.raises(SessionSetupError) as error:
        read_seats(text)
    assert error.value.reason == reason


@pytest.mark.parametrize(
    ("seats", "settings", "reason"),
    [
        (7, [], "bad_number_of_seats"),
        (3, ["nonsense=1"], "bad_option"),
        (3, ["cards_bonus"], "bad_option"),
        (3, ["cards_bonus=1000"], "bad_value"),
        (3, ["cards_bonus=" + "9" * 5000], "bad_value"),
        (3, ["sting=perhaps"], "bad_value"),
    ],
)
def test_invalid_setting_has_a_reason(seats: int, settings: list[str], reason: str) -> None:
    with pytest.raises(SessionSetupError) as error:
        create_game(library.load("wongar"), seats, settings, "python", None)
    assert error.value.reason == reason
    assert all(isinstance(value, int | Text | Listing) for value in error.value.details.values())


def test_wrong_number_of_players_has_a_reason() -> None:
    with pytest.raises(SessionSetupError) as error:
        create_game(library.load("nim"), 3, [], "python", None)
    assert (error.value.reason, error.value.details) == ("other_number_of_seats", {"n": 2, "given": 3})
