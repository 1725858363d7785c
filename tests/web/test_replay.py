"""Step-by-step replay of a finished game, from one seat's view or with all hidden state."""

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
from tests.web.test_pages import seats_of, valid_page
from tests.web.viewings import LANGUAGES, match, rules, viewing, words
from wongar_dsl.engine.match import Match
from wongar_dsl.session.game_session import GameSession
from wongar_dsl.web.rendering import pages
from wongar_dsl.web.views.view_models import Person, TableView


@pytest.mark.parametrize("name", tuple(shipped()))
def test_replay_pages_of_all_games_are_valid(name: str) -> None:
    sample = match(name, seats_of(name), 5_000)
    last = len(sample.steps)
    for turn, number in enumerate((0, 1, last // 2, last - 1, last, last + 7)):
        for viewer in (0, None):
            for everything in (False, True):
                v = viewing(sample, LANGUAGES[turn % 4], viewer, name)
                parsed = valid_page(pages.replay_page(v, number, everything))
                assert not [text for text in parsed.text if "web." in text]
                assert sum(tag == "h1" for tag, _ in parsed.attributes) == 1
                view = "all" if everything else "own"
                links = [str(attributes.get("href")) for tag, attributes in parsed.attributes if tag == "a"]
                targets = [
                    int(link_match[1])
                    for link_match in (re.search(rf"n=(\d+)&view={view}", link) for link in links)
                    if link_match
                ]
                position = min(number, last)
                assert targets == [
                    *([0, position - 1] if position else []),
                    *([position + 1, last] if position < last else []),
                ]


def test_replay_step_shows_its_number_and_marks_changes() -> None:
    sample = match("tictactoe", 2, 5_000)
    for number, step in enumerate(sample.steps, 1):
        page = pages.replay_page(viewing(sample, "en", 0, "tictactoe"), number, False)
        assert f"Decision {number} of {len(sample.steps)}" in page
        assert page.count("changed") >= 1
        assert str(step.seat)


def test_replay_shows_hidden_cards_only_on_request() -> None:
    sample = match("kuhn_poker", 2, 5_000)
    own_view = pages.replay_page(viewing(sample, "en", 0, "kuhn_poker"), 0, False)
    everything = pages.replay_page(viewing(sample, "en", 0, "kuhn_poker"), 0, True)
    watched = pages.replay_page(viewing(sample, "en", None, "kuhn_poker"), 0, False)
    held = [page.count("What only") // 2 for page in (own_view, everything, watched)]
    assert held == [1, 2, 0]


def replay_steps(at: Match, name: str, path: Path | None, viewer: int | None, language: str) -> list[str]:
    """Return the replay pages of all steps for a viewer."""
    table = GameSession(rules(str(path or name)), at, words(language), "", Path())
    persons = tuple(Person("human", True) for _ in at.seats)
    v = TableView(table, table.narrator, table.words, viewer, 7, "/t/4f", persons, len(at.steps))
    return [
        re.sub(r'name="once" value="[^"]*"', "", pages.replay_page(v, number, False))
        for number in range(len(at.steps) + 1)
    ]


@pytest.mark.parametrize(("name", "path", "language"), EVERY, ids=[name for name, *_ in EVERY])
def test_replay_from_a_seat_does_not_depend_on_hidden_state(name: str, path: Path | None, language: str) -> None:
    assert name in SMALL or path is None
    seats, compared = seats_of(str(path or name)), 0
    for length in LENGTHS:
        sample = random_match(load_game(name, seats), length, length)
        for seat in {sample.state.seat, length % seats} - {-1}:
            permuted = twin(sample, seat, random.Random(seats * 100 + length))
            if permuted is None or len(permuted.steps) != len(sample.steps):
                continue
            compared += 1
            assert replay_steps(sample, name, path, seat, language) == replay_steps(
                permuted, name, path, seat, language
            )
    assert compared


def test_replay_is_linked_and_available_only_after_the_end(tmp_path: Path) -> None:
    with hosted(tmp_path, "kuhn_poker", ["human", "human"], ["de", "it"]) as played:
        anna, ben = played.seated
        assert anna.get(f"{anna.key}/replay").status_code == 404
        assert "/replay" not in anna.page()
        played.play()
        assert f'href="{anna.key}/replay"' in anna.page()
        last = len(played.table_session.match.steps)
        first = anna.page("/replay")
        assert "Anna" not in first
        assert f"von {last}" in first
        assert f"di {last}" in ben.page(f"/replay?n={last}")
        assert "Auch zeigen" in anna.page("/replay?n=1&view=own")
        assert "Nur zeigen" in anna.page("/replay?n=1&view=all")
        for wrong in ("-1", "x", "1" * 20, "²"):
            assert anna.get(f"{anna.key}/replay?n={wrong}").status_code == 400
        assert anna.page("/replay?n=9999").count(f"{last}") > 0
        assert played.stranger().get(f"{anna.key}/replay").status_code == 403
        # A rematch ends the replay of the other player, with a link to the new game.
        assert anna.post(f"{anna.key}/rematch", {}).status_code == 303
        answer = ben.get(f"{ben.key}/replay?n=2")
        assert answer.status_code == 404
        assert "Questa partita non è finita" in answer.text
        assert f'href="{ben.key}"' in answer.text
