"""Two cards that change places by way of a third slot: one sentence in the rulebook, and words for the choice."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.nlg.narration.test_aggregation import catalog
from wongar_dsl.engine.library import load
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.translation.missing_words import missing_text_warnings
from wongar_dsl.nlg.words import Translator

from .books import rules_in, text_of_book

SWAPPER = """variant swapper of wongar

slot lifted holds area_card, seen by all

before play
    for each p in player
        p chooses swapping
            swap(here: area, there: area where there is not here)
                move face_up of here to lifted quietly
                move face_up of there to face_up of here quietly
                move lifted to face_up of there as swapped(player: p, here, there)
            decline
                tell swap_declined(player: p)
"""
#: Languages of the variant: what its two messages say, and then the sentence of the rulebook and the prompt.
TEXTS = {
    "en": (
        "{player} [swaps|swap] the cards of {here} and {there}.",
        "{player} [leaves|leave] the cards alone.",
        "the face-up card of the area “here” and the face-up card of the other area change places.",
        "Anna, your turn: swap the cards of any area and another area or leave the cards alone.",
    ),
    "de": (
        "{player} [vertauscht|vertauschen] die Karten {here:gen} und {there:gen}.",
        "{player} [lässt|lassen] die Karten liegen.",
        "tauschen die aufgedeckte Karte des Gebiets „here“ und die aufgedeckte Karte des anderen Gebiets die Plätze.",
        "Anna, du bist dran: die Karten eines beliebigen Gebiets und eines anderen Gebiets vertauschen oder die Karten "
        "liegen lassen.",
    ),
    "nl": (
        "{player} [verwisselt|verwisselen] de kaarten van {here} en {there}.",
        "{player} [laat|laten] de kaarten met rust.",
        "wisselen de open kaart van het gebied “here” en de open kaart van het andere gebied van plaats.",
        "Anna, je bent aan de beurt: de kaarten van een willekeurig gebied en een ander gebied verwisselen of de "
        "kaarten met rust laten.",
    ),
    "it": (
        "{player} [scambia|scambiano|scambiare] le carte {here:di} e {there:di}.",
        "{player} [lascia|lasciano|lasciare] le carte dove sono.",
        "la carta scoperta dell’area «here» e la carta scoperta dell’altra area si scambiano di posto.",
        "Anna, tocca a te: scambiare le carte di una qualsiasi area e di un’altra area o lasciare le carte dove sono.",
    ),
}


def _variant(place: Path, rules: str = SWAPPER) -> Path:
    path = place / "swapper.rules"
    path.write_text(rules, encoding="utf-8")
    for language, (swapped, declined, *_) in TEXTS.items():
        folder = place / "locales" / language
        folder.mkdir(parents=True, exist_ok=True)
        entries = {
            "wongar/swapper.swapped": ("{player} [swaps|swap] the cards of {here} and {there}.", swapped),
            "wongar/swapper.swap_declined": ("{player} [leaves|leave] the cards alone.", declined),
        }
        (folder / "messages.po").write_text(catalog(entries, language), encoding="utf-8")
    return path


@pytest.mark.parametrize("language", sorted(TEXTS))
def test_exchange_is_one_sentence(tmp_path: Path, language: str) -> None:
    assert TEXTS[language][2] in text_of_book(rules_in(_variant(tmp_path)), language)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("move face_up of there to face_up of here", "move face_up of there to face_up of there"),
        ("move lifted to face_up of there", "move lifted to face_up of here"),
        ("move face_up of here to lifted", "move face_up of there to lifted"),
        ("slot lifted holds", "pile lifted holds"),
    ],
)
def test_other_movements_are_no_exchange(tmp_path: Path, before: str, after: str) -> None:
    assert before in SWAPPER
    rules = SWAPPER.replace(before, after)
    if "pile" in after:
        rules = rules.replace("move lifted", "move top of lifted")
    assert "change places" not in text_of_book(rules_in(_variant(tmp_path, rules)), "en")


def test_choice_is_named_by_the_messages_of_its_options(tmp_path: Path) -> None:
    game = load(_variant(tmp_path)).game(3)
    state, _ = game.start(1)
    assert state.decision is not None
    assert state.decision.name == "swapping"
    speech = {language: Translator.load(language, [tmp_path / "locales"]) for language in TEXTS}
    players = ("Anna", "Ben", "Cleo")
    prompts = {language: Narrator(game, told, players).prompt(state) for language, told in speech.items()}
    assert prompts == {language: prompt for language, (*_, prompt) in TEXTS.items()}
    lacking = missing_text_warnings(game, [tmp_path / "locales"], tmp_path / "locales")
    assert not [d for d in lacking if "decision.swapping" in str(d.arguments.get("name"))]
