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
from wongar_dsl.nlg.prose.document.outline import rulebook
from wongar_dsl.nlg.prose.document.play_texts import ExplainedCards
from wongar_dsl.nlg.prose.render.differences import differences
from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook, render_text
from wongar_dsl.nlg.translation import missing_text_warnings
from wongar_dsl.nlg.words import Translator
from wongar_dsl.nlg.words.catalogs import read_catalog
from wongar_dsl.nlg.words.clause import parse_template

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


def test_rulebook_contains_the_differences() -> None:
    printed = "\n".join(line.text for line in render_text(reading_of(tides(), "nl")))
    assert "[…" not in printed
    for sort, text in changed_lines("nl"):
        if sort == "new" and text.strip().endswith((".", ";")):
            assert text.strip() in printed, text


def narrator_in(language: str) -> Narrator:
    return Narrator(tides().game(3), words_of(language), ("Ada", "Ben", "Cleo"))


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
        ("de", "Cleo streut eine Muschel aus dem Vorrat ins Känguru-Gebiet.",
         "Cleo erhält für das Lied der Muscheln 2 Siegpunkte."),
        ("nl", "Cleo strooit een schelp uit de voorraad in het kangoeroegebied.",
         "Cleo krijgt voor het lied van de schelpen 2 winstpunten."),
        ("it", "Cleo sparge una conchiglia dalla riserva nell’area del canguro.",
         "Cleo guadagna per il canto delle conchiglie 2 punti vittoria."),
        ("en", "Cleo strews one shell from the supply in the kangaroo area.",
         "Cleo gains 2 victory points for the song of the shells."),
    ],
)  # fmt: skip
def test_events_are_narrated(language: str, strewn: str, sung: str) -> None:
    """The owner of the supply is not repeated when the sentence is about that player."""
    events = first_events(match_with_events())
    assert [narrator_in(language).event(events[name], EVERYTHING) for name in ("strewn", "sung")] == [strewn, sung]


@cache
def strewing_state() -> State:
    """Return a position where a shell may be strewn, standing on the area of the hands."""
    match = Match.begin(tides().game(3), [Seat("random", "")] * 3, 1, tides().hash)
    while match.state.decision is not None and match.state.decision.name != "strewing":
        moves = match.state.legal_moves()
        match.play(moves[(7 * len(match.steps)) % len(moves)])
    return match.state


def illegal_choice(state: State, text: str, language: str) -> tuple[str | None, str | None]:
    """Return the reason for which a choice is refused, and the section of the rulebook."""
    with pytest.raises(IllegalMove) as caught:
        state.read(text)
    reason, section, _ = explain(caught.value, state, narrator_in(language), state.seat)
    return reason, section


def test_illegal_choice_is_refused_with_the_reason() -> None:
    state = strewing_state()
    reason, section = illegal_choice(state, "strew(lizard)", "de")
    assert reason == "Das Echsen-Gebiet grenzt nicht ans Hände-Gebiet."
    assert section == "Spielregel: Gebietskarte „Gezeitentümpel“"
    empty = state.copy()
    shell = state.game.model.enums["token"].index("shell")
    empty.cells[state.game.fields["supply"].at(state.seat) + shell] = 0
    assert illegal_choice(empty, "strew(kangaroo)", "nl")[0] == "Je hebt geen schelp in je voorraad."


def test_prompt_and_options_need_no_own_words() -> None:
    state = strewing_state()
    moves = state.legal_moves()
    italian, english = (
        Narrator(state.game, Translator.load(code, [TIDES / "locales"]), ("Ada", "Ben", "Cleo"))
        for code in ("it", "en")
    )
    assert italian.prompt(state) == (
        "Cleo, tocca a te: spargere una conchiglia dalla tua riserva in un’area che confina con l’area delle "
        "mani o pescare una carta rituale."
    )
    assert [english.option(state, move) for move in (moves[0], moves[-1])] == [
        "Strew a shell from your supply in the kangaroo area", "Draw a ritual card",
    ]  # fmt: skip


def test_no_words_are_missing() -> None:
    assert missing_text_warnings(tides().game(3), [TIDES / "locales"]) == ()
