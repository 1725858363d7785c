"""View of a step of a finished game: the decision, its events, and the position after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from wongar_dsl.engine.events import EVERYTHING
from wongar_dsl.nlg.words import Text
from wongar_dsl.render.position_svg import position
from wongar_dsl.render.position_svg.render_context import RenderContext
from wongar_dsl.session.board.scene import Scene
from wongar_dsl.session.saves.replay import Replay, ReplayPosition

from . import puzzle_view, zone_views
from .view_models import TableView


@dataclass(frozen=True)
class StepLink:
    """A link to another step: message name, step number, and whether that step `exists`."""

    name: str
    number: int
    exists: bool


@dataclass(frozen=True)
class HeldCards:
    """A player's hidden holdings."""

    name: str
    holdings: Sequence[zone_views.HandRow]


def replay_values(view: TableView, number: int, everything: bool) -> dict[str, Any]:
    """Return the template values of a step; step 0 is the start.

    `everything` shows hidden information too. A number beyond the last step means the last one.
    """
    match, narrator = view.session.match, view.narrator
    replay = Replay(match, narrator, EVERYTHING if everything else view.viewer)
    last = len(replay)
    shown = replay.at(min(number, last))
    step_number = shown.number

    def context_for(viewer: int | None) -> RenderContext:
        return RenderContext(Scene(shown.state, narrator, view.session.letters, viewer), shown.marked)

    context = context_for(None if everything else view.viewer)
    seats = range(match.game.seats) if everything else () if view.viewer is None else (view.viewer,)
    held = [HeldCards(narrator.names[seat], zone_views.hand(context_for(seat))) for seat in seats]
    return {
        "key": view.key,
        "game": narrator.title(),
        "number": step_number,
        "last": last,
        "heading": _heading(view, shown, last),
        "told": [line for line in shown.lines if line.text],
        "solution": _solution(view, shown, context),
        "ways": (
            StepLink("first", 0, step_number > 0),
            StepLink("before", max(0, step_number - 1), step_number > 0),
            StepLink("next", min(last, step_number + 1), step_number < last),
            StepLink("last", last, step_number < last),
        ),
        "view": "all" if everything else "own",
        # Without hidden information both views are the same.
        "views": bool(match.game.knowledge.has_secrets),
        "boards": list(position.boards(context)),
        "lines": list(zone_views.lines(context)),
        "held": [
            player_holdings for player_holdings in held if any(holding.cards for holding in player_holdings.holdings)
        ],
        "players": zone_views.players(context, () if step_number == last else (shown.state.seat,)),
        "states": [""] * match.game.seats,
        "tracks": list(zone_views.tracks(context)),
        "common": zone_views.common(context),
    }


def _heading(view: TableView, shown: ReplayPosition, last: int) -> str:
    say, n = view.words.say, shown.number
    if shown.seat is None:
        return say("cli.replay.start", None, of=last)
    player = view.narrator.player(shown.seat)
    if not shown.choice:
        return say("cli.replay.step", None, n=n, of=last, player=player)
    return say("cli.replay.choice", None, n=n, of=last, player=player, choice=Text(shown.choice))


def _solution(view: TableView, shown: ReplayPosition, context: RenderContext) -> puzzle_view.PuzzleSolutionView | None:
    """Return the solution given for a puzzle, or a possible one."""
    if shown.layout is None or shown.seat is None:
        return None
    lost = view.words.say("ending.solution", None, player=view.narrator.player(shown.seat)) if shown.lost else ""
    return puzzle_view.solution_view(shown.layout, context, lost)
