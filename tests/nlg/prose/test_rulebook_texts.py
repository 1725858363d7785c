"""Golden texts of the rulebooks of all bundled games in all languages, and robustness for other rules.

One file per game and language, one sentence per line. `pytest tests/nlg/prose --rewrite-goldens` rewrites them; review
the changes before committing.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from wongar_dsl.base.text.width import fold, width
from wongar_dsl.nlg.prose.document.outline import rulebook, unreported
from wongar_dsl.nlg.prose.render.markdown import escaped, markdown
from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook
from wongar_dsl.nlg.prose.render.render_text import GUTTER, render_text
from wongar_dsl.nlg.prose.verbalisation_log import Why

from .books import LANGUAGES, book, model, reading, rules_in, text_of_game, unverbalised_nodes, words

ROOT = Path(__file__).resolve().parents[2]
GOLDENS = Path(__file__).with_name("rulebooks")
GAMES = (
    "wongar",
    "wongar/initiated",
    "tongiaki",
    "ubongo",
    "ubongo+hard+long",
    "connect_four",
    "goofspiel",
    "kuhn_poker",
    "nim",
    "tictactoe",
)
#: Various rules: hidden zones, layouts, directions, unbounded recursion and nested conditions.
OTHERS = (
    *sorted((ROOT / "data").glob("*.rules")),
    *sorted((ROOT / "games" / "classics" / "extra").glob("*.rules")),
    ROOT / "attacks" / "files" / "exp_rule2.rules",
    ROOT / "attacks" / "files" / "nest_for21b.rules",
    *sorted((ROOT / "language" / "variants").rglob("*.rules")),
)


@pytest.mark.parametrize("name", GAMES)
def test_rulebooks_match_the_goldens(name: str, rewrite_goldens: bool) -> None:
    for language in LANGUAGES:
        golden = GOLDENS / f"{name.replace('/', '_').replace('+', '_')}.{language}.txt"
        text = text_of_game(name, language)
        if rewrite_goldens:
            golden.parent.mkdir(exist_ok=True)
            golden.write_text(text, encoding="utf-8")
        assert text == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [*GAMES, "ubongo/hard", "ubongo/long"])
def test_all_nodes_are_verbalised_or_have_a_reason(name: str) -> None:
    assert list(unreported(model(name), book(name))) == []
    assert all(why for fate, why in book(name).log.fates.values() if fate != "said")


def test_manual_explains_all_reasons_for_omissions() -> None:
    text = (ROOT.parent / "docs" / "language" / "messages_and_sources.md").read_text(encoding="utf-8")
    table = text.partition("## What the rulebook leaves out")[2]
    explained = re.findall(r"^\| ([a-z][^|]+?) \|", table, re.MULTILINE)
    assert sorted(explained) == sorted(why for why in get_args(Why) if why)


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: path.stem)
def test_no_nodes_of_other_rules_are_lost(path: Path) -> None:
    rules = rules_in(path)
    assert list(unverbalised_nodes(rules, rulebook(rules, words("en")))) == []


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: path.stem)
def test_other_rules_have_a_rulebook_in_italian(path: Path) -> None:
    document = RealisedRulebook(rulebook(rules_in(path), words("it")), words("it"), path.stem)
    text = "\n".join([*(line.text for line in render_text(document, 79)), *markdown(document)])
    # A message missing in the language would appear as its id.
    assert "rulebook." not in text
    assert "prose." not in text


def test_tables_fit_into_the_available_width() -> None:
    document = reading("wongar", "de")
    narrow, wide = (
        [line.text for line in render_text(document, room) if GUTTER in line.text.strip()] for room in (79, None)
    )
    assert narrow
    assert max(map(width, narrow)) <= 79 < max(map(width, wide))


def test_wrapped_line_keeps_its_indentation() -> None:
    assert fold("  – one two", 8, "    ") == ["  – one", "    two"]


def test_markdown_characters_are_escaped() -> None:
    assert escaped("1. *a* | [b] <c>") == r"1\. \*a\* \| \[b\] \<c\>"
    assert escaped("- a_b") == r"\- a\_b"
