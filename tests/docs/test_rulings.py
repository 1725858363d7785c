"""`docs/rulings.md` lists exactly the declarations marked as rulings or reconstructions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from wongar_dsl.engine import library
from wongar_dsl.engine.rule_cases.file import read
from wongar_dsl.language import ast as s

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "rulings.md").read_text(encoding="utf-8")
MARKS = {"inferred", "reconstruction"}
RULING = re.compile(r"[A-Z]\d+")


@cache
def rulings() -> dict[str, dict[str, set[str]]]:
    """Return the rulings of each rule file with their declarations."""
    by_file: dict[str, dict[str, set[str]]] = {}
    for section in PAGE.split("\n## ")[1:]:
        file, _, text = section.partition("\n")
        rows = [row.strip("|").split("|") for row in text.splitlines() if RULING.match(row.strip("| "))]
        by_file[file] = {name.strip(): set(re.findall(r"`(.+?)`", articles)) for name, _, articles in rows}
    return by_file


def declarations(file: str) -> Iterator[tuple[str, bool]]:
    """Yield each declaration of a rule file with its name on the page, and whether it is marked."""
    rules = library.load(file.removesuffix(".rules") if "initiated" in file else file.split("/")[0])
    for article in rules.model.merged.articles:
        if article.span.source.name.endswith(file):
            yield " ".join(s.key_of(article)).strip(), bool({source.kind for source in article.sources} & MARKS)


@pytest.mark.parametrize("file", sorted(rulings()))
def test_rulings_match_the_marked_declarations(file: str) -> None:
    named = set().union(*rulings()[file].values())
    assert named == {name for name, mark in declarations(file) if mark}


@pytest.mark.parametrize("game", sorted({file.split("/")[0] for file in rulings()}))
def test_rulings_covered_by_cases_are_listed(game: str) -> None:
    listed = {name for file, rows in rulings().items() if file.startswith(f"{game}/") for name in rows}
    cases = [case for path in (ROOT / "rules" / game).glob("*.cases.yaml") for case in read(path).cases]
    covered = {name for case in cases for name in case.covers if RULING.fullmatch(name)}
    assert covered
    assert covered - listed == set()
