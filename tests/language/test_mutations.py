"""Random damage to good rules: no exception, suggestions are valid, and rules that pass the checker can be played.

Thousands of damaged files: `python -m benchmarks.soak --only "rule files"`.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.text_mutations import damaged
from tests.language.broken import corrected, remaining_errors
from tests.small_games import checked
from wongar_dsl.base.diagnostics import Diagnostic
from wongar_dsl.base.foreign_words import WORDS
from wongar_dsl.base.span import Source
from wongar_dsl.engine import PlayFault
from wongar_dsl.engine.library import Rules, inspect
from wongar_dsl.language.parser import parse
from wongar_dsl.nlg.diagnostic_text import render_text
from wongar_dsl.nlg.words import Translator

HERE = Path(__file__).parent
FILES = sorted([HERE / "small.rules", *(HERE.parents[1] / "rules").glob("*/*.rules")])
TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in FILES if "\nvariant " not in path.read_text()}
SAY = Translator.load("en").say


def damaged_word(text: str, chance: random.Random) -> str:
    """Return the text with one word misspelt, removed, doubled, capitalized, marked or from another language."""
    words = [m for m in re.finditer(r"\w+", text) if text.rfind("#", 0, m.start()) <= text.rfind("\n", 0, m.start())]
    word = chance.choice(words)
    old, i = word[0], chance.randrange(len(word[0]))
    foreign = [foreign for foreign, own in WORDS.items() if own == old] or [old.upper()]
    misspelt = [old[:i] + old[i + 1 :], old[:i] + old[i:][:1] * 2 + old[i + 1 :], old.capitalize()]
    new = [*misspelt, "", f"{old} {old}", f"the {old}", f"{old}:", f"{old} =", chance.choice(foreign)]
    return text[: word.start()] + chance.choice(new) + text[word.end() :]


def check_suggestion(diagnostic: Diagnostic, text: str, path: Path) -> None:
    """Check that the suggestion of a diagnostic leads to no error at its place."""
    span = diagnostic.span
    if diagnostic.suggestion is None or span is None or span.line != span.end_line or span.source.text != text:
        return
    path.write_text(corrected(text, diagnostic) or "", encoding="utf-8")
    assert remaining_errors(diagnostic, list(checked(path))) == [], (diagnostic, span)


def play(rules: Rules, chance: random.Random) -> None:
    try:
        state, _ = rules.game(chance.randint(*rules.model.players)).start(chance.getrandbits(30))
        for _ in range(60):
            if state.over:
                break
            state.apply(chance.choice(state.legal_moves()))
    except PlayFault as fault:
        render_text([fault.diagnostic], SAY)


@pytest.mark.parametrize("name", sorted(TEXTS))
@settings(max_examples=8, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 1 << 30), one_word=st.booleans())
def test_damaged_rules_raise_no_exception_and_their_suggestions_are_valid(
    name: str, seed: int, one_word: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path, chance = tmp_path_factory.getbasetemp() / "damaged.rules", random.Random(seed)
    text = damaged_word(TEXTS[name], chance) if one_word else damaged(TEXTS[name], chance)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    rules, diagnostics = inspect(path)
    render_text(diagnostics[:20], SAY)
    if rules is not None:
        play(rules, chance)
    for diagnostic in diagnostics[:3] if one_word else ():
        check_suggestion(diagnostic, text, path)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.text(st.sampled_from("ab1_ \n\t#()[]:,=<>-+*\"'éß\u2028\x00") | st.characters(exclude_categories=("Cs",))))
def test_any_text_is_parsed_without_exception(text: str) -> None:
    render_text(parse(Source("any", text))[1][:20], SAY)
