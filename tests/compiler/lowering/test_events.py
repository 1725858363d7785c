"""Events of programs match the event table and its fields."""

from __future__ import annotations

import pytest

from tests.properties.play import game, games
from wongar_dsl.compiler.ir import EVENTS


@pytest.mark.parametrize(("name", "seats"), list(dict(reversed(list(games()))).items()))
def test_events_match_the_event_table(name: str, seats: int) -> None:
    for spec in game(name, seats, "reference").program.events:
        facts = EVENTS[spec.kind]
        own_fields = tuple(field for field, _ in spec.fields[: spec.own])
        assert own_fields == facts.fields or set(own_fields) == {*facts.fields, *facts.more}
