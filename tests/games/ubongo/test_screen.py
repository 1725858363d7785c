"""Laying pieces, and the full screens against the clock, driven by keys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from wongar_dsl import library
from wongar_dsl.cli.pictures.puzzle import laid
from wongar_dsl.cli.play.menu_screen import MenuScreen
from wongar_dsl.cli.play.puzzle_screen import PuzzleScreen
from wongar_dsl.cli.terminal.screen import measure, plain
from wongar_dsl.cli.terminal.timed import Terminal
from wongar_dsl.engine import State
from wongar_dsl.model.shapes import LETTERS, flipped, read_drawing, shape, turned
from wongar_dsl.narration import Narrator
from wongar_dsl.table.menu import Menu
from wongar_dsl.table.puzzle import Laying, Puzzle
from wongar_dsl.text.width import width as cells_of
from wongar_dsl.words import Words

UP, DOWN, RIGHT, LEFT = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"
ENTER, TAB, BACK, ESCAPE, SPACE = "\r", "\t", "\x7f", "\x1b", " "
ENGLISH = Words.load("en")
LANGUAGES = {language: Words.load(language) for language in ("de", "nl", "it", "en")}


def asked(options: dict[str, int] | None = None) -> State:
    state, _ = library.load("ubongo").game(2, options).start(7)
    while state.decision is not None and state.decision.name == "placing":
        state.apply(state.legal_moves()[0])
    return state


def puzzle(options: dict[str, int] | None = None) -> Puzzle:
    found = Puzzle.of(asked(options))
    assert found is not None
    return found


class Clock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    with create_pipe_input() as pipe:
        yield pipe


def puzzle_screen(keys: PipeInput, left: int | None = 60_000, clock: Any = None) -> PuzzleScreen:
    terminal = Terminal(False, False, keys, DummyOutput(), clock or Clock())
    return PuzzleScreen(terminal, ENGLISH, left, Laying(puzzle()), "Cover it!", [], [])


def keys_for(asked_for: Puzzle, drawing: str) -> str:
    """What to press for a covering: each piece is turned and flipped until it lies right, then shifted and laid."""
    pressed = ""
    for position, (number, spots) in enumerate(read_drawing(drawing).items(), 1):
        pressed += str(position)
        way, wanted = asked_for.pieces[number], shape(spots)
        for side in (0, 1):
            turns = 0
            while turns < 4 and way != wanted:
                way, turns = turned(way), turns + 1
            pressed += SPACE * turns
            if way == wanted:
                break
            assert side == 0
            way, pressed = flipped(way), pressed + "f"
        top, left = min(r for r, _ in spots), min(c for _, c in spots)
        pressed += UP * 8 + LEFT * 8 + DOWN * top + RIGHT * left + ENTER
    return pressed


def test_a_puzzle_knows_its_area_and_pieces() -> None:
    found = puzzle()
    assert found.option == "solve"
    assert len(found.pieces) == 3
    assert sum(len(p.spots) for p in found.pieces.values()) == len(found.area.spots)
    assert [m.arguments for m in found.others] == [()]
    assert len(puzzle({"hard_side": 1}).pieces) == 4


def test_only_puzzles_are_puzzles() -> None:
    state, _ = library.load("ubongo").game(2).start(7)
    assert Puzzle.of(state) is None


def test_the_menu_tells_no_solution() -> None:
    state = asked()
    menu = Menu.of(state, Narrator(state.game, ENGLISH, ("Anna", "Bert")))
    assert [entry.notation for entry in menu.entries] == ["give_up"]


def test_the_example_has_the_right_form_only() -> None:
    found = puzzle()
    cells = [(r, c) for r, row in enumerate(found.example.split("/")) for c, sign in enumerate(row) if sign != "."]
    assert sorted(cells) == sorted(found.area.spots)


@pytest.mark.parametrize("options", [{}, {"hard_side": 1}])
def test_every_covering_can_be_laid_with_the_keys(keys: PipeInput, options: dict[str, int]) -> None:
    state = asked(options)
    found = Puzzle.of(state)
    assert found is not None
    for drawing, move in found.solutions.items():
        clock = Clock()
        screen = PuzzleScreen(
            Terminal(False, False, keys, DummyOutput(), clock), ENGLISH, 60_000, Laying(found), "", [], []
        )
        keys.send_text(ENTER + keys_for(found, drawing))
        assert screen.run() == (move, 0)


def test_nothing_can_be_laid_before_the_clock_runs(keys: PipeInput) -> None:
    screen = puzzle_screen(keys)
    before = screen.laying.at
    keys.send_text(RIGHT + DOWN + SPACE + ESCAPE + ESCAPE)
    move, _ = screen.run()
    assert move is None
    assert screen.laying.at == before
    assert not screen.laying.placed


def test_giving_up_takes_the_time_that_it_took(keys: PipeInput) -> None:
    clock = Clock()
    screen = puzzle_screen(keys, clock=clock)

    def later() -> float:
        clock.time += 0.25
        return clock.time

    screen.terminal = Terminal(False, False, keys, DummyOutput(), later)
    keys.send_text(ENTER + ESCAPE + ESCAPE)
    move, took = screen.run()
    assert move is None
    assert 0 < took < 60_000


def test_one_escape_alone_gives_nothing_up(keys: PipeInput) -> None:
    screen = puzzle_screen(keys)
    keys.send_text(ENTER + ESCAPE + RIGHT + ESCAPE + "\x04")
    with pytest.raises(EOFError):
        screen.run()
    assert screen.note


def test_the_time_runs_out(keys: PipeInput) -> None:
    import time

    screen = puzzle_screen(keys, left=300, clock=time.monotonic)
    keys.send_text(ENTER)
    assert screen.run() == (None, 301)


def test_leaving(keys: PipeInput) -> None:
    keys.send_text("\x04")
    with pytest.raises(EOFError):
        puzzle_screen(keys).run()
    keys.send_text("\x03")
    with pytest.raises(KeyboardInterrupt):
        puzzle_screen(keys).run()


def test_pieces_stay_on_the_board_and_apart() -> None:
    laying = Laying(puzzle())
    for _ in range(20):
        laying.move(1, 1)
    r, c = laying.at
    assert r + laying.way.height <= max(laying.puzzle.area.height, laying.way.height)
    assert c + laying.way.width <= max(laying.puzzle.area.width, laying.way.width)
    laid = next(iter(laying.puzzle.solutions))
    (number, spots), *_ = read_drawing(laid).items()
    laying.hold(number)
    laying.way = laying.ways[number] = shape(spots)
    laying.at = (min(r for r, _ in spots), min(c for _, c in spots))
    assert laying.lay()
    assert laying.held != number
    laying.at = (min(r for r, _ in spots), min(c for _, c in spots))
    assert not laying.fits
    assert not laying.lay()
    assert laying.take_up()
    assert laying.held == number
    assert laying.spots == spots
    assert not laying.placed
    assert not laying.take_up()


def test_tab_goes_round_the_pieces() -> None:
    laying = Laying(puzzle())
    first = laying.held
    seen = []
    for _ in range(3):
        seen.append(laying.held)
        laying.hold_next()
    assert laying.held == first
    assert len(set(seen)) == 3
    laying.hold_next(-1)
    assert laying.held == seen[-1]


def test_screens_fit_80_by_24_in_every_language(keys: PipeInput) -> None:
    """Of the same puzzles: finding those takes longer than drawing them."""
    games = [library.load("ubongo").game(2, {"hard_side": side}) for side in (0, 1)]
    for seed in range(40):
        state, _ = games[seed % 2].start(seed)
        while state.decision is not None and state.decision.name == "placing":
            state.apply(state.legal_moves()[0])
        found = Puzzle.of(state)
        assert found is not None
        for words in LANGUAGES.values():
            terminal = Terminal(False, True, keys, DummyOutput(), Clock())
            screen = PuzzleScreen(terminal, words, 60_000, Laying(found), "Frage", [], [])
            screen.started = 100.0
            lines = screen.lines()
            assert len(lines) <= 24
            assert max(map(measure, lines)) < 80
            text = "\n".join(map(plain, lines))
            assert "60" in text
            for number in found.pieces:
                assert LETTERS[number] in text


def test_without_colour_letters_tell_the_pieces_apart() -> None:
    laying = Laying(puzzle())
    drawing, _ = next(iter(laying.puzzle.solutions.items()))
    for number, spots in read_drawing(drawing).items():
        laying.placed[number] = spots
    laying.hold_next()
    text = "\n".join(map(plain, laid(laying, ".", "#", "laid")))
    for row in drawing.split("/"):
        for letter in set(row) - {"."}:
            assert letter * 4 in text


def test_a_menu_against_the_clock(keys: PipeInput) -> None:
    state = asked()
    solutions = [m for m in state.legal_moves() if m.arguments]
    state.apply(solutions[0], time=1_000)
    state.apply(state.read("give_up"), time=60_000)
    menu = Menu.of(state, Narrator(state.game, ENGLISH, ("Anna", "Bert")))
    for pressed, expected in (
        # One key too many from the question before chooses nothing.
        (ENTER + DOWN + ENTER, 0),
        (DOWN + DOWN + ENTER, 1),
        (str(menu.entries[1].number), 1),
        (UP + ENTER, len(menu.entries) - 1),
    ):
        terminal = Terminal(False, False, keys, DummyOutput(), Clock())
        screen = MenuScreen(terminal, ENGLISH, 59_000, "Where to?", [], menu.entries)
        keys.send_text(pressed)
        assert screen.run() == (menu.entries[expected].move, 0)


@pytest.mark.parametrize("size", [(80, 24), (40, 24)])
def test_nothing_moves_but_the_piece_that_is_held(size: tuple[int, int]) -> None:
    laying = Laying(puzzle())

    def drawn() -> list[str]:
        return [plain(line) for line in laid(laying, ".", "#", "laid", *size)]

    board = next(n for n, line in enumerate(drawn()[0]) if line != "#") if size[0] > 60 else 12
    places = [[line.find(f"{n} ") for line in drawn()] for n in (1, 2, 3)]
    for _ in range(2):
        for _ in range(4):
            for down, right in ((1, 0), (0, 1), (-1, 0), (0, -1)):
                for _ in range(6):
                    laying.move(down, right)
                    assert len(drawn()) == len(places[0])
                    assert drawn()[0][:board] == "#" * board
                    assert [[line.find(f"{n} ") for line in drawn()] for n in (1, 2, 3)] == places
            laying.turn()
        laying.flip()


def test_the_area_is_open_in_a_wall() -> None:
    laying = Laying(puzzle())
    laying.held = None
    area, lines = laying.puzzle.area, [plain(line) for line in laid(laying, ".", "#", "laid")]
    for row in range(area.height):
        for column in range(area.width):
            sign = "." if (row, column) in area.spots else "#"
            assert lines[1 + 2 * row][2 + 4 * column : 6 + 4 * column] == sign * 4
    assert set(lines[0].split()[0]) == {"#"}


@pytest.mark.parametrize("size", [(80, 24), (40, 24), (60, 16)])
def test_the_keys_are_always_seen(keys: PipeInput, size: tuple[int, int]) -> None:
    class Sized(DummyOutput):
        def get_size(self) -> Size:
            return Size(rows=size[1], columns=size[0])

    for words in LANGUAGES.values():
        terminal = Terminal(False, True, keys, Sized(), Clock())
        much = [[("", "what was told")]] * 30
        screen = PuzzleScreen(terminal, words, 60_000, Laying(puzzle()), "Frage", much, much)
        keyed = [plain(line) for line in (*screen.said("cli.puzzle.keys"), *screen.said("cli.puzzle.more_keys"))]
        for started in (None, 100.0):
            screen.started = started
            lines = [plain(line) for line in screen.lines()]
            assert set(keyed) <= set(lines[: size[1]])
            assert all(cells_of(line) < size[0] for line in keyed)
