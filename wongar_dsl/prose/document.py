"""Rendering of sentence plans as lines of text with indentation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wongar_dsl import syntax as s
from wongar_dsl.prose.plan import Group, Line, Passage, Plan, Unsaid
from wongar_dsl.words import Said, Words


@dataclass(frozen=True, slots=True)
class Frame:
    """A language-independent line: its sentence (None if not verbalisable) and the message that frames it.

    `origins` are its syntax nodes.
    """

    said: Said | None
    message: str
    depth: int
    origins: tuple[s.Node, ...]


@dataclass(frozen=True, slots=True)
class Unit:
    """A line of text with its depth; `unsaid` if its node could not be verbalised.

    `said` is its sentence, and `frame` the message that turned it into a line.
    """

    text: str
    depth: int
    origin: s.Node
    unsaid: bool = False
    said: Said | None = None
    frame: str = ""


def frames(plans: tuple[Plan, ...], depth: int = 0, options: bool = False) -> Iterator[Frame]:
    """Yield the lines of plans; `options` are the parts of one sentence and are punctuated accordingly."""
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
    """Render plans as lines in a language."""
    for frame in frames(plans):
        origin = frame.origins[0]
        if frame.said is None:
            yield Unit("", frame.depth, origin, unsaid=True)
        else:
            text = words.say(frame.message, game, said=frame.said)
            yield Unit(text, frame.depth, origin, said=frame.said, frame=frame.message)
