"""Everything that Tongiaki says has its words, in every language."""

from __future__ import annotations

import pytest

from wongar_dsl.library import load
from wongar_dsl.model import Model, Type
from wongar_dsl.words.catalog_check import MessageSpec, check
from wongar_dsl.words.negotiation import available

MODEL = load("tongiaki").model


def kind(model: Model, found: Type) -> str:
    return found.kind if found.kind in ("player", "number") else f"term:{found.name}"


def vocabulary() -> dict[str, tuple[str, ...]]:
    values = {name: (*enum, name) for name, enum in MODEL.enums.items()}
    values |= {name: (*(f.name for f in sort.faces), name) for name, sort in MODEL.cards.items()}
    named = MODEL.declared
    zones = (*named.zones, *named.remembered, *named.scores, *MODEL.settings, *MODEL.boards)
    return {**values, "zone": zones, "game": (MODEL.name,)}


def specs() -> list[MessageSpec]:
    found = [
        MessageSpec(f"tongiaki.{m.name}", {n: kind(MODEL, t) for n, t in m.slots}) for m in MODEL.messages.values()
    ]
    for name, decision in MODEL.decisions.items():
        found.append(MessageSpec(f"tongiaki.decision.{name}", {"player": "player"}))
        for option, parameters in decision.options:
            slots = {n: kind(MODEL, t) for n, t in parameters}
            found.append(MessageSpec(f"tongiaki.decision.{name}.{option}", slots))
            found.append(MessageSpec(f"tongiaki.why.{name}.{option}", slots))
    for attribute, (kind_of, _) in MODEL.cards["ocean_card"].attributes.items():
        face = {"land": "island_card", "stream": "water_card"}[attribute]
        found.append(MessageSpec(f"tongiaki.card.{face}", {attribute: kind(MODEL, kind_of)}))
    return found + [MessageSpec(f"tongiaki.rules.{n}", {}) for n in range(1, 5)]


@pytest.mark.parametrize("language", available())
def test_every_sentence_is_there_and_can_be_said(language: str) -> None:
    found = check(specs(), {"tongiaki": vocabulary()}, (), [language])
    assert [f for f in found if not f.unused] == []
    sentences = [f for f in found if "unused_message" in f.name and str(f.details).find("tongiaki") >= 0]
    assert sentences == []
