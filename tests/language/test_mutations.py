"""Random damage to good rules: no exception, and rules that pass the checker can be played.

Thousands of damaged files: `python -m benchmarks.soak --only "rule files"`.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wongar_dsl.engine import PlayFault
from wongar_dsl.engine.library import inspect
from wongar_dsl.nlg.diagnostic_text.diagnostics import render_text
from wongar_dsl.nlg.words import Translator

HERE = Path(__file__).parent
RULES = HERE.parents[1] / "rules"
FILES = sorted([HERE / "small.rules", *RULES.glob("*/*.rules")])
TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in FILES if "\nvariant " not in path.read_text()}
TOKEN = re.compile(r"\n[ ]*|\w+|[^\w\s]|[ ]+")
SAY = Translator.load("en").say


def damaged(text: str, seed: int, times: int) -> str:
    """Return a text in which some words or lines are missing, doubled, exchanged or replaced."""
    chance = random.Random(seed)
    for _ in range(times):
        whole = chance.random() < 0.4
        parts = text.splitlines(keepends=True) if whole else TOKEN.findall(text)
        i, j = chance.randrange(len(parts)), chance.randrange(len(parts))
        match chance.randrange(5):
            case 0:
                del parts[i]
            case 1:
                parts.insert(i, parts[i] if whole else parts[i] + " ")
            case 2:
                parts[i], parts[j] = parts[j], parts[i]
            case 3:
                parts[i] = parts[j]
            case _:
                near = min(max(i + chance.randrange(-12, 13), 0), len(parts) - 1)
                parts[i] = parts[near]
        text = "".join(parts)
    return text


def check_and_play(text: str, folder: Path, seed: int) -> bool:
    """Inspect, render the diagnostics and, without errors, play; return whether the game was played."""
    path = folder / "damaged.rules"
    path.write_text(text, encoding="utf-8")
    rules, diagnostics = inspect(str(path))
    render_text(diagnostics[:20], SAY)
    if rules is None:
        return False
    low, high = rules.model.players
    chance = random.Random(seed)
    try:
        state, _ = rules.game(chance.randint(low, high)).start(seed)
        for _ in range(60):
            if state.over:
                break
            state.apply(chance.choice(state.legal_moves()))
    except PlayFault as fault:
        render_text([fault.diagnostic], SAY)
    return True


@pytest.mark.parametrize("name", sorted(TEXTS))
@settings(max_examples=6, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 1 << 30), times=st.integers(1, 4))
def test_damaged_rules_raise_no_exception(
    name: str, seed: int, times: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    check_and_play(damaged(TEXTS[name], seed, times), tmp_path_factory.getbasetemp(), seed)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.text(st.sampled_from("ab1_ \n\t#()[]:,=<>-+*\"'éß\u2028\x00") | st.characters(exclude_categories=("Cs",))))
def test_any_text_is_parsed_without_exception(text: str) -> None:
    from wongar_dsl.base.span import Source
    from wongar_dsl.language.parser import parse

    _, diagnostics = parse(Source("any", text))
    render_text(diagnostics[:20], SAY)
