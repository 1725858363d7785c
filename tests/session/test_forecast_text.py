"""Text of forecasts: deciding effects, costs, gains and short forms."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from tests.session.test_forecast import forecasts, match, narrator, small_match
from wongar_dsl.cli.fullscreen.option_grid import OptionGrid
from wongar_dsl.engine.match import Match
from wongar_dsl.nlg.words import Translator
from wongar_dsl.render.text.lines import line_text
from wongar_dsl.session.forecast import ForecastCache, one_line, short_line
from wongar_dsl.session.menu import Menu

REPEATED = {
    "en": "so: the ships land on {} again, since {} is a royal island",
    "de": "so: die Schiffe landen wieder auf {}, weil {} eine Königsinsel ist",
    "it": "così: le navi sbarcano di nuovo su {}, perché {} è un’isola reale",
    "nl": "zo: de schepen landen weer op {}, omdat {} een koningseiland is",
}


def decisions(name: str, seats: int, seed: int, steps: int, decision: str) -> Iterator[Match]:
    """Yield a random game at each decision with a name."""
    sample, chance = match(name, seats, seed), random.Random(seed)
    while not sample.state.over and len(sample.steps) < steps:
        if sample.state.decision is not None and sample.state.decision.name == decision:
            yield sample
        sample.play(chance.choice(sample.state.legal_moves()))


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


def test_moving_figure_is_named() -> None:
    sample = match("wongar", 3, 5)
    forecast = next(f for f in forecasts(sample).values() if f.next_moves)
    figures = narrator(sample).words.chain([f"the {sample.game.model.figures[figure]}" for figure in forecast.figures])
    assert one_line(forecast, narrator(sample)).startswith(f"then choose for {figures} from: ")


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


def test_menu_rows_always_show_their_forecast() -> None:
    sample, shortened, chance = match("wongar", 3, 5), 0, random.Random(5)
    for _ in range(80):
        cache = ForecastCache(sample)
        cache.work(lambda: False)
        menu = cache.with_forecasts(Menu.of(sample.state, narrator(sample)), narrator(sample))
        for width, height in ((46, 99), (46, 12), (60, 12)):
            choices = OptionGrid(menu, Translator.load("en"), width, height, True)
            if choices.columns > 1:
                continue
            lines = [line_text(line) for line in choices.lines(0)]
            for number, (row, line) in enumerate(zip(choices.rows, lines, strict=True)):
                entry = row[0].entry
                if entry is None or row[0].further or not entry.forecast_line or width - len(row[0].text) < 20:
                    continue
                below = zip(choices.rows[number + 1 :], lines[number + 1 :], strict=True)
                rest = [more.strip() for cells, more in below if cells[0].entry is entry]
                shown = " ".join([line.split(row[0].text, 1)[1].strip(), *rest]).strip()
                assert shown
                shortened += shown == entry.short_forecast != entry.forecast_line
        sample.play(chance.choice(sample.state.legal_moves()))
    assert shortened > 5
