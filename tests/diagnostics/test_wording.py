"""Message, hint and explanation of every diagnostic, in every language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from wongar_dsl.base.diagnostic_codes import CODES
from wongar_dsl.nlg.words import Listing, Text, Translator, Value
from wongar_dsl.nlg.words.catalogs import Catalog, read_catalog
from wongar_dsl.nlg.words.template import parse_template

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = sorted(path.parent.name for path in (ROOT / "locales").glob("*/diagnostics.po"))
PARTS = ("", ".hint", ".explain")
QUOTES = {"de": "„“", "en": "“”", "nl": "“”", "it": "«»"}


def catalog(language: str) -> Catalog:
    path = ROOT / "locales" / language / "diagnostics.po"
    return read_catalog(path.read_text(encoding="utf-8"), str(path))


CATALOGS = {language: catalog(language) for language in LANGUAGES}
ENGLISH = CATALOGS["en"]


def declared_arguments(code: str) -> frozenset[str]:
    """Return the arguments of a code from the comment next to it in the table of codes."""
    text = (ROOT / "wongar_dsl" / "base" / "diagnostic_codes.py").read_text(encoding="utf-8")
    (line,) = re.findall(rf'^ *"{code}":.*$', text, re.MULTILINE)
    return frozenset(re.findall(r"\{(\w+)\}", line))


def test_at_least_four_languages_exist() -> None:
    assert {"de", "en", "it", "nl"} <= set(LANGUAGES)


@pytest.mark.parametrize("code", CODES)
def test_english_messages_use_the_declared_arguments(code: str) -> None:
    for part in PARTS:
        assert code + part in ENGLISH.entries, f"locales/en/diagnostics.po lacks {code}{part}"
    assert parse_template(ENGLISH.entries[code].english[0]).names == declared_arguments(code)
    assert parse_template(ENGLISH.entries[code + ".hint"].english[0]).names <= declared_arguments(code)
    assert not parse_template(ENGLISH.entries[code + ".explain"].english[0]).names


def test_every_message_belongs_to_a_code() -> None:
    codes = {name.split(".")[0] for name in ENGLISH.entries if re.match(r"R\d", name)}
    assert codes == set(CODES)


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
def test_every_message_can_be_formatted(language: str) -> None:
    words = Translator.load(language, strict=True)
    for name, entry in ENGLISH.entries.items():
        slots = parse_template(entry.english[0]).names
        values: dict[str, Value] = {slot: Text("x") for slot in slots}
        values |= dict.fromkeys(slots & {"n", "limit", "line", "size", "low", "high", "value"}, 3)
        values |= {slot: Listing((Text("x"), Text("y"))) for slot in slots & {"expected"}}
        text = words.say(name, None, **values)
        assert text
        assert "{" not in text
