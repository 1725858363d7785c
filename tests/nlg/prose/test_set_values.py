"""A game's own sentence for setting a value is used only for values that it is true of."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.engine.library import load

from .books import LANGUAGES
from .test_antecedents import lines

#: Parts of the games' own sentences.
RAISED = {"en": "raises the stake", "de": "den Einsatz auf", "nl": "de inzet tot", "it": "porta la posta"}
DETERMINED = {"en": "determined", "de": "steht damit fest", "nl": "staat daarmee vast", "it": "stabilita"}


def changed_rule(place: Path, game: str, step: str, rule: str, statement: str, language: str) -> list[str]:
    """Return the lines of a rule with one more statement."""
    path = place / "set.rules"
    path.write_text(
        f"variant set of {game}\n    source house rule\n{step} rule {rule}\n    {statement}\n", encoding="utf-8"
    )
    return lines(load(str(path)).model, rule, language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("value", "raised"),
    [
        ("2", True),
        ("1", False),
        ("3 - stake of p", False),
        ("stake of left of p", False),
        ("lowest stake of q for q in player", False),
    ],
)
def test_a_stake_is_raised_only_to_its_upper_bound(tmp_path: Path, value: str, raised: bool, language: str) -> None:
    text, *_ = changed_rule(tmp_path, "kuhn_poker", "before", "settle", f"set stake of p to {value}", language)
    assert (RAISED[language] in text) == raised, text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_without_the_index_needs_it_in_the_value(tmp_path: Path, language: str) -> None:
    base = "\n".join(lines(load("tongiaki").model, "look_ahead", language))
    assert DETERMINED[language] in base
    statement = "set ahead[land, northeast] to island_card(tonga)"
    *_, text = changed_rule(tmp_path, "tongiaki", "after", "increase", statement, language)
    assert DETERMINED[language] not in text
