"""Inventory of the optional terms and messages for a game's rulebook."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Model, Type
from wongar_dsl.nlg.prose.context import COMPARED, SLOTS, owners_of, with_player


def terms_of(model: Model) -> frozenset[str]:
    """Return the optional terms of a game: for parameters, local names, table values, and kinds."""
    parameters = {
        f"{owner}.{local.name}"
        for article, locals_ in model.parameters.items()
        for owner in owners_of(model, article)
        for local in locals_
    }
    places = {f"{name}.place" for name in model.declared.zones}
    # Names bound inside declarations, and table values that their title does not explain.
    named = {
        f"{article.name.text}.{word.text}"
        for article in model.code.articles
        for part in s.walk(article)
        for word in _names_in(part)
    }
    # Areas that the rules name.
    areas = {
        node.text
        for article in model.code.articles
        for node in s.walk(article)
        if isinstance(node, s.Name) and node in model.types and model.types[node].kind == "board"
    }
    cells = {f"{name}.value" for name in {*model.tables, *model.declared.spans}}
    kinds = {f"{name}.kind" for name in {*model.enums, *model.cards}}
    kinds |= {f"{name}.one" for name in {*model.cards, *model.coverings}}
    kinds |= {f"{kind}.one" for cards in model.cards.values() for kind, parameters in cards.kinds.items() if parameters}
    kinds |= {f"{name}.each" for name in model.code.defines}
    kinds |= {f"{name}.item" for name in model.declared.spans}
    nobodys = {f"{name}.none" for name in model.declared.remembered} | {f"{name}.top" for name in model.declared.zones}
    return frozenset(parameters | places | named | cells | areas | kinds | nobodys)


def _names_in(part: s.Node) -> tuple[s.Word, ...]:
    """Return the name that a node binds."""
    name = part.name if isinstance(part, s.OptionParameter) else getattr(part, s.BOUND, None)
    return (name,) if isinstance(name, s.Word) else ()


def sentences_of(model: Model) -> Iterator[tuple[str, dict[str, Type]]]:
    """Yield the optional messages for a game's rulebook, with the types of their slots.

    `rule.NAME` and `define.NAME` describe the call of a rule or definition, `amounts.NAME` its value. `state.NAME`,
    `becomes.NAME`, `grows_to.NAME` and `shrinks_to.NAME` (set to a bound), `now.NAME` (set to the present time),
    `is.NAME`, `none.NAME`, `grows.NAME` and `shrinks.NAME` concern a stored value, `until.NAME` one that ends a loop.
    `of.NAME` follows the noun of an
    indexed thing, and `at.NAME` names the index that the place is called by. `fills.NAME` says that a card comes to a
    slot, `has.NAME`, `most.NAME` and `fewest.NAME` that a player has something there. `about.NAME` says what a setting
    decides, and `begins.setup` or `begins.play` who takes the first turn.
    """
    for rule in (*model.code.rules.values(), *model.code.defines.values()):
        locals_ = model.parameters.get(rule, ())
        kinds = [local.type for local in locals_]
        slots = with_player({local.name: local.type for local in locals_}, kinds)
        name = f"{rule.keyword}.{rule.name.text}"
        yield name, slots
        give = next((node for node in s.walk(rule) if isinstance(node, s.Give)), None)
        if give is not None:
            yield f"gives.{rule.name.text}", {"what": model.types[give.value]}
        if isinstance(rule, s.Define):
            yield f"{name}.not", slots
            for sort in ("of", "at"):
                yield f"{sort}.{rule.name.text}", _slots(kinds)
            yield f"amounts.{rule.name.text}", {**slots, "value": model.types[rule.value]}
            yield f"ranks.{rule.name.text}", {"last": Type("number")}
            yield from _measured(rule.name.text, _slots(kinds))
    for value in model.declared.remembered.values():
        slots = _slots(value.indices)
        for end in ("", ".not", ".becomes", ".ends"):
            yield f"state.{value.name}{end}", slots
        yield f"until.{value.name}", slots
        settled = {**slots, "value": value.type, **({"player": value.type} if value.type.kind == "player" else {})}
        for change in ("becomes", "grows_to", "shrinks_to"):
            yield f"{change}.{value.name}", settled
        yield f"now.{value.name}", slots
        for end in ("", ".not"):
            yield f"is.{value.name}{end}", {**slots, "value": value.type}
            yield f"none.{value.name}{end}", slots
        for change in ("grows", "shrinks"):
            yield f"{change}.{value.name}", {**slots, "n": Type("number")}
        yield f"none.{value.name}.becomes", slots
        yield f"of.{value.name}", slots
        yield from _measured(value.name, slots)
    for zone in model.declared.zones.values():
        yield f"of.{zone.name}", _slots(zone.indices)
        yield f"at.{zone.name}", _slots(zone.indices)
        if "player" in (player := _slots(zone.indices)):
            for relation in ("has", "most", "fewest"):
                yield (
                    f"{relation}.{zone.name}",
                    {"player": player["player"], "what": zone.holds, **_slots(zone.indices)},
                )
            for kind in dict.fromkeys(kind for sort in model.cards.values() for kind, _ in sort.attributes.values()):
                yield f"has_of.{zone.name}", {"player": player["player"], "what": zone.holds, "kind": kind}
        if zone.kind == "slot":
            yield f"fills.{zone.name}", {"what": zone.holds, **_slots(zone.indices)}
        elif zone.kind != "tokens":
            for compared in COMPARED.values():
                yield f"{compared}.{zone.name}", {**_slots(zone.indices), "n": Type("number")}
    for article in model.code.articles:
        for node in s.walk(article):
            if isinstance(node, s.Let):
                local = model.locals[node.variable]
                for how in ("first", "becomes"):
                    yield f"{how}.{article.name.text}.{local.name}", {"value": model.display_type(local)}
    for option in model.settings:
        yield f"about.{option}", {}
    for part in (s.Setup, s.Play):
        yield f"begins.{part.keyword}", {}
    for table, data in model.tables.items():
        yield f"of.{table}", _slots(data.keys)
        for end in ("", ".not"):
            yield f"none.{table}{end}", _slots(data.keys)
        yield from _measured(table, _slots(data.keys))
    for decision in model.decisions.values():
        for option, offered in decision.options:
            yield f"option.{decision.name}.{option}", {"player": Type("player"), **dict(offered)}
    for message in model.messages.values():
        for end in ("rule", "fills"):
            yield f"{message.name}.{end}", dict((*message.slots, *message.offered))


def _measured(name: str, slots: dict[str, Type]) -> Iterator[tuple[str, dict[str, Type]]]:
    """Yield the optional messages for comparisons and superlatives of a value."""
    for compared in COMPARED.values():
        for end in ("", ".not"):
            yield f"{compared}.{name}{end}", {**slots, "n": Type("number")}
    for extreme in ("most", "fewest", "most_of", "fewest_of"):
        yield f"{extreme}.{name}", slots


def _slots(kinds: Sequence[Type]) -> dict[str, Type]:
    """Return the slots for operands, with the first player also as `player`."""
    return with_player(dict(zip(SLOTS, kinds, strict=False)), kinds)
