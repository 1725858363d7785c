"""`wongar analyse`: the moments at which a saved game turned, in words or as data."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from wongar_dsl.engine import State
from wongar_dsl.words import Text, Words

from ..errors import Refusal
from ..terminal.progress import Progress
from ..terminal.screen import Screen, echo_data
from .options import backend_option, format_option, number_option, save_argument, text_option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wongar_dsl.lab.turning import Judged, Turn
    from wongar_dsl.table.table import Table

#: With more iterations, a game would never be through.
MOST = 10_000_000


def command(words: Words) -> click.Command:
    """The click command."""

    def run(file: str | None, iterations: int, who: str | None, form: str, backend: str) -> int:
        from wongar_dsl.engine.events import EVERYTHING
        from wongar_dsl.lab.turning import judged, turns

        from .. import saves
        from ..opening import reopen, tell_backend
        from ..seats import read_viewer

        table = reopen(saves.chosen(file, words), words, backend)
        viewer, match = read_viewer(who, table, words), table.match
        seats: tuple[int, ...] = tuple(range(match.game.seats))
        if match.game.knowledge.secrets and viewer != EVERYTHING:
            if viewer is None:
                raise Refusal(words.say("analyse.unfinished"), 2)
            # How the others judged their choices would tell what they hold.
            seats = (viewer,)
        tell_backend(match.game, backend, words)
        progress = _Progress(words, len(match.steps))
        try:
            found = tuple(judged(match, seats, iterations, progress.at))
        finally:
            progress.over()
        turned = turns(match, found)
        if form == "json":
            echo_data(json.dumps(_data(table, iterations, found, turned), indent=2, ensure_ascii=False))
        else:
            _show(Screen(), table, viewer, iterations, turned)
        return 0

    return click.Command(
        "analyse",
        callback=run,
        help=words.say("cli.analyse.help"),
        params=[
            save_argument(words),
            number_option(words, "--iterations", "cli.iterations.help", 1, MOST, default=1000),
            text_option(words, ["--for", "who"], "cli.seat.metavar", "cli.for.help"),
            format_option(words, "text", "json"),
            backend_option(words),
        ],
    )


class _Progress(Progress):
    """How many decisions have been judged."""

    def at(self, number: int) -> None:
        """So many have been."""
        self.done = number
        self()

    def _text(self, gone: float) -> str:
        return self._words.say("analyse.progress", done=self.done, n=self.n)


def _show(screen: Screen, table: Table, viewer: int | None, iterations: int, turned: Sequence[Turn]) -> None:
    """Every turn: what was done or came to light, as the log tells it, and what it changed."""
    from wongar_dsl.narration.chances import chance
    from wongar_dsl.narration.retelling import retold

    words, narrator, match = table.words, table.narrator, table.match
    screen.text(narrator.opening(), "strong")
    if match.state.over:
        screen.text(narrator.ending(match.state.winners))
    screen.text(words.say("analyse.how", n=iterations), "faint")
    if not turned:
        screen.text(words.say("analyse.nothing"))
    lines, heading = retold(narrator, match, viewer), ""
    for turn in turned:
        number, player = Text(words.number(turn.number + 1)), narrator.player(turn.seat)
        before = chance(words, turn.before, turn.before_certain)
        after = chance(words, turn.after, turn.after_certain)
        first = match.happened(turn.number) + _place(table, turn)
        said = next((line.text for line in lines if not line.heading and first in line.told), None)
        if said is not None:
            step = words.say("analyse.step", number=number, said=Text(said))
        else:
            step = words.say("analyse.step.silent", number=number)
        if step != heading:
            heading = step
            screen.line()
            screen.text(heading, "strong")
        if turn.taken is not None and turn.best is not None:
            state = State(match.game, match.before(turn.number))
            taken, best = (Text(narrator.option(state, move)) for move in (turn.taken, turn.best))
            screen.text("  " + words.say("analyse.better", player=player, taken=taken, best=best), indent="  ")
            screen.text("  " + words.say("analyse.better.chance", before=before, after=after), indent="  ")
        else:
            luck = "good" if turn.after > turn.before else "bad"
            screen.text("  " + words.say(f"analyse.{turn.reason}.{luck}", player=player), indent="  ")
            screen.text("  " + words.say("analyse.change", before=before, after=after), indent="  ")


def _place(table: Table, turn: Turn) -> int:
    """Which event of its step a turn is about: the first that could not be known, else the first that is told."""
    events = table.match.events_of(turn.number + 1)
    if turn.event is not None and turn.event in events:
        return events.index(turn.event)
    return next((at for at, event in enumerate(events) if event.told), 0)


def _data(table: Table, iterations: int, found: Sequence[Judged], turned: Sequence[Turn]) -> dict[str, object]:
    """Every decision as it was judged, and the turns, for JSON."""
    match = table.match
    steps = {one.number: match.steps[one.number] for one in found}
    return {
        "game": match.game.name,
        "players": list(table.names),
        "winners": [seat + 1 for seat in match.state.winners],
        "iterations": iterations,
        "decisions": [
            {
                "number": one.number + 1,
                "seat": one.seat + 1,
                "decision": steps[one.number].decision.name,
                "taken": steps[one.number].text,
                "best": State(match.game, match.before(one.number)).write(one.best),
                "share": round(one.share, 4),
                "best_share": round(one.best_share, 4),
            }
            for one in found
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
