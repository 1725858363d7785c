"""`wongar rulebook`: text and Markdown, the player count, and errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from .command import LANGUAGES, Command

TITLES = {"de": "Spielmaterial", "nl": "Spelmateriaal", "it": "Materiale di gioco", "en": "Components"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_rulebook_is_printed_in_every_language(wongar: Command, language: str) -> None:
    result = wongar("rulebook", "nim", "--lang", language)
    assert result.code == 0
    lines = result.out.splitlines()
    assert lines[:2] == ["Nim", "==="]
    assert TITLES[language] in lines
    assert any("[1] C. L. Bouton" in line for line in lines)


def test_markdown_has_tables_and_all_footnotes(wongar: Command) -> None:
    out = wongar("rulebook", "kuhn_poker", "--format", "md", "--lang", "en").out
    assert "\n| --- | --- | --- | --- | --- |\n" in out
    assert out.count("[^1]: ") == 1
    assert "[^2]" not in out


def test_rulebook_can_be_restricted_to_a_player_count(wongar: Command) -> None:
    out = wongar("rulebook", "ubongo", "--players", "3", "--lang", "en").out
    assert "for 3 players" in out
    table = out[out.index("Boards that go back into the box") :].splitlines()
    assert table[1].split() == ["3", "players", "9"]
    assert table[2] == ""


def test_unsupported_player_count_is_refused(wongar: Command) -> None:
    result = wongar("rulebook", "wongar", "--players", "9", "--lang", "en")
    assert (result.code, result.out) == (2, "")
    assert "3 to 5 players" in result.err


def test_invalid_rules_have_no_rulebook(wongar: Command, tmp_path: Path) -> None:
    path = tmp_path / "broken.rules"
    path.write_text("game broken\n    players 2\n    source house rule\n\nplay\n    end gaem\n", encoding="utf-8")
    result = wongar("rulebook", str(path), "--lang", "en")
    assert (result.code, result.out) == (1, "")
    assert "broken.rules" in result.err


def test_rulebook_without_words_uses_identifiers(wongar: Command, tmp_path: Path) -> None:
    path = tmp_path / "bare.rules"
    path.write_text(
        "game bare\n    players 2\n    source house rule\n\ncards tile\n    blue_one\n\n"
        "deck all_tiles of tile total 2\n    2 blue_one\n\nheap bin holds tile\n\n"
        "setup\n    fill bin with all_tiles\n\nplay\n    nobody wins\n",
        encoding="utf-8",
    )
    result = wongar("rulebook", str(path), "--lang", "de")
    assert result.code == 0
    assert "2 blue one" in " ".join(result.out.split())
