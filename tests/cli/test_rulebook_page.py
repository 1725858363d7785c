"""`wongar rulebook --format html`: a self-contained page, in every language."""

from __future__ import annotations

import os
import subprocess

import pytest

from tests.render.pages.whole import page_faults, parse_page

from .command import LANGUAGES, START, Command

TITLES = {"de": "Karten zum Ausschneiden", "nl": "Kaarten om uit te knippen", "it": "Carte da ritagliare"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_rulebook_page_is_self_contained_in_every_language(wongar: Command, language: str) -> None:
    result = wongar("rulebook", "kuhn_poker", "--format", "html", "--lang", language)
    assert result.code == 0
    assert page_faults(result.out) == []
    assert parse_page(result.out).get("lang") == language
    assert TITLES.get(language, "Cards to cut out") in result.out


def test_page_is_utf_8_on_an_ascii_terminal() -> None:
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    command = [*START, "rulebook", "kuhn_poker", "--format", "html", "--lang", "de"]
    done = subprocess.run(command, capture_output=True, env=environment, check=True)
    assert "für 2 Spieler" in done.stdout.decode()
