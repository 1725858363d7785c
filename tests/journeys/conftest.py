from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.journeys.person import Person


@pytest.fixture
def person(tmp_path: Path) -> Iterator[Callable[..., Person]]:
    """Seats a person who speaks a language at a terminal; whatever they leave running is ended."""
    seated = []

    def sits_down(language: str, program: Path | None = None) -> Person:
        seated.append(Person(tmp_path, language, program))
        return seated[-1]

    yield sits_down
    for one in seated:
        one.close()
