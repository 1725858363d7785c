"""A card whose name reads like a count is quoted in every list of cards."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.command import LANGUAGES
from tests.small_games import write_rules
from wongar_dsl.engine.library import load
from wongar_dsl.language.semantics import Type
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.words import Translator
from wongar_dsl.render.position_svg.render_context import RenderContext
from wongar_dsl.render.text.position import picture
from wongar_dsl.render.text.scene import TextScene
from wongar_dsl.render.text.screen_reader import spoken_table
from wongar_dsl.session.scene import FieldCopy, Scene
from wongar_dsl.web.views.zone_views import items

GAME = """
board land
    grid 2 by 1
cards tile
    pair
    owl
deck box of tile
    1 pair, 1 owl
heap taken of each player holds tile, seen by all
heap pool of each land holds tile, seen by all
setup
    fill taken of player(1) with box
    fill pool of a1 with box
play
    player(1) chooses turn
        stop
            nobody wins
"""
#: The name that reads like a count, without a quotation mark before it.
BARE = re.compile(r"(?<![“„«\w])2 frogs")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_name_like_a_count_is_quoted_in_lists(language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    short = Narrator.short

    def named(narrator: Narrator, kind: Type, value: int) -> str:
        return "2 frogs" if (kind.name, value) == ("tile", 0) else short(narrator, kind, value)

    monkeypatch.setattr(Narrator, "short", named)
    state = load(write_rules(tmp_path, GAME)).game(2).start(1)[0]
    narrator = Narrator(state.game, Translator.load(language), ("Ann", "Bob"))
    scene = TextScene(state, narrator, "AB", 0, 80, True)
    drawn = ["".join(text for _, text in line) for line in picture(scene)]
    context = RenderContext(Scene(state, narrator, ["A", "B"], 0))
    taken = state.game.fields["taken"]
    listed = [item.text for item in items(context, FieldCopy(taken, (0,)))]
    for text in (" ".join(drawn), " ".join(spoken_table(scene)), " ".join(listed)):
        assert "2 frogs" in text
        assert BARE.findall(text) == []


def test_only_names_that_begin_with_a_number_of_things_are_quoted() -> None:
    game = load("wongar").game(3)
    narrator = Narrator(game, Translator.load("en"), ("Ann", "Bob", "Cleo"))
    sort = game.model.cards["area_card"]
    short = {face.name: narrator.short(Type("cards", "area_card"), n) for n, face in enumerate(sort.faces)}
    listed = {name: narrator.listed(told) for name, told in short.items()}
    assert (listed["three_tokens"], listed["elder_card"]) == ("“3 tokens”", "elder")
