"""Every diagnostic can be told, helped with and explained, in every language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from wongar_dsl.text.codes import CODES
from wongar_dsl.words import Listing, Text, Value, Words
from wongar_dsl.words.catalogs import Catalog, read_catalog
from wongar_dsl.words.template import parse_template

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = sorted(path.parent.name for path in (ROOT / "locales").glob("*/diagnostics.po"))
PARTS = ("", ".hint", ".explain")
QUOTES = {"de": "„“", "en": "“”", "nl": "“”", "it": "«»"}


def catalog(language: str) -> Catalog:
    path = ROOT / "locales" / language / "diagnostics.po"
    return read_catalog(path.read_text(encoding="utf-8"), str(path))


CATALOGS = {language: catalog(language) for language in LANGUAGES}
ENGLISH = CATALOGS["en"]


def declared(code: str) -> frozenset[str]:
    """The arguments of a code, as the comment beside it in the table of codes says."""
    text = (ROOT / "wongar_dsl" / "text" / "codes.py").read_text(encoding="utf-8")
    (line,) = re.findall(rf'^ *"{code}":.*$', text, re.MULTILINE)
    return frozenset(re.findall(r"\{(\w+)\}", line))


def test_four_languages_at_least() -> None:
    assert {"de", "en", "it", "nl"} <= set(LANGUAGES)


@pytest.mark.parametrize("code", CODES)
def test_english_says_every_code_with_the_arguments_it_has(code: str) -> None:
    for part in PARTS:
        assert code + part in ENGLISH.entries, f"locales/en/diagnostics.po lacks {code}{part}"
    assert parse_template(ENGLISH.entries[code].english[0]).names == declared(code)
    assert parse_template(ENGLISH.entries[code + ".hint"].english[0]).names <= declared(code)
    assert not parse_template(ENGLISH.entries[code + ".explain"].english[0]).names


def test_no_wording_is_left_over() -> None:
    told = {name.split(".")[0] for name in ENGLISH.entries if re.match(r"R\d", name)}
    assert told == set(CODES)


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_translations_are_complete(language: str) -> None:
    entries = CATALOGS[language].entries
    assert entries.keys() == ENGLISH.entries.keys()
    for name, entry in entries.items():
        assert entry.translated, f"{language}: {name} is not translated"
        assert entry.english == ENGLISH.entries[name].english, f"{language}: {name} translates another sentence"
        for text in entry.texts:
            assert parse_template(text).names == parse_template(entry.english[0]).names, f"{language}: {name}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_style(language: str) -> None:
    foreign = set("„“”«»\"'") - set(QUOTES.get(language, ""))
    for name, entry in CATALOGS[language].entries.items():
        for text in entry.english if language == "en" else entry.texts:
            assert not set(text) & foreign, f"{name}: {text}"
            assert text == text.strip()
            assert "  " not in text
            if re.fullmatch(r"R\d+", name):
                assert not text.endswith("."), f"{name} is the end of a line, not a sentence of its own"
            elif re.match(r"R\d+\.", name):
                assert text.endswith("."), f"{name} is a sentence: {text}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_can_be_said(language: str) -> None:
    words = Words.load(language, strict=True)
    for name, entry in ENGLISH.entries.items():
        slots = parse_template(entry.english[0]).names
        values: dict[str, Value] = {slot: Text("x") for slot in slots}
        values |= dict.fromkeys(slots & {"n", "limit", "line", "size", "low", "high", "value"}, 3)
        values |= {slot: Listing((Text("x"), Text("y"))) for slot in slots & {"expected"}}
        said = words.say(name, None, **values)
        assert said
        assert "{" not in said
