"""`wongar rulebook --format html`: a page that is a file of its own, in every language."""

from __future__ import annotations

import os
import subprocess

import pytest

from tests.pages.whole import page_faults, parse_page

from .command import LANGUAGES, START, Command

TITLES = {"de": "Karten zum Ausschneiden", "nl": "Kaarten om uit te knippen", "it": "Carte da ritagliare"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_of_a_rulebook_is_whole_in_every_language(wongar: Command, language: str) -> None:
    result = wongar("rulebook", "kuhn_poker", "--format", "html", "--lang", language)
    assert result.code == 0
    assert page_faults(result.out) == []
    assert parse_page(result.out).get("lang") == language
    assert TITLES.get(language, "Cards to cut out") in result.out


def test_a_page_is_utf_8_whatever_the_terminal_writes() -> None:
    surroundings = os.environ | {"PYTHONIOENCODING": "ascii"}
    command = [*START, "rulebook", "kuhn_poker", "--format", "html", "--lang", "de"]
    done = subprocess.run(command, capture_output=True, env=surroundings, check=True)
    assert "für 2 Spieler" in done.stdout.decode()
