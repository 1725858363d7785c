"""Output to a player is independent of hidden information.

Two games in the same information set of a seat give that seat the same picture, options, help, log in words and as
data, answer to `undo`, and answer to every move that can be written.
"""

from __future__ import annotations

import json
import random
import re
from itertools import product
from pathlib import Path

import pytest

from tests.cli.command import Command
from tests.properties.permuter import random_match, replayed, twin
from wongar_dsl.cli.play.display import Display
from wongar_dsl.cli.play.help import explain_option
from wongar_dsl.cli.play.menu import menu_lines
from wongar_dsl.cli.play.metacommands import Metacommands
from wongar_dsl.cli.terminal.screen import Screen
from wongar_dsl.engine import IllegalMove, State, notation, saves
from wongar_dsl.engine.library import Rules, load
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.nlg.narration import illegal_move
from wongar_dsl.nlg.words import Translator
from wongar_dsl.render.text.lines import line_text
from wongar_dsl.session.game_session import GameSession
from wongar_dsl.session.menu import Menu

NAMES = ("Anna", "Bert", "Carl")
#: Upper limit (exclusive) of numbers tried as arguments of moves.
NUMBERS = 4
WORDS = Translator.load("de")
DATA = Path(__file__).resolve().parents[1] / "data"
#: Per game: number of seats, and the decision counts after which the output is compared.
GAMES = {
    "wongar/initiated": (3, (15, 61)),
    "kuhn_poker": (2, (0, 1, 2)),
    "goofspiel": (3, (1, 5)),
    str(DATA / "which_hand.rules"): (2, (1, 2, 3)),
    str(DATA / "stash.rules"): (2, (1, 1)),
}


def all_notations(state: State) -> list[str]:
    """Return the notation of every move of the decision, legal or not."""
    model, decision = state.game.model, state.decision
    assert decision is not None
    notations = []
    for number, option in enumerate(decision.options):
        ranges = [
            range(NUMBERS if kind.kind == "number" else model.size(kind, state.game.seats))
            for _, kind in option.parameters
        ]
        notations += [notation.write(model, decision, (number, *values)) for values in product(*ranges)]
    return notations


def output_to(rules: Rules, match: Match, viewer: int, path: Path, capture: pytest.CaptureFixture[str]) -> list[str]:
    """Return all output that the viewer can request now, including the answer to `undo`."""
    session = GameSession(rules, match, WORDS, "", path)
    display = Display(session, Screen())
    display.viewer = viewer
    commands = Metacommands(display, lambda question: False)
    menu = Menu.of(match.state, session.narrator)
    display.report_events(viewer)
    commands.handle("board", menu)
    commands.handle("log", menu)
    shown_lines = list(saves.lines(match, viewer))
    if match.state.seat == viewer:
        commands.handle("?", menu)
        shown_lines += [line_text(line) for line in menu_lines(menu, session.words, 80)]
        shown_lines += [text for entry in menu.entries for _, text in explain_option(session, entry)]
        for text in all_notations(match.state):
            try:
                match.state.read(text)
            except IllegalMove as error:
                shown_lines += illegal_move.explain(error, match.state, session.narrator)
    commands.handle("undo", menu)
    session.close()
    path.unlink(missing_ok=True)
    return [*shown_lines, *capture.readouterr().out.splitlines()]


def indistinguishable_match(match: Match, viewer: int) -> Match | None:
    """Return a match that looks the same to the viewer, or None. Prefer one with other choices of the opponents."""
    twins = [result for number in range(3) if (result := twin(match, viewer, random.Random(number))) is not None]
    chosen = [step.text for step in match.steps]
    return next(
        (candidate for candidate in twins if [step.text for step in candidate.steps] != chosen),
        twins[0] if twins else None,
    )


@pytest.mark.parametrize("name", GAMES, ids=[Path(name).stem for name in GAMES])
def test_output_is_equal_for_indistinguishable_games(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules, (seats, lengths) = load(name), GAMES[name]
    game, checked = rules.game(seats), 0
    for seed, length in enumerate(lengths):
        match = random_match(game, seed, length)
        match.seats = [Seat("human", name) for name in NAMES[:seats]]
        for viewer in range(seats):
            twin_match = indistinguishable_match(match, viewer)
            if twin_match is not None:
                checked += 1
                save = tmp_path / "save.json"
                # Undo changes the match, so each viewer gets a copy.
                copy = replayed(match, match.past.first, viewer, random.Random(0), change=False)
                assert copy is not None
                shown = [output_to(rules, of, viewer, save, capsys) for of in (twin_match, copy)]
                assert shown[0] == shown[1]
    assert checked > 1


#: Deals of the poker game with this seed, as narrated to the owner of a card and to other players.
OWN, OTHERS = ("Anna is dealt a queen", "Bert a king"), ("Anna is dealt a card", "Bert a card")


@pytest.mark.parametrize(
    ("over", "arguments", "told"),
    [
        (False, (), OTHERS),
        (False, ("--for", "1"), (OWN[0], OTHERS[1])),
        (False, ("--for", "all"), OWN),
        (True, (), OWN),
        (True, ("--for", "2"), (OTHERS[0], OWN[1])),
    ],
)
def test_log_reveals_only_what_its_reader_may_know(
    wongar: Command, over: bool, arguments: tuple[str, ...], told: tuple[str, str]
) -> None:
    save = wongar.home / "save.json"
    seats = ("random" if over else "human") + ":Anna,random:Bert"
    wongar("play", "kuhn_poker", "--seats", seats, "--seed", "3", "--save", str(save), "--lang", "en")
    lines = [line.strip() for line in wongar("log", str(save), "--lang", "en", *arguments).out.splitlines()]
    assert [line for line in lines if " is dealt " in line] == [f"{told[0]} and {told[1]}."]
    data = [json.loads(line) for line in wongar("log", str(save), "--format", "jsonl", *arguments).out.splitlines()]
    cards = [event["card"] for event in data[1]["setup"] if "card" in event]
    assert [card is not None for card in cards] == [told[0] == OWN[0], told[1] == OWN[1]]
    assert (data[0]["seed"] is not None) is (over or "all" in arguments)
    for wrong in ("0", "4", "x", "²", "9" * 5000):
        assert wongar("log", str(save), "--for", wrong).code == 2


SEED = 987654321987
#: Damages of a running game's save: changed head entries and an appended line.
DAMAGES = {
    "nothing": ({}, ""),
    "another word for the seed": ({"seed": f"{SEED}x"}, ""),
    "a chance of its own": ({"chance": 9}, ""),
    "other rules": ({"rules": "0" * 64}, ""),
    "another version": ({"version": 99}, ""),
    "a choice that is none": ({}, '{"take": "raise"}\n'),
    "a line cut off": ({}, '{"take": "pa'),
}


@pytest.mark.parametrize(("head", "line"), DAMAGES.values(), ids=DAMAGES)
def test_output_of_a_running_game_reveals_no_seed_and_no_secrets(
    wongar: Command, head: dict[str, object], line: str
) -> None:
    begun = wongar(
        "play", "kuhn_poker", "--seats", "human:Anna,random:Bert", "--seed", str(SEED), "--lang", "en",
        answers=f"log\nsave {wongar.home / 'copy.json'}\nundo\nboard\n?\nquit\n",
    )  # fmt: skip
    (save,) = wongar.saves()
    first, *rest = save.read_text().splitlines(keepends=True)
    assert str(SEED) in first
    save.write_text(json.dumps(json.loads(first) | head) + "\n" + "".join(rest) + line)
    results = [begun, *(wongar(command, str(save), "--lang", "en") for command in ("resume", "log"))]
    text = "".join(result.out + result.err for result in results) + "".join(path.name for path in wongar.saves())
    # Anna holds the jack, Bert the king.
    assert "jack" in text
    assert not re.search(r"\b(queen|king)\b", text)
    assert str(SEED) not in text
    assert (results[1].code != 0) == bool(head or line.endswith("\n"))
