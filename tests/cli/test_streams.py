"""Closed, full or broken standard streams, broken settings, and text with terminal control sequences."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.attacks.measured import Measuring
from tests.cli.command import CACHE, LANGUAGES, START, Command


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


def test_closed_error_stream_is_ignored(wongar: Command) -> None:
    done = shell(wongar, "2>&-", "play", "tictactoe", "--seats", "random,random", "--save", "game.json")
    assert (done.returncode, done.stderr) == (0, "")
    assert (wongar.home / "game.json").read_text().startswith("{")


@pytest.mark.parametrize(
    ("closed", "command"),
    [
        ("out", "games"),
        ("in out", "play --help"),
        ("out", "--version"),
        ("out err", "--version"),
        ("in out err", "--version"),
    ],
)
def test_closed_output_is_an_error(measuring: Measuring, tmp_path: Path, closed: str, command: str) -> None:
    streams = dict.fromkeys(closed.split(), "")
    done = measuring.run(command.split(), tmp_path, streams=streams, XDG_CACHE_HOME=str(CACHE))
    assert done.code == 1
    assert len(done.err.splitlines()) == (0 if "err" in closed else 1)


FULL = {
    "de": "Die Ausgabe lässt sich nicht schreiben: es ist kein Platz mehr frei.",
    "nl": "De uitvoer kan niet worden geschreven: er is geen ruimte meer.",
    "it": "Non è possibile scrivere l’output: non c’è più spazio.",
    "en": "The output cannot be written: no space left.",
}


@pytest.mark.parametrize("language", FULL)
def test_full_output_is_reported(measuring: Measuring, tmp_path: Path, language: str) -> None:
    full = {"out": "/dev/full"}
    done = measuring.run(["games", "--lang", language], tmp_path, streams=full, XDG_CACHE_HOME=str(CACHE))
    assert (done.code, done.err) == (1, FULL[language] + "\n")


@pytest.mark.parametrize(("line", "code", "told"), [(">/dev/full", 1, FULL["en"] + "\n"), (">&- 2>&-", 1, "")])
def test_unwritable_output_gives_no_further_message_when_the_process_ends(
    wongar: Command, line: str, code: int, told: str
) -> None:
    done = shell(wongar, line, "games", "--lang", "en")
    assert (done.returncode, done.stderr) == (code, told)


def test_full_error_stream_is_ignored(wongar: Command) -> None:
    assert shell(wongar, "2>/dev/full", "gamez").returncode == 2


def test_closed_pipe_gives_no_message(wongar: Command) -> None:
    done = shell(wongar, "| head -1; exit ${PIPESTATUS[0]}", "play", "wongar", "--seats", "random,random,random")
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 1


@pytest.mark.parametrize(
    "content",
    [b"a=" + b"[" * 100_000, b'lang = "', b"\xff", b"lang = 7", b"lang = " + b"9" * 5000, b'lang="\xe2\x80\xaex"'],
)
def test_broken_configuration_is_ignored(wongar: Command, content: bytes) -> None:
    config = wongar.home / "config" / "wongar" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_bytes(content)
    result = wongar("games")
    assert (result.code, result.err) == (0, "")
    assert "players" in result.out


def test_pipe_as_configuration_does_not_block(wongar: Command) -> None:
    config = wongar.home / "config" / "wongar" / "config.toml"
    config.parent.mkdir(parents=True)
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


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "arguments",
    [
        ("games", "{}"), ("{}",), ("--lang", "{}"), ("play", "{}"), ("play", "tictactoe", "--seats", "{},human"),
        ("play", "tictactoe", "--seats", "human:{},human"), ("play", "tictactoe", "--set", "{}=1"), ("log", "{}"),
        ("validate", "{}"), ("test", "{}"), ("explain", "{}"), ("log", "~{}/x"),
        ("play", "tictactoe", "--backend", "{}"),
    ],
)  # fmt: skip
def test_arguments_with_control_characters_are_escaped(
    wongar: Command, arguments: tuple[str, ...], language: str
) -> None:
    hostile = "\x1b]0;pwn\x07\x9b2J\u202e\u2066x"
    result = wongar(*(a.format(hostile) for a in arguments), *(() if "--lang" in arguments else ("--lang", language)))
    assert result.code in (1, 2)
    assert result.err or result.out
    for letter in "\x1b\x07\x9b\u202e\u2066":
        assert letter not in result.out + result.err


def test_catalog_with_control_characters_is_escaped(wongar: Command) -> None:
    rules = wongar.home / "g.rules"
    rules.write_text(
        "game g\n    players 2\n    source house rule\nplay\n    player(1) chooses t\n        go\n"
        "            tell moved\n"
        "    nobody wins\n"
    )
    words = wongar.home / "locales" / "en" / "g.po"
    words.parent.mkdir(parents=True)
    words.write_text(
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
        'msgctxt "g.moved"\nmsgid "Moved\x1b]0;pwn\x07 \u202eback\x9b."\nmsgstr ""\n',
        encoding="utf-8",
    )
    result = wongar("play", str(rules), "--seats", "random,random")
    shown = result.out + result.err
    assert "g.po, line 5: there are control characters" in shown, shown
    for letter in "\x1b\x07\x9b\u202e":
        assert letter not in shown


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
