"""Links between pages lead somewhere, and the page about the architecture shows real output."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from wongar_dsl.cli.main import main

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "editors").glob("*.md"),
                *(ROOT / "examples").rglob("*.md"), ROOT / "wongar_dsl" / "README.md"])  # fmt: skip
LINK = re.compile(r"\[[^\]\[]*\]\(([^)\s]+)\)")


def prose(page: Path) -> str:
    """Return the text of a page without code."""
    return re.sub(r"^(`{3,}).*?^\1`*$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)


def anchors(page: Path) -> set[str]:
    """Return the anchors of the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", prose(page), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(prose(page)):
        if re.match(r"\w+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = page.parent / name if name else page
        assert file.exists(), target
        if anchor and file.suffix == ".md":
            assert anchor in anchors(file), target


def test_the_page_about_the_architecture_shows_real_output(capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    block = re.search(r"```\n\$ wongar (explain --pipeline .*)\n((?:.*\n)*?)…\n```", text)
    assert block is not None
    assert main(block[1].split()) == 0
    assert capsys.readouterr().out.startswith(block[2])
