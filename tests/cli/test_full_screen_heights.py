"""Panes of a full screen keep their position during a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from prompt_toolkit.input import PipeInput, create_pipe_input

from tests.cli.sitting import ENTER, Sitting
from wongar_dsl.cli.fullscreen.layout import PaneBox
from wongar_dsl.engine.match import Seat

ANNA, BOT = Seat("human", "Anna"), Seat("random", "Carl")


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    with create_pipe_input() as pipe:
        yield pipe


def boxes(game: Sitting) -> Mapping[str, PaneBox]:
    return dict(game.line_session.dialogue.app.frame.arrangement.boxes)


@pytest.mark.parametrize("size", [(200, 50), (100, 40), (80, 24), (40, 24)])
def test_a_board_that_has_grown_does_not_shrink_again(keys: PipeInput, tmp_path: Path, size: tuple[int, int]) -> None:
    game = Sitting("wongar", [ANNA, BOT, BOT], keys, tmp_path, size=size)
    late = Sitting("wongar", [ANNA, BOT, BOT], keys, tmp_path, size=size, moves=[1] * 120)

    def script() -> None:
        game.wait_for_question()
        scene, before = game.view.scene, boxes(game)
        assert scene is not None
        full = replace(
            scene, position=late.line_session.session.match.state.copy(), marked=frozenset({("area", 0)}), offers={}
        )
        game.line_session.dialogue.show(replace(game.view, scene=full, drawn={}))
        grown = boxes(game)
        game.line_session.dialogue.show(replace(game.view, scene=scene, drawn={}))
        assert boxes(game) == grown
        assert grown["board"].height >= before["board"].height

    game.play(script)


def test_each_size_of_the_screen_has_its_own_panes(keys: PipeInput, tmp_path: Path) -> None:
    game = Sitting("tongiaki", [ANNA, BOT], keys, tmp_path, size=(200, 50), moves=[0] * 40)

    def script() -> None:
        game.wait_for_question()
        large = boxes(game)
        game.output.columns, game.output.rows = 80, 24
        game.line_session.dialogue.app.app._on_resize()
        game.press("1")
        assert boxes(game)["board"].height < large["board"].height

    game.play(script)


@pytest.mark.parametrize("size", [(200, 60), (100, 44), (80, 24)])
def test_panes_do_not_move_while_a_turn_is_played(keys: PipeInput, tmp_path: Path, size: tuple[int, int]) -> None:
    game = Sitting("wongar", [ANNA, BOT, BOT], keys, tmp_path, size=size)
    seen: list[Mapping[str, PaneBox]] = []

    def script() -> None:
        for _ in range(6):
            game.wait_for_question()
            seen.append(boxes(game))
            game.press(ENTER)
            game.wait_for_change()

    game.play(script)
    assert len(seen) == 6
    assert all(panes == seen[0] for panes in seen)
