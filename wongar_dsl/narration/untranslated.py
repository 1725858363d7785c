"""Which names and messages of a game have no words in some language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wongar_dsl import syntax as s
from wongar_dsl.model import Model
from wongar_dsl.syntax import walk
from wongar_dsl.text.diagnostics import Diagnostic
from wongar_dsl.text.span import Span
from wongar_dsl.words import Words, WordsError, available
from wongar_dsl.words.files import Root


def uncovered(model: Model, roots: Sequence[Root] = ()) -> tuple[Diagnostic, ...]:
    """A warning for each name that has no term, and for each message that has no sentence, with the languages.

    `roots` are the folders of words beside the rules.  Rules that have no words in any language are left alone: they
    are played with the names as they stand.
    """
    languages: list[Words] = []
    for code in available(roots):
        try:
            languages.append(Words.load(code, roots))
        except WordsError:
            continue  # The check of the words tells what is wrong with them.
    game = model.name
    names = model.declared.shown
    told = {name: place for place, name in _messages(model)}
    if not any(words.has_term(game, game) or any(words.has(m, game) for m in told) for words in languages):
        return ()
    found = []
    for code, places, has in (
        ("R0501", names, Words.has_term),
        ("R0502", told, Words.has),
    ):
        for name, place in places.items():
            lacking = tuple(words.language for words in languages if not has(words, name, game))
            if lacking:
                found.append(Diagnostic(code, place, {"name": name, "languages": lacking}))
    return tuple(found)


def _messages(model: Model) -> Iterator[tuple[Span, str]]:
    for article in model.code.articles:
        for node in walk(article):
            if isinstance(node, s.MessageRef) and node.name is not None:
                yield node.span, node.name
