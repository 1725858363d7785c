"""A variant with a token, a card and a step of the ceremony of its own, and what it takes to say all of it.

`tides` lies beside this file as a user would write it.  In each language it has terms and two sentences with marked
verbs; rulebook, differences, help and log are right with that.  `pytest tests/variants --rewrite-goldens` writes
anew what is said; read it aloud before you keep it.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from wongar_dsl.cases.file import read
from wongar_dsl.cases.runner import CaseRunner
from wongar_dsl.engine import IllegalMove, State
from wongar_dsl.engine.events import Event
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.library import Rules, inspect, load
from wongar_dsl.narration.illegal import explain
from wongar_dsl.narration.narrator import EVERYTHING, Narrator, title
from wongar_dsl.narration.untranslated import uncovered
from wongar_dsl.prose.differences import differences
from wongar_dsl.prose.explain import Explained
from wongar_dsl.prose.outline import rulebook
from wongar_dsl.prose.plain import plain
from wongar_dsl.prose.reading import Reading
from wongar_dsl.words import Words
from wongar_dsl.words.catalogs import read_catalog
from wongar_dsl.words.template import parse_template

TIDES = Path(__file__).with_name("tides")
LANGUAGES = ("de", "nl", "it", "en")


@cache
def tides() -> Rules:
    rules, found = inspect(TIDES / "tides.rules")
    assert not found
    assert rules is not None
    return rules


@cache
def words(language: str) -> Words:
    return Words.load(language, [TIDES / "locales"], strict=True)


def reading(rules: Rules, language: str) -> Reading:
    found = rulebook(rules.model, words(language))
    return Reading(found, words(language), title(words(language), found.scope))


def test_it_does_what_it_says() -> None:
    bench = CaseRunner(tides().model, tides().game)
    for case in read(TIDES / "tides.cases.yaml").cases:
        outcome = bench.run(case)
        assert outcome.passed, [(f.code, f.line, dict(f.arguments)) for f in outcome.findings]


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_marked_sentences_and_terms_are_all_its_words(language: str) -> None:
    path = TIDES / "locales" / language / "messages.po"
    entries = read_catalog(path.read_text(encoding="utf-8"), str(path)).entries
    assert sorted(entries) == ["wongar/tides.strewn", "wongar/tides.sung"]
    for entry in entries.values():
        assert parse_template((entry.english if language == "en" else entry.texts)[0]).clause is not None
    assert sorted(file.name for file in path.parent.iterdir()) == ["lexicon.yaml", "messages.po"]


@cache
def changes(language: str) -> tuple[tuple[str, str], ...]:
    """What differs from the base: sort and text of each line, with the headings."""
    found: list[tuple[str, str]] = []
    for part in differences(reading(load("wongar"), language), reading(tides(), language)):
        found.append(("==", part.heading))
        found += [(change.sort, "  " * change.depth + change.text) for change in part.changes]
    return tuple(found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_it_changes_is_said(language: str, rewriting: bool) -> None:
    """The differences, under the headings of the rulebook, and the help for its card; read aloud."""
    golden = TIDES / f"said.{language}.txt"
    lines = [f"{sort}: {text}" for sort, text in changes(language)]
    help_ = Explained(tides().model, words(language), tides().model.scope).card("tide_pool")
    text = "\n".join([*lines, "", f"? tide_pool: {help_}", ""])
    if rewriting:
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")
    # No name of the rules stands in the place of a word.
    assert not any(name in text.partition("? tide_pool: ")[0] for name in ("tide_pool", "strewn", "sung", "[…"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_its_rulebook_says_what_the_differences_say(language: str) -> None:
    printed = "\n".join(line.text for line in plain(reading(tides(), language)))
    assert "[…" not in printed
    for sort, text in changes(language):
        if sort == "new" and text.strip().endswith((".", ";")):
            assert text.strip() in printed, text


@cache
def played() -> Match:
    """A game in which shells are strewn and sung about."""
    match = Match.begin(tides().game(3), [Seat("random", "")] * 3, 1, tides().hash)
    while not match.state.over and not {"strewn", "sung"} <= told(match).keys():
        moves = match.state.legal_moves()
        match.play(moves[(7 * len(match.steps)) % len(moves)])
    return match


def told(match: Match) -> dict[str, Event]:
    """The first event of each message."""
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
def test_what_happens_is_told(language: str, strewn: str, sung: str) -> None:
    """Whose supply it is need not be said again of whom the sentence is about."""
    narrator, events = Narrator(tides().game(3), words(language), ("Ada", "Ben", "Cleo")), told(played())
    assert [narrator.event(events[name], EVERYTHING) for name in ("strewn", "sung")] == [strewn, sung]


@cache
def asked() -> State:
    """A position in which somebody may strew a shell, standing on the area of the hands."""
    match = Match.begin(tides().game(3), [Seat("random", "")] * 3, 1, tides().hash)
    while match.state.decision is not None and match.state.decision.name != "strewing":
        moves = match.state.legal_moves()
        match.play(moves[(7 * len(match.steps)) % len(moves)])
    return match.state


@pytest.mark.parametrize(
    ("language", "refused"),
    [
        ("de", "Das Echsen-Gebiet grenzt nicht ans Hände-Gebiet."),
        ("nl", "Het hagedissengebied grenst niet aan het handengebied."),
        ("it", "L’area della lucertola non confina con l’area delle mani."),
        ("en", "The lizard area does not touch the hands area."),
    ],
)
def test_what_cannot_be_chosen_is_refused_with_the_reason(language: str, refused: str) -> None:
    narrator = Narrator(tides().game(3), words(language), ("Ada", "Ben", "Cleo"))
    with pytest.raises(IllegalMove) as caught:
        asked().read("strew(lizard)")
    reason, rule, _ = explain(caught.value, asked(), narrator, asked().seat)
    assert reason == refused
    assert "(tide_pool, tides.rules:" in rule


@cache
def without_shells() -> State:
    """The same position, when who decides has no shell left."""
    found = asked().copy()
    shell = found.game.model.enums["token"].index("shell")
    found.cells[found.game.fields["supply"].at(found.seat) + shell] = 0
    return found


@pytest.mark.parametrize(
    ("language", "refused"),
    [
        ("de", "Du hast keine Muschel in deinem Vorrat."),
        ("nl", "Je hebt geen schelp in je voorraad."),
        ("it", "Non hai nessuna conchiglia nella tua riserva."),
        ("en", "You have no shell in your supply."),
    ],
)
def test_an_empty_supply_is_the_reason(language: str, refused: str) -> None:
    narrator = Narrator(tides().game(3), words(language), ("Ada", "Ben", "Cleo"))
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
def test_its_question_and_its_options_need_no_words_of_their_own(
    language: str, question: str, options: list[str]
) -> None:
    said = Words.load(language, [TIDES / "locales"])
    narrator, state = Narrator(tides().game(3), said, ("Ada", "Ben", "Cleo")), asked()
    moves = state.legal_moves()
    assert narrator.prompt(state) == question
    assert [narrator.option(state, move) for move in (moves[0], moves[-1])] == options


def test_nothing_about_it_lacks_words() -> None:
    assert uncovered(tides().game(3), [TIDES / "locales"]) == ()
