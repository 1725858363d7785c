"""A variant with its own token, card and ceremony step, and all texts generated for it.

`tides` is written as by a user. In each language it has terms and two sentences with marked verbs, which suffice for
rulebook, differences, help and log. `pytest tests/language/variants --rewrite-goldens` rewrites the texts; read them
aloud before you commit them.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from wongar_dsl.engine import IllegalMove, State
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.library import Rules, inspect, load
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.engine.rule_cases.file import read
from wongar_dsl.engine.rule_cases.runner import CaseRunner
from wongar_dsl.nlg.narration.illegal_move import explain
from wongar_dsl.nlg.narration.narrator import EVERYTHING, Narrator, title
from wongar_dsl.nlg.prose.document.card_text import ExplainedCards
from wongar_dsl.nlg.prose.document.outline import rulebook
from wongar_dsl.nlg.prose.render.differences import differences
from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook
from wongar_dsl.nlg.prose.render.render_text import render_text
from wongar_dsl.nlg.translation.missing_words import missing_text_warnings
from wongar_dsl.nlg.words import Translator
from wongar_dsl.nlg.words.catalogs import read_catalog
from wongar_dsl.nlg.words.template import parse_template

TIDES = Path(__file__).with_name("tides")
LANGUAGES = ("de", "nl", "it", "en")


@cache
def tides() -> Rules:
    rules, diagnostics = inspect(TIDES / "tides.rules")
    assert not diagnostics
    assert rules is not None
    return rules


@cache
def words_of(language: str) -> Translator:
    return Translator.load(language, [TIDES / "locales"], strict=True)


def reading_of(rules: Rules, language: str) -> RealisedRulebook:
    book = rulebook(rules.model, words_of(language))
    return RealisedRulebook(book, words_of(language), title(words_of(language), book.scope))


def test_variant_passes_its_cases() -> None:
    bench = CaseRunner(tides().model, tides().game)
    for case in read(TIDES / "tides.cases.yaml").cases:
        outcome = bench.run(case)
        assert outcome.passed, [(f.code, f.line, dict(f.arguments)) for f in outcome.findings]


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_are_two_marked_sentences_and_terms(language: str) -> None:
    path = TIDES / "locales" / language / "messages.po"
    entries = read_catalog(path.read_text(encoding="utf-8"), str(path)).entries
    assert sorted(entries) == ["wongar/tides.strewn", "wongar/tides.sung"]
    for entry in entries.values():
        assert parse_template((entry.english if language == "en" else entry.texts)[0]).clause is not None
    assert sorted(file.name for file in path.parent.iterdir()) == ["lexicon.yaml", "messages.po"]


@cache
def changed_lines(language: str) -> tuple[tuple[str, str], ...]:
    """Return the differences from the base: kind and text of each line, with the headings."""
    lines: list[tuple[str, str]] = []
    for part in differences(reading_of(load("wongar"), language), reading_of(tides(), language)):
        lines.append(("==", part.heading))
        lines += [(change.sort, "  " * change.depth + change.text) for change in part.changes]
    return tuple(lines)


@pytest.mark.parametrize("language", LANGUAGES)
def test_described_changes_equal_the_golden(language: str, rewrite_goldens: bool) -> None:
    """Covers the differences, under the headings of the rulebook, and the help for its card."""
    golden = TIDES / f"said.{language}.txt"
    lines = [f"{sort}: {text}" for sort, text in changed_lines(language)]
    help_ = ExplainedCards(tides().model, words_of(language), tides().model.scope).card("tide_pool")
    text = "\n".join([*lines, "", f"? tide_pool: {help_}", ""])
    if rewrite_goldens:
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")
    # No identifier of the rules is used instead of a word.
    assert not any(name in text.partition("? tide_pool: ")[0] for name in ("tide_pool", "strewn", "sung", "[…"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_rulebook_contains_the_differences(language: str) -> None:
    printed = "\n".join(line.text for line in render_text(reading_of(tides(), language)))
    assert "[…" not in printed
    for sort, text in changed_lines(language):
        if sort == "new" and text.strip().endswith((".", ";")):
            assert text.strip() in printed, text


@cache
def match_with_events() -> Match:
    """Return a match in which shells are strewn and sung about."""
    match = Match.begin(tides().game(3), [Seat("random", "")] * 3, 1, tides().hash)
    while not match.state.over and not {"strewn", "sung"} <= first_events(match).keys():
        moves = match.state.legal_moves()
        match.play(moves[(7 * len(match.steps)) % len(moves)])
    return match


def first_events(match: Match) -> dict[str, Event]:
    """Return the first event of each message."""
    return {event.spec.message: event for event in reversed(match.history()) if event.spec.message}


@pytest.mark.parametrize(
    ("language", "strewn", "sung"),
    [
        (
            "de",
            "Cleo streut eine Muschel aus dem Vorrat ins Känguru-Gebiet.",
            "Cleo erhält für das Lied der Muscheln 2 Siegpunkte.",
        ),
        (
            "nl",
            "Cleo strooit een schelp uit de voorraad in het kangoeroegebied.",
            "Cleo krijgt voor het lied van de schelpen 2 winstpunten.",
        ),
        (
            "it",
            "Cleo sparge una conchiglia dalla riserva nell’area del canguro.",
            "Cleo guadagna per il canto delle conchiglie 2 punti vittoria.",
        ),
        (
            "en",
            "Cleo strews one shell from the supply in the kangaroo area.",
            "Cleo gains 2 victory points for the song of the shells.",
        ),
    ],
)
def test_events_are_narrated(language: str, strewn: str, sung: str) -> None:
    """The owner of the supply is not repeated when the sentence is about that player."""
    narrator, events = (
        Narrator(tides().game(3), words_of(language), ("Ada", "Ben", "Cleo")),
        first_events(match_with_events()),
    )
    assert [narrator.event(events[name], EVERYTHING) for name in ("strewn", "sung")] == [strewn, sung]


@cache
def strewing_state() -> State:
    """Return a position where a shell may be strewn, standing on the area of the hands."""
    match = Match.begin(tides().game(3), [Seat("random", "")] * 3, 1, tides().hash)
    while match.state.decision is not None and match.state.decision.name != "strewing":
        moves = match.state.legal_moves()
        match.play(moves[(7 * len(match.steps)) % len(moves)])
    return match.state


@pytest.mark.parametrize(
    ("language", "refused", "section"),
    [
        ("de", "Das Echsen-Gebiet grenzt nicht ans Hände-Gebiet.", "Spielregel: Gebietskarte „Gezeitentümpel“"),
        ("nl", "Het hagedissengebied grenst niet aan het handengebied.", "Spelregels: Gebiedskaart “getijdenpoel”"),
        ("it", "L’area della lucertola non confina con l’area delle mani.", "Regolamento: Carta-area «pozza di marea»"),
        ("en", "The lizard area does not touch the hands area.", "Rulebook: Tide pool area card"),
    ],
)
def test_illegal_choice_is_refused_with_the_reason(language: str, refused: str, section: str) -> None:
    narrator = Narrator(tides().game(3), words_of(language), ("Ada", "Ben", "Cleo"))
    with pytest.raises(IllegalMove) as caught:
        strewing_state().read("strew(lizard)")
    reason, rule, _ = explain(caught.value, strewing_state(), narrator, strewing_state().seat)
    assert reason == refused
    assert rule == section


@cache
def without_shells() -> State:
    """Return the same position with no shell left for the deciding player."""
    state = strewing_state().copy()
    shell = state.game.model.enums["token"].index("shell")
    state.cells[state.game.fields["supply"].at(state.seat) + shell] = 0
    return state


@pytest.mark.parametrize(
    ("language", "refused"),
    [
        ("de", "Du hast keine Muschel in deinem Vorrat."),
        ("nl", "Je hebt geen schelp in je voorraad."),
        ("it", "Non hai nessuna conchiglia nella tua riserva."),
        ("en", "You have no shell in your supply."),
    ],
)
def test_empty_supply_is_given_as_the_reason(language: str, refused: str) -> None:
    narrator = Narrator(tides().game(3), words_of(language), ("Ada", "Ben", "Cleo"))
    with pytest.raises(IllegalMove) as caught:
        without_shells().read("strew(kangaroo)")
    assert explain(caught.value, without_shells(), narrator, without_shells().seat)[0] == refused


@pytest.mark.parametrize(
    ("language", "question", "options"),
    [
        (
            "de",
            "Cleo, du bist dran: eine Muschel aus deinem Vorrat in ein Gebiet streuen, das ans Hände-Gebiet "
            "grenzt, oder eine Ritualkarte ziehen.",
            ["Eine Muschel aus deinem Vorrat ins Känguru-Gebiet streuen", "Eine Ritualkarte ziehen"],
        ),
        (
            "nl",
            "Cleo, je bent aan de beurt: een schelp uit je voorraad in een gebied strooien dat aan het "
            "handengebied grenst, of een ritueelkaart trekken.",
            ["Een schelp uit je voorraad in het kangoeroegebied strooien", "Een ritueelkaart trekken"],
        ),
        (
            "it",
            "Cleo, tocca a te: spargere una conchiglia dalla tua riserva in un’area che confina con l’area delle "
            "mani o pescare una carta rituale.",
            ["Spargere una conchiglia dalla tua riserva nell’area del canguro", "Pescare una carta rituale"],
        ),
        (
            "en",
            "Cleo, your turn: strew a shell from your supply in an area that touches the hands area or draw a "
            "ritual card.",
            ["Strew a shell from your supply in the kangaroo area", "Draw a ritual card"],
        ),
    ],
)
def test_prompt_and_options_need_no_own_words(language: str, question: str, options: list[str]) -> None:
    translator = Translator.load(language, [TIDES / "locales"])
    narrator, state = Narrator(tides().game(3), translator, ("Ada", "Ben", "Cleo")), strewing_state()
    moves = state.legal_moves()
    assert narrator.prompt(state) == question
    assert [narrator.option(state, move) for move in (moves[0], moves[-1])] == options


def test_no_words_are_missing() -> None:
    assert missing_text_warnings(tides().game(3), [TIDES / "locales"]) == ()
