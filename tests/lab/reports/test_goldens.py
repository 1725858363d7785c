"""Golden texts of reports on fixed simulations; `--rewrite-goldens` rewrites them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lab.reports import played
from wongar_dsl.lab import reports

GOLDENS = Path(__file__).parent / "goldens"
#: Usual width of a terminal.
WIDTH = 79


def compare(path: Path, text: str, rewrite_goldens: bool) -> None:
    """Assert that the text equals its golden file."""
    if rewrite_goldens:
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("language", played.LANGUAGES)
@pytest.mark.parametrize("sort", sorted(played.ALL))
def test_terminal_reports_match_the_goldens(sort: str, language: str, rewrite_goldens: bool) -> None:
    lines = reports.lines(played.document_of(sort, language), played.words_of(language), WIDTH)
    compare(GOLDENS / f"{sort}.{language}.txt", "".join(f"{line}\n" for _, line in lines), rewrite_goldens)


@pytest.mark.parametrize("language", played.LANGUAGES)
def test_report_pages_match_the_goldens(language: str, rewrite_goldens: bool) -> None:
    text = reports.html_page(played.document_of("small", language), played.words_of(language))
    compare(GOLDENS / f"small.{language}.html", text, rewrite_goldens)
