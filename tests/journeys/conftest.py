from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import wongar  # noqa: F401
from tests.journeys.person import Person


@pytest.fixture
def person(tmp_path: Path) -> Iterator[Callable[..., Person]]:
    """Yield a function that starts a person at a terminal; close all their terminals afterwards."""
    seated = []

    def start(language: str, program: Path | None = None) -> Person:
        seated.append(Person(tmp_path, language, program))
        return seated[-1]

    yield start
    for person in seated:
        person.close()
