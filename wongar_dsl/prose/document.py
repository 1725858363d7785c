"""A plan in a language: lines of text, those that belong together under a lead."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wongar_dsl import syntax as s
from wongar_dsl.prose.plan import Group, Line, Passage, Plan, Unsaid
from wongar_dsl.words import Said, Words


@dataclass(frozen=True, slots=True)
class Frame:
    """One line before there is a language: what it says, None where there are no words, and which message frames it.

    `origins` are what it was made of.
    """

    said: Said | None
    message: str
    depth: int
    origins: tuple[s.Node, ...]


@dataclass(frozen=True, slots=True)
class Unit:
    """One line of a text, so deep under leads; `unsaid` is what it has no words for.

    `said` is what it was made of, and `frame` the message that makes a line of that.
    """

    text: str
    depth: int
    origin: s.Node
    unsaid: bool = False
    said: Said | None = None
    frame: str = ""


def frames(plans: tuple[Plan, ...], depth: int = 0, options: bool = False) -> Iterator[Frame]:
    """The lines of a plan; `options` are parts of one sentence, and end like that."""
    line, lead_in = ("prose.item", "prose.item_lead") if options else ("prose.line", "prose.lead")
    for plan in plans:
        match plan:
            case Line(said=said, origin=origin, others=others):
                end = "prose.item_last" if options and plan is plans[-1] else line
                yield Frame(said, end, depth, (origin, *others))
            case Group(lead=lead, parts=parts, origin=origin):
                yield Frame(lead, lead_in, depth, (origin,))
                yield from frames(parts, depth + 1, plan.options)
            case Passage(parts=parts):
                yield from frames(parts, depth, options)
            case Unsaid(origin=origin, others=others, parts=parts):
                yield Frame(None, "", depth, (origin, *others))
                yield from frames(parts, depth + 1)


def text_of(plans: tuple[Plan, ...], words: Words, game: str) -> Iterator[Unit]:
    """The lines of a plan in a language."""
    for frame in frames(plans):
        origin = frame.origins[0]
        if frame.said is None:
            yield Unit("", frame.depth, origin, unsaid=True)
        else:
            text = words.say(frame.message, game, said=frame.said)
            yield Unit(text, frame.depth, origin, said=frame.said, frame=frame.message)
