"""What is counted of a game: by hand on a small one, and what must hold of any."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import written
from wongar_dsl import library
from wongar_dsl.lab.columns import BINS, EXACT, PARTS, TOP, Key, bin_of, bounds, columns, quantile
from wongar_dsl.lab.counting import Counting
from wongar_dsl.lab.simulation import Arm, Laboratory, Plan, Task
from wongar_dsl.lab.tally import Row, Tally, in_common

RACE = """
enum colour = red, green
enum origin = early, late
score points by origin
play
    repeat 2 times
        player(2) chooses paint
            dab(c: colour)
                if c is green
                    player(2) gains 2 points for early
            rest
                player(1) gains 1 points for late
    player(1) chooses finish
        stop
            player(1) gains 3 points for late
    end game
winner p
    {extreme} points of p
"""


def counted(folder: Path, choices: list[tuple[int, ...]], extreme: str = "most") -> tuple[Row, dict[Key, int]]:
    """The row of a game of it with these choices, and what stands in it."""
    rules = library.load(written(folder, RACE.format(extreme=extreme)))
    game = rules.marked(2)
    found = columns(rules.model, game.program)
    counting, cells = Counting(found), game.backend.start(1)
    options = game.backend.advance(cells)
    counting.moved(cells)
    for choice in choices:
        counting.decided(cells, options, choice)
        game.backend.choose(cells, choice)
        options = game.backend.advance(cells)
        counting.moved(cells)
    row = counting.row(cells, (1, 0), sorted(game.backend.reached))
    return row, dict(zip(found.keys, row.row, strict=True)) if row.finished else {}


def test_a_small_game_is_counted_as_by_hand(tmp_path: Path) -> None:
    _, found = counted(tmp_path, [(0, 1), (1,), (0,)])
    plain = {key.measure: number for key, number in found.items() if key == Key(key.measure)}
    assert plain == {
        "drawn": 0, "shared": 0, "length": 3, "gap": 2, "changes": 1, "decided games": 1, "decided": 1000,
        "starter wins": 0, "starter won": 0, "starter points": 2,
    }  # fmt: skip
    by_seat = {(key.measure, key.seat): number for key, number in found.items() if key.seat >= 0 and not key.origin}
    assert by_seat == {
        ("wins", 0): 2, ("wins", 1): 0, ("won", 0): 1, ("won", 1): 0, ("points", 0): 4, ("points", 1): 2,
        ("starts", 0): 0, ("starts", 1): 1, ("entrant wins", 0): 0, ("entrant wins", 1): 2, ("entrant points", 0): 2,
        ("entrant points", 1): 4,
    }  # fmt: skip
    origins = {(key.seat, key.origin): number for key, number in found.items() if key.measure == "origin"}
    assert origins == {(0, "early"): 0, (0, "late"): 4, (1, "early"): 2, (1, "late"): 0}
    assert [found[Key("starter origin", origin=origin)] for origin in ("early", "late")] == [2, 0]
    assert [found[Key("lead gap", part=part)] for part in (0, 6, 7, 14, PARTS)] == [0, 0, 2, 1, 2]
    assert [found[Key("lead right", part=part)] for part in (0, 7, 19, PARTS)] == [0, 0, 0, 1]


def test_choices_are_counted_with_their_things(tmp_path: Path) -> None:
    row, found = counted(tmp_path, [(0, 1), (1,), (0,)])
    names = {
        (key.option, key.thing): [found[key._replace(measure=m)] for m in ("offered", "taken", "forced")]
        for key in found
        if key.measure == "offered"
    }
    assert names == {
        ("dab", ""): [2, 1, 0], ("dab", "red"): [2, 0, 0], ("dab", "green"): [2, 1, 0], ("rest", ""): [2, 1, 0],
        ("stop", ""): [1, 1, 1],
    }  # fmt: skip
    # Those who took it, with their shares of the win and points, and those who did not: seat 2 lost with 2 points.
    took, declined = [1, 0, 0, 2, 4], [1, 0, 0, 2, 4]
    assert dict(row.groups) == {0: took, 15: declined, 20: took, 30: took, 40: [1, 2, 4, 4, 16]}


def test_who_leads_is_who_wins_where_the_fewest_points_do(tmp_path: Path) -> None:
    _, found = counted(tmp_path, [(0, 0), (1,), (0,)], "fewest")
    assert (found[Key("wins", 1)], found[Key("decided")], found[Key("gap")]) == (2, 666, 4)
    _, found = counted(tmp_path, [(0, 0), (0, 0), (0,)], "fewest")
    assert (found[Key("changes")], found[Key("decided")]) == (0, 1000)


def test_a_game_that_is_stopped_counts_only_what_it_came_to(tmp_path: Path) -> None:
    row, _ = counted(tmp_path, [(0, 0)])
    assert (row.finished, row.length, row.groups) == (False, 1, {})
    assert row.reached


@pytest.mark.parametrize("rules", ["wongar/initiated", "tongiaki", "goofspiel", "kuhn_poker", "tictactoe"])
def test_sums_of_any_game_fit_together(rules: str) -> None:
    loaded = library.load(rules)
    seats = loaded.model.players[0]
    tested = Laboratory(Plan((Arm(rules, ()),), ("random",) * seats, True, "python", 4), (loaded,))
    [tally], [found] = tested.play(Task(0, 6, (5000,))).tallies, tested.columns
    assert tally.games == tally.ended == 6

    def total(measure: str) -> int:
        return sum(number for key, number in zip(found.keys, tally.sums, strict=True) if key.measure == measure)

    assert total("wins") == total("entrant wins") == found.whole * (6 - total("drawn"))
    assert total("points") == total("entrant points")
    assert total("taken") >= total("length") >= 6
    options = {key for key in found.keys if key.measure == "taken" and not key.thing}
    assert sum(tally.sums[found.places[key]] for key in options) == total("length")
    for key in found.keys:
        if key.measure == "offered":
            offered, taken, forced = (
                tally.sums[found.places[key._replace(measure=measure)]] for measure in ("offered", "taken", "forced")
            )  # fmt: skip
            assert offered >= taken >= forced
    if found.leads:
        assert tally.sums[found.places[Key("lead gap", part=PARTS)]] == total("gap")
        assert total("lead right") <= (PARTS + 1) * total("decided games")
    assert sum(tally.bins[:BINS]) == 6
    assert max(tally.marks) == 6
    # A game that is moved on by one seat: each bot has sat on each seat equally often.
    assert len({tuple(tested.play(Task(n, n + 1, (5000,))).tallies[0].sums) for n in range(3)}) == 3


def test_sums_do_not_depend_on_how_games_are_shared_out() -> None:
    rules = library.load("goofspiel")
    arms = (Arm("goofspiel", ()), Arm("goofspiel", ()))
    tested = Laboratory(Plan(arms, ("random", "greedy"), True, "python", 4), (rules, rules))
    whole, parts = tested.play(Task(0, 7, (99, 99))), tested.nothing
    for first, last in ((5, 7), (0, 2), (2, 5)):
        parts.add(tested.play(Task(first, last, (99, 99))))
    assert (parts.tallies, parts.pairs) == (whole.tallies, whole.pairs)
    # The same rules, the same chance: not one figure differs.
    assert (whole.pairs[0].games, any(whole.pairs[0].squares)) == (7, False)


def test_figures_are_the_same_on_every_backend() -> None:
    rules = library.load("goofspiel")
    found = [
        Laboratory(Plan((Arm("goofspiel", ()),), ("random", "greedy"), False, backend, 4), (rules,))
        for backend in ("reference", "python")
    ]
    one, other = (laboratory.play(Task(0, 2, (200,))) for laboratory in found)
    assert one == other


def test_columns_that_mean_the_same_are_found_in_other_rules() -> None:
    one, other = (
        columns((rules := library.load(name)).model, rules.game(3).program) for name in ("wongar", "wongar/initiated")
    )
    common = in_common(one, other)
    assert all(one.keys[a] == other.keys[b] for a, b in common)
    assert len(common) > 100
    rules = library.load("wongar")
    assert in_common(one, columns(rules.model, rules.game(4).program)) == ()


# ---- bins and tallies ----------------------------------------------------------------------------------------------


def test_every_number_lies_in_the_bounds_of_its_bin() -> None:
    numbers = [*range(-300, 300), *(sign * (TOP >> n) + d for n in range(8) for sign in (1, -1) for d in (-1, 0, 1))]
    for number in numbers:
        low, high = bounds(bin_of(number))
        assert low <= number <= high or abs(number) >= TOP
        assert high - low <= max(0, abs(number) // (EXACT // 2))
    assert [bin_of(n) for n in (-(10**9), 10**9)] == [0, BINS - 1]


def test_quantiles_of_bins_are_exact_for_small_numbers() -> None:
    bins = [0] * BINS
    for number in (1, 2, 3, 50):
        bins[bin_of(number)] += 1
    assert [quantile(bins, part, 4) for part in (1, 2, 3, 4)] == [1, 2, 3, 50]
    assert quantile([0] * BINS, 1, 2) == 0


def test_a_tally_is_read_as_it_was_written() -> None:
    rules = library.load("goofspiel")
    tested = Laboratory(Plan((Arm("goofspiel", ()),), ("random", "random"), False, "python", 4), (rules,))
    [tally], [found] = tested.play(Task(0, 3, (99,))).tallies, tested.columns
    assert Tally.read(tally.data(), found) == tally
    for name in ("sums", "bins", "least", "games"):
        with pytest.raises((ValueError, TypeError)):
            Tally.read(tally.data() | {name: ["x"]}, found)
