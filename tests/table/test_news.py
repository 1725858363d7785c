"""What somebody alone has come to know since they decided last."""

from __future__ import annotations

import random
from pathlib import Path

from tests.small_games import written
from tests.table.test_ending import SECRET
from tests.table.test_forecast import match, narrator
from wongar_dsl.engine.match import Match
from wongar_dsl.table.news import news


def test_a_card_that_was_drawn_is_news_to_who_drew_it_alone(tmp_path: Path) -> None:
    at = match(written(tmp_path, SECRET), 2, 7)
    assert news(at, narrator(at), 0) == []
    at.play(at.state.read("peek"))
    (told,) = news(at, narrator(at), 0)
    drawn = at.game.model.value_name(at.game.fields["held"].type, _card(at, 0))
    assert drawn in told.lower()
    assert news(at, narrator(at), 1) == []


def _card(at: Match, seat: int) -> int:
    seen = [event for event in at.history() if event.spec.kind == "card_moved" and event.sees(seat)]
    value = seen[-1].fields()["card"][1]
    assert isinstance(value, int)
    return value


def test_what_somebody_chose_themselves_is_no_news() -> None:
    at = match("goofspiel", 2, 3)
    at.play(at.state.legal_moves()[0])
    assert news(at, narrator(at), 0) == []


def test_what_everybody_sees_is_no_news() -> None:
    at, chance = match("tongiaki", 2, 3), random.Random(3)
    while not at.state.over:
        at.play(chance.choice(at.state.legal_moves()))
        assert news(at, narrator(at), 0) == news(at, narrator(at), 1) == []


def test_drawn_cards_are_news_at_the_end_of_a_turn() -> None:
    at, chance = match("wongar", 3, 5), random.Random(5)
    told = set()
    for _ in range(40):
        seat = at.state.seat
        at.play(chance.choice(at.state.legal_moves()))
        told |= {line for line in news(at, narrator(at), seat) if at.state.seat != seat}
    assert told
    assert all(any(name in line for name in narrator(at).names) for line in told)
