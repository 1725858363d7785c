"""`wongar show`: the merged rules, with origins in the margin or as a playable file."""

from __future__ import annotations

from pathlib import Path

import pytest

from .command import LANGUAGES, Command

VARIANT = "variant five of nim\n    source house rule\n\nset first_matches[heap_a] to 5\n"


@pytest.fixture
def variant_file(tmp_path: Path) -> Path:
    path = tmp_path / "five.rules"
    path.write_text(VARIANT, encoding="utf-8")
    return path


@pytest.mark.parametrize("language", LANGUAGES)
def test_margin_shows_the_origin_of_every_line(wongar: Command, variant_file: Path, language: str) -> None:
    result = wongar("show", str(variant_file), "--lang", language)
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert any(line.split() == ["nim.rules:15", "+", "five.rules:4", "heap_a", "5"] for line in lines)
    assert any(line.split() == ["nim.rules:16", "heap_b", "2"] for line in lines)
    assert len({line.index(line.split("  ")[-1].split()[0]) for line in lines if line.startswith("nim.rules:3 ")}) == 1


def test_plain_output_is_an_equivalent_rule_file(wongar: Command, variant_file: Path) -> None:
    merged = variant_file.with_name("merged.rules")
    plain = wongar("show", "--plain", str(variant_file))
    assert plain.code == 0
    merged.write_text(plain.out, encoding="utf-8")
    played = [
        wongar("play", str(path), "--seats", "random,random", "--seed", "3", "--lang", "en")
        for path in (variant_file, merged)
    ]
    logs = [[line for line in result.out.splitlines() if " takes " in line] for result in played]
    assert len(logs[0]) > 3
    assert logs[0] == logs[1]
    assert wongar("fmt", "--check", str(merged)).code == 0


def test_invalid_rules_are_reported(wongar: Command, variant_file: Path) -> None:
    variant_file.write_text(VARIANT.replace("heap_a", "heap_z"), encoding="utf-8")
    result = wongar("show", str(variant_file))
    assert (result.code, result.out) == (1, "")
    assert "R0213" in result.err
