"""Differences between rulebooks: sentences about unchanged rules, whose wording a change elsewhere weakens."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest

from benchmarks.mutants.operators import mutants
from benchmarks.mutants.verdict import changed
from wongar_dsl.engine.library import load
from wongar_dsl.nlg.prose.render.change_summary import summary
from wongar_dsl.nlg.prose.render.differences import ChangedSection, differences
from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook

from .books import LANGUAGES, book, document_of, rules_of, words

#: A variant of each game, the sections that it changes, and the number of lines that it removes or replaces.
CHANGES = [
    ("ubongo", "after rule play_round\n    set starter to right of starter\n", {"rule.play_round"}, 0),
    ("ubongo", "after rule solved\n    set starter to right of p\n", {"rule.solved"}, 0),
    (
        "ubongo",
        "set standing in rule solved to first f in field where place_of[f] = greatest(1, place_of[goal] - 1)\n",
        {"rule.solved"},
        1,
    ),
    ("tongiaki", "after rule put_to_sea\n    me gains 1 points for islands_of_2\n", {"rule.put_to_sea"}, 0),
]


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


@pytest.mark.parametrize(("base", "text", "sections", "replaced"), CHANGES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_other_words_for_an_unchanged_rule_are_no_difference(
    language: str, base: str, text: str, sections: set[str], replaced: int
) -> None:
    parts = [part for part in changes_of(base, text, language) if part.key.startswith("rule.")]
    assert {part.key for part in parts} == sections
    assert len(lines_of(parts, "gone")) == replaced


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("de", "Der Spieler verliert einen Siegpunkt."),
        ("nl", "De speler verliest een winstpunt."),
        ("it", "Il giocatore perde un punto vittoria."),
        ("en", "The player loses a victory point."),
    ],
)
def test_a_pronoun_does_not_refer_to_a_line_that_is_not_shown(language: str, line: str) -> None:
    text = "after ceremony_scored in rule scoring\n    winner_of_kind loses 1 points for card_majorities\n"
    assert lines_of(changes_of("wongar", text, language), "new") == [line]


@pytest.mark.parametrize(
    ("text", "moved"),
    [
        ("remove elder_privilege from play\nbefore final_scoring in play\n    elder_privilege()\n", 1),
        ("after final_scoring in play\n    play_round()\n", 0),
        ("before elder_privilege in play\n    play_round()\n", 0),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_step_that_stays_in_its_loop_is_not_moved(text: str, moved: int, language: str) -> None:
    [part] = [part for part in changes_of("wongar", text, language) if part.key == "play"]
    assert [change.sort for change in part.changes].count("moved") == moved


@pytest.mark.parametrize("text", ["set cards_bonus to 8\n", "set double_ritual in ritual_deck to 5\n"])
def test_a_value_set_to_what_it_is_is_no_change(text: str) -> None:
    name = text.split()[-3]
    model = reading_of("wongar", text, "en").book.model
    assert not [key for key in model.merged.changed if key[-1] == name]
    assert changes_of("wongar", text, "en") == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_explanation_of_an_unchanged_setting_is_no_difference(language: str) -> None:
    parts, worded = (changes_of(*CHANGES[0][:2], language, wordings) for wordings in (False, True))
    assert "options" not in [part.key for part in parts]
    assert "options" in [part.key for part in worded]


@pytest.mark.parametrize("language", LANGUAGES)
def test_editors_see_other_words_for_an_unchanged_rule(language: str) -> None:
    base, text, *_ = CHANGES[0]
    assert len(lines_of(changes_of(base, text, language, wordings=True), "gone")) > 2


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


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_decides_only_in_a_tie_is_a_difference(language: str) -> None:
    text = "replace winner p\n    fewest size of holding of p\n    then most points of p\n"
    parts = changes_of("goofspiel", text, language)
    assert len(lines_of(parts, "gone")) == 1
    assert len(lines_of(parts, "new")) == 2


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("language", LANGUAGES)
def test_summary_tells_what_changed(language: str, number: int) -> None:
    base, text, *_ = CHANGES[number]
    parts = changes_of(base, text, language)
    chosen = [change for part, change in summary(parts, 5) if part.key.startswith("rule.")]
    assert chosen
    assert all(change.rule == "changed" for change in chosen)


@pytest.mark.parametrize("language", LANGUAGES)
def test_summary_states_the_conditions_of_a_line(language: str) -> None:
    text = "before rule play_round\n    if size of collection of starter > 5\n        set starter to left of starter\n"
    text += "        move all of collection of starter to bag quietly\n"
    parts = changes_of("ubongo", text, language)
    [line] = [change.alone for part, change in summary(parts) if part.key == "rule.play_round"]
    [lead] = [line for line in lines_of(parts, "new") if line.endswith(":")]
    assert line.startswith(lead)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_that_the_base_leaves_out_comes_last_in_the_summary(language: str) -> None:
    """Counting rounds is told only where a rule asks for the round."""
    text = "after rule play_round\n    if round > 3\n        set starter to right of starter\n"
    parts = changes_of("ubongo", text, language)
    chosen = [change for part, change in summary(parts) if part.key == "rule.play_round"]
    assert [change.rule for change in chosen] == ["changed"]
    assert "same" in [change.rule for part in parts for change in part.changes]


#: Changes of Ubongo before and after the steps of a rule, and whether the later ones depend on the time of the earlier.
STORED = [
    ("before", "let kept = size of collection of starter", "size of collection of starter > kept", True),
    ("before", "set owned of starter to size of collection of starter", "owned of starter < round", True),
    (
        "before",
        "for each p in player\n        set owned of p to size of collection of p",
        "every p in player has owned of p = size of collection of p",
        True,
    ),
    ("before", "starter gains 2 chips", "position of starter = 1", False),
    # No step lies between these.
    ("after", "let kept = size of collection of starter", "size of collection of starter > kept", False),
]


@pytest.mark.parametrize(("where", "stored", "condition", "is_marked"), STORED)
@pytest.mark.parametrize("language", LANGUAGES)
def test_unchanged_steps_behind_a_stored_value_are_marked(
    language: str, where: str, stored: str, condition: str, is_marked: bool
) -> None:
    """A value before a round, compared after it, is not told as if it were compared at once."""
    declared = "remember owned of each player: number = 0\nscore chips\n"
    later = f"    if ({condition})\n        starter gains 1 chips\n"
    text = f"{declared}\n{where} rule play_round\n    {stored}\n" + (
        f"\nafter rule play_round\n{later}" if where == "before" else later
    )
    [part] = [part for part in changes_of("ubongo", text, language) if part.key == "rule.play_round"]
    marks = [place for place, change in enumerate(part.changes) if change.text == "…"]
    assert len(marks) == is_marked
    assert all(0 < place < len(part.changes) - 1 and part.changes[place].sort == "kept" for place in marks)


@pytest.mark.parametrize("language", LANGUAGES)
def test_summary_tells_an_action_rather_than_a_stored_value(language: str) -> None:
    text = (
        "score chips\n\nbefore rule play_round\n    let kept = size of collection of starter\n\n"
        "after rule play_round\n    if size of collection of starter > kept\n        starter gains 1 chips\n"
    )
    changes = changes_of("ubongo", text, language)
    told = [change.text for part, change in summary(changes) if part.key == "rule.play_round"]
    [added] = [part.changes for part in changes if part.key == "rule.play_round"]
    assert told == [added[-1].text]


MARKS = {
    "en": "This beach gets a ship mark.", "de": "Dieser Strand erhält einen Schiffsvermerk.",
    "nl": "Dit strand krijgt een scheepsmarkering.", "it": "Questa spiaggia riceve un segno di nave.",
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_mark_of_a_changed_rule_is_no_property_of_itself(language: str) -> None:
    """The noun of a mark names what it says, not the thing that has it: *the beach served of this beach*."""
    text = "after rule increase\n    set served of beach_1 to yes\n"
    added = " ".join(lines_of(changes_of("tongiaki", text, language), "new"))
    assert MARKS[language] in added, added
