"""The example in `docs/cases.md` passes with the variant from the README."""

from __future__ import annotations

import re
from pathlib import Path

from tests.docs.test_readme import first_variant
from wongar_dsl.engine import library
from wongar_dsl.engine.rule_cases.file import read
from wongar_dsl.engine.rule_cases.runner import CaseRunner

PAGE = Path(__file__).parents[2] / "docs" / "cases.md"


def test_example_passes(tmp_path: Path) -> None:
    block = re.search(r"```yaml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    path = tmp_path / "generous.cases.yaml"
    path.write_text(block[1], encoding="utf-8")
    (tmp_path / "generous.rules").write_text(first_variant(), encoding="utf-8")
    file = read(path)
    assert file.cases
    rules = library.load(tmp_path / "generous.rules")
    bench = CaseRunner(rules.model, rules.game)
    for case in file.cases:
        outcome = bench.run(case)
        assert outcome.passed, outcome.findings
