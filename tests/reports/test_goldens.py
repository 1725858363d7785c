"""Reports of fixed simulations, word for word: `--rewrite-goldens` writes them anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reports import played
from wongar_dsl import reports

GOLDENS = Path(__file__).parent / "goldens"
#: As wide as a terminal is as a rule.
WIDTH = 79


def compare(path: Path, text: str, rewriting: bool) -> None:
    """Hold a text against the one that was read before."""
    if rewriting:
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("language", played.LANGUAGES)
@pytest.mark.parametrize("sort", sorted(played.ALL))
def test_a_report_at_the_terminal_is_as_it_was_read_before(sort: str, language: str, rewriting: bool) -> None:
    lines = reports.lines(played.document_of(sort, language), played.words_of(language), WIDTH)
    compare(GOLDENS / f"{sort}.{language}.txt", "".join(f"{line}\n" for _, line in lines), rewriting)


@pytest.mark.parametrize("language", played.LANGUAGES)
def test_a_page_is_as_it_was_looked_at_before(language: str, rewriting: bool) -> None:
    text = reports.page(played.document_of("small", language), played.words_of(language))
    compare(GOLDENS / f"small.{language}.html", text, rewriting)
