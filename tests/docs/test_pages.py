"""Statements of several pages in `docs/` are correct."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.render.pages.whole import page_faults, parse_page
from wongar_dsl.cli.declarations import COMMANDS
from wongar_dsl.cli.main import main
from wongar_dsl.engine import library
from wongar_dsl.engine.bots import BOTS, bot
from wongar_dsl.engine.bots.search import MctsBot
from wongar_dsl.engine.rule_cases.file import read
from wongar_dsl.lab import blunders, tournament
from wongar_dsl.lab.reports.report_data import MIN_GROUP_SIZE
from wongar_dsl.lab.reports.report_export import COLUMNS
from wongar_dsl.lab.runner import FIRST_CHECK, MIN_CUTOFF, PILOT
from wongar_dsl.language import ast as s
from wongar_dsl.nlg.words import Translator
from wongar_dsl.session import forecast
from wongar_dsl.session.seats import KINDS

BOTS_PAGE = (Path(__file__).parents[2] / "docs" / "bots.md").read_text(encoding="utf-8")


def test_page_names_all_bots_and_budgets() -> None:
    assert all(f"`{name}`" in BOTS_PAGE for name in KINDS if name != "human")
    levels = [bot(name) for name in ("easy", "medium", "hard")]
    budgets = [f"{level._budget.iterations:,}" for level in levels if isinstance(level, MctsBot)]
    assert f"that tries out {budgets[0]}, {budgets[1]} or {budgets[2]} games" in BOTS_PAGE
    assert set(BOTS) <= {name.removeprefix("bot:") for name in KINDS}


def test_page_states_the_limits_of_the_program() -> None:
    words = {3: "three", 4: "four", 6: "six"}
    assert f"up to {words[forecast.MAX_HINTS]} options" in BOTS_PAGE
    assert f"up to {words[blunders.MAX_TURNING_POINTS]} moments" in BOTS_PAGE
    assert f"{words[blunders.RECHECK_FACTOR]} times the iterations" in BOTS_PAGE
    assert f"more than {tournament.MAX_SEATINGS} orders" in BOTS_PAGE
    assert blunders.MIN_SWING == 0.1


PAGE_LABORATORY = (Path(__file__).parents[2] / "docs" / "laboratory.md").read_text(encoding="utf-8")


def test_all_options_are_explained() -> None:
    options = {
        parameter.opts[0]
        for parameter in COMMANDS["simulate"].build("simulate", Translator.load("en")).params
        if parameter.opts[0].startswith("--")
    }
    # Options of all commands are explained elsewhere.
    elsewhere = {"--set", "--backend", "--format"}
    explained = set(re.findall(r"^\| `(--[a-z]+)", PAGE_LABORATORY, re.MULTILINE))
    assert explained == options - elsewhere


def test_all_columns_are_named_in_order() -> None:
    listed = PAGE_LABORATORY[PAGE_LABORATORY.index("The columns are") :]
    listed = listed[: listed.index(". In `group`")]
    assert tuple(re.findall(r"`([a-z_]+)`", listed)) == COLUMNS


def test_page_states_the_numbers_of_the_program() -> None:
    assert f"the first {PILOT} games, and at least {MIN_CUTOFF:,}" in " ".join(PAGE_LABORATORY.split())
    assert f"at least {MIN_GROUP_SIZE} players" in " ".join(PAGE_LABORATORY.split())
    assert f"({FIRST_CHECK}, {2 * FIRST_CHECK}, " in PAGE_LABORATORY


REPORTS = Path(__file__).parents[2] / "docs" / "reports"
PAGE_REPORTS = REPORTS / "card_bonus.html"


def test_report_is_self_contained() -> None:
    assert page_faults(PAGE_REPORTS.read_text(encoding="utf-8")) == []


def test_report_answers_its_question() -> None:
    short = parse_page(PAGE_REPORTS.read_text(encoding="utf-8")).find(".//section[@id='short']")
    assert short is not None
    gists = ["".join(item.itertext()) for item in short.iter("li")]
    assert any("the starting player" in gist and gist.startswith(("The change", "There is no sign")) for gist in gists)


def test_report_names_its_rules() -> None:
    rules = library.load(REPORTS / "larger_bonus.rules")
    assert rules.name == "wongar/larger_bonus"
    assert rules.model.settings["cards_bonus"].start == library.load("wongar").model.settings["cards_bonus"].start + 2
    assert "wongar simulate wongar --vs larger_bonus.rules" in PAGE_REPORTS.read_text(encoding="utf-8")


ROOT = Path(__file__).resolve().parents[2]
PAGE_RULINGS = (ROOT / "docs" / "rulings.md").read_text(encoding="utf-8")
MARKS = {"inferred", "reconstruction"}
RULING = re.compile(r"[A-Z]\d+")


@cache
def rulings() -> dict[str, dict[str, set[str]]]:
    """Return the rulings of each rule file with their declarations."""
    by_file: dict[str, dict[str, set[str]]] = {}
    for section in PAGE_RULINGS.split("\n## ")[1:]:
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
