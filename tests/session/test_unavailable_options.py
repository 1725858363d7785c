"""Unavailable options and the reasons."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.session.test_forecast import match, narrator
from tests.small_games import write_rules
from wongar_dsl.engine import library
from wongar_dsl.nlg.narration import illegal_move
from wongar_dsl.session.menu import unavailable_moves, unavailable_options

LIMITED = """
enum piece = ship
enum room = hall, attic, cellar
tokens crown of each room of each player holds piece, seen by all
tokens own of each player holds piece, seen by all
score points
setup
    for each p in player
        fill own of p with 5 ship
play
    repeat 5 times
        for each me in player
            me chooses turn
                place(there: room where crown[there, me, ship] = 0) if crowned(me) < 1
                    move 1 ship from own of me to crown[there, me]
                nap
                    nothing
    end game

define crowned(p: player) =
    number of there in room where crown[there, p, ship] > 0

winner p
    most points of p
"""


def test_option_excluded_by_a_limit_is_explained(tmp_path: Path) -> None:
    sample = match(write_rules(tmp_path, LIMITED))
    assert unavailable_options(sample.state) == []
    for text in ("place(hall)", "nap"):
        sample.play(sample.state.read(text))
    ((move, error),) = unavailable_options(sample.state)
    assert sample.state.write(move) == "place(attic)"
    assert illegal_move.explain(error, sample.state, narrator(sample), 0)[0]


def test_founding_after_two_royal_islands_is_explained() -> None:
    reasons = set()
    for seed in range(3, 40):
        sample, chance = match("tongiaki", 2, seed), random.Random(seed)
        while not sample.state.over:
            moves = sample.state.legal_moves()
            unavailable = unavailable_options(sample.state)
            assert not {move.option for move, _ in unavailable} & {move.option for move in moves}
            if sample.state.decision is not None and sample.state.decision.name == "turn":
                for move, error in unavailable:
                    if sample.state.write(move).startswith("found"):
                        reasons.add(illegal_move.explain(error, sample.state, narrator(sample), sample.state.seat)[0])
            founds = [move for move in moves if sample.state.write(move).startswith("found")]
            stays = [move for move in moves if not sample.state.write(move).startswith("resettle")]
            sample.play(chance.choice(founds or stays or moves))
        if reasons:
            break
    assert reasons
    assert all("royal" in reason for reason in reasons), reasons


@pytest.mark.parametrize(
    ("where", "definition"),
    [
        ("can_drop(foot)", "row of foot = 1 and not full(foot)"),
        ("can_drop(foot)", "not full(foot) and row of foot = 1"),
        ("row of foot = 1 and not full(foot)", ""),
        ("not full(foot) and row of foot = 1", ""),
    ],
)
def test_place_that_no_position_offers_gives_no_reason(tmp_path: Path, where: str, definition: str) -> None:
    article = "define can_drop(foot: cell) =\n    row of foot = 1 and not full(foot)\n"
    changed = f"define can_drop(foot: cell) =\n    {definition}\n" if definition else ""
    text = library.load("connect_four").sources[0].text
    path = tmp_path / "columns.rules"
    path.write_text(text.replace(article, changed).replace("where can_drop(foot)", f"where {where}"), encoding="utf-8")
    sample = match(path)
    for _ in range(6):
        sample.play(sample.state.read("drop(a1)"))
    errors = unavailable_moves(sample.state, narrator(sample), "a")
    assert len(errors) == 6
    [reason, *_] = illegal_move.explain_nearest(errors, sample.state, narrator(sample), sample.state.seat)
    assert reason == "The column of a1 is full."


KINDS = """
enum loaf = rye, bun
cards recipe
    plain(what: loaf)
    special
deck book of recipe
    1 plain(rye), 1 plain(bun), 4 special
pile shelf holds recipe
pile keep of each player holds recipe
setup
    fill shelf with book
    move all of shelf to keep of player(1)
play
    repeat 2 times
        player(1) chooses turn
            read_recipe(c: keep of player(1) where {where})
                move c from keep of player(1) to shelf
            otherwise
                nothing
    nobody wins
"""


@pytest.mark.parametrize(
    ("where", "text", "language"),
    [
        ("c is plain", "special", "de"),
        ("not (c is special)", "special", "nl"),
        ("c is not plain", "plain", "it"),
        ("c is special", "plain", "en"),
    ],
)
def test_kind_of_card_that_is_refused_is_explained(tmp_path: Path, where: str, text: str, language: str) -> None:
    """A kind of cards with parameters stands for no single value."""
    sample = match(write_rules(tmp_path, KINDS.format(where=where)))
    errors = unavailable_moves(sample.state, narrator(sample, language), text)
    assert errors
    assert all(illegal_move.explain(error, sample.state, narrator(sample, language), 0) for error in errors)
