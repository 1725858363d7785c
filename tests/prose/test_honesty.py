"""The rulebook does not lie: what a change of the rules changes in it, and what it may leave as it is.

Here only single changes of the games, and one small game whole; `make mutants ARGS=--words` tries them all.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.mutants import reading
from benchmarks.mutants.judging import changed
from benchmarks.mutants.naming import Naming, Version, strays
from benchmarks.mutants.reading import Heard, Reader, reader
from benchmarks.mutants.telling import told_apart
from wongar_dsl.library import load
from wongar_dsl.prose.likeness import likenesses
from wongar_dsl.words import Words

from .books import model, words

#: The readers of the games are made once.
pytestmark = pytest.mark.xdist_group("honesty")


def heard(name: str, line: str, what: str) -> Heard:
    """How the first mutant reads that changes this in a line that begins so."""
    found = reader(name)
    for number, mutant in enumerate(found.mutants):
        text = mutant.span.source.line(mutant.span.line).strip()
        if text.startswith(line) and mutant.what == what:
            one = found.hear(number)
            assert one is not None
            return one
    raise AssertionError(f"no mutant {what} of {line}")


@pytest.fixture(scope="module")
def connect_four() -> Reader:
    return reader("connect_four")


def test_every_mutant_of_a_game_reads_differently_or_has_a_reason_and_changes_only_what_names_it() -> None:
    report = reading.read("connect_four", sample=12, seed=2)
    assert report.games > 5
    assert report.same == []
    assert [line for one in report.heard for line in one.strays] == []


def test_what_reads_the_same_though_games_tell_it_apart_has_a_reason() -> None:
    report = reading.read("goofspiel", sample=16, seed=3)
    assert [pair for pair in told_apart(report, games=6) if not pair.why] == []


def test_two_mutants_that_read_the_same_and_are_not_are_found() -> None:
    whole, without = "if number of p in player", "best gains worth of prize"
    report = reading.Read("goofspiel", heard=[heard("goofspiel", line, "dropped") for line in (whole, without)])
    [pair] = told_apart(report, games=6)
    assert (whole in pair.one, without in pair.other) == (True, True)
    assert pair.why == "news: nothing is done that players need to know"


def test_a_line_that_names_nothing_of_what_was_changed_is_found(connect_four: Reader) -> None:
    rules = next(
        one
        for mutant in connect_four.mutants
        if mutant.what == "4 -> 5" and (one := changed(connect_four.rules, mutant)) is not None
    )
    lines, book = connect_four.pages.of(rules.model)
    nothing = Version(connect_four.naming, connect_four.lines, frozenset())
    naming = Naming(rules.model, book, connect_four.naming.words)
    assert strays(nothing, Version(naming, lines, frozenset()))


@pytest.mark.parametrize(
    ("name", "line", "what", "why"),
    [
        # The order of what only messages speak of.
        ("wongar", "set round to round + 1", "exchanged with the next", "news: only messages speak of it"),
        (
            "wongar",
            "let before = phase of scorpion",
            "exchanged with the next",
            "news: only what need not be said speaks of it",
        ),
        # What is taken from there must be there.
        ("wongar", "fetch(there: area", "where dropped", "implied: what is not there cannot be taken"),
    ],
)
def test_what_need_not_be_said_is_accounted_for(name: str, line: str, what: str, why: str) -> None:
    one = heard(name, line, what)
    assert one.same
    assert one.why == why


@pytest.mark.parametrize(
    ("name", "line", "what"),
    [
        # A message that says where a card comes from says its top card, not its bottom one.
        ("wongar", "move top of area_pile of here to taken of finder", "top -> bottom"),
        # What was drawn from one place does not lie in another one.
        ("goofspiel", "move next_prize from prizes", "prizes -> spent"),
        # A clock says from when to when it runs, and a sentence leaves out no other number than its own.
        ("ubongo", "p chooses trip by time from now", "now -> ending"),
        ("ubongo", "if in_time(time, ending)", "ending -> begin"),
        ("ubongo", "repeat while some q in player", "p -> q"),
    ],
)
def test_what_a_sentence_hid_is_said_in_every_language(name: str, line: str, what: str) -> None:
    one = heard(name, line, what)
    assert one.same == ()
    assert one.strays == ()


def test_that_not_every_one_is_so_is_not_that_every_one_is_not() -> None:
    found = reader("nim")
    turned = [mutant for mutant in found.mutants if mutant.what == "negated"]
    texts = {
        line.texts
        for mutant in turned
        if (one := changed(found.rules, mutant)) is not None
        for line in found.pages.of(one.model)[0]
        if "wins" in line.texts[-1] and "heap" in line.texts[-1]
    }
    assert sorted(text[-1].strip() for text in texts) == [
        "If a heap is not empty, the player wins the game.",
        "If every heap is not empty, the player wins the game.",
    ]


@pytest.mark.parametrize("name", ["wongar", "wongar/initiated", "tongiaki", "ubongo", "goofspiel", "connect_four"])
def test_no_two_things_are_called_by_the_same_words(name: str) -> None:
    assert list(likenesses(model(name), [words(language) for language in reading.LANGUAGES])) == []


ALIKE = """
game swaps
    players 2
    source house rule
board square
    grid 3 by 1
enum stone = black, white
tokens lying of each square holds stone, seen by all
play
    exchange(a1, b1)
    for each here in square
        fill lying[here] with 1 black
        for each there in square where there is not here
            fill lying[there] with 1 white
    player(1) wins
rule exchange(here: square, there: square)
    fill lying[here] with 1 black
    fill lying[there] with 1 white
"""


def test_two_things_that_are_called_by_the_same_words_are_found(tmp_path: Path) -> None:
    """Two parameters of one sort; but not a square and, where that is known, another one, which is *this* one then."""
    (tmp_path / "swaps.rules").write_text(ALIKE, encoding="utf-8")
    (tmp_path / "locales" / "en").mkdir(parents=True)
    lexicon = tmp_path / "locales" / "en" / "lexicon.yaml"
    lexicon.write_text("games:\n  swaps:\n    square: {like: s, stem: square}\n", encoding="utf-8")
    found = load(str(tmp_path / "swaps.rules")).model

    def alike() -> list[tuple[str, str, str]]:
        english = Words.load("en", [tmp_path / "locales"])
        return [(one.one, one.other, one.words) for one in likenesses(found, [english])]

    assert alike() == [("here", "there", "the square")]
    with lexicon.open("a", encoding="utf-8") as file:
        file.write("    exchange.there: {like: s, stem: neighbour}\n")
    assert alike() == []
