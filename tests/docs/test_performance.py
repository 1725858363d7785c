"""`make bench` computes its figures correctly and writes them to its page."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from benchmarks import __main__ as bench
from benchmarks.speed.measurements import Series
from benchmarks.speed.result_tables import Table, Target, measured, number
from benchmarks.speed.synthetic_game import GROWN, written
from benchmarks.speed.worker import c_program
from wongar_dsl.engine import library


def test_new_figures_replace_the_old_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "performance.md"
    page.write_text(bench.PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(bench, "PAGE", page)
    bench.write([Table("Old", "", ("game", "rate"), (("chess", "1"),))], "an old machine")
    bench.write([Table("New", "Both are quick.", ("game", "rate"), (("go", "2"),))], "a machine")
    text = page.read_text(encoding="utf-8")
    assert "chess" not in text
    assert "an old machine" not in text
    assert "| game | rate |\n| --- | ---: |\n| go | 2 |\n\nBoth are quick.\n" in text
    assert text.partition(bench.BEGIN)[0] == bench.PAGE.read_text(encoding="utf-8").partition(bench.BEGIN)[0]


def test_figures_are_medians_and_ratios_are_medians_by_round() -> None:
    ours, theirs = Series([10.0, 30.0, 20.0]), Series([5.0, 10.0, 4.0])
    assert ours.median == 20
    assert ours.spread == pytest.approx(0.25)
    assert ours.over(theirs).median == 3
    assert measured(ours) == "20.0 ±25%"
    assert measured(None) == "–"
    assert [number(n) for n in (12_345_678, 845_000, 99.97, 1.234, 0.0456)] == [
        "12.3 M", "845 k", "100", "1.23", "0.046",
    ]  # fmt: skip


def test_target_is_met_at_its_bound() -> None:
    assert Target("speed", 4.0, 4.0).met is True
    assert Target("speed", 3.9, 4.0).met is False
    assert Target("wait", 1.7, 1.6, at_most=True).met is False
    assert Target("speed", None, 4.0).met is None


def test_grown_game_has_the_requested_size(tmp_path: Path) -> None:
    large = next(grown for grown in GROWN if grown.kinds > 100)
    rules = library.load(written(large, tmp_path))
    spent = next(field for field in rules.game(2).program.fields if field.name == "spent")
    assert [len(board.areas) for board in rules.model.boards.values()] == [large.areas]
    assert rules.model.size(spent.type, 2) == large.kinds


def test_both_handwritten_programs_play_the_same_games(tmp_path: Path) -> None:
    program = c_program(str(tmp_path))
    assert program is not None
    outputs = [
        subprocess.run([program, style, "2000", "7"], capture_output=True, check=True, text=True).stdout
        for style in ("plain", "bits")
    ]
    plain, bits = (line.split() for line in outputs)
    assert (plain[0], plain[2:]) == (bits[0], bits[2:])
    # A random game takes 21.3 decisions on average, and the first to move wins 55.6 % of them.
    assert 21.0 < int(plain[0]) / 2000 < 21.6
    assert 0.52 < int(plain[5].rstrip(",")) / 2000 < 0.59
