"""A broken file gets one diagnostic, at the line that is broken, and what it suggests mends the file.

`broken.txt` holds how each is told; `pytest tests/language --rewrite-goldens` writes it.
"""

from __future__ import annotations

import random
import re
from itertools import zip_longest
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.language.broken import ADVISED, BASE, EXPLAINED, GAME, IN_GAME, IN_VARIANT, Broken, mended, variant
from wongar_dsl.library import inspect
from wongar_dsl.narration.diagnostics import render_text
from wongar_dsl.text.codes import Severity
from wongar_dsl.text.diagnostics import Diagnostic
from wongar_dsl.text.foreign import WORDS
from wongar_dsl.words import Words

HERE = Path(__file__).parent
RULES = HERE.parents[1] / "rules"
FILES = sorted([HERE / "small.rules", *RULES.glob("*/*.rules")])
TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in FILES if "\nvariant " not in path.read_text()}
CASES = [(row, False) for row in IN_GAME] + [(row, True) for row in IN_VARIANT]


def texts(row: Broken, of_variant: bool) -> tuple[str, str]:
    """The good text and the broken one."""
    if of_variant:
        return variant(row.good), variant(row.bad)
    assert GAME.count(row.good) >= 1, row.title
    # A name is changed wherever it stands.
    return GAME, GAME.replace(row.good, row.bad, -1 if row.code == "R0215" else 1)


def found(text: str, of_variant: bool) -> list[Diagnostic]:
    """The errors of a file, which stands in the present folder; a variant has its base beside it."""
    name = "changed.rules" if of_variant else "heaps.rules"
    if of_variant:
        Path("heaps.rules").write_text(BASE, encoding="utf-8")
    Path(name).write_text(text, encoding="utf-8")
    return [d for d in inspect(name)[1] if d.severity is Severity.ERROR]


def differ(one: str, other: str, line: int) -> bool:
    """Whether two texts differ in a line or in one beside it."""
    pairs = list(zip_longest(one.split("\n"), other.split("\n")))
    return any(a != b for a, b in pairs[max(line - 2, 0) : line + 1])


def test_the_table_is_large() -> None:
    assert len(CASES) >= 71 + 40


@pytest.mark.parametrize(("row", "of_variant"), CASES, ids=lambda value: getattr(value, "title", ""))
def test_a_mistake_is_told_once_where_it_is_and_what_is_suggested_mends_it(
    row: Broken, of_variant: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    good, bad = texts(row, of_variant)
    assert found(good, of_variant) == []
    diagnostics = found(bad, of_variant)
    assert [d.code for d in diagnostics] == [row.code]
    (diagnostic,) = diagnostics
    assert diagnostic.span is not None
    assert differ(good, bad, diagnostic.span.line), diagnostic
    assert (diagnostic.suggestion is not None) <= (row.mended != ADVISED)
    text = mended(bad, diagnostic)
    if row.mended == EXPLAINED:
        assert text is None or diagnostic.suggestion is not None
        return
    assert text is not None, diagnostic
    assert found(text, of_variant) == [], text


def test_how_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rewriting: bool) -> None:
    monkeypatch.chdir(tmp_path)
    parts = []
    for row, of_variant in CASES:
        report = render_text(found(texts(row, of_variant)[1], of_variant), Words.load("en").say, width=100)
        parts.append(f"==== {row.title}\n\n{report}\n")
    golden = HERE / "broken.txt"
    if rewriting:
        golden.write_text("\n".join(parts), encoding="utf-8")
    assert "\n".join(parts) == golden.read_text(encoding="utf-8")


def repaired(diagnostic: Diagnostic, text: str) -> str | None:
    """The text with the suggestion of a diagnostic at the place that it marks; None where it has none."""
    span = diagnostic.span
    named = span is not None and span.line == span.end_line and span.source.text == text
    return mended(text, diagnostic) if named and diagnostic.suggestion is not None else None


def still_wrong(diagnostic: Diagnostic, after: list[Diagnostic]) -> list[Diagnostic]:
    """The syntax errors and wrong names up to the place that a suggestion was put in, or the same error again."""
    span = diagnostic.span
    assert span is not None
    assert diagnostic.suggestion is not None
    end = span.column + len(diagnostic.suggestion)
    there = [d for d in after if d.span is not None and d.span.line == span.line and d.span.column < end]
    syntax = [d for d in there if d.code.startswith("R01") or d.code == "R0205"]
    return syntax or [d for d in there if d.code == diagnostic.code and d.arguments == diagnostic.arguments]


@pytest.mark.parametrize("name", sorted(TEXTS))
@settings(max_examples=8, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 1 << 30))
def test_what_is_suggested_in_a_damaged_file_stands_there_without_a_mistake(
    name: str, seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "damaged.rules"
    text = slip(TEXTS[name], seed)
    path.write_text(text, encoding="utf-8")
    for diagnostic in inspect(str(path))[1][:3]:
        better = repaired(diagnostic, text)
        if better is not None:
            path.write_text(better, encoding="utf-8")
            assert still_wrong(diagnostic, list(inspect(str(path))[1])) == [], (diagnostic, diagnostic.span)


def slip(text: str, seed: int) -> str:
    """A text with one word misspelt, left out, doubled, in capitals, joined with the next or from another language."""
    chance = random.Random(seed)
    words = [m for m in re.finditer(r"\w+", text) if text.rfind("#", 0, m.start()) <= text.rfind("\n", 0, m.start())]
    word = chance.choice(words)
    said = word[0]
    at = chance.randrange(len(said))
    foreign = [other for other, here in WORDS.items() if here == said] or [said.upper()]
    misspelt = [said[:at] + said[at + 1 :], said[:at] + said[at:][:1] * 2 + said[at + 1 :], said.capitalize()]
    new = chance.choice(
        [*misspelt, "", f"{said} {said}", f"the {said}", f"{said}:", f"{said} =", chance.choice(foreign)]
    )
    return text[: word.start()] + new + text[word.end() :]
