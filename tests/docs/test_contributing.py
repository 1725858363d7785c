"""What `CONTRIBUTING.md` names is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.architecture.floors import ROOMS

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
#: Paths in the text, and files that the examples change; what an example adds, and rooms kept free, are not there yet.
NAMED = set(
    re.findall(
        r"[` ]((?:[\w.]+/)+(?:[\w.]+\.\w+)?|[\w.]+\.md)(?=[` ])", re.sub(r"^````.*?^````$", "", TEXT, flags=re.M | re.S)
    )
)
CHANGED = set(re.findall(r"^--- a/(\S+)$", TEXT, re.M))


@pytest.mark.parametrize("path", sorted((NAMED | CHANGED) - set(ROOMS)))
def test_named_files_exist(path: str) -> None:
    assert (ROOT / path).exists()


def test_examples_show_files() -> None:
    assert len(NAMED) > 20
    assert len(CHANGED) > 10
