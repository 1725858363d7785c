"""The examples of the manual: each variant plays, does what it says, and repeats no line of its base."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from tests.language.test_manual import VARIANTS
from wongar_dsl.cases.file import read
from wongar_dsl.cases.runner import CaseRunner
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.library import Rules, inspect

HERE = Path(__file__).parent
EXAMPLES = {name: e for name, e in VARIANTS.items() if e.kind.startswith("variant of")}


def rules_of(name: str, folder: Path) -> Rules:
    (folder / f"{name}.rules").write_text(EXAMPLES[name].text, encoding="utf-8")
    rules, found = inspect(folder / f"{name}.rules")
    assert not found
    assert rules is not None
    return rules


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_does_what_it_says(name: str, tmp_path: Path) -> None:
    rules = rules_of(name, tmp_path)
    bench = CaseRunner(rules.model, rules.game)
    for case in read(HERE / "examples" / f"{name}.cases.yaml").cases:
        outcome = bench.run(case)
        assert outcome.passed, [(f.code, f.line, dict(f.arguments)) for f in outcome.findings]


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_played_to_its_end(name: str, tmp_path: Path) -> None:
    rules = rules_of(name, tmp_path)
    seats = rules.model.players[0]
    match = Match.begin(rules.game(seats), [Seat("random", "")] * seats, 1, rules.hash)
    chooser = 0
    while not match.state.over:
        moves = match.state.legal_moves()
        match.play(moves[chooser % len(moves)])
        chooser += 7


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_repeats_nothing_of_its_base(name: str, tmp_path: Path) -> None:
    """Neither an article's first line, nor two lines running; one alone can be new, as two more of a card are."""
    base, own = (source.text for source in rules_of(name, tmp_path).sources)
    assert not pairs(base) & pairs(own)
    assert not heads(base) & heads(own)


def pairs(text: str) -> set[tuple[str, str]]:
    lines = [line.strip() for line in text.splitlines() if line.strip() not in ("", "source house rule")]
    return set(pairwise(lines))


def heads(text: str) -> set[str]:
    return {line for line in text.splitlines() if line[:1].isalpha()}


def test_every_example_has_cases() -> None:
    assert {path.name.split(".")[0] for path in (HERE / "examples").iterdir()} == set(EXAMPLES)
    assert len(EXAMPLES) == 11
