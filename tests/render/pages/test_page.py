"""Rulebook page: self-contained, well-formed and accessible."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.render.component_svg.drawn import model_of, words_of
from tests.render.pages.whole import contrast, page_faults, parse_page
from tests.small_games import write_rules
from wongar_dsl.engine import library
from wongar_dsl.language.semantics import Model
from wongar_dsl.nlg.prose.document.outline import rulebook
from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook
from wongar_dsl.nlg.words import Translator
from wongar_dsl.render.html_document import DAY, NIGHT, stylesheet
from wongar_dsl.render.rulebook_page import page

PAGES = [("wongar", "de"), ("kuhn_poker", "it"), ("goofspiel", "nl"), ("tictactoe", "en")]
DECK = """
cards letter
    {faces}
deck all of letter
    {deck}
pile box holds letter, seen by all
setup
    fill box with all
play
    for each p in player
        p wins
"""


def html_of(model: Model, words: Translator) -> str:
    """Return the rulebook page of a game."""
    return page(RealisedRulebook(rulebook(model, words), words, model.name), model)


def deck_model(folder: Path, faces: list[str], deck: str) -> Model:
    """Return a game with a deck of cards with these faces."""
    return library.load(write_rules(folder, DECK.format(faces="\n    ".join(faces), deck=deck))).model


@cache
def text_of(game: str, language: str) -> str:
    return html_of(model_of(game), words_of(language))


@pytest.fixture(params=PAGES, ids=lambda param: "-".join(param))
def root(request: pytest.FixtureRequest) -> ElementTree.Element:
    return parse_page(text_of(*request.param))


@pytest.mark.parametrize(("game", "language"), PAGES)
def test_rulebook_page_is_self_contained_and_accessible(game: str, language: str) -> None:
    assert page_faults(text_of(game, language)) == []


def test_pages_are_deterministic() -> None:
    assert text_of("goofspiel", "nl") == html_of(model_of("goofspiel"), words_of("nl"))


def test_page_check_detects_faults() -> None:
    text = text_of("tictactoe", "en")
    changes = {
        "<p": '<p onclick="x"', 'id="book"': 'id="toc"', 'href="#book"': 'href="/book"', "<h2": "<h4", "<desc>": "<g>",
        'scope="row"': 'scope="rows"', "<h1": "<h2", "<svg": '<img/><svg',
    }  # fmt: skip
    for old, new in changes.items():
        damaged = text.replace(old, new)
        for tag in ("h1", "h2", "desc"):
            if old == f"<{tag}" or old == f"<{tag}>":
                damaged = damaged.replace(f"</{tag}>", f"</{new.strip('<>')}>")
        assert page_faults(damaged), old


def test_page_has_language_and_landmarks(root: ElementTree.Element) -> None:
    assert (root.get("lang"), root.get("dir")) in {(language, "ltr") for _, language in PAGES}
    body = root.find("body")
    assert body is not None
    assert [part.tag for part in body] == ["a", "header", "nav", "main"]
    assert (body[0].get("href"), body[3].get("id")) == ("#book", "book")


def test_table_of_contents_lists_all_parts(root: ElementTree.Element) -> None:
    main, nav = root.find(".//main"), root.find(".//nav")
    assert main is not None
    assert nav is not None
    listed = {link.get("href", "")[1:] for link in nav.iter("a")}
    assert {part.get("id") for part in main} <= listed


def test_footnotes_are_linked_both_ways() -> None:
    root = parse_page(text_of("wongar", "de"))
    cites = {node.get("id"): node.get("href", "")[1:] for node in root.iter("a") if node.get("id")}
    backs = {
        (link.get("href", "")[1:], note.get("id"))
        for note in root.iter("li")
        for link in note.iter("a")
        if link.get("class") == "back"
    }
    assert backs == set(cites.items())
    assert len(backs) > 20


def test_print_sheets_contain_each_card_in_its_number() -> None:
    root = parse_page(text_of("wongar", "de"))
    (cut,) = (node for node in root.iter("section") if node.get("class") == "sheets")
    decks = [[svg.findtext("title") for svg in deck.iter("svg") if svg.get("class") != "crop"] for deck in cut[1:]]
    assert [len(deck) for deck in decks] == [15, 43]
    assert decks[0].count("Gebietskarte „Linse“") == 3
    assert decks[1].count("Ritualkarte „Linse“") == 14
    # A screen reader reads each card once.
    shown = [svg.findtext("title") for svg in cut.iter("svg") if svg.get("role") and svg.get("aria-hidden") is None]
    assert len(shown) == len(model_of("wongar").cards["area_card"].faces) + 5
    # A page holds nine cards, with crop marks at both ends of every cutting line.
    sheets = [node for node in cut.iter("div") if node.get("class") == "sheet"]
    assert [len(sheet) - 1 for sheet in sheets] == [9, 6, 9, 9, 9, 9, 7]
    assert [len(list(sheet[0])) for sheet in sheets][:2] == [2 * (4 + 4), 2 * (4 + 3)]


def test_card_contains_the_text_of_its_effect() -> None:
    root = parse_page(text_of("wongar", "de"))
    (cut,) = (node for node in root.iter("section") if node.get("class") == "sheets")
    description = next(
        svg.findtext("desc", "")
        for svg in cut.iter("svg")
        if svg.findtext("title") == "Gebietskarte „Vier Ritualkarten“"
    )
    assert "Ritualkarte" in description.removeprefix("Gebietskarte. Symbole: Ritualkarte.")


@pytest.mark.parametrize("colours", [DAY, NIGHT], ids=["day", "night"])
def test_colours_have_sufficient_contrast(colours: dict[str, str]) -> None:
    assert colours.keys() == DAY.keys()
    for ground in (name for name in colours if name == "paper" or name.startswith("wash")):
        assert contrast(colours["ink"], colours[ground]) >= 7, ground
    for name in ("faint", "link"):
        assert contrast(colours[name], colours["paper"]) >= 4.5, name
    assert contrast(colours["rule"], colours["paper"]) >= 3
    assert set(re.findall(r"var\(--([\w-]+)\)", stylesheet())) <= DAY.keys()


def test_names_are_escaped_in_pages(tmp_path: Path) -> None:
    hostile = "</style></title><script>x</script>]]>&\"'"
    model = deck_model(tmp_path, ["a"], "1 a")
    (tmp_path / "en").mkdir()
    quoted = hostile.replace("'", "''")
    lexicon = "games:\n  small:\n" + "".join(f"    {n}: {{sg: '{quoted}', pl: x}}\n" for n in ("a", "small", "all"))
    (tmp_path / "en" / "lexicon.yaml").write_text(lexicon, encoding="utf-8")
    root = parse_page(html_of(model, Translator.load("en", [tmp_path])))
    assert not list(root.iter("script"))
    assert "<script>" in "".join(root.itertext())


def test_very_large_deck_shows_each_card_once(tmp_path: Path) -> None:
    text = html_of(deck_model(tmp_path, ["a", "b"], "3000 a, 9 b"), words_of("en"))
    assert "Each card is shown once." in text
    assert len(text) < 60_000


def test_number_of_different_cards_shown_is_limited(tmp_path: Path) -> None:
    names = [f"a{number}" for number in range(500)]
    model = deck_model(tmp_path, names, "\n    ".join(f"1 {name}" for name in names))
    text = html_of(model, words_of("en"))
    assert "The first 400 cards are shown." in text
    assert text.count("<svg") < 420
