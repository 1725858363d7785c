"""Saves: written after every decision, validated when read, listed, replayed, and continued under other rules."""

from __future__ import annotations

import errno
import fcntl
import io
import json
import os
import random
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from prompt_toolkit.input import PipeInput
from prompt_toolkit.output import DummyOutput

from tests.cli.command import Command, Result, choices_in
from tests.engine.rule_cases.test_cases import GAME
from wongar_dsl.base.storage import cache
from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.base.terminal_text import width
from wongar_dsl.cli.commands.replay import ReplayCursor
from wongar_dsl.cli.fullscreen.replay_screen import ReplayScreen
from wongar_dsl.cli.language import load_translator
from wongar_dsl.cli.load_game import reopen
from wongar_dsl.cli.terminal.application import Terminal
from wongar_dsl.cli.terminal.screen import Screen
from wongar_dsl.engine import library
from wongar_dsl.engine.events import EVERYTHING
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.engine.saves import read_save
from wongar_dsl.nlg.words import Translator
from wongar_dsl.render.text.lines import Line, line_text, line_width
from wongar_dsl.session.game_session import GameSession

TABLE = ("play", "wongar", "--seats", "human:Anna,random,random", "--seed", "36")


def test_resume_continues_the_game(wongar: Command) -> None:
    whole, parts = wongar.home / "whole.json", wongar.home / "parts.json"
    answers = [f"{n}\n" for n in range(1, 31)] * 3
    wongar(*TABLE, "--save", str(whole), answers="".join(answers))
    wongar(*TABLE, "--save", str(parts), answers="".join(answers[:40]))
    result = wongar("resume", str(parts), "--lang", "it", answers="".join(answers[40:]))
    assert result.code == 0
    assert "La partita riprende dopo" in result.out
    assert choices_in(whole) == choices_in(parts)


def test_resume_takes_the_newest_save_and_none_is_an_error(wongar: Command) -> None:
    for command, language in zip(("resume", "log"), ("nl", "de"), strict=True):
        result = wongar(command, "--lang", language)
        assert (result.code, len(result.err.splitlines())) == (1, 1)
    wongar(*TABLE, answers="1\n")
    wongar("play", "tictactoe", "--seats", "human,human", answers="1\n")
    newest = max(wongar.saves(), key=lambda f: f.stat().st_mtime_ns)
    wongar("resume", answers="b2\n")
    assert choices_in(newest) == ["mark(a3)", "mark(b2)"]


#: Content of the save that `new_save` returns.
_saved: list[bytes] = []


def new_save(wongar: Command) -> Path:
    """Return a save of a game after one decision, which is made only once for all tests."""
    save = wongar.home / "save.json"
    if not _saved:
        wongar(*TABLE, "--save", str(save), answers="1\n")
        _saved.append(save.read_bytes())
    save.write_bytes(_saved[0])
    return save


def version_1_of(save: Path) -> dict[str, object]:
    """Return a save in the format of version 1: one object with all data."""
    saved = read_save(save)
    head = json.loads(save.read_text().splitlines()[0])
    old = {key: head[key] for key in ("format", "game", "file", "rules", "options", "seats", "seed")}
    choices = [[text, time] if time else text for text, time in saved.choices]
    return old | {"version": 1, "choices": choices, "state": [0, 0, 0, 0, 0, 0, 0]}


@pytest.mark.parametrize(
    "change",
    [
        {"version": 99}, {"version": None}, {"format": "something else"}, {"seats": [{"kind": "human", "name": ""}]},
        {"seats": [{"kind": "devil", "name": ""}] * 3}, {"seats": [{"kind": "human", "name": "\x1b[2J"}] * 3},
        {"seats": [7, None, []]}, {"seats": {}}, {"seed": "7"}, {"seed": -1}, {"seed": True}, {"seed": 10**400},
        {"options": {"nonsense": 3}}, {"options": {"cards_bonus": "8"}}, {"options": {"cards_bonus": 10**300}},
        {"options": []}, {"game": "no such game"}, {"game": 7}, {"file": "/no/such/file.rules"}, {"file": 7},
        {"beside": []}, {"language": {}}, {"chance": 4}, {"chance": 0}, {"rules": "0" * 64},
    ],
)  # fmt: skip
def test_a_save_with_a_broken_head_is_refused_with_one_sentence(wongar: Command, change: dict[str, object]) -> None:
    save = new_save(wongar)
    head, *rest = save.read_text().splitlines()
    save.write_text("\n".join([json.dumps(json.loads(head) | change), *rest, ""]))
    check_refused(wongar, save)


@pytest.mark.parametrize(
    "choices",
    [["take(moon)"], [[]], [["take(kangaroo)", "soon"]], [["take(kangaroo)", float("inf")]],
     [["take(kangaroo)", 10**50]], [["take(kangaroo)", -1]], [7], {}],
)  # fmt: skip
def test_a_save_of_version_1_with_broken_choices_is_refused(wongar: Command, choices: object) -> None:
    save = new_save(wongar)
    save.write_text(json.dumps(version_1_of(save) | {"choices": choices}))
    check_refused(wongar, save)


@pytest.mark.parametrize(
    "line",
    ['{"take": "take(moon)"}', '{"take": 7}', '{"take": "take(kangaroo)", "time": "soon"}', '{"undo": 99}',
     '{"take": "take(kangaroo)", "time": Infinity}', '{"take": "take(kangaroo)", "time": 1e999}', '{"undo": -1}',
     '{"undo": 1.5}', '{"over": false}', '{"thought": NaN}', "[]", "7", "null", "{}", "{", "[" * 5000, "9" * 5000],
)  # fmt: skip
def test_a_save_with_a_broken_line_is_refused(wongar: Command, line: str) -> None:
    save = new_save(wongar)
    head, *rest = save.read_text().splitlines()
    save.write_text("\n".join([head, line, *rest, ""]))
    check_refused(wongar, save)


def check_refused(wongar: Command, save: Path) -> None:
    """Check that `resume` and `log` refuse a save with one sentence and do not change it."""
    before = save.read_bytes()
    for command in ("resume", "log"):
        result = wongar(command, str(save), "--lang", "de")
        assert result.code == 1
        assert str(save) in result.err
        assert len(result.err.splitlines()) == 1
        assert "schiefgegangen" not in result.err
    assert save.read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b"7" * 5000, b"null"])
def test_file_without_a_save_is_refused(wongar: Command, content: bytes) -> None:
    save = wongar.home / "save.json"
    save.write_bytes(content)
    result = wongar("resume", str(save), "--lang", "nl")
    assert (result.code, len(result.err.splitlines())) == (1, 1)
    assert "bevat geen partij" in result.err


def test_incomplete_last_line_is_dropped_with_a_notice(wongar: Command) -> None:
    save = wongar.home / "save.json"
    wongar(*TABLE, "--save", str(save), answers="1\n1\n")
    whole, text = choices_in(save), save.read_bytes()
    save.write_bytes(text[:-4])
    assert choices_in(save) == whole[:-1]
    result = wongar("resume", str(save), "--lang", "en", answers="")
    assert result.code == 0
    assert "cut off" in result.out
    assert choices_in(save)[: len(whole) - 1] == whole[:-1]
    assert not read_save(save).torn


def test_save_is_appended_to(wongar: Command) -> None:
    save = wongar.play("connect_four", "1").save
    first = save.read_bytes()
    wongar("resume", str(save), answers="2\nundo\n3\n")
    assert save.read_bytes().startswith(first)
    added = [json.loads(line) for line in save.read_bytes()[len(first) :].splitlines()]
    assert added == [{"take": "drop(b1)"}, {"undo": 1}, {"take": "drop(c1)"}]
    assert choices_in(save) == ["drop(a1)", "drop(c1)"]


def test_save_of_version_1_is_resumed(wongar: Command) -> None:
    save = wongar.play("connect_four", "1", "2").save
    save.write_text(json.dumps(version_1_of(save)))
    assert wongar("resume", str(save), answers="3\n").code == 0
    saved = read_save(save)
    assert (saved.version, choices_in(save)) == (2, ["drop(a1)", "drop(b1)", "drop(c1)"])
    assert wongar("log", str(save)).code == 0


def test_save_is_locked_against_a_second_program(wongar: Command) -> None:
    save = wongar.home / "save.json"
    wongar(*TABLE, "--save", str(save), answers="1\n")
    table = reopen(save, Translator.load("en"), writing=True)
    try:
        before = save.read_bytes()
        for command in (("resume", str(save)), (*TABLE, "--save", str(save))):
            result = wongar(*command, "--lang", "en", answers="1\n")
            assert "another window" in result.err + result.out
        assert save.read_bytes() == before
        assert wongar("log", str(save)).code == 0
    finally:
        table.close()
    assert wongar("resume", str(save), answers="1\n").code == 0


def test_save_can_be_moved_together_with_its_rules(wongar: Command) -> None:
    old_folder, new_folder = wongar.home / "here", wongar.home / "there"
    (old_folder / "rules").mkdir(parents=True)
    rules, save = old_folder / "rules" / "mine.rules", old_folder / "save.json"
    rules.write_text("variant mine of connect_four\n")
    wongar.play(rules, "1", save=save)
    old_folder.rename(new_folder)
    assert wongar("resume", str(new_folder / "save.json"), answers="2\n").code == 0
    assert choices_in(new_folder / "save.json") == ["drop(a1)", "drop(b1)"]
    (new_folder / "rules" / "mine.rules").rename(new_folder / "mine.rules")
    assert wongar("resume", str(new_folder / "save.json"), answers="3\n").code == 0


def test_leftover_of_a_killed_write_is_deleted(wongar: Command) -> None:
    save = wongar.home / "save.json"
    partial = wongar.home / f".{save.name}.abcd1234.part"
    partial.write_text("half a sa")
    wongar(*TABLE, "--save", str(save), answers="1\n")
    assert save.exists()
    assert not partial.exists()


def test_seed_of_a_game_with_secrets_is_shown_after_its_end(wongar: Command) -> None:
    save = wongar.home / "save.json"
    running = wongar(*TABLE[:-1], "987654321987", "--lang", "en", "--save", str(save), answers="1\n")
    assert "987654321987" not in running.out
    line = wongar("log", str(save), "--for", "1", "--format", "jsonl").out.splitlines()[0]
    assert json.loads(line)["seed"] is None
    for game, seats in (("kuhn_poker", "random,random"), ("nim", "human,random")):
        assert "987654321987" in wongar.play(game, seats=seats, seed=987654321987).out


MOVES = [f"mark({cell})" for cell in ("a1", "b1", "a2", "b2", "a3")]


def saves_folder(wongar: Command) -> Path:
    return wongar.home / "data" / "wongar" / "saves"


def stored_game(wongar: Command, name: str, *answers: str, age: int, language: str = "en") -> Path:
    """Play tic-tac-toe with a save in the default folder, set its age in seconds, and return the path."""
    path = saves_folder(wongar) / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    assert wongar.play("tictactoe", *answers, save=path, lang=language).code == 0
    os.utime(path, (1_700_000_000 - age, 1_700_000_000 - age))
    return path


def test_list_names_players_and_current_turn_in_words_and_as_data(wongar: Command) -> None:
    assert "There are no saved games" in wongar("saves", "--lang", "en").out
    assert json.loads(wongar("saves", "--format", "json").out) == []
    stored_game(wongar, "running", "mark(a1)", age=0)
    won = stored_game(wongar, "won", *MOVES, age=60)
    out = wongar("saves", "--lang", "en").out
    assert [line.strip() for line in out.splitlines()][1::2][:2] == [
        "Anna and Ben; one decision; it is Ben’s turn",
        "Anna and Ben; 5 decisions; over: Anna won",
    ]
    out = wongar("saves", "--lang", "de").out
    assert "Ben ist am Zug" in out
    assert "zu Ende, gewonnen hat: Anna" in out
    first, second = json.loads(wongar("saves", "--format", "json").out)
    assert (first["number"], first["decides"], first["over"], first["winners"]) == (1, 2, False, [])
    assert (second["file"], second["decides"], second["over"], second["winners"]) == (str(won), None, True, [1])
    assert second["players"] == ["Anna", "Ben"]


def test_list_marks_broken_saves_and_changed_rules(wongar: Command) -> None:
    running = stored_game(wongar, "running", "mark(a1)", age=60)
    running.write_text(running.read_text().replace(read_save(running).rules, "0" * 64))
    (saves_folder(wongar) / "broken.json").write_text("{")
    result = wongar("saves", "--lang", "en")
    assert result.code == 0
    assert "broken.json" in result.out
    assert "have changed since" in " ".join(result.out.split())
    data = json.loads(wongar("saves", "--format", "json").out)
    assert [game["fault"] for game in data] == ["broken", "other_rules"]


def test_game_is_resumed_by_number_in_its_language(wongar: Command) -> None:
    stored_game(wongar, "newer", "mark(a1)", age=0, language="nl")
    older = stored_game(wongar, "older", "mark(c3)", age=60, language="it")
    result = wongar("resume", "2", answers="mark(b2)\n")
    assert result.code == 0
    assert [text for text, _ in read_save(older).choices] == ["mark(c3)", "mark(b2)"]
    assert "Ben, quale casella" in result.out
    assert read_save(older).language == "it"
    result = wongar("resume", "3", "--lang", "en")
    assert result.code == 1
    assert "no game with the number 3" in result.err


def test_prune_removes_finished_games_after_confirmation(wongar: Command) -> None:
    running, won = stored_game(wongar, "running", "mark(a1)", age=0), stored_game(wongar, "won", *MOVES, age=60)
    refused = wongar("saves", "--prune", "--lang", "en")
    assert refused.code == 2
    assert won.exists()
    assert wongar("saves", "--prune", "--yes").code == 0
    assert (running.exists(), won.exists()) == (True, False)
    assert "None of the saved games" in wongar("saves", "--prune", "--lang", "en").out


def test_prune_keeps_a_game_open_elsewhere(wongar: Command) -> None:
    won = stored_game(wongar, "won", *MOVES, age=60)
    with won.open("rb") as opened:
        fcntl.flock(opened, fcntl.LOCK_EX)
        result = wongar("saves", "--prune", "--yes", "--lang", "en")
    assert result.code == 1
    assert won.exists()


def test_replay_moves_forwards_and_back_and_without_input_shows_every_step(wongar: Command) -> None:
    path = str(stored_game(wongar, "won", *MOVES, age=0))
    out = wongar("replay", "1", "--lang", "en", answers="n\nn\nb\n5\n<\n>\nnonsense\n77\nq\nn\n").out
    steps = [line for line in out.splitlines() if line.startswith(("Decision", "The start"))]
    numbers = [int(line.split()[1]) if line.startswith("Decision") else 0 for line in steps]
    assert numbers == [0, 1, 2, 1, 5, 0, 5]
    assert out.count("Type n (next)") == 2
    out = wongar("replay", path, "--lang", "de", answers="").out
    assert [f"Entscheidung {n} von 5" in out for n in range(1, 6)] == [True] * 5
    assert "Anna setzt auf a3." in out


CARDS = ("jack", "queen", "king")


@pytest.fixture
def poker(wongar: Command) -> str:
    """Return the path of a running game with hidden cards."""
    return str(wongar.play("kuhn_poker", "pass", seed=4, save=wongar.home / "poker.json").save)


def test_replay_hides_cards_from_seats_and_spectators(wongar: Command, poker: str) -> None:
    def replay(*arguments: str) -> Result:
        return wongar("replay", poker, "--lang", "en", *arguments, answers="")

    cards = [{card for card in CARDS if card in replay("--for", viewer).out} for viewer in "12"]
    assert [len(visible) for visible in cards] == [1, 1]
    assert cards[0] != cards[1]
    refused = replay("--for", "all")
    assert refused.code == 2
    assert "stays hidden" in refused.err
    wongar("resume", poker, answers="pass\n")
    assert sum(card in replay().out.partition("Decision 1")[0] for card in CARDS) == 2


def test_listed_steps_explain_each_sign_once(wongar: Command) -> None:
    played = wongar.play("wongar", "1", "1", "1", seats="human:Anna,human:Ben,human:Cleo", seed=2)
    out = wongar("replay", str(played.save), "--lang", "en", "--for", "1", answers="").out
    assert out.count("Decision ") > 1
    assert out.count("■ Cube") == 1
    # A choice without a sentence of its own is named by its option.
    assert "Decision 2 of 2: Cleo – Move the elder to the kangaroo area\n" in out


@pytest.mark.parametrize("command", ["log", "replay"])
def test_log_and_replay_warn_about_hidden_information(wongar: Command, poker: str, command: str) -> None:
    result = wongar(command, poker, "--lang", "en")
    assert "This game is not over" in result.err
    assert not any(card in result.out for card in CARDS)
    assert wongar(command, poker, "--lang", "en", "--for", "1").err == ""
    assert wongar("log", poker, "--format", "jsonl").err == ""
    open_game = stored_game(wongar, "running", "mark(a1)", age=0)
    assert wongar(command, str(open_game), "--lang", "en").err == ""


def test_list_marks_games_open_elsewhere(wongar: Command) -> None:
    def marked() -> int:
        return " ".join(wongar("saves", "--lang", "it").out.split()).count("; aperta in un’altra finestra")

    path = stored_game(wongar, "running", "mark(a1)", age=0)
    stored_game(wongar, "other", "mark(a1)", age=60)
    with path.open("rb") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        assert marked() == 1
        assert [game["open"] for game in json.loads(wongar("saves", "--format", "json").out)] == [True, False]
    assert marked() == 0


CONNECT_FOUR = ("play", "connect_four", "--seats", "human,human", "--lang", "en", "--save")


class Typing(io.StringIO):
    """Standard input that runs a callback before a given line is read."""

    def __init__(self, text: str, happens: dict[int, Callable[[], object]]) -> None:
        super().__init__(text)
        self._happens, self._line = happens, 0

    def readline(self, size: int | None = -1) -> str:
        self._line += 1
        self._happens.get(self._line, lambda: None)()
        return super().readline() if size is None else super().readline(size)


def run_with_callbacks(
    wongar: Command, save: Path, text: str, happens: dict[int, Callable[[], object]]
) -> tuple[int, str]:
    from wongar_dsl.cli.main import main

    wongar.capture.readouterr()
    with wongar.patch.context() as patch:
        patch.setattr(sys, "stdin", Typing(text, happens))
        code = main([*CONNECT_FOUR, str(save)])
    out, err = wongar.capture.readouterr()
    return code, out + err


@pytest.fixture
def save(wongar: Command) -> Path:
    folder = wongar.home / "mine"
    folder.mkdir()
    return folder / "save.json"


def test_removed_save_is_rewritten(wongar: Command, save: Path) -> None:
    harms = (save.unlink, lambda: save.rename(save.with_name("x")), lambda: shutil.rmtree(save.parent))
    for line, harm in zip((1, 4, 2), harms, strict=True):
        code, output = run_with_callbacks(wongar, save, "1\n1\n1\nquit\n", {line: harm})
        assert (code, "The game has been saved" in output) == (0, True)
        assert len(choices_in(save)) == 3


def test_failed_save_is_reported_as_an_error(wongar: Command, save: Path) -> None:
    def replace_folder_by_file() -> None:
        shutil.rmtree(save.parent)
        save.parent.write_text("")

    # The game is left, or it is won.
    for line, answers in ((2, "1\n1\n1\nquit\n"), (4, "1\n1\n1\nquit\n"), (3, "1\n2\n" * 4)):
        code, output = run_with_callbacks(wongar, save, answers, {line: replace_folder_by_file})
        assert code == 1
        assert "has not been saved" in output
        assert "has been saved" not in output
        save.parent.unlink()


def test_cache_is_not_written_on_a_nearly_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Cache(tmp_path / "kept")
    store.put(b"first", "one")
    monkeypatch.setattr(cache, "_free_bytes", lambda folder: cache.MIN_FREE_BYTES)
    store.put(b"second", "two")
    assert (store.get("one"), store.get("two")) == (b"first", None)


def test_reasons_of_the_system_are_translated() -> None:
    from wongar_dsl.cli.errors import os_error_text

    for name in ("ENOSPC", "EDQUOT", "EFBIG", "EROFS", "EACCES", "EPERM", "ENAMETOOLONG", "ENOTDIR", "EISDIR"):
        number = getattr(errno, name)
        reason = os_error_text(OSError(number, os.strerror(number)), load_translator("it"))
        assert reason
        assert reason != os.strerror(number)


RIGHT, LEFT, HOME, END, PAGE_DOWN, PAGE_UP = "\x1b[C", "\x1b[D", "\x1b[H", "\x1b[F", "\x1b[6~", "\x1b[5~"


def replay_of(
    folder: Path, game: str, seats: int, steps: int, viewer: int | None = EVERYTHING, seed: int = 3
) -> ReplayCursor:
    rules, luck = library.load(game), random.Random(seed)
    match = Match.begin(rules.game(seats), [Seat("random", name) for name in "ABCDE"[:seats]], seed, rules.hash)
    while len(match.steps) < steps and not match.state.over:
        match.play(luck.choice(match.state.legal_moves()))
    return ReplayCursor(
        GameSession(rules, match, Translator.load("en"), "", folder / "save.json"), viewer, Screen(interactive=True)
    )


def screen_after(keys: PipeInput, replay: ReplayCursor, typed: str) -> ReplayScreen:
    screen = ReplayScreen(replay, Terminal(input=keys, output=DummyOutput()))
    keys.send_text(typed + "q")
    screen.run()
    return screen


def test_paging_stops_at_the_top_and_restarts_per_step(
    keys: PipeInput, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LINES", "24")
    replay = replay_of(tmp_path, "wongar", 3, 30)
    for typed, moved in ((PAGE_DOWN, True), (PAGE_DOWN + PAGE_UP * 2, False), (PAGE_DOWN + RIGHT, False)):
        assert (screen_after(keys, replay, typed).top > 0) is moved


def test_keys_move_forwards_and_back(keys: PipeInput, tmp_path: Path) -> None:
    replay = replay_of(tmp_path, "tictactoe", 2, 5)
    typed = (RIGHT, "n", "\r", "b", LEFT, END, RIGHT, HOME, LEFT, "3\r", "4\n", "9\r")
    numbers = [screen_after(keys, replay, key).cursor.number for key in typed]
    assert numbers == [1, 2, 3, 2, 1, 5, 5, 0, 0, 3, 4, 4]
    # A number that is no step is refused.
    screen = ReplayScreen(replay, Terminal(input=keys, output=DummyOutput()))
    assert "q quit" in plain_text(screen.keys())
    screen._type("9")
    screen._move("n")
    assert "a number from 0 to 5" in plain_text(screen.keys())
    screen._move("b")
    assert "q quit" in plain_text(screen.keys())


@pytest.mark.parametrize(
    ("game", "seats", "size"),
    [
        ("wongar/initiated", 3, (80, 24)),
        ("tongiaki", 3, (40, 20)),
        ("tongiaki", 3, (160, 50)),
        ("ubongo", 2, (100, 40)),
    ],
)
def test_step_is_completely_visible_at_any_size(
    keys: PipeInput, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, seats: int, size: tuple[int, int]
) -> None:
    monkeypatch.setenv("COLUMNS", str(size[0]))
    monkeypatch.setenv("LINES", str(size[1]))
    replay = replay_of(tmp_path, game, seats, 30)
    screen = ReplayScreen(replay, Terminal(input=keys, output=DummyOutput()))
    for key in ("<", ">"):
        screen._move(key)
        room, footer = screen.room, screen.keys()
        assert room + len(footer) == size[1]
        assert all(line_width(line) <= size[0] for line in footer)
        seen = screen.lines()
        assert all(width(line_text(line).rstrip()) < size[0] for line in seen)
        while screen.below:
            before = screen.top
            screen._scroll(1)
            part = screen.lines()
            seen += part[before + room - screen.top :]
        screen._scroll(-99)
        assert [line_text(line) for line in screen.lines()] == [line_text(line) for line in seen[:room]]
        whole = "".join(line_text(line) for line in replay.lines(room))
        assert "".join("".join(line_text(line) for line in seen).split()) == "".join(whole.split())


def plain_text(lines: list[Line]) -> str:
    return " ".join(line_text(line) for line in lines)


VARIANT = "variant rich of tiny\n\nreplace winner p\n    fewest points of p\n    source house rule\n"


@pytest.fixture
def begun(wongar: Command, tmp_path: Path) -> Path:
    (tmp_path / "tiny.rules").write_text(GAME, encoding="utf-8")
    (tmp_path / "rich.rules").write_text(VARIANT, encoding="utf-8")
    played = wongar.play(tmp_path / "tiny.rules", "draw", "pay(red)", "rest", "quit", seed=7)
    assert (played.code, len(played.choices)) == (0, 3)
    return played.save


def test_game_continues_under_other_rules(wongar: Command, begun: Path) -> None:
    before, new, rules = begun.read_bytes(), begun.with_name("new.json"), str(begun.with_name("rich.rules"))
    more = ("--save", str(new), "--lang", "de")
    result = wongar("play", rules, "--from", str(begun), *more, answers="rest\nquit\n")
    assert (result.code, result.err) == (0, "")
    assert str(begun) in result.out.splitlines()[0]
    assert "cli." not in result.out
    assert "Anna" in result.out
    assert begun.read_bytes() == before
    assert choices_in(new) == ["rest"]
    assert wongar("resume", str(new), answers="draw\nquit\n").code == 0
    assert choices_in(new) == ["rest", "draw"]
    assert len(wongar("log", str(new)).out.splitlines()) >= 2


def test_current_rules_of_the_save_are_the_default(wongar: Command, begun: Path) -> None:
    rules = begun.with_name("tiny.rules")
    rules.write_text(GAME.replace("gains 2 points", "gains 7 points"), encoding="utf-8")
    result = wongar("play", "--from", str(begun), "--lang", "en", answers="quit\n")
    assert result.code == 0
    assert "were replayed with the new rules" in result.out


def test_settings_chosen_by_the_player_are_kept(wongar: Command, tmp_path: Path) -> None:
    options = "option dear_ones = 2 in 0 to 9\n    source house rule\noption rough = no\n    source house rule\n"
    text = GAME.replace("score points\n", f"{options}score points\n").replace(
        "gains 2 points", "gains dear_ones points"
    )
    (tmp_path / "tiny.rules").write_text(text, encoding="utf-8")
    variant = tmp_path / "quick.rules"
    variant.write_text("variant quick of tiny\n\nset dear_ones to 3\n", encoding="utf-8")
    played = wongar.play(tmp_path / "tiny.rules", "quit", set="rough=yes")
    command = ("play", str(variant), "--from", str(played.save), "--lang", "en")
    result = wongar(*command, answers="quit\n")
    assert (result.code, "dear_ones was 2 in the save and is 3 now." in result.out) == (0, True)
    assert "rough" not in result.out
    assert "rough was yes in the save and is no now." in wongar(*command, "--set", "rough=no", answers="quit\n").out
    assert "rough" in wongar("play", "nim", *command[2:]).err


def test_incompatible_rules_are_reported_and_the_save_is_unchanged(wongar: Command, begun: Path) -> None:
    before = begun.read_bytes()
    other_rules = begun.with_name("other.rules")
    changes = (("game tiny", "game other"), ("mine", "yours"), ("    dear(", "    costly("), (" dear(", " costly("))
    text = GAME
    for old, new in changes:
        text = text.replace(old, new)
    other_rules.write_text(text, encoding="utf-8")
    result = wongar("play", str(other_rules), "--from", str(begun), "--lang", "it", answers="quit\n")
    assert result.code == 1
    lines = result.err.splitlines()
    assert str(begun) in lines[0]
    assert any(line.strip().startswith("mine: ") for line in lines)
    assert any("heap_of_cards" in line and "dear" in line for line in lines)
    assert "cli." not in result.err
    assert begun.read_bytes() == before
