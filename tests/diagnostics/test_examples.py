"""Each code has an example with exactly this fault, a good counterpart, and a golden rendering.

Examples are `examples/<code>.rules`, or `examples/<code>/main.rules` if several files are needed; the counterparts are
`<code>.good.rules` or `<code>.good/`. `pytest tests/diagnostics --rewrite-goldens` writes the renderings.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from wongar_dsl.base.diagnostics import CODES, Diagnostic
from wongar_dsl.cli.case_files import case_faults
from wongar_dsl.engine import PlayFault
from wongar_dsl.engine import match as matches
from wongar_dsl.engine.library import Rules, inspect
from wongar_dsl.engine.library.pack_writer import pack
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.nlg.diagnostic_text import render_text
from wongar_dsl.nlg.narration.teaching_book import example_faults, examples
from wongar_dsl.nlg.translation import faults_of, missing_text_warnings
from wongar_dsl.nlg.words import Translator
from wongar_dsl.session import lesson_check

EXAMPLES = Path(__file__).parent / "examples"
#: Every example is rendered in these languages too.
OTHERS = [Translator.load(language, strict=True) for language in ("de", "nl", "it")]


def too_large(folder: Path) -> str:
    path = folder / "large.rules"
    path.write_text("# nothing but comments\n" * 50_000)
    return str(path)


def packed_elsewhere(folder: Path) -> str:
    """Return a variant packed for a base with another table and one more rule."""
    (folder / "short.rules").write_text("variant short of nim\nset first_matches[heap_a] to 2\n")
    (folder / "locales" / "de").mkdir(parents=True)
    (folder / "locales" / "de" / "lexicon.yaml").write_text("games: {nim/short: {short: Kurz}}\n")
    data = pack(str(folder / "short.rules"))[1]
    path = folder / "short.variant"
    path.write_bytes(re.sub(rb"(?m)^  table first_matches .*$", b"  rule cheat 0\n  table first_matches 0", data))
    return str(path)


#: Diagnostics that no example file can cause.
ELSEWHERE: dict[str, Callable[[Path], str]] = {
    "R0001": lambda folder: str(folder / "missing.rules"),
    "R0002": too_large,
    "R0004": lambda folder: "wongaar",
    "R0010": packed_elsewhere,
}


def example_path(code: str, good: bool = False) -> Path:
    name = f"{code}.good" if good else code
    places = (EXAMPLES / name / "main.rules", EXAMPLES / f"{name}.variant")
    return next((place for place in places if place.exists()), EXAMPLES / f"{name}.rules")


def faults_of_random_play(rules: Rules) -> list[Diagnostic]:
    """Return the first fault in games of random players, if any."""
    low, high = rules.model.players
    for seed in range(3):
        for seats in range(low, high + 1):
            try:
                match = Match.begin(rules.game(seats), [Seat("random", "") for _ in range(seats)], seed, rules.hash)
                chance = random.Random(seed)
                while not match.state.over:
                    match.play(chance.choice(match.state.legal_moves()))
            except PlayFault as fault:
                return [fault.diagnostic]
    return []


def diagnostics_of(path: str) -> list[Diagnostic]:
    rules, diagnostics = inspect(path)
    if rules is not None:
        folders = [*{folder / "locales": None for folder in rules.folders}]
        game = rules.game(rules.model.players[0])
        diagnostics += tuple(missing_text_warnings(game, [folder for folder in folders if folder.is_dir()]))
        diagnostics += tuple(fault for folder in folders for fault in faults_of([game], folder))
        diagnostics += (*case_faults(path, rules, lambda: False), *lesson_check.faults(rules))
        diagnostics += tuple(example_faults(examples(rules, Translator.load("en"))))
    if rules is None or diagnostics:
        return list(diagnostics)
    return faults_of_random_play(rules)


@pytest.fixture(autouse=True)
def _short_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "MAX_DECISIONS", 200)


@pytest.mark.parametrize("code", CODES)
def test_example(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rewrite_goldens: bool) -> None:
    if code in ELSEWHERE:
        monkeypatch.chdir(tmp_path)
        shown = ELSEWHERE[code](Path())
    else:
        path = example_path(code)
        assert path.exists(), f"there is no example of {code}"
        monkeypatch.chdir(EXAMPLES)
        shown = str(path.relative_to(EXAMPLES))
    diagnostics = diagnostics_of(shown)
    assert [d.code for d in diagnostics] == [code]
    golden = EXAMPLES / f"{code}.txt"
    text = render_text(diagnostics, Translator.load("en").say, width=100) + "\n"
    if rewrite_goldens:
        golden.write_text(text, encoding="utf-8")
    assert all(render_text(diagnostics, words.say) for words in OTHERS)
    assert golden.exists(), f"{golden.name} is missing: run with --rewrite-goldens"
    assert text == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("code", [code for code in CODES if code not in ELSEWHERE])
def test_counterpart_has_no_fault(code: str) -> None:
    path = example_path(code, good=True)
    assert path.exists(), f"there is no good counterpart of {code}"
    assert [d.code for d in diagnostics_of(str(path))] == []


def test_every_example_belongs_to_a_code() -> None:
    assert {path.name.split(".")[0] for path in EXAMPLES.iterdir() if not path.name.startswith("__")} == set(CODES)
