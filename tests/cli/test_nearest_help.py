"""Help for unrecognised input: the reason why an option is missing, and the command that was meant."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.command import LANGUAGES, Command
from tests.small_games import write_rules
from wongar_dsl.cli.play.help import NAMES, TAKING
from wongar_dsl.nlg.words import Translator

GAME = ("play", "wongar", "--seats", "human:Anna,random,random", "--seed", "2", "--lang")
WHY = {"de": "warum", "nl": "waarom", "it": "perché", "en": "why"}
CLOSED = {
    "de": ("schildkröte", "Im Schildkröten-Gebiet liegt keine aufgedeckte Karte."),
    "nl": ("schildpad", "In het schildpaddengebied ligt geen open kaart."),
    "it": ("tartaruga", "Nell’area della tartaruga non si trova nessuna carta scoperta."),
    "en": ("turtle", "No face-up card lies in the turtle area."),
}


def replies(wongar: Command, language: str, *answers: str) -> list[str]:
    """Return the output after each answer."""
    out = wongar(*GAME, language, answers="".join(f"{answer}\n" for answer in answers)).out
    return [part.partition("\n")[2] for part in out.split("\n> ")[1:]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_why_accepts_words_number_and_notation(wongar: Command, language: str) -> None:
    word, reason = CLOSED[language]
    typed = [f"{why} {option}" for option in (word, "7", "take(turtle)") for why in (WHY[language], "why")]
    for text, reply in zip(typed, replies(wongar, language, *typed)[: len(typed)], strict=True):
        assert reason in reply, text


@pytest.mark.parametrize("language", LANGUAGES)
def test_why_explains_available_options_and_mentions_help(wongar: Command, language: str) -> None:
    explained, help_text, alone, nothing = replies(
        wongar, language, f"{WHY[language]} 4", "? 4", WHY[language], "why 99"
    )[:4]
    assert explained == help_text
    assert "? 3" in alone
    assert "take(" not in alone
    assert nothing.count("\n") <= 1
    assert "?" in nothing


MISSPELT = [
    ("de", "passe", ""), ("de", "erkläre 4", "„hilfe 4“"), ("de", "regeln Zeremonie", "„regeln“"),
    ("de", "vorhersage", "„vorschau“"), ("de", "speichre x.json", "„speichern x.json“"),
    ("nl", "uitleg 4", "“hulp 4”"), ("nl", "voorspelling", "“vooruitblik”"), ("nl", "bewaar", "“opslaan”"),
    ("nl", "verloop x", "“verslag x”"), ("it", "spiega 4", "«aiuto 4»"), ("it", "storia", "«cronaca»"),
    ("en", "explain 4", "“help 4”"), ("en", "history", "“log”"), ("en", "exit", "“quit”"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "typed", "meant"), MISSPELT)
def test_synonym_of_a_command_suggests_the_command(wongar: Command, language: str, typed: str, meant: str) -> None:
    assert meant in replies(wongar, language, typed)[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_synonyms_of_commands_are_unambiguous(language: str) -> None:
    words = Translator.load(language, strict=True)
    others = [word for name in NAMES for word in words.say(f"cli.command.{name}.near").split()]
    assert sorted(others) == sorted(set(others))
    assert not {words.say(f"cli.command.{name}") for name in NAMES} & set(others)
    assert set(NAMES) >= TAKING


PASSING = {"de": "passe", "nl": "pas", "it": "passo", "en": "skip"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_word_for_passing_suggests_the_option_without_effect(wongar: Command, language: str) -> None:
    game = ("play", "kuhn_poker", "--seats", "human:Anna,human:Bert", "--seed", "1", "--lang", language)
    out = wongar(*game, answers=f"{PASSING[language]}\n").out
    answer = out.split("\n> ")[1]
    assert re.search(r"\b1 \(", answer)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("wrong", ["x", "0", "-1", "2.5", "99999999"])
def test_log_command_refuses_invalid_line_counts(wongar: Command, language: str, wrong: str) -> None:
    refused, lines = replies(wongar, language, f"log {wrong}", "log 2")[:2]
    assert wrong in refused
    assert refused.strip().count("\n") == 0
    assert 2 <= len(lines.strip().splitlines()) <= 4


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", ["save", "case"])
def test_save_and_case_refuse_a_missing_folder(wongar: Command, language: str, command: str, tmp_path: Path) -> None:
    folder = tmp_path / "none" / "such"
    refused, saved = replies(wongar, language, f"{command} {folder / 'x'}", f"save {tmp_path / 'x.json'}")[:2]
    assert str(folder) in " ".join(refused.split()).replace(" ", "")
    assert not folder.parent.exists()
    assert (tmp_path / "x.json").is_file()
    assert str(tmp_path) in saved.replace("\n", "")


def test_puzzle_question_shows_no_notation(wongar: Command) -> None:
    seats = ("--seats", "human,random", "--seed", "1", "--lang", "en")
    out = wongar("play", "ubongo", *seats, answers="1\n").out
    assert "@ 31.5" in out
    assert "solve(" not in out


@pytest.mark.parametrize("language", ["de", "nl", "it", "en"])
@pytest.mark.parametrize("command", ["why", "log"])
def test_help_of_a_command_shows_what_to_type(language: str, command: str) -> None:
    """The example uses the name that the command has in this language."""
    words = Translator.load(language, strict=True)
    name, text = (words.say(f"cli.command.{command}{end}") for end in ("", ".does"))
    assert re.search(rf"\b{re.escape(name)} \d", text), text


@pytest.mark.parametrize("language", LANGUAGES)
def test_q_quits_and_saves(wongar: Command, language: str) -> None:
    result = wongar(*GAME, language, answers="q\n4\n")
    assert (result.code, result.out.split()[-2:]) == (0, ["wongar", "resume"])


def test_q_that_names_an_option_chooses_it(wongar: Command, tmp_path: Path) -> None:
    options = "q\n                p gains 1 points\n            wait\n                nothing"
    play = (
        f"score points\nplay\n    for each p in player\n        p chooses turn\n            {options}\n    end game\n"
    )
    path = write_rules(tmp_path, f"{play}winner p\n    most points of p\n")
    out = wongar("play", str(path), "--seats", "human:Ada,human:Bob", "--lang", "en", answers="q\nq\n").out
    assert out.count("gains one point") == 2, out
