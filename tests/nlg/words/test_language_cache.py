"""Cached language data equals freshly computed data."""

from __future__ import annotations

from pathlib import Path

import pytest
from babel import Locale
from babel.numbers import format_decimal

from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.nlg.words import catalogs, cldr
from wongar_dsl.nlg.words.catalogs import read_catalogs
from wongar_dsl.nlg.words.cldr import Cldr
from wongar_dsl.nlg.words.languages import available
from wongar_dsl.nlg.words.locale import load_locale

NUMBERS = (*range(-3, 330), 1_000, 1_000_000, 10**9)
HEAD = 'msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n'


@pytest.fixture
def new_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wongar_dsl.base.storage.cache._in_memory", {})


@pytest.mark.usefixtures("new_process")
@pytest.mark.parametrize(("code", "known"), [(c, c) for c in ("en", "de", "it", "nl", "pl", "ar")] + [("x-none", "en")])
def test_cached_language_facts_equal_those_of_babel(
    code: str, known: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache, locale = Cache(tmp_path), Locale.parse(known)
    Cldr(code, "en", cache)
    monkeypatch.setattr("wongar_dsl.base.storage.cache._in_memory", {})
    monkeypatch.delattr(cldr, "_facts")
    cached = Cldr(code, "en", cache)
    assert [cached.plural(n) for n in NUMBERS] == [locale.plural_form(n) for n in NUMBERS]
    assert [cached.ordinal(n) for n in NUMBERS] == [locale.ordinal_form(n) for n in NUMBERS]
    for style in ("standard", "or"):
        assert cached.lists[style] == dict(locale.list_patterns[style])
    assert cached.full.decimal(1234.5, "#,##0.00") == format_decimal(1234.5, format="#,##0.00", locale=locale)


@pytest.mark.usefixtures("new_process")
def test_other_babel_version_invalidates_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Cldr("de", "en", Cache(tmp_path))
    monkeypatch.setattr(cldr, "_edition", lambda: "another one")
    monkeypatch.setattr(cldr, "_facts", lambda code, otherwise: cldr._CldrFacts(code, {"or": {}}, (), ()))
    assert Cldr("de", "en", Cache(tmp_path)).lists == {"or": {}}


@pytest.mark.usefixtures("new_process")
def test_only_changed_catalogs_are_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(tmp_path)
    files = [(name, f'{HEAD}msgctxt "{name}"\nmsgid "{name}"\nmsgstr "{name}!"\n') for name in ("one", "two")]
    for two in ("two", "second"):
        monkeypatch.setattr("wongar_dsl.base.storage.cache._in_memory", {})
        changed = [files[0], ("two", files[1][1].replace("two!", f"{two}!"))]
        catalogs = read_catalogs(changed, cache)
        assert [catalog.entries[name].texts for catalog, (name, _) in zip(catalogs, files, strict=True)] == [
            ("one!",),
            (f"{two}!",),
        ]
        assert [set(catalog.files.values()) for catalog in catalogs] == [{"one"}, {"two"}]


@pytest.mark.usefixtures("new_process")
def test_shipped_files_are_parsed_once_beside_files_of_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Checks of a game load all languages in turn, whose files are more than are kept one by one."""
    parsed: list[str] = []
    read = catalogs._read
    monkeypatch.setattr(catalogs, "_read", lambda text, name: parsed.append(name) or read(text, name))
    for number in (1, 2):
        for language in available():
            folder = tmp_path / language
            folder.mkdir(exist_ok=True)
            (folder / "own.po").write_text(f'{HEAD}msgctxt "own.{number}"\nmsgid "{number}"\nmsgstr "{number}"\n')
            assert f"own.{number}" in load_locale(language, [tmp_path]).catalog.entries
    shipped = [name for name in parsed if not name.startswith(str(tmp_path))]
    assert len(shipped) == len(set(shipped)) > len(available())
