"""Rendering of sentence plans as lines of text with indentation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from wongar_dsl.language import ast as s
from wongar_dsl.nlg.prose.micro.sentence_plan import Passage, Plan, PlanGroup, PlanLine, VerbatimRule
from wongar_dsl.nlg.words import Sentence, Translator, quoted

#: The bullet of lines below a lead, and the indentation per level.
BULLET, STEP = "– ", "  "


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
    """A line of text with its depth; `unsaid` if its node could not be verbalised and is quoted.

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
        text = frame_text(frame, words, game)
        yield SentenceUnit(
            text, frame.depth, origin, frame.sentence is None, frame.sentence, frame.message, tuple(others)
        )


def frame_text(frame: SentenceFrame, words: Translator, game: str) -> str:
    """Render a line; a rule that cannot be verbalised is quoted with its position."""
    if frame.sentence is not None:
        return words.say(frame.message, game, said=frame.sentence)
    span = frame.origins[0].span
    rule, place = s.whole_line(replace(span, column=1)), f"{Path(span.source.name).name}:{span.line}"
    return words.say("rulebook.unsaid", game, rule=quoted(rule), place=quoted(place))


def list_item(text: str, depth: int) -> str:
    """Return a line as an item of a list at a depth, 0 for no list."""
    return f"{STEP * (depth - 1)}{BULLET}{text}" if depth else text


def joined(lines: Sequence[tuple[int, str]]) -> str:
    """Join lines with their depths to a paragraph; to a list if the paragraph would not show what belongs to a lead."""
    depths = [depth for depth, _ in lines]
    if depths == sorted(depths) and depths[-1] <= depths[0] + 1:
        return " ".join(text for _, text in lines)
    return "\n".join(list_item(text, depth - lines[0][0]) for depth, text in lines)
