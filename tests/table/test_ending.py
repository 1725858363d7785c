"""The end of a game: how the points grew round by round, and what decided it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.small_games import written
from tests.table.test_digest import played
from tests.table.test_forecast import match, narrator
from wongar_dsl.engine import State
from wongar_dsl.engine.events import EVERYTHING
from wongar_dsl.engine.match import Match
from wongar_dsl.narration.ties import tie_broken
from wongar_dsl.table.ending import MOMENTS, counted_now, ending, heading, moment_told, points_by_origin, rounds

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


def race(folder: Path, *moves: str) -> Match:
    return match(written(folder, RACE), 2, 1, *moves)


def to_the_end(name: str, seats: int, seed: int) -> Match:
    found = played(name, seats, 0, seed)
    chance = random.Random(seed)
    while not found.state.over:
        found.play(chance.choice(found.state.legal_moves()))
    return found


def test_without_headings_a_round_is_a_turn_of_everybody(tmp_path: Path) -> None:
    at = race(tmp_path, "leap", "walk", "walk", "walk", "walk", "leap")
    found = ending(at, narrator(at)).course
    assert found is not None
    assert found.ends == (2, 4, 6)
    assert found.points == ((0, 0), (5, 1), (6, 2), (7, 7))


def test_a_round_is_what_the_story_has_a_heading_for() -> None:
    at = to_the_end("wongar", 3, 3)
    begun = [event.fields() for event in at.history() if event.spec.message == "round_begins"]
    assert len(rounds(at, narrator(at))) == len(begun) > 3


def test_the_points_by_origin_add_up_to_all_of_them() -> None:
    at = to_the_end("wongar", 3, 3)
    *origins, total = points_by_origin(narrator(at), at.state.cells)
    assert total.total
    assert tuple(map(sum, zip(*(row.points for row in origins), strict=True))) == total.points == at.state.scores


def test_who_takes_the_lead_for_good_is_a_moment(tmp_path: Path) -> None:
    at = race(tmp_path, "walk", "leap", "leap", "walk", "leap", "walk")
    leading = [moment for moment in ending(at, narrator(at)).moments if moment.leader is not None]
    assert [(moment.step, moment.round, moment.leader) for moment in leading] == [(4, 3, 0)]


def test_gains_of_who_leads_clearly_and_of_who_never_leads_decided_nothing(tmp_path: Path) -> None:
    at = race(tmp_path, "leap", "walk", "walk", "leap", "leap", "walk")
    # 5:0, 5:1, 6:1, 6:6, 11:6, 11:7
    assert [moment.step for moment in ending(at, narrator(at)).moments] == [0, 4]
    at = race(tmp_path, "leap", "walk", "leap", "walk", "leap", "leap")
    # 5:0, 5:1, 10:1, 10:2, 15:2, 15:7
    assert [moment.step for moment in ending(at, narrator(at)).moments] == [0]


def test_a_step_with_which_the_lead_goes_to_somebody_else_is_a_moment(tmp_path: Path) -> None:
    at = race(tmp_path, "walk", "leap", "leap", "walk", "walk", "walk")
    # 1:0, 1:5, 6:5, 6:6, 7:6, 7:7
    assert [moment.step for moment in ending(at, narrator(at)).moments] == [1, 2]


def test_points_that_all_come_with_the_last_step_have_no_moment_that_decided() -> None:
    at = to_the_end("kuhn_poker", 2, 1)
    assert len(set(at.state.scores)) == 2
    assert ending(at, narrator(at)).moments == ()


TURN = {
    "en": ("turn", "takes the lead at the very end"),
    "de": ("am Zug", "ganz am Schluss die Führung"),
    "it": ("turno", "proprio alla fine"),
    "nl": ("aan de beurt", "helemaal aan het eind"),
}


@pytest.mark.parametrize("language", TURN)
def test_no_moment_tells_whose_turn_is_next(language: str) -> None:
    turn, _ = TURN[language]
    moments = 0
    for seed in range(6):
        at = to_the_end("tongiaki", 3, seed)
        assert any(turn in (narrator(at, language).event(event, None) or "") for event in at.history())
        for moment in ending(at, narrator(at, language)).moments:
            assert not any(turn in line for line in moment.lines)
            moments += 1
    assert moments > 6


@pytest.mark.parametrize("language", TURN)
def test_who_takes_the_lead_with_the_last_step_does_not_keep_it(language: str, tmp_path: Path) -> None:
    at = race(tmp_path, "leap", "walk", "walk", "walk", "walk", "leap")
    assert not any(moment.last for moment in ending(at, narrator(at)).moments)
    at = race(tmp_path, "leap", "leap", "walk", "walk", "walk", "leap")
    (moment,) = (one for one in ending(at, narrator(at)).moments if one.leader is not None)
    assert moment.last
    assert TURN[language][1] in moment_told(moment, narrator(at, language))[-1]


def test_nobody_leads_where_it_ends_in_a_tie(tmp_path: Path) -> None:
    at = race(tmp_path, "walk", "leap", "leap", "walk", "walk", "walk")
    found = ending(at, narrator(at)).moments
    assert {moment.step for moment in found} >= {1, 2}
    assert {moment.leader for moment in found} == {None}


def test_without_points_the_last_move_is_told_and_the_line_that_wins() -> None:
    at = match("tictactoe", 2, 1, *(f"mark({square})" for square in ("a1", "b1", "a2", "b2", "a3")))
    found = ending(at, narrator(at))
    assert (found.rows, found.course) == ((), None)
    assert [moment.step for moment in found.moments] == [4]
    assert "a1" in found.line
    assert "b1" not in found.line


def test_where_all_points_come_at_the_end_the_curve_is_what_everybody_would_have_had() -> None:
    at = to_the_end("tongiaki", 2, 3)
    found = ending(at, narrator(at))
    assert found.course is not None
    assert found.counted
    assert found.course.grew
    assert found.course.points[-1] == at.state.scores
    assert heading(found, narrator(at, "de")) == "Zwischenstand"
    # Moments are moves that changed it, not the count at the end.
    assert found.moments
    assert not any("points for" in line for moment in found.moments for line in moment.lines)


def test_where_points_come_during_play_the_curve_is_what_everybody_has() -> None:
    at = to_the_end("wongar", 3, 3)
    found = ending(at, narrator(at))
    assert found.course is not None
    assert found.course.grew
    assert not found.counted
    assert heading(found, narrator(at)) == ""


def test_a_very_long_game_is_not_gone_through_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at = race(tmp_path, "leap", "walk", "walk", "walk", "walk", "leap")
    monkeypatch.setattr("wongar_dsl.table.ending.LONGEST", 5)
    found = ending(at, narrator(at))
    assert (found.course, found.moments) == (None, ())
    assert found.rows[-1].points == (7, 7)


def test_what_was_hidden_to_the_end_is_not_told(tmp_path: Path) -> None:
    at = match(written(tmp_path, SECRET), 2, 7, "peek", "peek")
    (moment,) = ending(at, narrator(at)).moments
    named = ("plain", "fancy")
    seen = [(narrator(at).event(event, EVERYTHING) or "").lower() for event in at.history()]
    assert any(card in told for told in seen for card in named)
    assert moment.lines
    assert not any(card in " ".join(moment.lines).lower() for card in named)


@pytest.mark.parametrize("name", ["wongar", "goofspiel", "tongiaki", "nim"])
@given(seed=st.integers(0, 30))
@settings(deadline=None, max_examples=12)
def test_moments_are_few_and_in_order_and_the_curve_ends_with_the_points(name: str, seed: int) -> None:
    at = to_the_end(name, 3 if name == "wongar" else 2, seed)
    found = ending(at, narrator(at))
    steps = [moment.step for moment in found.moments]
    assert steps == sorted(set(steps))
    assert len(steps) <= MOMENTS
    highest = sorted(at.state.scores)[-2:]
    before = {State(at.game, at.before(number)).scores for number in range(len(at.steps))}
    assert steps or highest[0] == highest[-1] or len(before) == 1
    if found.course is not None:
        assert found.course.points[-1] == at.state.scores
        assert list(found.course.ends) == sorted(set(found.course.ends))
        assert found.course.ends[-1] == len(at.steps)
        last = State(at.game, at.before(found.course.ends[0]))
        assert found.course.points[1] == (counted_now(last) if found.counted else last.scores)


@pytest.mark.parametrize(("name", "seats"), [("tongiaki", 3), ("ubongo", 2)])
def test_a_tie_is_told_where_the_rules_broke_one(name: str, seats: int) -> None:
    told = []
    for seed in range(12):
        at = to_the_end(name, seats, seed)
        teller = narrator(at)
        assert ending(at, teller).tie == tie_broken(at.state, teller)
        told.append(ending(at, teller).tie)
    assert "" in told
