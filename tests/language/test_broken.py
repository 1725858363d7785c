"""Broken files: each has one diagnostic at the broken line, whose suggestion corrects the file.

`broken.txt` holds the rendered diagnostics; `pytest tests/language --rewrite-goldens` writes it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from itertools import zip_longest
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.language.broken import ADVISED, BASE, EXPLAINED, GAME, IN_GAME, IN_VARIANT, Broken, corrected, variant
from tests.small_games import checked
from wongar_dsl.base.diagnostic_codes import Severity
from wongar_dsl.base.diagnostics import Diagnostic
from wongar_dsl.base.foreign_words import WORDS
from wongar_dsl.nlg.diagnostic_text.diagnostics import render_text
from wongar_dsl.nlg.words import Translator

HERE = Path(__file__).parent
RULES = HERE.parents[1] / "rules"
FILES = sorted([HERE / "small.rules", *RULES.glob("*/*.rules")])
TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in FILES if "\nvariant " not in path.read_text()}
CASES = [(row, False) for row in IN_GAME] + [(row, True) for row in IN_VARIANT]


def good_and_bad_texts(row: Broken, of_variant: bool) -> tuple[str, str]:
    """Return the good text and the broken one."""
    if of_variant:
        return variant(row.good), variant(row.bad)
    assert GAME.count(row.good) >= 1, row.title
    # A name is changed in every place.
    return GAME, GAME.replace(row.good, row.bad, -1 if row.code == "R0215" else 1)


@cache
def errors_of(text: str, of_variant: bool) -> list[Diagnostic]:
    """Return the errors of a file in the current folder, for a variant with its base beside it."""
    name = "changed.rules" if of_variant else "heaps.rules"
    if of_variant:
        Path("heaps.rules").write_text(BASE, encoding="utf-8")
    Path(name).write_text(text, encoding="utf-8")
    return [d for d in checked(name) if d.severity is Severity.ERROR]


def differ_near(one: str, other: str, line: int) -> bool:
    """Return whether two texts differ in a line or in an adjacent one."""
    pairs = list(zip_longest(one.split("\n"), other.split("\n")))
    return any(a != b for a, b in pairs[max(line - 2, 0) : line + 1])


def test_enough_cases_are_listed() -> None:
    assert len(CASES) >= 71 + 40


@pytest.mark.parametrize(("row", "of_variant"), CASES, ids=lambda value: getattr(value, "title", ""))
def test_error_is_reported_once_and_the_suggestion_corrects_it(
    row: Broken, of_variant: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    good, bad = good_and_bad_texts(row, of_variant)
    assert errors_of(good, of_variant) == []
    diagnostics = errors_of(bad, of_variant)
    assert [d.code for d in diagnostics] == [row.code]
    (diagnostic,) = diagnostics
    assert diagnostic.span is not None
    assert differ_near(good, bad, diagnostic.span.line), diagnostic
    assert (diagnostic.suggestion is not None) <= (row.mended != ADVISED)
    text = corrected(bad, diagnostic)
    if row.mended == EXPLAINED:
        assert text is None or diagnostic.suggestion is not None
        return
    assert text is not None, diagnostic
    assert errors_of(text, of_variant) == [], text


def test_rendered_diagnostics_equal_the_golden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rewrite_goldens: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    parts = []
    for row, of_variant in CASES:
        report = render_text(
            errors_of(good_and_bad_texts(row, of_variant)[1], of_variant), Translator.load("en").say, width=100
        )
        parts.append(f"==== {row.title}\n\n{report}\n")
    golden = HERE / "broken.txt"
    if rewrite_goldens:
        golden.write_text("\n".join(parts), encoding="utf-8")
    assert "\n".join(parts) == golden.read_text(encoding="utf-8")


def with_suggestion(diagnostic: Diagnostic, text: str) -> str | None:
    """Return the text with the suggestion of a diagnostic applied, or None without one."""
    span = diagnostic.span
    named = span is not None and span.line == span.end_line and span.source.text == text
    return corrected(text, diagnostic) if named and diagnostic.suggestion is not None else None


def remaining_errors(diagnostic: Diagnostic, after: list[Diagnostic]) -> list[Diagnostic]:
    """Return syntax errors and wrong names up to the end of an applied suggestion, or the same error again."""
    span = diagnostic.span
    assert span is not None
    assert diagnostic.suggestion is not None
    end = span.column + len(diagnostic.suggestion)
    nearby = [d for d in after if d.span is not None and d.span.line == span.line and d.span.column < end]
    syntax = [d for d in nearby if d.code.startswith("R01") or d.code == "R0205"]
    return syntax or [d for d in nearby if d.code == diagnostic.code and d.arguments == diagnostic.arguments]


def disordered(line: str) -> Iterator[str]:
    """Yield a statement with a word removed, two words exchanged, or an article of English inserted."""
    words = line.split(" ")
    for i, word in enumerate(words):
        yield " ".join(words[:i] + words[i + 1 :])
        yield " ".join([*words[:i], *words[i + 1 : i + 2], word, *words[i + 2 :]])
        yield " ".join([*words[:i], "the", *words[i:]])


@pytest.mark.parametrize(
    "line",
    ["move n stone from matches of chosen to box as taken(player: p, n, token, stack)",
     "fill matches of h with first_matches[h] stone", "set last to last + 1", "set starter to player(1)"],
)  # fmt: skip
def test_suggestions_for_disordered_statements_leave_no_error(line: str, tmp_path: Path) -> None:
    path = tmp_path / "heaps.rules"
    for bad in disordered(line):
        text = GAME.replace(line, bad, 1)
        path.write_text(text, encoding="utf-8")
        for diagnostic in [d for d in checked(path) if d.code in ("R0101", "R0107")][:1]:
            better = with_suggestion(diagnostic, text)
            if better is not None:
                path.write_text(better, encoding="utf-8")
                assert [d for d in checked(path) if d.severity is Severity.ERROR] == [], (bad, diagnostic)


@pytest.mark.parametrize("name", sorted(TEXTS))
@settings(max_examples=8, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 1 << 30))
def test_suggestions_in_damaged_files_are_valid(name: str, seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "damaged.rules"
    text = damaged_word(TEXTS[name], seed)
    path.write_text(text, encoding="utf-8")
    for diagnostic in checked(path)[:3]:
        better = with_suggestion(diagnostic, text)
        if better is not None:
            path.write_text(better, encoding="utf-8")
            assert remaining_errors(diagnostic, list(checked(path))) == [], (diagnostic, diagnostic.span)


def damaged_word(text: str, seed: int) -> str:
    """Return the text with one word misspelt, removed, doubled, capitalized, joined with the next or from another
    language."""
    chance = random.Random(seed)
    words = [m for m in re.finditer(r"\w+", text) if text.rfind("#", 0, m.start()) <= text.rfind("\n", 0, m.start())]
    word = chance.choice(words)
    old_word = word[0]
    position = chance.randrange(len(old_word))
    foreign = [foreign_word for foreign_word, word_of_language in WORDS.items() if word_of_language == old_word] or [
        old_word.upper()
    ]
    misspelt = [
        old_word[:position] + old_word[position + 1 :],
        old_word[:position] + old_word[position:][:1] * 2 + old_word[position + 1 :],
        old_word.capitalize(),
    ]
    new = chance.choice(
        [
            *misspelt,
            "",
            f"{old_word} {old_word}",
            f"the {old_word}",
            f"{old_word}:",
            f"{old_word} =",
            chance.choice(foreign),
        ]
    )
    return text[: word.start()] + new + text[word.end() :]
