"""Forecasts: what each choice would bring, as far as the seat that decides can see."""

from __future__ import annotations

from pathlib import Path

from tests.small_games import written
from wongar_dsl import library
from wongar_dsl.engine import Move
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.narration import Narrator
from wongar_dsl.table.forecast import Forecast, Forecasts
from wongar_dsl.table.foretelling import at_length, brief, warning
from wongar_dsl.table.places import places_of_move
from wongar_dsl.words import Words

NAMES = ("Anna", "Ben", "Cleo")
SMALL = """
score points
enum coin = penny
enum room = hall, attic
tokens own of each player holds coin, seen by all
tokens lying of each room of each player holds coin, seen by all
cards card
    plain
deck pack of card total 6
    6 plain
pile cards_left holds card, seen as a number
hand held of each player holds card, seen by owner
setup
    fill cards_left with pack
    for each p in player
        fill own of p with 9 penny
        move 5 penny from own of p to lying[hall, p]
play
    repeat 99 times
        for each me in player
            me chooses turn
"""
END = """
    end game

winner p
    most points of p
"""


def match(name: str | Path, seats: int = 2, seed: int = 1, *moves: str) -> Match:
    rules = library.load(name)
    found = Match.begin(rules.game(seats), [Seat("human")] * seats, seed, rules.hash)
    for move in moves:
        found.play(found.state.read(move))
    return found


def forecasts(at: Match) -> dict[str, Forecast]:
    moves = at.state.legal_moves()
    found = Forecasts(at, moves)
    assert found.work(lambda: False)
    return {at.state.write(move): forecast for move in moves if (forecast := found.of(move)) is not None}


def said(at: Match, move: str, language: str = "en") -> str:
    return brief(forecasts(at)[move], narrator(at, language))


def narrator(at: Match, language: str = "en") -> Narrator:
    return Narrator(at.game, Words.load(language), NAMES[: at.game.seats])


def small(folder: Path, options: str) -> Match:
    """A game in which everybody chooses from these options, turn by turn."""
    lines = "".join(f"                {line}\n" for line in options.strip("\n").split("\n"))
    return match(written(folder, SMALL + lines + END))


# ---- what is told ----


def test_a_move_that_wins_says_so() -> None:
    at = match("tictactoe", 2, 1, "mark(a1)", "mark(b1)", "mark(a2)", "mark(b2)")
    assert said(at, "mark(a3)") == "so: Anna wins"
    assert said(at, "mark(c1)") == ""
    assert said(at, "mark(a3)", "de") == "so: Anna gewinnt"


def test_a_ceremony_is_told_as_if_everybody_stopped() -> None:
    at = match("wongar", 3, 5)
    while at.state.decision is not None and at.state.decision.name != "ancestor_walk":
        take = next((m for m in at.state.legal_moves() if forecasts(at)[at.state.write(m)].ahead), None)
        at.play(take or at.state.legal_moves()[0])
    for move in at.state.legal_moves():
        told = forecasts(at)[at.state.write(move)]
        gained = dict.fromkeys(range(3), 0)
        trial = match("wongar", 3, 5)
        for step in at.steps:
            trial.play(step.move)
        before = trial.state.scores
        trial.play(move)
        while trial.state.decision is not None and trial.state.decision.name == "ritual_choice":
            trial.play(trial.state.read("stop"))
        gained = {p: trial.state.scores[p] - before[p] for p in range(3) if trial.state.scores[p] != before[p]}
        assert dict(told.points) == gained
        assert (brief(told, narrator(at)) != "") == bool(gained)


def test_where_a_figure_could_go_on_to_is_told() -> None:
    at = match("wongar", 3, 5)
    told = [(brief(f, narrator(at)), f) for f in forecasts(at).values() if f.ahead]
    assert told
    for text, found in told:
        assert text.startswith("then on with the ancestor")
        assert {place for place in found.places if place[0] == "area"} >= {
            ("area", move.arguments[-1]) for move in found.ahead
        }


def test_what_a_choice_touches_at_once_is_told_from_what_only_could_come_of_it() -> None:
    at = match("wongar", 3, 5)
    found = [(at.state.read(move), told) for move, told in forecasts(at).items() if told.ahead]
    assert found
    for move, told in found:
        here = places_of_move(at.state, move)
        assert here
        assert here <= told.places - told.later
        assert told.later <= told.places
        assert {("area", one.arguments[-1]) for one in told.ahead} <= told.later | here


def test_pieces_that_go_back_from_the_table_are_a_loss(tmp_path: Path) -> None:
    at = small(
        tmp_path,
        """
clear
    move 5 penny from lying[hall, me] to own of me
carry
    move 5 penny from lying[hall, me] to lying[attic, me]
one
    move 1 penny from lying[hall, me] to own of me
""",
    )
    found = forecasts(at)
    assert {name: (f.loss, f.risky) for name, f in found.items()} == {
        "clear": (5, True),
        "carry": (0, False),
        "one": (1, False),
    }
    assert "5" in warning(found["clear"], narrator(at))


def test_points_that_are_lost_are_a_risk(tmp_path: Path) -> None:
    at = small(tmp_path, "pay\n    me loses 7 points\nnap\n    nothing\nother_nap\n    nothing")
    found = forecasts(at)
    assert {name: f.risky for name, f in found.items()} == {"pay": True, "nap": False, "other_nap": False}
    assert brief(found["pay"], narrator(at)) == "so: Anna −7"


# ---- where it ends ----


def ends(folder: Path, options: str) -> dict[str, str]:
    return {name: f.end for name, f in forecasts(small(folder, options)).items()}


def test_it_ends_at_chance_at_what_is_hidden_and_at_a_choice(tmp_path: Path) -> None:
    found = ends(
        tmp_path,
        """
roll
    let to_room = random k in room
    move 1 penny from lying[hall, me] to lying[to_room, me]
draw
    move top of cards_left to held of me
gain
    me gains 1 points
stop
    end game
""",
    )
    assert found == {"roll": "chance", "draw": "hidden", "gain": "choice", "stop": "over"}


def test_it_goes_on_while_each_has_one_idle_option_and_no_farther_than_can_be_seen(tmp_path: Path) -> None:
    found = ends(tmp_path, "gain\n    me gains 1 points\npass\n    nothing")
    # Everybody passes for ever.
    assert found == {"gain": "far", "pass": "far"}
    found = ends(tmp_path, "gain\n    me gains 1 points\npass\n    nothing\nwait\n    nothing")
    assert found == {"gain": "choice", "pass": "choice", "wait": "choice"}


def test_an_idle_option_that_hangs_on_what_is_hidden_ends_it(tmp_path: Path) -> None:
    found = ends(tmp_path, "gain\n    me gains 1 points\npass if top of cards_left is plain\n    nothing")
    assert found == {"gain": "hidden", "pass": "hidden"}


# ---- how it is worked out ----


def test_it_is_worked_out_bit_by_bit_and_changes_nothing() -> None:
    at = match("wongar", 3, 5)
    before = at.state.cells.copy()
    moves = at.state.legal_moves()
    found = Forecasts(at, moves)
    turns = iter([False, False, True])
    assert not found.work(lambda: next(turns))
    assert [found.of(move) is not None for move in moves[:3]] == [True, True, False]
    assert found.work(lambda: False)
    assert found.complete
    assert at.state.cells == before


def test_nothing_is_foretold_against_the_clock() -> None:
    at = match("ubongo", 2)
    while at.state.clock is None:
        at.play(at.state.legal_moves()[0])
    assert Forecasts(at, at.state.legal_moves()).complete


def test_at_length_it_says_what_happens_and_why_nobody_can_say_more() -> None:
    at = match("wongar", 3, 5)
    found = next(f for f in forecasts(at).values() if f.ahead)
    for language, last in {
        "en": "What comes next depends on a player’s decision.",
        "de": "Wie es weitergeht, hängt davon ab, wie sich jemand entscheidet.",
    }.items():
        lines = at_length(found, narrator(at, language), at.state.seat)
        assert len(lines) >= 3
        assert lines[-1] == last


def test_a_forecast_for_a_move_that_is_not_there_is_none() -> None:
    at = match("tictactoe")
    assert Forecasts(at, at.state.legal_moves()).of(Move(99)) is None
