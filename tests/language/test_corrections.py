"""Beginners' slips in shipped files: each has one diagnostic, whose suggestion corrects the file.

`corrections.toml` lists them: words of other languages and of programs, order of clauses, units, brackets and signs.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from itertools import zip_longest
from pathlib import Path

import pytest

from tests.cli.command import LANGUAGES
from tests.language.broken import corrected, remaining_errors
from tests.small_games import checked
from wongar_dsl.base.diagnostics import Diagnostic, Severity
from wongar_dsl.nlg.diagnostic_text import advice, message
from wongar_dsl.nlg.words import Translator

HERE = Path(__file__).parent
TEXTS = {p.stem: p.read_text(encoding="utf-8") for p in sorted((HERE.parents[1] / "rules").glob("*/*.rules"))}
translator = cache(Translator.load)
SLIPS = tomllib.loads((HERE / "corrections.toml").read_text(encoding="utf-8"))["slips"]


@cache
def errors_of(text: str, name: str) -> list[Diagnostic]:
    """Return the errors of a file in the current folder, which has the game beside it."""
    Path(f"{name}.rules").write_text(SMALL if name == "small" else TEXTS[name], encoding="utf-8")
    Path("slip.rules").write_text(text, encoding="utf-8")
    return [d for d in checked("slip.rules") if d.severity is Severity.ERROR]


def differ_near(one: str, other: str, line: int) -> bool:
    """Return whether two texts differ in a line or in an adjacent one."""
    pairs = list(zip_longest(one.split("\n"), other.split("\n")))
    return any(a != b for a, b in pairs[max(line - 2, 0) : line + 1])


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip[0])
def test_slip_is_reported_once_with_a_correction(
    slip: tuple[str, str, str, str, str, str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _, name, good, bad, code, how, suggestion_or_hint = slip
    head = f"variant changed of {name}\n    source house rule\n\n"
    text = TEXTS[name].replace(good, bad, 1) if good else f"{head}{bad}\n"
    assert text != TEXTS[name]
    (diagnostic,) = errors_of(text, name)
    assert diagnostic.code == code
    hint = diagnostic.hint.name if diagnostic.hint is not None else ""
    assert (diagnostic.suggestion or hint) == suggestion_or_hint
    assert diagnostic.span is not None
    assert differ_near(TEXTS[name] if good else head, text, diagnostic.span.line)
    for language in LANGUAGES:
        say = translator(language).say
        assert message(diagnostic, say)
        assert "hint." not in advice(diagnostic, say)
    # A suggestion of several words can be read alone, unless its last word stood there before.
    open_end = re.search(r"(?<= )(?:[-+*=<>:]|to|of|in|from|with|by|and|or|is)$", diagnostic.suggestion or "")
    line, end = text.split("\n")[diagnostic.span.line - 1], diagnostic.span.end_column - 1
    assert open_end is None or line[:end].endswith(open_end[0]) or not line[end:].strip()
    better = corrected(text, diagnostic)
    if diagnostic.suggestion is not None and better is not None:
        assert remaining_errors(diagnostic, errors_of(better, name)) == []
    if how != "explained":
        assert better is not None
        assert errors_of(better, name) == []
    assert (how == "suggested") <= (diagnostic.suggestion is not None)


#: Ways in which programmers and readers of rulebooks change a value, and names of things that can be changed or cannot.
CHANGES = (
    "increase {} by 2", "decrease {}", "{} += 1", "{} = {} + 1", "{} = 12", "{} = no", "set {} = no", "add 1 to {}",
    "{} becomes 2", "set {} as 3", "{}++", "let {} be {} + 1",
)  # fmt: skip
SMALL = (HERE / "small.rules").read_text(encoding="utf-8")
NAMES = ("pass", "last", "rounds", "bonus", "unknown", "walker", "holder of walker", "ships_each", "points")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("place", ["in a rule", "in a variant"])
def test_no_suggestion_leads_to_another_error(
    name: str, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert errors_of(SMALL, "small") == []
    end = "    end game"
    for change in CHANGES:
        line = change.replace("{}", name)
        text = f"variant changed of small\n    source house rule\n\n{line}\n"
        if place == "in a rule":
            text = SMALL.replace(end, f"    {line}\n{end}", 1)
        for diagnostic in errors_of(text, "small"):
            better = corrected(text, diagnostic) if diagnostic.suggestion is not None else None
            assert diagnostic.span is not None
            after = errors_of(better, "small") if better is not None else []
            after = [d for d in after if d.span is not None and d.span.line == diagnostic.span.line]
            # An unknown name before the corrected words is a mistake of its own.
            own = [d for d in after if d.span is not None and d.span.end_column <= diagnostic.span.column]
            assert not [d.code for d in after if d not in own or d.code != "R0201"], line
