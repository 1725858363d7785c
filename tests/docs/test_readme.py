"""Examples in the README work."""

from __future__ import annotations

import re
from pathlib import Path

from wongar_dsl import library
from wongar_dsl.backends.chance import Generator
from wongar_dsl.bots import playout

README = Path(__file__).parents[2] / "README.md"


def first_variant() -> str:
    block = re.search(r"```rules\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    return block[1]


def test_first_variant_takes_five_lines_validates_and_plays(tmp_path: Path) -> None:
    text = first_variant()
    assert len(text.splitlines()) == 5
    path = tmp_path / "generous.rules"
    path.write_text(text, encoding="utf-8")
    rules, diagnostics = library.inspect(path)
    assert not diagnostics
    assert rules is not None
    assert rules.model.settings["cards_bonus"][1] == 10
    state, _ = rules.game(4).start(1)
    assert playout(state, Generator(1)) > 0
    assert state.over


def test_files_in_the_table_exist() -> None:
    for name in re.findall(r"^\| `([^`]+)`", README.read_text(encoding="utf-8"), re.MULTILINE):
        assert (README.parent / name).exists(), name
