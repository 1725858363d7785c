"""Zones that only the setup uses are shown until they are empty."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.small_games import write_rules
from wongar_dsl.engine.library import load
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.words import Translator, available
from wongar_dsl.render.text.position import picture
from wongar_dsl.render.text.scene import TextScene

#: `sack` is empty after the setup and stays empty, `shelf` is empty and can be refilled, `crate` is never emptied.
GAME = """
cards tile
    sheep
deck box of tile
    9 sheep
pile stack holds tile, seen by all
{kind} sack{each} holds tile, {seen}
{kind} shelf{each} holds tile, {seen}
{kind} crate{each} holds tile, {seen}
setup
    fill stack with box
    for each p in player
        for each z in player
            move top of stack to sack{of} quietly
            move {all_of}sack{of} to stack quietly
        if (size of stack > 8)
            move top of stack to crate{of} quietly
play
    for each p in player
        p chooses turn
            refill
                refill(p)
            stop
                nobody wins

rule refill(p: player)
    move top of stack to shelf{of}
"""


@pytest.mark.parametrize("each", ["", " of each player"])
@pytest.mark.parametrize(
    ("kind", "seen", "knows"),
    [
        ("heap", "seen by all", True),
        ("heap", "seen as a number", True),
        ("heap", "seen by nobody", False),
        ("pile", "seen by all", True),
        ("slot", "seen by all", True),
    ],
)
def test_only_empty_zones_that_play_may_fill_are_shown(
    kind: str, seen: str, knows: bool, each: str, tmp_path: Path
) -> None:
    rules = write_rules(
        tmp_path,
        GAME.format(
            kind=kind, seen=seen, each=each, of=" of p" if each else "", all_of="" if kind == "slot" else "all of "
        ),
    )
    state = load(rules).game(2).start(1)[0]
    for language in available():
        scene = TextScene(state, Narrator(state.game, Translator.load(language), ("Ann", "Bob")), "AB", 0, 80, True)
        assert {field.name for field in scene.fields} == {"stack", "shelf", "crate", *(() if knows else ("sack",))}
        assert "Sack" not in "".join(text for line in picture(scene) for _, text in line)


def test_zone_is_shown_while_the_setup_uses_it() -> None:
    game = load("wongar/initiated").game(3)
    state, names = game.start(1)[0], ("Ann", "Bob", "Cleo")
    shown = []
    while len(shown) < 40 and (not shown or shown[-1]):
        scene = TextScene(state, Narrator(game, Translator.load("en"), names), "ABC", 0, 80, True)
        shown.append(any(field.name == "bag" for field in scene.fields))
        state.apply(state.legal_moves()[0])
    assert shown == [True] * 36 + [False]
