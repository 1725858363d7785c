"""Completeness check of translations, applied to the bundled ones as well."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from wongar_dsl.nlg.words import Text, Translator, WordsError, available
from wongar_dsl.nlg.words.clause import Order
from wongar_dsl.nlg.words.lint.catalog_check import MessageSpec, all_forms, check
from wongar_dsl.nlg.words.lint.lint_result import LintFinding
from wongar_dsl.nlg.words.lint.style_lint import OTHER_ORDERS
from wongar_dsl.nlg.words.locale import load_locale
from wongar_dsl.nlg.words.realiser import Realiser
from wongar_dsl.nlg.words.template import Template, parse_template

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

SPECS = [
    MessageSpec("toy.thrown", {"player": "player", "toy": "term:toy", "n": "number"}),
    MessageSpec("toy.over", {}),
]
VOCABULARY = {"toy": {"toy": ("ball", "cube")}}


def po(*entries: tuple[str, str, str]) -> str:
    return "\n".join(f'msgctxt "{name}"\nmsgid "{english}"\nmsgstr "{text}"\n' for name, english, text in entries)


#: An English sentence with a marked verb.
MARKED = "{player} [throws|throw] {toy:num}."
THROWN = ("toy.thrown", "{player} throws {toy:num}.", "{player} lanse {toy:num}.")
OVER = ("toy.over", "It is over.", "Fini.")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    put(tmp_path, "en", LEXICON.replace("determiners: {def: {m: lu, f: la}}", ""), po(THROWN, OVER))
    put(tmp_path, "xa", LEXICON, po(THROWN, OVER))
    english = tmp_path / "en" / "messages.po"
    english.write_text(po((*THROWN[:2], ""), (*OVER[:2], "")), encoding="utf-8")
    # English uses the bundled grammar; only the terms are those of the toy game.
    terms = "games: {toy: {ball: {like: s, stem: ball}, cube: {like: s, stem: cube}}}"
    (tmp_path / "en" / "lexicon.yaml").write_text(terms, encoding="utf-8")
    return tmp_path


def put(root: Path, code: str, lexicon: str, messages: str) -> None:
    (root / code).mkdir(exist_ok=True)
    (root / code / "lexicon.yaml").write_text(lexicon, encoding="utf-8")
    (root / code / "messages.po").write_text(messages, encoding="utf-8")


def findings_in(root: Path, language: str = "xa", specs: list[MessageSpec] | None = None) -> list[LintFinding]:
    return check(specs or SPECS, VOCABULARY, [root], [language])


def finding_names(findings: list[LintFinding]) -> list[str]:
    return [finding.name for finding in findings]


def test_translation_must_mark_its_verb_like_the_english(root: Path) -> None:
    (root / "en" / "messages.po").write_text(po(("toy.thrown", MARKED, ""), (*OVER[:2], "")), encoding="utf-8")
    put(root, "xa", LEXICON, po(("toy.thrown", MARKED, THROWN[2]), OVER))
    assert finding_names(findings_in(root)) == ["words.no_verb"]
    put(root, "xa", LEXICON, po(("toy.thrown", MARKED, "{player} [lanse|lansent|lanser] {toy:num}."), OVER))
    assert findings_in(root) == []


def test_slot_without_a_case_is_reported_if_the_language_has_cases(root: Path) -> None:
    (root / "en" / "messages.po").write_text(po(("toy.thrown", MARKED, ""), (*OVER[:2], "")), encoding="utf-8")
    cases = LEXICON.replace("{number:", "{case: [nom, acc], number:")
    put(root, "xa", cases, po(("toy.thrown", MARKED, "{player} [lanse|lansent|lanser] {toy:num}."), OVER))
    (finding,) = findings_in(root)
    assert (finding.name, finding.about) == ("words.no_case", "toy.thrown")
    put(root, "xa", cases, po(("toy.thrown", MARKED, "{player} [lanse|lansent|lanser] {toy:num acc}."), OVER))
    assert findings_in(root) == []


def test_marked_sentence_is_realised_in_all_word_orders() -> None:
    speech, spec = load_locale("de", ()), MessageSpec("toy.thrown", {"player": "player", "n": "number"})
    template = parse_template("{player} [wirft|werfen] {n:point acc} [+weg].")

    def realised(order: Order | None) -> object:
        return next(text for _, text in all_forms(speech, spec, template, {}, (1,), order))

    assert realised(None) == "Anna wirft einen Punkt weg."
    assert realised(Order.INVERTED) == "wirft Anna einen Punkt weg"
    assert realised(Order.SUBORDINATE) == "Anna einen Punkt wegwirft"
    assert realised(Order.INFINITIVE) == "einen Punkt wegwerfen"


def test_failure_in_any_word_order_is_reported(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "en" / "messages.po").write_text(po(("toy.thrown", MARKED, ""), (*OVER[:2], "")), encoding="utf-8")
    put(root, "xa", LEXICON, po(("toy.thrown", MARKED, "{player} [lanse|lansent|lanser] {toy:num}."), OVER))
    plain, refuse = Realiser.clause, Order.MAIN

    def refused(realiser: Realiser, template: Template, values: Any, order: Order, game: str | None = None) -> str:
        if order is not refuse:
            return plain(realiser, template, values, order, game)
        raise WordsError("words.missing_form", {"word": Text("x"), "form": Text("y"), "where": Text("xa")})

    monkeypatch.setattr(Realiser, "clause", refused)
    for order in OTHER_ORDERS:
        refuse = order
        assert finding_names(findings_in(root)) == ["words.missing_form"]


def test_complete_translation_has_no_findings(root: Path) -> None:
    assert findings_in(root) == []
    assert findings_in(root, "en") == []


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


@pytest.mark.parametrize(
    ("lexicon", "messages", "expected"),
    [
        (LEXICON, po(THROWN), ["words.no_entry"]),
        (LEXICON, po(THROWN, (*OVER[:2], "")), ["words.untranslated"]),
        (LEXICON, po(THROWN) + "\n#, fuzzy\n" + po(OVER), ["words.fuzzy"]),
        (LEXICON, po(THROWN, ("toy.over", "It was over.", "Fini.")), ["words.stale"]),
        (LEXICON, po(THROWN, OVER, ("toy.gone", "Gone.", "Gon.")), ["words.unused_message"]),
        (LEXICON, po((*THROWN[:2], "{player} lanse."), OVER), ["words.missing_slot"]),
        (LEXICON, po((*THROWN[:2], THROWN[2] + "{who} {toy}"), OVER), ["words.unknown_slot"]),
        (LEXICON, po((*THROWN[:2], "{player} {toy:def num}{toy:nonsense}"), OVER), ["words.unknown_word"]),
        (LEXICON, po((*THROWN[:2], "{player} {toy"), OVER), ["words.bad_slot"]),
        (LEXICON, po((*THROWN[:2], "{player} [lanse] [+vi] {toy:num}."), OVER), ["words.bad_mark"]),
        (LEXICON.replace(", pl: cubs", ""), po(THROWN, OVER), ["words.unstated_form"]),
        (LEXICON.replace("cube:", "cub:"), po(THROWN, OVER), ["words.unknown_term", "words.unused_term"]),
        (LEXICON.replace("m: lu, ", ""), po((*THROWN[:2], "{player} {toy:num def}"), OVER), ["words.missing_form"]),
        (LEXICON.replace("gender: f", "gender: x"), po(THROWN, OVER), ["words.unknown_feature"]),
        (LEXICON.replace("gender: f", "place: nowhere, gender: f"), po(THROWN, OVER), ["words.unknown_feature"]),
        ("- a", po(THROWN, OVER), ["words.bad_yaml"]),
    ],
)
def test_check_findings(root: Path, lexicon: str, messages: str, expected: list[str]) -> None:
    put(root, "xa", lexicon, messages)
    findings = findings_in(root)
    assert sorted(set(finding_names(findings))) == expected
    assert all(not finding.unused for finding in findings) == (not any("unused" in name for name in expected))
    for finding in findings:
        text = Translator.load("it", strict=True).say(finding.name, **finding.details)
        assert text.startswith("xa: ") or "toy.thrown" in text or "lexicon.yaml" in text


def test_summary_paragraph_must_list_its_declarations(root: Path) -> None:
    """Only the English entry lists them."""
    short = ("toy.rules.1", "Throw.", "")
    catalog = po((*THROWN[:2], ""), (*OVER[:2], ""), short)
    articles = {"toy": frozenset({"play", "rule.throw"})}

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


def test_message_without_a_sentence_is_reported(root: Path) -> None:
    specs = [*SPECS, MessageSpec("toy.new", {})]
    assert finding_names(findings_in(root, "en", specs)) == ["words.unknown_message"]


def test_unknown_term_category_is_reported(root: Path) -> None:
    specs = [*SPECS[1:], MessageSpec("toy.thrown", {"player": "player", "toy": "term:animal", "n": "number"})]
    assert finding_names(findings_in(root, "xa", specs)) == ["words.no_values"]


AREAS = ("kangaroo", "emu", "goanna", "snake", "hands", "foot", "turtle", "fish", "bat", "lizard")
TOKENS = ("disc", "cube", "cylinder")
AREA_CARDS = (
    *(f"token_card({token})" for token in TOKENS),
    *("three_tokens", "four_rituals", "ancestor_card", "elder_card", "both_card", "scorpion_card"),
)
RITUALS = (*(f"ritual({token})" for token in TOKENS), "double_ritual", "ritual_scorpion")
WONGAR = {
    "token": TOKENS,
    "area": AREAS,
    "card": (*AREA_CARDS, *RITUALS, "area_card", "ritual_card"),
    "figure": ("ancestor", "elder", "boomerang"),
    "summoner": ("ancestor_alone", "elder_alone", "both_together"),
    "phase": ("early", "middle", "late"),
    "pile": ("area_pile", "ritual_pile", "discards", "supply", "bag", "taken"),
    "track": ("scorpion",),
}
SLOTS = {
    "player": "player", "who": "player", "me": "player", "finder": "player",
    "owner": "player", "ancestor_holder": "player", "elder_holder": "player",
    "n": "number", "round": "number", "space": "number", "counts": "tally", "token": "term:token", "kind": "term:token",
    "one": "term:area", "what": "term:card",
    "area": "term:area", "here": "term:area", "there": "term:area", "from": "term:area", "to": "term:area",
    "card": "term:card", "figure": "term:figure", "summoner": "term:summoner", "leader": "term:summoner",
    "phase": "term:phase",
    "parts": "listing",
}  # fmt: skip


@pytest.mark.parametrize("language", available())
def test_bundled_sentences_of_wongar_are_valid(language: str) -> None:
    catalog = load_locale("en", ()).catalog
    counted = re.compile(r":num|:count")
    specs = []
    for name in catalog.entries:
        template = catalog.template(name, source=True) if name.startswith("wongar.") else None
        if template is not None:
            # `{token:num}` counts with the message's number.
            slots = sorted(template.names | ({"n"} if counted.search(catalog.entries[name].english[0]) else set()))
            specs.append(MessageSpec(name, {slot: SLOTS[slot] for slot in slots}))
    assert len(specs) > 50
    graves = [finding for finding in check(specs, {"wongar": WONGAR}, (), [language]) if not finding.unused]
    assert graves == []


@pytest.mark.parametrize("language", [language for language in available() if language != "en"])
def test_all_bundled_sentences_are_translated(language: str) -> None:
    english, translation = load_locale("en", ()).catalog, load_locale(language, ()).catalog
    assert set(translation.entries) == set(english.entries)
    for name, entry in english.entries.items():
        translated = translation.entries[name]
        assert translated.english == entry.english, name
        assert translated.translated, name
        if name.startswith("click."):
            continue  # Sentences of another library, which fills their slots itself.
        source, target = english.template(name, source=True), translation.template(name)
        assert source is not None
        assert target is not None
        assert source.names == target.names, name


@pytest.mark.parametrize("language", available())
def test_all_languages_have_the_same_terms(language: str) -> None:
    english, translation = load_locale("en", ()).lexicon, load_locale(language, ()).lexicon
    assert set(translation.nouns()) == set(english.nouns())
    for game, name in translation.nouns():
        noun = translation.noun(name, game)
        assert noun is not None
        assert translation.missing_forms(noun) == [], name
