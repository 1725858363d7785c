"""Whole games at the command line: in every language and on both backends."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.command import LANGUAGES, Command
from wongar_dsl.compiler import BACKENDS

#: Text that must never be shown: a message id, or an unfilled slot.
UNSAID = re.compile(r"\b(cli|engine|wongar|decision|words)\.(?!rules\b)[a-z_]+|[{}]")
#: Option numbers, some of which are valid for every question.
NUMBERS = "".join(f"{n}\n" for n in range(1, 25))


def record_of(wongar: Command, save: Path, *more: str) -> str:
    result = wongar("log", str(save), "--format", "jsonl", *more)
    assert result.code == 0
    return result.out


def test_bots_play_the_same_game_in_every_language(wongar: Command) -> None:
    game, kinds = "tongiaki", "random,random"
    records = set()
    for language in LANGUAGES:
        save = wongar.home / f"{language}.json"
        result = wongar("play", game, "--seats", kinds, "--seed", "7", "--lang", language, "--save", str(save))
        assert result.code == 0, result.err
        assert not UNSAID.search(result.out.replace(str(save), ""))
        records.add(record_of(wongar, save, "--lang", language))
    assert len(records) == 1
    lines = [json.loads(line) for line in records.pop().splitlines()]
    assert lines[0]["game"] == game
    assert len(lines[-1]["scores"]) == 2
    assert lines[-1]["winners"]


@pytest.mark.parametrize(
    ("game", "language", "end"),
    [
        ("goofspiel", "de", "Der Sieg geht mit"),
        ("tongiaki", "nl", "De overwinning gaat met"),
        ("wongar", "it", "Vince"),
        ("kuhn_poker", "en", "wins with"),
    ],
)
def test_human_seats_play_a_whole_game(wongar: Command, game: str, language: str, end: str) -> None:
    seats = ("--seats", "human:Anna,human:Bert" + ",random" * (game == "wongar"))
    result = wongar("play", game, *seats, "--seed", "4", "--lang", language, answers=NUMBERS * 600)
    assert result.code == 0, result.err
    assert not UNSAID.search(result.out.replace(str(wongar.home), ""))
    assert result.out.count("Anna") > 5
    assert end in result.out
    assert all(len(line) < 200 for line in result.out.splitlines())


def test_perft_prints_known_figures(wongar: Command) -> None:
    counted = wongar("perft", "tictactoe", "--depth", "4")
    rows = [line.split()[:3] for line in counted.out.splitlines()[1:-1]]
    assert rows == [["1", "9", "0"], ["2", "72", "0"], ["3", "504", "0"], ["4", "3024", "0"]]
    assert "positions reached: 3,609" in counted.out.splitlines()[-1]
    assert re.search(r"\d,\d$", wongar("perft", "nim", "--lang", "it").out.splitlines()[1])


def test_backends_give_the_same_game_to_the_command(wongar: Command) -> None:
    games = []
    for backend in BACKENDS:
        save = wongar.home / f"{backend}.json"
        arguments = ("--seats", "random,random,random", "--seed", "3", "--backend", backend, "--save", str(save))
        played = wongar("play", "goofspiel", *arguments)
        assert played.code == 0
        # The log replays both saves on one backend, but the events were told by their own.
        games.append((played.out.replace(str(save), ""), record_of(wongar, save)))
    assert games[0] == games[1] == games[2]
