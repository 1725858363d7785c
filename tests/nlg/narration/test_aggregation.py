"""An option with one message and several quiet moves is worded by its message."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.nlg.prose.books import rules_in
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.library import load
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.narration.aggregation import Aggregator
from wongar_dsl.nlg.narration.event_groups import NarratedEvent
from wongar_dsl.nlg.prose.document.outline import rulebook
from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook
from wongar_dsl.nlg.prose.render.render_text import render_text
from wongar_dsl.nlg.translation.missing_words import missing_text_warnings
from wongar_dsl.nlg.words import Translator

SWAPPER = """variant swapper of wongar
    source house rule

slot lifted holds area_card, seen by all

after elder_privilege in play
    swapping(holder of boomerang)

rule swapping(me: player)
    I choose swapping
        swap(
            here: area where face_up of here is not empty,
            there: area where face_up of there is not empty and position of there > position of here
        )
            move face_up of here to lifted quietly
            move face_up of there to face_up of here quietly
            move lifted to face_up of there as swapped(player: me, here, there)
        decline
            tell declined(player: me)
"""
#: For each language: the sentence, the text of declining, and the term of the intermediate place.
WORDS = {
    "en": (
        "",
        "",
        "lifted: {like: s, stem: lifted card}",
    ),
    "de": (
        "{player} [vertauscht|vertauschen] die offenen Karten {here:gen def} und {there:gen def}.",
        "Nichts vertauschen",
        "lifted: {gender: m, sg: Zwischenplatz, sg.gen: Zwischenplatzes, pl: Zwischenplätze, pl.dat: Zwischenplätzen}",
    ),
    "nl": (
        "{player} [verwisselt|verwisselen] de open kaarten van {here:def} en {there:def}.",
        "Niets verwisselen",
        "lifted: {gender: de, sg: opgetilde kaart, pl: opgetilde kaarten}",
    ),
    "it": (
        "{player} [scambia|scambiano|scambiare] le carte scoperte {here:di def} e {there:di def}.",
        "Non scambiare",
        "lifted: {gender: f, sg: carta sollevata, pl: carte sollevate}",
    ),
}
TITLES = {
    "en": "swapper: {like: s, stem: swapper}",
    "de": "swapper: {gender: m, sg: Tauscher, sg.gen: Tauschers, pl: Tauscher, pl.dat: Tauschern}",
    "nl": "swapper: {gender: de, sg: wisselaar, pl: wisselaars}",
    "it": "swapper: {gender: m, sg: scambiatore, pl: scambiatori}",
}
SAID = {
    "en": "Swap the face-up cards of the kangaroo area and the emu area",
    "de": "Die offenen Karten des Känguru-Gebiets und des Emu-Gebiets vertauschen",
    "nl": "De open kaarten van het kangoeroegebied en het emoegebied verwisselen",
    "it": "Scambiare le carte scoperte dell’area del canguro e dell’area dell’emù",
}


def catalog(entries: dict[str, tuple[str, str]], language: str) -> str:
    head = f'msgid ""\nmsgstr ""\n"Language: {language}\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n'
    parts = (
        f'\n#, no-python-brace-format\nmsgctxt "{name}"\nmsgid "{english}"\nmsgstr "{translation}"\n'
        for name, (english, translation) in entries.items()
    )
    return head + "".join(parts)


@pytest.fixture(scope="module")
def swapper(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("swapper")
    (folder / "swapper.rules").write_text(SWAPPER, encoding="utf-8")
    for language, (swapped, nothing, term) in WORDS.items():
        place = folder / "locales" / language
        place.mkdir(parents=True)
        terms = f"games:\n  wongar/swapper:\n    {term}\n    {TITLES[language]}\n"
        (place / "lexicon.yaml").write_text(terms, encoding="utf-8")
        sentences = {
            "wongar/swapper.swapped": (
                "{player} [swaps|swap] the face-up cards of {here:def} and {there:def}.",
                swapped,
            ),
            "wongar/swapper.decision.swapping.decline": ("Swap nothing", nothing),
        }
        (place / "messages.po").write_text(catalog(sentences, language), encoding="utf-8")
    return folder


@pytest.mark.parametrize("language", sorted(SAID))
def test_option_with_one_message_uses_its_words(swapper: Path, language: str) -> None:
    game = load(swapper / "swapper.rules").game(3)
    teller = Narrator(game, Translator.load(language, [swapper / "locales"]), ("Anna", "Bert", "Cleo"))
    state, _ = game.start(1)
    options = [teller.option(state, move) for move in state.legal_moves()]
    assert options[0] == SAID[language]
    assert len({*options}) == len(options) == 46


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "only if the {0} of the area “there” is more than the {0} of the area “here”."),
        ("de", "wenn die {0} des Gebiets „there“ größer ist als die {0} des Gebiets „here“."),
        ("nl", "alleen als het {0} van het gebied “there” groter is dan het {0} van het gebied “here”."),
        ("it", "solo se il {0} dell’area «there» è maggiore del {0} dell’area «here»."),
    ],
)
def test_compared_things_of_one_kind_are_distinguished(swapper: Path, language: str, said: str) -> None:
    words = Translator.load(language, [swapper / "locales"])
    model = rules_in(swapper / "swapper.rules")
    said = said.format(words.term("position.board"))
    assert said in "\n".join(map(str, render_text(RealisedRulebook(rulebook(model, words), words, ""))))


def test_no_text_is_missing_if_the_message_is_translated(swapper: Path) -> None:
    """Quiet moves need no words, and all areas have different names."""
    folder = swapper / "locales"
    assert [d.code for d in missing_text_warnings(load(swapper / "swapper.rules").game(3), [folder], folder)] == []


RULES = """game swaps
    players 2
    source house rule

enum camp = left_end, middle, right_end
cards picture
    sun
    moon
    star

deck pictures of picture total 3
    1 sun, 1 moon, 1 star

slot shown of each camp holds picture, seen by all
slot lifted holds picture, seen by all
pile stock holds picture, seen by nobody
score points

setup
    fill stock with pictures
    for each here in camp
        move top of stock to shown of here quietly

rule exchange(me: player, here: camp, there: camp)
{exchange}

play
    for each p in player
        p chooses turn
            swap(here: camp, there: camp where there is not here)
{option}
            rest
                nothing
    end game

winner p
    most points of p
"""
FIRST = "move shown of here to lifted{}"
SECOND = "move shown of there to shown of here{}"
THIRD = "move lifted to shown of there{}"
QUIET, TOLD = " quietly", " as swapped(player: {who}, here, there)"
PLAIN = [FIRST.format(QUIET), SECOND.format(QUIET), THIRD.format(QUIET)]


def rules(option: list[str], exchange: list[str]) -> str:
    def block(lines: list[str], depth: int) -> str:
        return "\n".join(f"{'    ' * depth}{line}" for line in lines)

    return RULES.replace("{exchange}", block(exchange, 1)).replace("{option}", block(option, 4))


def first_option(folder: Path, option: list[str], exchange: list[str]) -> str:
    (folder / "swaps.rules").write_text(rules(option, exchange), encoding="utf-8")
    place = folder / "locales" / "en"
    place.mkdir(parents=True)
    terms = """
    swaps: {like: s, stem: swap}
    picture: {like: s, stem: picture}
    lifted: {like: s, stem: lifted picture}
    shown: {like: s, stem: open picture}
    left_end: left
    middle: middle
    right_end: right
"""
    (place / "lexicon.yaml").write_text(f"games:\n  swaps:{terms}", encoding="utf-8")
    words = {"swaps.swapped": ("{player} [swaps|swap] the pictures {here} and {there}.", "")}
    (place / "messages.po").write_text(catalog(words, "en"), encoding="utf-8")
    game = load(folder / "swaps.rules").game(2)
    state, _ = game.start(1)
    teller = Narrator(game, Translator.load("en", [folder / "locales"]), ("Anna", "Bert"))
    return teller.option(state, next(iter(state.legal_moves())))


TOLD_BY = {
    "the first": [FIRST.format(TOLD), SECOND.format(QUIET), THIRD.format(QUIET)],
    "the second": [FIRST.format(QUIET), SECOND.format(TOLD), THIRD.format(QUIET)],
    "the third": [FIRST.format(QUIET), SECOND.format(QUIET), THIRD.format(TOLD)],
    "a statement that does nothing else": [*PLAIN, f"tell{TOLD[3:]}"],
}


@pytest.mark.parametrize("where", sorted(TOLD_BY))
@pytest.mark.parametrize("called", [False, True])
def test_option_text_is_independent_of_the_announcing_statement(tmp_path: Path, where: str, called: bool) -> None:
    lines = TOLD_BY[where]
    inner = [line.format(who="me") for line in lines]
    direct = [line.format(who="p") for line in lines]
    text = first_option(tmp_path, ["exchange(p, here, there)"] if called else direct, inner)
    assert text == "Swap the pictures left and middle"


def test_option_with_two_messages_is_worded_by_its_effects(tmp_path: Path) -> None:
    lines = [FIRST.format(QUIET), SECOND.format(TOLD), THIRD.format(TOLD)]
    text = first_option(tmp_path, [line.format(who="p") for line in lines], PLAIN)
    assert not text.startswith("Swap the pictures")


class CountingList(list[NarratedEvent]):
    """A list that counts the items that are copied out of it."""

    copied = 0

    def __getitem__(self, index: Any) -> Any:
        result = super().__getitem__(index)
        self.copied += len(result) if isinstance(index, slice) else 0
        return result


def test_time_for_equal_events_grows_with_their_number() -> None:
    words = SimpleNamespace(has=lambda message, scope: False)
    aggregator = Aggregator(cast(Narrator, SimpleNamespace(words=words, scope="g")))
    told = CountingList(NarratedEvent(at, cast(Event, None), "g.x", {}, {}) for at in range(2000))
    assert aggregator.drop_implied(told) == told
    assert told.copied <= len(told)
