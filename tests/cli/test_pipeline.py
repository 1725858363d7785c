"""`wongar explain --pipeline` shows what each stage makes of a game; `wongar_dsl.pipeline` has the stages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.command import LANGUAGES, Command
from wongar_dsl import pipeline
from wongar_dsl.engine import library
from wongar_dsl.engine.library.loader import read

STAGES = ["read", "parse", "apply variants", "resolve names", "check types", "lower", "passes", "load backend"]
HEADS = {"de": "Stufe", "nl": "Stap", "it": "Fase", "en": "Stage"}


def table(text: str) -> list[tuple[str, str, int]]:
    """The rows of the table: stage, unit, number; a stage is repeated in each of its rows."""
    rows, stage = [], ""
    for line in text.splitlines()[1:]:
        first, unit, number = re.fullmatch(r"(.*?) {2,}(\S.*?) {2,}([\d,]+)", line).groups()  # type: ignore[union-attr]
        stage = first or stage
        rows.append((stage, unit, int(number.replace(",", ""))))
    return rows


def test_all_stages_are_shown_in_their_order(wongar: Command) -> None:
    rows = table(wongar("explain", "--pipeline", "nim").out)
    shown = list(dict.fromkeys(stage for stage, _, _ in rows))
    assert shown == STAGES
    assert all(number > 0 for _, _, number in rows)
    program = library.load("nim").game(2).program
    assert ("lower", "basic blocks", len(program.blocks)) in rows
    assert ("lower", "state cells", program.size) in rows


def test_a_variant_has_the_files_of_its_base_and_other_statements(wongar: Command, tmp_path: Path) -> None:
    path = tmp_path / "draw.rules"
    path.write_text(
        "variant draw of connect_four\n    source house rule\n\nreplace play\n    nobody wins\n", encoding="utf-8"
    )
    base, variant = (table(wongar("explain", "--pipeline", name).out) for name in ("connect_four", str(path)))
    assert ("read", "rule files", 1) in base
    assert ("read", "rule files", 2) in variant
    parsed, applied = ({s: n for s, unit, n in variant if unit == "statements"}[s] for s in STAGES[1:3])
    assert parsed > applied


def test_the_output_is_the_same_each_time(wongar: Command) -> None:
    assert wongar("explain", "--pipeline", "goofspiel").out == wongar("explain", "--pipeline", "goofspiel").out


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_is_in_the_language_asked_for(wongar: Command, language: str) -> None:
    result = wongar("explain", "--pipeline", "nim", "--lang", language)
    assert result.code == 0
    assert result.out.startswith(HEADS[language])
    assert "cli.pipeline" not in result.out


def test_a_broken_file_gives_its_diagnostics(wongar: Command, tmp_path: Path) -> None:
    path = tmp_path / "broken.rules"
    path.write_text(
        "game broken\n    players 2\n    source house rule\n\nplay\n    absent()\n    nobody wins\n", encoding="utf-8"
    )
    result = wongar("explain", "--pipeline", str(path))
    assert result.code == 1
    assert result.out == ""
    assert "error R0201" in result.err


def test_an_unknown_game_is_reported_as_elsewhere(wongar: Command) -> None:
    shown, explained = wongar("show", "nimm"), wongar("explain", "--pipeline", "nimm")
    assert (explained.code, explained.err) == (shown.code, shown.err)
    assert "R0004" in explained.err


def test_a_code_and_a_game_do_not_go_together(wongar: Command) -> None:
    assert wongar("explain", "R0201", "--pipeline", "nim").code == 2


def test_build_stops_at_the_first_stage_with_an_error() -> None:
    chain = read("wongar/initiated").chain
    layers = [pipeline.Layer(file.tree) for file in chain]
    whole = pipeline.build(layers)
    assert len(whole.levels) == 2
    assert whole.program is not None
    alone = pipeline.build(layers[1:])
    assert (alone.levels, alone.model, alone.program) == ((), None, None)


def test_stages_one_after_the_other_make_the_program_that_is_played() -> None:
    (file,) = read("nim").chain
    tree, found = pipeline.parse(file.source)
    levels, wrong = pipeline.apply_variants([pipeline.Layer(tree)])
    model, warnings = pipeline.check(levels)
    assert not [*found, *wrong, *warnings]
    program = pipeline.run_passes(pipeline.lower(model, 2))
    assert program.blocks == library.load("nim").game(2).program.blocks
    assert pipeline.load_backend(program, "reference").start(1)
