"""Index of a rulebook's sentences by the source line of their rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import takewhile

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Model
from wongar_dsl.nlg.prose.document.document_model import Prose
from wongar_dsl.nlg.prose.document.outline import rulebook
from wongar_dsl.nlg.prose.micro.plan_text import SentenceFrame, frame_text, frames, joined
from wongar_dsl.nlg.words import Translator

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
    return frame.sentence is not None and frame.sentence.message == "prose.allowed_if"


def _places(node: s.Node) -> set[tuple[str, int]]:
    """Return the files and source lines of a node with its parts, which may have been added elsewhere."""
    return set[tuple[str, int]]().union(*map(_lines, s.walk(node)))


def _lines(node: s.Node) -> set[tuple[str, int]]:
    """Return the file and the source lines of a node; its span may end in the indentation of the next one."""
    span = node.span
    inside = span.source.line(span.end_line)[: span.end_column - 1].strip()
    return {(span.source.name, line) for line in range(span.line, span.end_line + bool(inside))}
