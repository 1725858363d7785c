"""Message, hint and explanation of every diagnostic.

`tests/nlg/words/test_games.py` compares the languages with the English messages and renders them.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from wongar_dsl.base.diagnostics import CODES
from wongar_dsl.nlg.words import available
from wongar_dsl.nlg.words.catalogs import Catalog, read_catalog
from wongar_dsl.nlg.words.clause import parse_template

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("", ".hint", ".explain")


def catalog(language: str) -> Catalog:
    path = ROOT / "locales" / language / "diagnostics.po"
    return read_catalog(path.read_text(encoding="utf-8"), str(path))


ENGLISH = catalog("en")


def declared_arguments(code: str) -> frozenset[str]:
    """Return the arguments of a code from the comment next to it in the table of codes."""
    text = (ROOT / "wongar_dsl" / "base" / "diagnostics.py").read_text(encoding="utf-8")
    (line,) = re.findall(rf'^ *"{code}":.*$', text, re.MULTILINE)
    return frozenset(re.findall(r"\{(\w+)\}", line))


def test_english_messages_use_the_declared_arguments() -> None:
    for code in CODES:
        message, hint, explanation = (parse_template(ENGLISH.entries[code + part].english[0]).names for part in PARTS)
        assert message == declared_arguments(code)
        assert hint <= declared_arguments(code)
        assert not explanation


def test_every_message_belongs_to_a_code() -> None:
    codes = {name.split(".")[0] for name in ENGLISH.entries if re.match(r"R\d", name)}
    assert codes == set(CODES)


@pytest.mark.parametrize("language", available())
def test_only_hints_and_explanations_end_with_a_full_stop(language: str) -> None:
    entries = catalog(language).entries
    assert entries.keys() == ENGLISH.entries.keys()
    for name, entry in entries.items():
        for text in entry.english if language == "en" else entry.texts:
            if re.match(r"R\d+", name):
                assert text.endswith(".") is ("." in name), f"{name}: {text}"
