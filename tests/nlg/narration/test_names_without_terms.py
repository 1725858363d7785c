"""Names that a rulebook shows untranslated are reported, and no others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.nlg.prose.books import text_of_book
from wongar_dsl.engine.library import Rules, load
from wongar_dsl.nlg.narration.narrator import title
from wongar_dsl.nlg.translation import missing_text_warnings
from wongar_dsl.nlg.words import Translator

from .told import change, write_words

#: Names without a term in any language, one for each kind of thing.
VARIANT = """\
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
KINDS = {"qtitle", *(name.strip("():]") for name in NAMES)}


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Rules:
    folder = tmp_path_factory.mktemp("names")
    for language in ("de", "it", "nl"):
        write_words(folder, language=language)
    (folder / "qtitle.rules").write_text(change("nim", VARIANT).replace("changed", "qtitle"), encoding="utf-8")
    return load(folder / "qtitle.rules")


def reported_names(rules: Rules) -> set[str]:
    roots = [folder / "locales" for folder in rules.folders if (folder / "locales").is_dir()]
    diagnostics = missing_text_warnings(rules.game(2, backend="reference"), roots)
    return {str(d.arguments["name"]).rpartition("/")[2] for d in diagnostics if d.code == "R0501"}


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", ["Qdeck kommt in qpile, das danach gemischt wird.", "den obersten qcards von qpile als sein qhand"]),
        ("en", ["Qdeck goes into qpile, which is then shuffled.", "the top qcards of qpile as their qhand"]),
        ("it", ["Qdeck va in qpile, che poi viene mischiato.", "il primo qcards di qpile come il suo qhand"]),
        ("nl", ["Qdeck komt in qpile, dat daarna geschud wordt.", "de bovenste qcards van qpile als zijn qhand"]),
    ],
)
def test_untranslated_names_in_a_rulebook_are_reported_and_its_sentences_are_complete(
    language: str, said: list[str], rules: Rules
) -> None:
    """Pronouns work for such names, and omitted words leave no double spaces."""
    words = Translator.load(language)
    lines = [title(words, rules.name), *text_of_book(rules.model, language).splitlines()]
    text = "\n".join(lines)
    shown = {name for name in KINDS if name.replace("_", " ").casefold() in text.casefold()}
    assert {"qtitle", "qoption", "qtable", "qmeasure", "qvalue", "qkept"} <= shown
    assert shown - reported_names(rules) == set()
    assert [sentence for sentence in said if sentence not in text] == []
    sentences = [line for line in lines if line.endswith((".", ":", "]"))]
    assert sentences
    assert [line for line in sentences if re.search(r"\S ( +\S|[,.;:]( |$))", line)] == []


def test_names_not_shown_are_not_reported(rules: Rules) -> None:
    assert reported_names(rules) & {"qhidden", "qrule"} == set()


def test_title_equal_to_another_word_needs_its_own_term(tmp_path: Path) -> None:
    path = tmp_path / "match.rules"
    path.write_text("variant match of nim\n    source house rule\n", encoding="utf-8")
    assert "match" in reported_names(load(path))
