"""Match records as JSON lines, for referees and statistics: header, setup, one line per decision, result."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping

from wongar_dsl.engine import notation
from wongar_dsl.engine.events import EVERYTHING, Event, event_json
from wongar_dsl.engine.match import Match, Step
from wongar_dsl.engine.notation import Move

#: Supplies additional data for the record of an event.
More = Callable[[Event], Mapping[str, object]]


def lines(match: Match, viewer: int | None = EVERYTHING, more: More = lambda event: {}) -> Iterator[str]:
    """Yield the record of a match; for a seat, or None for a spectator, restricted to what that viewer may see."""
    yield _line(
        {
            "game": match.game.name,
            "rules": match.rules_hash,
            "options": dict(match.game.settings),
            "seats": [s.kind for s in match.seats],
            "seed": match.seed if may_know_seed(match, viewer) else None,
        }
    )
    yield _line({"setup": _events(match, match.opening, viewer, more)})
    for number, step in enumerate(match.steps, 1):
        yield _line({**_step(match, number, step, viewer), "events": _events(match, step.events, viewer, more)})
    if match.state.over:
        yield _line({"scores": list(match.state.scores), "winners": [p + 1 for p in match.state.winners]})


def _line(data: dict[str, object]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _events(match: Match, events: tuple[Event, ...], viewer: int | None, more: More) -> list[dict[str, object]]:
    fields = match.game.fields
    shown = events if viewer == EVERYTHING else match.game.knowledge.seen_of(events, viewer)
    return [{**event_json(match.game.model, fields, e), **more(e)} for e in shown]


def _step(match: Match, number: int, step: Step, viewer: int | None) -> dict[str, object]:
    result: dict[str, object] = {"n": number, "seat": step.seat + 1, "decision": step.decision.name}
    is_full_view = viewer in (EVERYTHING, step.seat)
    if is_full_view:
        result["options"] = [_text(match, step, m) for m in step.options]
    result["taken"] = step.text if is_full_view else visible_choice(match, step, viewer)
    if step.time and (is_full_view or not step.decision.simultaneous):
        result["time"] = step.time
    return result


def _text(match: Match, step: Step, move: Move) -> str:
    return notation.write(match.game.model, step.decision, move.raw)


def may_know_seed(match: Match, viewer: int | None) -> bool:
    """Return whether a viewer may know the seed, from which all hidden information can be computed."""
    return viewer == EVERYTHING or match.state.over or not match.game.knowledge.has_secrets


def visible_choice(match: Match, step: Step, viewer: int | None) -> str:
    """Return the choice of a step as another viewer sees it.

    Choices not yet shown, arguments from hidden zones, and values that may fill a hidden field are replaced by `?`,
    unless the events that the viewer sees in that step show them.
    """
    decision, knowledge = match.past.choices[step.number].decision, match.game.knowledge
    if step.decision.simultaneous or knowledge.is_hidden_choice(decision):
        return "?"
    spec = step.decision.options[step.move.option]
    unseen = knowledge.argument_secrecy(decision, step.move.option)
    if not any(unseen):
        return step.text
    visible_values = {pair for e in knowledge.seen_of(step.events, viewer) for pair in e.fields().values()}
    pairs = [(kind, value) for (_, kind), value in zip(spec.parameters, step.move.arguments, strict=True)]
    parts = notation.split(step.text)
    assert parts is not None
    shown = [
        "?" if zone or (hidden and pair not in visible_values) else text
        for text, pair, zone, hidden in zip(parts[1], pairs, spec.drawn_from, unseen, strict=True)
    ]
    return f"{spec.name}({', '.join(shown)})"
