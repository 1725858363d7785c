"""Options that are currently unavailable: the answer gives the reason instead of `not understood`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import Command
from tests.session.test_unavailable_options import LIMITED
from tests.small_games import write_rules
from wongar_dsl.engine.library import load
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.words import Translator
from wongar_dsl.session.options.unavailable_options import unavailable_moves


def test_words_for_an_unavailable_option_are_understood() -> None:
    state, _ = load("tictactoe").game(2).start(1)
    state.apply(state.read("mark(b2)"))
    narrator = Narrator(state.game, Translator.load("en"), ("Anna", "Bert"))
    assert [error.text for error in unavailable_moves(state, narrator, "b2")] == ["mark(b2)"]
    for text in ("d4", "a1", "mark(b2)", ""):
        assert unavailable_moves(state, narrator, text) == []


@pytest.mark.parametrize(
    ("language", "word", "why"),
    [
        ("de", "schildkröte", "Im Schildkröten-Gebiet liegt keine aufgedeckte Karte."),
        ("de", "schilkröte", "Im Schildkröten-Gebiet liegt keine aufgedeckte Karte."),
        ("nl", "schildpad", "In het schildpaddengebied ligt geen open kaart."),
        ("it", "tartaruga", "Nell’area della tartaruga non si trova nessuna carta scoperta."),
        ("en", "turtle", "No face-up card lies in the turtle area."),
    ],
)
def test_answer_gives_the_reason_and_the_available_options(wongar: Command, language: str, word: str, why: str) -> None:
    seats = ("--seats", "human:Anna,random,random", "--seed", "2", "--lang", language)
    lines = [line.strip() for line in wongar("play", "wongar", *seats, answers=f"{word}\n").out.splitlines()]
    index = lines.index(why)
    assert "…" in lines[index + 1]
    assert lines[index + 1].count(",") >= 7


def test_help_names_options_removed_by_a_limit(wongar: Command, tmp_path: Path) -> None:
    rules = write_rules(tmp_path, LIMITED)
    arguments = ("play", str(rules), "--seats", "human,human", "--lang", "en")
    assert "Not possible now:" not in wongar(*arguments, answers="?\n").out
    output = wongar(*arguments, answers="place(hall)\nnap\n?\n").out
    why = output[output.index("Not possible now:") :].splitlines()[1]
    assert why.count("attic") == 1
    assert "If their crowned is less than 1" in why


@pytest.mark.parametrize(
    ("language", "why", "reason"),
    [
        ("de", "warum", "Die Spalte von a1 ist voll."),
        ("nl", "waarom", "De kolom van a1 is vol."),
        ("it", "perché", "La colonna di a1 è piena."),
        ("en", "why", "The column of a1 is full."),
    ],
)
def test_full_column_is_the_reason_whatever_words_name_it(
    wongar: Command, language: str, why: str, reason: str
) -> None:
    # The letter is an article in English, and a cell above the lowest one has the same words.
    typed = ("a", "a1", "a6", f"{why} a", f"{why} a6", f"{why} 1")
    answers = "\n".join(("a",) * 6 + typed) + "\n"
    output = wongar("play", "connect_four", "--seats", "human,human", "--lang", language, answers=answers).out
    # The answer to each line follows it.
    replies = output.split("\n> ")[-len(typed) - 1 : -1]
    assert [(reply.partition("\n")[0], reply.count(reason)) for reply in replies] == [(named, 1) for named in typed]


@pytest.mark.parametrize("column", "bcdefg")
def test_letter_of_a_full_column_never_begins_words_of_another_option(wongar: Command, column: str) -> None:
    answers = f"{column}\n" * 7
    output = wongar("play", "connect_four", "--seats", "human,human", "--lang", "en", answers=answers).out
    assert f"The column of {column}1 is full." in output


@pytest.mark.parametrize(
    ("language", "typed", "reason"),
    [
        ("de", "5 haufen c", "Auf Haufen C liegen nur 3 Streichhölzer."),
        ("nl", "5 hoop c", "In hoop C liggen maar 3 lucifers."),
        ("it", "5 mucchio c", "Nel mucchio C si trovano solo 3 fiammiferi."),
        ("en", "5 heap c", "There are only 3 matches in heap C."),
        ("en", "2 a", "There is only one match in heap A."),
    ],
)
def test_number_beyond_what_is_left_is_explained(wongar: Command, language: str, typed: str, reason: str) -> None:
    output = wongar("play", "nim", "--seats", "human,human", "--lang", language, answers=f"{typed}\n").out
    assert reason in output


def test_reason_of_an_empty_range_is_found_by_words_and_by_the_number_that_the_option_had(wongar: Command) -> None:
    for named in ("heap a", "1 heap a", "why a", "why 1"):
        output = wongar("play", "nim", "--seats", "human,human", "--lang", "en", answers=f"1\n{named}\n").out
        assert "Heap A is empty." in output, named


def test_every_range_that_a_number_exceeds_is_named(wongar: Command) -> None:
    output = wongar("play", "nim", "--seats", "human,human", "--lang", "en", answers="5 matches\n").out
    assert "only one match in heap A. There are only 2 matches in heap B. There are only 3 matches in heap C." in output
