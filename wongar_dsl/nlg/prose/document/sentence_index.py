"""Index of a rulebook's sentences by the source line of their rules."""

from __future__ import annotations

from collections.abc import Iterator

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
        # Lines without a sentence are quoted from the rule file.
        self._said: list[tuple[str, range, str | None]] = []
        for _, section in book.walk():
            for block in section.blocks:
                # The sentence about points summarises the whole game.
                if isinstance(block, Prose) and not isinstance(block.article, s.Score):
                    self._add(block, words, book.scope)

    def _add(self, block: Prose, words: Translator, scope: str) -> None:
        last = 0
        for frame in frames(block.plans):
            if frame.sentence is None:
                self._said += [(origin.span.source.name, _lines(origin), None) for origin in frame.origins]
                continue
            text = words.capital(words.say(_ALONE.get(frame.message, frame.message), scope, said=frame.sentence))
            if frame.sentence.message == "prose.allowed_if":
                # The condition of an option belongs to the sentence before it.
                self._said[last:] = [
                    (f, lines, before and f"{before} {text}") for f, lines, before in self._said[last:]
                ]
                continue
            last = len(self._said)
            self._said += [(origin.span.source.name, _lines(origin), text) for origin in frame.origins]

    def at(self, file: str, line: int) -> str | None:
        """Return the sentence for a source line, or None.

        Among several, the one for the fewest lines is returned.
        """
        around = [(lines, text) for name, lines, text in self._said if name == file and line in lines]
        return min(around, key=lambda entry: len(entry[0]))[1] if around else None

    def within(self, node: s.Node, *called: s.Node) -> Iterator[str]:
        """Yield the sentences for the lines of a node, and those directly after them for the nodes that it calls."""
        own = _places(node)
        all_lines = own.union(*map(_places, called))
        inside = False
        for name, lines, text in self._said:
            places = {(name, line) for line in lines}
            inside = places <= (all_lines if inside else own)
            if inside and text is not None:
                yield text


def _places(node: s.Node) -> set[tuple[str, int]]:
    """Return the files and source lines of a node with its parts, which may have been added elsewhere."""
    return {(part.span.source.name, line) for part in s.walk(node) for line in _lines(part)}


def _lines(node: s.Node) -> range:
    """Return the source lines of a node; its span may end in the indentation of the next one."""
    span = node.span
    inside = span.source.line(span.end_line)[: span.end_column - 1].strip()
    return range(span.line, span.end_line + bool(inside))
