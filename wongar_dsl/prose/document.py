"""A plan in a language: lines of text, those that belong together under a lead."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wongar_dsl import syntax as s
from wongar_dsl.prose.plan import Group, Line, Passage, Plan, Unsaid
from wongar_dsl.words import Said, Words


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


def text_of(plans: tuple[Plan, ...], words: Words, game: str, depth: int = 0, options: bool = False) -> Iterator[Unit]:
    """The lines of a plan in a language; `options` are parts of one sentence, and end like that."""
    line, lead_in = ("prose.item", "prose.item_lead") if options else ("prose.line", "prose.lead")
    for plan in plans:
        match plan:
            case Line(said=said, origin=origin):
                end = "prose.item_last" if options and plan is plans[-1] else line
                yield Unit(words.say(end, game, said=said), depth, origin, said=said, frame=end)
            case Group(lead=lead, parts=parts, origin=origin):
                yield Unit(words.say(lead_in, game, said=lead), depth, origin, said=lead, frame=lead_in)
                yield from text_of(parts, words, game, depth + 1, plan.options)
            case Passage(parts=parts):
                yield from text_of(parts, words, game, depth, options)
            case Unsaid(origin=origin):
                yield Unit("", depth, origin, unsaid=True)
