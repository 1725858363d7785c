"""How often the lines came up that only the changed rules have."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import LANGUAGES
from tests.reports import played
from tests.small_games import HEAD, written
from wongar_dsl import reports
from wongar_dsl.reports.document import Chapter
from wongar_dsl.words import Words

BASE = """
remember laps: number 0 to 99 = 0
play
    repeat 4 times
        walk()
    nobody wins
rule walk()
    player(1) chooses pace
        stay
            nothing
        go
            set laps to laps + 1
"""
#: The shared line is in both files: that of the variant is new all the same.
VARIANT = """variant changed of small
    source house rule
before rule walk
    if laps > 1
        set laps to laps + 1
    if laps > 90
        set laps to 0
"""


def new_in(folder: Path, changed: str, language: str = "en") -> Chapter | None:
    """The chapter on the lines that only the changed rules have, of 60 games of each."""
    other = folder / "changed.rules"
    other.write_text(changed, encoding="utf-8")
    report, games = played.simulated([(str(written(folder, BASE)), {}), (str(other), {})], 2, 60)
    chapters = reports.document(report, games, Words.load(language)).chapters
    return next((chapter for chapter in chapters if chapter.key == "new"), None)


def test_each_new_line_has_its_share_of_the_games_the_rarest_first(tmp_path: Path) -> None:
    found = new_in(tmp_path, VARIANT)
    assert found is not None
    told = [line.partition("): ")[2].partition("% ")[0] for line in found.listed]
    lines, shares = zip(*(line.split(" in ") for line in told), strict=True)
    assert lines == ("line 7", "line 5", "line 4", "line 6")
    assert shares[0] == "0"
    assert 0 < float(shares[1]) < 100
    assert set(shares[2:]) == {"100"}
    assert "1 new line never came up." in found.gist


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_rare_line_is_said_to_hardly_show_in_the_other_figures(tmp_path: Path, language: str) -> None:
    rare = new_in(tmp_path, VARIANT, language)
    assert rare is not None
    assert len(rare.sentences) == 1
    often = new_in(tmp_path, VARIANT.partition("    if laps > 90")[0].replace("> 1", ">= 0"), language)
    assert often is not None
    assert (len(often.gist), often.sentences, often.listed) == (1, (), ())


def test_rules_without_a_line_of_their_own_have_no_such_chapter(tmp_path: Path) -> None:
    assert new_in(tmp_path, HEAD.replace("small", "changed") + BASE) is None


def test_a_copy_with_changed_lines_has_those_alone(tmp_path: Path) -> None:
    copy = HEAD.replace("small", "changed") + BASE.replace("laps + 1", "laps + 2").replace("nothing", "set laps to 0")
    found = new_in(tmp_path, copy)
    assert found is not None
    assert sorted(line.partition("): ")[2].partition(" in ")[0] for line in found.listed) == ["line 13", "line 15"]
