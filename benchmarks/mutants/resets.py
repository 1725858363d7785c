"""Check that each reset omitted from a rulebook's sentences is in its table of values."""

from __future__ import annotations

from collections.abc import Iterator

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Model
from wongar_dsl.nlg.prose.document.document_model import BookTable, Rulebook
from wongar_dsl.nlg.prose.redundant_assignments import ENDED, ResetIndex
from wongar_dsl.nlg.words import Listing, Sentence, Value


def forgotten(model: Model, book: Rulebook) -> Iterator[str]:
    """Yield the values that a rule resets without mention in its sentences or in the table of values, with the rule."""
    reset_index, rows = ResetIndex(model), dict(_rows(book))
    for procedure in reset_index.procedures:
        rule_name = procedure.name.text if isinstance(procedure, s.Rule) else procedure.keyword
        for node in s.walk(procedure.body):
            if book.log.fates.get(node) == ("implied", ENDED):
                # A value without a row is used only by messages, so players need not track it.
                names = [name for name in reset_index.resets.get(node, ()) if name in rows]
                yield from (
                    f"{name}: set back in {rule_name}" for name in names if f"rule.{rule_name}" not in rows[name]
                )


def _rows(book: Rulebook) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the remembered values in the tables of a rulebook, each with the messages in its row."""
    for _, section in book.walk():
        for block in section.blocks:
            for row in block.rows if isinstance(block, BookTable) else ():
                if isinstance(row.origin, s.Remember):
                    yield row.origin.name.text, frozenset(m for cell in row.cells for m in _messages(cell))


def _messages(value: Value | None) -> Iterator[str]:
    match value:
        case Sentence(message=message, values=values):
            yield message
            for inner in values.values():
                yield from _messages(inner)
        case Listing(items=items):
            for item in items:
                yield from _messages(item)
