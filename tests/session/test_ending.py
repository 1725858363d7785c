"""The end of a game: points, history, decisive moments, compared values and winning lines."""

from __future__ import annotations

import random
from functools import cache
from itertools import cycle
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties.play import names
from tests.session.test_forecast import match, match_after, narrator
from tests.small_games import write_rules
from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.engine import State
from wongar_dsl.engine.events import EVERYTHING
from wongar_dsl.engine.hidden_information.determinization import determinize
from wongar_dsl.engine.library import load
from wongar_dsl.engine.match import Match
from wongar_dsl.nlg.narration.illegal_move_reasons import tie_break_text
from wongar_dsl.nlg.narration.story import round_starts
from wongar_dsl.session.ending import (
    MOMENTS,
    ending,
    heading,
    moment_text,
    points_by_origin,
    ranking_values,
    rounds,
    scores_if_ended_now,
)
from wongar_dsl.session.scene import winning_lines

RACE = """
score points
play
    repeat 3 times
        for each me in player
            me chooses turn
                walk
                    me gains 1 points
                leap
                    me gains 5 points
    end game

winner p
    most points of p
"""


SECRET = """
cards card
    plain
    fancy
deck pack of card total 6
    3 plain
    3 fancy
pile cards_left holds card, seen as a number
hand held of each player holds card, seen by owner
setup
    fill cards_left with pack
    shuffle cards_left
play
    for each me in player
        me chooses turn
            peek
                move top of cards_left to held of me
            rest
                nothing
    player(1) wins
"""


def race(folder: Path, moves: str) -> Match:
    """Return a race of two, with the first letters of their moves."""
    return match(write_rules(folder, RACE), 2, 1, *({"l": "leap", "w": "walk"}[letter] for letter in moves))


@cache
def finished_match(name: str, seats: int, seed: int) -> Match:
    sample = match_after(name, seats, 0, seed)
    chance = random.Random(seed)
    while not sample.state.over:
        sample.play(chance.choice(sample.state.legal_moves()))
    return sample


def test_round_without_headings_is_one_turn_per_player(tmp_path: Path) -> None:
    sample = race(tmp_path, "lwwwwl")
    course = ending(sample, narrator(sample)).history
    assert course is not None
    assert course.ends == (2, 4, 6)
    assert course.points == ((0, 0), (5, 1), (6, 2), (7, 7))


@pytest.mark.parametrize(("game", "seats"), [("wongar", 3), ("ubongo", 2), ("ubongo", 4)])
def test_rounds_follow_the_headings_of_the_story(game: str, seats: int) -> None:
    """Decisions of the set-up, like the first spaces of the pawns in Ubongo, belong to the first round."""
    sample = finished_match(game, seats, 3)
    begun = [event.fields() for event in sample.history() if event.spec.message == "round_begins"]
    assert len(rounds(sample, narrator(sample))) == len(begun) > 3


def test_rounds_of_a_story_without_headings_begin_with_its_turns() -> None:
    """Also a player who has several turns in a row, or none, has had a turn of the round."""
    sample = finished_match("tongiaki", 3, 1)
    assert len(rounds(sample, narrator(sample))) == len(list(round_starts(narrator(sample), sample))) == 8


def test_points_by_origin_add_up_to_the_scores() -> None:
    sample = finished_match("wongar", 3, 3)
    *origins, total = points_by_origin(narrator(sample), sample.state)
    assert total.total
    assert tuple(map(sum, zip(*(row.points for row in origins), strict=True))) == total.points == sample.state.scores


@pytest.mark.parametrize(
    ("moves", "steps", "leaders"),
    [
        # Taking the lead for good: 1:0, 1:5, 6:5, 6:6, 11:6, 11:7.
        ("wllwlw", {4}, {(4, 3, 0)}),
        # Gains without a change of the lead: 5:0, 5:1, 6:1, 6:6, 11:6, 11:7 and 5:0, 5:1, 10:1, 10:2, 15:2, 15:7.
        ("lwwllw", {0, 4}, None),
        ("lwlwll", {0}, None),
        # A change of the lead, and a tie in the end: 1:0, 1:5, 6:5, 6:6, 7:6, 7:7.
        ("wllwww", {1, 2}, set()),
    ],
)
def test_changes_of_the_lead_are_turning_points(
    moves: str, steps: set[int], leaders: set[object] | None, tmp_path: Path
) -> None:
    sample = race(tmp_path, moves)
    moments = ending(sample, narrator(sample)).moments
    assert {moment.step for moment in moments} >= steps
    assert leaders is not None or len(moments) == len(steps)
    assert leaders in (None, {(m.step, m.round, m.leader) for m in moments if m.leader is not None})


def test_points_of_the_last_step_alone_have_no_turning_point(tmp_path: Path) -> None:
    late = write_rules(tmp_path, RACE.replace("me gains 1 points", "nothing"))
    for steps, moments in ((4, [4]), (5, [])):
        sample = match(late, 2, 1, *("leap" if number == steps else "walk" for number in range(6)))
        assert [moment.step for moment in ending(sample, narrator(sample)).moments] == moments
    sample = finished_match("kuhn_poker", 2, 1)
    assert len(set(sample.state.scores)) == 2
    assert ending(sample, narrator(sample)).moments == ()


TURN = {
    "en": ("turn", "takes the lead at the very end"),
    "de": ("am Zug", "ganz am Schluss die Führung"),
    "it": ("turno", "proprio alla fine"),
    "nl": ("aan de beurt", "helemaal aan het eind"),
}


def test_turning_points_omit_turn_announcements() -> None:
    moments = 0
    for seed, language in zip(range(6), cycle(TURN), strict=False):
        turn, sample = TURN[language][0], finished_match("tongiaki", 3, seed)
        teller = narrator(sample, language)
        assert any(turn in (teller.event(event, None) or "") for event in sample.history())
        for moment in ending(sample, teller).moments:
            assert not any(turn in line for line in moment.lines)
            moments += 1
    assert moments > 6


def test_lead_taken_with_the_last_step_is_described_so(tmp_path: Path) -> None:
    sample = race(tmp_path, "lwwwwl")
    assert not any(moment.last for moment in ending(sample, narrator(sample)).moments)
    sample = race(tmp_path, "llwwwl")
    (moment,) = (candidate for candidate in ending(sample, narrator(sample)).moments if candidate.leader is not None)
    assert moment.last
    for language, (_, told) in TURN.items():
        assert told in moment_text(moment, narrator(sample, language))[-1]


def test_game_without_points_shows_last_move_and_winning_line() -> None:
    sample = match("tictactoe", 2, 1, *(f"mark({square})" for square in ("a1", "b1", "a2", "b2", "a3")))
    summary = ending(sample, narrator(sample))
    assert (summary.rows, summary.history) == ((), None)
    assert [moment.step for moment in summary.moments] == [4]
    assert "a1" in summary.line
    assert "b1" not in summary.line


def test_last_move_decides_neither_a_draw_nor_a_comparison() -> None:
    squares = ("a1", "b1", "c1", "b2", "a2", "a3", "b3", "c3", "c2")
    draw = match("tictactoe", 2, 1, *(f"mark({square})" for square in squares))
    assert draw.state.over
    assert draw.state.winners == ()
    assert ending(draw, narrator(draw)).moments == ()
    # Most gems win, and the last move is often that of a player who gets none.
    compared = finished_match("ubongo", 2, 3)
    summary = ending(compared, narrator(compared))
    assert summary.rows
    assert summary.moments == ()
    decided = finished_match("nim", 2, 3)
    assert [moment.step for moment in ending(decided, narrator(decided)).moments] == [len(decided.steps) - 1]


def test_curve_shows_provisional_scores_only_if_points_come_at_the_end() -> None:
    sample = finished_match("tongiaki", 2, 3)
    summary = ending(sample, narrator(sample))
    assert summary.history is not None
    assert summary.is_provisional
    assert summary.history.has_growth
    assert summary.history.points[-1] == sample.state.scores
    assert heading(summary, narrator(sample, "de")) == "Zwischenstand"
    # Turning points are moves that changed the curve, not the final count.
    assert summary.moments
    assert not any("points for" in line for moment in summary.moments for line in moment.lines)
    # Points that come during play are shown as they are.
    sample = finished_match("wongar", 3, 3)
    summary = ending(sample, narrator(sample))
    assert summary.history is not None
    assert (summary.history.has_growth, summary.is_provisional) == (True, False)
    assert heading(summary, narrator(sample)) == "Points"


def test_very_long_games_have_no_curve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sample = race(tmp_path, "lwwwwl")
    monkeypatch.setattr("wongar_dsl.session.ending.MAX_STEPS", 5)
    summary = ending(sample, narrator(sample))
    assert (summary.history, summary.moments, summary.rows[-1].points) == (None, (), (7, 7))


def test_turning_points_do_not_name_hidden_cards(tmp_path: Path) -> None:
    sample = match(write_rules(tmp_path, SECRET), 2, 7, "peek", "peek")
    (moment,) = ending(sample, narrator(sample)).moments
    named = ("plain", "fancy")
    teller = narrator(sample)
    seen = [(teller.event(event, EVERYTHING) or "").lower() for event in sample.history()]
    assert any(card in sentence for sentence in seen for card in named)
    assert moment.lines
    assert not any(card in " ".join(moment.lines).lower() for card in named)


@pytest.mark.parametrize("name", ["wongar", "goofspiel", "tongiaki", "nim"])
@given(seed=st.integers(0, 30))
@settings(deadline=None, max_examples=12)
def test_summary_of_random_games_is_consistent(name: str, seed: int) -> None:
    sample = finished_match(name, 3 if name == "wongar" else 2, seed)
    summary = ending(sample, narrator(sample))
    steps = [moment.step for moment in summary.moments]
    assert steps == sorted(set(steps))
    assert len(steps) <= MOMENTS
    highest = sorted(sample.state.scores)[-2:]
    before = (State(sample.game, sample.state_before(number)).scores for number in range(len(sample.steps)))
    assert steps or highest[0] == highest[-1] or len(set(before)) == 1
    if summary.history is not None:
        assert summary.history.points[-1] == sample.state.scores
        assert list(summary.history.ends) == sorted(set(summary.history.ends))
        assert summary.history.ends[-1] == len(sample.steps)
        last = State(sample.game, sample.state_before(summary.history.ends[0]))
        assert summary.history.points[1] == (scores_if_ended_now(last) if summary.is_provisional else last.scores)


def test_summary_explains_broken_ties() -> None:
    samples = [finished_match("ubongo", 2, seed) for seed in range(12)]
    explanations = [ending(sample, narrator(sample)).tie for sample in samples]
    assert explanations == [tie_break_text(sample.state, narrator(sample)) for sample in samples]
    assert len(set(explanations)) > 1


def test_what_happens_in_the_next_round_is_told_with_that_round() -> None:
    """The last turn of a round and the beginning of the next one are one step."""
    tested = 0
    for seed in range(1, 40):
        sample = finished_match("wongar", 3, seed)
        for moment in ending(sample, narrator(sample)).moments:
            messages = [event.spec.message for event in sample.events_leading_to(moment.step + 1)]
            if "round_begins" not in messages or "stung" not in messages[messages.index("round_begins") :]:
                continue
            text, *_ = moment_text(moment, narrator(sample))
            begun = sum(
                event.spec.message == "round_begins"
                for step in range(moment.step + 2)
                for event in sample.events_leading_to(step)
            )
            strikes = text.rpartition(" costs ")[0]
            if not strikes:
                continue
            assert f"Round {begun}: " in strikes, text
            assert ("ceremony_scored" in messages) == (f"Round {begun - 1}: " in strikes), text
            tested += 1
        if tested > 2:
            break
    assert tested > 2


#: Ranking by coins in the open chest, then by coins in the hidden purse, then by fewest debts.
HOARD = """
cards coin
    gold
    silver
deck coins of coin total 8
    4 gold
    4 silver
pile bank holds coin, seen by all
heap chest of each player holds coin, seen by all
hand purse of each player holds coin, seen by owner
remember debts of each player: number 0 to 9 = 0
setup
    fill bank with coins
play
    repeat 2 times
        for each me in player
            me chooses turn
                earn
                    move top of bank to chest of me
                hide
                    move top of bank to purse of me
                owe
                    set debts of me to debts of me + 1
    end game

define riches(p: player) = size of chest of p

winner p
    most riches(p)
    then most size of purse of p
    then fewest debts of p
"""


def test_ranking_values_are_listed_for_each_player(tmp_path: Path) -> None:
    sample = match(write_rules(tmp_path, HOARD), 2, 1, "earn", "hide", "earn", "owe")
    rows = {row.name: row.points for row in ending(sample, narrator(sample)).rows}
    assert rows == {"Chest": (2, 0), "Purse": (0, 1), "Debts": (0, 1)}


def test_visible_zones_are_listed_by_kind_and_hidden_ones_as_totals(tmp_path: Path) -> None:
    fill = "    fill bank with coins\n"
    rules = write_rules(tmp_path, HOARD.replace(fill, f"{fill}    shuffle bank\n"))
    dealt = (match(rules, 2, seed, "earn", "hide", "earn", "hide") for seed in range(1, 30))
    listed = ({row.name: row for row in ending(sample, narrator(sample)).rows} for sample in dealt)
    rows = next(rows for rows in listed if "Gold" in rows)
    assert rows["Gold"].points == rows["Silver"].points == (1, 0)
    assert rows["Chest"].total
    assert (rows["Purse"].points, rows["Purse"].total) == ((0, 2), False)


def test_ubongo_gems_are_counted_by_colour_and_round() -> None:
    sample = finished_match("ubongo", 2, 3)
    summary = ending(sample, narrator(sample))
    *colours, gems = summary.rows
    assert gems.total
    assert tuple(map(sum, zip(*(row.points for row in colours), strict=True))) == gems.points
    assert summary.history is not None
    assert summary.history.points[-1] == gems.points
    assert len(summary.history.ends) > 3
    assert "most gems of one colour" in summary.rule


def test_zones_hidden_from_all_are_not_listed(tmp_path: Path) -> None:
    purse = "{} purse of each player holds coin, seen by {}"
    rules = HOARD.replace(purse.format("hand", "owner"), purse.format("heap", "nobody"))
    sample = match(write_rules(tmp_path, rules), 2, 1, "earn", "hide", "earn", "owe")
    assert {row.name for row in ending(sample, narrator(sample)).rows} == {"Chest", "Debts"}


@pytest.mark.parametrize("name", sorted(name for name in names() if load(name).model.code.winner is not None))
def test_compared_values_do_not_depend_on_hidden_state(name: str) -> None:
    rules = load(name)
    sample = match_after(name, rules.model.players[0], 3, 3)
    rows = ranking_values(sample.state, narrator(sample))
    for seed in range(3):
        resampled = determinize(sample.state, None, Generator(seed), sample.past)
        assert ranking_values(resampled, narrator(sample)) == rows


DRAW = ("a1", "b1", "c1", "b2", "a2", "c2", "b3", "a3", "c3")


@pytest.mark.parametrize(
    ("game", "moves", "squares"),
    [
        ("tictactoe", ["mark(a1)", "mark(b1)", "mark(a2)", "mark(b2)", "mark(a3)"], ["a1", "a2", "a3"]),
        ("tictactoe", ["mark(a1)", "mark(b1)", "mark(a2)", "mark(b2)"], []),
        ("tictactoe", [f"mark({square})" for square in DRAW], []),
        ("connect_four", [*(("drop(d1)", "drop(a1)") * 3), "drop(d1)"], ["d1", "d2", "d3", "d4"]),
        ("nim", ["take(heap_a, 1)"], []),
    ],
)
def test_only_the_line_that_wins_is_found(game: str, moves: list[str], squares: list[str]) -> None:
    state = match(game, 2, 1, *moves).state
    while game == "nim" and not state.over:
        state.apply(state.legal_moves()[0])
    lines = [state.game.model.boards[board].areas[area] for board, area in winning_lines(state)]
    assert sorted(lines) == squares
