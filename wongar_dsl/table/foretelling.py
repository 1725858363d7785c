"""Forecasts in words: in one line behind an option, and at length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wongar_dsl.engine.events import Event
from wongar_dsl.narration import Narrator
from wongar_dsl.narration.story import Story
from wongar_dsl.table.forecast import Forecast
from wongar_dsl.words import Listing, Term, Text
from wongar_dsl.words.words import BRIEF

#: Of no more points it is said in a line what they are for.
MOST = 4
#: What stands between the parts of a line, and between what players get.
BETWEEN, APART = " · ", "; "


def brief(forecast: Forecast, narrator: Narrator) -> str:
    """What a choice would bring, in a line (*so: Anna 4 for this*); empty where there is nothing to say."""
    return BETWEEN.join(_parts(forecast, narrator))


def at_length(forecast: Forecast, narrator: Narrator, viewer: int) -> list[str]:
    """What a choice would bring: what happens at once, what would come then, and why nobody can say more."""
    say = narrator.words.say
    lines = list(_told(forecast.now, narrator, viewer))
    if lines:
        lines = [say("forecast.now"), *lines]
    then = list(_told(forecast.then, narrator, viewer))
    if then:
        lines += [say("forecast.then"), *then]
    if lines and forecast.end != "over":
        lines.append(say(f"forecast.end.{forecast.end}"))
    return lines


def warning(forecast: Forecast, narrator: Narrator) -> str:
    """The question that is asked before a choice that costs much more than others."""
    words, cost = narrator.words, []
    if forecast.lost:
        cost.append(_lost(forecast, narrator))
    # A choice is also risky for the points that it costs, which its line says.
    told = words.chain(cost) if cost else brief(forecast, narrator)
    return words.say("forecast.sure", None, cost=Text(told))


def _parts(forecast: Forecast, narrator: Narrator) -> Iterator[str]:
    words = narrator.words
    won = next((event for event in forecast.events if event.spec.kind == "game_ended"), None)
    points = list(_points(forecast, narrator))
    if won is not None:
        winners = won.fields()["winners"][1]
        won_by = [p for p in range(narrator.game.seats) if isinstance(winners, int) and winners >> p & 1]
        points.append(_winning(won_by, narrator))
    if points:
        yield words.say("forecast.so", None, parts=Text(APART.join(points)))
    if forecast.lost:
        yield _lost(forecast, narrator)
    if forecast.ahead and forecast.state is not None and forecast.state.decision is not None:
        options = forecast.state.decision.options
        last = ((options[move.option].parameters[-1][1], move.arguments[-1]) for move in forecast.ahead)
        names = [narrator.short(kind, value) for kind, value in last]
        yield words.say("forecast.ahead", None, places=Text(words.chain(names)))


def _winning(winners: Sequence[int], narrator: Narrator) -> str:
    if not winners:
        return narrator.words.say("forecast.draw")
    return narrator.words.say("forecast.wins", None, winners=Listing(tuple(map(narrator.player, winners))))


def _points(forecast: Forecast, narrator: Narrator) -> Iterator[str]:
    """Who gets how many points for what; of many, how many in all."""
    words, found = narrator.words, [event for event in forecast.events if event.spec.kind == "points"]
    if len(found) <= MOST and all(words.has(f"{event.spec.message}{BRIEF}", narrator.scope) for event in found):
        gains: dict[int, list[str]] = {}
        for event in found:
            spoken, seat = narrator.spoken(event), event.fields()["player"][1]
            if spoken is not None and isinstance(seat, int):
                gain = words.say(f"{spoken.message}{BRIEF}", narrator.scope, **spoken.values)
                gains.setdefault(seat, []).append(gain)
        for seat, parts in gains.items():
            yield words.say("forecast.gets", None, player=narrator.player(seat), gains=Text(words.chain(parts)))
        return
    for seat, number in forecast.points:
        message = "forecast.points.lost" if number < 0 else "forecast.points"
        yield words.say(message, None, player=narrator.player(seat), n=abs(number))


def _lost(forecast: Forecast, narrator: Narrator) -> str:
    model = narrator.game.model
    things = (Term(model.value_name(lost.kind, lost.value), narrator.scope, lost.number) for lost in forecast.lost)
    return narrator.words.say("forecast.lost", None, things=Listing(tuple(things)))


def _told(events: Sequence[Event], narrator: Narrator, viewer: int) -> Iterator[str]:
    yield from (line.text for line in Story(viewer, standings=False).tell(narrator, events))
