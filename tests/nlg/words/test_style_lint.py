"""Style check of sentences: punctuation, agreement, word choice, euphony and spacing."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
import yaml

from wongar_dsl.nlg.words import Listing, NounPhrase, PlayerName, Term, Text, Translator, Value, available
from wongar_dsl.nlg.words.catalog_check import MessageSpec, check
from wongar_dsl.nlg.words.clause import Order, Part, Slot, parse_template, plain_text
from wongar_dsl.nlg.words.lexicon import Lexicon
from wongar_dsl.nlg.words.locale import load_locale
from wongar_dsl.nlg.words.slots import SlotSpec
from wongar_dsl.nlg.words.style_lint import faults, other_words, text_faults

SLOTS = {"n": "number", "k": "number", "names": "listing", "who": "player", "card": "term:card", "token": "count:token"}


@cache
def lexicon(language: str) -> Lexicon:
    return load_locale(language, ()).lexicon


def fault_names(language: str, *texts: str) -> list[str]:
    return [fault.name for fault in faults("toy.message", texts, lexicon(language), SLOTS)]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        # A number without agreement of its noun.
        ("de", "Die Partie geht nach {n} Entscheidungen weiter.", ["words.bare_number"]),
        ("de", "Die Partie geht nach {n:decision dat} weiter.", []),
        ("de", "{n} bis {k:person}", []),
        ("de", "Runde {n}: {who} beginnt.", []),
        ("de", "Der Skorpion rückt auf Feld {n} vor.", []),
        ("de", "{who} beginnt.", []),
        # A list without a conjunction.
        ("de", "Es gibt {names}.", ["words.no_conjunction"]),
        ("de", "Es gibt {names:and}.", []),
        ("it", "Puoi scegliere {names:or}.", []),
        # Slots without a case in a sentence with a marked verb.
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
        ("nl", "{who} [pakt|pakken] {card:indef}.", []),
        ("en", "the scorpion [sets|set] {who} back {n:space}.", []),
        # Faults that appear only in another word order.
        ("de", "{who} [kommt|kommen] (jetzt[+]).", ["words.spacing"] * 3),
        ("de", "{who} [kommt|kommen] (jetzt)[+].", []),
        # Quotation marks.
        ("de", '"{who}" beginnt.', ["words.quotation"]),
        ("de", "'{who}' beginnt.", ["words.quotation"]),
        ("de", "„{who}“ beginnt.", []),
        ("de", "„{who} beginnt.", ["words.quotation"]),
        ("de", "Er sagt: „Die Karte ‚{who}‘ beginnt.“", []),
        ("de", "Die Karte ‚{who}‘ beginnt.", ["words.quotation"]),
        ("nl", "„{who}“ begint.", ["words.quotation"]),
        ("nl", "“{who}” begint.", []),
        ("nl", "zo’n steen, Anna’s komma’s", []),
        ("nl", "zo'n steen", ["words.quotation"]),
        # Sequences that a language avoids.
        ("de", "ein Zug, oder zwei", ["words.avoided"]),
        ("de", "Statt dessen beginnt {who}.", ["words.avoided"]),
        ("de", "im Wörterbuch dieser Sprache", ["words.avoided"]),
        ("nl", "de variant wijzigt haar basis", ["words.avoided"]),
        # Names of the rules.
        ("de", "{who} nimmt area_card.", ["words.raw_name"]),
        ("de", "{who} spielt take(snake).", ["words.raw_name"]),
        ("de", "`area_card` steht im Code, WONGAR_DEBUG in der Umgebung.", []),
        ("nl", "{who} neemt de kaart(en).", []),
    ],
)
def test_style_faults_are_found(language: str, text: str, expected: list[str]) -> None:
    assert fault_names(language, text) == expected


def test_plural_forms_may_contain_the_noun() -> None:
    assert fault_names("de", "{n} Fall", "{n} Fälle") == []
    assert fault_names("de", "{n} Fälle") == ["words.bare_number"]


def test_features_missing_in_a_lexicon_are_not_checked(tmp_path: Path) -> None:
    (tmp_path / "xa").mkdir()
    (tmp_path / "xa" / "lexicon.yaml").write_text("name: xa", encoding="utf-8")
    bare = load_locale("xa", [tmp_path]).lexicon
    assert [fault.name for fault in faults("toy.message", ('"{n} stones", or', "'"), bare, SLOTS)] == []


@pytest.mark.parametrize("marks", ["„", "„ “ ‚", "„ “ ‚ ‘ x"])
def test_unpaired_quotation_marks_are_an_error(tmp_path: Path, marks: str) -> None:
    (tmp_path / "xa").mkdir()
    (tmp_path / "xa" / "lexicon.yaml").write_text(f"quotation: {marks}", encoding="utf-8")
    assert [finding.name for finding in check([], {}, [tmp_path], ["xa"])] == ["words.bad_shape"]


def test_glossary_applies_to_its_own_folder(tmp_path: Path) -> None:
    """Sentences, plural forms and terms are checked; other folders may use other words."""
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
    other_words = {
        (f.about, f.details["word"], f.details["expected"]) for f in findings if f.name == "words.other_word"
    }
    assert other_words == {
        ("toy.first", Text("wagon"), Text("coach")),
        ("toy.range", Text("… to …"), Text("up to and including")),
        ("car", Text("rail car"), Text("coach")),
    }


@pytest.mark.parametrize("language", ["de", "nl", "it", "en"])
def test_bundled_glossaries_are_consistent(language: str) -> None:
    """No preferred word is also a replaced word, and each replaced word has one replacement."""
    glossary = lexicon(language).glossary
    others = [word for replaced in glossary.values() for word in replaced]
    assert glossary
    assert len(others) == len(set(others))
    assert not set(glossary) & set(others)


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("de", "{player} verzichtet auf Spielstein und Ritualkarte.", "Zusatzaktion"),
        ("nl", "daarna verder met {figures} naar: {places}", "te kiezen"),
        ("it", "{player} ottiene la maggioranza nella parità {token}.", "spareggio"),
        ("en", "four-ritual area card", "for four ritual cards"),
    ],
)
def test_bundled_glossary_knows_the_better_word(language: str, text: str, expected: str) -> None:
    assert [fault.details["expected"] for fault in other_words(text, lexicon(language).glossary)] == [Text(expected)]


def test_sentence_chooses_the_conjunction_of_its_list() -> None:
    words = Translator.load("de", strict=True)
    names = Listing((Text("a"), Text("b"), Text("c")))
    assert words.say("cli.bad_seat", seat=Text("x"), known=names).endswith("Es gibt a, b und c.")
    assert words.say("cli.ambiguous", options=names).endswith("Meinst du a, b oder c?")


def test_ellipsis_instead_of_a_number_takes_the_plural() -> None:
    values = dict.fromkeys(("row", "table", "expected", "found"), Text("…"))
    assert "… Felder haben" in Translator.load("de", strict=True).say("R0402", None, **values)
    assert "… Karten" in Translator.load("de", strict=True).say("R0403", None, deck=Text("…"), **values)


@pytest.mark.parametrize(
    ("name", "possessive"),
    [("Anna", "Anna’s"), ("Harry", "Harry’s"), ("Joey", "Joeys"), ("Lou", "Lous"), ("Max", "Max’"), ("René", "Renés")],
)
def test_dutch_possessives_depend_on_the_ending(name: str, possessive: str) -> None:
    endings = lexicon("nl").possessives["van_wie"]
    assert next(name + added for ending, added in endings if name.lower().endswith(ending)) == possessive


@pytest.mark.parametrize("language", ["de", "nl", "it"])
def test_verb_agrees_with_a_compared_count(language: str) -> None:
    """*Fewer than one disc lies, fewer than two discs lie*: the verb is not fixed in the plural."""
    fixed = re.compile(r"\[([^|\]]+)\|\1[|\]][^{]*\b(?:als|dan|di) \{\w+:\w+")
    entries = load_locale(language, ()).catalog.entries.items()
    assert {name: text for name, entry in entries for text in entry.texts if fixed.search(text)} == {}


@pytest.mark.parametrize(
    ("language", "message", "number", "text"),
    [
        ("de", "lies_less", 1, "liegt weniger als ein"),
        ("de", "lies_less", 2, "liegen weniger als 2"),
        ("nl", "lies_less", 1, "in dit veld ligt minder dan"),
        ("nl", "lies_less", 2, "in dit veld liggen minder dan"),
        ("it", "lies_less", 1, "si trova meno di"),
        ("it", "lies_less", 2, "si trovano meno di 2 gettoni"),
        ("it", "lies_more", 1, "si trova più di un gettone"),
        ("it", "exists_less", 3, "ci sono meno di 3 gettoni"),
        ("en", "lies_less", 1, "fewer than one disc lies"),
        ("en", "lies_less", 2, "fewer than 2 discs lie"),
    ],
)
def test_verb_follows_the_compared_count(language: str, message: str, number: int, text: str) -> None:
    what = NounPhrase(Term("disc", "connect_four", number))
    values: dict[str, Value] = {"what": what, "place": NounPhrase(Term("cell", "connect_four"), ("this",))}
    said = Translator.load(language, strict=True).say(f"prose.{message}", "connect_four", **values)
    assert text in said.casefold()


@pytest.mark.parametrize("language", ["de", "nl", "it", "en"])
def test_list_items_begin_in_lower_case(language: str) -> None:
    items = {
        name: entry.english[0] if language == "en" else entry.texts[0]
        for name, entry in load_locale(language, ()).catalog.entries.items()
        if name.endswith(".each")
    }
    assert items
    # A list stands inside a sentence, where only a player's name is capitalised.
    assert {name: text for name, text in items.items() if not re.match(r"\{player|[^{]*\{[^}]*\basis\b", text)} == {}


@pytest.mark.parametrize(
    ("messages", "wrong"),
    [
        # Help begins with no infinitive, slots of options have articles, and marks after names are gender-neutral.
        (r"^cli\..*\.(short|help)$", r"^\w+(are|ere|ire)\b"),
        (r"\.decision\.", r"\b(su|da|ne|a|de)(l|llo|lla) \{"),
        (r"", r"^\{\w+\} \(\w+[ao]\)$"),
        # A preposition belongs in the slot (*meno del numero*); counts and digits have no article.
        (r"^(prose|reason)\.", r"\b(?:di|a|da|in|su) \{(?!n:|was\})"),
    ],
)
def test_italian_sentences_leave_endings_to_slots(messages: str, wrong: str) -> None:
    entries = load_locale("it", ()).catalog.entries.items()
    sentences = [text for name, entry in entries if re.search(messages, name) for text in entry.texts]
    assert sentences
    assert [text for text in sentences if re.search(wrong, text)] == []


def test_italian_predicate_of_a_slot_is_marked_to_agree_with_it() -> None:
    slot_first = re.compile(
        r"[^\[]*\{(?!\w+:)[^}]*\} (?:(?:non|poi|così|già) )*"
        r"\[(?:è|viene|resta|diventa)\|[^\]]*\] (?:(?:ancora|poi|così|già|per ora) )*(\w+[oae])\b"
    )
    others = {"la", "una", "nella", "dello", "ancora", "almeno", "dapprima", "prima", "dopo"}
    entries = load_locale("it", ()).catalog.entries.values()
    matches = [match for entry in entries for text in entry.texts if (match := slot_first.match(text))]
    assert not [match.string for match in matches if match[1] not in others]


@pytest.mark.parametrize("language", ["de", "nl", "it", "en"])
def test_one_noun_has_one_preposition(language: str) -> None:
    """Ships stand *on* a beach in every sentence of a game, for every declaration that the noun belongs to."""
    placed: dict[tuple[str, str], set[str]] = {}
    path = Path(__file__).resolve().parents[3] / "locales" / language / "lexicon.yaml"
    for game, terms in yaml.safe_load(path.read_text(encoding="utf-8"))["games"].items():
        for entry in terms.values():
            if isinstance(entry, dict) and "place" in entry:
                noun = entry.get("stem") or entry.get("sg") or entry.get("pl")
                placed.setdefault((game, noun), set()).add(entry["place"])
    assert {noun: places for noun, places in placed.items() if len(places) > 1} == {}


#: Parts of verbs that are one word with an infinitive behind them.
SEPARABLE = {
    "de": "ab|an|auf|aus|ein|fest|fort|her|hin|hinzu|los|mit|nach|nieder|statt|teil|vor|weg|weiter|zurück|zusammen",
    "nl": "aan|af|bij|door|in|mee|na|neer|om|op|over|terug|toe|uit|vast|voor|vooruit",
}


def _as_plain(part: Part) -> str:
    """Return a part as text, with the preposition of a slot that can belong to words behind it."""
    return "von …" if isinstance(part, Slot) and part.spec[:1] == ("von",) else plain_text(part, "…")


@pytest.mark.parametrize(("language", "parts"), SEPARABLE.items())
def test_separable_verbs_are_one_word_in_the_infinitive(language: str, parts: str) -> None:
    locale = load_locale(language, ())
    infinitives = {
        name: "".join(_as_plain(part) for part in clause.ordered(Order.INFINITIVE, locale.lexicon.clauses))
        for name, entry in locale.catalog.entries.items()
        for text in entry.texts
        if (clause := parse_template(text, name).clause) is not None
    }
    # Not *von … an* and *met de klok mee*.
    apart = re.compile(rf"\b(?<!von … )(?<!de klok )(?:{parts}) (?!zijn)[^\W\d_]+n$")
    assert {name: text for name, text in infinitives.items() if apart.search(text)} == {}


@pytest.mark.parametrize("language", available())
def test_short_names_are_whole_words(language: str) -> None:
    """They are also shown and read aloud where there is room; a narrow drawing cuts names itself."""
    lexicon = Path(__file__).parents[3] / "locales" / language / "lexicon.yaml"
    short_names = re.findall(r"\bshort: ([^,}\n]+)", lexicon.read_text(encoding="utf-8"))
    assert short_names
    assert [name for name in short_names if name.endswith(".")] == []


def faults_in(language: str, text: str) -> list[tuple[str, str]]:
    return [
        (fault.name, getattr(fault.details.get("expected"), "text", ""))
        for fault in text_faults(text, lexicon(language))
    ]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("it", "Anna e Eva", "ed Eva"),
        ("it", "Tocca a Anna.", "ad Anna"),
        ("it", "Tocca ad Bice.", "a Bice"),
        ("it", "la area del canguro", "l’area"),
        ("it", "Si prende una area.", "un’area"),
        ("it", "il scorpione", "lo scorpione"),
        ("it", "lo cubo", "il cubo"),
        ("it", "i Antenati", "gli Antenati"),
        ("it", "dal Antenato", "dall’Antenato"),
        ("it", "nella area", "nell’area"),
        ("it", "l’scorpione", "lo scorpione"),
        ("en", "a area card", "an area"),
        ("en", "an disc", "a disc"),
        ("en", "a hour", "an hour"),
        ("en", "a 8", "an 8"),
    ],
)
def test_wrong_euphonic_forms_are_found(language: str, text: str, expected: str) -> None:
    assert faults_in(language, text) == [("words.sound", expected)]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("it", "Anna ed Eva, Eva e Anna, ad Anna e a Bice, l’area, lo scorpione, gli Antenati, un amico, un’area"),
        # A pronoun, a number and a verb that look like articles.
        ("it", "La usa chi lo prende, una o due alla volta; dai un nome a uno dei due."),
        ("it", "A allontana un cubo."),
        # The beginning of a longer form in the lexicon is no noun: *di quel giocatore*, *il più alto*.
        ("it", "Uno di voi gioca, nessuno il giorno dopo."),
        ("en", "an area and a unit, an hour and a one, A and B"),
        ("de", "eine Area, ein Emu"),
        ("nl", "een area, een emoe"),
    ],
)
def test_correct_euphony_is_accepted(language: str, text: str) -> None:
    assert faults_in(language, text) == []


@pytest.mark.parametrize(
    "text",
    ["two  spaces", " at the start", "at the end ", "before , a comma", "Really !)", "( behind", "none,there", "End ."],
)
def test_wrong_spacing_is_found(text: str) -> None:
    assert [name for name, _ in faults_in("en", text)] == ["words.spacing"]


@pytest.mark.parametrize("text", ["Type ? for help.", "one, two; 1,000 (three) …", "thinks …", "Seats: 1.5", "a\nb"])
def test_correct_spacing_is_accepted(text: str) -> None:
    assert faults_in("en", text) == []


def test_catalog_faults_are_reported_in_all_languages(tmp_path: Path) -> None:
    folder = tmp_path / "it"
    folder.mkdir()
    (folder / "messages.po").write_text(
        'msgctxt "toy.over"\nmsgid "Over."\nmsgstr "Si prende  il scorpione."\n', encoding="utf-8"
    )
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "messages.po").write_text('msgctxt "toy.over"\nmsgid "Over."\nmsgstr ""\n', encoding="utf-8")
    findings = check([MessageSpec("toy.over", {})], {}, [tmp_path], ["it"])
    assert {"words.spacing", "words.sound"} <= {finding.name for finding in findings}
    for finding in findings:
        for language in available():
            assert Translator.load(language, strict=True).say(finding.name, **finding.details)


def test_conjunction_of_a_list_is_euphonic() -> None:
    it, en = Translator.load("it", strict=True), Translator.load("en", strict=True)
    names = [PlayerName(name) for name in ("Àgata", "Ezio", "Emma")]
    assert it.value(Listing(tuple(names))) == "Àgata, Ezio ed Emma"
    assert it.value(Listing(tuple(names[::-1]))) == "Emma, Ezio e Àgata"
    assert load_locale("it", ()).value(Listing(tuple(names)), SlotSpec(conjunction="or")) == "Àgata, Ezio o Emma"
    assert en.value(Listing(tuple(names))) == "Àgata, Ezio and Emma"
    assert it.say("engine.game_ended", winners=Listing(tuple(names[:2]))).endswith(" Vincono Àgata ed Ezio.")
    assert it.say("engine.game_ended", winners=Listing(tuple(names[:1]))).endswith(" Vince Àgata.")


def test_one_is_written_as_a_word() -> None:
    expected_texts = {
        "de": ("einen Würfel", "eine Walze", "2 Würfel"),
        "nl": ("één blokje", "één staafje", "2 blokjes"),
        "it": ("un cubo", "un cilindro", "2 cubi"),
        "en": ("one cube", "one cylinder", "2 cubes"),
    }
    for language, expected in expected_texts.items():
        words, case = Translator.load(language, strict=True), " acc" if language == "de" else ""
        spoken = [
            words.term(name, "wongar", f"num{case}", n) for name, n in (("cube", 1), ("cylinder", 1), ("cube", 2))
        ]
        assert tuple(spoken) == expected
    assert Translator.load("it", strict=True).term("area", None, "num", 1) == "un’area"
    assert Translator.load("en", strict=True).term("cube", "wongar", "count", 1) == "one"


def test_percentages_follow_the_language() -> None:
    shown = {language: Translator.load(language).percent(0.5, 1) for language in ("de", "nl", "it", "en")}
    assert shown == {"de": "50,0\xa0%", "nl": "50,0%", "it": "50,0%", "en": "50.0%"}
    assert Translator.load("en").percent(1 / 3, 0) == "33%"
