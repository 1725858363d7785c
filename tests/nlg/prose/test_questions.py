"""Questions and answers: every ruling is answered, and a question is dropped where its declarations change."""

from __future__ import annotations

from dataclasses import replace

import pytest

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Model
from wongar_dsl.nlg.prose.document.document_model import Section
from wongar_dsl.nlg.prose.document.questions import QUESTIONS, is_ruling, questions
from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook, render_text

from .books import LANGUAGES, document_of, model, rules_of, text_of_game, variant, words

GAMES = ("wongar", "wongar/initiated", "tongiaki", "ubongo", "ubongo+hard", "ubongo+long", "ubongo+hard+long")
#: Games without rulings, for which their authors have written no questions.
UNQUESTIONED = ("nim", "tictactoe", "goofspiel", "kuhn_poker")

#: A game with a ruling in a rule, one in a table, and two that are told in one sentence of their caller.
RULINGS = """game small
    players 2
    book manual "The manual"

score points
table worth
    1 3
    2 5
    source inferred manual "Points"
play
    source manual "Course"
    for each p in player
        p chooses gift
            give
                reward(p)
            wait
                nothing
    end game
rule reward(p: player)
    source inferred manual "Gifts"
    if p is player(1)
        p gains worth[1] points
    otherwise
        p gains worth[2] points
winner p
    most points of p
    source manual "Course"
"""


def section_of(rules: Model, language: str = "en") -> Section:
    return questions(document_of(rules), words(language))


def lines_of(rules: Model, language: str = "en") -> list[str]:
    """Return the questions and answers of rules as text."""
    book = replace(document_of(rules), sections=(section_of(rules, language),))
    return [line.text for line in render_text(RealisedRulebook(book, words(language), rules.name))]


def answer_to(rules: Model, question: str, language: str = "en") -> str:
    """Return the first line below a question and its underline."""
    lines = lines_of(rules, language)
    return lines[lines.index(question) + 2]


def written(rules: Model) -> dict[str, tuple[str, ...]]:
    """Return the declarations that each question of the author is about, by the key of its section."""
    said, scope = words("en").without_outdated(rules.scope, rules.changes), rules.scope
    keys = [section.key for section in section_of(rules).sections]
    return {key: (key.partition(".")[2], *said.articles(key, scope)[1]) for key in keys if said.has(key, scope)}


@pytest.mark.parametrize("game", GAMES)
def test_every_ruling_of_the_shipped_games_has_a_question_of_its_author(game: str) -> None:
    rules = model(game)
    answered = {article for about in written(rules).values() for article in about}
    rulings = {s.key_text(article) for article in rules.merged.articles if is_ruling(article)}
    assert rulings
    assert rulings - answered == set()
    for language in LANGUAGES:
        said = words(language).without_outdated(rules.scope, rules.changes)
        names = [name for key in written(rules) for name in (key, key.replace("question.", "answer.", 1))]
        assert [name for name in names if not said.has(name, rules.scope)] == []


@pytest.mark.parametrize("game", GAMES)
def test_an_answer_shows_the_trust_and_the_source_of_its_rulings(game: str) -> None:
    articles = {s.key_text(article): article for article in model(game).merged.articles}
    for section in section_of(model(game)).sections:
        [block] = section.blocks
        trusts = {note.trust for note in getattr(block, "notes", ())}
        assert ("inferred" in trusts) is is_ruling(articles[section.key.partition(".")[2]]), section.key


@pytest.mark.parametrize("game", UNQUESTIONED)
def test_a_game_without_rulings_and_written_questions_has_none(game: str) -> None:
    section = section_of(model(game))
    assert (section.key, section.blocks, section.sections) == (QUESTIONS, (), ())


def test_questions_of_the_author_need_no_ruling() -> None:
    rules = model("connect_four")
    assert not any(map(is_ruling, rules.merged.articles))
    assert {*written(rules)} == {"question.board.cell", "question.play"}


#: Changes by a variant, and the questions that they drop.
CHANGES = (
    ("wongar", "set cards_bonus to 10", {"question.rule.final_scoring"}),
    ("wongar", "set points_for[ancestor_alone, early] to 9", {"question.table.points_for"}),
    ("wongar", "set sting to no", {"question.rule.scorpion_advances"}),
    # No card of the kind is left, so the effect is not reached.
    (
        "wongar",
        "remove three_tokens from deck area_deck",
        {"question.effect.three_tokens", "question.rule.turn_up_cards"},
    ),
    (
        "tongiaki",
        "before rule voyage\n    nothing",
        {"question.rule.voyage", "question.rule.landing", "question.rule.something_new"},
    ),
    ("tongiaki", "before rule landing\n    nothing", {"question.rule.emigrate", "question.rule.landing"}),
    (
        "ubongo",
        "before rule reach_for_gems\n    nothing",
        {"question.rule.take_gems", "question.rule.reach_for_gems"},
    ),
)


@pytest.mark.parametrize(("game", "change", "dropped"), CHANGES)
def test_a_variant_drops_the_questions_about_what_it_changes(game: str, change: str, dropped: set[str]) -> None:
    assert {*written(model(game))} - {*written(variant(game, change))} == dropped


def test_a_ruling_that_lost_its_question_is_answered_by_the_reference() -> None:
    lines = lines_of(variant("wongar", "set cards_bonus to 10"))
    assert not any("8 victory points" in line for line in lines)
    assert any("gains 10 victory points" in line for line in lines[lines.index("Final scoring: how is this meant?") :])


def test_a_variant_answers_in_its_own_words() -> None:
    question = "Tocca a me, ma non c’è più nessuna carta-area scoperta. Che cosa faccio?"
    assert "carte delle figure" not in answer_to(model("wongar"), question, "it")
    assert "carte delle figure" in answer_to(model("wongar/initiated"), question, "it")


def test_rulings_without_questions_are_answered_from_the_rulebook() -> None:
    rules = rules_of("small.rules", RULINGS)
    section = section_of(rules)
    assert [inner.key for inner in section.sections] == ["question.table.worth", "question.play"]
    lines = lines_of(rules)
    assert "[1] Ruling, based on The manual, “Points”" in lines
    course = lines.index("Course of the game: how is this meant?")
    assert lines[course + 3 : course + 6] == [
        "– They may choose “give”:",
        "  – If the player is the player with the number 1, the player gains 3 points.",
        "  – Otherwise they gain 5 points.",
    ]


def test_a_definition_is_asked_for_by_its_term() -> None:
    change = "before rule look_ahead\n    nothing"
    lines = lines_of(variant("tongiaki", change), "de")
    assert "Zahl der Farben: Wie ist das gemeint?" in lines


@pytest.mark.parametrize("game", GAMES)
def test_the_reference_says_nothing_of_the_questions(game: str) -> None:
    text = text_of_game(game, "en")
    asked = [words("en").say(key, model(game).scope) for key in written(model(game))]
    assert [question for question in asked if question in text] == []
