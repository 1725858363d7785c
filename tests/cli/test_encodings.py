"""Terminals that lack some characters: the output stays readable."""

from __future__ import annotations

import pytest

from tests.cli.command import Command
from wongar_dsl.base.text.transliteration import SIGNS, transliterate
from wongar_dsl.nlg.words import Translator, available

ASCII = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}

GERMAN = {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Über größere Äste", "Ueber groessere Aeste"),
        ("„Känguru“ – «emù» …", '"Kaenguru" - "emu" ...'),
        ("┌─┬┐ │ ├┼┤ ╔═╗", "+-++ | +++ +-+"),
        ("1º, 3ª, 50\u00a0%, −2 × 3", "1o, 3a, 50 %, -2 x 3"),
        ("▸ ● ■ ▮ ♟ → ✓ █░", "> o # | @ -> v #-"),
        ("Łódź, Søren, Þór, Ærø", "Lodz, Soren, Thor, AEro"),
        ("e\u0301\u200b", "e"),
        ("区", "\\u533a"),
        ("plain?", "plain?"),
    ],
)
def test_ascii_transliteration_is_readable(text: str, expected: str) -> None:
    assert transliterate(text, spellings=GERMAN) == expected


def test_encodable_characters_are_kept() -> None:
    assert transliterate("„Känguru“ …", "latin-1", GERMAN) == '"Känguru" ...'
    assert transliterate("„Känguru“ …", "utf-8", GERMAN) == "„Känguru“ …"


def test_signs_are_written_in_ascii() -> None:
    assert all(sign.isascii() and sign and "?" not in sign for sign in SIGNS.values())


@pytest.mark.parametrize("language", available())
def test_words_are_transliterated_before_they_are_measured(language: str) -> None:
    """A column padded before transliteration to ASCII would be too wide."""
    words = Translator.load(language).written_in("ascii")
    for game, name in words._locale.lexicon.nouns():
        assert words.term(name, game).isascii()
    assert words.say("cli.how_to").isascii()
    assert Translator.load(language).written_in("utf-8").say("cli.how_to") == Translator.load(language).say(
        "cli.how_to"
    )


@pytest.mark.parametrize("language", available())
@pytest.mark.parametrize(("game", "bots"), [("connect_four", 1), ("wongar", 2), ("tongiaki", 2), ("ubongo", 2)])
def test_ascii_terminal_shows_no_replacement_characters(wongar: Command, game: str, bots: int, language: str) -> None:
    seats = ",".join(["human:Jürgen", *["random"] * bots])
    arguments = ("--lang", language, "play", game, "--seats", seats, "--seed", "1")
    shown = wongar.in_ascii(*arguments, answers="1\n")
    assert shown.code == 0
    assert shown.out.isascii()
    assert shown.err.isascii()
    # Question marks occur only at the end of a question, or alone as the help command.
    assert [word for word in shown.out.split() if "?" in word.rstrip("?,;")] == []
    assert ("Juergen" if language == "de" else "Jurgen") in shown.out


def test_a_process_at_an_ascii_terminal_shows_the_same(wongar: Command) -> None:
    arguments = ("--lang", "de", "play", "connect_four", "--seats", "human:Jürgen,random", "--save", "game.json")
    shown = wongar.process(*arguments, "--seed", "1", answers="1\n", **ASCII)
    (wongar.home / "game.json").unlink()
    wongar.patch.chdir(wongar.home)
    assert wongar.in_ascii(*arguments, "--seed", "1", answers="1\n") == shown


def test_help_and_error_messages_are_readable_in_ascii(wongar: Command) -> None:
    assert "Brettspielregeln als Daten: spielen, pruefen" in wongar.process("--lang", "de", "--help", **ASCII).out
    refused = wongar.process("--lang", "de", "lgo", **ASCII).err
    assert '"lgo"' in refused
    assert refused.isascii()
