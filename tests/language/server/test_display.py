"""Texts that an editor shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.language.server.display import findings, hover, inlay_hints, outline
from wongar_dsl.language.server.symbols import DocumentView, read_snapshot
from wongar_dsl.nlg.words import Translator

from .files import BASE_AT, GAME, VARIANT, VARIANT_AT, position_of, snapshot_of, view_of

ROOT = Path(__file__).resolve().parents[3]
ENGLISH = Translator.load("en")


def test_outline_has_every_declaration_with_its_lines() -> None:
    entries = outline(view_of(), ENGLISH)
    assert [(e.name, e.sort) for e in entries] == [
        ("meadow", "game"), ("token", "enum"), ("worth", "table"), ("plenty", "option"), ("supply", "tokens"),
        ("ground", "tokens"), ("rounds", "remember"), ("left_over", "define"), ("setup", "setup"), ("play", "play"),
        ("take_turn", "rule"), ("winner", "winner"),
    ]  # fmt: skip
    assert [e.name for e in entries[1].inside] == ["disc", "cube"]
    assert [e.name for e in entries[10].inside] == ["turn"]
    rounds = entries[6].whole
    # The comment below belongs to the next declaration.
    assert (rounds.line, rounds.end_line) == (19, 19)


def test_outline_of_a_variant_lists_its_changes() -> None:
    names = [e.name for e in outline(view_of(VARIANT_AT), ENGLISH)]
    assert names[:3] == ["rich", "set plenty to 5", "set worth[cube] to 4"]


def test_broken_text_keeps_its_last_outline_and_names() -> None:
    broken = GAME.replace("tokens ground", "nonsense (\ntokens ground")
    seen = DocumentView(broken, snapshot_of())
    assert [e.name for e in outline(seen, ENGLISH)] == [e.name for e in outline(view_of(), ENGLISH)]
    moved = {e.name: e.whole.line for e in outline(seen, ENGLISH)}
    assert (moved["ground"], moved["take_turn"]) == (18, 41)
    assert hover(seen, position_of(broken, "take_turn(p)"), ENGLISH) == hover(
        view_of(), position_of(GAME, "take_turn(p)"), ENGLISH
    )
    assert hover(seen, position_of(broken, "nonsense"), ENGLISH) is None


def test_hover_shows_declaration_source_and_uses() -> None:
    text = hover(view_of(), position_of(GAME, "worth[disc]"), ENGLISH)
    assert text is not None
    assert text.startswith("A table\n\n```game-rules\ntable worth\n    disc 1\n    cube 2\n```")
    assert "Source: The rules of the meadow, Scoring" in text
    assert "Also in `winner`." in text
    local = hover(view_of(), position_of(GAME, "1 kind", "kind"), ENGLISH)
    assert local is not None
    assert "of type `token`" in local


def test_hover_shows_a_change_as_written() -> None:
    text = hover(view_of(VARIANT_AT), position_of(VARIANT, "worth[cube]", "worth"), ENGLISH)
    assert text is not None
    assert "`set worth[cube] to 4`" in text


@pytest.mark.parametrize(
    ("language", "said"), [("de", "Sonst nirgends"), ("nl", "Verder nergens"), ("it", "Non usato"), ("en", "nowhere")]
)
def test_hover_is_in_the_language_of_the_author(language: str, said: str) -> None:
    assert said in (hover(view_of(), position_of(GAME, "placed"), Translator.load(language)) or "")


def test_hover_shows_the_sentences_of_a_rule() -> None:
    snapshot = read_snapshot(ROOT / "rules" / "wongar" / "wongar.rules", {})
    assert snapshot.file is not None
    text = snapshot.file.source.text
    hover_text = hover(DocumentView(text, snapshot), position_of(text, "elder_privilege"), Translator.load("de"))
    assert hover_text is not None
    assert "- Der Besitzer des Ältesten zieht eine Ritualkarte." in hover_text


def test_hover_shows_no_sentences_for_wrong_rules() -> None:
    wrong = GAME.replace("worth[disc]", "wroth[disc]")
    hover_text = hover(DocumentView(wrong, snapshot_of(base=wrong)), position_of(wrong, "take_turn(me"), ENGLISH)
    assert hover_text is not None
    assert "\n- " not in hover_text
    assert "\n- " in (hover(view_of(), position_of(GAME, "take_turn(me"), ENGLISH) or "")


def test_markup_in_files_is_escaped() -> None:
    evil = GAME.replace("The rules of the meadow", "<img src=x> [a](b) `c` **d**")
    text = hover(DocumentView(evil, snapshot_of(base=evil)), position_of(evil, "worth[disc]"), ENGLISH)
    assert text is not None
    assert not set("<[*") & set(text.partition("Source:")[2])


def test_finding_has_message_and_suggestion() -> None:
    snapshot = snapshot_of(base=GAME.replace("worth[disc]", "wroth[disc]"))
    (finding,) = findings(snapshot, ENGLISH)
    assert finding.diagnostic.code == "R0201"
    assert finding.text.split("\n")[-1] == "did you mean “worth”?"
    assert finding.span.line == 49


def test_errors_of_the_base_are_marked_at_its_name() -> None:
    snapshot = snapshot_of(VARIANT_AT, base=GAME.replace("worth[disc]", "wroth[disc]"))
    (finding,) = findings(snapshot, ENGLISH)
    assert (finding.span.line, finding.span.column) == (1, VARIANT.index("meadow") + 1)
    ((span, text),) = finding.others
    assert snapshot.path_of(span.source) == BASE_AT
    assert span.line == 49
    assert "wroth" in text


def test_variant_with_missing_base_has_a_finding_and_an_outline() -> None:
    snapshot = read_snapshot(VARIANT_AT, {VARIANT_AT: VARIANT})
    assert [f.diagnostic.code for f in findings(snapshot, ENGLISH)] == ["R0006"]
    assert len(outline(DocumentView(VARIANT, snapshot), ENGLISH)) == 5


def test_variant_finds_a_shipped_base_from_any_folder() -> None:
    text = "variant mine of wongar/initiated\n\nset sting to yes\n    source house rule\n"
    snapshot = read_snapshot(VARIANT_AT, {VARIANT_AT: text})
    assert snapshot.text_scope == "wongar/initiated/mine"
    assert "`wongar`" not in (
        hover(DocumentView(text, snapshot), position_of(text, "sting"), Translator.load("de")) or "`wongar`"
    )


@pytest.mark.parametrize(
    "text", ["", "\0", "\ufeff", "game", "((((", "\ud800", "game x\n" * 9, "\t\t\r\r\n", "variant x of x"]
)
def test_any_text_is_answered(text: str) -> None:
    snapshot = read_snapshot(BASE_AT, {BASE_AT: text})
    seen = DocumentView(text, snapshot)
    assert findings(snapshot, ENGLISH)
    outline(seen, ENGLISH)
    assert hover(seen, position_of(text + " ", " "), ENGLISH) is None


def test_huge_text_is_refused_by_the_size_limit() -> None:
    text = "# " + "x" * 400_000
    assert [f.diagnostic.code for f in findings(read_snapshot(BASE_AT, {BASE_AT: text}), ENGLISH)] == ["R0002"]


def hint_texts(change: str, base: str = GAME) -> list[str]:
    """Return the hints next to the lines of a variant."""
    text = f"variant rich of meadow\n\n{change}\n    source house rule\n"
    return [
        hint.text for hint in inlay_hints(DocumentView(text, snapshot_of(VARIANT_AT, base=base, variant=text)), ENGLISH)
    ]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("set plenty to 5", "instead of 3"),
        ("set worth[disc] to 4  # more", "instead of 1"),
        ("set row cube of worth to 3", "instead of 2"),
        ("set players to 3", "instead of 2 to 4"),
        ("set kind of place in choice turn to token", "instead of token where supply[me, kind] > 0"),
        ("set rounds in play to rounds + 2", "instead of rounds + 1"),
    ],
)
def test_hint_shows_the_replaced_value(change: str, said: str) -> None:
    assert hint_texts(change) == [said]


def test_hint_shows_the_replaced_age_and_length() -> None:
    base = GAME.replace("    book", "    age 8\n    minutes 20 to 30\n    book", 1)
    assert hint_texts("set age to 9", base) == ["instead of 8"]
    assert hint_texts("set minutes to 45", base) == ["instead of 20 to 30"]
    assert hint_texts("set minutes to 45") == []


def test_hint_shows_replaced_card_counts_including_zero() -> None:
    cards = "cards picture\n    sun\n    moon\n    source house rule\n\n"
    deck = "deck pack of picture\n    2 sun\n    source house rule\n\n"
    base = GAME.replace("setup\n", f"{cards}{deck}setup\n")
    assert hint_texts("set sun in pack to 9", base) == ["instead of 2"]
    assert hint_texts("set moon in pack to 9", base) == ["instead of 0"]


def test_hint_is_before_the_comment() -> None:
    (first, *_) = inlay_hints(view_of(VARIANT_AT), ENGLISH)
    assert (first.place.line, first.place.column) == (3, len("set plenty to 5") + 1)


def test_edited_lines_and_games_without_base_have_no_hints() -> None:
    typed = VARIANT.replace("to 5", "to 55")
    shown = inlay_hints(DocumentView(typed, snapshot_of(VARIANT_AT)), ENGLISH)
    assert [hint.text for hint in shown] == ["instead of 2"]
    assert inlay_hints(view_of(), ENGLISH) == ()


@pytest.mark.parametrize(
    "change", ["set nothing_there to 4", "set worth[moon] to 4", "set worth[disc, disc] to 2", "set x in y to 2"]
)
def test_invalid_change_is_handled(change: str) -> None:
    assert hint_texts(change) in ([], ["instead of 1"], ["instead of 0"])
