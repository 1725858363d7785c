"""Rulebooks as they are printed: goldens of every shipped game in every language, and that none ever fails.

One file a game and language, one sentence a line.  `pytest tests/prose --rewrite-goldens` writes them anew; look at
what changed before you keep it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from wongar_dsl.library import load
from wongar_dsl.prose.account import Why
from wongar_dsl.prose.markdown import escaped, markdown
from wongar_dsl.prose.outline import left_over, rulebook
from wongar_dsl.prose.plain import GUTTER, plain
from wongar_dsl.prose.reading import Reading
from wongar_dsl.text.width import folded, width

from .books import LANGUAGES, book, lost, model, reading, words

ROOT = Path(__file__).resolve().parents[1]
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
#: Rules of all sorts: with secrets, layouts, directions, calls that go on for ever, and conditions in conditions.
OTHERS = (
    *sorted((ROOT / "data").glob("*.rules")),
    *sorted((ROOT / "games" / "classics" / "extra").glob("*.rules")),
    ROOT / "attacks" / "files" / "exp_rule2.rules",
    ROOT / "attacks" / "files" / "nest_for21b.rules",
    *sorted((ROOT / "variants").rglob("*.rules")),
)


@pytest.mark.parametrize("name", GAMES)
def test_rulebooks_read_as_they_did(name: str, rewriting: bool) -> None:
    for language in LANGUAGES:
        golden = GOLDENS / f"{name.replace('/', '_').replace('+', '_')}.{language}.txt"
        text = "".join(f"{line.text}\n" for line in plain(reading(name, language)))
        if rewriting:
            golden.parent.mkdir(exist_ok=True)
            golden.write_text(text, encoding="utf-8")
        assert text == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [*GAMES, "ubongo/hard", "ubongo/long"])
def test_every_node_of_the_rules_is_said_or_has_a_reason(name: str) -> None:
    assert list(left_over(model(name), book(name))) == []
    assert all(why for fate, why in book(name).account.fates.values() if fate != "said")


def test_the_manual_explains_every_reason_why_something_is_not_said() -> None:
    text = (ROOT.parent / "docs" / "language" / "messages_and_sources.md").read_text(encoding="utf-8")
    table = text.partition("## What the rulebook leaves out")[2]
    explained = re.findall(r"^\| ([a-z][^|]+?) \|", table, re.MULTILINE)
    assert sorted(explained) == sorted(why for why in get_args(Why) if why)


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: path.stem)
def test_no_part_of_any_rules_is_lost(path: Path) -> None:
    rules = load(path).model
    assert list(lost(rules, rulebook(rules, words("en")))) == []


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: path.stem)
def test_any_valid_rules_have_a_rulebook_in_a_language_of_their_own(path: Path) -> None:
    said = Reading(rulebook(load(path).model, words("it")), words("it"), path.stem)
    text = "\n".join([*(line.text for line in plain(said, 79)), *markdown(said)])
    # What lacks a sentence in the language is shown by the name of its message.
    assert "rulebook." not in text
    assert "prose." not in text


def test_no_line_of_a_table_is_wider_than_there_is_room() -> None:
    said = reading("wongar", "de")
    narrow, wide = ([one.text for one in plain(said, room) if GUTTER in one.text.strip()] for room in (79, None))
    assert narrow
    assert max(map(width, narrow)) <= 79 < max(map(width, wide))


def test_a_folded_line_keeps_the_spaces_that_it_begins_with() -> None:
    assert folded("  – one two", 8, "    ") == ["  – one", "    two"]


def test_nothing_in_a_text_is_a_sign_of_markdown() -> None:
    assert escaped("1. *a* | [b] <c>") == r"1\. \*a\* \| \[b\] \<c\>"
    assert escaped("- a_b") == r"\- a\_b"
