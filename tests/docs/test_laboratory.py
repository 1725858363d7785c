"""`docs/laboratory.md` covers all options of the command and all columns of its table."""

from __future__ import annotations

import re
from pathlib import Path

from wongar_dsl.cli.commands.lab.simulate import command
from wongar_dsl.lab.reports.build_report import MIN_GROUP_SIZE
from wongar_dsl.lab.reports.report_export import COLUMNS
from wongar_dsl.lab.simulation.runner import FIRST_CHECK, MIN_CUTOFF, PILOT
from wongar_dsl.nlg.words import Translator

PAGE = (Path(__file__).parents[2] / "docs" / "laboratory.md").read_text(encoding="utf-8")


def test_all_options_are_explained() -> None:
    options = {
        parameter.opts[0] for parameter in command(Translator.load("en")).params if parameter.opts[0].startswith("--")
    }
    # Options of all commands are explained elsewhere.
    elsewhere = {"--set", "--backend", "--format"}
    explained = set(re.findall(r"^\| `(--[a-z]+)", PAGE, re.MULTILINE))
    assert explained == options - elsewhere


def test_all_columns_are_named_in_order() -> None:
    listed = PAGE[PAGE.index("The columns are") :]
    listed = listed[: listed.index(". In `group`")]
    assert tuple(re.findall(r"`([a-z_]+)`", listed)) == COLUMNS


def test_page_states_the_numbers_of_the_program() -> None:
    assert f"the first {PILOT} games, and at least {MIN_CUTOFF:,}" in " ".join(PAGE.split())
    assert f"at least {MIN_GROUP_SIZE} players" in " ".join(PAGE.split())
    assert f"({FIRST_CHECK}, {2 * FIRST_CHECK}, " in PAGE
