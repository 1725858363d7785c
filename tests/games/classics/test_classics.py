"""Classic games, shipped and extra, against their published perft numbers and values."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.engine import Game
from wongar_dsl.engine.library import load
from wongar_dsl.lab import perft
from wongar_dsl.language.semantics import Type
from wongar_dsl.nlg.words.lint.catalog_check import MessageSpec, check

SHIPPED = ("tictactoe", "connect_four", "nim", "kuhn_poker", "goofspiel")
EXTRA = Path(__file__).parent / "extra"
EXTRAS = sorted(path.stem for path in EXTRA.glob("*.rules"))


def game(name: str, seats: int | None = None, backend: str = "python", **options: int) -> Game:
    rules = load(name if name in SHIPPED else EXTRA / f"{name}.rules")
    return rules.game(seats or rules.model.players[0], options, backend)


def histories_per_level(made: Game, depth: int, chance: bool = False) -> list[int]:
    return [level.histories for level in perft.count(made, depth, chance=chance)][1:]


# ---- published numbers ----


def test_tictactoe() -> None:
    made = game("tictactoe")
    levels = list(perft.count(made, 9))
    assert [x.histories for x in levels] == [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    assert sum(x.positions for x in levels) == 5478
    assert perft.endings(made) == {(0,): 131_184, (1,): 77_904, (): 46_080}
    assert sum(x.over for x in levels) == 255_168


def test_connect_four() -> None:
    levels = list(perft.count(game("connect_four"), 7))
    assert [x.histories for x in levels] == [1, 7, 49, 343, 2401, 16807, 117649, 823536]
    assert [x.positions for x in levels] == [1, 7, 49, 238, 1120, 4263, 16422, 54859]
    # With them there are the published 5,673,234 games of eight discs: four are in a line after seven at the earliest.
    assert [x.over for x in levels] == [*7 * [0], 13032]


def test_nim() -> None:
    assert sum(perft.endings(game("nim")).values()) == 182


def test_kuhn_poker() -> None:
    made = game("kuhn_poker")
    levels = list(perft.count(made, 9, chance=True))
    assert [x.histories for x in levels] == [1, 3, 6, 12, 24, 12]
    assert sum(x.histories for x in levels) == 58
    assert sum(x.over for x in levels) == 30
    assert perft.random_play_values(made) == (Fraction(1, 8), Fraction(-1, 8))


def test_goofspiel() -> None:
    made = game("goofspiel")
    first, second = perft.random_play_values(made)
    assert first == second
    first, second = perft.random_play_values(made, lambda state: tuple(int(state.winners == (p,)) for p in (0, 1)))
    assert first == second
    assert sum(perft.endings(made, chance=True).values()) == 6 * 6 * 6


def test_reversi() -> None:
    assert histories_per_level(game("reversi"), 5) == [4, 12, 56, 244, 1396]


def test_breakthrough() -> None:
    assert histories_per_level(game("breakthrough"), 3) == [22, 484, 11132]


def test_draughts() -> None:
    assert histories_per_level(game("draughts"), 5) == [7, 49, 302, 1469, 7361]


def test_hex_has_no_draws() -> None:
    endings = perft.endings(game("hex"))
    assert set(endings) == {(0,), (1,)}
    assert histories_per_level(game("hex"), 4) == [9, 72, 504, 3024]


def test_leduc_poker() -> None:
    levels = list(perft.count(game("leduc"), 20, chance=True))
    assert sum(x.histories for x in levels) == 9457
    assert sum(x.over for x in levels) == 5520
    assert sum(perft.random_play_values(game("leduc"))) == 0


def test_pig() -> None:
    assert histories_per_level(game("pig"), 3, chance=True) == [1, 6, 11]


# ---- all games ----


def play_record(made: Game, seed: int, steps: int = 150) -> list[object]:
    generator = Generator(seed)
    state, events = made.start(seed)
    record: list[object] = [[(e.spec, e.values) for e in events]]
    while not state.over and len(record) < steps:
        moves = state.legal_moves()
        record.append((state.seat, moves))
        events = state.apply(moves[generator.below(len(moves))])
        record.append([(e.spec, e.values) for e in events])
    return [*record, state.cells, state.winners, state.scores]


@pytest.mark.parametrize("name", [*SHIPPED, *EXTRAS])
def test_backends_agree(name: str) -> None:
    low, high = load(name if name in SHIPPED else EXTRA / f"{name}.rules").model.players
    for seats in range(low, high + 1):
        for seed in range(3 if name in SHIPPED else 1):
            steps = 150 if name in SHIPPED else 40
            assert play_record(game(name, seats), seed, steps) == play_record(
                game(name, seats, "reference"), seed, steps
            )


@pytest.mark.parametrize("name", SHIPPED)
def test_random_games_end(name: str) -> None:
    low, high = load(name).model.players
    for seats in range(low, high + 1):
        made = game(name, seats)
        generator = Generator(7)
        for seed in range(200):
            state, _ = made.start(seed)
            while not state.over:
                moves = state.legal_moves()
                state.apply(moves[generator.below(len(moves))])


@pytest.mark.parametrize("name", SHIPPED)
def test_classics_are_short_and_have_no_warnings(name: str) -> None:
    rules = load(name)
    assert not rules.warnings
    assert rules.sources[0].text.count("\n") < 60
    assert rules.model.merged.head.books


def slot_type(kind: Type) -> str:
    return kind.kind if kind.kind in ("number", "player") else f"term:{kind.name}"


def messages_and_words(name: str) -> tuple[list[MessageSpec], dict[str, list[str]]]:
    """Return the messages and the words of a game that need an entry in each language."""
    model = load(name).model
    words: dict[str, list[str]] = {sort: list(values) for sort, values in model.enums.items()}
    words |= {sort: [sort] for sort in model.boards}
    words |= {sort: [sort, *(face.name for face in cards.faces)] for sort, cards in model.cards.items()}
    named = model.declared
    words["names"] = [name, *named.zones, *named.scores, *named.remembered]
    specs = [MessageSpec(f"{name}.{m.name}", {n: slot_type(k) for n, k in m.slots}) for m in model.messages.values()]
    for decision in model.decisions.values():
        specs.append(MessageSpec(f"{name}.decision.{decision.name}", {"player": "player"}))
        for option, parameters in decision.options:
            words["names"].append(option)
            slots = {n: slot_type(k) for n, k in parameters}
            specs.append(MessageSpec(f"{name}.decision.{decision.name}.{option}", slots))
    return specs, words


def test_messages_are_complete_in_every_language() -> None:
    """All games are checked at once, since the check also reads all other words of a language."""
    wanted = {name: messages_and_words(name) for name in SHIPPED}
    specs = [spec for game_specs, _ in wanted.values() for spec in game_specs]
    catalog_faults = [f for f in check(specs, {name: words for name, (_, words) in wanted.items()}) if not f.unused]
    assert [
        (f.name, f.language, {k: str(v) for k, v in f.details.items()}, f.file, f.line) for f in catalog_faults
    ] == []


def perft_counts(out: str) -> list[list[str]]:
    """Return the depths with their numbers of games, without the other columns."""
    return [line.split()[:2] for line in out.splitlines()[1:-1]]


def test_perft_command(capsys: pytest.CaptureFixture[str]) -> None:
    from wongar_dsl.cli.main import main

    assert main(["perft", "kuhn_poker", "--chance", "--depth", "5"]) == 0
    assert perft_counts(capsys.readouterr().out) == [["1", "3"], ["2", "6"], ["3", "12"], ["4", "24"], ["5", "12"]]
    assert main(["perft", "tictactoe", "--depth", "3"]) == 0
    assert perft_counts(capsys.readouterr().out) == [["1", "9"], ["2", "72"], ["3", "504"]]
