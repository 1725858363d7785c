"""A match told from its beginning: as it was told at the table, or to somebody who reads it afterwards."""

from __future__ import annotations

from collections.abc import Iterator

from wongar_dsl.engine.match import Match
from wongar_dsl.narration.narrator import Narrator
from wongar_dsl.narration.story import Asked, Line, Story
from wongar_dsl.words.words import HEADING, IMPLIED


def retold(narrator: Narrator, match: Match, viewer: int | None, every_step: bool = False) -> list[Line]:
    """A match as a viewer was told of it: what they had to know was told before they were asked."""
    story, history, lines = Story(viewer, every_step), match.history(), []
    people = [seat for seat, sitting in enumerate(match.seats) if sitting.kind == "human"]
    apart = len(people) > 1 and match.game.knowledge.private
    for number, step in enumerate(match.steps):
        if step.seat in people and (not apart or step.seat == viewer):
            question = asked(match, number, step.seat, story.at)
            lines += story.tell(narrator, history, match.happened(number), asked=question)
    return [*lines, *story.tell(narrator, history)]


def written(narrator: Narrator, match: Match, viewer: int | None, every_step: bool = False) -> list[Line]:
    """A match as a viewer reads of it afterwards: with nothing torn apart by what somebody was asked meanwhile, and a
    heading for each round, also where the game tells only whose turn it is."""
    story, history, lines = Story(viewer, every_step), match.history(), []
    for number, at in enumerate(() if every_step else rounds_begun(narrator, match), 1):
        lines += story.tell(narrator, history, at)
        lines.append(story.numbered(narrator, number))
    return [*lines, *story.tell(narrator, history)]


def rounds_begun(narrator: Narrator, match: Match) -> Iterator[int]:
    """With which events of a match a round begins in which everybody has a turn: those that tell of the turn of the
    first one, and of somebody who had one already.  None where the story has headings of its own."""
    words, scope = narrator.words, narrator.scope
    messages = {spec.message for spec in match.game.program.events if spec.message}
    if any(words.knows(f"{message}{HEADING}", scope) for message in messages):
        return
    turns = {message for message in messages if words.slots(f"{message}{IMPLIED}", scope) == {"player"}}
    had: set[object] = set()
    for at, event in enumerate(match.history() if turns else ()):
        if event.spec.message in turns:
            _, player = event.arguments()["player"]
            if player in had or not had:
                yield at
                had = set()
            had.add(player)


def asked(match: Match, number: int, seat: int, told: int) -> Asked:
    """That a seat is asked after so many steps, where `told` of the events were told before.

    Of a step of its own that it could take back it has learnt nothing, so it knows what followed.
    """

    def since() -> int:
        first = number
        while first and match.happened(first) > told:
            step = match.steps[first - 1]
            if step.seat != seat or not step.foreseen:
                break
            first -= 1
        return match.happened(first)

    return Asked(seat, since)
