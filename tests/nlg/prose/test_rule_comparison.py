"""Differences between rulebooks: sentences about unchanged rules, whose wording a change elsewhere weakens."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest

from benchmarks.mutants.operators import mutants
from benchmarks.mutants.verdict import changed
from wongar_dsl.engine.library import load
from wongar_dsl.nlg.prose.render.differences import ChangedSection, differences, summary
from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook

from .books import LANGUAGES, book, document_of, rules_of, words

STARTER = "after rule play_round\n    set starter to right of starter\n"
SOLVED = "after rule solved\n    set starter to right of p\n"
#: A variant of a game in a language, the section that it changes, and the number of lines that it removes or replaces.
CHANGES = (
    ("de", "ubongo", STARTER, "rule.play_round", 0),
    ("it", "ubongo", SOLVED, "rule.solved", 0),
    (
        "nl",
        "ubongo",
        "set standing in rule solved to first f in field where place_of[f] = greatest(1, place_of[goal] - 1)\n",
        "rule.solved",
        1,
    ),
    ("en", "tongiaki", "after rule put_to_sea\n    me gains 1 points for islands_of_2\n", "rule.put_to_sea", 0),
)


@cache
def reading_of(base: str, text: str, language: str) -> RealisedRulebook:
    """Return the rulebook of a shipped game, or of a variant of it."""
    document = document_of(rules_of("v.rules", f"variant v of {base}\n\n{text}")) if text else book(base)
    return RealisedRulebook(document, words(language), "")


@cache
def changes_of(base: str, text: str, language: str, wordings: bool = False) -> list[ChangedSection]:
    return list(differences(reading_of(base, "", language), reading_of(base, text, language), wordings))


def lines_of(parts: Sequence[ChangedSection], *sorts: str) -> list[str]:
    return [change.text for part in parts for change in part.changes if change.sort in sorts]


def sorts_in(base: str, text: str, language: str, key: str) -> list[str]:
    """Return the sorts of the changed lines of a section."""
    [part] = [part for part in changes_of(base, text, language) if part.key == key]
    return [change.sort for change in part.changes]


@pytest.mark.parametrize(("language", "base", "text", "section", "replaced"), CHANGES)
def test_other_words_for_an_unchanged_rule_are_no_difference(
    language: str, base: str, text: str, section: str, replaced: int
) -> None:
    assert [part.key for part in changes_of(base, text, language) if part.key.startswith("rule.")] == [section]
    assert sorts_in(base, text, language, section).count("gone") == replaced


def test_a_pronoun_does_not_refer_to_a_line_that_is_not_shown() -> None:
    text = "after ceremony_scored in rule scoring\n    winner_of_kind loses 1 points for card_majorities\n"
    assert [lines_of(changes_of("wongar", text, language), "new") for language in LANGUAGES] == [
        ["Der Spieler verliert einen Siegpunkt."],
        ["De speler verliest een winstpunt."],
        ["Il giocatore perde un punto vittoria."],
        ["The player loses a victory point."],
    ]


@pytest.mark.parametrize(
    ("language", "text", "moved"),
    [
        ("de", "remove elder_privilege from play\nbefore final_scoring in play\n    elder_privilege()\n", 1),
        ("it", "after final_scoring in play\n    play_round()\n", 0),
        ("nl", "before elder_privilege in play\n    play_round()\n", 0),
    ],
)
def test_a_step_that_stays_in_its_loop_is_not_moved(language: str, text: str, moved: int) -> None:
    assert sorts_in("wongar", text, language, "play").count("moved") == moved


@pytest.mark.parametrize("text", ["set cards_bonus to 8\n", "set double_ritual in ritual_deck to 5\n"])
def test_a_value_set_to_what_it_is_is_no_change(text: str) -> None:
    model = reading_of("wongar", text, "en").book.model
    assert not [key for key in model.merged.changed if key[-1] == text.split()[-3]]
    assert changes_of("wongar", text, "en") == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_only_editors_see_other_words_for_an_unchanged_rule_or_setting(language: str) -> None:
    parts, worded = (changes_of("ubongo", STARTER, language, wordings) for wordings in (False, True))
    assert "options" not in [part.key for part in parts]
    assert "options" in [part.key for part in worded]
    assert len(lines_of(worded, "gone")) > 2


def test_every_change_of_the_rules_is_a_difference() -> None:
    """A sentence differs if a rule that it depends on changed, although its own statement is the same."""
    base = load("nim")
    compared = 0
    for mutant in mutants(base.model, base.sources[-1]):
        rules = changed(base, mutant)
        if rules is None:
            continue
        now = RealisedRulebook(document_of(rules.model), words("en"), "")
        parts, worded = (list(differences(reading_of("nim", "", "en"), now, wordings)) for wordings in (False, True))
        compared += bool(worded)
        assert bool(parts) is bool(worded), mutant
        if mutant.what in ("negated", "= -> !=", "some -> none", "where dropped"):
            assert {part.key for part in parts} == {part.key for part in worded}, mutant
    assert compared > 10


def test_what_decides_only_in_a_tie_is_a_difference() -> None:
    text = "replace winner p\n    fewest size of holding of p\n    then most points of p\n"
    for language in LANGUAGES:
        parts = changes_of("goofspiel", text, language)
        assert [len(lines_of(parts, sort)) for sort in ("gone", "new")] == [1, 2]


@pytest.mark.parametrize(("number", "language"), [(1, "it"), (2, "nl")])
def test_summary_tells_what_changed(language: str, number: int) -> None:
    parts = changes_of(*CHANGES[number][1:3], language)
    chosen = [change for part, change in summary(parts, 5) if part.key.startswith("rule.")]
    assert chosen
    assert all(change.rule == "changed" for change in chosen)


MOVING = """before rule play_round
    if size of collection of starter > 5
        set starter to left of starter
        move all of collection of starter to bag quietly
"""


def test_summary_states_the_conditions_of_a_line() -> None:
    parts = changes_of("ubongo", MOVING, "de")
    [line] = [change.alone for part, change in summary(parts) if part.key == "rule.play_round"]
    [lead] = [line for line in lines_of(parts, "new") if line.endswith(":")]
    assert line.startswith(lead)


def test_a_sentence_that_the_base_leaves_out_comes_last_in_the_summary() -> None:
    """Counting rounds is told only where a rule asks for the round."""
    text = "after rule play_round\n    if round > 3\n        set starter to right of starter\n"
    parts = changes_of("ubongo", text, "it")
    chosen = [change for part, change in summary(parts) if part.key == "rule.play_round"]
    assert [change.rule for change in chosen] == ["changed"]
    assert "same" in [change.rule for part in parts for change in part.changes]


DECLARED = "remember owned of each player: number = 0\nscore chips\n"
KEEP, MORE = "let kept = size of collection of starter", "size of collection of starter > kept"


def stored(where: str, statement: str, condition: str) -> str:
    """Return changes of Ubongo before and after the steps of a rule."""
    later = f"    if ({condition})\n        starter gains 1 chips\n"
    behind = f"\nafter rule play_round\n{later}" if where == "before" else later
    return f"{DECLARED}\n{where} rule play_round\n    {statement}\n{behind}"


@pytest.mark.parametrize(
    ("language", "where", "statement", "condition", "is_marked"),
    [
        ("de", "before", KEEP, MORE, True),
        ("it", "before", "set owned of starter to size of collection of starter", "owned of starter < round", True),
        (
            "nl",
            "before",
            "for each p in player\n        set owned of p to size of collection of p",
            "every p in player has owned of p = size of collection of p",
            True,
        ),
        ("en", "before", "starter gains 2 chips", "position of starter = 1", False),
        # No step lies between these.
        ("de", "after", KEEP, MORE, False),
    ],
)
def test_unchanged_steps_behind_a_stored_value_are_marked(
    language: str, where: str, statement: str, condition: str, is_marked: bool
) -> None:
    """A value before a round, compared after it, is not told as if it were compared at once."""
    changes = changes_of("ubongo", stored(where, statement, condition), language)
    [part] = [part for part in changes if part.key == "rule.play_round"]
    marks = [place for place, change in enumerate(part.changes) if change.text == "…"]
    assert len(marks) == is_marked
    assert all(0 < place < len(part.changes) - 1 and part.changes[place].sort == "kept" for place in marks)


def test_summary_tells_an_action_rather_than_a_stored_value() -> None:
    changes = changes_of("ubongo", stored("before", KEEP, MORE), "de")
    [added] = [part.changes for part in changes if part.key == "rule.play_round"]
    told = [change.text for part, change in summary(changes) if part.key == "rule.play_round"]
    assert told == [added[-1].text]


MARKS = {
    "en": "This beach gets a ship mark.", "de": "Dieser Strand erhält einen Schiffsvermerk.",
    "nl": "Dit strand krijgt een scheepsmarkering.", "it": "Questa spiaggia riceve un segno di nave.",
}  # fmt: skip


def test_mark_of_a_changed_rule_is_no_property_of_itself() -> None:
    """The noun of a mark names what it says, not the thing that has it: *the beach served of this beach*."""
    for language, marked in MARKS.items():
        changes = changes_of("tongiaki", "after rule increase\n    set served of beach_1 to yes\n", language)
        assert marked in " ".join(lines_of(changes, "new"))
