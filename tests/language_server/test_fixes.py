"""What is offered to mend a mistake, mends it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from wongar_dsl.language_server.fixes import Fix, edited, fixes
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
