"""Tongiaki with a closed sea: impossible with the shipped cards, possible in variants."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.engine.library import load
from wongar_dsl.engine.rule_cases.file import Case, read
from wongar_dsl.engine.rule_cases.runner import CaseRunner

FILE = read(Path(__file__).parent / "closed_sea.cases.yaml")


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in FILE.cases])
def test_case(case: Case) -> None:
    rules = load(FILE.game)
    outcome = CaseRunner(rules.model, rules.game).run(case)
    assert outcome.passed, outcome.findings
