"""Texts on request during play: the effect of a card, and the sentences for a line of the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Model
from wongar_dsl.nlg.prose.document.document_model import NO_EFFECT, Prose
from wongar_dsl.nlg.prose.document.outline import rulebook
from wongar_dsl.nlg.prose.micro.sentence_plan import (
    Message,
    Passage,
    Plan,
    PlanGroup,
    PlanLine,
    SentenceFrame,
    frame_text,
    frames,
    joined,
    text_of,
)
from wongar_dsl.nlg.prose.pipeline import plan_of
from wongar_dsl.nlg.words import Listing, NounPhrase, Sentence, Term, Translator


@dataclass
class ExplainedCards:
    """Explanations of the cards of one game, with shared cached analyses."""

    model: Model
    words: Translator
    scope: str
    seats: int | None = None

    def card(self, name: str) -> str | None:
        """Explain a card by the name of its face, or all cards of a kind; without an effect, the rules for its
        appearance.

        Returns None if the rules do nothing with it.
        """
        model = self.model
        for sort in model.cards.values():
            face = sort.index(name)
            if face is None and name not in sort.kinds:
                continue
            kind = name if face is None else sort.faces[face].kind
            attribute_values = {
                attribute: model.value_name(type_, values[face])
                for attribute, (type_, values) in sort.attributes.items()
                if face is not None and values[face] >= 0 and type_.kind in ("enum", "cards", "board")
            }
            effect = next((e for e in model.code.effects.get(sort.name, ()) if e.name.text == kind), None)
            if effect is not None:
                return self._text(plan_of(model, effect, self.words, self.seats, attribute_values)[0])
            matching = tuple(plan for plans in self._rules for plan in _when(plans, kind))
            removed = model.merged.texts().get(f"effect.{kind}")
            if removed is not None and not matching:
                matching = (PlanLine(Sentence(NO_EFFECT, {"what": Term(sort.name, self.scope)}), removed),)
            return self._text(matching) if matching else None
        return None

    @cached_property
    def _rules(self) -> list[tuple[Plan, ...]]:
        # Only rules: the course of play inlines some of them and would repeat their text.
        rules = self.model.code.rules.values()
        return [plan_of(self.model, rule, self.words, self.seats)[0] for rule in rules]

    def _text(self, plans: tuple[Plan, ...]) -> str | None:
        lines = list(text_of(plans, self.words, self.scope))
        return joined([(line.depth, line.text) for line in lines]) if lines else None


def _when(plans: tuple[Plan, ...], kind: str) -> Iterator[Plan]:
    """Yield the plans that apply if a card is of a kind."""
    for plan in plans:
        match plan:
            case PlanLine(sentence=said) if _asks(said, kind):
                yield plan
            case PlanGroup(lead=lead) if _asks(lead, kind):
                yield plan
            case PlanGroup(parts=parts) | Passage(parts=parts):
                yield from _when(parts, kind)


def _asks(sentence: Sentence, kind: str) -> bool:
    """Return whether a sentence is conditional on a card being of a kind."""
    condition = sentence.values.get("condition") if sentence.message.startswith((Message.IF, Message.WHILE)) else None
    return isinstance(condition, Sentence) and _is_about(condition, kind)


def _is_about(asked: Sentence, kind: str) -> bool:
    match asked:
        case Sentence(
            message=Message.IS_A | Message.IS_A_NONE | Message.IS_A_NOT, values={"kind": NounPhrase(head=head)}
        ):
            return head.name == kind
        case Sentence(message=Message.AND, values={"all": Listing(items=items)}):
            return any(isinstance(item, Sentence) and _is_about(item, kind) for item in items)
    return False


#: Frames that turn a partial line into a whole sentence: on its own, and with the lines below it.
_ALONE = dict.fromkeys(("prose.item", "prose.item_last", "prose.item_lead", "prose.lead"), "prose.line")
_WITH_PARTS = _ALONE | {"prose.item_lead": "prose.lead", "prose.lead": "prose.lead"}


class LineSentences:
    """The sentences of a game's rulebook, for a number of players, by source line."""

    def __init__(self, model: Model, words: Translator, players: int) -> None:
        book = rulebook(model, words, players)
        self._words, self._scope = words, book.scope
        # The sentence about points summarises the whole game.
        self._blocks = [
            list(frames(block.plans))
            for _, section in book.walk()
            for block in section.blocks
            if isinstance(block, Prose) and not isinstance(block.article, s.Score)
        ]
        self._lines = {node: _lines(node) for block in self._blocks for frame in block for node in frame.origins}

    def at(self, file: str, line: int) -> str | None:
        """Return the sentence for a source line, or None.

        Among several, the one for the fewest lines is returned.
        """
        around = [
            (len(lines), block[number:])
            for block in self._blocks
            for number, frame in enumerate(block)
            for lines in (self._lines[node] for node in frame.origins)
            if (file, line) in lines and not _limits(frame)
        ]
        if not around:
            return None
        _, (frame, *rest) = min(around, key=lambda entry: entry[0])
        texts = [self._text(part, _ALONE) for part in (frame, *takewhile(_limits, rest))]
        return " ".join(texts) if frame.sentence is not None else None

    def within(self, node: s.Node, *called: s.Node) -> str:
        """Return the lines for a node, and those directly after them for the nodes that it calls.

        A rule that is told in several places is shown once.
        """
        own = _places(node)
        all_lines = own.union(*map(_places, called))
        shown: set[tuple[s.Node, ...]] = set()
        run: list[SentenceFrame] = []
        lines: list[tuple[int, str]] = []
        for block in self._blocks:
            # A rule with a section of its own is shown below the line that calls it.
            below = run[0].depth + 1 if run else 0
            for frame in block:
                if not any(self._lines[node] <= (all_lines if run else own) for node in frame.origins):
                    shown |= {part.origins for part in run}
                    run, below = [], 0
                    continue
                run.append(frame)
                if frame.origins not in shown:
                    lines.append((frame.depth + below, self._text(frame, _WITH_PARTS)))
        return joined(lines) if lines else ""

    def _text(self, frame: SentenceFrame, whole: Mapping[str, str]) -> str:
        text = frame_text(replace(frame, message=whole.get(frame.message, frame.message)), self._words, self._scope)
        return self._words.capital(text)


def _limits(frame: SentenceFrame) -> bool:
    """Return whether a line holds the condition of an option and belongs to the line before it."""
    return frame.sentence is not None and frame.sentence.message == Message.ALLOWED_IF


def _places(node: s.Node) -> set[tuple[str, int]]:
    """Return the files and source lines of a node with its parts, which may have been added elsewhere."""
    return set[tuple[str, int]]().union(*map(_lines, s.walk(node)))


def _lines(node: s.Node) -> set[tuple[str, int]]:
    """Return the file and the source lines of a node; its span may end in the indentation of the next one."""
    span = node.span
    inside = span.source.line(span.end_line)[: span.end_column - 1].strip()
    return {(span.source.name, line) for line in range(span.line, span.end_line + bool(inside))}
