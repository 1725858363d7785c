"""The section about the end states all conditions under which the rules end the game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from wongar_dsl.engine.library import load
from wongar_dsl.language import ast as s
from wongar_dsl.language.dataflow.effects import always_ends_game, is_followed

from .books import LANGUAGES, text_of_book

HEAD = """game ending
    players 2
    source house rule
remember tide: number 0 to 99 = 0
remember final: yes or no = no
score points
"""
ASK = """            p chooses turn
                wait
                    set tide to tide + 1
                leap
                    set tide to tide + 2
"""
#: Rules that end a game in different ways, each with the text required in every language.
GAMES = {
    "a loop of the course": (
        f"play\n    repeat until tide > 37\n        for each p in player\n{ASK}    end game\n", "37"
    ),
    "a loop while something holds": (
        f"play\n    repeat while tide < 41\n        for each p in player\n{ASK}    end game\n", "41"
    ),
    "a condition in a loop for ever": (
        f"play\n    repeat\n        for each p in player\n{ASK}            if tide = 23\n                p wins\n", "23"
    ),
    "a rule that another one calls": (
        f"play\n    repeat\n        for each p in player\n{ASK}            look(p)\n"
        "rule look(me: player)\n    if tide >= 29\n        stop_it(me)\n"
        "rule stop_it(me: player)\n    left of me wins\n", "29"
    ),
    "a value that is set by a rule": (
        f"play\n    repeat until final\n        for each p in player\n{ASK}            look()\n    end game\n"
        "rule look()\n    if tide >= 31\n        last()\nrule last()\n    if not final\n        set final to yes\n",
        "31",
    ),
    "a name of a value": (
        f"play\n    repeat\n        for each p in player\n{ASK}            let mark = tide * 47\n"
        "            if mark > points of p\n                p wins\n", "47"
    ),
    "a name of a value that changes": (
        f"play\n    repeat\n        for each p in player\n            let mark = tide\n{ASK}"
        "            if mark > points of p\n                p wins\n", "mark"
    ),
    "a value that is asked in the middle": (
        f"play\n    repeat\n        for each p in player\n{ASK}            if tide > 43\n"
        "                set final to yes\n"
        "            if final\n                end game\n", "43"
    ),
}  # fmt: skip
WINNER = "winner p\n    most points of p\n"
TIMES = {"en": "twice", "de": "zweimal", "nl": "tweemaal", "it": "due volte"}
NOTHING = {"en": "no choice", "de": "keine Wahl", "nl": "geen keuze", "it": "nessuna scelta"}


def end_of(place: Path, rules: str, language: str) -> str:
    path = place / "ending.rules"
    path.write_text(HEAD + rules + (WINNER if "end game" in rules else ""))
    return text_of_book(load(str(path)).model, language, "end")


@pytest.mark.parametrize("way", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_end_section_states_the_ending_condition(tmp_path: Path, way: str, language: str) -> None:
    rules, told = GAMES[way]
    assert told in end_of(tmp_path, rules, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_end_section_states_a_fixed_number_of_rounds(tmp_path: Path, language: str) -> None:
    rules = f"play\n    repeat 2 times\n        for each p in player\n{ASK}    end game\n"
    assert TIMES[language] in end_of(tmp_path, rules, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_end_section_states_an_end_without_options(tmp_path: Path, language: str) -> None:
    choice = ASK.replace("wait", "wait if tide < 50").replace("leap", "leap if tide < 49")
    rules = (
        f"play\n    repeat\n        for each p in player\n{choice}" + " " * 16 + "otherwise\n" + " " * 20 + "p wins\n"
    )
    assert NOTHING[language] in end_of(tmp_path, rules, language)


def test_outdated_conditions_are_not_stated(tmp_path: Path) -> None:
    rules = (
        f"play\n    repeat\n        for each p in player\n{ASK}            if tide < 47\n"
        "                set tide to tide + 1\n                if tide = 47\n                    p wins\n"
    )
    text = end_of(tmp_path, rules, "en")
    assert "47" in text
    assert "less than 47" not in text


def calls_of(number: int) -> str:
    """Return a course that calls `number` rules in a loop, each with a decision."""
    calls = "".join(f"        step_{n}(player(1))\n" for n in range(number))
    rules = "".join(
        f"rule step_{n}(me: player)\n    me chooses turn_{n}\n        go\n            set tide to tide + 1\n"
        "        stay\n            nothing\n"
        for n in range(number)
    )
    return f"play\n    repeat until tide > 37\n{calls}    end game\n{rules}{WINNER}"


def test_work_grows_linearly_with_the_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice as many rules must visit about twice as many nodes."""
    models = []
    for number in (60, 120):
        path = tmp_path / f"ending_{number}.rules"
        path.write_text(HEAD.replace("game ending", f"game ending_{number}") + calls_of(number))
        models.append(load(path).model)
    visited: list[int] = []
    walked = s.walk

    def walk(node: object) -> Iterator[s.Node]:
        for part in walked(node):
            visited[-1] += 1
            yield part

    monkeypatch.setattr(s, "walk", walk)
    for model in models:
        visited.append(0)
        text_of_book(model, "en")
    assert visited[1] < 2.5 * visited[0]


#: The sentence for a winner whose criterion depends on a condition.
EITHER = {
    "en": "The player with the greatest value wins: −1 if the player is the player with the number 2, and otherwise",
    "de": "Es gewinnt, wer den größten Wert hat: −1, wenn der Spieler der Spieler mit der Nummer 2 ist, sonst",
    "nl": "Wie de grootste waarde heeft, wint: −1 als de speler de speler met nummer 2 is, en anders",
    "it": "Vince chi ha il valore più alto: −1 se il giocatore è il giocatore con il numero 2, altrimenti",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_criterion_with_a_condition_is_told_as_a_value(language: str, tmp_path: Path) -> None:
    measure = "most (-1 if p is player(2) otherwise points of p)"
    rules = f"{HEAD}play\n    player(1) gains 2 points\n    end game\nwinner p\n    {measure}\n"
    path = tmp_path / "ending.rules"
    path.write_text(rules, encoding="utf-8")
    assert EITHER[language] in text_of_book(load(path).model, language, "end")


#: A rule that always ends the game is called where the text goes on, and at the end; the other rule ends it sometimes.
OVER = """play
    for each p in player
        p chooses turn
            stop
                stop_all(p)
            try
                try_all(p)
    stop_all(player(1))

rule stop_all(p: player)
    p chooses last
        win
            p wins
        lose
            if points of p > 1
                nobody wins
            otherwise
                end game

rule try_all(p: player)
    if points of p > 1
        p wins
"""


def test_only_rules_that_end_the_game_in_every_case_are_its_end(tmp_path: Path) -> None:
    path = tmp_path / "over.rules"
    path.write_text(f"{HEAD}{OVER}{WINNER}", encoding="utf-8")
    rules = load(path).model
    assert [always_ends_game(rules, rules.code.rules[name].body) for name in ("stop_all", "try_all")] == [True, False]
    play = next(article for article in rules.code.course if isinstance(article, s.Play))
    calls = [node for node in s.walk(play) if isinstance(node, s.Call)]
    assert [is_followed(play.body, call) for call in calls] == [True, True, False]


@pytest.mark.parametrize("language", LANGUAGES)
def test_call_that_ends_the_game_says_so_where_the_text_goes_on(language: str) -> None:
    ends = {
        "de": "Damit endet das Spiel.",
        "nl": "Daarmee eindigt het spel.",
        "it": "Con questo la partita finisce.",
        "en": "The game ends with this.",
    }[language]
    books = {name: text_of_book(load(name).model, language) for name in ("kuhn_poker", "goofspiel", "nim")}
    assert {name: text.count(ends) for name, text in books.items()} == {"kuhn_poker": 1, "goofspiel": 0, "nim": 0}
