"""Sizes of hidden zones in sampled worlds: publicly known sizes are kept, others vary."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import write_rules
from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.compiler.ir.containers import size_at
from wongar_dsl.engine import State
from wongar_dsl.engine.hidden_information.determinization import SampledWorlds
from wongar_dsl.engine.library import load
from wongar_dsl.engine.match import Match, Seat

GAME = """
enum coin = penny, shilling
cards note
    plain
    striped
remember secret: number 0 to 9 = 0, seen by nobody
tokens purse holds coin, seen by nobody
tokens box holds coin, seen by nobody
tokens tray holds coin, seen as a number
tokens chest of each coin holds coin, seen by nobody
pile stack holds at most 6 note, seen by nobody
heap drawer holds at most 6 note, seen by nobody
setup
    set secret to random n in 0 to 1
    fill purse with 4 penny
    fill purse with 4 shilling
    fill stack with 3 plain
    fill stack with 3 striped
    shuffle stack
play
    player(1) chooses hiding
        hide(m: 0 to 2, kind: coin)
{act}
    player(2) chooses guessing
        coins(m: 0 to 8)
            if m = box[penny] + box[shilling] + chest[penny, penny]
                player(2) wins
        notes(m: 0 to 6)
            if m = size of drawer
                player(2) wins
    player(1) wins
"""

PUBLIC = {
    "which token comes": "move 1 kind from purse to box quietly",
    "which card comes": "move top of stack to drawer quietly",
    "a number in the rules": "move 2 penny from purse to box quietly",
    "all of a pile": "move all of stack to drawer quietly",
    # It is public that something moves, and where.
    "how often, by choice": "for each k in 1 to m\n    move top of stack to drawer quietly",
    "what hangs on a hidden card": "if top of stack is plain\n    move bottom of stack to drawer quietly",
    "into which copy": "move 1 penny from purse to chest[kind] quietly",
    "to where the number is seen": "move m penny from purse to tray quietly",
}
HIDDEN = {
    "how many, by choice": ("move m kind from purse to box quietly", {"purse", "box"}),
    "how many are filled in": ("fill box with m kind", {"box"}),
    "how many, by chance": (
        "let more = random n in 0 to 4\nmove more penny from purse to box quietly",
        {"purse", "box"},
    ),
    "how many, by a hidden value": ("move secret penny from purse to box quietly", {"purse", "box"}),
    "all of what nobody can count": (
        "move m kind from purse to box quietly\nmove all of box to chest[penny] quietly\n"
        "move m kind from purse to box quietly",
        {"purse", "box", "chest"},
    ),
}


def match_with_hiding(folder: Path, act: str) -> Match:
    """Return a match in which player 1 hides something by a choice and player 2 has to guess."""
    indented = "\n".join(f"            {line}" for line in act.split("\n"))
    match = Match.begin(load(write_rules(folder, GAME.format(act=indented))).game(2), [Seat("human")] * 2, 4, "hash")
    match.play(match.state.read("hide(2, penny)"))
    return match


def zone_sizes(state: State) -> dict[str, int]:
    """Return the sizes of the zones, of the first copy of each."""
    names = ("purse", "box", "chest", "stack", "drawer")
    return {name: size_at(state.cells, state.game.fields[name], state.game.fields[name].base) for name in names}


def sampled_sizes(match: Match, known: bool, number: int = 24) -> list[dict[str, int]]:
    """Return the sizes in worlds sampled for player 2, with (`known`) or without the moves so far."""
    worlds, generator = SampledWorlds(match.state, 1, match.past if known else None), Generator(2)
    return [zone_sizes(worlds.sample(generator)) for _ in range(number)]


@pytest.mark.parametrize("act", PUBLIC.values(), ids=PUBLIC)
def test_public_size_is_kept(tmp_path: Path, act: str) -> None:
    match = match_with_hiding(tmp_path, act)
    assert not match.game.knowledge.flow.hidden_counts
    assert sampled_sizes(match, known=True, number=3) == [zone_sizes(match.state)] * 3


@pytest.mark.parametrize(("act", "zones"), HIDDEN.values(), ids=HIDDEN)
def test_unknown_size_varies(tmp_path: Path, act: str, zones: set[str]) -> None:
    match = match_with_hiding(tmp_path, act)
    assert match.game.knowledge.flow.hidden_counts == zones
    samples = sampled_sizes(match, known=True)
    varied = {name for name in zone_sizes(match.state) if len({sample[name] for sample in samples}) > 1}
    assert varied == zones


def test_sizes_without_history_are_possible_by_the_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = match_with_hiding(tmp_path, "move m kind from purse to box quietly")
    samples = sampled_sizes(match, known=False)
    assert {sample["box"] for sample in samples} == {0, 1, 2}
    # Without other playouts, tokens are distributed at random.
    monkeypatch.setattr("wongar_dsl.engine.hidden_information.determinization.MAX_RANDOM_GAMES", 0)
    distributed = sampled_sizes(match, known=False)
    assert len({sample["box"] for sample in distributed}) > 3
    assert all(sample["purse"] + sample["box"] == 8 and sample["stack"] == 6 for sample in (*samples, *distributed))
