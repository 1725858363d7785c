"""Rendering of sentence plans as lines of text with indentation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wongar_dsl.language import ast as s
from wongar_dsl.nlg.prose.micro.sentence_plan import Passage, Plan, PlanGroup, PlanLine, VerbatimRule
from wongar_dsl.nlg.words import Sentence, Translator


@dataclass(frozen=True, slots=True)
class SentenceFrame:
    """A language-independent line: its sentence (None if not verbalisable) and the message that frames it.

    `origins` are its syntax nodes.
    """

    sentence: Sentence | None
    message: str
    depth: int
    origins: tuple[s.Node, ...]


@dataclass(frozen=True, slots=True)
class SentenceUnit:
    """A line of text with its depth; `unsaid` if its node could not be verbalised.

    `sentence` is its sentence, and `frame` the message that turned it into a line. `others` are further nodes that it
    covers.
    """

    text: str
    depth: int
    origin: s.Node
    unsaid: bool = False
    sentence: Sentence | None = None
    frame: str = ""
    others: tuple[s.Node, ...] = ()


def frames(plans: tuple[Plan, ...], depth: int = 0, options: bool = False) -> Iterator[SentenceFrame]:
    """Yield the lines of plans; `options` are the parts of one sentence and are punctuated accordingly."""
    line, lead_in = ("prose.item", "prose.item_lead") if options else ("prose.line", "prose.lead")
    for plan in plans:
        match plan:
            case PlanLine(sentence=said, origin=origin, others=others):
                end = "prose.item_last" if options and plan is plans[-1] else line
                yield SentenceFrame(said, end, depth, (origin, *others))
            case PlanGroup(lead=lead, parts=parts, origin=origin):
                yield SentenceFrame(lead, lead_in, depth, (origin,))
                yield from frames(parts, depth + 1, plan.options)
            case Passage(parts=parts):
                yield from frames(parts, depth, options)
            case VerbatimRule(origin=origin, others=others, parts=parts):
                yield SentenceFrame(None, "", depth, (origin, *others))
                yield from frames(parts, depth + 1)


def text_of(plans: tuple[Plan, ...], words: Translator, game: str) -> Iterator[SentenceUnit]:
    """Render plans as lines in a language."""
    for frame in frames(plans):
        origin, *others = frame.origins
        unsaid = frame.sentence is None
        text = "" if frame.sentence is None else words.say(frame.message, game, said=frame.sentence)
        yield SentenceUnit(text, frame.depth, origin, unsaid, frame.sentence, frame.message, tuple(others))
