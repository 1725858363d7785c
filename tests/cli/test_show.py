"""`wongar show`: the merged rules with a margin, or as a file to play."""

from __future__ import annotations

from pathlib import Path

import pytest

from .command import LANGUAGES, Command

VARIANT = "variant five of nim\n    source house rule\n\nset first_matches[heap_a] to 5\n"


@pytest.fixture
def five(tmp_path: Path) -> Path:
    path = tmp_path / "five.rules"
    path.write_text(VARIANT, encoding="utf-8")
    return path


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_line_has_its_origin_in_the_margin(wongar: Command, five: Path, language: str) -> None:
    result = wongar("show", str(five), "--lang", language)
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert any(line.split() == ["nim.rules:15", "+", "five.rules:4", "heap_a", "5"] for line in lines)
    assert any(line.split() == ["nim.rules:16", "heap_b", "2"] for line in lines)
    assert len({line.index(line.split("  ")[-1].split()[0]) for line in lines if line.startswith("nim.rules:3 ")}) == 1


def test_plain_rules_are_a_file_that_plays_the_same(wongar: Command, five: Path) -> None:
    merged = five.with_name("merged.rules")
    plain = wongar("show", "--plain", str(five))
    assert plain.code == 0
    merged.write_text(plain.out, encoding="utf-8")
    played = [
        wongar("play", str(path), "--seats", "random,random", "--seed", "3", "--lang", "en") for path in (five, merged)
    ]
    told = [[line for line in result.out.splitlines() if " takes " in line] for result in played]
    assert len(told[0]) > 3
    assert told[0] == told[1]
    assert wongar("fmt", "--check", str(merged)).code == 0


def test_mistakes_are_told_instead(wongar: Command, five: Path) -> None:
    five.write_text(VARIANT.replace("heap_a", "heap_z"), encoding="utf-8")
    result = wongar("show", str(five))
    assert (result.code, result.out) == (1, "")
    assert "R0213" in result.err
