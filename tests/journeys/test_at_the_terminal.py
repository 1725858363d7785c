"""User journeys at a terminal, from the first command to the last key, with all defaults.

The program takes the language from the system.  A person knows the commands of README and `docs/playing.md`, and the
text on the screen.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.cli.command import LANGUAGES
from tests.journeys.person import Person

Sits = Callable[[str], Person]

#: Texts that a person looks for on the screen, by language.
TIC_TAC_TOE = {"de": "Tic-Tac-Toe", "nl": "Boter-kaas-en-eieren", "it": "Tris", "en": "Tic-tac-toe"}
PLAY_AGAIN = {"de": "Noch eine Partie", "nl": "Nog een partij", "it": "Un’altra partita", "en": "Play again"}
LESSON = {"nl": "Les", "it": "Lezione"}
SUGGESTED = re.compile(r"(?:Een goed idee|Un buon suggerimento): (\d+)")


def number_of(game: str, menu: str) -> str:
    """Return the number of a game in a menu."""
    match = re.search(rf"^ *(\d+) .*{re.escape(game)}", menu, re.MULTILINE)
    assert match is not None, menu
    return match[1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_first_game_is_played_to_its_end(person: Sits, language: str) -> None:
    player = person(language)
    player.runs("play")
    player.types(number_of(TIC_TAC_TOE[language], player.sees(TIC_TAC_TOE[language])))
    player.sees("▸")
    while PLAY_AGAIN[language] not in player.screen():
        player.types(str(max(player.options())) if player.options() else "")
        player.settles()
    player.types("n")
    assert player.leaves() == 0
    player.runs("saves")
    assert player.leaves() == 0
    assert TIC_TAC_TOE[language] in player.screen()


@pytest.mark.parametrize("language", ["nl", "it"])
def test_guided_game_is_left_and_resumed(person: Sits, language: str) -> None:
    player = person(language)
    player.runs("learn")
    player.types(number_of("Wongar", player.sees("Wongar")))
    player.settles()
    for _ in range(3):
        while not player.options():
            player.presses("\r")
            player.settles()
        advice = SUGGESTED.search(player.screen())
        player.types(advice[1] if advice is not None else str(min(player.options())))
        player.settles()
    while not player.options():
        player.presses("\r")
        player.settles()
    assert LESSON[language] in player.screen()
    player.presses("\x04")
    assert player.leaves() == 0
    player.runs("resume")
    player.sees(LESSON[language])
    player.presses("\x04")
    assert player.leaves() == 0


def test_game_survives_a_power_cut(person: Sits) -> None:
    player = person("it")
    player.runs("play", "wongar")
    before = player.is_asked()
    for _ in range(2):
        before = player.answers(str(min(before)))
    player.cuts_the_power()
    player.runs("resume")
    resumed = player.is_asked()
    # A board that grew before the power cut leaves less room to the options than after it.
    visible = before.keys() & resumed.keys()
    assert {n: resumed[n] for n in visible} == {n: before[n] for n in visible}
    assert min(before) in visible
    player.types("?")
    player.presses("\x1b")
    player.is_asked()
    player.answers(str(min(before)))
    player.types("esci")
    assert player.leaves() == 0
    assert "wongar resume" in player.screen()


def test_changed_rule_appears_in_diff_play_and_simulation(person: Sits) -> None:
    player = person("de")
    player.runs("new", "großzügig", "--from", "wongar")
    assert player.leaves() == 2
    player.runs("new", "spendabel", "--from", "wongar")
    assert player.leaves() == 0
    file = "spendabel/spendabel.rules"
    rules = player.home / file
    text, changes = re.subn(
        r"(?m)^#?set cards_bonus to \d+", "set cards_bonus to 11", rules.read_text(encoding="utf-8")
    )
    assert changes == 1
    rules.write_text(text, encoding="utf-8")
    player.runs("validate", file)
    assert player.leaves() == 0
    player.runs("diff", "wongar", file)
    assert player.leaves() == 0
    assert "11 statt 8" in player.screen()
    player.runs("play", file)
    player.sees("▸")
    player.is_asked()
    player.types("ende")
    assert player.leaves() == 0
    # So few games that none is compiled to machine code, which takes longer than all the rest.
    player.runs("simulate", "wongar", "--vs", file, "--games", "6")
    assert player.leaves() == 0
    assert "Wongar (Spendabel)" in player.scrolled


def test_simulation_is_explained_and_reproducible(person: Sits) -> None:
    player = person("en")
    player.runs("simulate", "goofspiel")
    assert player.leaves() == 0
    assert "100 games with 2 players, played by bots that choose at random" in player.scrolled
    repeat_command = re.search(r"To get the same figures again: (wongar .*(?:\r\n.*)?--seed 0)", player.scrolled)
    assert repeat_command is not None
    first = player.scrolled.rpartition("\x1b[K")[2]
    player.runs(*repeat_command[1].replace("\r\n", " ").split()[1:])
    assert player.leaves() == 0
    assert player.scrolled.rpartition("\x1b[K")[2] == first
