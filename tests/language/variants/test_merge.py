"""Merged rules: damaged files, and sample changes."""

from __future__ import annotations

import random
from itertools import count, pairwise
from pathlib import Path

import pytest

from benchmarks.text_mutations import damaged
from tests.language.test_manual import VARIANTS
from tests.language.variants.test_combinations import CLASHES, TOGETHER
from tests.language.variants.test_mistakes import BASE as MISTAKEN_BASE
from tests.language.variants.test_mistakes import MISTAKES
from wongar_dsl.engine.library import Rules, inspect
from wongar_dsl.engine.rule_cases.file import read
from wongar_dsl.engine.rule_cases.runner import CaseRunner
from wongar_dsl.nlg.diagnostic_text import render_text
from wongar_dsl.nlg.words import Translator

BASE = """
game base
    players 2
setup
    source house rule
    nothing
play
    source house rule
    nobody wins
"""

VARIANT = """
variant changed of base
{source}
replace setup
    nothing
define twice(n: number) = n + n
rule added()
    tell said(n: twice(2))
replace play
    added()
    nobody wins
"""


@pytest.mark.parametrize(
    ("source", "unsourced"),
    [("", {"setup", "twice", "added", "play"}), ("    source house rule", set())],
)
def test_source_of_a_variant_covers_its_declarations(tmp_path: Path, source: str, unsourced: set[str]) -> None:
    (tmp_path / "base.rules").write_text(BASE, encoding="utf-8")
    path = tmp_path / "changed.rules"
    path.write_text(VARIANT.format(source=source), encoding="utf-8")
    rules, diagnostics = inspect(path)
    assert rules is not None
    assert {d.arguments["article"] for d in diagnostics if d.code == "R0411"} == unsourced
    assert not inspect(tmp_path / "base.rules")[1]


@pytest.mark.parametrize("change", ["set tries to 4", "set worth[1] to 5", "set row 2 of worth to 6"])
def test_source_of_a_change_replaces_the_base_source(tmp_path: Path, change: str) -> None:
    things = "option tries = 3\n    source house rule\ntable worth\n    1 2\n    2 3\n    source house rule\n"
    (tmp_path / "base.rules").write_text(f"{BASE}{things}", encoding="utf-8")
    path = tmp_path / "changed.rules"
    text = f'variant changed of base\n    book sheet "The sheet"\n{change}\n    source sheet "Tips"\n'
    path.write_text(text, encoding="utf-8")
    rules, _ = inspect(path)
    assert rules is not None
    changed_name = "tries" if "tries" in change else "worth"
    (changed_declaration,) = (article for article in rules.model.merged.articles if article.name.text == changed_name)
    assert [citation.book for citation in changed_declaration.sources] == ["sheet"]


HEAD = "variant changed of small\n    source house rule\n"
CHANGES = [*MISTAKES.values(), *(change for pair in (*CLASHES.values(), *TOGETHER.values()) for change in pair)]
TIMES = 60


def test_errors_of_damaged_variants_are_reported_in_the_variant(tmp_path: Path) -> None:
    (tmp_path / "small.rules").write_text(MISTAKEN_BASE, encoding="utf-8")
    say, refused = Translator.load("en").say, 0
    for seed in range(TIMES):
        chance = random.Random(seed)
        path = tmp_path / "changed.rules"
        path.write_bytes((HEAD + damaged(chance.choice(CHANGES), chance) + "\n").encode("utf-8", "surrogatepass"))
        rules, diagnostics = inspect(path)
        render_text(diagnostics[:20], say)
        if rules is None:
            refused += 1
            assert {Path(d.span.source.name).name for d in diagnostics if d.span is not None} == {"changed.rules"}
    assert 0 < refused < TIMES


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
