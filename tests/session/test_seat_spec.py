"""Parsing of seats, names and settings; errors are language-independent values."""

from __future__ import annotations

import pytest

from wongar_dsl.engine import library
from wongar_dsl.engine.match import Seat
from wongar_dsl.nlg.words import Listing, Text
from wongar_dsl.session.errors import SessionSetupError
from wongar_dsl.session.seats.game_settings import create_game
from wongar_dsl.session.seats.seat_spec import letters_of, names_of, read_seats


def test_seats_are_parsed() -> None:
    assert read_seats("human:Ann, greedy,bot:slow:Zoe") == (Seat("human", "Ann"), Seat("greedy"), Seat("slow", "Zoe"))


def test_language_follows_a_human_seat() -> None:
    assert read_seats("human:Jan@nl,human@pt-BR,human:a@b c,human:Al@home9") == (
        Seat("human", "Jan", "nl"),
        Seat("human", "", "pt-BR"),
        Seat("human", "a@b c"),
        Seat("human", "Al@home9"),
    )


def test_names_and_letters_are_unique() -> None:
    names = names_of(read_seats("human,human:Bea,random"))
    assert names == ("Ada", "Bea", "Cleo")
    assert letters_of(names) == ("A", "B", "C")
    assert letters_of(("Ann", "Abe")) == ("A", "B")


@pytest.mark.parametrize(
    ("text", "reason"),
    [("devil", "bad_seat"), ("human:\x1b", "bad_name"), ("human:\u202ex", "bad_name"),
     (f"human:{'x' * 21}", "bad_name"), ("human:Al,human:AL", "same_name"), ("", "bad_seat"),
     ("easy@de", "bad_seat"), ("@de", "bad_seat")],
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


def test_bot_levels_and_budgets_are_parsed() -> None:
    seats = read_seats("human,easy,medium:Bo,hard,mcts:200,mcts:0.5s:Cy,bot:quick:Di")
    assert [seat.kind for seat in seats] == ["human", "easy", "medium", "hard", "mcts:200", "mcts:0.5s", "quick"]
    assert [seat.name for seat in seats] == ["", "", "Bo", "", "", "Cy", "Di"]


@pytest.mark.parametrize("text", ["mcts", "mcts:", "mcts:0", "mcts:x", "expert", "bot:mcts:10"])
def test_invalid_bot_budget_is_refused(text: str) -> None:
    with pytest.raises(SessionSetupError):
        read_seats(text)
