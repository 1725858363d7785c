"""What a player is shown does not depend on what they may not see: in games that look the same to a seat, the picture,
the options, the help, the log in words and as data, the answer to `undo`, and the answers to every move that anybody
could name are the same."""

from __future__ import annotations

import json
import random
import re
from itertools import product
from pathlib import Path

import pytest

from tests.cli.command import Command
from tests.properties.permuter import random_match, replayed, twin
from wongar_dsl.backends.chance import Generator
from wongar_dsl.cli.play.display import Display
from wongar_dsl.cli.play.help import explain_option
from wongar_dsl.cli.play.menu import lines as menu_lines
from wongar_dsl.cli.play.metacommands import Metacommands
from wongar_dsl.cli.terminal.screen import Screen, plain
from wongar_dsl.engine import IllegalMove, State, notation, transcript
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.library import Rules, load
from wongar_dsl.narration import illegal
from wongar_dsl.table.menu import Menu
from wongar_dsl.table.table import Table
from wongar_dsl.words import Words

NAMES = ("Anna", "Bert", "Carl")
#: Numbers below this are named as arguments of moves.
NUMBERS = 4
WORDS = Words.load("de")
DATA = Path(__file__).resolve().parents[1] / "data"
#: Games with the number of seats, and after how many decisions somebody looks.
GAMES = {
    "wongar/initiated": (3, (15, 60, 61)),
    "kuhn_poker": (2, (0, 1, 2)),
    "goofspiel": (3, (1, 5)),
    str(DATA / "which_hand.rules"): (2, (1, 2, 3)),
    str(DATA / "stash.rules"): (2, (1, 1)),
}


def every_notation(state: State) -> list[str]:
    """Every move of the decision that can be written, legal or not."""
    model, decision = state.game.model, state.decision
    assert decision is not None
    found = []
    for number, option in enumerate(decision.options):
        ranges = [
            range(NUMBERS if kind.kind == "number" else model.size(kind, state.game.seats))
            for _, kind in option.parameters
        ]
        found += [notation.write(model, decision, (number, *values)) for values in product(*ranges)]
    return found


def shown(rules: Rules, match: Match, viewer: int, path: Path, capture: pytest.CaptureFixture[str]) -> list[str]:
    """Everything that the viewer can get to see now, and what is said when a step is taken back."""
    table = Table(rules, match, WORDS, "", path)
    display = Display(table, Screen())
    display.looking = viewer
    commands = Metacommands(display, lambda question: False)
    menu = Menu.of(match.state, table.narrator)
    display.tell(viewer)
    commands.obey("board", menu)
    commands.obey("log", menu)
    shown_lines = list(transcript.lines(match, viewer))
    if match.state.seat == viewer:
        commands.obey("?", menu)
        shown_lines += [plain(line) for line in menu_lines(menu, table.words, 80)]
        shown_lines += [text for entry in menu.entries for _, text in explain_option(table, entry)]
        for text in every_notation(match.state):
            try:
                match.state.read(text)
            except IllegalMove as error:
                shown_lines += illegal.explain(error, match.state, table.narrator)
    commands.obey("undo", menu)
    table.close()
    path.unlink(missing_ok=True)
    return [*shown_lines, *capture.readouterr().out.splitlines()]


def another(match: Match, viewer: int) -> Match | None:
    """A game that looks the same to a viewer, if there is one; best one in which others have chosen differently."""
    others = [other for number in range(3) if (other := twin(match, viewer, random.Random(number))) is not None]
    chosen = [step.text for step in match.steps]
    return next(
        (other for other in others if [step.text for step in other.steps] != chosen), others[0] if others else None
    )


@pytest.mark.parametrize("name", GAMES, ids=[Path(name).stem for name in GAMES])
def test_what_is_shown_depends_only_on_what_may_be_seen(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules, (seats, lengths) = load(name), GAMES[name]
    game, checked = rules.game(seats), 0
    for seed, length in enumerate(lengths):
        match = random_match(game, seed, length)
        match.seats = [Seat("human", name) for name in NAMES[:seats]]
        for viewer in range(seats):
            other = another(match, viewer)
            if other is not None:
                checked += 1
                save = tmp_path / "save.json"
                # A step is taken back from a game of its own: the other viewers are still to look.
                own = replayed(match, match.past.first, viewer, random.Random(0), change=False)
                assert own is not None
                assert shown(rules, other, viewer, save, capsys) == shown(rules, own, viewer, save, capsys)
    assert checked > 1


def test_what_is_told_names_no_card_that_a_reader_may_not_see() -> None:
    rules = load("wongar")
    match = Match.begin(rules.game(3), [Seat("human", name) for name in NAMES], 5, rules.hash)
    table = Table(rules, match, WORDS, "", Path("save.json"))
    generator = Generator(5)
    while not match.state.over:
        moves = match.state.legal_moves()
        match.play(moves[generator.below(len(moves))])
    for viewer in (0, 1, 2, None):
        hidden = 0
        for event in match.history():
            told = table.narrator.event(event, viewer)
            if told is not None and any(event.spec.secret) and not event.sees(viewer):
                assert "„" not in told, told
                hidden += 1
        assert hidden


#: Who is dealt what in the game of poker of this seed, as those who may see it are told, and as others are.
OWN, OTHERS = ("Anna is dealt a queen", "Bert a king"), ("Anna is dealt a card", "Bert a card")


@pytest.mark.parametrize(
    ("over", "arguments", "told"),
    [
        (False, (), OTHERS),
        (False, ("--for", "1"), (OWN[0], OTHERS[1])),
        (False, ("--for", "2"), (OTHERS[0], OWN[1])),
        (False, ("--for", "all"), OWN),
        (True, (), OWN),
        (True, ("--for", "1"), (OWN[0], OTHERS[1])),
        (True, ("--for", "2"), (OTHERS[0], OWN[1])),
        (True, ("--for", "all"), OWN),
    ],
)
def test_a_log_tells_what_its_reader_may_know(
    wongar: Command, over: bool, arguments: tuple[str, ...], told: tuple[str, str]
) -> None:
    save = wongar.home / "save.json"
    seats = ("random" if over else "human") + ":Anna,random:Bert"
    wongar("play", "kuhn_poker", "--seats", seats, "--seed", "3", "--save", str(save), "--lang", "en")
    lines = [line.strip() for line in wongar("log", str(save), "--lang", "en", *arguments).out.splitlines()]
    assert [line for line in lines if " is dealt " in line] == [f"{told[0]} and {told[1]}."]


SEED = 987654321987
#: What happens to the save of a running game, as changes of its head and a line behind it, and what is asked then.
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
def test_nothing_that_is_said_of_a_running_game_tells_its_seed_or_what_is_hidden(
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
    said = [begun, *(wongar(command, str(save), "--lang", "en") for command in ("resume", "log"))]
    told = "".join(result.out + result.err for result in said) + "".join(path.name for path in wongar.saves())
    # Anna has the jack, and Bert the king.
    assert "jack" in told
    assert not re.search(r"\b(queen|king)\b", told)
    assert str(SEED) not in told
    assert (said[1].code != 0) == bool(head or line.endswith("\n"))
