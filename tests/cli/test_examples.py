"""Examples of the rulebook at the commands: recorded at the table, checked, and left out in a variant."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import Command
from tests.small_games import TAKING, TAKING_CASES
from wongar_dsl.api import rulebook
from wongar_dsl.engine.library import load
from wongar_dsl.engine.rule_cases import file
from wongar_dsl.engine.rule_cases.file import parse_cases, read
from wongar_dsl.nlg.narration.teaching_book import examples
from wongar_dsl.nlg.words import Translator

GAME = "game tiny\n    players 2\n    source house rule\n" + TAKING
CASES = (
    TAKING_CASES
    + """  - name: resting gives none
    example: yes
    moves: [rest, rest]
    expect: {position: {points: {all: 0}}}
"""
)


def test_variant_leaves_out_what_no_longer_holds_and_names_what_shows_the_same(wongar: Command, tmp_path: Path) -> None:
    (tmp_path / "tiny.rules").write_text(GAME, encoding="utf-8")
    (tmp_path / "tiny.cases.yaml").write_text(CASES, encoding="utf-8")
    variant = tmp_path / "rich.rules"
    variant.write_text("variant rich of tiny\n    source house rule\n\nset worth to 3\n", encoding="utf-8")
    left_out = "the example “taking gives two points” does not hold with these rules."
    result = wongar("validate", str(variant), "--lang", "en")
    assert result.code == 0, result
    assert f"tiny.cases.yaml:3: {left_out} The rulebook shows “resting gives none” instead." in shown(result.out)
    book = examples(load(str(variant)), Translator.load("en")).book
    assert [found.case.name for found in book.told] == ["resting gives none"]

    # An example of the variant itself comes first.
    own = CASES.replace("resting gives none", "taking gives three points").replace("[rest, rest]", "[take, rest]")
    own = own.replace("{all: 0}", "{1: 3}").replace("taking gives two points", "resting gives nothing at all")
    own = own.replace("[take, rest]\n    expect: {position: {points: {1: 2}}}", "[rest, rest]")
    (tmp_path / "rich.cases.yaml").write_text(own, encoding="utf-8")
    assert [found.case.name for found in examples(load(str(variant)), Translator.load("en")).book.told] == [
        "resting gives nothing at all", "taking gives three points", "resting gives none",
    ]  # fmt: skip
    assert wongar("test", str(tmp_path / "rich.cases.yaml")).code == 0


def test_interface_gives_the_same_book_as_the_command_and_validate_reads_each_case_file_once(
    wongar: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tiny.rules").write_text(GAME, encoding="utf-8")
    (tmp_path / "tiny.cases.yaml").write_text(CASES, encoding="utf-8")
    book = rulebook(tmp_path / "tiny.rules", "en")
    assert book == wongar("rulebook", str(tmp_path / "tiny.rules"), "--format", "md", "--lang", "en").out
    assert "> Anna gains 2 points." in book

    (tmp_path / "rich.rules").write_text("variant rich of tiny\n    source house rule\n\nset worth to 3\n")
    parsed = list[str]()
    monkeypatch.setattr(file, "parse_cases", lambda text, path: parsed.append(path.name) or parse_cases(text, path))
    assert wongar("validate", str(tmp_path), "--lang", "en").code == 0
    assert parsed == ["tiny.cases.yaml"]


def test_example_takes_no_other_value_than_yes(wongar: Command, tmp_path: Path) -> None:
    (tmp_path / "tiny.rules").write_text(GAME, encoding="utf-8")
    (tmp_path / "tiny.cases.yaml").write_text(CASES.replace("example: yes", "example: true", 1), encoding="utf-8")
    result = wongar("validate", str(tmp_path / "tiny.rules"), "--lang", "en")
    assert result.code == 1
    assert "true is not possible for `example`. Write `example: yes` for a case that the rulebook tells" in shown(
        result.out
    )


def test_case_recorded_as_an_example_is_told(wongar: Command, tmp_path: Path) -> None:
    (tmp_path / "tiny.rules").write_text(GAME, encoding="utf-8")
    wongar.play(tmp_path / "tiny.rules", "take", "case --example", f"case --example {tmp_path}/more", "quit")
    assert all(case.example for name in ("tiny", "more") for case in read(tmp_path / f"{name}.cases.yaml").cases)
    first, *_ = examples(load(str(tmp_path / "tiny.rules")), Translator.load("en")).book.told
    assert first.story == ("Anna gains 2 points.",)


def shown(text: str) -> str:
    return " ".join(text.split())
