"""Inlay hints in a variant: beside each new value the value that it has in the base."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wongar_dsl.language import ast as s
from wongar_dsl.language.ast import walk
from wongar_dsl.language.server.snapshot import DocumentView
from wongar_dsl.language.server.symbols import title_of
from wongar_dsl.language.server.text_positions import TextPosition
from wongar_dsl.language.variants.addressable_parts import part_text
from wongar_dsl.language.variants.merge import MergedRules
from wongar_dsl.language.variants.step_labels import step_names, steps_of
from wongar_dsl.nlg.words import Text, Translator

#: Maximum length of a value in a hint.
MAX_HINT_LENGTH = 60


@dataclass(frozen=True, slots=True)
class InlayHint:
    """A text that the editor shows at a position."""

    place: TextPosition
    text: str


def inlay_hints(view: DocumentView, words: Translator) -> tuple[InlayHint, ...]:
    """Return the hints of a file: beside each `set` of a variant the value that it replaces."""
    tree, base = view.snapshot.tree, view.snapshot.base
    hints = []
    for article in tree.articles if tree is not None and base is not None else ():
        value = _before(article, base) if base is not None else None
        if value is None or len(value) > MAX_HINT_LENGTH:
            continue
        line = view.shift.newer(article.span.line)
        text = view.lines[line - 1] if 0 < line <= len(view.lines) else ""
        # A line that is being edited may no longer set that value.
        if text == view.snapshot.lines[article.span.line - 1]:
            end = len(text.partition("#")[0].rstrip()) + 1
            hints.append(InlayHint(TextPosition(line, end), words.say("editor.before", value=Text(value))))
    return tuple(hints)


def _before(article: s.Declaration, base: MergedRules) -> str | None:
    """Return the value in the base that an article changes; None if it sets nothing, or nothing that the base has."""
    articles = {s.key_of(old): old for old in base.articles}
    name = article.name.text
    match article:
        case s.SetPlayers():
            low, high = base.head.players or (1, 1)
            return f"{low} to {high}" if low < high else str(low)
        case s.SetSetting():
            option = articles.get(("option", name))
            return _text(option.value) if isinstance(option, s.Setting) else None
        case s.SetCount(face=face) if isinstance(track := articles.get(("track", name)), s.Track):
            return next((str(item.spaces) for item in track.phases if item.name.text == part_text(face)), None)
        case s.SetCount(face=face):
            deck = articles.get(("deck", name))
            counts = (
                [c.count for c in deck.copies if part_text(c.face) == part_text(face)]
                if isinstance(deck, s.Deck)
                else []
            )
            return str(sum(counts))
        case s.SetCell(keys=keys):
            return _cell(articles.get(("table", name)), [part_text(key) for key in keys])
        case s.SetRow(key=key):
            table = articles.get(("table", name))
            rows = (
                [r for r in table.rows if part_text(r.key) == part_text(key)]
                if isinstance(table, s.LookupTable)
                else []
            )
            return " ".join(_text(cell) for cell in rows[0].cells) if rows else None
        case s.SetStep(step=step, sort=sort):
            rule = articles.get((sort, name if sort in ("rule", "effect") else ""))
            steps = steps_of(rule) if isinstance(rule, s.Procedure) else ()
            remembered = {old.name.text for old in base.articles if isinstance(old, s.Remember)}
            named = (item for item in steps if step.text in step_names(item, remembered))
            return next((_text(item.value) for item in named if isinstance(item, s.Let | s.Assign)), None)
        case s.SetOffered(option=choice, parameter=parameter):
            return next(
                (_text(o.domain) for o in _offered(base, name, choice.text) if o.name.text == parameter.text), None
            )
    return None


def _cell(table: s.Declaration | None, keys: list[str]) -> str | None:
    if not isinstance(table, s.LookupTable):
        return None
    row = next((row for row in table.rows if part_text(row.key) == keys[0]), None)
    columns = [part_text(column) for column in table.columns]
    number = columns.index(keys[1]) if len(keys) > 1 and keys[1] in columns else 0
    return _text(row.cells[number]) if row is not None and number < len(row.cells) else None


def _offered(base: MergedRules, decision: str, option: str) -> Iterator[s.OptionParameter]:
    """Yield the parameters of an option of a decision."""
    for article in base.articles:
        for node in walk(article):
            if isinstance(node, s.Choose | s.ChooseSimultaneously) and title_of(node, article) == decision:
                yield from (o for c in node.options if c.name.text == option for o in c.parameters)


def _text(node: s.Node) -> str:
    """Return a value as written in its file."""
    if isinstance(node, s.Number):
        return str(node.value)
    if isinstance(node, s.Truth):
        return "yes" if node.value else "no"
    span = node.span
    line = span.source.line(span.line)
    return line[span.column - 1 : span.end_column - 1 if span.end_line == span.line else None].strip()
