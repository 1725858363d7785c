"""The game at a glance: at most eight lines on the course of the game, each with the section that explains it.

They are the paragraphs of the rules in short, those about one section together. For a game without these, they are the
sentences of the course of the game that call rules with sections of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace

from wongar_dsl.language import ast as s
from wongar_dsl.nlg.prose.document.document_model import GLANCE, Prose, Rulebook
from wongar_dsl.nlg.prose.document.short_rules import (
    END,
    ShortParagraph,
    ShortRules,
    paragraph_line,
    place_of,
    section_of,
)
from wongar_dsl.nlg.prose.micro.sentence_plan import Passage, Plan, PlanGroup, PlanLine, frames
from wongar_dsl.nlg.words import Sentence

#: Maximum number of lines.
MAX_GLANCE_LINES = 8


def glance(book: Rulebook, short: ShortRules, paragraphs: Iterable[ShortParagraph]) -> Prose | None:
    """Return the lines on the course of a game, None if there are none.

    `book` is the reference, and `paragraphs` are those of `short` that may be shown.
    """
    head = book.model.merged.head
    lines = tuple(_short(book, short, paragraphs))[:MAX_GLANCE_LINES] or _course(book)
    return Prose(GLANCE, lines, head) if lines else None


def _short(book: Rulebook, short: ShortRules, paragraphs: Iterable[ShortParagraph]) -> Iterator[PlanLine]:
    """Yield a line for each section that paragraphs are explained in, in the order of the paragraphs."""
    lines: dict[s.Declaration, PlanLine] = {}
    for paragraph in paragraphs:
        if paragraph.holds == "outdated":
            continue
        places = tuple(_places(book, short.articles(paragraph.message)))
        new = [article for article in places if article not in lines]
        place = next(iter(new or places), book.model.merged.head)
        line = paragraph_line(paragraph, place)
        if place in lines:
            joined = {"text": lines[place].sentence, "more": line.sentence}
            line = replace(line, sentence=Sentence("rulebook.glance.joined", joined))
        lines[place] = line
    yield from lines.values()


def _places(book: Rulebook, keys: Sequence[str]) -> Iterator[s.Declaration]:
    """Yield the declarations whose sections explain others, by key: the cards of several effects, the rules that tell
    of what has no section, and the course of the game if nothing else explains them.
    """
    articles = book.model.merged.texts()
    above = {inner.key: section.key for _, section in book.walk() for inner in section.sections}
    cards = {above[key] for key in keys if key.startswith("effect.") and key in above}
    if len(cards) == 1 and sum(key.startswith("effect.") for key in keys) > 1:
        yield articles[next(iter(cards))]
    main = [key for key in keys if isinstance(articles.get(key), s.Setup | s.Play)]
    told = [key for key in keys if key in articles and key not in main]
    own = sorted((key for key in told if section_of(book, key)), key=lambda key: section_of(book, key) != END)
    yield from (articles[key] for key in own)
    for key in told:
        place = place_of(book.sections, articles[key]) if isinstance(articles[key], s.Rule) and key not in own else None
        if place is not None and isinstance(place[1], Prose) and not isinstance(place[1].article, s.Setup | s.Play):
            yield place[1].article
    yield from (articles[key] for key in main)


def _course(book: Rulebook) -> tuple[Plan, ...]:
    """Return the sentences of the course that call rules with sections, without those that a loop repeats later.

    They are left out if they would repeat the whole course.
    """
    blocks = (block for section in book.sections if section.key == "play" for block in section.blocks)
    course = [plan for block in blocks if isinstance(block, Prose) for plan in block.plans]
    kept = tuple(_calling(book, course, frozenset()))
    depths = sorted({frame.depth for frame in frames(kept)}, reverse=True)
    for depth in depths:
        lines = _down_to(kept, depth)
        if len(tuple(frames(lines))) <= MAX_GLANCE_LINES:
            return lines if len(tuple(frames(lines))) < len(tuple(frames(tuple(course)))) else ()
    return ()


def _calling(book: Rulebook, plans: Sequence[Plan], repeated: Set[str]) -> Iterator[Plan]:
    """Yield the plans that call rules with sections, except the lines for `repeated` rules."""
    later = [frozenset(_looped(plans[number + 1 :])) for number in range(len(plans))]
    told = set[s.Node]()
    for plan, names in zip(plans, later, strict=True):
        if isinstance(plan, PlanGroup | Passage):
            inner = tuple(_calling(book, plan.parts, names | repeated))
            if inner:
                yield replace(plan, parts=inner)
        elif isinstance(plan, PlanLine) and isinstance(plan.origin, s.Call) and isinstance(plan.origin.call, s.Called):
            name = plan.origin.call.name
            # A second line for the same call adds that the game ends with it.
            if plan.origin not in told and name not in names | repeated and section_of(book, f"rule.{name}"):
                told.add(plan.origin)
                yield plan


def _looped(plans: Iterable[Plan]) -> Iterator[str]:
    """Yield the rules that loops among plans call."""
    for plan in plans:
        if isinstance(plan, PlanGroup) and isinstance(plan.origin, s.Repeat):
            calls = (node for node in s.walk(plan.origin) if isinstance(node, s.Called))
            yield from (call.name for call in calls)


def _down_to(plans: Iterable[Plan], depth: int) -> tuple[Plan, ...]:
    """Return plans without lines of a greater depth; groups without parts are left out."""
    cut: list[Plan] = []
    for plan in plans:
        if isinstance(plan, PlanGroup):
            parts = _down_to(plan.parts, depth - 1) if depth else ()
            cut += [replace(plan, parts=parts)] if parts else []
        elif isinstance(plan, Passage):
            cut.append(replace(plan, parts=_down_to(plan.parts, depth)))
        else:
            cut.append(plan)
    return tuple(cut)
