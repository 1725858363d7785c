"""What `docs/python.md` shows runs as it stands, and `wongar_dsl` names that and nothing else."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import wongar_dsl

PAGE = (Path(__file__).parents[2] / "docs" / "python.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def printed(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_example_runs(example: str) -> None:
    assert printed(example)


def test_what_is_public_is_described() -> None:
    assert {name for name in wongar_dsl.__all__ if f"`{name}`" not in PAGE} == set()
    assert all(getattr(wongar_dsl, name).__doc__ for name in wongar_dsl.__all__)
    assert dir(wongar_dsl) == sorted(wongar_dsl.__all__)
    with pytest.raises(AttributeError):
        _ = wongar_dsl.nothing  # type: ignore[attr-defined]


def test_the_package_imports_nothing_before_it_is_asked() -> None:
    program = "import sys, wongar_dsl; print([m for m in sys.modules if m.startswith('wongar_dsl.')])"
    assert printed(program) == "[]"


def test_a_game_has_the_seats_and_settings_that_were_asked_for() -> None:
    game = wongar_dsl.load("ubongo", seats=3, settings={"sandglass": 90})
    assert (game.seats, game.settings["sandglass"]) == (3, 90)
    assert wongar_dsl.load("nim").seats == 2
    with pytest.raises(ValueError, match=r".*"):
        wongar_dsl.load("nim", seats=7)
    with pytest.raises(ValueError, match=r"'sandglas', there are: .*sandglass"):
        wongar_dsl.load("ubongo", settings={"sandglas": 90})
    with pytest.raises(KeyError):
        wongar_dsl.load("nim", backend="abacus")
