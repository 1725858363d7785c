"""Completeness check of translations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from wongar_dsl.nlg.words import WordsError
from wongar_dsl.nlg.words.catalog_check import LintFinding, MessageSpec, check
from wongar_dsl.nlg.words.clause import Order, Template
from wongar_dsl.nlg.words.realiser import Realiser
from wongar_dsl.nlg.words.style_lint import OTHER_ORDERS

LEXICON = """
features: {number: [sg, pl], gender: [m, f]}
numbers: {one: sg, other: pl}
required: [sg, pl]
determiners: {def: {m: lu, f: la}}
games:
  toy:
    ball: {gender: f, sg: balle, pl: balles}
    cube: {gender: m, sg: cub, pl: cubs}
"""

SPECS = [MessageSpec("toy.thrown", {"player": "player", "toy": "term:toy", "n": "number"}), MessageSpec("toy.over", {})]
VOCABULARY = {"toy": {"toy": ("ball", "cube")}}


#: The lexicon of a language with cases.
CASES = LEXICON.replace("{number:", "{case: [nom, acc], number:")


def po(*entries: tuple[str, str, str]) -> str:
    return "\n".join(f'msgctxt "{name}"\nmsgid "{english}"\nmsgstr "{text}"\n' for name, english, text in entries)


#: An English sentence with a marked verb.
MARKED = "{player} [throws|throw] {toy:num}."
THROWN = ("toy.thrown", "{player} throws {toy:num}.", "{player} lanse {toy:num}.")
OVER = ("toy.over", "It is over.", "Fini.")


#: English uses the bundled grammar; only the terms are those of the toy game.
ENGLISH = "games: {toy: {ball: {like: s, stem: ball}, cube: {like: s, stem: cube}}}"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    put(tmp_path, "en", ENGLISH, po((*THROWN[:2], ""), (*OVER[:2], "")))
    put(tmp_path, "xa", LEXICON, po(THROWN, OVER))
    return tmp_path


def put(root: Path, code: str, lexicon: str, messages: str) -> None:
    (root / code).mkdir(exist_ok=True)
    (root / code / "lexicon.yaml").write_text(lexicon, encoding="utf-8")
    (root / code / "messages.po").write_text(messages, encoding="utf-8")


def findings_in(root: Path, language: str = "xa", specs: list[MessageSpec] | None = None) -> list[LintFinding]:
    return check(specs or SPECS, VOCABULARY, [root], [language])


def finding_names(findings: list[LintFinding]) -> list[str]:
    return [finding.name for finding in findings]


@pytest.mark.parametrize(
    ("lexicon", "text", "expected"),
    [
        (LEXICON, THROWN[2], ["words.no_verb"]),
        (LEXICON, "{player} [lanse|lansent|lanser] {toy:num}.", []),
        (CASES, "{player} [lanse|lansent|lanser] {toy:num}.", ["words.no_case"]),
        (CASES, "{player} [lanse|lansent|lanser] {toy:num acc}.", []),
    ],
)
def test_translation_must_mark_its_verb_and_cases(root: Path, lexicon: str, text: str, expected: list[str]) -> None:
    put(root, "en", ENGLISH, po(("toy.thrown", MARKED, ""), (*OVER[:2], "")))
    put(root, "xa", lexicon, po(("toy.thrown", MARKED, text), OVER))
    assert [finding.name for finding in findings_in(root)] == expected


def test_failure_in_any_word_order_is_reported(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(root, "en", ENGLISH, po(("toy.thrown", MARKED, ""), (*OVER[:2], "")))
    put(root, "xa", LEXICON, po(("toy.thrown", MARKED, "{player} [lanse|lansent|lanser] {toy:num}."), OVER))
    plain, refuse = Realiser.clause, Order.MAIN

    def refused(realiser: Realiser, template: Template, values: Any, order: Order, game: str | None = None) -> str:
        if order is not refuse:
            return plain(realiser, template, values, order, game)
        raise WordsError("words.missing_form", word="x", form="y", where="xa")

    monkeypatch.setattr(Realiser, "clause", refused)
    for order in OTHER_ORDERS:
        refuse = order
        assert finding_names(findings_in(root)) == ["words.missing_form"]


def test_fuzzy_english_entry_is_not_compared(root: Path) -> None:
    draft = po((*THROWN[:2], ""), ("toy.over", "It is 'over' {word}.", ""))
    (root / "en" / "messages.po").write_text(draft.replace('msgctxt "toy.over"', '#, fuzzy\nmsgctxt "toy.over"'))
    assert [(finding.name, finding.about) for finding in findings_in(root, "en")] == [("words.fuzzy", "toy.over")]
    assert findings_in(root) == []


def test_number_of_suggestions_is_limited(root: Path) -> None:
    """Searching similar names for thousands of unknown entries took minutes."""
    strange = [(f"toy.thrwn{n}", "Gone.", "Gon.") for n in range(700)]
    put(root, "xa", LEXICON, po(THROWN, OVER, *strange))
    near = [finding.suggestion is not None for finding in findings_in(root)]
    assert len(near) == 700
    assert near == sorted(near, reverse=True)
    assert 100 <= sum(near) <= 300


def test_summary_paragraph_must_list_its_declarations(root: Path) -> None:
    """Only the English entry lists them."""
    short = ("toy.rules.1", "Throw.", "")
    catalog = po((*THROWN[:2], ""), (*OVER[:2], ""), short)
    articles = {"toy": {"play": frozenset[int](), "rule.throw": frozenset[int]()}}

    def findings_with(language: str, comment: str) -> list[LintFinding]:
        text = catalog.replace('msgctxt "toy.rules.1"', f'{comment}msgctxt "toy.rules.1"')
        (root / "en" / "messages.po").write_text(text, encoding="utf-8")
        put(root, "xa", LEXICON, po(THROWN, OVER, (*short[:2], "Lanse.")))
        return check(SPECS, VOCABULARY, [root], [language], articles=articles)

    assert finding_names(findings_with("en", "")) == ["words.no_articles"]
    assert finding_names(findings_with("en", "# articles: play, rule.throw\n")) == []
    [misspelt] = findings_with("en", "# articles: play rule.thrown\n")
    assert (misspelt.name, misspelt.suggestion) == ("words.unknown_article", "rule.throw")
    assert finding_names(findings_with("xa", "")) == []


QUESTION, ANSWER = "toy.question.rule.throw", "toy.answer.rule.throw"


@pytest.mark.parametrize(
    ("answer", "comment", "expected"),
    [
        ("You throw three balls, or 3 cubes.", "", []),
        ("You throw one ball.", "", []),
        ("You throw 4 balls.", "", ["words.unknown_number"]),
        ("You throw {throws:ball}.", "", []),
        ("You throw {cubes:ball}.", "", ["words.unknown_slot"]),
        ("Throw four balls, then five.", "", ["words.unknown_number"] * 2),
        # Another declaration gives it, if the question names that.
        ("You throw twice.", "", ["words.unknown_number"]),
        ("You throw twice.", "# articles: play\n", []),
        ("You throw twice.", "# articles: setup\n", ["words.unknown_article", "words.unknown_number"]),
        ("", "", ["words.no_partner"]),
    ],
)
def test_answers_state_only_what_their_declarations_give(
    root: Path, answer: str, comment: str, expected: list[str]
) -> None:
    texts = [(QUESTION, "How often?", ""), *([(ANSWER, answer, "")] if answer else [])]
    catalog = po((*THROWN[:2], ""), (*OVER[:2], ""), *texts)
    commented = catalog.replace(f'msgctxt "{QUESTION}"', f'{comment}msgctxt "{QUESTION}"')
    (root / "en" / "messages.po").write_text(commented, encoding="utf-8")
    specs = [*SPECS, *(MessageSpec(name, {}, False, {"throws": "number"}) for name in (QUESTION, ANSWER))]
    articles = {"toy": {"play": frozenset({2}), "rule.throw": frozenset({3})}}
    assert sorted(finding_names(check(specs, VOCABULARY, [root], ["en"], articles=articles))) == expected


INTRODUCTION, NOTE = "toy.rulebook.intro", "toy.rulebook.note.rule.throw"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("You throw three balls at once.", []),
        ("You throw {throws:ball}.", []),
        ("You throw 4 balls.", ["words.unknown_number"]),
        ("You throw {cubes:ball}.", ["words.unknown_slot"]),
        ("Throw a ball at the card.", ["words.unknown_component"]),
        ("Throw a ball at the board, discard it, and hope.", []),
    ],
)
@pytest.mark.parametrize("name", [INTRODUCTION, NOTE])
def test_introductions_and_notes_speak_only_of_what_the_rules_give(
    root: Path, name: str, text: str, expected: list[str]
) -> None:
    catalog = po((*THROWN[:2], ""), (*OVER[:2], ""), (name, text, ""))
    # A note is about its declaration without a comment.
    commented = catalog.replace(f'msgctxt "{INTRODUCTION}"', f'# articles: rule.throw\nmsgctxt "{INTRODUCTION}"')
    (root / "en" / "messages.po").write_text(commented, encoding="utf-8")
    specs = [*SPECS, MessageSpec(name, {}, False, {"throws": "number"})]
    articles = {"toy": {"play": frozenset({2}), "rule.throw": frozenset({3}), "board.field": frozenset[int]()}}
    assert finding_names(check(specs, VOCABULARY, [root], ["en"], articles=articles)) == expected


def test_introduction_lists_its_declarations(root: Path) -> None:
    (root / "en" / "messages.po").write_text(
        po((*THROWN[:2], ""), (*OVER[:2], ""), (INTRODUCTION, "You throw.", "")), encoding="utf-8"
    )
    specs = [*SPECS, MessageSpec(INTRODUCTION, {}, False)]
    findings = check(specs, VOCABULARY, [root], ["en"], articles={"toy": {"rule.throw": frozenset()}})
    assert finding_names(findings) == ["words.no_articles"]


def test_numerals_with_another_meaning_are_no_numbers(root: Path) -> None:
    lexicon = LEXICON + "numerals: {2: {worded: due}, 6: {worded: sei}}\n"
    texts = [(QUESTION, "May I?", "Puis je?"), (ANSWER, "Yes.", "Sei due.")]
    put(root, "en", ENGLISH, po(*((name, text, "") for name, text, _ in (THROWN, OVER, *texts))))
    specs = [*SPECS, *(MessageSpec(name, {}, False) for name in (QUESTION, ANSWER))]
    for ambiguous, expected in (("", ["due", "Sei"]), ("ambiguous_numerals: [sei]\n", ["due"])):
        put(root, "xa", lexicon + ambiguous, po(THROWN, OVER, *texts))
        findings = check(specs, VOCABULARY, [root], ["xa"], articles={"toy": {"rule.throw": frozenset()}})
        assert sorted(str(getattr(finding.details["word"], "text", "")) for finding in findings) == sorted(expected)


def test_unknown_messages_and_categories_of_terms_are_reported(root: Path) -> None:
    assert finding_names(findings_in(root, "en", [*SPECS, MessageSpec("toy.new", {})])) == ["words.unknown_message"]
    specs = [*SPECS[1:], MessageSpec("toy.thrown", {"player": "player", "toy": "term:animal", "n": "number"})]
    assert finding_names(findings_in(root, "xa", specs)) == ["words.no_values"]
