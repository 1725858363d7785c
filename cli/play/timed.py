"""Answers that count by their time: asked for on a full screen, or read from a line with the time behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from wongar_dsl.engine import IllegalMove, Move, State
from wongar_dsl.engine.events import EVERYTHING
from wongar_dsl.engine.match import Match
from wongar_dsl.narration import Narrator, illegal
from wongar_dsl.table.menu import Menu
from wongar_dsl.table.puzzle import Laying, Puzzle, lays, lost, unanswered
from wongar_dsl.table.subject import with_cards
from wongar_dsl.text.width import folded
from wongar_dsl.words import Text

from ..pictures.position import picture
from ..pictures.puzzle import asked, solved
from ..terminal.screen import Line, clipped, dumb
from .display import Display


def full_screen(display: Display) -> bool:
    """Whether the decision at hand is made on a screen of its own, against the clock."""
    return display.table.match.state.clock is not None and display.screen.interactive and not (display.aloud or dumb())


def ask(display: Display, seat: int) -> tuple[Move, int]:
    """What a player answers, and how long it took them; raises EOFError and KeyboardInterrupt where they leave."""
    from ..terminal.timed import Terminal, Timed
    from .menu_screen import MenuScreen
    from .puzzle_screen import PuzzleScreen

    state, narrator, words = display.table.match.state, display.table.narrator, display.table.words
    decision, clock = state.decision, state.clock
    assert decision is not None
    assert clock is not None
    left = max(0, clock[1] - clock[0]) if clock[1] is not None else None
    terminal = Terminal(display.screen.colour, display.screen.unicode)
    question = narrator.prompt(state)
    puzzle = Puzzle.of(state)
    told: list[Line] = [[("", clipped(text, display.screen.width - 1))] for text in display.recent]
    table = picture(display.scene(seat))
    shown: Timed
    if puzzle is not None:
        # Where the same puzzle is asked for again, the pieces still lie as they were left.
        last = display.layings.get(seat)
        laying = Laying(puzzle) if last is None or last.puzzle != puzzle else last
        display.layings[seat] = laying
        asking = words.say("cli.clock.ready", player=narrator.player(seat))
        ready: list[Line] = [[("strong", text)] for text in folded(asking, display.screen.width - 1)]
        before = [*told, [], *display.solution, []] if display.solution else [*told, []]
        display.solution = []
        shown = PuzzleScreen(terminal, words, left, laying, question, [*before, *ready], table)
    else:
        menu = Menu.of(state, narrator, (), display.table.numbering)
        entries = with_cards(menu, display.scene(seat)).entries
        shown = MenuScreen(terminal, words, left, question, [*table, [], *told], entries)
    shown.gone = display.table.elapsed
    shown.keep = partial(_keep, display)
    try:
        move, took = shown.run()
    except (EOFError, KeyboardInterrupt):
        display.table.elapsed = shown.taken
        raise
    if move is not None:
        return move, took
    return unanswered(state), took


def _keep(display: Display, taken: int) -> None:
    """Save how long the clock has run, so that it does not stand still where the program is ended by force."""
    display.table.elapsed = taken
    display.save()


def tell_solution(display: Display, seat: int) -> None:
    """Show a seat a solution of the puzzle that it has lost, once that is not asked again."""
    puzzle, now = display.lost.get(seat), display.table.match.state
    if puzzle is None or (now.seat == seat and Puzzle.of(now) == puzzle):
        return
    del display.lost[seat]
    words, narrator, screen = display.table.words, display.table.narrator, display.screen
    heading = words.say("ending.solution", None, player=narrator.player(seat))
    display.solution = [[("strong", heading)], *solved(puzzle)]
    screen.line()
    screen.lines(display.solution)


def note_lost(display: Display, before: State, move: Move) -> None:
    """Note that a puzzle against the clock was not solved by who was asked, to show them a solution of it later."""
    puzzle = Puzzle.of(before) if before.clock is not None else None
    if puzzle is not None and move not in puzzle.solutions.values():
        display.lost[before.seat] = puzzle


def solutions(match: Match, narrator: Narrator, viewer: int | None) -> Iterator[tuple[int, list[Line]]]:
    """A solution of each puzzle that a person has lost in a match, with how many events there were before that.

    A viewer is shown their own, and those of others where nobody has anything hidden, or the game is over.
    """
    state, last = match.state, dict[int, Puzzle | None]()
    found: list[tuple[int, list[Line]]] = []
    for step in reversed(match.steps):
        seat = step.seat
        if match.seats[seat].kind != "human" or not lays(step.decision):
            continue
        asked_next = last.get(seat, Puzzle.of(state) if not state.over and state.seat == seat else None)
        last[seat] = Puzzle.of(State(match.game, match.before(step.number)))
        puzzle = lost(match, step.number, asked_next)
        if puzzle is None or puzzle == asked_next:
            continue
        if viewer in (seat, EVERYTHING) or state.over or not match.game.knowledge.private:
            heading = narrator.words.say("ending.solution", None, player=narrator.player(seat))
            found.append((match.happened(step.number), [[("strong", heading)], *solved(puzzle)]))
    yield from reversed(found)


def show(display: Display, puzzle: Puzzle) -> None:
    """A puzzle for who answers in writing."""
    words = display.table.words
    display.screen.lines(asked(puzzle, words.say("cli.puzzle.area"), words.say("cli.puzzle.pieces")))
    tell_rows(display, puzzle)


def tell_rows(display: Display, puzzle: Puzzle) -> None:
    """How a covering is written; none is shown in the menu, which would tell it."""
    display.say("cli.puzzle.how", "faint", example=Text(f"{puzzle.example} @ 31.5"))


def tell_fault(display: Display, puzzle: Puzzle, answer: str) -> None:
    """Why a written covering is none: what is wrong with it, and the rule that asks for another one."""
    fault = puzzle.fault(answer)
    if fault is None:
        display.say("cli.puzzle.wrong", "wrong")
    else:
        row, column = (at + 1 for at in fault.spot)
        display.say(f"cli.puzzle.{fault.kind}", "wrong", piece=Text(fault.piece), row=row, column=column)
    state = display.table.match.state
    try:
        state.require(puzzle.elsewhere(state))
    except IllegalMove as refused:
        # What the rules say of a covering of something else holds for what is no covering at all.
        for line in illegal.explain(refused, state, display.table.narrator, state.seat):
            display.screen.text(line, "faint", "  ")


def tell_how(display: Display, menu: Menu) -> None:
    """How a time is written behind an answer; said once."""
    if menu.entries and not display.told_how:
        display.say("cli.clock.how", "faint", example=Text(f"{menu.entries[0].number} @ 2.5"))
    display.told_how = True


def written(puzzle: Puzzle, answer: str) -> str | None:
    """A written covering as a move; None for an answer that is none."""
    match = re.fullmatch(rf"(?:{puzzle.option}\s*\(\s*)?([A-Za-z./]+)\s*\)?", answer)
    if match is None or not ("/" in match[1] or "(" in answer):
        return None
    return f"{puzzle.option}({match[1]})"
