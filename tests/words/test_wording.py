"""How sentences are written: what a reader of proofs would mark is found before a player reads it."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from wongar_dsl.words import Listing, Text, Words, available
from wongar_dsl.words.catalog_check import MessageSpec, check
from wongar_dsl.words.lexicon import Lexicon
from wongar_dsl.words.locale import load_locale
from wongar_dsl.words.wording import faults, text_faults

SLOTS = {"n": "number", "k": "number", "names": "listing", "who": "player", "card": "term:card", "token": "count:token"}


@cache
def lexicon(language: str) -> Lexicon:
    return load_locale(language, ()).lexicon


def found(language: str, *texts: str) -> list[str]:
    return [name for name, _ in faults("toy.message", texts, lexicon(language), SLOTS)]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        # A number that its noun does not agree with.
        ("de", "Die Partie geht nach {n} Entscheidungen weiter.", ["words.bare_number"]),
        ("nl", "De partij gaat verder na {n} beslissingen.", ["words.bare_number"]),
        ("de", "Die Partie geht nach {n:decision dat} weiter.", []),
        ("de", "{n} bis {k:person}", []),
        ("de", "{n:ord} Runde", []),
        ("de", "Runde {n}: {who} beginnt.", []),
        ("de", "Der Skorpion rückt auf Feld {n} vor.", []),
        ("en", "Round {n} begins with {who}.", []),
        ("de", "{who} beginnt.", []),
        # A list that does not say what joins it.
        ("de", "Es gibt {names}.", ["words.no_conjunction"]),
        ("de", "Es gibt {names:and}.", []),
        ("it", "Puoi scegliere {names:or}.", []),
        # A sentence with a marked verb, in which something else than a name can stand.
        ("de", "{who} [nimmt|nehmen] {card:indef}.", ["words.no_case"]),
        ("de", "{who} [nimmt|nehmen] {card:indef acc} {who:von}.", []),
        ("de", "der Skorpion [wirft|werfen] {who} {n:space} [+zurück].", ["words.no_case", "words.no_case"]),
        ("de", "der Skorpion [wirft|werfen] {who:acc} {n:space um} [+zurück].", []),
        ("de", "{who} [nimmt|nehmen] {names:and}.", ["words.no_case"]),
        ("de", "{token:num nom} [kommt|kommen] zu {token:num}.", ["words.no_case"]),
        ("de", "{card:in def dat} [liegt|liegen] {card:indef} auf Feld {n}.", []),
        ("de", "im Osten [liegt|liegen] {card:indef}.", ["words.no_case"]),
        ("de", "{who:dat} [fehlt|fehlen] {card:indef}.", []),
        ("de", "{who:dat} [fehlt|fehlen] leider {card:indef}.", ["words.no_case"]),
        ("de", "{who} nimmt {card:indef}.", []),
        ("nl", "{who} [pakt|pakken] {card:indef}.", []),
        ("en", "the scorpion [sets|set] {who} back {n:space}.", []),
        # What only goes wrong in another order of words.
        ("de", "{who} [kommt|kommen] (jetzt[+]).", ["words.spacing"] * 3),
        ("de", "{who} [kommt|kommen] (jetzt)[+].", []),
        # Quotation marks.
        ("de", '"{who}" beginnt.', ["words.quotation"]),
        ("de", "“{who}” beginnt.", ["words.quotation"]),
        ("de", "'{who}' beginnt.", ["words.quotation"]),
        ("de", "„{who}“ beginnt.", []),
        ("de", "„{who} beginnt.", ["words.quotation"]),
        ("de", "{who}“ beginnt.", ["words.quotation"]),
        ("de", "Er sagt: „Die Karte ‚{who}‘ beginnt.“", []),
        ("de", "Die Karte ‚{who}‘ beginnt.", ["words.quotation"]),
        ("nl", "„{who}“ begint.", ["words.quotation"]),
        ("nl", "‘{who}’ begint.", ["words.quotation"]),
        ("nl", "“{who}” begint.", []),
        ("nl", "zo’n steen, Anna’s komma’s", []),
        ("nl", "zo'n steen", ["words.quotation"]),
        # Sequences that a language avoids.
        ("de", "ein Zug, oder zwei", ["words.avoided"]),
        ("de", "Statt dessen beginnt {who}.", ["words.avoided"]),
        ("nl", "één zet, of twee", ["words.avoided"]),
        ("de", "im Wörterbuch dieser Sprache", ["words.avoided"]),
        ("nl", "de variant wijzigt haar basis", ["words.avoided"]),
        ("nl", "{who} heeft niet zo’n speelsteen.", ["words.avoided"]),
        ("de", "ein Zug oder zwei", []),
        # Names of the rules.
        ("de", "{who} nimmt area_card.", ["words.raw_name"]),
        ("de", "{who} spielt take(snake).", ["words.raw_name"]),
        ("de", "`area_card` steht im Code, WONGAR_DEBUG in der Umgebung.", []),
        ("nl", "{who} neemt de kaart(en).", []),
    ],
)
def test_what_is_found(language: str, text: str, expected: list[str]) -> None:
    assert found(language, text) == expected


def test_a_sentence_for_each_number_may_write_the_noun(tmp_path: Path) -> None:
    assert found("de", "{n} Fall", "{n} Fälle") == []
    assert found("de", "{n} Fälle") == ["words.bare_number"]


def test_what_a_language_does_not_state_is_not_asked_of_it(tmp_path: Path) -> None:
    (tmp_path / "xa").mkdir()
    (tmp_path / "xa" / "lexicon.yaml").write_text("name: xa", encoding="utf-8")
    bare = load_locale("xa", [tmp_path]).lexicon
    assert [name for name, _ in faults("toy.message", ('"{n} stones", or', "'"), bare, SLOTS)] == []


@pytest.mark.parametrize("marks", ["„", "„ “ ‚", "„ “ ‚ ‘ x"])
def test_quotation_marks_come_in_pairs(tmp_path: Path, marks: str) -> None:
    (tmp_path / "xa").mkdir()
    (tmp_path / "xa" / "lexicon.yaml").write_text(f"quotation: {marks}", encoding="utf-8")
    assert [finding.name for finding in check([], {}, [tmp_path], ["xa"])] == ["words.bad_shape"]


def test_the_check_looks_at_sentences_and_terms(tmp_path: Path) -> None:
    (tmp_path / "de").mkdir()
    (tmp_path / "de" / "lexicon.yaml").write_text(
        "games: {toy: {ball: {gender: m, sg: \"der 'Ball'\", pl: Bälle, pl.dat: Bällen, sg.gen: Balls}}}",
        encoding="utf-8",
    )
    (tmp_path / "de" / "messages.po").write_text(
        'msgctxt "toy.thrown"\nmsgid "{n} balls"\nmsgstr "{n} Bälle, oder \\"keiner\\""\n', encoding="utf-8"
    )
    findings = check([MessageSpec("toy.thrown", {"n": "number"})], {}, [tmp_path], ["de"])
    names = [finding.name for finding in findings]
    assert {"words.bare_number", "words.avoided", "words.quotation"} <= set(names)
    assert names.count("words.quotation") == 2
    said = [Words.load("de", strict=True).say(finding.name, **finding.details) for finding in findings]
    assert (
        "de: ball: Das Anführungszeichen ' ist falsch oder steht am falschen Platz; in dieser Sprache sind es „ “ ‚ ‘."
        in said
    )


@pytest.mark.parametrize("language", available())
def test_every_shipped_sentence_and_term_is_well_written(language: str) -> None:
    assert [(f.name, f.details) for f in check([], {}, (), [language])] == []
    assert lexicon(language).quotation
    assert lexicon(language).after_numbers


def test_a_glossary_keeps_one_word_for_one_thing_in_its_own_folder(tmp_path: Path) -> None:
    """Sentences, each plural form and terms are compared; what another folder calls a thing is its own affair."""
    words = (
        "glossary: {coach: [wagon, rail car], up to and including: [… to …]}\nfeatures: {number: [sg, pl]}\n"
        "games: {toy: {car: {sg: rail car, pl: rail cars}}}"
    )
    entry = 'msgctxt "toy.{}"\nmsgid "{}"\nmsgstr "{}"\n'
    sentences = {
        "verb": "{who} wagons off.",
        "first": "Wagon of {who}.",
        "code": "`wagon` and --wagon",
        "range": "for {low} to {high} players",
        "good": "The coach goes to {who}.",
    }
    for folder, extra in (("one", words), ("two", "name: xa")):
        (tmp_path / folder / "xa").mkdir(parents=True)
        (tmp_path / folder / "xa" / "lexicon.yaml").write_text(extra, encoding="utf-8")
    sayings = "\n".join(entry.format(name, text, text) for name, text in sentences.items())
    (tmp_path / "one" / "xa" / "messages.po").write_text(sayings, encoding="utf-8")
    (tmp_path / "two" / "xa" / "messages.po").write_text(entry.format("else", "w", "A wagon."), encoding="utf-8")
    findings = check([], {}, [tmp_path / "one", tmp_path / "two"], ["xa"])
    found = {(f.about, f.details["word"], f.details["expected"]) for f in findings if f.name == "words.other_word"}
    assert found == {
        ("toy.first", Text("wagon"), Text("coach")),
        ("toy.range", Text("… to …"), Text("up to and including")),
        ("car", Text("rail car"), Text("coach")),
    }


@pytest.mark.parametrize("language", ["de", "nl", "it", "en"])
def test_each_shipped_language_has_a_glossary_that_its_own_words_are_in(language: str) -> None:
    """A word of the glossary is not one of the words that it replaces, and no word has two words instead of it."""
    glossary = lexicon(language).glossary
    others = [other for replaced in glossary.values() for other in replaced]
    assert glossary
    assert len(others) == len(set(others))
    assert not set(glossary) & set(others)


def test_the_sentence_says_what_joins_its_list() -> None:
    words = Words.load("de", strict=True)
    names = Listing((Text("a"), Text("b"), Text("c")))
    assert words.say("cli.bad_seat", seat=Text("x"), known=names).endswith("Es gibt a, b und c.")
    assert words.say("cli.ambiguous", options=names).endswith("Meinst du a, b oder c?")


def test_a_mark_in_the_place_of_a_number_is_followed_by_the_plural() -> None:
    told = dict.fromkeys(("row", "table", "expected", "found"), Text("…"))
    assert "… Felder haben" in Words.load("de", strict=True).say("R0402", None, **told)
    assert "… Karten" in Words.load("de", strict=True).say("R0403", None, deck=Text("…"), **told)


@pytest.mark.parametrize(
    ("name", "possessive"),
    [("Anna", "Anna’s"), ("Harry", "Harry’s"), ("Joey", "Joeys"), ("Lou", "Lous"), ("Max", "Max’"), ("René", "Renés")],
)
def test_dutch_possessives_keep_the_sound_of_the_name(name: str, possessive: str) -> None:
    endings = lexicon("nl").possessives["van_wie"]
    assert next(name + added for ending, added in endings if name.lower().endswith(ending)) == possessive


def test_what_was_said_is_looked_at_like_what_is_to_be_said() -> None:
    assert [name for name, _ in text_faults("Anna spielt double_ritual.", lexicon("de"))] == ["words.raw_name"]
    assert list(text_faults("Anna spielt die Ritualkarte „2“.", lexicon("de"))) == []


@pytest.mark.parametrize("language", ["de", "nl", "it", "en"])
def test_no_part_of_a_list_begins_with_a_capital(language: str) -> None:
    said = {
        name: entry.english[0] if language == "en" else entry.texts[0]
        for name, entry in load_locale(language, ()).catalog.entries.items()
        if name.endswith(".each")
    }
    assert said
    # A list stands inside a sentence; only a player's name has a capital of its own there.
    assert {name: text for name, text in said.items() if not re.match(r"\{player|[^{]*\{[^}]*\basis\b", text)} == {}


def italian(pattern: str) -> dict[str, str]:
    """Italian sentences whose message name matches."""
    entries = load_locale("it", ()).catalog.entries.items()
    return {name: text for name, entry in entries if re.search(pattern, name) for text in entry.texts}


def test_italian_help_says_what_a_command_does_in_one_form() -> None:
    said = italian(r"^cli\..*\.(short|help)$")
    assert said
    assert {name: text for name, text in said.items() if re.match(r"\w+(are|ere|ire)\b", text)} == {}


def test_an_italian_option_leaves_the_article_to_its_slot() -> None:
    said = italian(r"\.decision\.")
    assert said
    assert {name: text for name, text in said.items() if re.search(r"\b(su|da|ne|a|de)(l|llo|lla) \{", text)} == {}


def test_italian_marks_in_brackets_agree_with_any_name() -> None:
    assert {name: text for name, text in italian("").items() if re.search(r"^\{\w+\} \(\w+[ao]\)$", text)} == {}
