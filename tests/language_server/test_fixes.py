"""What is offered to mend a mistake, mends it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from wongar_dsl.language_server.findings import findings
from wongar_dsl.language_server.fixes import Fix, edited, fixes, rewritten
from wongar_dsl.language_server.snapshot import Snapshot, take
from wongar_dsl.text.span import Span
from wongar_dsl.words import Words

from .files import BASE_AT, GAME, VARIANT, VARIANT_AT, read

ENGLISH = Words.load("en")


def offered(path: Path = BASE_AT, **changed: str) -> Sequence[Fix]:
    """What is offered anywhere in a file."""
    snapshot = read(path, **changed)
    assert snapshot.own is not None
    everywhere = Span(snapshot.own.source, 1, 1, len(snapshot.lines), 99)
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
def test_a_mistake_is_mended_as_its_diagnostic_says(good: str, bad: str, title: str) -> None:
    text = GAME.replace(good, bad, 1)
    found = offered(base=text)
    assert [fix.title for fix in found] == [title]
    for fix in found:
        assert edited(text, fix.edits) == GAME


def test_a_name_that_is_wrong_in_several_places_is_mended_in_all() -> None:
    text = GAME.replace(
        "take_turn(p)", "let x = wroth[disc]\n            let y = wroth[cube]\n            take_turn(p)"
    )
    (fix,) = offered(base=text)
    assert "wroth" not in edited(text, fix.edits)


def test_a_change_of_the_wrong_sort_is_mended_with_its_sort() -> None:
    text = VARIANT + "\nremove rule left_over\n    source house rule\n"
    titles = [fix.title for fix in offered(VARIANT_AT, variant=text)]
    assert titles in ([], ["Replace with “define left_over”"])


def test_what_a_variant_no_longer_needs_is_removed_at_its_end() -> None:
    base = GAME.replace(
        "winner p", "rule spare(p: player)\n    source house rule\n    tell passed(player: p)\n\nwinner p"
    )
    base = base.replace("            take_turn(p)\n", "            take_turn(p)\n            spare(p)\n")
    text = VARIANT + "\nremove spare from play\n    source house rule\n"
    (fix,) = offered(VARIANT_AT, base=base, variant=text)
    mended = edited(text, fix.edits)
    assert mended.endswith("\n\nremove rule spare\n")
    assert not [d for d in take(VARIANT_AT, {BASE_AT: base, VARIANT_AT: mended}).loaded.found if d.code == "R0204"]


def test_where_no_mistake_is_nothing_is_offered() -> None:
    assert offered() == ()
    snapshot = read(base=GAME.replace("worth[disc]", "wroth[disc]"))
    assert snapshot.own is not None
    assert fixes(snapshot, Span(snapshot.own.source, 1, 1, 2, 1), {}, ENGLISH) == ()


def test_what_would_not_help_is_not_offered() -> None:
    text = GAME.replace("worth[disc]", "wroth[disc]")
    snapshot = read(base=text)
    (diagnostic,) = snapshot.loaded.found
    assert diagnostic.span is not None
    misled = replace(snapshot.loaded, found=(replace(diagnostic, suggestion="wrooth"),))
    for loaded, n in ((snapshot.loaded, 1), (misled, 0)):
        assert len(fixes(Snapshot(BASE_AT, loaded), diagnostic.span, {BASE_AT: text}, ENGLISH)) == n


def test_missing_words_are_prepared_where_they_belong(tmp_path: Path) -> None:
    """What is offered for one of them prepares all, in files that are there and in new ones, and nothing else moves."""
    rules, folder = tmp_path / "meadow.rules", tmp_path / "locales"
    rules.write_text(GAME, encoding="utf-8")
    lexicon, catalog = folder / "en" / "lexicon.yaml", folder / "en" / "messages.po"
    lexicon.parent.mkdir(parents=True)
    own = "games:\n  meadow:\n    meadow: {sg: meadow, pl: meadows}\n    disc: {sg: disc, pl: discs}\n"
    lexicon.write_text(f"{own}  chess:\n    king: {{sg: king, pl: kings}}\n", encoding="utf-8")
    snapshot = take(rules, {rules: GAME})
    found = [
        finding for finding in findings(snapshot, ENGLISH, wordless=True) if finding.diagnostic.code.startswith("R05")
    ]
    assert {finding.diagnostic.code for finding in found} == {"R0501", "R0502"}
    (fix,) = fixes(snapshot, found[0].span, {}, ENGLISH)
    after = {file.path: edited(file.text, file.edits) for file in fix.files}
    assert [file.path for file in fix.files if file.new] == [catalog]
    assert after[lexicon].startswith("games:\n  meadow:\n")
    assert after[lexicon].endswith("\n  chess:\n    king: {sg: king, pl: kings}\n")
    assert '    cube: {sg: "", pl: ""}\n' in after[lexicon]
    assert '\nmsgctxt "meadow.placed"\n' in after[catalog]
    for path, text in after.items():
        path.write_text(text, encoding="utf-8")
    again = take(rules, {rules: GAME})
    assert again.lacks  # They are still to be filled in.
    assert [fix.files for fix in fixes(again, found[0].span, {}, ENGLISH)] == []


def test_rules_without_words_and_rules_with_mistakes_lack_none() -> None:
    assert read().lacks == ()
    assert read(base=GAME.replace("worth[disc]", "wroth[disc]")).lacks == ()


@pytest.mark.parametrize(
    ("old", "new"), [(None, "a\nb\n"), ("a\n", "a\nb\n"), ("a", "a\nb"), ("a\nc\n", "a\nb\nc\n"), ("a\nc\n", "c\n")]
)
def test_one_stretch_of_lines_makes_a_new_text_of_an_old_one(tmp_path: Path, old: str | None, new: str) -> None:
    path = tmp_path / "text"
    if old is not None:
        path.write_text(old, encoding="utf-8")
    changed = rewritten(path, new)
    assert (changed.text, changed.new) == (old or "", old is None)
    assert edited(changed.text, changed.edits) == new
