"""What single names mean: zones, types, kinds of cards, and by what a thing is told apart."""

from __future__ import annotations

from wongar_dsl import syntax as s
from wongar_dsl.checker.context import Work
from wongar_dsl.model import PLAYER, UNKNOWN, Ref, Type


def zone_of(work: Work, kind: Type) -> s.Zone | None:
    """The declaration of a zone, from the type of its name."""
    article = work.model.articles.get(("zone", kind.name))
    return article if isinstance(article, s.Zone) else None


def indices_of(work: Work, name: str) -> tuple[Type, ...]:
    """The types by which a zone, a remembered value or a score is told apart."""
    declared = work.names[name]
    if declared.kind == "score":
        return (PLAYER,)
    article = work.model.articles[declared.kind, name]
    assert isinstance(article, s.Zone | s.Remember)
    return tuple(each_type(work, w) for w in article.each)


def each_type(work: Work, word: s.Word) -> Type:
    """The type that is named after `of each`."""
    if word.text == "player":
        return PLAYER
    declared = work.names.get(word.text)
    if declared is None or declared.kind not in ("enum", "board", "cards"):
        return UNKNOWN
    return Type(declared.kind, word.text)


def shown(e: s.Expression) -> str:
    """The name in an expression, as it is told in a diagnostic."""
    return e.text if isinstance(e, s.Name) else e.name if isinstance(e, s.Of | s.Indexed | s.Called) else "?"


def kind_test(work: Work, e: s.Expression) -> Type | None:
    """The sort of card, where an expression is a bare kind of card that needs parameters (`card is token_card`)."""
    if not isinstance(e, s.Name) or work.look_up(e.text) is not None:
        return None
    declared = work.names.get(e.text)
    if declared is None or declared.kind != "facekind" or declared.type.name not in work.model.cards:
        return None
    faces = work.model.cards[declared.type.name].faces
    if not any(f.kind == e.text and f.arguments for f in faces):
        return None
    work.used.add(declared.type.name)
    return work.note(e, declared.type, Ref("facekind", e.text))


def type_named(work: Work, e: s.Expression) -> Type:
    """The type that an expression names; unknown after reporting."""
    if isinstance(e, s.Name):
        if e.text == "player":
            return work.note(e, PLAYER, Ref("type"))
        declared = work.names.get(e.text)
        if declared is not None and declared.kind in ("enum", "board", "cards") and work.look_up(e.text) is None:
            work.used.add(e.text)
            return work.note(e, Type(declared.kind, e.text), Ref("type"))
        known = [n for n, g in work.names.items() if g.kind in ("enum", "board", "cards")]
        if declared is None and work.look_up(e.text) is None:
            work.unknown(e, e.text, [*known, "player"])
            return work.note(e, UNKNOWN)
    work.report("R0203", e, name=shown(e), found="expression", expected=("enum", "board", "cards", "player"))
    return work.note(e, UNKNOWN)
