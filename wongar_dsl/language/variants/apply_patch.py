"""Partial changes of an article: adds and removes its parts and options; inserts, sets and removes its steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import count
from typing import assert_never

from wongar_dsl.base.diagnostics import Diagnostic, Hint
from wongar_dsl.language import ast as s
from wongar_dsl.language.ast import copied
from wongar_dsl.language.variants.addressable_parts import (
    Deciding,
    named_choices,
    part_name,
    part_place,
    part_text,
    parts_of,
    with_parts,
)
from wongar_dsl.language.variants.patch_context import PatchContext
from wongar_dsl.language.variants.step_labels import edited, ends_with, step_names, steps_of

#: Path component of options below their choice.
_OPTION = "option"


def change_part(patch: PatchContext, change: s.PartialChange) -> None:
    """Apply one change, or report why it cannot be applied."""
    match change:
        case s.AddTo(sort="choice"):
            _add_options(patch, change)
        case s.AddTo():
            _add_parts(patch, change)
        case s.RemoveFrom(sort="choice"):
            _remove_option(patch, change)
        case s.RemoveFrom(sort="rule" | "effect" | "setup" | "play"):
            _remove_step(patch, change)
        case s.RemoveFrom():
            _remove_part(patch, change)
        case s.Insert():
            _insert(patch, change)
        case s.SetStep():
            _set_step(patch, change)
        case s.AllowOnly():
            _allow_only(patch, change)
        case s.SetOffered():
            _set_offered(patch, change)
        case _:
            assert_never(change)


def _store(patch: PatchContext, key: s.Key, article: s.Declaration, change: s.Declaration) -> None:
    """Store an article with a changed part, keeping the sources of the base."""
    old = patch.articles[key]
    patch.replaced.setdefault(key, old)
    old_sources = set(old.sources)
    new = (source for source in change.sources or patch.sources if source not in old_sources)
    patch.replace_article(key, article, replace(change, sources=(*old.sources, *new)))


# ---- lists ---------------------------------------------------------------------------------------------------------


def _add_parts(patch: PatchContext, change: s.AddTo) -> None:
    key = _key(change.sort, change.name)
    if not patch.require_article(key, change):
        return
    article = patch.articles[key]
    if change.columns:
        assert isinstance(article, s.LookupTable)
        new: s.Declaration | None = _with_columns(patch, article, change)
    else:
        parts = _merged_parts(patch, key, parts_of(article), change)
        new = with_parts(article, parts) if parts is not None else None
    if new is not None:
        _store(patch, key, new, change)


def _merged_parts(
    patch: PatchContext, key: tuple[str, ...], old: Sequence[s.Part], change: s.AddTo
) -> tuple[s.Part, ...] | None:
    """Return the old and the new parts in order; None if a new one cannot be added."""
    parts = list(old)
    position = len(parts)
    if change.anchor is not None:
        names = [part_name(part) for part in parts]
        neighbour = part_text(change.anchor)
        if neighbour not in names:
            span, hint = change.anchor.span, None
            if change.sort == "choice" and (change.side, neighbour) == ("before", "otherwise"):
                # New options come last, which is before `otherwise`.
                hint = Hint("leave_out", {"word": "before otherwise"})
                span = replace(span, column=change.name.span.end_column + 1)
            patch.report_missing(s.Word(span, neighbour), change.name.text, (*key, neighbour), names, hint=hint)
            return None
        position = names.index(neighbour) + (change.side == "after")
    all_added = True
    for part in change.parts:
        name, place = part_name(part), part_place(part)
        free = patch.record_change(place, *key, name)
        same = next((i for i, existing in enumerate(parts) if name and part_name(existing) == name), None)
        existing = parts[same] if same is not None else None
        if same is None:
            parts.insert(position, part)
            position += 1
        elif isinstance(part, s.Copies) and isinstance(existing, s.Copies):
            parts[same] = replace(existing, count=existing.count + part.count, span=part.span)
        elif free:
            patch.report_duplicate(place, name, part_place(parts[same]))
            free = False
        if isinstance(part, s.Word | s.Face) and same is None and free:
            free = patch.require_free_name(place, name)
        all_added = all_added and free
    return tuple(parts) if all_added else None


def _with_columns(patch: PatchContext, table: s.LookupTable, change: s.AddTo) -> s.Declaration | None:
    before = len(patch.diagnostics)
    name = table.name.text
    if not table.columns:
        column = change.columns[0]
        arguments = {"statement": part_text(column)}
        patch.diagnostics.append(Diagnostic("R0416", column.span, arguments, hint=Hint("no_columns")))
        return None
    for column in change.columns:
        same = next((c for c in table.columns if part_text(c) == part_text(column)), None)
        if patch.record_change(column, "table", name, "", part_text(column)) and same is not None:
            patch.report_duplicate(column, part_text(column), same)
    rows_by_key = {part_name(row): row for row in change.parts if isinstance(row, s.TableRow)}
    for key, row in rows_by_key.items():
        if key not in map(part_name, table.rows):
            patch.report_missing(row.key, name, ("table", name, key), map(part_name, table.rows))
        elif len(row.cells) != len(change.columns):
            cells = {"found": len(row.cells), "expected": len(change.columns)}
            patch.diagnostics.append(Diagnostic("R0402", row.key.span, {"table": name, "row": key, **cells}))
    rows = []
    for old in table.rows:
        addition = rows_by_key.get(part_name(old))
        if addition is None:
            arguments = {"table": name, "row": part_name(old)}
            patch.diagnostics.append(Diagnostic("R0401", change.name.span, arguments))
        else:
            rows.append(replace(old, cells=(*old.cells, *addition.cells), span=addition.span))
    if len(patch.diagnostics) > before:
        return None
    return replace(table, columns=(*table.columns, *change.columns), rows=tuple(rows))


def _other_place(
    patch: PatchContext, change: s.RemoveFrom, article: s.Declaration, name: str
) -> tuple[s.Node, str | None]:
    """Return the place and suggestion for a missing part: the name of the only other article that has it."""
    others = [
        article_beside
        for article_beside in patch.articles.values()
        if type(article_beside) is type(article) and article_beside is not article
    ]
    having = [article_beside.name.text for article_beside in others if name in map(part_name, parts_of(article_beside))]
    return (change.name, having[0]) if len(having) == 1 else (change.part, None)


def _remove_part(patch: PatchContext, change: s.RemoveFrom) -> None:
    key = _key(change.sort, change.name)
    if not patch.require_article(key, change):
        return
    article, name = patch.articles[key], part_text(change.part)
    parts = tuple(part for part in parts_of(article) if part_name(part) != name)
    columns = [part_text(column) for column in article.columns] if isinstance(article, s.LookupTable) else []
    if len(parts) == len(parts_of(article)) and name not in columns:
        place, suggestion = _other_place(patch, change, article, name)
        patch.report_missing(place, key[1], (*key, name), (*map(part_name, parts_of(article)), *columns), suggestion)
        return
    if not patch.claim_exclusively(change.part, *key, name, gone=True) or not _some_left(patch, change, name, parts):
        return
    if isinstance(article, s.LookupTable) and name in columns:
        column_index = columns.index(name)
        if len(columns) == 1:
            _some_left(patch, change, name, ())
            return
        rows = (row for row in article.rows if part_name(row) != name)
        parts = tuple(replace(row, cells=(*row.cells[:column_index], *row.cells[column_index + 1 :])) for row in rows)
        article = replace(article, columns=(*article.columns[:column_index], *article.columns[column_index + 1 :]))
    _store(patch, key, with_parts(article, parts), change)


def _some_left(patch: PatchContext, change: s.RemoveFrom, name: str, left: Sequence[object]) -> bool:
    """Return whether anything remains after a part is removed; report it if not."""
    if not left:
        hint = Hint("none_left")
        patch.diagnostics.append(Diagnostic("R0211", change.part.span, {"name": name}, hint=hint))
    return bool(left)


# ---- choices -------------------------------------------------------------------------------------------------------


def _in_choices(patch: PatchContext, change: s.Declaration, new: Callable[[s.Key, Deciding], Deciding | None]) -> None:
    """Change every choice with the name of `change`; `new` returns the new choice, or None to keep the old one."""
    name = change.name.text
    keys = [key for key, article in patch.articles.items() if name in _choice_names(article)]
    if not keys:
        patch.report_no_choice(change.name, _choice_names)
    for key in keys:
        article = patch.articles[key]
        assert isinstance(article, s.Procedure)
        before = len(patch.diagnostics)

        def edit(step: s.Statement, key: s.Key = key) -> Sequence[s.Statement]:
            if isinstance(step, Deciding) and step.name is not None and step.name.text == name:
                return (new(key, step) or step,)
            return (step,)

        body = edited(article.body, edit)
        if len(patch.diagnostics) > before:
            return
        _store(patch, key, replace(article, body=body), change)


def _choice_names(article: s.Declaration) -> Iterable[str]:
    return (name for name, _ in named_choices(article))


def _no_option(patch: PatchContext, key: s.Key, at: s.Word, choice: Deciding, option: s.Word) -> None:
    """Report that the choice named `at` has no such option; suggest the only other choice that has it."""
    named_ones = (named for article in patch.articles.values() for named in named_choices(article))
    others = {name for name, named_choice in named_ones if option.text in (c.name.text for c in named_choice.options)}
    if len(others) == 1:
        arguments = {"name": option.text, "what": at.text}
        patch.diagnostics.append(Diagnostic("R0213", at.span, arguments, suggestion=others.pop()))
    else:
        patch.report_missing(
            option, at.text, (*key, at.text, _OPTION, option.text), [c.name.text for c in choice.options]
        )


def _with_option(
    patch: PatchContext, key: s.Key, choice: Deciding, at: s.Word, option: s.Word, new: Callable[[s.Option], s.Option]
) -> Deciding | None:
    """Return a choice with one option changed; None if it has no such option."""
    names = [c.name.text for c in choice.options]
    if option.text not in names:
        _no_option(patch, key, at, choice, option)
        return None
    choices = tuple(new(c) if c.name.text == option.text else c for c in choice.options)
    return replace(choice, options=choices)


def _add_options(patch: PatchContext, change: s.AddTo) -> None:
    def new(key: s.Key, choice: Deciding) -> Deciding | None:
        index = next(number)
        addition = change if not index else copied(change)
        parts = _merged_parts(patch, (*key, change.name.text, _OPTION), choice.options, addition)
        if parts is None:
            return None
        choices = tuple(part for part in parts if isinstance(part, s.Option))
        if addition.otherwise is None:
            return replace(choice, options=choices)
        if isinstance(choice, s.ChooseSimultaneously):
            patch.diagnostics.append(Diagnostic("R0416", change.span, {"statement": "otherwise"}))
            return None
        if choice.otherwise is not None:
            patch.report_duplicate(change.name, "otherwise", choice.name or choice)
            return None
        patch.record_change(change.name, *key, change.name.text, "otherwise")
        return replace(choice, options=choices, otherwise=addition.otherwise)

    number = count()
    _in_choices(patch, change, new)


def _remove_option(patch: PatchContext, change: s.RemoveFrom) -> None:
    name = part_text(change.part)

    def new(key: s.Key, choice: Deciding) -> Deciding | None:
        remaining = tuple(c for c in choice.options if c.name.text != name)
        if len(remaining) == len(choice.options):
            _no_option(patch, key, change.name, choice, s.Word(change.part.span, name))
            return None
        free = patch.claim_exclusively(change.part, *key, change.name.text, _OPTION, name, gone=True)
        return replace(choice, options=remaining) if free and _some_left(patch, change, name, remaining) else None

    _in_choices(patch, change, new)


def _allow_only(patch: PatchContext, change: s.AllowOnly) -> None:
    def new(key: s.Key, choice: Deciding) -> Deciding | None:
        def option(old: s.Option) -> s.Option:
            condition = copied(change.condition)
            if old.condition is not None:
                condition = s.Logical(condition.span, "and", (old.condition, condition))
            return replace(old, condition=condition)

        free = patch.record_change(change.option, *key, change.name.text, _OPTION, change.option.text, "if")
        return _with_option(patch, key, choice, change.name, change.option, option) if free else None

    _in_choices(patch, change, new)


def _set_offered(patch: PatchContext, change: s.SetOffered) -> None:
    parameter_name = change.parameter.text

    def new(key: s.Key, choice: Deciding) -> Deciding | None:
        def option(old: s.Option) -> s.Option:
            names = [offered.name.text for offered in old.parameters]
            if parameter_name not in names:
                thing = (*key, change.name.text, _OPTION, change.option.text, parameter_name)
                patch.report_missing(change.parameter, change.option.text, thing, names)
                return old
            new = (
                replace(o, domain=copied(change.domain)) if o.name.text == parameter_name else o for o in old.parameters
            )
            return replace(old, parameters=tuple(new))

        free = patch.claim_exclusively(
            change.parameter, *key, change.name.text, _OPTION, change.option.text, parameter_name
        )
        return _with_option(patch, key, choice, change.name, change.option, option) if free else None

    _in_choices(patch, change, new)


# ---- steps ---------------------------------------------------------------------------------------------------------


def _in_steps(
    patch: PatchContext, change: s.Insert | s.RemoveFrom | s.SetStep, place: s.Node, name: str,
    new: Callable[[s.Statement], Sequence[s.Statement] | None],
) -> None:  # fmt: skip
    """Change every step with this name in the rule that `change` names; `new` returns the steps that replace it."""
    key = _key(change.sort, change.name)
    article = patch.articles[key]
    assert isinstance(article, s.Procedure)
    remembered = {names for sort, names in patch.articles if sort == "remember"}
    was_found = False

    def edit(step: s.Statement) -> Sequence[s.Statement]:
        nonlocal was_found
        replacement = new(step) if name in step_names(step, remembered) else None
        was_found = was_found or replacement is not None
        return (step,) if replacement is None else replacement

    body = edited(article.body, edit)
    if not was_found:
        steps = [(step, n) for step in steps_of(article) for n in step_names(step, remembered)]
        form = f"remove {name} from {' '.join(filter(None, key))}"
        # There is such a step, but without a value.
        hint = Hint("no_value", {"form": form}) if any(n == name for _, n in steps) else None
        names = (n for step, n in steps if new(step) is not None)
        patch.report_missing(place, key[1] or key[0], (*key, name), names, hint=hint)
    else:
        _store(patch, key, replace(article, body=body), change)


def _insert(patch: PatchContext, change: s.Insert) -> None:
    key = _key(change.sort, change.name)
    if not patch.require_article(key, change):
        return
    article = patch.articles[key]
    assert isinstance(article, s.Procedure)
    step = change.step.text if change.step is not None else ""
    if not patch.record_change(change.step or change.name, *key, step, change.side):
        return
    if change.step is None:
        before = change.side == "before"
        changed = replace(article, body=(*change.body, *article.body)) if before else ends_with(article, change.body)
        _store(patch, key, changed, change)
        return
    number = count()

    def new(old: s.Statement) -> Sequence[s.Statement]:
        body = copied(change.body) if next(number) else change.body
        return (*body, old) if change.side == "before" else (old, *body)

    _in_steps(patch, change, change.step, step, new)


def _remove_step(patch: PatchContext, change: s.RemoveFrom) -> None:
    key, step = _key(change.sort, change.name), part_text(change.part)
    if patch.require_article(key, change):
        before = len(patch.diagnostics)
        _in_steps(patch, change, change.part, step, lambda old: ())
        if len(patch.diagnostics) == before:
            patch.claim_exclusively(change.part, *key, step, gone=True)


def _set_step(patch: PatchContext, change: s.SetStep) -> None:
    key, step = _key(change.sort, change.name), change.step.text

    def new(old: s.Statement) -> Sequence[s.Statement] | None:
        value = copied(change.value)
        return (replace(old, value=value),) if isinstance(old, s.Let | s.Assign) else None

    if patch.require_article(key, change) and patch.claim_exclusively(change.step, *key, step, "value"):
        _in_steps(patch, change, change.step, step, new)


def _key(sort: s.ListSort | s.ProcedureSort, name: s.Word) -> s.Key:
    """Return the key of the changed article."""
    assert sort != "choice"
    return (sort, "" if s.SORTS[sort].single else name.text)
