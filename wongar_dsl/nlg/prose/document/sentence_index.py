"""Index of a rulebook's sentences by the source line of their rules."""

from __future__ import annotations

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Model
from wongar_dsl.nlg.prose.document.document_model import Prose
from wongar_dsl.nlg.prose.document.outline import rulebook
from wongar_dsl.nlg.prose.micro.plan_text import frames
from wongar_dsl.nlg.words import Translator

#: Frames that turn a partial line into a whole sentence.
_ALONE = dict.fromkeys(("prose.item", "prose.item_last", "prose.item_lead", "prose.lead"), "prose.line")


class LineSentences:
    """The sentences of a game's rulebook, for a number of players, by source line."""

    def __init__(self, model: Model, words: Translator, players: int) -> None:
        book = rulebook(model, words, players)
        self._said = [
            (origin.span.source.name, _lines(origin), text)
            for _, section in book.walk()
            for block in section.blocks
            # Its sentence summarises the whole game.
            if isinstance(block, Prose) and not isinstance(block.article, s.Score)
            for frame in frames(block.plans)
            if frame.sentence is not None
            for text in [
                words.capital(words.say(_ALONE.get(frame.message, frame.message), book.scope, said=frame.sentence))
            ]
            for origin in frame.origins
        ]

    def at(self, file: str, line: int) -> str | None:
        """Return the sentences of the smallest part at a source line, as of an option and its condition, or None."""
        around = [(lines, text) for name, lines, text in self._said if name == file and line in lines]
        smallest = min((len(lines) for lines, _ in around), default=0)
        return " ".join(dict.fromkeys(text for lines, text in around if len(lines) == smallest)) or None


def _lines(node: s.Node) -> range:
    """Return the source lines of a node; its span may end in the indentation of the next one."""
    span = node.span
    inside = span.source.line(span.end_line)[: span.end_column - 1].strip()
    return range(span.line, span.end_line + bool(inside))
