"""Private news: hidden facts that a seat learned since its last decision."""

from __future__ import annotations

import random
from pathlib import Path

from tests.session.test_forecast import match, narrator
from tests.session.test_game_summary import SECRET
from tests.small_games import write_rules
from wongar_dsl.engine.match import Match
from wongar_dsl.session.changes import news


def test_drawn_card_is_news_only_to_its_owner(tmp_path: Path) -> None:
    sample = match(write_rules(tmp_path, SECRET), 2, 7)
    assert news(sample, narrator(sample), 0) == []
    sample.play(sample.state.read("peek"))
    (sentence,) = news(sample, narrator(sample), 0)
    drawn = sample.game.model.value_name(sample.game.fields["held"].type, _last_card_of(sample, 0))
    assert drawn in sentence.lower()
    assert news(sample, narrator(sample), 1) == []


def _last_card_of(at: Match, seat: int) -> int:
    seen = [event for event in at.history() if event.spec.kind == "card_moved" and event.is_visible_to(seat)]
    value = seen[-1].fields()["card"][1]
    assert isinstance(value, int)
    return value


def test_own_choice_is_no_news() -> None:
    sample = match("goofspiel", 2, 3)
    sample.play(sample.state.legal_moves()[0])
    assert news(sample, narrator(sample), 0) == []


def test_public_events_are_no_news() -> None:
    sample, chance = match("tongiaki", 2, 3), random.Random(3)
    while not sample.state.over:
        sample.play(chance.choice(sample.state.legal_moves()))
        assert news(sample, narrator(sample), 0) == news(sample, narrator(sample), 1) == []


def test_cards_drawn_at_the_end_of_a_turn_are_news() -> None:
    sample, chance = match("wongar", 3, 5), random.Random(5)
    lines = set()
    for _ in range(40):
        seat = sample.state.seat
        sample.play(chance.choice(sample.state.legal_moves()))
        lines |= {line for line in news(sample, narrator(sample), seat) if sample.state.seat != seat}
    assert lines
    assert all(any(name in line for name in narrator(sample).names) for line in lines)
