"""A count of one appears in the text: as a digit, or as an article if the noun has a singular."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.command import LANGUAGES, Command
from tests.small_games import HEAD

ONE = r"(?i)\b(ein|eine|einen|een|un|uno|una|a|an|1)\b"
POINTS = {"de": "unkt", "nl": "punt", "it": "punt", "en": "point"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("verb", ["gains", "loses"])
def test_diff_states_a_count_of_one_point(wongar: Command, tmp_path: Path, language: str, verb: str) -> None:
    path = tmp_path / "one.rules"
    change = f"after turned_up in play\n    player(1) {verb} 1 points\n"
    path.write_text(f"variant one of goofspiel\n    source house rule\n{change}", encoding="utf-8")
    [changed] = [
        line for line in wongar("diff", "goofspiel", str(path), "--lang", language).out.splitlines()
        if line.startswith("+   ") and POINTS[language] in line
    ]  # fmt: skip
    assert re.search(rf"{ONE} \w*\W?\w*{POINTS[language]}", changed), changed


@pytest.mark.parametrize("language", LANGUAGES)
def test_noun_without_a_singular_gets_a_number(wongar: Command, tmp_path: Path, language: str) -> None:
    rules = HEAD + "score glory\nplay\n    player(1) gains 1 glory\n    end game\n"
    path, folder = tmp_path / "small.rules", tmp_path / "locales" / language
    path.write_text(rules + "winner p\n    most glory of p\n", encoding="utf-8")
    folder.mkdir(parents=True)
    gender = {"nl": "gender: het, ", "it": "gender: m, "}.get(language, "")
    entry = f"{gender}only: pl, pl: Xglories"
    text = f"games:\n  small:\n    glory: {{{entry}}}\n"
    (folder / "lexicon.yaml").write_text(text, encoding="utf-8")
    assert re.search("(1|one|één|un|uno) Xglories", wongar("rulebook", str(path), "--lang", language).out)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "deed", ["player(1) gains 1 glory", "player(1) loses 1 glory", "move 1 nugget from vein to sack"]
)
def test_identifier_without_a_translation_gets_a_number(
    wongar: Command, tmp_path: Path, language: str, deed: str
) -> None:
    zones = "enum ore = nugget\ntokens vein holds ore, seen by all\ntokens sack holds ore, seen by all\nscore glory\n"
    path = tmp_path / "small.rules"
    play = f"setup\n    fill vein with 2 nugget\nplay\n    {deed}\n    end game\n"
    rules = f"{HEAD}{zones}{play}winner p\n    most glory of p\n"
    path.write_text(rules, encoding="utf-8")
    assert re.search(r"\b1 (glory|nugget)", wongar("rulebook", str(path), "--lang", language).out)
