"""What is said about a place: outline, hover, findings; also while the text is broken."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.language_server.findings import findings
from wongar_dsl.language_server.hover import hover
from wongar_dsl.language_server.outline import outline
from wongar_dsl.language_server.snapshot import View, take
from wongar_dsl.words import Words

from .files import BASE_AT, GAME, VARIANT, VARIANT_AT, place, read, view

ROOT = Path(__file__).resolve().parents[2]
ENGLISH = Words.load("en")


def test_the_outline_has_every_article_with_its_lines() -> None:
    entries = outline(view(), ENGLISH)
    assert [(e.name, e.sort) for e in entries] == [
        ("meadow", "game"), ("token", "enum"), ("worth", "table"), ("plenty", "option"), ("supply", "tokens"),
        ("ground", "tokens"), ("rounds", "remember"), ("left_over", "define"), ("setup", "setup"), ("play", "play"),
        ("take_turn", "rule"), ("winner", "winner"),
    ]  # fmt: skip
    assert [e.name for e in entries[1].inside] == ["disc", "cube"]
    assert [e.name for e in entries[10].inside] == ["turn"]
    rounds = entries[6].whole
    # The comment below belongs to what follows.
    assert (rounds.line, rounds.end_line) == (19, 19)


def test_the_outline_of_a_variant_says_what_it_changes() -> None:
    names = [e.name for e in outline(view(VARIANT_AT), ENGLISH)]
    assert names[:3] == ["rich", "set plenty to 5", "set worth[cube] to 4"]


def test_a_broken_text_has_the_outline_and_the_names_that_it_had() -> None:
    broken = GAME.replace("tokens ground", "nonsense (\ntokens ground")
    seen = View(broken, read())
    assert [e.name for e in outline(seen, ENGLISH)] == [e.name for e in outline(view(), ENGLISH)]
    moved = {e.name: e.whole.line for e in outline(seen, ENGLISH)}
    assert (moved["ground"], moved["take_turn"]) == (18, 41)
    assert hover(seen, place(broken, "take_turn(p)"), ENGLISH) == hover(view(), place(GAME, "take_turn(p)"), ENGLISH)
    assert hover(seen, place(broken, "nonsense"), ENGLISH) is None


def test_hover_says_what_a_name_is_where_it_is_from_and_who_speaks_of_it() -> None:
    text = hover(view(), place(GAME, "worth[disc]"), ENGLISH)
    assert text is not None
    assert text.startswith("A table\n\n```game-rules\ntable worth\n    disc 1\n    cube 2\n```")
    assert "Source: The rules of the meadow, Scoring" in text
    assert "Also in `winner`." in text
    local = hover(view(), place(GAME, "1 kind", "kind"), ENGLISH)
    assert local is not None
    assert "of type `token`" in local


def test_a_change_is_named_as_it_is_written() -> None:
    text = hover(view(VARIANT_AT), place(VARIANT, "worth[cube]", "worth"), ENGLISH)
    assert text is not None
    assert "`set worth[cube] to 4`" in text


@pytest.mark.parametrize(
    ("language", "said"), [("de", "Sonst nirgends"), ("nl", "Verder nergens"), ("it", "Non usato"), ("en", "nowhere")]
)
def test_hover_speaks_the_language_of_the_author(language: str, said: str) -> None:
    assert said in (hover(view(), place(GAME, "placed"), Words.load(language)) or "")


def test_hover_says_the_sentences_of_a_rule() -> None:
    at = take(ROOT / "rules" / "wongar" / "wongar.rules", {})
    assert at.own is not None
    text = at.own.source.text
    said = hover(View(text, at), place(text, "elder_privilege"), Words.load("de"))
    assert said is not None
    assert "- Der Besitzer des Ältesten zieht eine Ritualkarte." in said


def test_of_rules_with_mistakes_no_sentence_is_made() -> None:
    wrong = GAME.replace("worth[disc]", "wroth[disc]")
    said = hover(View(wrong, read(base=wrong)), place(wrong, "take_turn(me"), ENGLISH)
    assert said is not None
    assert "\n- " not in said
    assert "\n- " in (hover(view(), place(GAME, "take_turn(me"), ENGLISH) or "")


def test_nothing_of_a_file_steers_the_editor() -> None:
    evil = GAME.replace("The rules of the meadow", "<img src=x> [a](b) `c` **d**")
    text = hover(View(evil, read(base=evil)), place(evil, "worth[disc]"), ENGLISH)
    assert text is not None
    assert not set("<[*") & set(text.partition("Source:")[2])


def test_a_finding_says_what_is_wrong_and_what_helps() -> None:
    snapshot = read(base=GAME.replace("worth[disc]", "wroth[disc]"))
    (finding,) = findings(snapshot, ENGLISH)
    assert finding.diagnostic.code == "R0201"
    assert finding.text.split("\n")[-1] == "did you mean “worth”?"
    assert finding.span.line == 49


def test_mistakes_of_the_base_stand_where_the_variant_names_it() -> None:
    snapshot = read(VARIANT_AT, base=GAME.replace("worth[disc]", "wroth[disc]"))
    (finding,) = findings(snapshot, ENGLISH)
    assert (finding.span.line, finding.span.column) == (1, VARIANT.index("meadow") + 1)
    ((span, text),) = finding.others
    assert snapshot.path_of(span.source) == BASE_AT
    assert span.line == 49
    assert "wroth" in text


def test_a_variant_without_its_base_is_told_so_and_has_an_outline() -> None:
    snapshot = take(VARIANT_AT, {VARIANT_AT: VARIANT})
    assert [f.diagnostic.code for f in findings(snapshot, ENGLISH)] == ["R0006"]
    assert len(outline(View(VARIANT, snapshot), ENGLISH)) == 5


def test_a_variant_of_a_shipped_game_finds_it_wherever_it_lies() -> None:
    text = "variant mine of wongar/initiated\n\nset sting to yes\n    source house rule\n"
    snapshot = take(VARIANT_AT, {VARIANT_AT: text})
    assert snapshot.game == "wongar/initiated/mine"
    assert "`wongar`" not in (hover(View(text, snapshot), place(text, "sting"), Words.load("de")) or "`wongar`")


@pytest.mark.parametrize(
    "text", ["", "\0", "\ufeff", "game", "((((", "\ud800", "game x\n" * 9, "\t\t\r\r\n", "variant x of x"]
)
def test_any_text_has_an_answer(text: str) -> None:
    snapshot = take(BASE_AT, {BASE_AT: text})
    seen = View(text, snapshot)
    assert findings(snapshot, ENGLISH)
    outline(seen, ENGLISH)
    assert hover(seen, place(text + " ", " "), ENGLISH) is None


def test_a_huge_text_obeys_the_limits_of_rule_files() -> None:
    text = "# " + "x" * 400_000
    assert [f.diagnostic.code for f in findings(take(BASE_AT, {BASE_AT: text}), ENGLISH)] == ["R0002"]
