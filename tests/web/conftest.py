from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.hosting import Played, Tables


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    """Yield the host of a test, whose saves are in the folder of the test."""
    made = Tables(tmp_path)
    with made.stack:
        yield made


@pytest.fixture
def nim(tables: Tables) -> Played:
    """Return a table of Nim with two people, the cheapest one to play at."""
    return tables.open()
