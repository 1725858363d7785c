"""Rule cases told as examples: their text, the declarations that they show, and what a variant leaves out."""

from __future__ import annotations

from functools import cache

import pytest

from wongar_dsl.engine.library import load
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Model
from wongar_dsl.nlg.narration.examples import MAX_SENTENCES, WorkedExample
from wongar_dsl.nlg.narration.teaching_book import Examples, examples
from wongar_dsl.nlg.words import Translator

LANGUAGES = ("en", "de", "nl", "it")
#: Games of which every decision, card effect and scoring rule has an example.
COMPLETE = ("wongar", "wongar/initiated", "tongiaki", "ubongo", "ubongo/hard")
CLASSICS = ("connect_four", "goofspiel", "kuhn_poker", "nim", "tictactoe")


@cache
def told(name: str, language: str) -> Examples:
    return examples(load(name), Translator.load(language))


def example(name: str, case: str, language: str = "en") -> WorkedExample:
    return next(found for found in told(name, language).book.told if found.case.name == case)


def shown_declarations(model: Model) -> set[str]:
    """Return the keys of the declarations that must have an example: card effects, and whatever scores points."""
    articles = [article for article in model.code.articles if isinstance(article, s.Procedure | s.Winner)]
    scoring = {
        s.key_text(article)
        for article in articles
        if isinstance(article, s.Winner) or any(isinstance(node, s.Gain) for node in s.walk(article))
    }
    return scoring | {s.key_text(effect) for effects in model.code.effects.values() for effect in effects}


@pytest.mark.parametrize("name", COMPLETE)
def test_every_decision_and_effect_and_all_that_scores_has_an_example(name: str) -> None:
    book, model = told(name, "en").book, load(name).model
    decisions = {decision.name for decision in load(name).game(3).program.decisions}
    assert decisions == {decision for found in book.told for decision in found.decisions}
    assert shown_declarations(model) - {key for found in book.told for key in found.keys} == set()


@pytest.mark.parametrize("name", [*COMPLETE, *CLASSICS])
@pytest.mark.parametrize("language", LANGUAGES)
def test_all_examples_are_told_and_short(name: str, language: str) -> None:
    book = told(name, language).book
    # A variant leaves out the examples of its game that do not hold; its own all do.
    assert {left.reason for left in book.left_out} <= ({"fails"} if "/" in name else set())
    assert len(book.told) >= 2
    for found in book.told:
        sentences = (*found.position, *found.story)
        assert 0 < len(sentences) <= MAX_SENTENCES
        assert all(sentence[-1] in ".!”“»" for sentence in sentences), sentences
        # Names of messages and terms that a catalog lacks contain such signs.
        assert not any(sign in sentence for sentence in sentences for sign in ("_", "position.", "story."))


@pytest.mark.parametrize("name", [*COMPLETE, *CLASSICS])
@pytest.mark.parametrize("language", LANGUAGES)
def test_examples_have_titles(name: str, language: str) -> None:
    titles = [found.title for found in told(name, language).book.told]
    assert len({*titles}) == len(titles)
    assert all(titles)


def test_example_tells_the_position_the_moves_and_the_refused_moves_with_names() -> None:
    found = example("wongar", "the elder goes one or two areas, and must leave its own")
    assert found.paragraphs() == (
        "An elder area card lies in the bat area. Clara has the elder. The elder is in the snake area.",
        "Anna takes the elder area card from the bat area and receives the elder. "
        "Anna may not choose “Move the elder to the snake area” here. The elder is already in the snake area. "
        "Anna may not choose “Move the elder to the lizard area” here. "
        "The lizard area is more than 2 steps away from the area of the elder. "
        "Anna moves the elder to the foot area, in which a ceremony begins, called by the elder.",
    )
    assert found.result == ("Anna has the elder.", "The elder is in the foot area.")
    assert found.keys[0] == "effect.elder_card"
    # The moves after a refused one count as well.
    assert {"rule.ceremony", "rule.scoring"} <= {*found.keys}
    assert found.decisions == ("turn", "elder_walk")


def test_story_begins_at_the_last_position_that_is_laid_out() -> None:
    found = example("wongar", "at the end, most area cards of a kind bring eight points", "de")
    assert found.position[-1] == "Punkte: Anna 12, Ben 15, Clara 16."
    assert found.story[0].startswith("Clara nimmt die Gebietskarte „Walze“ aus dem Fledermaus-Gebiet")
    assert found.story[-1] == "Das Spiel ist zu Ende. Der Sieg geht an Clara."
    assert found.names[2] == "Clara"
    assert found.after.winners == (2,)
    assert "winner" in found.keys
