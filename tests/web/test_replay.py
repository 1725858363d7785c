"""Replay in the browser, and solutions of lost puzzles."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.properties.permuter import random_match, twin
from tests.properties.play import names as shipped
from tests.properties.shown import load_game
from tests.web.hosting import Tables
from tests.web.test_nothing_leaks import EVERY
from tests.web.test_pages import seats_of, valid_page
from tests.web.viewings import LANGUAGES, game, match, rules, steady, viewing, words
from wongar_dsl.engine import State
from wongar_dsl.engine.bots import is_puzzle_decision
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.session.game_session import GameSession
from wongar_dsl.session.puzzle import Puzzle, default_answer
from wongar_dsl.web import pages
from wongar_dsl.web.views.turn_view import Person, TableView


@pytest.mark.parametrize("name", tuple(shipped()))
def test_replay_pages_of_all_games_are_valid(name: str) -> None:
    sample = match(name, seats_of(name), 120)
    last = len(sample.steps)
    views = [(viewer, view) for viewer in (0, None) for view in ("own", "all")]
    for turn, number in enumerate((0, 1, last // 2, last - 1, last, last + 7)):
        viewer, view = views[turn % 4]
        v = viewing(sample, LANGUAGES[turn % 4], viewer, name)
        parsed = valid_page(pages.replay_page(v, number, view == "all"))
        assert not [text for text in parsed.text if "web." in text]
        assert sum(tag == "h1" for tag, _ in parsed.attributes) == 1
        links = [str(attributes.get("href")) for tag, attributes in parsed.attributes if tag == "a"]
        found = (re.search(rf"n=(\d+)&view={view}", link) for link in links)
        position = min(number, last)
        assert [int(link_match[1]) for link_match in found if link_match] == [
            *([0, position - 1] if position else []),
            *([position + 1, last] if position < last else []),
        ]


def test_replay_step_shows_its_number_and_marks_changes() -> None:
    sample = match("tictactoe", 2, 5_000)
    page = pages.replay_page(viewing(sample, "en", 0, "tictactoe"), 2, False)
    assert f"Decision 2 of {len(sample.steps)}" in page
    assert "changed" in page


def test_replay_shows_hidden_cards_only_on_request() -> None:
    sample = match("kuhn_poker", 2, 5_000)
    seen = [(0, False), (0, True), (None, False)]
    shown = [pages.replay_page(viewing(sample, "en", viewer, "kuhn_poker"), 0, whole) for viewer, whole in seen]
    assert [page.count("What only") // 2 for page in shown] == [1, 2, 0]


def replay_steps(at: Match, name: str, path: Path | None, viewer: int | None, language: str) -> list[str]:
    """Return the replay pages of all steps for a viewer."""
    table = GameSession(rules(str(path or name)), at, words(language), "", Path())
    persons = tuple(Person("human", True) for _ in at.seats)
    v = TableView(session=table, viewer=viewer, version=7, key="/t/4f", persons=persons, since=len(at.steps))
    return [steady(pages.replay_page(v, number, False)) for number in range(len(at.steps) + 1)]


@pytest.mark.parametrize(("name", "path", "language"), EVERY, ids=[name for name, *_ in EVERY])
def test_replay_from_a_seat_does_not_depend_on_hidden_state(name: str, path: Path | None, language: str) -> None:
    seats, compared = seats_of(str(path or name)), 0
    for length in (0, 1, 4):
        sample = random_match(load_game(name, seats), length, length)
        for seat in {sample.state.seat, length % seats} - {-1}:
            permuted = twin(sample, seat, random.Random(seats * 100 + length))
            if permuted is None or len(permuted.steps) != len(sample.steps):
                continue
            compared += 1
            pair = [replay_steps(of, name, path, seat, language) for of in (sample, permuted)]
            assert pair[0] == pair[1]
    assert compared


def test_replay_is_linked_and_available_only_after_the_end(tables: Tables) -> None:
    played = tables.open("kuhn_poker", languages=["de", "it"])
    anna, ben = played.seated
    assert anna.get(f"{anna.key}/replay").status_code == 404
    assert "/replay" not in anna.page()
    played.play()
    assert f'href="{anna.key}/replay"' in anna.page()
    first = anna.page("/replay")
    assert "Anna" not in first
    assert f"von {played.steps}" in first
    assert f"di {played.steps}" in ben.page(f"/replay?n={played.steps}")
    assert "Auch zeigen" in anna.page("/replay?n=1&view=own")
    assert "Nur zeigen" in anna.page("/replay?n=1&view=all")
    for wrong in ("-1", "x", "1" * 20, "²"):
        assert anna.get(f"{anna.key}/replay?n={wrong}").status_code == 400
    assert f"{played.steps}" in anna.page("/replay?n=9999")
    assert played.stranger().get(f"{anna.key}/replay").status_code == 403
    # A rematch ends the replay of the other player, with a link to the new game.
    assert anna.send("rematch") == 303
    answer = ben.get(f"{ben.key}/replay?n=2")
    assert answer.status_code == 404
    assert "Questa partita non è finita" in answer.text
    assert f'href="{ben.key}"' in answer.text


def ubongo_game(seed: int) -> Iterator[Match]:
    """Yield a two-player game before each step; seat 0 solves no puzzle, seat 1 solves all."""
    sample = Match.begin(game("ubongo", 2), [Seat("human", "A"), Seat("human", "B")], seed, rules("ubongo").hash)
    random = Random(seed)
    while not sample.state.over:
        yield sample
        puzzle, move = Puzzle.of(sample.state), random.choice(sample.state.legal_moves())
        if puzzle is not None:
            move = default_answer(sample.state) if sample.state.seat == 0 else next(iter(puzzle.solutions.values()))
        sample.play(move, 1000 if puzzle else 0)
    yield sample


def solution_rows(page: str) -> str | None:
    """Return the rows of the solution on a page, or None."""
    label = re.search(r'class="solved"[^>]*aria-label="([^"]*)"', page)
    return label[1] if label else None


def test_loser_sees_a_solution_until_their_next_decision_and_at_the_end() -> None:
    shown, solving, lost, rows = 0, 0, None, None
    for number, sample in enumerate(ubongo_game(3)):
        decisions = [step for step in sample.steps if step.seat == 0]
        if decisions and decisions[-1].number == len(sample.steps) - 1 and is_puzzle_decision(decisions[-1].decision):
            lost = Puzzle.of(State(sample.game, sample.state_before(decisions[-1].number)))
        page = pages.table_part(viewing(sample, LANGUAGES[number % 4], 0, "ubongo"))
        valid_page(page)
        rows = solution_rows(page)
        if rows is not None:
            assert lost is not None
            assert lost.solution("/".join(re.findall(r"[A-Z.]+", rows))) is not None
            assert is_puzzle_decision(decisions[-1].decision) or sample.state.over
            assert lost != (Puzzle.of(sample.state) if sample.state.seat == 0 else None)
            shown += 1
        if Puzzle.of(sample.state) is not None and sample.state.seat == 1:
            # The other seat still solves the puzzle.
            solving += 1
            assert rows is None
        # The seat that solved its puzzle, and spectators, see none.
        for viewer in (1, None):
            assert solution_rows(pages.table_part(viewing(sample, "en", viewer, "ubongo"))) is None
    assert rows is not None
    assert shown > 3
    assert solving > 2
