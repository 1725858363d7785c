"""The page of a rulebook: whole in itself, well-formed, and to be used by everybody."""

from __future__ import annotations

import itertools
import re
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.pictures.drawn import model_of, words_of, written
from wongar_dsl.model import Model
from wongar_dsl.pages import page
from wongar_dsl.pages.styles import DAY, NIGHT, stylesheet
from wongar_dsl.prose.outline import rulebook
from wongar_dsl.prose.reading import Reading
from wongar_dsl.words import Words

PAGES = [("wongar", "de"), ("kuhn_poker", "it"), ("goofspiel", "nl"), ("tictactoe", "en")]
PLAY = """
play
    for each p in player
        p wins
"""


def html_of(model: Model, words: Words) -> str:
    """The page of a game."""
    return page(Reading(rulebook(model, words), words, model.name), model)


@cache
def text_of(game: str, language: str) -> str:
    return html_of(model_of(game), words_of(language))


def read(text: str) -> ElementTree.Element:
    """A page as it is read: it is XML as well, so that nothing in it is left open or to be guessed."""
    return ElementTree.fromstring(text.replace("<!DOCTYPE html>\n", "", 1))


@pytest.fixture(params=PAGES, ids=lambda one: "-".join(one))
def root(request: pytest.FixtureRequest) -> ElementTree.Element:
    return read(text_of(*request.param))


def test_a_page_loads_nothing_and_needs_no_script() -> None:
    for game, language in PAGES:
        text = text_of(game, language)
        assert not re.search(r"<(script|link|img|iframe|object|embed)\b|\bsrc=|@import|url\(|https?:|\bon\w+=", text)
    assert text_of("goofspiel", "nl") == html_of(model_of("goofspiel"), words_of("nl"))


def test_every_link_leads_somewhere_and_every_name_is_there_once(root: ElementTree.Element) -> None:
    names = [node.get("id") for node in root.iter() if node.get("id")]
    assert len(names) == len(set(names))
    links = [node.get("href", "") for node in root.iter("a")]
    assert {link[:1] for link in links} == {"#"}
    assert {link[1:] for link in links} <= set(names)
    labels = {node.get("aria-labelledby") for node in root.iter()} - {None}
    assert labels <= set(names)


def test_a_page_says_its_language_and_has_landmarks_and_headings_in_order(root: ElementTree.Element) -> None:
    assert (root.get("lang"), root.get("dir")) in {(language, "ltr") for _, language in PAGES}
    body = root.find("body")
    assert body is not None
    assert [part.tag for part in body] == ["a", "header", "nav", "main"]
    assert (body[0].get("href"), body[3].get("id")) == ("#book", "book")
    levels = [int(node.tag[1]) for node in root.iter() if re.fullmatch("h[1-6]", node.tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(later <= earlier + 1 for earlier, later in itertools.pairwise(levels))
    assert all(node.get("aria-labelledby") for node in root.iter() if node.tag in ("section", "nav"))


def test_the_contents_name_every_part_of_the_page(root: ElementTree.Element) -> None:
    main, nav = root.find(".//main"), root.find(".//nav")
    assert main is not None
    assert nav is not None
    listed = {link.get("href", "")[1:] for link in nav.iter("a")}
    assert {part.get("id") for part in main} <= listed


def test_pictures_and_tables_can_be_read_aloud(root: ElementTree.Element) -> None:
    for drawn in root.iter("svg"):
        if drawn.get("aria-hidden") is None:
            assert drawn.get("role") == "img"
            assert drawn.findtext("title")
            assert drawn.findtext("desc")
    for table in root.iter("table"):
        heads = list(table.iter("th"))
        assert heads
        assert {head.get("scope") for head in heads} <= {"row", "col"}
        assert len({len(row) for row in table.iter("tr")}) == 1
        assert table.find("caption") is not None or table.get("aria-labelledby")


def test_footnotes_are_linked_both_ways() -> None:
    root = read(text_of("wongar", "de"))
    cites = {node.get("id"): node.get("href", "")[1:] for node in root.iter("a") if node.get("id")}
    backs = {
        (link.get("href", "")[1:], note.get("id"))
        for note in root.iter("li")
        for link in note.iter("a")
        if link.get("class") == "back"
    }
    assert backs == set(cites.items())
    assert len(backs) > 20


def test_each_card_is_on_the_sheets_as_often_as_its_deck_has_it() -> None:
    root = read(text_of("wongar", "de"))
    (cut,) = (node for node in root.iter("section") if node.get("class") == "sheets")
    decks = [[svg.findtext("title") for svg in deck.iter("svg") if svg.get("class") != "crop"] for deck in cut[1:]]
    assert [len(deck) for deck in decks] == [15, 43]
    assert decks[0].count("Gebietskarte „Linse“") == 3
    assert decks[1].count("Ritualkarte „Linse“") == 14
    # Whoever has the page read to them hears each card once.
    shown = [svg.findtext("title") for svg in cut.iter("svg") if svg.get("role") and svg.get("aria-hidden") is None]
    assert len(shown) == len(model_of("wongar").cards["area_card"].faces) + 5
    # Nine cards fit on a page, and marks at both ends of every line say where to cut.
    sheets = [node for node in cut.iter("div") if node.get("class") == "sheet"]
    assert [len(sheet) - 1 for sheet in sheets] == [9, 6, 9, 9, 9, 9, 7]
    assert [len(list(sheet[0])) for sheet in sheets][:2] == [2 * (4 + 4), 2 * (4 + 3)]


def test_a_card_bears_the_text_of_its_rule() -> None:
    root = read(text_of("wongar", "de"))
    (cut,) = (node for node in root.iter("section") if node.get("class") == "sheets")
    told = next(
        svg.findtext("desc", "")
        for svg in cut.iter("svg")
        if svg.findtext("title") == "Gebietskarte „Vier Ritualkarten“"
    )
    assert "Ritualkarte" in told.removeprefix("Gebietskarte. Symbole: Ritualkarte.")


def _luminance(colour: str) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: str, other: str) -> float:
    """How much two colours differ, as WCAG counts it."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colours", [DAY, NIGHT], ids=["day", "night"])
def test_everything_can_be_told_from_what_it_stands_on(colours: dict[str, str]) -> None:
    assert colours.keys() == DAY.keys()
    for ground in (name for name in colours if name == "paper" or name.startswith("wash")):
        assert contrast(colours["ink"], colours[ground]) >= 7, ground
    for name in ("faint", "link"):
        assert contrast(colours[name], colours["paper"]) >= 4.5, name
    assert contrast(colours["rule"], colours["paper"]) >= 3
    assert set(re.findall(r"var\(--([\w-]+)\)", stylesheet())) <= DAY.keys()


def test_names_cannot_break_out_of_a_page(tmp_path: Path) -> None:
    hostile = "</style></title><script>x</script>]]>&\"'"
    model = written(tmp_path, "cards letter\n    a\ndeck all of letter\n    1 a\npile box holds letter, seen by all\n"
                    "setup\n    fill box with all\n" + PLAY)  # fmt: skip
    (tmp_path / "en").mkdir()
    quoted = hostile.replace("'", "''")
    lexicon = "games:\n  small:\n" + "".join(f"    {n}: {{sg: '{quoted}', pl: x}}\n" for n in ("a", "small", "all"))
    (tmp_path / "en" / "lexicon.yaml").write_text(lexicon, encoding="utf-8")
    root = read(html_of(model, Words.load("en", [tmp_path])))
    assert not list(root.iter("script"))
    assert "<script>" in "".join(root.itertext())


def test_of_a_very_large_deck_each_card_is_shown_once(tmp_path: Path) -> None:
    model = written(tmp_path, "cards letter\n    a\n    b\ndeck all of letter\n    3000 a, 9 b\n"
                    "pile box holds letter, seen by all\nsetup\n    fill box with all\n" + PLAY)  # fmt: skip
    text = html_of(model, words_of("en"))
    assert "Each card is shown once." in text
    assert len(text) < 60_000
