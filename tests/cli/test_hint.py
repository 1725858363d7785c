"""`hint` at the prompt, in every language; it is never recorded as a choice."""

from __future__ import annotations

import re
from pathlib import Path
from threading import Event

import pytest

from wongar_dsl.cli.play.terminal_session import LineSession
from wongar_dsl.cli.terminal.screen import Screen
from wongar_dsl.engine import library
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.nlg.words import Translator
from wongar_dsl.session.game_session import GameSession
from wongar_dsl.session.options.menu import Menu

from .command import Command, choices_in

TABLE = ("play", "tictactoe", "--seats", "human:Ada,human:Ben", "--seed", "1")


@pytest.fixture(autouse=True)
def small_search_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    from wongar_dsl.cli.play import hint
    from wongar_dsl.engine.bots import SearchBudget

    monkeypatch.setattr(hint, "BUDGET", SearchBudget(100))


@pytest.mark.parametrize(
    ("language", "word", "parts"),
    [
        ("de", "tipp", ["Nach allem, was du sehen kannst, sieht das am besten aus:", "– Aussicht auf den Sieg: "]),
        ("nl", "tip", ["Voor zover je kunt zien, ziet dit er het beste uit:", "– kans om te winnen: "]),
        ("it", "consiglio", ["Per quello che puoi vedere, sembra meglio:", "– probabilità di vincere: "]),
        ("en", "hint", ["From what you can see, this looks best:", "– chance of winning: "]),
    ],
)
def test_a_hint_names_options_with_their_numbers(wongar: Command, language: str, word: str, parts: list[str]) -> None:
    answers = "mark(a1)\nmark(b1)\nmark(a2)\nmark(b2)\n" + word + "\nquit\n"
    answer = wongar(*TABLE, "--lang", language, answers=answers).out.split(f"> {word}\n")[1]
    assert all(part in answer for part in parts), answer
    assert re.match(r"[^\n]+:\n  +\d+ .*a3", answer), answer


@pytest.mark.parametrize(
    ("language", "notice"),
    [
        ("de", "Ein Tipp wird gesucht …"),
        ("nl", "Er wordt een tip gezocht …"),
        ("it", "Cerco un consiglio…"),
        ("en", "Looking for a hint …"),
    ],
)
def test_slow_hint_is_announced_to_a_person(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    language: str,
    notice: str,
) -> None:
    """The output for a program does not depend on how long a search takes."""
    from wongar_dsl.cli.play import hint

    rules = library.load("tictactoe")
    match = Match.begin(rules.game(2), [Seat("human", "Ada"), Seat("human", "Ben")], 1, rules.hash)
    session = GameSession(rules, match, Translator.load(language), "", tmp_path / "save.json")
    search = hint.hint
    for interactive, delay, announced in ((True, 0.05, True), (True, 60.0, False), (False, 0.05, False)):
        monkeypatch.setattr(hint, "NOTICE_DELAY_S", delay)
        display = LineSession(session, Screen(interactive=interactive), lambda *_: "").display
        printed, announce = Event(), display.screen.announce
        # The search ends when the notice is there, or long after a notice that must not come.
        seconds = 30.0 if announced else 0.25
        monkeypatch.setattr(display.screen, "announce", lambda text, say=announce, end=printed: (say(text), end.set()))
        monkeypatch.setattr(hint, "hint", lambda *given, end=printed, s=seconds: (end.wait(s), search(*given))[1])
        hint.show_hint(display, Menu.of(match.state, session.narrator))
        assert capsys.readouterr().out.startswith(f"{notice}\n") is announced


def test_hint_is_not_recorded_and_draws_no_chance(wongar: Command) -> None:
    saves = [wongar.home / name for name in ("with.json", "without.json")]
    for save, more in zip(saves, ("hint\n", ""), strict=True):
        wongar(
            "play", "goofspiel", "--seats", "human,random", "--seed", "3", "--save", str(save), "--lang", "en",
            answers=f"{more}play(one)\n{more}play(two)\n{more}",
        )  # fmt: skip
    assert choices_in(saves[0]) == choices_in(saves[1])
    assert len(choices_in(saves[0])) >= 4


def test_hint_is_refused_while_the_clock_runs(wongar: Command) -> None:
    output = wongar("play", "ubongo", "--seats", "human,random", "--seed", "1", "--lang", "en", answers="1\nhint\n").out
    assert "There are no hints while the clock runs" in output


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("de", ["Computer, leicht", "Computer, Suche 20"]),
        ("nl", ["computer, makkelijk", "computer, zoeken 20"]),
        ("it", ["computer, facile", "computer, ricerca 20"]),
        ("en", ["computer, easy", "computer, search 20"]),
    ],
)
def test_bot_levels_are_named_in_every_language(wongar: Command, language: str, names: list[str]) -> None:
    played = wongar("play", "nim", "--seats", "easy,mcts:20", "--seed", "2", "--lang", language)
    assert played.code == 0
    assert all(name in played.out for name in names), played.out
    assert wongar("log", "--lang", language).code == 0


@pytest.mark.parametrize("language", ["de", "nl", "it", "en"])
def test_equal_chances_are_stated_once(wongar: Command, monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    from wongar_dsl.cli.play import hint

    monkeypatch.setattr(hint, "probability_text", lambda words, share, certain: "some")
    words = {"de": "tipp", "nl": "tip", "it": "consiglio", "en": "hint"}
    answers = f"mark(a1)\nmark(b1)\nmark(a2)\nmark(b2)\n{words[language]}\nquit\n"
    answer = wongar(*TABLE, "--lang", language, answers=answers).out.split(f"> {words[language]}\n")[1]
    head, *options = answer.split("> ")[0].strip().splitlines()
    assert head.endswith("some")
    assert len(options) > 1
    assert not any("some" in option for option in options)
