"""A thing that is the second part of a comparison is named there: no relative clause breaks off after *than*."""

from __future__ import annotations

import re

import pytest

from .books import LANGUAGES, rules_of, words
from .test_antecedents import lines

VARIANT = """variant compared of goofspiel
    source house rule
before turned_up in play
    if ({domain}) > 0
        player(1) gains 77 points
"""
DOMAINS = (
    "number of q in player where (no r in player where points of r > points of q)",
    "number of q in player where (some r in player where points of r < points of q)",
    "number of q in player where size of holding of q > 1 and (no r in player where points of r < points of q)",
)
#: The words before the second part of a comparison.
THAN = {"en": "than", "de": "als", "nl": "dan", "it": "(?:del|di)"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("domain", DOMAINS)
def test_a_comparison_names_both_things(domain: str, language: str) -> None:
    changed = rules_of("compared.rules", VARIANT.format(domain=domain))
    [text] = (line for line in lines(changed, "play", language) if "77" in line)
    assert re.search(rf"\b{THAN[language]} [\w ]+[„“«]q[“”»]", text), text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_slot_behind_than_is_known(language: str) -> None:
    compared = [slot for slot in ("player", "what", "other") if words(language).is_compared("prose.has_fewer", slot)]
    assert compared == ["other"]
