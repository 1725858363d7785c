"""Puzzle screen and timed menu of Ubongo, driven by keys."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from tests.properties.play import game
from wongar_dsl.base.terminal_text import width as cells_of
from wongar_dsl.cli.play.timed_screens import MenuScreen, PuzzleScreen
from wongar_dsl.cli.terminal.application import Terminal
from wongar_dsl.engine import State
from wongar_dsl.language.semantics.shapes import LETTERS, mirror, parse_covering, rotate, shape
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.words import Translator
from wongar_dsl.render.text.lines import line_text, line_width
from wongar_dsl.render.text.puzzle import board_lines
from wongar_dsl.session.menu import Menu
from wongar_dsl.session.puzzle import Puzzle, PuzzleLayout

UP, DOWN, RIGHT, LEFT = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"
ENTER, TAB, BACK, ESCAPE, SPACE = "\r", "\t", "\x7f", "\x1b", " "
ENGLISH = Translator.load("en")
LANGUAGES = {language: Translator.load(language) for language in ("de", "nl", "it", "en")}


def state_with_puzzle(hard_side: int = 0, seed: int = 7) -> State:
    state, _ = game("ubongo", 2, options=(("hard_side", hard_side),)).start(seed)
    while state.decision is not None and state.decision.name == "placing":
        state.apply(state.legal_moves()[0])
    return state


def first_puzzle(hard_side: int = 0, seed: int = 7) -> Puzzle:
    puzzle_of_state = Puzzle.of(state_with_puzzle(hard_side, seed))
    assert puzzle_of_state is not None
    return puzzle_of_state


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    with create_pipe_input() as pipe:
        yield pipe


def terminal_of(keys: PipeInput, clock: Any = None, size: tuple[int, int] = (80, 24)) -> Terminal:
    class Sized(DummyOutput):
        def get_size(self) -> Size:
            return Size(rows=size[1], columns=size[0])

    return Terminal(False, True, keys, Sized(), clock or (lambda: 100.0))


def puzzle_screen(
    keys: PipeInput, left: int | None = 60_000, clock: Any = None, puzzle: Puzzle | None = None
) -> PuzzleScreen:
    terminal = terminal_of(keys, clock)
    return PuzzleScreen(terminal, ENGLISH, left, PuzzleLayout(puzzle or first_puzzle()), "Cover it!", [], [])


def keys_for(asked_for: Puzzle, drawing: str) -> str:
    """Return the keys for a covering: each piece is rotated and flipped until it matches, then moved and placed."""
    pressed = ""
    for position, (number, spots) in enumerate(parse_covering(drawing).items(), 1):
        pressed += str(position)
        piece, target = asked_for.pieces[number], shape(spots)
        for side in (0, 1):
            turns = 0
            while turns < 4 and piece != target:
                piece, turns = rotate(piece), turns + 1
            pressed += SPACE * turns
            if piece == target:
                break
            assert side == 0
            piece, pressed = mirror(piece), pressed + "f"
        top, left_column = min(r for r, _ in spots), min(c for _, c in spots)
        pressed += UP * 8 + LEFT * 8 + DOWN * top + RIGHT * left_column + ENTER
    return pressed


def test_puzzle_has_its_area_and_pieces_and_no_solution_in_the_menu() -> None:
    state = state_with_puzzle()
    solvable = first_puzzle()
    assert solvable.option == "solve"
    assert len(solvable.pieces) == 3
    assert sum(len(p.spots) for p in solvable.pieces.values()) == len(solvable.area.spots)
    assert [m.arguments for m in solvable.others] == [()]
    assert len(first_puzzle(1).pieces) == 4
    assert Puzzle.of(game("ubongo", 2).start(7)[0]) is None, "another decision is no puzzle"
    menu = Menu.of(state, Narrator(state.game, ENGLISH, ("Anna", "Bert")))
    assert [entry.notation for entry in menu.entries] == ["give_up"]
    # The example has only the right shape.
    cells = [(r, c) for r, row in enumerate(solvable.example.split("/")) for c, sign in enumerate(row) if sign != "."]
    assert sorted(cells) == sorted(solvable.area.spots)


@pytest.mark.parametrize("hard_side", [0, 1])
def test_every_covering_can_be_laid_with_the_keys(keys: PipeInput, hard_side: int) -> None:
    solvable = first_puzzle(hard_side)
    for drawing, move in solvable.solutions.items():
        keys.send_text(ENTER + keys_for(solvable, drawing))
        assert puzzle_screen(keys, puzzle=solvable).run() == (move, 0)


def test_nothing_moves_before_the_clock_starts_and_giving_up_counts_the_elapsed_time(keys: PipeInput) -> None:
    ticks = count(100.0, 0.25)
    screen = puzzle_screen(keys, clock=lambda: next(ticks))
    before = screen.layout.at
    keys.send_text(RIGHT + DOWN + SPACE + ENTER + ESCAPE + ESCAPE)
    move, took = screen.run()
    assert move is None
    assert 0 < took < 60_000
    assert screen.layout.at == before
    assert not screen.layout.placed


def test_single_escape_does_not_give_up(keys: PipeInput) -> None:
    screen = puzzle_screen(keys)
    keys.send_text(ENTER + ESCAPE + RIGHT + ESCAPE + "\x04")
    with pytest.raises(EOFError):
        screen.run()
    assert screen.note


def test_screen_ends_when_the_time_runs_out(keys: PipeInput) -> None:
    screen = puzzle_screen(keys, left=300, clock=time.monotonic)
    keys.send_text(ENTER)
    assert screen.run() == (None, 301)


def test_screen_is_left_by_control_c(keys: PipeInput) -> None:
    keys.send_text("\x03")
    with pytest.raises(KeyboardInterrupt):
        puzzle_screen(keys).run()


def test_pieces_stay_on_the_board_without_overlap() -> None:
    layout = PuzzleLayout(first_puzzle())
    for _ in range(20):
        layout.move(1, 1)
    r, c = layout.at
    assert r + layout.orientation.height <= max(layout.puzzle.area.height, layout.orientation.height)
    assert c + layout.orientation.width <= max(layout.puzzle.area.width, layout.orientation.width)
    laid = next(iter(layout.puzzle.solutions))
    (number, spots), *_ = parse_covering(laid).items()
    layout.hold(number)
    layout.orientation = layout.orientations[number] = shape(spots)
    layout.at = (min(r for r, _ in spots), min(c for _, c in spots))
    assert layout.lay()
    assert layout.held != number
    layout.at = (min(r for r, _ in spots), min(c for _, c in spots))
    assert not layout.fits
    assert not layout.lay()
    assert layout.pick_up()
    assert layout.held == number
    assert layout.spots == spots
    assert not layout.placed
    assert not layout.pick_up()


def test_tab_cycles_through_the_pieces() -> None:
    layout = PuzzleLayout(first_puzzle())
    first = layout.held
    seen = []
    for _ in range(3):
        seen.append(layout.held)
        layout.hold_next()
    assert layout.held == first
    assert len(set(seen)) == 3
    layout.hold_next(-1)
    assert layout.held == seen[-1]


def test_screens_fit_80_by_24_in_every_language(keys: PipeInput) -> None:
    """All languages draw the same puzzles, since finding them takes longer than drawing."""
    for seed in range(12):
        solvable = first_puzzle(seed % 2, seed)
        for words in LANGUAGES.values():
            screen = PuzzleScreen(terminal_of(keys), words, 60_000, PuzzleLayout(solvable), "Frage", [], [])
            screen.started = 100.0
            lines = screen.lines()
            assert len(lines) <= 24
            assert max(map(line_width, lines)) < 80
            text = "\n".join(map(line_text, lines))
            assert "60" in text
            assert all(LETTERS[number] in text for number in solvable.pieces)


def test_letters_distinguish_pieces_without_colour() -> None:
    layout = PuzzleLayout(first_puzzle())
    drawing, _ = next(iter(layout.puzzle.solutions.items()))
    for number, spots in parse_covering(drawing).items():
        layout.placed[number] = spots
    layout.hold_next()
    text = "\n".join(map(line_text, board_lines(layout, ".", "#", "laid")))
    for row in drawing.split("/"):
        for letter in set(row) - {"."}:
            assert letter * 4 in text


def test_timed_menu(keys: PipeInput) -> None:
    state = state_with_puzzle()
    solutions = [m for m in state.legal_moves() if m.arguments]
    state.apply(solutions[0], time=1_000)
    state.apply(state.read("give_up"), time=60_000)
    menu = Menu.of(state, Narrator(state.game, ENGLISH, ("Anna", "Bert")))
    for pressed, expected in (
        # A second Enter left over from the previous question chooses nothing.
        (ENTER + DOWN + ENTER, 0),
        (DOWN + DOWN + ENTER, 1),
        (str(menu.entries[1].number), 1),
        (UP + ENTER, len(menu.entries) - 1),
    ):
        screen = MenuScreen(terminal_of(keys), ENGLISH, 59_000, "Where to?", [], menu.entries)
        keys.send_text(pressed)
        assert screen.run() == (menu.entries[expected].move, 0)


@pytest.mark.parametrize("size", [(80, 24), (40, 24)])
def test_only_the_held_piece_moves(size: tuple[int, int]) -> None:
    layout = PuzzleLayout(first_puzzle())

    def drawn() -> list[str]:
        return [line_text(line) for line in board_lines(layout, ".", "#", "laid", *size)]

    board = next(n for n, line in enumerate(drawn()[0]) if line != "#") if size[0] > 60 else 12
    places = [[line.find(f"{n} ") for line in drawn()] for n in (1, 2, 3)]
    for _ in range(2):
        for _ in range(2):
            for down, right in ((1, 0), (0, 1), (-1, 0), (0, -1)):
                for _ in range(6):
                    layout.move(down, right)
                    assert len(drawn()) == len(places[0])
                    assert drawn()[0][:board] == "#" * board
                    assert [[line.find(f"{n} ") for line in drawn()] for n in (1, 2, 3)] == places
            layout.turn()
        layout.flip()


def test_area_is_open_within_a_wall() -> None:
    layout = PuzzleLayout(first_puzzle())
    layout.held = None
    area, lines = layout.puzzle.area, [line_text(line) for line in board_lines(layout, ".", "#", "laid")]
    for row in range(area.height):
        for column in range(area.width):
            sign = "." if (row, column) in area.spots else "#"
            assert lines[1 + 2 * row][2 + 4 * column : 6 + 4 * column] == sign * 4
    assert set(lines[0].split()[0]) == {"#"}


@pytest.mark.parametrize("size", [(80, 24), (40, 24), (60, 16)])
def test_keys_are_always_shown(keys: PipeInput, size: tuple[int, int]) -> None:
    for words in LANGUAGES.values():
        terminal = terminal_of(keys, size=size)
        much = [[("", "what was told")]] * 30
        screen = PuzzleScreen(terminal, words, 60_000, PuzzleLayout(first_puzzle()), "Frage", much, much)
        keyed = [
            line_text(line)
            for line in (*screen.message_lines("cli.puzzle.keys"), *screen.message_lines("cli.puzzle.more_keys"))
        ]
        for started in (None, 100.0):
            screen.started = started
            lines = [line_text(line) for line in screen.lines()]
            assert set(keyed) <= set(lines[: size[1]])
            assert all(cells_of(line) < size[0] for line in keyed)
