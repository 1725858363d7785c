"""Every name that a rulebook shows as it stands in the rules is reported, and no other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from wongar_dsl.library import inspect
from wongar_dsl.narration.narrator import title
from wongar_dsl.narration.untranslated import uncovered
from wongar_dsl.prose.outline import rulebook
from wongar_dsl.prose.plain import plain
from wongar_dsl.prose.reading import Reading
from wongar_dsl.words import Words

#: Names that no language knows, each for another kind of thing.
VARIANT = """\
variant qtitle of nim
    source house rule

option qoption = 2 in 0 to 5
enum qsort = qvalue, qother
remember qkept: number 0 to 20 = 0
remember qhidden: number 0 to 20 = 0, seen by nobody
define qmeasure(h: stack) = size of matches of h + qoption
table qtable
    qvalue 1
    qother 2
score qpoints
tokens qplace holds qsort, seen by all
track qtrack
    qvalue 2 spaces
    qother 3 spaces
board qboard
    row qnorth qsouth
    qnorth touches qsouth
    qsouth touches qnorth
figure qfigure on qboard
cards qcards
    qcard
    qother_card
deck qdeck of qcards total 3
    2 qcard, 1 qother_card
pile qpile holds qcards, seen as a number
slot qhand of each player holds qcards, seen by owner
rule qrule()
    advance qtrack by 1
    fill qplace with qkept qvalue
after setup
    fill qpile with qdeck
    shuffle qpile quietly
    for each p in player
        move top of qpile to qhand of p quietly
    set place of qfigure to qnorth
before play
    if qmeasure(heap_a) > qtable[qvalue]
        set qkept to qkept + 1
        set qhidden to qkept
        qrule()
"""
NAMES = {word for word in VARIANT.replace("(", " ").replace(",", " ").replace("[", " ").split() if word.startswith("q")}
KINDS = {name.strip("():]") for name in NAMES}


def read(path: Path, language: str) -> tuple[set[str], str]:
    """The names that are reported to have no term, and the rulebook as a text."""
    rules, _ = inspect(str(path))
    assert rules is not None
    game = rules.game(2)
    found = uncovered(game, [folder / "locales" for folder in rules.folders if (folder / "locales").is_dir()])
    reported = {str(d.arguments["name"]).rpartition("/")[2] for d in found if d.code == "R0501"}
    words = Words.load(language)
    reading = Reading(rulebook(rules.model, words), words, title(words, rules.name))
    return reported, "\n".join([reading.title, *(paragraph.text for paragraph in plain(reading))])


@pytest.mark.parametrize("language", ["de", "en", "it", "nl"])
def test_a_name_that_a_rulebook_shows_bare_is_reported(language: str, tmp_path: Path) -> None:
    path = tmp_path / "qtitle.rules"
    path.write_text(VARIANT, encoding="utf-8")
    for written in ("de", "it", "nl"):
        (tmp_path / "locales" / written).mkdir(parents=True)
    reported, text = read(path, language)
    shown = {name for name in KINDS if name.replace("_", " ").casefold() in text.casefold()}
    assert {"qtitle", "qoption", "qtable", "qmeasure", "qvalue", "qkept"} <= shown
    assert shown - reported == set()


def test_a_name_that_nothing_shows_is_not_reported(tmp_path: Path) -> None:
    path = tmp_path / "qtitle.rules"
    path.write_text(VARIANT, encoding="utf-8")
    reported, _ = read(path, "en")
    assert reported & {"qhidden", "qrule"} == set()


def test_a_title_that_is_a_word_of_something_else_needs_a_term_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "match.rules"
    path.write_text("variant match of nim\n    source house rule\n", encoding="utf-8")
    assert "match" in read(path, "en")[0]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", ["Qdeck kommt in qpile, das danach gemischt wird.", "von qpile als sein qhand"]),
        ("en", ["Qdeck goes into qpile, which is then shuffled.", "of qpile as their qhand"]),
        ("it", ["Qdeck va in qpile, che poi viene mischiato.", "di qpile come qhand"]),
        ("nl", ["Qdeck komt in qpile, dat daarna geschud wordt.", "van qpile als zijn qhand"]),
    ],
)
def test_sentences_about_names_without_terms_are_whole(language: str, said: list[str], tmp_path: Path) -> None:
    """A pronoun stands for a name too, and nothing that is left out leaves its space behind."""
    path = tmp_path / "qtitle.rules"
    path.write_text(VARIANT, encoding="utf-8")
    _, text = read(path, language)
    for sentence in said:
        assert sentence in text
    sentences = [line for line in text.splitlines() if line.endswith((".", ":", "]"))]
    holes = [line for line in sentences if re.search(r"\S ( +\S|[,.;:]( |$))", line)]
    assert sentences
    assert holes == []
