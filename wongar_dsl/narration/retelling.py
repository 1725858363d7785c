"""A match told from its beginning, as it was told at the table."""

from __future__ import annotations

from wongar_dsl.engine.match import Match
from wongar_dsl.narration.narrator import Narrator
from wongar_dsl.narration.story import Asked, Line, Story


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
