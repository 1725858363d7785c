"""Random damage to variants with partial changes: no exception, and errors are reported in the variant."""

from __future__ import annotations

import random
from pathlib import Path

from benchmarks.text_mutations import damaged
from tests.language.variants.test_combinations import CLASHES, TOGETHER
from tests.language.variants.test_mistakes import BASE, MISTAKES
from wongar_dsl.engine.library import inspect
from wongar_dsl.nlg.diagnostic_text.diagnostics import render_text
from wongar_dsl.nlg.words import Translator

HEAD = "variant changed of small\n    source house rule\n"
CHANGES = [*MISTAKES.values(), *(change for pair in (*CLASHES.values(), *TOGETHER.values()) for change in pair)]
TIMES = 60


def test_errors_of_damaged_variants_are_reported_in_the_variant(tmp_path: Path) -> None:
    (tmp_path / "small.rules").write_text(BASE, encoding="utf-8")
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
