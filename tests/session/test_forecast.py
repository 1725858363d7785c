"""Forecasts and hints: the result of an option as one seat can know it, in words, without hidden state."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.small_games import write_rules
from wongar_dsl.engine import Game, Move, library
from wongar_dsl.engine.bots import SearchBudget
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.narration.narrator import probability_text
from wongar_dsl.nlg.words import Translator
from wongar_dsl.session.forecast import (
    Forecast,
    ForecastWorker,
    costly_choice_question,
    full_text,
    hint,
    hint_refusal,
    one_line,
    short_line,
)
from wongar_dsl.session.scene import areas_of_move

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


def loaded_game(name: str | Path, seats: int) -> tuple[Game, str]:
    """Return a game and the hash of its rules."""
    rules = library.load(name)
    return rules.game(seats), rules.hash


#: Shipped games do not change, so their matches share them.
shipped_game = cache(loaded_game)


def match(name: str | Path, seats: int = 2, seed: int = 1, *moves: str) -> Match:
    game, rules_hash = shipped_game(name, seats) if isinstance(name, str) else loaded_game(name, seats)
    sample = Match.begin(game, [Seat("human")] * seats, seed, rules_hash)
    for move in moves:
        sample.play(sample.state.read(move))
    return sample


def match_after(name: str, seats: int, steps: int, seed: int = 5) -> Match:
    sample, chance = match(name, seats, seed), random.Random(seed)
    for _ in range(steps):
        sample.play(chance.choice(sample.state.legal_moves()))
    return sample


def random_game(name: str, seats: int, seed: int, steps: int = 300) -> Iterator[Match]:
    """Yield a random game at each decision."""
    sample, chance = match(name, seats, seed), random.Random(seed)
    while not sample.state.over and len(sample.steps) < steps:
        yield sample
        sample.play(chance.choice(sample.state.legal_moves()))


def decisions(name: str, seats: int, seed: int, steps: int, decision: str) -> Iterator[Match]:
    """Yield a random game at each decision with a name."""
    for sample in random_game(name, seats, seed, steps):
        if sample.state.decision is not None and sample.state.decision.name == decision:
            yield sample


def forecasts(at: Match) -> dict[str, Forecast]:
    moves = at.state.legal_moves()
    worker = ForecastWorker(at, moves)
    assert worker.work(lambda: False)
    return {at.state.write(move): forecast for move in moves if (forecast := worker.of(move)) is not None}


def forecast_text(at: Match, move: str, language: str = "en") -> str:
    return one_line(forecasts(at)[move], narrator(at, language))


def narrator(at: Match, language: str = "en") -> Narrator:
    return Narrator(at.game, Translator.load(language), NAMES[: at.game.seats])


def small_match(folder: Path, options: str) -> Match:
    """Return a game in which every player repeatedly chooses among these options."""
    lines = "".join(f"                {line}\n" for line in options.strip("\n").split("\n"))
    return match(write_rules(folder, SMALL + lines + END))


# ---- content ----


def test_winning_move_is_forecast() -> None:
    sample = match("tictactoe", 2, 1, "mark(a1)", "mark(b1)", "mark(a2)", "mark(b2)")
    assert forecast_text(sample, "mark(a3)") == "so: Anna wins"
    assert forecast_text(sample, "mark(c1)") == ""
    assert forecast_text(sample, "mark(a3)", "de") == "so: Anna gewinnt"


def test_ceremony_forecast_assumes_that_all_players_stop() -> None:
    sample = match("wongar", 3, 5)
    while sample.state.decision is not None and sample.state.decision.name != "ancestor_walk":
        take = next(
            (m for m in sample.state.legal_moves() if forecasts(sample)[sample.state.write(m)].next_moves), None
        )
        sample.play(take or sample.state.legal_moves()[0])
    for move in sample.state.legal_moves():
        forecast = forecasts(sample)[sample.state.write(move)]
        trial = match("wongar", 3, 5, *(step.text for step in sample.steps))
        before = trial.state.scores
        trial.play(move)
        while trial.state.decision is not None and trial.state.decision.name == "ritual_choice":
            trial.play(trial.state.read("stop"))
        gained = {p: trial.state.scores[p] - before[p] for p in range(3) if trial.state.scores[p] != before[p]}
        assert dict(forecast.points) == gained
        assert (one_line(forecast, narrator(sample)) != "") == bool(gained)


def test_further_steps_of_a_figure_are_forecast_apart_from_the_first() -> None:
    sample = match("wongar", 3, 5)
    pairs = [(sample.state.read(move), forecast) for move, forecast in forecasts(sample).items() if forecast.next_moves]
    assert pairs
    for move, forecast in pairs:
        figures = [f"the {sample.game.model.figures[figure]}" for figure in forecast.figures]
        told = f"then choose for {narrator(sample).words.chain(figures)} from: "
        assert one_line(forecast, narrator(sample)).startswith(told)
        immediate = areas_of_move(sample.state, move)
        next_places = {("area", later_move.arguments[-1]) for later_move in forecast.next_moves}
        assert {place for place in forecast.places if place[0] == "area"} >= next_places
        assert immediate
        assert immediate <= forecast.places - forecast.later
        assert next_places - immediate <= forecast.later <= forecast.places


#: Options of a small game, and the loss and risk of each.
COSTS = """
clear
    move 5 penny from lying[hall, me] to own of me
carry
    move 5 penny from lying[hall, me] to lying[attic, me]
one
    move 1 penny from lying[hall, me] to own of me
buy
    move 5 penny from lying[hall, me] to own of me
    move 1 penny from own of me to lying[attic, me]
score
    move 5 penny from lying[hall, me] to own of me
    me gains 4 points
give
    move 5 penny from lying[hall, me] to own of me
    for each p in player where p is not me
        p gains 4 points
pay
    me loses 7 points
nap
    nothing
"""
LOSSES = {
    "clear": (5, True), "carry": (0, False), "one": (1, False), "buy": (4, False), "score": (5, False),
    "give": (5, True), "pay": (0, True), "nap": (0, False),
}  # fmt: skip


def test_pieces_returned_to_the_supply_and_points_are_lost_unless_something_is_gained(tmp_path: Path) -> None:
    sample = small_match(tmp_path, COSTS)
    by_option = forecasts(sample)
    assert {name: (f.loss, f.risky) for name, f in by_option.items()} == LOSSES
    assert one_line(by_option["pay"], narrator(sample)) == "so: Anna −7"
    # The warning states gains of other players.
    warning = costly_choice_question(by_option["give"], narrator(sample))
    assert "5 penny back to your supply" in warning
    assert warning.endswith(" · so: Ben +4")


# ---- end of a forecast ----


@pytest.mark.parametrize(
    ("options", "ends"),
    [
        (
            "roll\n    let to_room = random k in room\n    move 1 penny from lying[hall, me] to lying[to_room, me]\n"
            "draw\n    move top of cards_left to held of me\ngain\n    me gains 1 points\nstop\n    end game",
            {"roll": "chance", "draw": "hidden", "gain": "choice", "stop": "over"},
        ),
        # All players pass until the limit is reached.
        ("gain\n    me gains 1 points\npass\n    nothing", {"gain": "far", "pass": "far"}),
        (
            "gain\n    me gains 1 points\npass\n    nothing\nwait\n    nothing",
            {"gain": "choice", "pass": "choice", "wait": "choice"},
        ),
        (
            "gain\n    me gains 1 points\npass if top of cards_left is plain\n    nothing",
            {"gain": "hidden", "pass": "hidden"},
        ),
    ],
    ids=["random number, card and choice", "a single pass", "two ways to pass", "a pass by a hidden card"],
)
def test_forecast_ends_at_chance_hidden_state_and_choices(options: str, ends: dict[str, str], tmp_path: Path) -> None:
    assert {name: f.end for name, f in forecasts(small_match(tmp_path, options)).items()} == ends


# ---- computation ----


def test_forecasts_are_computed_incrementally_without_side_effects() -> None:
    sample = match("wongar", 3, 5)
    before = sample.state.cells.copy()
    moves = sample.state.legal_moves()
    worker = ForecastWorker(sample, moves)
    turns = iter([False, False, True])
    assert not worker.work(lambda: next(turns))
    assert [worker.of(move) is not None for move in moves[:3]] == [True, True, False]
    assert worker.work(lambda: False)
    assert worker.complete
    assert sample.state.cells == before


def match_with_clock() -> Match:
    """Return a game at a decision with a running clock."""
    sample = match("ubongo")
    while sample.state.clock is None:
        sample.play(sample.state.legal_moves()[0])
    return sample


def test_no_forecasts_are_computed_while_a_clock_runs() -> None:
    sample = match_with_clock()
    assert ForecastWorker(sample, sample.state.legal_moves()).complete


def test_full_text_ends_with_the_limit_of_the_forecast() -> None:
    sample = match("wongar", 3, 5)
    forecast = next(f for f in forecasts(sample).values() if f.next_moves)
    for language, last in {
        "en": "What comes next depends on a player’s decision.",
        "de": "Wie es weitergeht, hängt davon ab, wie sich jemand entscheidet.",
    }.items():
        lines = full_text(forecast, narrator(sample, language), sample.state.seat)
        assert len(lines) >= 3
        assert lines[-1] == last


def test_unknown_move_has_no_forecast() -> None:
    sample = match("tictactoe")
    assert ForecastWorker(sample, sample.state.legal_moves()).of(Move(99)) is None


REPEATED = {
    "en": "so: the ships land on {} again, since {} is a royal island",
    "de": "so: die Schiffe landen wieder auf {}, weil {} eine Königsinsel ist",
    "it": "così: le navi sbarcano di nuovo su {}, perché {} è un’isola reale",
    "nl": "zo: de schepen landen weer op {}, omdat {} een koningseiland is",
}


# ---- deciding effects ----


def test_route_that_leads_back_is_explained_and_the_common_end_of_voyages_omitted() -> None:
    back = reached = 0
    for sample in decisions("tongiaki", 3, 5, 60, "emigration"):
        for move, forecast in forecasts(sample).items():
            messages = {event.spec.message for event in forecast.immediate_events}
            back += "turned_away" in messages
            for language, told in REPEATED.items():
                text = one_line(forecast, narrator(sample, language))
                beginning, *_, end = told.split("{}")
                assert (text.startswith(beginning) and text.endswith(end)) == ("turned_away" in messages), (move, text)
            if messages >= {"departs", "arrives"}:
                reached += 1
                assert "reach" not in one_line(forecast, narrator(sample))
    assert back > 0
    assert reached > 2


def test_option_that_triggers_the_last_turn_says_so() -> None:
    pairs = {
        (
            any(event.spec.message == "last_turn" for event in forecast.immediate_events),
            "after this turn" in one_line(forecast, narrator(sample)),
        )
        for sample in decisions("tongiaki", 2, 5, 200, "laying")
        for forecast in forecasts(sample).values()
        if forecast.end != "over"
    }
    assert pairs == {(True, True), (False, False)}


# ---- costs ----


def test_ship_fetched_to_be_placed_again_is_no_loss() -> None:
    fetched = lost = 0
    for sample in decisions("tongiaki", 3, 5, 120, "turn"):
        for move, forecast in forecasts(sample).items():
            if move.startswith("fetch"):
                fetched += 1
                assert not forecast.losses
            lost += move == "resettle" and bool(forecast.losses)
    assert fetched > 10
    assert lost > 10


def test_piece_that_need_not_be_placed_again_is_a_loss(tmp_path: Path) -> None:
    lines = "fetch\n    move 1 penny from lying[hall, me] to own of me\n    me chooses again\n"
    back = "        back\n            move 1 penny from own of me to lying[attic, me]\n"
    names = {}
    for more in ("", "        stop\n            nothing\n"):
        options = f"{lines}{back}{more}nap\n    nothing"
        folder = tmp_path / str(len(names))
        folder.mkdir()
        names[bool(more)] = forecasts(small_match(folder, options))["fetch"].loss
    assert names == {False: 0, True: 1}


# ---- short forms ----


def test_short_line_lists_own_points_before_others() -> None:
    both = 0
    for sample in decisions("wongar", 3, 6, 200, "turn"):
        seat = sample.state.seat
        for forecast in forecasts(sample).values():
            points = dict(forecast.points)
            own_points, others = points.pop(seat, 0), sum(points.values())
            if forecast.end != "over" and own_points > 0 and others > 0:
                both += 1
                name = narrator(sample).names[seat]
                assert short_line(forecast, narrator(sample), seat) == f"so: {name} +{own_points}; others +{others}"
                assert (
                    short_line(forecast, narrator(sample, "de"), seat) == f"so: {name} +{own_points}; andere +{others}"
                )
            elif not own_points and not others and not forecast.losses and forecast.end != "over":
                assert short_line(forecast, narrator(sample), seat) == ""
    assert both > 3


BUDGET = SearchBudget(60)


def one_decision(folder: Path, options: str) -> Match:
    """Return a game of one decision, with options that all lose."""
    lose = "\n            player(2) wins\n"
    text = "".join(f"        {name}{lose}" for name in options.split())
    return match(write_rules(folder, f"play\n    player(1) chooses t\n{text}"))


def test_hint_finds_a_win_in_one_move() -> None:
    sample = match("tictactoe", 2, 1, "mark(a1)", "mark(b1)", "mark(a2)", "mark(b2)")
    advice = hint(sample, BUDGET)
    assert (sample.state.write(advice.best[0].move), advice.best[0].share) == ("mark(a3)", 1)
    assert len(advice.best) <= 3


def test_hint_has_no_side_effects() -> None:
    sample = match("goofspiel")
    before, length = sample.state.cells.copy(), len(sample.history())
    assert hint(sample, BUDGET) == hint(sample, BUDGET)
    assert (sample.state.cells, len(sample.history()), len(sample.steps)) == (before, length, 0)


def test_hint_does_not_depend_on_hidden_cards() -> None:
    # Deals in which seat 0 holds the queen; seat 1 has the jack or the king.
    games = [match("kuhn_poker", 2, seed) for seed in range(40)]
    holding = games[0].game.fields["holding"]
    mine = games[0].game.model.cards["card"].index("face(queen)")
    alike = [sample for sample in games if sample.state.cells[holding.at(0)] == mine]
    assert len({sample.state.cells[holding.at(1)] for sample in alike}) == 2
    for sample in alike:
        sample.seed = 7
    assert len({hint(sample, BUDGET) for sample in alike}) == 1


def test_equal_options_are_reported_as_even(tmp_path: Path) -> None:
    advice = hint(one_decision(tmp_path, "left right"), BUDGET)
    assert (advice.even, len(advice.best)) == (True, 1)


def test_hint_is_refused_while_a_clock_runs_and_for_a_single_option(tmp_path: Path) -> None:
    samples = (match("tictactoe"), match_with_clock(), one_decision(tmp_path, "go"))
    refusals = [hint_refusal(sample) for sample in samples]
    assert refusals == [None, "clock", "only"]


@pytest.mark.parametrize(
    ("share", "certain", "said"),
    [
        (0.0, False, "hardly any"),
        (0.06, False, "about 1 in 10"),
        (0.449, False, "about 4 in 10"),
        (0.94, False, "about 9 in 10"),
        (0.97, False, "almost certain"),
        (1.0, True, "certain"),
        (0.5, True, "no more than a draw or a shared win"),
        (0.0, True, "none"),
    ],
)
def test_chances_are_worded_in_tenths(share: float, certain: bool, said: str) -> None:
    assert probability_text(Translator.load("en"), share, certain).text == said
