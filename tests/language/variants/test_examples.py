"""Variants in the manual: each plays, has the described effect, and repeats no line of its base."""

from __future__ import annotations

from itertools import count, pairwise
from pathlib import Path

import pytest

from tests.language.test_manual import VARIANTS
from wongar_dsl.engine.library import Rules, inspect
from wongar_dsl.engine.rule_cases.file import read
from wongar_dsl.engine.rule_cases.runner import CaseRunner

HERE = Path(__file__).parent
EXAMPLES = {name: e for name, e in VARIANTS.items() if e.kind.startswith("variant of")}


def rules_of(name: str, folder: Path) -> Rules:
    (folder / f"{name}.rules").write_text(EXAMPLES[name].text, encoding="utf-8")
    rules, diagnostics = inspect(folder / f"{name}.rules")
    assert not diagnostics
    assert rules is not None
    return rules


@pytest.mark.parametrize("name", EXAMPLES)
def test_example_passes_its_cases_plays_to_its_end_and_repeats_no_part_of_its_base(name: str, tmp_path: Path) -> None:
    rules = rules_of(name, tmp_path)
    bench = CaseRunner(rules.model, rules.game)
    for case in read(HERE / "examples" / f"{name}.cases.yaml").cases:
        outcome = bench.run(case)
        assert outcome.passed, [(f.code, f.line, dict(f.arguments)) for f in outcome.findings]
    state, _ = rules.game(rules.model.players[0]).start(1)
    for chooser in count(0, 7):
        if state.over:
            break
        moves = state.legal_moves()
        state.apply(moves[chooser % len(moves)])
    # Neither the first line of a declaration nor two consecutive lines; a single line may be equal by chance.
    base, variant = (source.text for source in rules.sources)
    assert not line_pairs(base) & line_pairs(variant)
    assert not first_lines(base) & first_lines(variant)


def line_pairs(text: str) -> set[tuple[str, str]]:
    lines = [line.strip() for line in text.splitlines() if line.strip() not in ("", "source house rule")]
    return set(pairwise(lines))


def first_lines(text: str) -> set[str]:
    return {line for line in text.splitlines() if line[:1].isalpha()}


def test_every_example_has_cases() -> None:
    assert {path.name.split(".")[0] for path in (HERE / "examples").iterdir()} == set(EXAMPLES)
    assert len(EXAMPLES) == 11
