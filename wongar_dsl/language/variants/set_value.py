"""Changes by `set`: options, rows and cells of tables, and counts of cards or spaces."""

from __future__ import annotations

from dataclasses import replace

from wongar_dsl.base.diagnostics import Diagnostic, Hint, Label
from wongar_dsl.base.foreign_words import WORDS
from wongar_dsl.language import ast as s
from wongar_dsl.language.variants.addressable_parts import part_name, part_text, with_parts
from wongar_dsl.language.variants.patch_context import PatchContext, set_form


def set_value(patch: PatchContext, article: s.Declaration) -> None:
    """Set an option, a row or cell of a table, the count of a card in a deck, or the spaces of a track's phase."""
    sort: s.Sort = "table"
    if isinstance(article, s.SetSetting | s.SetCount):
        sort = "option" if isinstance(article, s.SetSetting) else "deck"
    if isinstance(article, s.SetCount) and ("track", article.name.text) in patch.articles:
        sort = "track"
    key: s.Key = (sort, article.name.text)
    if not patch.require_article(key, article):
        return
    old = patch.articles[key]
    new: s.Declaration | None = None
    match article, old:
        case s.SetSetting(value=value), s.Setting():
            patch.claim_exclusively(article.name, *key)
            new = replace(old, value=value) if _fits(patch, value, old) else None
        case s.SetCount(face=face, count=count), s.Deck():
            new = _count(patch, old, face, count)
        case s.SetCount(face=phase, count=spaces), s.Track():
            new = _phase(patch, old, phase, spaces)
        case s.SetRow(key=row, cells=cells), s.LookupTable():
            new = _row(patch, old, row, cells)
        case s.SetCell(keys=keys, value=value), s.LookupTable():
            new = _cell(patch, old, keys, value, article)
    if new is not None and not s.same(old, new):
        patch.replace_article(key, new, article)


def _fits(patch: PatchContext, value: s.Expression, option: s.Setting) -> bool:
    """Return whether a literal fits the type of an option; report it if not, without checking the base."""
    kinds = {s.Number: "number", s.Truth: "yes or no"}
    if isinstance(value, s.Name) and type(option.value) in kinds:
        label, expected = Label(option.name.span, "declared"), kinds[type(option.value)]
        translation = WORDS.get(value.text, WORDS.get(value.text.lower()))
        truth = translation if translation in ("yes", "no") and isinstance(option.value, s.Truth) else None
        mismatch = {"found": value.text, "expected": expected}
        patch.diagnostics.append(Diagnostic("R0301", value.span, mismatch, (label,), truth, _value_hint(option)))
        return False
    kind, option_kind = kinds.get(type(value)), kinds.get(type(option.value))
    if kind is None or option_kind is None or kind == option_kind:
        return True
    label = Label(option.name.span, "declared")
    arguments = {"found": kind, "expected": option_kind}
    patch.diagnostics.append(Diagnostic("R0301", value.span, arguments, (label,), hint=_value_hint(option)))
    return False


def _value_hint(option: s.Setting) -> Hint:
    """Return a hint with the values that an option can have."""
    if isinstance(option.value, s.Truth):
        return Hint("write_instead", {"values": "yes, no"})
    if option.low is not None and option.high is not None:
        return Hint("write_number", {"low": str(option.low), "high": str(option.high)})
    return Hint("write_instead", {"values": "0, 1, 2"})


def _count(patch: PatchContext, deck: s.Deck, face: s.Expression, count: int) -> s.Declaration | None:
    face_name = part_text(face)
    patch.claim_exclusively(face, "deck", deck.name.text, face_name)
    for i, copies in enumerate(deck.copies):
        if part_text(copies.face) == face_name:
            changed = replace(copies, count=count, span=face.span)
            return with_parts(deck, (*deck.copies[:i], changed, *deck.copies[i + 1 :]))
    cards = patch.articles.get(("cards", deck.cards.text))
    kinds = {kind.name.text for kind in cards.faces} if isinstance(cards, s.Cards) else set()
    if isinstance(face, s.Name | s.Called) and (face.text if isinstance(face, s.Name) else face.name) in kinds:
        # a card of this sort that is not in the base's deck
        return with_parts(deck, (*deck.copies, s.Copies(face.span, count, face)))
    others = (d for d in patch.articles.values() if isinstance(d, s.Deck) and d is not deck)
    other_deck = next((d.name.text for d in others if any(part_text(c.face) == face_name for c in d.copies)), None)
    suggestion = f"{face_name} in {other_deck}" if other_deck is not None else None
    patch.report_missing(face, deck.name.text, (*s.key_of(deck), face_name), map(part_name, deck.copies), suggestion)
    return None


def _phase(patch: PatchContext, track: s.Track, phase: s.Expression, spaces: int) -> s.Declaration | None:
    """Return a track with a new number of spaces in one phase."""
    name = part_text(phase)
    patch.claim_exclusively(phase, "track", track.name.text, name)
    if name not in map(part_name, track.phases):
        patch.report_missing(phase, track.name.text, (*s.key_of(track), name), map(part_name, track.phases))
        return None
    changed = (replace(old, spaces=spaces, span=phase.span) if old.name.text == name else old for old in track.phases)
    return with_parts(track, tuple(changed))


def _row(
    patch: PatchContext, table: s.LookupTable, row: s.Expression, cells: tuple[s.Expression, ...]
) -> s.Declaration | None:
    patch.claim_exclusively(row, "table", table.name.text, part_text(row))
    if part_text(row) in map(part_text, table.columns) and table.rows:
        form = f"set {table.name.text}[{part_text(table.rows[0].key)}, {part_text(row)}] to …"
        arguments = {"name": part_text(row), "what": table.name.text}
        patch.diagnostics.append(Diagnostic("R0213", row.span, arguments, hint=Hint("set_as", {"form": form})))
        return None
    return _with_row(patch, table, row, cells)


def _with_row(
    patch: PatchContext, table: s.LookupTable, row: s.Expression, cells: tuple[s.Expression, ...]
) -> s.Declaration | None:
    for i, old in enumerate(table.rows):
        if part_text(old.key) == part_text(row):
            changed = replace(old, cells=cells, span=row.span)
            return replace(table, rows=(*table.rows[:i], changed, *table.rows[i + 1 :]))
    patch.report_missing(row, table.name.text, (*s.key_of(table), part_text(row)), map(part_name, table.rows))
    return None


def _cell(
    patch: PatchContext,
    table: s.LookupTable,
    keys: tuple[s.Expression, ...],
    value: s.Expression,
    article: s.Declaration,
) -> s.Declaration | None:
    patch.claim_exclusively(article, "table", table.name.text, *map(part_text, keys))
    row = next((r for r in table.rows if part_text(r.key) == part_text(keys[0])), None)
    if row is None and [part_text(key) for key in keys] in _transposed_keys(table):
        span, swapped = keys[0].span.to(keys[1].span), f"{part_text(keys[1])}, {part_text(keys[0])}"
        patch.diagnostics.append(Diagnostic("R0216", span, {"table": table.name.text}, suggestion=swapped))
        return None
    if row is None:
        patch.report_missing(
            keys[0], table.name.text, (*s.key_of(table), part_text(keys[0])), map(part_name, table.rows)
        )
        return None
    column = 0
    if len(keys) > 1:
        columns = [part_text(c) for c in table.columns]
        if part_text(keys[1]) not in columns:
            patch.report_missing(keys[1], table.name.text, (*s.key_of(table), part_text(keys[1])), columns)
            return None
        column = columns.index(part_text(keys[1]))
    expected = 2 if table.columns else 1
    if len(keys) != expected or column >= len(row.cells):
        name, key_count = table.name.text, len(keys)
        hint = Hint("set_as", {"form": set_form(table, part_text(keys[0]))})
        patch.diagnostics.append(
            Diagnostic("R0302", article.span, {"name": name, "found": key_count, "expected": expected}, hint=hint)
        )
        return None
    return _with_row(patch, table, row.key, (*row.cells[:column], value, *row.cells[column + 1 :]))


def _transposed_keys(table: s.LookupTable) -> list[list[str]]:
    """Return the keys of all cells of a table with the column before the row."""
    return [[part_text(column), part_text(row.key)] for row in table.rows for column in table.columns]
