"""Resolution of single names: zones, types, kinds of cards, and index types."""

from __future__ import annotations

from wongar_dsl.language import ast as s
from wongar_dsl.language.checker.context import CheckContext
from wongar_dsl.language.semantics import PLAYER, UNKNOWN, Ref, Type
from wongar_dsl.language.semantics.types import TypeKind

#: Types with a fixed number of values, whose name is a domain of them.
COUNTABLE: tuple[TypeKind, ...] = ("enum", "board", "cards")


def zone_of(context: CheckContext, value_type: Type) -> s.Zone | None:
    """Return the declaration of a zone, given the type of its name."""
    return context.model.article(s.Zone, value_type.name)


def indices_of(context: CheckContext, name: str) -> tuple[Type, ...]:
    """Return the index types of a zone, a remembered value or a score."""
    declared = context.names[name]
    if declared.kind == "score":
        return (PLAYER,)
    article = context.model.articles[declared.kind, name]
    assert isinstance(article, s.Zone | s.Remember)
    return tuple(each_type(context, w) for w in article.each)


def each_type(context: CheckContext, word: s.Word) -> Type:
    """Return the type that is named after `of each`."""
    if word.text == "player":
        return PLAYER
    return context.named_type(word.text, *COUNTABLE) or UNKNOWN


def shown_name(e: s.Expression) -> str:
    """Return the name in an expression, for a diagnostic."""
    return e.text if isinstance(e, s.Name) else e.name if isinstance(e, s.Of | s.Indexed | s.Called) else source_text(e)


def report_wrong_sort(
    context: CheckContext, e: s.Expression, value_type: Type, expected: tuple[str, ...], suggestion: str | None = None
) -> None:
    """Report that an expression is of another sort than needed; a type that it does not name itself is not its sort."""
    name = source_text(e)
    sort = "value" if value_type.name not in ("", name) else value_type.kind
    context.report("R0203", e, suggestion=suggestion, name=name, found=sort, expected=expected)


def source_text(e: s.Expression) -> str:
    """Return the source text of an expression; "…" if it spans several lines."""
    span = e.span
    return span.source.line(span.line)[span.column - 1 : span.end_column - 1] if span.end_line == span.line else "…"


def kind_test(context: CheckContext, e: s.Expression) -> Type | None:
    """Return the sort of card of a bare kind of card with parameters (`card is token_card`), else None."""
    if not isinstance(e, s.Name) or context.look_up(e.text) is not None:
        return None
    declared = context.names.get(e.text)
    if declared is None or declared.kind != "facekind" or declared.type.name not in context.model.cards:
        return None
    faces = context.model.cards[declared.type.name].faces
    if not any(f.kind == e.text and f.arguments for f in faces):
        return None
    context.used.add(declared.type.name)
    return context.record_type(e, declared.type, Ref("facekind", e.text))


def type_named(context: CheckContext, e: s.Expression) -> Type:
    """Return the type that an expression names; unknown after reporting a mistake."""
    if isinstance(e, s.Name):
        if e.text == "player":
            return context.record_type(e, PLAYER, Ref("type"))
        declared = context.named_type(e.text, *COUNTABLE)
        if declared is not None and context.look_up(e.text) is None:
            context.used.add(e.text)
            return context.record_type(e, declared, Ref("type"))
        names = [n for n in context.names if context.named_type(n, *COUNTABLE)]
        if e.text not in context.names and context.look_up(e.text) is None:
            context.report_unknown(e, e.text, [*names, "player"])
            return context.record_type(e, UNKNOWN)
    context.report("R0203", e, name=shown_name(e), found="expression", expected=(*COUNTABLE, "player"))
    return context.record_type(e, UNKNOWN)
