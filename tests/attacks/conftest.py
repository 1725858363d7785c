from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.attacks.measured import Measuring


@pytest.fixture(scope="session")
def measuring() -> Iterator[Measuring]:
    made = Measuring()
    yield made
    made.close()
