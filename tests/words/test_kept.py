"""What is kept of a language from one start to the next says the same as what was worked out."""

from __future__ import annotations

from pathlib import Path

import pytest
from babel import Locale
from babel.numbers import format_decimal

from wongar_dsl.cache import Cache
from wongar_dsl.words import cldr
from wongar_dsl.words.catalogs import read_catalogs
from wongar_dsl.words.cldr import Cldr

NUMBERS = (*range(-3, 330), 1_000, 1_000_000, 10**9)
HEAD = 'msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n'


@pytest.fixture
def new_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wongar_dsl.cache._remembered", {})


@pytest.mark.usefixtures("new_process")
@pytest.mark.parametrize(("code", "known"), [(c, c) for c in ("en", "de", "it", "nl", "pl", "ar")] + [("x-none", "en")])
def test_what_is_kept_of_a_language_is_what_babel_says(
    code: str, known: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache, locale = Cache(tmp_path), Locale.parse(known)
    Cldr(code, "en", cache)
    monkeypatch.setattr("wongar_dsl.cache._remembered", {})
    monkeypatch.delattr(cldr, "_facts")
    kept = Cldr(code, "en", cache)
    assert [kept.plural(n) for n in NUMBERS] == [locale.plural_form(n) for n in NUMBERS]
    assert [kept.ordinal(n) for n in NUMBERS] == [locale.ordinal_form(n) for n in NUMBERS]
    for style in ("standard", "or"):
        assert kept.lists[style] == dict(locale.list_patterns[style])
    assert kept.decimal(1234.5, "#,##0.00") == format_decimal(1234.5, format="#,##0.00", locale=locale)


@pytest.mark.usefixtures("new_process")
def test_another_babel_is_asked_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Cldr("de", "en", Cache(tmp_path))
    monkeypatch.setattr(cldr, "_edition", lambda: "another one")
    monkeypatch.setattr(cldr, "_facts", lambda code, otherwise: cldr._Facts(code, {"or": {}}, (), ()))
    assert Cldr("de", "en", Cache(tmp_path)).lists == {"or": {}}


@pytest.mark.usefixtures("new_process")
def test_of_catalogs_that_are_kept_together_one_that_has_changed_is_read_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = Cache(tmp_path)
    files = [(name, f'{HEAD}msgctxt "{name}"\nmsgid "{name}"\nmsgstr "{name}!"\n') for name in ("one", "two")]
    for two in ("two", "second"):
        monkeypatch.setattr("wongar_dsl.cache._remembered", {})
        changed = [files[0], ("two", files[1][1].replace("two!", f"{two}!"))]
        found = read_catalogs(changed, cache)
        assert [catalog.entries[name].texts for catalog, (name, _) in zip(found, files, strict=True)] == [
            ("one!",),
            (f"{two}!",),
        ]
        assert [set(catalog.files.values()) for catalog in found] == [{"one"}, {"two"}]
