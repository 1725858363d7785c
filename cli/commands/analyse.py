"""`wongar analyse`: the turning points of a saved game; `wongar perft`: the number of histories of a game by depth."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from wongar_dsl.engine import State
from wongar_dsl.engine.events import EVERYTHING
from wongar_dsl.lab.histories import count
from wongar_dsl.nlg.narration.narrator import probability_text
from wongar_dsl.nlg.narration.story import retell
from wongar_dsl.nlg.words import Text, Translator
from wongar_dsl.session.game_session import GameSession

from .. import save_paths
from ..errors import SUCCESS, USAGE, UserError
from ..load_game import open_game, read_viewer, reopen, warn_slow_backend
from ..terminal.screen import Progress, Screen, echo, echo_data

if TYPE_CHECKING:
    from wongar_dsl.lab.blunders import JudgedMove, TurningPoint


def analyse_command(
    words: Translator, file: str | None, iterations: int, who: str | None, form: str, backend: str
) -> int:
    """Run `wongar analyse`."""
    from wongar_dsl.lab.blunders import find_turning_points, judge_moves  # `wongar perft` does not need the search.

    session = reopen(save_paths.named_save(file, words), words, backend)
    viewer, match = read_viewer(who, session, words), session.match
    seats: tuple[int, ...] = tuple(range(match.game.seats))
    if match.game.knowledge.has_secrets and viewer != EVERYTHING:
        if viewer is None:
            raise UserError(words.say("analyse.unfinished"), USAGE)
        # The assessment of the other players' choices would reveal hidden information.
        seats = (viewer,)
    warn_slow_backend(match.game, backend, words)
    progress = Progress(words, len(match.steps), message="analyse.progress")
    try:
        assessments = tuple(judge_moves(match, seats, iterations, progress))
    finally:
        progress.erase()
    turning_points = find_turning_points(match, assessments)
    if form == "json":
        echo_data(json.dumps(_data(session, iterations, assessments, turning_points), indent=2, ensure_ascii=False))
    else:
        _show(Screen(), session, viewer, iterations, turning_points)
    return SUCCESS


def _show(
    screen: Screen, session: GameSession, viewer: int | None, iterations: int, turned: Sequence[TurningPoint]
) -> None:
    """Print every turning point: the decision or event as in the log, and its effect on the win probability."""
    words, narrator, match = session.words, session.narrator, session.match
    screen.text(narrator.opening(), "strong")
    if match.state.over:
        screen.text(narrator.ending(match.state.winners))
    screen.text(words.say("analyse.how", n=iterations), "faint")
    if not turned:
        screen.text(words.say("analyse.nothing"))
    lines, heading = retell(narrator, match, viewer), ""
    for turn in turned:
        number, player = Text(words.number(turn.number + 1)), narrator.player(turn.seat)
        chance_before = probability_text(words, turn.before, turn.before_certain)
        chance_after = probability_text(words, turn.after, turn.after_certain)
        first = match.event_count_before(turn.number) + _place(session, turn)
        sentence = next((line.text for line in lines if not line.heading and first in line.told), None)
        if sentence is not None:
            step = words.say("analyse.step", number=number, said=Text(sentence))
        else:
            step = words.say("analyse.step.silent", number=number)
        if step != heading:
            heading = step
            screen.line()
            screen.text(heading, "strong")
        if turn.taken is not None and turn.best is not None:
            state = State(match.game, match.state_before(turn.number))
            taken, best = (Text(narrator.option(state, move)) for move in (turn.taken, turn.best))
            screen.text("  " + words.say("analyse.better", player=player, taken=taken, best=best), indent="  ")
            screen.text(
                "  " + words.say("analyse.better.chance", before=chance_before, after=chance_after), indent="  "
            )
        else:
            luck = "good" if turn.after > turn.before else "bad"
            screen.text("  " + words.say(f"analyse.{turn.reason}.{luck}", player=player), indent="  ")
            screen.text("  " + words.say("analyse.change", before=chance_before, after=chance_after), indent="  ")


def _place(session: GameSession, turn: TurningPoint) -> int:
    """Return the index of the event of a step that a turning point refers to.

    This is the unpredictable event if there is one, otherwise the first emitted event.
    """
    events = session.match.events_leading_to(turn.number + 1)
    if turn.event is not None and turn.event in events:
        return events.index(turn.event)
    return next((index for index, event in enumerate(events) if event.told), 0)


def _data(
    session: GameSession, iterations: int, found: Sequence[JudgedMove], turned: Sequence[TurningPoint]
) -> dict[str, object]:
    """Return the assessed decisions and the turning points as JSON data."""
    match = session.match
    steps = {assessment.number: match.steps[assessment.number] for assessment in found}
    return {
        "game": match.game.name,
        "players": list(session.names),
        "winners": [seat + 1 for seat in match.state.winners],
        "iterations": iterations,
        "decisions": [
            {
                "number": assessment.number + 1,
                "seat": assessment.seat + 1,
                "decision": steps[assessment.number].decision.name,
                "taken": steps[assessment.number].text,
                "best": State(match.game, match.state_before(assessment.number)).write(assessment.best),
                "share": round(assessment.share, 4),
                "best_share": round(assessment.best_share, 4),
            }
            for assessment in found
        ],
        "turns": [
            {
                "number": turn.number + 1,
                "seat": turn.seat + 1,
                "reason": turn.reason,
                "before": round(turn.before, 4),
                "after": round(turn.after, 4),
            }
            for turn in turned
        ],
    }


#: Minimum column width of `wongar perft`.
COLUMN = 9


def perft_command(
    words: Translator, game: str, depth: int, chance: bool, seats: int | None, seed: int | None,
    options: tuple[str, ...], backend: str,
) -> int:  # fmt: skip
    """Run `wongar perft`."""
    loaded = open_game(game, words).create_game(seats, options, backend)
    warn_slow_backend(loaded, backend, words)
    began = time.monotonic()
    total = over = 0
    columns = words.say("cli.perft.columns").split()
    widths = [max(COLUMN, words.width(column)) for column in columns]
    echo("  ".join(words.pad(column, width, "right") for column, width in zip(columns, widths, strict=True)))
    for steps, level in enumerate(count(loaded, depth, chance=chance, seed=seed or 0)):
        if steps:
            seconds = words.decimal(time.monotonic() - began, 1)
            row = (steps, level.histories, level.over, seconds)
            echo("  ".join(f"{value:>{width}}" for value, width in zip(row, widths, strict=True)))
            total, over = total + level.histories, over + level.over
    spent = Text(words.decimal(time.monotonic() - began, 1))
    echo(words.say("cli.perft.total", n=total, over=over, seconds=spent))
    return SUCCESS
