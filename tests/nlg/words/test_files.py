"""Translation files: missing, broken, hostile and supplied by users."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.nlg.words import Listing, PlayerName, Term, Text, Translator, WordsError, available, negotiate
from wongar_dsl.nlg.words.catalogs import merge, read_catalog
from wongar_dsl.nlg.words.clause import parse_template

ANNA = PlayerName("Anna")

#: A fifth language as a translator would begin it: Polish has cases, and a separate plural from five on.
POLISH = """
name: Polski
features:
  number: [sg, pl, gpl]
  case: [nom, gen, acc]
  gender: [m, f]
numbers: {one: sg, few: pl, many: gpl, other: gpl}
prepositions: {z: gen, na: acc}
terms:
  card: {gender: f, sg: karta, sg.gen: karty, sg.acc: kartę, pl: karty, gpl: kart}
  point: {gender: m, sg: punkt, pl: punkty, gpl: punktów}
"""
POLISH_MESSAGES = """
msgid ""
msgstr ""
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);\\n"

msgctxt "engine.points_gained"
msgid "{player} [gains|gain] {n:num}."
msgstr "{player} dostaje {n:point}."

msgctxt "test.cards"
msgid "one card"
msgid_plural "{n} cards"
msgstr[0] "jedna karta"
msgstr[1] "{n} karty"
msgstr[2] "{n} kart"
"""


def write_language(root: Path, code: str, lexicon: str = "", messages: str = "") -> Path:
    folder = root / code
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "lexicon.yaml").write_text(lexicon, encoding="utf-8")
    (folder / "messages.po").write_text(messages, encoding="utf-8")
    return root


def po_entry(name: str, english: str, text: str) -> str:
    return f'msgctxt "{name}"\nmsgid "{english}"\nmsgstr "{text}"\n\n'


def test_language_can_be_added_as_a_folder(tmp_path: Path) -> None:
    roots = [write_language(tmp_path, "pl", POLISH, POLISH_MESSAGES)]
    assert "pl" in available(roots)
    words = Translator.load("pl", roots)
    sentences = [words.say("engine.points_gained", player=ANNA, n=n) for n in (1, 2, 5, 22)]
    assert sentences == [f"Anna dostaje {text}." for text in ("1 punkt", "2 punkty", "5 punktów", "22 punkty")]
    assert [words.say("test.cards", n=n) for n in (1, 3, 5)] == ["jedna karta", "3 karty", "5 kart"]
    assert words.term("card", spec="z") == "z karty"
    assert words.lexicon.name == "Polski"


def test_language_without_plural_data_is_accepted(tmp_path: Path) -> None:
    words = Translator.load(
        "tlh", [write_language(tmp_path, "tlh", "name: tlhIngan", po_entry("x.y", "{n} of it", "{n} wa"))]
    )
    assert words.say("x.y", n=1000) == "1,000 wa"


def test_missing_words_fall_back_to_an_english_sentence(tmp_path: Path) -> None:
    words = Translator.load("pl", [write_language(tmp_path, "pl", POLISH)])
    values = {"token": Term("cylinder", "wongar", 2), "owner": PlayerName("Bo"), "area": Term("emu", "wongar")}
    said = words.say("wongar.removed", player=ANNA, **values)
    assert said == "Anna removes 2 cylinders belonging to Bo from the emu area."
    assert not words.has("wongar.removed")
    without_genitive = po_entry(
        "engine.points_gained", "{player} [gains|gain] {n:num}.", "{player} dostaje {n:card gen}."
    )
    lexicon = POLISH.replace("sg.gen: karty, ", "")
    words = Translator.load("pl", [write_language(tmp_path, "pl", lexicon, without_genitive)])
    assert words.say("engine.points_gained", player=ANNA, n=2) == "Anna dostaje 2 karty."
    missing = POLISH.replace("pl: punkty, ", "")
    words = Translator.load("pl", [write_language(tmp_path, "pl", missing, POLISH_MESSAGES)])
    assert words.say("engine.points_gained", player=ANNA, n=2) == "Anna gains 2."
    with pytest.raises(WordsError, match="missing_form"):
        Translator.load("pl", [tmp_path], strict=True).say("engine.points_gained", player=ANNA, n=2)


def test_fuzzy_sentences_are_not_shown(tmp_path: Path) -> None:
    fuzzy = "#, fuzzy\n" + po_entry("engine.points_gained", "{player} [gains|gain] {n:num}.", "{player} ???")
    words = Translator.load("pl", [write_language(tmp_path, "pl", POLISH, fuzzy)])
    assert words.say("engine.points_gained", player=ANNA, n=2) == "Anna gains 2."


def test_unknown_message_is_shown_by_its_id() -> None:
    assert Translator.load("de").say("no.such", player=ANNA, n=3) == "no.such (Anna, 3)"
    with pytest.raises(WordsError, match="unknown_message"):
        Translator.load("de", strict=True).say("no.such")


def test_unknown_term_is_shown_by_its_identifier() -> None:
    words = Translator.load("de")
    assert words.term("lucky_card(disc)") == "lucky card (disc)"
    assert words.term("area_card(disc)", "wongar", "def acc") == "die Gebietskarte (Linse)"
    sentence = words.say("wongar.figure_taken", player=ANNA, figure=Term("golden_goose", "wongar"))
    assert sentence == "Anna erhält golden goose."
    assert not words.has_term("golden_goose", "wongar")


def test_words_beside_a_rule_file_extend_and_override(tmp_path: Path) -> None:
    lexicon = "games: {wongar: {disc: {gender: f, sg: Scheibe, pl: Scheiben, pl.dat: Scheiben}}, mine: {gem: Stein}}"
    sentence = po_entry("wongar.declined", "{player} declines.", "{player} will nicht.")
    roots = [write_language(tmp_path, "de", lexicon, sentence)]
    words = Translator.load("de", roots)
    assert words.term("disc", "wongar", count=2) == "Scheiben"
    assert words.term("cube", "wongar") == "Würfel"
    assert words.term("gem", "mine") == "Stein"
    assert words.say("wongar.declined", player=ANNA) == "Anna will nicht."
    assert words.say("wongar.last_round") == "Das ist die letzte Runde."


@pytest.mark.parametrize(
    "lexicon",
    [
        "[" * 100_000,
        "- " * 100_000,
        "a: " * 5_000,
        "terms: {card: &x {sg: a}, pile: *x}",
        "terms: !!python/object/apply:os.system ['true']",
        "terms: [a, b]",
        "terms: {card: [a]}",
        "terms: {card: {sg: {sg: a, sg.sg: b}}}",
        "terms: {? {a: b} : c}",
        "just text",
        "%YAML 9.9",
        "a\x00b",
        "--- {}\n--- {}",
        "prepositions: {in: dative}",
        "features: {number: [sg], case: [sg]}",
        "determiners: {num: a}",
        "required: {sg: 3.x}",
    ],
)
def test_hostile_lexicons_are_words_errors(tmp_path: Path, lexicon: str) -> None:
    base = "" if lexicon.startswith(("features", "%", "[", "-", "just", "a")) else "features: {number: [sg, pl]}\n"
    with pytest.raises(WordsError) as caught:
        Translator.load("xy", [write_language(tmp_path, "xy", base + lexicon)], strict=True).term("card")
    text = Translator.load("de", strict=True).say(caught.value.name, **caught.value.details)
    assert text
    assert text != caught.value.name


@pytest.mark.parametrize(
    "messages",
    [
        'msgid "a"\nmsgstr "b"\n',
        'msgid "a',
        "nonsense",
        'msgid ""\nmsgstr ""\n"Plural-Forms: nplurals=9999999999; plural=0;\\n"\n\nmsgctxt "a"\nmsgid "b"\n'
        'msgid_plural "c"\nmsgstr[0] "d"\n',
        'msgid ""\nmsgstr ""\n"Plural-Forms: nplu"\n"rals=9999999999; plural=0;\\n"\n',
        'msgid ""\nmsgstr ""\n"Plural-Forms: nplurals=2; plural=__import__(\'os\');\\n"\n',
        'msgid ""\nmsgstr ""\n"Plural-Forms: nplurals=2; plural=' + "(" * 5000 + ';\\n"\n',
    ],
)
def test_hostile_catalogs_are_words_errors(tmp_path: Path, messages: str) -> None:
    with pytest.raises(WordsError):
        Translator.load("xy", [write_language(tmp_path, "xy", "", messages)])


@pytest.mark.parametrize(
    "text",
    ["{", "}", "{}", "{0}", "{a.b}", "{a[0]}", "{a!r}", "{a:{b}}", "{a b}", "x" * 9_000, "{player.__class__.__mro__}"],
)
def test_slots_are_bare_names(text: str) -> None:
    with pytest.raises(WordsError, match="bad_slot"):
        parse_template(text)


ONE = 'msgctxt "a.one"\nmsgid "one"\nmsgid_plural "many"\nmsgstr[0] "eins"\nmsgstr[1] "viele"\n'
HEADER = 'msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=(n > 1);\\n"\n\n'


def test_catalog_without_a_plural_rule_keeps_the_languages_rule() -> None:
    bundled, beside = read_catalog(HEADER + ONE, "fr/classics.po"), read_catalog(ONE, "mine/fr/messages.po")
    both = merge([bundled, beside])
    assert (bundled.stated, beside.stated) == (True, False)
    assert [both.plural(n) for n in (0, 1, 2)] == [0, 0, 1]


@pytest.mark.parametrize(
    ("spec", "error"),
    [
        ("in def", "case_missing"),
        ("aus def acc", "wrong_case"),
        ("aus von", "word_twice"),
        ("sg pl", "word_twice"),
        ("nonsense", "unknown_word"),
        ("num", "no_count"),
    ],
)
def test_invalid_form_requests_are_errors(spec: str, error: str) -> None:
    with pytest.raises(WordsError, match=error):
        Translator.load("de", strict=True).term("card", spec=spec)
    assert Translator.load("de").term("card", spec=spec) == "Karte"


def test_unreadable_files_are_errors(tmp_path: Path) -> None:
    write_language(tmp_path, "xy")
    (tmp_path / "xy" / "lexicon.yaml").write_bytes(b"name: \xff\xfe")
    with pytest.raises(WordsError, match="not_utf8"):
        Translator.load("xy", [tmp_path])
    (tmp_path / "xy" / "lexicon.yaml").write_bytes(b"#" * 2_100_000)
    with pytest.raises(WordsError, match="too_large"):
        Translator.load("xy", [tmp_path])


@pytest.mark.parametrize("code", ["../de", "", "d", "/etc", "de/../de", "a" * 200, "xx"])
def test_unknown_languages_are_errors(code: str) -> None:
    with pytest.raises(WordsError, match="unknown_language") as caught:
        Translator.load(code)
    assert "nl" in Translator.load("en").say(caught.value.name, **caught.value.details)


KNOWN = ("de", "en", "it", "nl", "pt_BR")


@pytest.mark.parametrize(
    ("requested", "environ", "configured", "expected"),
    [
        ("nl_BE", {"WONGAR_LANG": "de"}, "it", "nl"),
        ("DE-at", {}, None, "de"),
        ("pt-br", {}, None, "pt_BR"),
        (None, {"WONGAR_LANG": "de_AT.UTF-8"}, "it", "de"),
        (None, {"WONGAR_LANG": "klingon"}, "it", "it"),
        (None, {"LANGUAGE": "fr:nl:de", "LANG": "it_IT"}, None, "nl"),
        (None, {"LC_ALL": "it_CH.UTF-8@euro", "LANG": "de_DE"}, None, "it"),
        (None, {"LC_MESSAGES": "nl", "LANG": "de_DE"}, "", "nl"),
        (None, {"LC_ALL": "C.UTF-8", "LANG": "de_DE"}, None, "en"),
        (None, {"LANG": "fr_FR.UTF-8"}, None, "en"),
        (None, {"LANG": "../../etc"}, None, "en"),
        (None, {}, None, "en"),
    ],
)
def test_language_is_negotiated(
    requested: str | None, environ: dict[str, str], configured: str | None, expected: str
) -> None:
    assert negotiate(requested, environ, configured, KNOWN) == expected


def test_unknown_requested_language_lists_the_available_ones() -> None:
    with pytest.raises(WordsError) as caught:
        negotiate("fr", {}, None, KNOWN)
    assert caught.value.details == {"language": Text("fr"), "available": Listing(tuple(Text(code) for code in KNOWN))}
    text = Translator.load("de").say(caught.value.name, **caught.value.details)
    assert text == "Die Sprache „fr“ gibt es nicht. Du kannst de, en, it, nl oder pt_BR wählen."
