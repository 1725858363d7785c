"""Replay logs: a match narrated from its beginning, as it was seen at the table or for later reading."""

from __future__ import annotations

from collections.abc import Iterator

from wongar_dsl.engine.match import Match
from wongar_dsl.nlg.narration.narrator import Narrator
from wongar_dsl.nlg.narration.story import AskedSeat, Story, StoryLine
from wongar_dsl.nlg.words.translator import HEADING, IMPLIED


def retell(narrator: Narrator, match: Match, viewer: int | None, every_step: bool = False) -> list[StoryLine]:
    """Return a match as it was narrated to a viewer, who was informed before each of their decisions."""
    story, history, lines = Story(viewer, every_step), match.history(), []
    people = [seat for seat, person in enumerate(match.seats) if person.kind == "human"]
    apart = len(people) > 1 and match.game.knowledge.has_private_information
    for number, step in enumerate(match.steps):
        if step.seat in people and (not apart or step.seat == viewer):
            question = asked_seat(match, number, step.seat, story.at)
            lines += story.unreported(narrator, history, match.event_count_before(number), asked=question)
    return [*lines, *story.unreported(narrator, history)]


def written_story(narrator: Narrator, match: Match, viewer: int | None, every_step: bool = False) -> list[StoryLine]:
    """Return a match as a log for later reading.

    Decisions do not split sentences, and each round has a heading even if the game only announces turns.
    """
    story, history, lines = Story(viewer, every_step), match.history(), []
    for number, position in enumerate(() if every_step else round_starts(narrator, match), 1):
        lines += story.unreported(narrator, history, position)
        lines.append(story.numbered(narrator, number))
    return [*lines, *story.unreported(narrator, history)]


def round_starts(narrator: Narrator, match: Match) -> Iterator[int]:
    """Yield the indices of the events that begin a round in which every player has a turn.

    A round begins with the turn of the first player, or of one who already had a turn. Yields nothing if the story has
    headings of its own.
    """
    words, scope = narrator.words, narrator.scope
    messages = {spec.message for spec in match.game.program.events if spec.message}
    if any(words.has_message(f"{message}{HEADING}", scope) for message in messages):
        return
    turns = {message for message in messages if words.slots(f"{message}{IMPLIED}", scope) == {"player"}}
    had: set[object] = set()
    for index, event in enumerate(match.history() if turns else ()):
        if event.spec.message in turns:
            _, player = event.arguments()["player"]
            if player in had or not had:
                yield index
                had = set()
            had.add(player)


def asked_seat(match: Match, number: int, seat: int, told: int) -> AskedSeat:
    """Return the decision of a seat after `number` steps; the events up to `told` were narrated before.

    The seat knows the results of its own preceding steps if it could undo them, since they revealed nothing.
    """

    def since() -> int:
        first = number
        while first and match.event_count_before(first) > told:
            step = match.steps[first - 1]
            if step.seat != seat or not step.was_predictable:
                break
            first -= 1
        return match.event_count_before(first)

    return AskedSeat(seat, since)
