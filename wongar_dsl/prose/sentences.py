"""The sentences of a rulebook, found by the place in the rules that each of them says."""

from __future__ import annotations

from wongar_dsl import syntax as s
from wongar_dsl.model import Model
from wongar_dsl.prose.book import Prose
from wongar_dsl.prose.document import frames
from wongar_dsl.prose.outline import rulebook
from wongar_dsl.words import Words

#: What makes a whole sentence of a line that is only a part of one.
_ALONE = {"prose.item": "prose.line", "prose.item_last": "prose.line", "prose.item_lead": "prose.lead"}


class Sentences:
    """What the rulebook of a game for so many players says of each line of its rules."""

    def __init__(self, model: Model, words: Words, players: int) -> None:
        book = rulebook(model, words, players)
        self._said = [
            (origin.span.source.name, _lines(origin), text)
            for _, section in book.walk()
            for block in section.blocks
            if isinstance(block, Prose) and not isinstance(block.article, s.Score)  # That is about all steps at once.
            for frame in frames(block.plans)
            if frame.said is not None
            for text in [
                words.capital(words.say(_ALONE.get(frame.message, frame.message), book.scope, said=frame.said))
            ]
            for origin in frame.origins
        ]

    def at(self, file: str, line: int) -> str | None:
        """The sentence that says what stands in a line of a file; None where the rulebook has none for it.

        Of several the one that says the least besides.
        """
        around = [(lines, text) for name, lines, text in self._said if name == file and line in lines]
        return min(around, key=lambda found: len(found[0]))[1] if around else None


def _lines(node: s.Node) -> range:
    """The lines in which a piece of rules stands; its span may end in the space before what comes next."""
    span = node.span
    inside = span.source.line(span.end_line)[: span.end_column - 1].strip()
    return range(span.line, span.end_line + bool(inside))
