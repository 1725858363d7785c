"""Quick fixes: each offered fix corrects the error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from wongar_dsl.base.span import Span
from wongar_dsl.language.server.display import findings
from wongar_dsl.language.server.fixes import Fix, apply_edits, fixes, minimal_change
from wongar_dsl.language.server.symbols import Snapshot, read_snapshot
from wongar_dsl.nlg.words import Translator

from .files import BASE_AT, GAME, VARIANT, VARIANT_AT, snapshot_of

ENGLISH = Translator.load("en")


def offered_fixes(path: Path = BASE_AT, **changed: str) -> Sequence[Fix]:
    """Return the fixes offered anywhere in a file."""
    snapshot = snapshot_of(path, **changed)
    assert snapshot.file is not None
    everywhere = Span(snapshot.file.source, 1, 1, len(snapshot.lines), 99)
    texts = {BASE_AT: changed.get("base", GAME), VARIANT_AT: changed.get("variant", VARIANT)}
    return fixes(snapshot, everywhere, texts, ENGLISH)


@pytest.mark.parametrize(
    ("good", "bad", "title"),
    [
        ("worth[disc]", "wroth[disc]", "Replace with “worth”"),
        ("left_over(p) *", "left_ovr(p) *", "Replace with “left_over”"),
        ("    repeat while", "    while", "Replace with “repeat while”"),
        ("take_turn(p)\n", "take_turn(p\n", "Insert “)”"),
        ("rounds < 5\n", "rounds < 5 then\n", "Delete “then”"),
        ("tokens ground", "tokens\u00a0ground", "Write spaces instead"),
        ('    source leaflet "Limits"', '\tsource leaflet "Limits"', "Write spaces instead"),
    ],
)
def test_error_is_fixed_as_its_diagnostic_suggests(good: str, bad: str, title: str) -> None:
    text = GAME.replace(good, bad, 1)
    available_fixes = offered_fixes(base=text)
    assert [fix.title for fix in available_fixes] == [title]
    for fix in available_fixes:
        assert apply_edits(text, fix.edits) == GAME


def test_wrong_name_is_fixed_in_all_places() -> None:
    lines = ("let x = wroth[disc]", "let y = wroth[cube]", "take_turn(p)")
    text = GAME.replace("take_turn(p)", "\n            ".join(lines))
    (fix,) = offered_fixes(base=text)
    assert "wroth" not in apply_edits(text, fix.edits)


def test_change_of_the_wrong_kind_is_fixed() -> None:
    text = VARIANT + "\nremove rule left_over\n    source house rule\n"
    titles = [fix.title for fix in offered_fixes(VARIANT_AT, variant=text)]
    assert titles in ([], ["Replace with “define left_over”"])


def test_unneeded_rule_is_removed_at_the_end_of_the_variant() -> None:
    base = GAME.replace(
        "winner p", "rule spare(p: player)\n    source house rule\n    tell passed(player: p)\n\nwinner p"
    )
    base = base.replace("            take_turn(p)\n", "            take_turn(p)\n            spare(p)\n")
    text = VARIANT + "\nremove spare from play\n    source house rule\n"
    (fix,) = offered_fixes(VARIANT_AT, base=base, variant=text)
    fixed_text = apply_edits(text, fix.edits)
    assert fixed_text.endswith("\n\nremove rule spare\n")
    fixed = read_snapshot(VARIANT_AT, {BASE_AT: base, VARIANT_AT: fixed_text})
    assert "R0204" not in {d.code for d in fixed.loaded.diagnostics}


def test_valid_text_has_no_fixes() -> None:
    assert offered_fixes() == ()
    snapshot = snapshot_of(base=GAME.replace("worth[disc]", "wroth[disc]"))
    assert snapshot.file is not None
    assert fixes(snapshot, Span(snapshot.file.source, 1, 1, 2, 1), {}, ENGLISH) == ()


def test_useless_fix_is_not_offered() -> None:
    text = GAME.replace("worth[disc]", "wroth[disc]")
    snapshot = snapshot_of(base=text)
    (diagnostic,) = snapshot.loaded.diagnostics
    assert diagnostic.span is not None
    misled = replace(snapshot.loaded, diagnostics=(replace(diagnostic, suggestion="wrooth"),))
    for loaded, n in ((snapshot.loaded, 1), (misled, 0)):
        assert len(fixes(Snapshot(BASE_AT, loaded), diagnostic.span, {BASE_AT: text}, ENGLISH)) == n


def test_missing_words_are_added_to_their_files(tmp_path: Path) -> None:
    """One fix prepares all missing words, in existing and new files, and changes nothing else."""
    rules, folder = tmp_path / "meadow.rules", tmp_path / "locales"
    rules.write_text(GAME, encoding="utf-8")
    lexicon, catalog = folder / "en" / "lexicon.yaml", folder / "en" / "messages.po"
    lexicon.parent.mkdir(parents=True)
    own_entries = "games:\n  meadow:\n    meadow: {sg: meadow, pl: meadows}\n    disc: {sg: disc, pl: discs}\n"
    lexicon.write_text(f"{own_entries}  chess:\n    king: {{sg: king, pl: kings}}\n", encoding="utf-8")
    snapshot = read_snapshot(rules, {rules: GAME})
    found = findings(snapshot, ENGLISH, with_missing_texts=True)
    missing_words = [finding for finding in found if finding.diagnostic.code.startswith("R05")]
    assert {finding.diagnostic.code for finding in missing_words} == {"R0501", "R0502"}
    (fix,) = fixes(snapshot, missing_words[0].span, {}, ENGLISH)
    after = {file.path: apply_edits(file.text, file.edits) for file in fix.files}
    assert [file.path for file in fix.files if file.new] == [catalog]
    assert after[lexicon].startswith("games:\n  meadow:\n")
    assert after[lexicon].endswith("\n  chess:\n    king: {sg: king, pl: kings}\n")
    assert '    cube: {sg: "", pl: ""}\n' in after[lexicon]
    assert '\nmsgctxt "meadow.placed"\n' in after[catalog]
    for path, text in after.items():
        path.write_text(text, encoding="utf-8")
    second_snapshot = read_snapshot(rules, {rules: GAME})
    assert second_snapshot.missing_texts  # The new entries are still empty.
    assert [fix.files for fix in fixes(second_snapshot, missing_words[0].span, {}, ENGLISH)] == []


def test_rules_without_locales_or_with_errors_have_no_word_findings() -> None:
    assert snapshot_of().missing_texts == ()
    assert snapshot_of(base=GAME.replace("worth[disc]", "wroth[disc]")).missing_texts == ()


@pytest.mark.parametrize(
    ("old", "new"), [(None, "a\nb\n"), ("a\n", "a\nb\n"), ("a", "a\nb"), ("a\nc\n", "a\nb\nc\n"), ("a\nc\n", "c\n")]
)
def test_rewritten_text_is_one_edit_of_lines(tmp_path: Path, old: str | None, new: str) -> None:
    path = tmp_path / "text"
    if old is not None:
        path.write_text(old, encoding="utf-8")
    changed = minimal_change(path, new)
    assert (changed.text, changed.new) == (old or "", old is None)
    assert apply_edits(changed.text, changed.edits) == new
