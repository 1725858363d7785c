"""Forecasts in words: as one line behind an option, and as full text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wongar_dsl.compiler import ir
from wongar_dsl.engine.events import Event
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.narration.story import Story
from wongar_dsl.nlg.words import Listing, Sentence, Term, Text
from wongar_dsl.nlg.words.translator import BRIEF, EACH, IN_A_STORY, TOGETHER
from wongar_dsl.session.changes.event_salience import has_no_actor
from wongar_dsl.session.forecast.forecast import Forecast

#: Maximum number of gains whose reasons fit in one line.
MAX_POINT_REASONS = 4
#: Suffixes of the message variants for a message that is mostly combined with others.
JOINED = (*IN_A_STORY, TOGETHER, EACH)
#: Separators between the parts of a line, and between the gains of players.
PART_SEPARATOR, RECIPIENT_SEPARATOR = " · ", "; "


def one_line(forecast: Forecast, narrator: Narrator) -> str:
    """Return the forecast in one line (*so: Anna 4 for this*), or "" if there is nothing to report."""
    return PART_SEPARATOR.join(_parts(forecast, narrator))


def short_line(forecast: Forecast, narrator: Narrator, seat: int) -> str:
    """Return a shorter line with the gain of the seat and the sum of all others; the rest is left out."""
    words, points = narrator.words, dict(forecast.points)
    parts, own_points = [], points.pop(seat, 0)
    if own_points:
        parts.append(_in_all(seat, own_points, narrator))
    others = sum(points.values())
    if others:
        message = "forecast.others.lost" if others < 0 else "forecast.others"
        parts.append(words.say(message, None, n=abs(others)))
    won = _won(forecast, narrator)
    if won is not None:
        parts = [won]
    if parts:
        return words.say("forecast.so", None, parts=Text(RECIPIENT_SEPARATOR.join(parts)))
    if forecast.standing:
        return _standing(forecast, narrator)
    return _loss_text(forecast, narrator) if forecast.losses else ""


def full_text(forecast: Forecast, narrator: Narrator, viewer: int) -> list[str]:
    """Return the forecast in full: direct consequences, what would follow, and why it ends there."""
    say = narrator.words.say
    lines = list(_narrated(forecast.immediate_events, narrator, viewer))
    if lines:
        lines = [say("forecast.now"), *lines]
    then = list(_narrated(forecast.later_events, narrator, viewer))
    if then:
        lines += [say("forecast.then"), *then]
    if lines and forecast.end != "over":
        lines.append(say(f"forecast.end.{forecast.end}"))
    return lines


def costly_choice_question(forecast: Forecast, narrator: Narrator) -> str:
    """Return the question asked before an option that costs much more than others."""
    costs = [_loss_text(forecast, narrator)] if forecast.losses else []
    # Points are worded as in the line behind the option.
    points = RECIPIENT_SEPARATOR.join(_points(forecast, narrator))
    if points:
        costs.append(narrator.words.say("forecast.so", None, parts=Text(points)))
    return narrator.words.say("forecast.sure", None, cost=Text(PART_SEPARATOR.join(costs)))


def _parts(forecast: Forecast, narrator: Narrator) -> Iterator[str]:
    words = narrator.words
    points = list(_points(forecast, narrator))
    won = _won(forecast, narrator)
    if won is not None:
        points.append(won)
    if points:
        yield words.say("forecast.so", None, parts=Text(RECIPIENT_SEPARATOR.join(points)))
    if forecast.standing:
        yield _standing(forecast, narrator)
    if forecast.losses:
        yield _loss_text(forecast, narrator)
    elif won is None:
        yield from _notice(forecast, narrator)
    if forecast.next_moves and forecast.state is not None and forecast.state.decision is not None:
        yield _ahead(forecast, forecast.state.decision.options, narrator)


def _notice(forecast: Forecast, narrator: Narrator) -> Iterator[str]:
    """Yield the last direct consequence that has no actor and is always reported alone.

    Examples are the reason of a failure, or the start of the last round.
    """
    words, scope = narrator.words, narrator.scope
    for event in reversed(forecast.immediate_events):
        spoken = narrator.spoken_event(event) if event.told and has_no_actor(event.spec) else None
        if spoken is not None and not any(words.has_message(f"{spoken.message}{end}", scope) for end in JOINED):
            yield words.say("forecast.notice", scope, said=Sentence(spoken.message, spoken.values))
            return


def _ahead(forecast: Forecast, options: Sequence[ir.OptionSpec], narrator: Narrator) -> str:
    """Return where the seat could move next, and with which figures."""
    last = ((options[move.option].parameters[-1][1], move.arguments[-1]) for move in forecast.next_moves)
    named = (narrator.words.value(narrator.value(kind, value), narrator.scope) for kind, value in last)
    places = Text(narrator.words.chain([*named]))
    if not forecast.figures:
        return narrator.words.say("forecast.ahead", None, places=places)
    names = narrator.game.model.figures
    figures = Listing(tuple(Term(names[figure], narrator.scope) for figure in forecast.figures))
    return narrator.words.say("forecast.ahead.figures", None, figures=figures, places=places)


def _won(forecast: Forecast, narrator: Narrator) -> str | None:
    """Return who would win, or None if the game does not end."""
    won = next((event for event in forecast.events if event.spec.kind == "game_ended"), None)
    if won is None:
        return None
    winners = won.fields()["winners"][1]
    won_by = [p for p in range(narrator.game.seats) if isinstance(winners, int) and winners >> p & 1]
    return _winning(won_by, narrator)


def _in_all(seat: int, number: int, narrator: Narrator) -> str:
    message = "forecast.points.lost" if number < 0 else "forecast.points"
    return narrator.words.say(message, None, player=narrator.player(seat), n=abs(number))


def _winning(winners: Sequence[int], narrator: Narrator) -> str:
    if not winners:
        return narrator.words.say("forecast.draw")
    return narrator.words.say("forecast.wins", None, winners=Listing(tuple(map(narrator.player, winners))))


def _points(forecast: Forecast, narrator: Narrator) -> Iterator[str]:
    """Yield the gains of each player with their reasons; of many gains only the totals."""
    words, scored = narrator.words, [event for event in forecast.events if event.spec.kind == "points"]
    if len(scored) <= MAX_POINT_REASONS and all(
        words.has(f"{event.spec.message}{BRIEF}", narrator.scope) for event in scored
    ):
        gains: dict[int, list[str]] = {}
        for event in scored:
            spoken, seat = narrator.spoken_event(event), event.fields()["player"][1]
            if spoken is not None and isinstance(seat, int):
                gain = words.say(f"{spoken.message}{BRIEF}", narrator.scope, **spoken.values)
                gains.setdefault(seat, []).append(gain)
        for seat, parts in gains.items():
            yield words.say("forecast.gets", None, player=narrator.player(seat), gains=Text(words.chain(parts)))
        return
    for seat, number in forecast.points:
        yield _in_all(seat, number, narrator)


def _standing(forecast: Forecast, narrator: Narrator) -> str:
    parts = RECIPIENT_SEPARATOR.join(_in_all(seat, number, narrator) for seat, number in forecast.standing)
    return narrator.words.say("forecast.standing", None, parts=Text(parts))


def _loss_text(forecast: Forecast, narrator: Narrator) -> str:
    things = (narrator.thing(lost.kind, lost.value, lost.number) for lost in forecast.losses)
    return narrator.words.say("forecast.lost", None, things=Listing(tuple(things)))


def _narrated(events: Sequence[Event], narrator: Narrator, viewer: int) -> Iterator[str]:
    yield from (line.text for line in Story(viewer, standings=False).unreported(narrator, events))
