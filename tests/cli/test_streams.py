"""Closed, full or broken streams, broken settings, control sequences, and terminals that lack characters."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.cli.command import START, Command
from wongar_dsl.base.terminal_text import SIGNS, transliterate
from wongar_dsl.nlg.words import Translator, available


def shell(wongar: Command, line: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a shell, followed by a redirection."""
    return subprocess.run(
        ["bash", "-c", f'"$@" {line}', "bash", *START, *arguments],
        env=wongar.environment(**environment), cwd=wongar.home, capture_output=True, encoding="utf-8", timeout=60,
        check=False,
    )  # fmt: skip


def test_closed_input_ends_the_game_with_a_save(wongar: Command) -> None:
    done = shell(wongar, "<&-", "play", "tictactoe", "--seats", "human,human", "--lang", "de")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Die Partie ist gespeichert" in done.stdout


FULL = "Non è possibile scrivere l’output: non c’è più spazio.\n"


@pytest.mark.parametrize(("line", "code", "told"), [(">/dev/full", 1, FULL), (">&- 2>&-", 1, "")])
def test_unwritable_output_gives_no_further_message_when_the_process_ends(
    wongar: Command, line: str, code: int, told: str
) -> None:
    done = shell(wongar, line, "games", "--lang", "it")
    assert (done.returncode, done.stderr) == (code, told)


def test_closed_pipe_gives_no_message(wongar: Command) -> None:
    done = shell(wongar, "| head -1; exit ${PIPESTATUS[0]}", "play", "nim", "--seats", "random,random")
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 1


def test_broken_configuration_is_ignored(wongar: Command) -> None:
    config = wongar.home / "config" / "wongar" / "config.toml"
    config.parent.mkdir(parents=True)
    digits, brackets = b"9" * 5000, b"[" * 100_000
    for content in (b"a=" + brackets, b'lang = "', b"\xff", b"lang = 7", b"lang = " + digits, b'lang="\xe2\x80\xaex"'):
        config.write_bytes(content)
        result = wongar("games")
        assert (result.code, result.err) == (0, "")
        assert "players" in result.out
    config.unlink()
    os.mkfifo(config)
    assert wongar("games").code == 0


def test_error_before_language_selection_is_reported(wongar: Command) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RecursionError("\x1b[2J\u202e")

    wongar.patch.setattr("wongar_dsl.cli.main.select_language", fail)
    result = wongar("games")
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("Internal error")
    assert result.err.isprintable() or result.err[:-1].isprintable()


def test_json_escapes_hostile_file_names(wongar: Command) -> None:
    import json

    result = wongar("validate", "\u202enone\x9b.rules", "--format", "json")
    assert result.code == 1
    assert "\u202e" not in result.out
    assert "\u202e" in json.dumps(json.loads(result.out), ensure_ascii=False)


def test_only_one_module_writes_to_the_terminal() -> None:
    import wongar_dsl.cli.main as main

    cli = Path(str(main.__file__)).parent
    for path in sorted(cli.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for call in ("click.echo", "print(", "stdout.write", "stderr.write"):
            assert call not in text, f"{path.name}: {call}"


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
    assert transliterate(text, "utf-8", GERMAN) == text


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


@pytest.mark.parametrize(
    ("game", "bots", "language"),
    [("connect_four", 1, "de"), ("wongar", 2, "nl"), ("tongiaki", 2, "it"), ("ubongo", 2, "en")],
)
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
    assert "Brettspielregeln als Daten: spielen, pruefen" in wongar.in_ascii("--lang", "de", "--help").out
    assert '"lgo"' in wongar.in_ascii("--lang", "de", "lgo").err
