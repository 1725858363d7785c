"""Timed decisions and puzzles: on a screen of their own at a terminal, otherwise typed with the time appended."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wongar_dsl.engine import IllegalMove, Move, State
from wongar_dsl.engine.bots import is_puzzle_decision
from wongar_dsl.engine.events import EVERYTHING
from wongar_dsl.engine.match import Match
from wongar_dsl.nlg.narration import Narrator, illegal_move
from wongar_dsl.nlg.words import Text
from wongar_dsl.render.text.lines import Line
from wongar_dsl.render.text.puzzle import puzzle_lines, solution_lines
from wongar_dsl.session.menu import Menu
from wongar_dsl.session.puzzle import Puzzle, lost_puzzle

from ..terminal.screen import is_dumb
from .display import Display


def show_solution(display: Display, seat: int) -> None:
    """Show a seat a solution of a puzzle that it has lost, unless it is asked again."""
    puzzle, now = display.lost.get(seat), display.session.match.state
    if puzzle is None or (now.seat == seat and Puzzle.of(now) == puzzle):
        return
    del display.lost[seat]
    display.solution = _solution(puzzle, seat, display.session.narrator)
    display.screen.line()
    display.screen.lines(display.solution)


def _solution(puzzle: Puzzle, seat: int, narrator: Narrator) -> list[Line]:
    heading = narrator.words.say("ending.solution", None, player=narrator.player(seat))
    return [[("strong", heading)], *solution_lines(puzzle)]


def record_lost_puzzle(display: Display, before: State, move: Move) -> None:
    """Record a timed puzzle that was not solved, to show its player a solution later."""
    puzzle = Puzzle.of(before) if before.clock is not None else None
    if puzzle is not None and move not in puzzle.solutions.values():
        display.lost[before.seat] = puzzle


def solutions(match: Match, narrator: Narrator, viewer: int | None) -> Iterator[tuple[int, list[Line]]]:
    """Yield a solution of each puzzle that a human lost, with the number of events before it.

    A viewer sees those of others if the game has no hidden information or is over.
    """
    state, last = match.state, dict[int, Puzzle | None]()
    solved_puzzles: list[tuple[int, list[Line]]] = []
    for step in reversed(match.steps):
        seat = step.seat
        if match.seats[seat].kind != "human" or not is_puzzle_decision(step.decision):
            continue
        asked_next = last.get(seat, Puzzle.of(state) if not state.over and state.seat == seat else None)
        last[seat] = Puzzle.of(State(match.game, match.state_before(step.number)))
        puzzle = lost_puzzle(match, step.number, asked_next)
        if puzzle is None or puzzle == asked_next:
            continue
        if viewer in (seat, EVERYTHING) or state.over or not match.game.knowledge.has_private_information:
            solved_puzzles.append((match.event_count_before(step.number), _solution(puzzle, seat, narrator)))
    yield from reversed(solved_puzzles)


def show_puzzle(display: Display, puzzle: Puzzle) -> None:
    """Print a puzzle for answers typed as text."""
    words = display.session.words
    display.screen.lines(puzzle_lines(puzzle, words.say("cli.puzzle.area"), words.say("cli.puzzle.pieces")))
    explain_rows(display, puzzle)


def explain_rows(display: Display, puzzle: Puzzle) -> None:
    """Print the notation of a covering, with an example that is no solution."""
    display.say("cli.puzzle.how", "faint", example=Text(f"{puzzle.example} @ 31.5"))


def report_fault(display: Display, puzzle: Puzzle, answer: str) -> None:
    """Print the error in a typed covering, and the rule that requires a different one."""
    fault = puzzle.fault(answer)
    if fault is None:
        display.say("cli.puzzle.wrong", "wrong")
    else:
        row, column = (index + 1 for index in fault.spot)
        display.say(f"cli.puzzle.{fault.kind}", "wrong", piece=Text(fault.piece), row=row, column=column)
    state = display.session.match.state
    try:
        state.require(puzzle.foreign_covering(state))
    except IllegalMove as refused:
        # The rule's explanation for a covering of a different area applies to an invalid covering too.
        for line in illegal_move.explain(refused, state, display.session.narrator, state.seat):
            display.screen.text(line, "faint", "  ")


def parse_covering(puzzle: Puzzle, answer: str) -> str | None:
    """Return the notation of the move for a typed covering; None if the answer is no covering."""
    match = re.fullmatch(rf"(?:{puzzle.option}\s*\(\s*)?([A-Za-z./]+)\s*\)?", answer)
    if match is None or not ("/" in match[1] or "(" in answer):
        return None
    return f"{puzzle.option}({match[1]})"


def uses_countdown_screen(display: Display) -> bool:
    """Return whether the current decision is made on a screen of its own, against the clock."""
    return (
        display.session.match.state.clock is not None
        and display.screen.interactive
        and not (display.screen_reader or is_dumb())
    )


def explain_time(display: Display, menu: Menu) -> None:
    """Print once the notation for the time of an answer."""
    if menu.entries and not display.time_notation_explained:
        display.say("cli.clock.how", "faint", example=Text(f"{menu.entries[0].number} @ 2.5"))
    display.time_notation_explained = True
