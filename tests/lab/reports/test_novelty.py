"""Coverage of the lines that only the changed rules have."""

from __future__ import annotations

from pathlib import Path

from tests.cli.command import LANGUAGES
from tests.lab.reports import played
from tests.small_games import HEAD, write_rules
from wongar_dsl.lab import reports
from wongar_dsl.lab.reports.document import Chapter
from wongar_dsl.nlg.words import Translator

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
#: One line has the same text in both files; that of the variant still counts as new.
VARIANT = """variant changed of small
    source house rule
before rule walk
    if laps > 1
        set laps to laps + 1
    if laps > 90
        set laps to 0
"""


def new_lines_chapter(folder: Path, changed: str, *languages: str) -> list[Chapter | None]:
    """Return the chapter on new lines, from 60 games of each set of rules, or None, in some languages."""
    path = folder / "changed.rules"
    path.write_text(changed, encoding="utf-8")
    report, games = played.simulated([(str(write_rules(folder, BASE)), {}), (str(path), {})], 2, 60)
    documents = (reports.build_document(report, games, Translator.load(language)) for language in languages or ("en",))
    return [next((chapter for chapter in document.chapters if chapter.key == "new"), None) for document in documents]


def test_new_lines_are_listed_with_the_rarest_first(tmp_path: Path) -> None:
    [chapter] = new_lines_chapter(tmp_path, VARIANT)
    assert chapter is not None
    entries = [line.partition("): ")[2].partition("% ")[0] for line in chapter.listed]
    lines, shares = zip(*(line.split(" in ") for line in entries), strict=True)
    assert lines == ("line 7", "line 5", "line 4", "line 6")
    assert shares[0] == "0"
    assert 0 < float(shares[1]) < 100
    assert set(shares[2:]) == {"100"}
    assert "1 new line never came up." in chapter.gist


def test_rarely_executed_lines_have_a_warning(tmp_path: Path) -> None:
    often = VARIANT.partition("    if laps > 90")[0].replace("> 1", ">= 0")
    for chapter in new_lines_chapter(tmp_path, VARIANT, *LANGUAGES):
        assert chapter is not None
        assert len(chapter.sentences) == 1
    for chapter in new_lines_chapter(tmp_path, often, *LANGUAGES):
        assert chapter is not None
        assert (len(chapter.gist), chapter.sentences, chapter.listed) == (1, (), ())


def test_rules_without_new_lines_have_no_chapter(tmp_path: Path) -> None:
    assert new_lines_chapter(tmp_path, HEAD.replace("small", "changed") + BASE) == [None]


def test_changed_lines_of_a_copy_are_new(tmp_path: Path) -> None:
    copy = HEAD.replace("small", "changed") + BASE.replace("laps + 1", "laps + 2").replace("nothing", "set laps to 0")
    [chapter] = new_lines_chapter(tmp_path, copy)
    assert chapter is not None
    assert sorted(line.partition("): ")[2].partition(" in ")[0] for line in chapter.listed) == ["line 13", "line 15"]
