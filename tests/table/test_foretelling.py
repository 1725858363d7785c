"""Forecasts in words: what decides about an option, what it costs and brings, and all of it in fewer words."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.fullscreen.choices import Choices
from cli.terminal.screen import plain
from tests.table.test_forecast import forecasts, match, narrator, small
from wongar_dsl.engine.match import Match
from wongar_dsl.table.foretelling import brief, briefer, warning
from wongar_dsl.table.menu import Menu
from wongar_dsl.table.outlook import Outlook
from wongar_dsl.words import Words

AGAIN = {
    "en": "so: the ships land on {} again, since {} is a royal island",
    "de": "so: die Schiffe landen wieder auf {}, weil {} eine Königsinsel ist",
    "it": "così: le navi sbarcano di nuovo su {}, perché {} è un’isola reale",
    "nl": "zo: de schepen landen weer op {}, omdat {} een koningseiland is",
}


def decisions(name: str, seats: int, seed: int, steps: int, decision: str) -> Iterator[Match]:
    """A game of random choices, at each of these decisions."""
    at, chance = match(name, seats, seed), random.Random(seed)
    while not at.state.over and len(at.steps) < steps:
        if at.state.decision is not None and at.state.decision.name == decision:
            yield at
        at.play(chance.choice(at.state.legal_moves()))


# ---- what decides ----


@pytest.mark.parametrize("language", AGAIN)
def test_a_way_that_leads_back_says_so_and_why(language: str) -> None:
    beginning, end = AGAIN[language].split("{}")[0], AGAIN[language].split("{}")[-1]
    back = 0
    for at in decisions("tongiaki", 3, 5, 60, "emigration"):
        for move, found in forecasts(at).items():
            turned_away = any(event.spec.message == "turned_away" for event in found.now)
            said = brief(found, narrator(at, language))
            back += turned_away
            assert (said.startswith(beginning) and said.endswith(end)) == turned_away, (move, said)
    assert back > 0


def test_what_every_voyage_ends_with_is_not_told_behind_it() -> None:
    reached = 0
    for at in decisions("tongiaki", 3, 5, 60, "emigration"):
        for found in forecasts(at).values():
            if {event.spec.message for event in found.now} >= {"departs", "arrives"}:
                reached += 1
                assert "reach" not in brief(found, narrator(at))
    assert reached > 2


def test_that_the_last_turn_comes_is_told_behind_the_option_that_brings_it() -> None:
    said = {
        (any(event.spec.message == "last_turn" for event in found.now), "after this turn" in brief(found, narrator(at)))
        for at in decisions("tongiaki", 2, 5, 200, "laying")
        for found in forecasts(at).values()
        if found.end != "over"
    }
    assert said == {(True, True), (False, False)}


def test_the_figure_is_named_that_goes_on() -> None:
    at = match("wongar", 3, 5)
    found = next(f for f in forecasts(at).values() if f.ahead)
    figures = narrator(at).words.chain([f"the {at.game.model.figures[figure]}" for figure in found.figures])
    assert brief(found, narrator(at)).startswith(f"then on with {figures} to: ")


# ---- what it costs ----


def test_a_ship_that_is_fetched_to_be_set_again_is_not_lost() -> None:
    fetched = lost = 0
    for at in decisions("tongiaki", 3, 5, 120, "turn"):
        for move, found in forecasts(at).items():
            if move.startswith("fetch"):
                fetched += 1
                assert not found.lost
            lost += move == "resettle" and bool(found.lost)
    assert fetched > 10
    assert lost > 10


def test_who_may_stop_instead_of_setting_it_again_loses_it(tmp_path: Path) -> None:
    lines = "fetch\n    move 1 penny from lying[hall, me] to own of me\n    me chooses again\n"
    again = "        back\n            move 1 penny from own of me to lying[attic, me]\n"
    names = {}
    for more in ("", "        stop\n            nothing\n"):
        options = f"{lines}{again}{more}nap\n    nothing"
        folder = tmp_path / str(len(names))
        folder.mkdir()
        names[bool(more)] = forecasts(small(folder, options))["fetch"].loss
    assert names == {False: 0, True: 1}


def test_a_price_that_is_paid_for_something_is_no_risk(tmp_path: Path) -> None:
    at = small(
        tmp_path,
        """
clear
    move 5 penny from lying[hall, me] to own of me
buy
    move 5 penny from lying[hall, me] to own of me
    move 1 penny from own of me to lying[attic, me]
score
    move 5 penny from lying[hall, me] to own of me
    me gains 4 points
nap
    nothing
""",
    )
    found = forecasts(at)
    assert {name: (f.loss, f.risky) for name, f in found.items()} == {
        "clear": (5, True),
        "buy": (4, False),
        "score": (5, False),
        "nap": (0, False),
    }


def test_a_warning_says_what_others_get_for_it(tmp_path: Path) -> None:
    options = """
give
    move 5 penny from lying[hall, me] to own of me
    for each p in player where p is not me
        p gains 4 points
nap
    nothing
"""
    at = small(tmp_path, options)
    asked = warning(forecasts(at)["give"], narrator(at))
    assert "5 penny back to your supply" in asked
    assert asked.endswith(" · so: Ben +4")


# ---- in fewer words ----


def test_in_fewer_words_own_points_come_first_and_then_those_of_all_others() -> None:
    both = 0
    for at in decisions("wongar", 3, 6, 200, "turn"):
        seat = at.state.seat
        for found in forecasts(at).values():
            points = dict(found.points)
            own, others = points.pop(seat, 0), sum(points.values())
            if found.end != "over" and own > 0 and others > 0:
                both += 1
                name = narrator(at).names[seat]
                assert briefer(found, narrator(at), seat) == f"so: {name} +{own}; others +{others}"
                assert briefer(found, narrator(at, "de"), seat) == f"so: {name} +{own}; andere +{others}"
            elif not own and not others and not found.lost and found.end != "over":
                assert briefer(found, narrator(at), seat) == ""
    assert both > 3


def test_no_row_of_a_menu_is_bare_where_something_is_foretold() -> None:
    at, shortened = match("wongar", 3, 5), 0
    chance = random.Random(5)
    for _ in range(150):
        outlook = Outlook(at)
        outlook.work(lambda: False)
        menu = outlook.told(Menu.of(at.state, narrator(at)), narrator(at))
        for width, height in ((46, 99), (46, 12), (60, 12)):
            choices = Choices(menu, Words.load("en"), width, height, True)
            if choices.columns > 1:
                continue
            lines = [plain(line) for line in choices.lines(0)]
            for number, (row, line) in enumerate(zip(choices.rows, lines, strict=True)):
                entry = row[0].entry
                if entry is None or row[0].further or not entry.outlook or width - len(row[0].text) < 20:
                    continue
                below = zip(choices.rows[number + 1 :], lines[number + 1 :], strict=True)
                rest = [more.strip() for cells, more in below if cells[0].entry is entry]
                shown = " ".join([line.split(row[0].text, 1)[1].strip(), *rest]).strip()
                assert shown
                shortened += shown == entry.outlook_in_short != entry.outlook
        at.play(chance.choice(at.state.legal_moves()))
    assert shortened > 5
