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
from wongar_dsl.session.options.unavailable_options import unavailable_move


def test_words_for_an_unavailable_option_are_understood() -> None:
    state, _ = load("tictactoe").game(2).start(1)
    state.apply(state.read("mark(b2)"))
    narrator = Narrator(state.game, Translator.load("en"), ("Anna", "Bert"))
    move = unavailable_move(state, narrator, "b2")
    assert move is not None
    assert state.write(move) == "mark(b2)"
    assert unavailable_move(state, narrator, "d4") is None
    assert unavailable_move(state, narrator, "a1") is None
    assert unavailable_move(state, narrator, "mark(b2)") is None
    assert unavailable_move(state, narrator, "") is None


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
