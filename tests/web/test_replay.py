"""A game that is over is walked through step by step: from one's own seat, or with all that was hidden."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from tests.properties.permuter import random_match, twin
from tests.properties.play import names as shipped
from tests.properties.shown import SMALL, load_game
from tests.web.hosting import hosted
from tests.web.test_nothing_leaks import EVERY, LENGTHS
from tests.web.test_pages import checked, seats_of
from tests.web.viewings import LANGUAGES, match, rules, viewing, words
from wongar_dsl import library
from wongar_dsl.engine.match import Match
from wongar_dsl.table.table import Table
from wongar_dsl.web import pages
from wongar_dsl.web.viewing import Person, Viewing


@pytest.mark.parametrize("name", tuple(shipped()))
def test_each_step_of_every_game_is_a_whole_page_for_everybody(name: str) -> None:
    at = match(name, seats_of(name), 5_000)
    last = len(at.steps)
    for turn, number in enumerate((0, 1, last // 2, last - 1, last, last + 7)):
        for viewer in (0, None):
            for everything in (False, True):
                v = viewing(at, LANGUAGES[turn % 4], viewer, name)
                found = checked(pages.replay_page(v, number, everything))
                assert not [text for text in found.text if "web." in text]
                assert sum(tag == "h1" for tag, _ in found.attributes) == 1
                view = "all" if everything else "own"
                links = [str(one.get("href")) for tag, one in found.attributes if tag == "a"]
                ways = [int(of[1]) for of in (re.search(rf"n=(\d+)&view={view}", link) for link in links) if of]
                here = min(number, last)
                assert ways == [*([0, here - 1] if here else []), *([here + 1, last] if here < last else [])]


def test_a_step_says_what_was_chosen_and_marks_where() -> None:
    at = match("tictactoe", 2, 5_000)
    for number, step in enumerate(at.steps, 1):
        page = pages.replay_page(viewing(at, "en", 0, "tictactoe"), number, False)
        assert f"Decision {number} of {len(at.steps)}" in page
        assert page.count("changed") >= 1
        assert str(step.seat)


def test_what_was_hidden_is_shown_only_to_who_asks_for_it() -> None:
    at = match("kuhn_poker", 2, 5_000)
    own = pages.replay_page(viewing(at, "en", 0, "kuhn_poker"), 0, False)
    everything = pages.replay_page(viewing(at, "en", 0, "kuhn_poker"), 0, True)
    watched = pages.replay_page(viewing(at, "en", None, "kuhn_poker"), 0, False)
    held = [page.count("What only") // 2 for page in (own, everything, watched)]
    assert held == [1, 2, 0]


def shown(at: Match, name: str, path: Path | None, viewer: int | None, language: str) -> list[str]:
    """All steps as a viewer is shown them."""
    read = library.load(str(path)) if path is not None else rules(name)
    table = Table(read, at, words(language), "", Path())
    persons = tuple(Person("human", True) for _ in at.seats)
    v = Viewing(table, table.narrator, table.words, viewer, 7, "/t/4f", persons, len(at.steps))
    return [
        re.sub(r'name="once" value="[^"]*"', "", pages.replay_page(v, number, False))
        for number in range(len(at.steps) + 1)
    ]


@pytest.mark.parametrize(("name", "path"), EVERY, ids=[name for name, _ in EVERY])
def test_from_a_seat_of_ones_own_no_step_hangs_on_what_one_could_not_see(name: str, path: Path | None) -> None:
    assert name in SMALL or path is None
    seats, found = library.load(str(path or name)).model.players[0], 0
    for number, length in enumerate(LENGTHS):
        at = random_match(load_game(name, seats), length, length)
        for seat in range(seats):
            other = twin(at, seat, random.Random(seats * 100 + length))
            if other is None or len(other.steps) != len(at.steps):
                continue
            found += 1
            language = LANGUAGES[number % 4]
            assert shown(at, name, path, seat, language) == shown(other, name, path, seat, language)
    assert found


def test_only_a_game_that_is_over_is_walked_through_and_the_ending_leads_there(tmp_path: Path) -> None:
    with hosted(tmp_path, "kuhn_poker", ["human", "human"], ["de", "it"]) as played:
        one, two = played.seated
        assert one.get(f"{one.key}/replay").status_code == 404
        assert "/replay" not in one.page()
        played.play()
        assert f'href="{one.key}/replay"' in one.page()
        last = len(played.sitting.match.steps)
        first = one.page("/replay")
        assert "Anna" not in first
        assert f"von {last}" in first
        assert f"di {last}" in two.page(f"/replay?n={last}")
        assert "Auch zeigen" in one.page("/replay?n=1&view=own")
        assert "Nur zeigen" in one.page("/replay?n=1&view=all")
        for wrong in ("-1", "x", "1" * 20, "²"):
            assert one.get(f"{one.key}/replay?n={wrong}").status_code == 400
        assert one.page("/replay?n=9999").count(f"{last}") > 0
        assert played.stranger().get(f"{one.key}/replay").status_code == 403
