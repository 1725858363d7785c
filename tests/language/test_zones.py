"""Zones: queries count each card, `kind of` names each kind once, and zones beyond the edge are empty."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import told_values, write_rules
from wongar_dsl.engine import PlayFault
from wongar_dsl.engine.hidden_information.observation import observe
from wongar_dsl.engine.library import load
from wongar_dsl.engine.library.loader import read

GAME = """
enum chip = red, blue
enum load = light, heavy
cards card
    copper
    silver
    gold(weight: load)
board square
    grid 3 by 3
cards tile
    road
    town
deck start of card total 5
    3 copper, 2 silver
deck tiles of tile total 3
    2 road, 1 town
remember found: number
table coins
    copper 1
    silver 2
    gold(light) 5
    gold(heavy) 6
pile a holds at most 20 card, seen by all
hand h holds at most 20 card, seen by all
heap store of each square holds at most 6 card, seen by all
slot shown of each square holds card, seen by all
tokens bank holds chip, seen by all
tokens bag of each square holds chip, seen by all
pile stack holds tile, seen by all
layout chart holds tile on square, seen by all
rule look_at(n: number)
    set found to n
play
    fill a with start
    fill h with start
    fill stack with tiles
    fill bank with 4 red
    fill bank with 1 blue
    let off = step(a1, south)
    {}
    player(1) chooses
        go_on
            nothing
    nobody wins
"""

BACKENDS = ("reference", "python")


def rules_with(tmp_path: Path, lines: str) -> Path:
    return write_rules(tmp_path, GAME.format(lines.replace("\n", "\n    ")))


def observation_after(tmp_path: Path, lines: str) -> dict[str, object]:
    """Return what seat 1 sees after some lines of `play`, on both backends."""
    rules = load(rules_with(tmp_path, lines))
    seen, same = (dict(observe(rules.game(2, backend=backend).start(1)[0], 0)) for backend in BACKENDS)
    assert seen == same
    return seen


QUERIES = {
    "number of c in a": 5,
    "number of c in h": 5,
    "sum of coins[c] for c in a": 7,
    "sum of coins[c] for c in h where c is silver": 4,
    "number of c in h with most coins[c]": 2,
    "number of c in kind of card in h": 2,
    "sum of coins[c] for c in kind of card in a": 3,
    "highest coins[c] for c in h": 2,
    "number of k in bank": 5,
    "number of k in kind of chip in bank": 2,
    "sum of position of k for k in bank": 6,
}


def test_query_of_a_zone_counts_each_card(tmp_path: Path) -> None:
    assert dict(zip(QUERIES, told_values(tmp_path, GAME, QUERIES), strict=True)) == QUERIES


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("for each c in h\n    set found to found + coins[c]", 7),
        ("for each c in kind of card in h\n    set found to found + coins[c]", 3),
        ("for each c in h\n    move c from h to a\nset found to size of a", 10),
        # `leave loop` leaves the whole loop, though equal cards remain.
        ("for each c in h\n    set found to found + 1\n    leave loop", 1),
        ("for each c in h\n    repeat\n        leave loop\n    set found to found + 1", 5),
        # A card that was moved away before its turn is skipped.
        ("for each c in h\n    repeat count of c in h times\n        move c from h to a\n"
         "    set found to found + 1", 2),
        # The same with a decision inside of the loop.
        ("for each c in h\n    set found to found + 1\n    player(1) chooses stay\n        stay if found > 99\n"
         "        otherwise\n            nothing", 5),
        ("for each c in h\n    set found to found + 1\n    player(1) chooses stay\n        stay if found > 99\n"
         "        otherwise\n            nothing\n    leave loop", 1),
    ],
)  # fmt: skip
def test_loop_over_a_zone_visits_each_card(tmp_path: Path, lines: str, expected: int) -> None:
    assert observation_after(tmp_path, lines)["found"] == expected


def test_equal_cards_are_one_option(tmp_path: Path) -> None:
    path = rules_with(tmp_path, "player(1) chooses card_played\n    play_card(c: h)\n    stay")
    state, _ = load(path).game(2).start(1)
    assert len(state.legal_moves()) == 3  # Copper, silver, and `stay`.


@pytest.mark.parametrize(
    ("lines", "zone", "expected"),
    [
        ("fill a with 3 silver", "a", ["silver"] * 3 + ["silver"] * 2 + ["copper"] * 3),
        ("fill h with 2 gold(heavy)", "h", {"copper": 3, "silver": 2, "gold(heavy)": 2}),
        ("for each c in card\n    fill h with 1 c", "h",
         {"copper": 4, "silver": 3, "gold(light)": 1, "gold(heavy)": 1}),
        ("fill shown of b2 with 1 silver", "shown", "silver"),
    ],
)  # fmt: skip
def test_single_cards_fill_a_zone(tmp_path: Path, lines: str, zone: str, expected: object) -> None:
    seen = observation_after(tmp_path, lines)[zone]
    assert (seen["b2"] if zone == "shown" and isinstance(seen, dict) else seen) == expected


def test_pile_without_a_deck_has_room_for_its_fill(tmp_path: Path) -> None:
    text = (
        "cards card\n    one\n    two\npile stack holds card\nsetup\n    fill stack with 3 two\nplay\n    nobody wins"
    )
    state, _ = load(write_rules(tmp_path, text)).game(2).start(1)
    assert observe(state, None)["stack"] == ["two"] * 3


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ("fill shown of b2 with 2 silver", "R0606"),
        ("fill a with 16 silver", "R0606"),
        ("fill h with 16 copper", "R0606"),
        (2 * "lay top of stack on chart at a1 turned 0\n", "R0606"),
        ("fill store of off with 1 copper", "R0610"),
    ],
)
def test_change_of_a_full_zone_or_beyond_the_edge_stops_the_rules(tmp_path: Path, lines: str, code: str) -> None:
    with pytest.raises(PlayFault, match=code):
        observation_after(tmp_path, lines)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("fill chart with 2 road", "R0203"),
        ("move all of chart to stack", "R0203"),
        ("move all of shown of a1 to a", "R0203"),
        ("move all of a to shown of a1", "R0203"),
        ("fill a with 2 road", "R0301"),
        ("look_at(number of c in kind of tile in h)", "R0301"),
    ],
)
def test_invalid_fill_move_or_kind_is_refused(tmp_path: Path, line: str, code: str) -> None:
    assert code in [d.code for d in read(rules_with(tmp_path, line)).diagnostics]


# ---- layouts -------------------------------------------------------------------------------------------------------

LAID = "\n".join(
    f"lay {card} from stack on chart at {area} turned {n}"
    for card, area, n in (("road", "a1", 1), ("town", "b2", 2), ("road", "c3", 3))
)


ON_THE_LAYOUT = {
    "size of chart": 3,
    "count of road in chart": 2,
    "number of c in chart where c is road": 2,
    "number of c in kind of tile in chart": 2,
    "(1 if chart[c3] is road otherwise 2)": 1,
    "(1 if place of road is c3 otherwise 2)": 1,
    "(1 if place of town is b2 otherwise 2)": 1,
    "side(chart[a1], 0)": 7,
    "side(chart[c3], 0)": 5,
    "side(road, 0)": 5,
    "facing(chart[a1], 0)": 1,
}


def test_layout_holds_several_copies_of_a_card(tmp_path: Path) -> None:
    """A card referred to by its place is the card there."""
    assert dict(zip(ON_THE_LAYOUT, told_values(tmp_path, GAME, ON_THE_LAYOUT, LAID), strict=True)) == ON_THE_LAYOUT


def test_last_placed_copy_is_taken_from_a_layout(tmp_path: Path) -> None:
    lines = f"{LAID}\nmove road from chart to stack\nlook_at(count of road in chart)"
    seen = observation_after(tmp_path, lines)
    assert seen["chart"] == {"road": "a1/1", "town": "b2/2"}
    assert (seen["found"], seen["stack"]) == (1, ["road"])
    assert observation_after(tmp_path, f"{lines}\nmove town from chart to stack")["chart"] == {"road": "a1/1"}


def test_equal_cards_on_a_layout_are_all_visible(tmp_path: Path) -> None:
    assert observation_after(tmp_path, LAID)["chart"] == {"road": ["a1/1", "c3/3"], "town": "b2/2"}


# ---- beyond the edge -----------------------------------------------------------------------------------------------


EMPTY = (
    "store of off is empty",
    "not store of off is not empty",
    "shown of off is none",
    "shown of off is empty",
    "chart[off] is none",
    "size of store of off = 0",
    "count of copper in store of off = 0",
    "bag[off, red] = 0",
    "(number of c in store of off) = 0",
    "(number of c in shown of off) = 0",
    "(number of k in bag of off) = 0",
    "no c in store of step(a1, west)",
    "(sum of coins[c] for c in kind of card in store of off) = 0",
)


def test_zones_beyond_the_edge_are_empty(tmp_path: Path) -> None:
    # Neighbouring cells that a wrong address would read are not empty.
    filled = "for each s in square\n    fill store of s with 1 copper\n    fill bag of s with 2 red\n"
    loop = f"{filled}for each c in store of off\n    look_at(2)\n"
    asked = ["found", *(f"(1 if {condition} otherwise 2)" for condition in EMPTY)]
    values = told_values(tmp_path, GAME, asked, loop)
    assert dict(zip(("found", *EMPTY), values, strict=True)) == {"found": 0, **dict.fromkeys(EMPTY, 1)}
