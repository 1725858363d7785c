"""What all tests share: the flag that writes golden files anew."""

from __future__ import annotations

import os

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite-goldens", action="store_true", help="write golden files anew instead of comparing")


@pytest.fixture
def rewriting(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be written anew; refused where nobody would look at the difference."""
    wanted = bool(request.config.getoption("--rewrite-goldens"))
    if wanted and os.environ.get("CI"):
        pytest.fail("golden files are not rewritten in CI: do it at home and read the difference")
    return wanted
