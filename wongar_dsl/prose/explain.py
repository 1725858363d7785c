"""What one card does, in a few sentences, for whoever asks at the table."""

from __future__ import annotations

from collections.abc import Iterator

from wongar_dsl.model import Model
from wongar_dsl.prose.document import text_of
from wongar_dsl.prose.overall import Overall
from wongar_dsl.prose.phrases import plan_of
from wongar_dsl.prose.plan import Group, Line, Passage, Plan
from wongar_dsl.words import Listing, Nominal, Said, Words


def of_card(model: Model, name: str, words: Words, scope: str, seats: int | None = None) -> str | None:
    """What a card does, by the name of its face, or what all cards of a kind do; for one that does nothing of itself,
    what is done when it turns up.

    None where the rules do nothing with it, or there are no words for that.
    """
    for sort in model.cards.values():
        face = sort.index(name)
        if face is None and name not in sort.kinds:
            continue
        kind = name if face is None else sort.faces[face].kind
        given = {
            attribute: model.value_name(type_, values[face])
            for attribute, (type_, values) in sort.attributes.items()
            if face is not None and values[face] >= 0 and type_.kind in ("enum", "cards", "board")
        }
        effect = next((e for e in model.code.effects.get(sort.name, ()) if e.name.text == kind), None)
        if effect is not None:
            return _text(plan_of(model, effect, words, seats, given)[0], words, scope)
        # The rules, not the course of the game, which writes some of them out once more.
        rules, overall = model.code.rules.values(), Overall.of(model)
        said = (plan_of(model, rule, words, seats, overall=overall)[0] for rule in rules)
        found = [plan for plans in said for plan in _when(plans, kind)]
        return _text(tuple(found), words, scope) if found else None
    return None


def _text(plans: tuple[Plan, ...], words: Words, scope: str) -> str | None:
    lines = [unit.text for unit in text_of(plans, words, scope)]
    return " ".join(dict.fromkeys(lines)) if lines and all(lines) else None


def _when(plans: tuple[Plan, ...], kind: str) -> Iterator[Plan]:
    """What is done if a card is of a kind."""
    for plan in plans:
        match plan:
            case Line(said=said) if _asks(said, kind):
                yield plan
            case Group(lead=lead) if _asks(lead, kind):
                yield plan
            case Group(parts=parts) | Passage(parts=parts):
                yield from _when(parts, kind)


def _asks(said: Said, kind: str) -> bool:
    """Whether a sentence says what is done if a card is of a kind."""
    asked = said.values.get("condition") if said.message.startswith(("prose.if", "prose.while")) else None
    return isinstance(asked, Said) and _is_about(asked, kind)


def _is_about(asked: Said, kind: str) -> bool:
    match asked:
        case Said(message="prose.is_a" | "prose.is_a.none", values={"kind": Nominal(head=head)}):
            return head.name == kind
        case Said(message="prose.and", values={"all": Listing(items=items)}):
            return any(isinstance(item, Said) and _is_about(item, kind) for item in items)
    return False
