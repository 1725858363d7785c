"""Kinds of events that a program can emit, and properties of each kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

EventName = Literal[
    "told", "changed", "card_moved", "card_laid", "tokens_moved", "all_moved", "filled", "pile_shuffled",
    "figure_moved", "figure_taken", "track_advanced", "points", "rounds_unknown", "game_ended",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class EventKind:
    """Properties of all events of a kind.

    `fields` are the names of the values, `more` the names of optional ones.  `told`: the event appears in logs, with
    the engine's `messages` unless the rules provide one (omitted if there is neither).  `covert`: a viewer who may not
    see the secret values does not notice the event.
    """

    name: EventName
    fields: tuple[str, ...]
    more: tuple[str, ...] = ()
    told: bool = True
    messages: tuple[str, ...] = ()
    covert: bool = False


def _kinds(*kinds: EventKind) -> Mapping[EventName, EventKind]:
    return {kind.name: kind for kind in kinds}


#: Event kinds by name.
EVENTS: Mapping[EventName, EventKind] = _kinds(
    EventKind("told", ()),
    EventKind("changed", ("what", "value"), covert=True),
    EventKind("card_moved", ("card", "from", "to"), messages=("card_moved",)),
    EventKind("card_laid", ("card", "from", "to", "area", "turned"), messages=("card_laid",)),
    EventKind("tokens_moved", ("n", "token", "from", "to"), messages=("tokens_moved",)),
    EventKind("all_moved", ("n", "from", "to"), messages=("all_moved",)),
    EventKind("filled", ("zone", "n"), ("token",), told=False),
    EventKind("pile_shuffled", ("pile",), messages=("pile_shuffled",)),
    EventKind("figure_moved", ("figure", "to"), messages=("figure_moved",)),
    EventKind("figure_taken", ("figure", "player"), messages=("figure_taken",)),
    EventKind("track_advanced", ("track", "space"), messages=("track_advanced",)),
    EventKind("points", ("player", "n"), ("origin",), messages=("points_gained", "points_lost")),
    EventKind("rounds_unknown", (), messages=("rounds_unknown",)),
    EventKind("game_ended", ("winners",), messages=("game_ended", "nobody_wins")),
)
