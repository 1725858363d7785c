"""What a program reports stands in the table of events, with the fields that the table names."""

from __future__ import annotations

import pytest

from tests.properties.play import game, games
from wongar_dsl.ir import EVENTS


@pytest.mark.parametrize(("name", "seats"), list(games()))
def test_every_event_is_as_the_table_says(name: str, seats: int) -> None:
    for spec in game(name, seats, "reference").program.events:
        facts = EVENTS[spec.kind]
        own = tuple(field for field, _ in spec.fields[: spec.own])
        assert own == facts.fields or set(own) == {*facts.fields, *facts.more}
