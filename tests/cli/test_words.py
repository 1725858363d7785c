"""`wongar words`, languages from other folders, and the check of the words beside rule files."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from .command import LANGUAGES, Command

LOCALES = Path(__file__).resolve().parents[2] / "locales"
FRENCH = """
name: Français
features: {number: [sg, pl], gender: [m, f]}
numbers: {one: sg, many: pl, other: pl}
sounds: {vowel: a e i o u é h}
determiners: {def: {m: le, f: la, m.vowel: l’, f.vowel: l’, pl: les}}
prepositions: {de: ""}
contractions: {de le: du, de les: des}
games:
  nim:
    match: {gender: f, sg: allumette, pl: allumettes}
    heap_a: {gender: m, sg: tas A, pl: tas A}
    heap_b: {gender: m, sg: tas B, pl: tas B}
    heap_c: {gender: m, sg: tas C, pl: tas C}
"""
TAKEN = '\nmsgctxt "nim.taken"\nmsgid "{}"\nmsgstr "{}"\n'
HEADER = """msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=2; plural=(n > 1);\\n"
"""

RULES = """game g
    players 2
    source house rule

enum kind = apple, pear

play
    tell hello(player: player(1), kind: apple)
    player(1) chooses turn
        pick(x: kind)
            nothing
    player(1) wins
"""


def english(name: str) -> str:
    from wongar_dsl.words.locale import load_locale

    return load_locale("en", ()).catalog.entries[name].english[0]


@pytest.fixture
def french(tmp_path: Path) -> Path:
    folder = tmp_path / "words" / "fr"
    folder.mkdir(parents=True)
    (folder / "lexicon.yaml").write_text(FRENCH, encoding="utf-8")
    sentence = TAKEN.format(english("nim.taken"), "{player} [prend|prennent|prendre] {token:num} {stack:de def}.")
    (folder / "classics.po").write_text(HEADER + sentence, encoding="utf-8")
    return folder


@pytest.fixture
def beside(tmp_path: Path) -> Path:
    """A rule file with words beside it, in English."""
    (tmp_path / "locales" / "en").mkdir(parents=True)
    (tmp_path / "g.rules").write_text(RULES, encoding="utf-8")
    write(
        tmp_path, "lexicon.yaml", "games:\n  g:\n    apple: {like: s, stem: apple}\n    pear: {like: s, stem: pear}\n"
    )
    write(tmp_path, "messages.po", HEADER + entry("g.hello", "{player} says {kind:indef}."))
    return tmp_path


def write(folder: Path, name: str, text: str) -> None:
    (folder / "locales" / "en" / name).write_text(text, encoding="utf-8")


def entry(name: str, text: str) -> str:
    return f'\nmsgctxt "{name}"\nmsgid "{text}"\nmsgstr ""\n'


def test_a_language_that_has_only_begun_is_incomplete_and_not_wrong(wongar: Command, french: Path) -> None:
    result = wongar("words", "fr", "--game", "nim", "--words", str(french.parent), "--lang", "en")
    assert "fr: 1 of 5 sentences translated; sentences and terms still to do: 4; wrong: 0" in result.out
    assert "no entry for nim.decision.turn" in result.out
    assert result.code == 0


def test_a_mistake_is_told_with_its_line_and_what_was_meant(wongar: Command, french: Path) -> None:
    po = french / "classics.po"
    po.write_text(po.read_text(encoding="utf-8").replace("{stack:de def}", "{stack:de deff}"), encoding="utf-8")
    result = wongar("words", "fr", "--game", "nim", "--words", str(french.parent), "--lang", "en")
    assert f"{po}:8: " in result.out
    assert "“deff” means nothing in a slot" in result.out
    assert "did you mean “def”?" in result.out
    assert "wrong: 1" in result.out
    assert result.code == 1


def test_play_says_once_that_a_sentence_is_wrong_and_what_tells_more(wongar: Command, french: Path) -> None:
    po = french / "classics.po"
    playing = ["play", "nim", "--seats", "random,random", "--lang", "fr", "--words", str(french.parent)]
    assert "wongar words" not in wongar(*playing).err
    po.write_text(po.read_text(encoding="utf-8").replace("prendre] {token:num}", "prendre] {jeton}"), encoding="utf-8")
    result = wongar(*playing)
    assert result.err.count("1 entry in the words for fr contains a mistake") == 1
    command = re.search(r"wongar (words .*)", result.err)
    assert command is not None
    assert "has a slot “jeton”" in wongar(*shlex.split(command[1]), "--lang", "en").out


def test_play_says_it_of_words_beside_the_rules_too(wongar: Command, beside: Path) -> None:
    write(beside, "messages.po", HEADER + entry("g.hello", "{player} says {knd}."))
    rules = str(beside / "g.rules")
    result = wongar("play", rules, "--seats", "random,random", "--lang", "en")
    assert f"wongar validate {rules}" in result.err
    # In a language that has no words there, nothing is wrong with them.
    assert "wongar validate" not in wongar("play", rules, "--seats", "random,random", "--lang", "it").err


def test_a_sentence_is_said_with_each_term_and_telling_numbers(wongar: Command, french: Path) -> None:
    result = wongar("words", "fr", "--say", "nim.taken", "--words", str(french.parent))
    assert "Anna prend 1 allumette du tas A." in result.out
    assert "Anna prend 5 allumettes du tas A." in result.out
    assert "Anna prend 0 allumette du tas B." in result.out
    assert wongar("words", "fr", "--say", "nim.takn", "--words", str(french.parent), "--lang", "en").err.count(
        "nim.taken"
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_can_say_that_a_message_is_unknown(wongar: Command, language: str) -> None:
    result = wongar("words", language, "--say", "nim.takn", "--lang", language)
    assert result.code == 2
    assert "nim.takn" in result.err
    assert "nim.taken" in result.err


def test_an_update_brings_sentences_comments_and_references(wongar: Command, french: Path) -> None:
    po = french / "classics.po"
    po.write_text(po.read_text(encoding="utf-8").replace(english("nim.taken"), "Old."), encoding="utf-8")
    result = wongar("words", "fr", "--update", "--words", str(french.parent), "--lang", "en")
    assert result.code == 0, result.err
    text = po.read_text(encoding="utf-8")
    assert "changed: 1" in result.out
    assert "#. stack: heap_a, heap_b, heap_c" in text
    assert "nim.rules:" in text
    assert "no-python-brace-format" in text
    assert '#| msgid "Old."' in text
    taken = next(block for block in text.split("\n\n") if 'msgctxt "nim.taken"' in block)
    assert "fuzzy" in taken
    assert "{token:num} {stack:de def}" in taken
    # A second update changes nothing.
    again = wongar("words", "fr", "--update", "--words", str(french.parent), "--lang", "en")
    assert "new: 0, changed: 0" in again.out
    assert po.read_text(encoding="utf-8") == text


def test_the_usual_tools_pass_on_every_catalog(wongar: Command, french: Path) -> None:
    from babel.messages.pofile import read_po

    wongar("words", "fr", "--update", "--words", str(french.parent))
    msgfmt = shutil.which("msgfmt")
    for po in (*LOCALES.glob("*/*.po"), *french.glob("*.po")):
        with po.open(encoding="utf-8") as stream:
            catalog = read_po(stream, abort_invalid=True)
        assert [list(errors) for _, errors in catalog.check() if errors] == [], po
        # Gettext itself is asked where it is installed.
        if msgfmt is not None:
            done = subprocess.run(
                [msgfmt, "-c", "-o", "/dev/null", str(po)], capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, f"{po}: {done.stderr}"


def test_a_language_beside_a_rule_file_is_found_by_its_name(wongar: Command, beside: Path) -> None:
    shutil.copytree(beside / "locales" / "en", beside / "locales" / "fr")
    (beside / "locales" / "fr" / "lexicon.yaml").write_text(FRENCH, encoding="utf-8")
    po = (beside / "locales" / "fr" / "messages.po").read_text(encoding="utf-8")
    (beside / "locales" / "fr" / "messages.po").write_text(
        po.replace('msgstr ""\n', 'msgstr "{player} dit bonjour."\n')
    )
    seats = ["--seats", "random,random", "--seed", "1"]
    assert "dit bonjour" in wongar("play", str(beside / "g.rules"), *seats, "--lang", "fr").out


def test_a_language_in_the_users_folder_is_found_and_listed(wongar: Command, french: Path) -> None:
    shutil.copytree(french.parent, wongar.home / "data" / "wongar" / "locales")
    assert "de, en, fr, it or nl" in " ".join(wongar("--help", "--lang", "en").out.split())
    assert "Anna prend 1 allumette" in wongar("words", "--say", "nim.taken", "--lang", "fr").out


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_folder_that_is_not_there_is_told(wongar: Command, tmp_path: Path, language: str) -> None:
    result = wongar("words", "--words", str(tmp_path / "nowhere"), "--lang", language)
    assert result.code == 2
    assert "nowhere" in result.err


HOSTILE = {
    "division": HEADER.replace("(n > 1)", "n/(n-1)"),
    "remainder": HEADER.replace("(n > 1)", "n%0"),
    "negative": HEADER.replace("(n > 1)", "n-100"),
    "too many": HEADER.replace("(n > 1)", "n*n*n*n"),
    "escape": HEADER + entry("g.hello", "{player} \x1b]0;pwn\x07 {kind}"),
    "bidi": HEADER + entry("g.hello", "{player} \u202e {kind}"),
    "attribute": HEADER + entry("g.hello", "{player.__class__} {kind}"),
    "open brace": HEADER + entry("g.hello", "{player {kind}"),
    "quotation mark": HEADER + entry("g.hello", '{player} "says" {kind}'),
    "no catalog": "nonsense",
}


@pytest.mark.parametrize("sort", HOSTILE)
def test_a_hostile_catalog_gets_one_clear_message(wongar: Command, beside: Path, sort: str) -> None:
    write(beside, "messages.po", HOSTILE[sort])
    result = wongar("validate", str(beside / "g.rules"), "--lang", "en")
    assert result.code == 1
    assert result.out.count("error R0503") == 1
    assert "messages.po:" in result.out
    assert "in order" not in result.out
    played = wongar("play", str(beside / "g.rules"), "--seats", "random,random", "--seed", "1")
    for shown in (result.out, result.err, played.out, played.err):
        assert not any(letter in shown for letter in "\x1b\x07\u202e")
        assert "Traceback" not in shown
        assert "should not" not in shown


def test_the_name_of_a_broken_catalog_steers_no_terminal(wongar: Command, beside: Path) -> None:
    write(beside, "a\x1b]0;pwn\x07\u202e.po", "nonsense")
    for arguments in (["validate"], ["play", "--seats", "random,random"]):
        result = wongar(arguments[0], str(beside / "g.rules"), *arguments[1:])
        assert result.code == 1
        assert not any(letter in result.out + result.err for letter in "\x1b\x07\u202e")


def test_files_that_words_are_written_to_are_named_as_seen_from_here(wongar: Command, beside: Path) -> None:
    wongar.patch.chdir(beside)
    told = wongar("validate", "g.rules", "--write-words", "--lang", "en").out
    files = ["locales/en/lexicon.yaml", "locales/en/messages.po"]
    assert re.findall("^(.*): entries to fill in", told, re.M) == files


def test_decisions_and_options_without_words_are_named_and_written_as_skeletons(wongar: Command, beside: Path) -> None:
    rules = str(beside / "g.rules")
    before = wongar("validate", rules, "--lang", "en").out
    assert "“g.decision.turn.pick”" in before
    assert "locales/en/messages.po" in before
    result = wongar("validate", rules, "--write-words", "--lang", "en")
    assert "entries to fill in" in result.out
    text = (beside / "locales" / "en" / "messages.po").read_text(encoding="utf-8")
    assert 'msgctxt "g.decision.turn.pick"' in text
    assert "#. x: apple, pear" in text
    # What nobody has filled in is still missing.
    assert "“g.decision.turn.pick”" in wongar("validate", rules, "--lang", "en").out


def test_a_language_begins_with_a_lexicon_that_says_nothing_yet(wongar: Command, tmp_path: Path) -> None:
    rules, lexicon = tmp_path / "g.rules", tmp_path / "locales" / "it" / "lexicon.yaml"
    rules.write_text("game g\n    players 2\n    source house rule\nplay\n    player(1) wins\n", encoding="utf-8")
    lexicon.parent.mkdir(parents=True)
    lexicon.write_text("games: {}\n", encoding="utf-8")
    wongar("validate", str(rules), "--write-words")
    assert lexicon.read_text(encoding="utf-8").startswith("games:\n  g:\n")
    assert [folder.name for folder in lexicon.parents[1].iterdir()] == ["it"]


def test_what_a_warning_shows_to_paste_mends_it_once_it_is_filled_in(wongar: Command, beside: Path) -> None:
    rules = str(beside / "g.rules")
    (beside / "locales" / "de").mkdir()
    (beside / "locales" / "de" / "messages.po").write_text(HEADER, encoding="utf-8")
    shown = json.loads(wongar("validate", rules, "--format", "json", "--lang", "en").out)["diagnostics"]
    assert {found["code"] for found in shown} == {"R0501", "R0502"}
    told = wongar("validate", rules, "--lang", "en").out
    for paste in (paste for found in shown for paste in found["pastes"]):
        assert paste["text"] in told
        file = Path(paste["file"])
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        last = paste["below"].split()[-1] if paste["below"] else ""
        at = text.index(last) + len(last) + 1 if last else len(text)
        file.write_text(f"{text[:at]}{paste['text']}\n{text[at:]}", encoding="utf-8")
    assert "gender: m, f, n" in (beside / "locales" / "de" / "lexicon.yaml").read_text(encoding="utf-8")
    # Nobody has filled it in yet, and it is not written a second time.
    before = wongar("validate", rules, "--write-words", "--lang", "en").out
    assert "To be filled in:" in " ".join(before.split())
    # An English sentence is the msgid, which is never empty: only the mark tells that it is a draft.
    assert "en/messages.po:" in before
    assert " ".join(before.split()).count("the word “fuzzy” above it") == before.count("en/messages.po:")
    assert "entries to fill in" not in before
    for po in beside.glob("locales/*/*.po"):
        text = po.read_text(encoding="utf-8").replace(", fuzzy", "").replace("#, fuzzy\n", "")
        if po.parent.name != "en":
            text = re.sub(r'msgid "(.+)"\nmsgstr ""', r'msgid "\1"\nmsgstr "\1"', text)
        po.write_text(text, encoding="utf-8")
    for lexicon in beside.glob("locales/*/lexicon.yaml"):
        text = lexicon.read_text(encoding="utf-8").replace('gender: ""', "gender: f").replace(': ""', ": word")
        lexicon.write_text(text, encoding="utf-8")
    after = wongar("validate", rules, "--lang", "en").out
    assert "R0501" not in after
    assert "R0502" not in after


def test_a_folder_that_is_no_language_is_told_with_the_code_that_was_meant(wongar: Command, beside: Path) -> None:
    (beside / "locales" / "en").rename(beside / "locales" / "deutsch")
    result = wongar("validate", str(beside / "g.rules"), "--lang", "en")
    assert result.out.count("R0504") == 1
    assert "did you mean “de”?" in result.out


def test_what_nothing_uses_is_told_with_what_was_meant(wongar: Command, beside: Path) -> None:
    write(beside, "messages.po", HEADER + entry("g.helo", "Hello.") + entry("h.hello", "Hello."))
    lexicon = "games:\n  g:\n    appel: {like: s, stem: apple}\n    pear: {like: s, stem: pear}\n"
    write(beside, "lexicon.yaml", lexicon)
    out = wongar("validate", str(beside / "g.rules"), "--lang", "en").out
    assert "did you mean “g.hello”?" in out
    assert "did you mean “apple”?" in out
    assert out.count("R0503") == 3


def test_two_variants_in_one_folder_have_words_of_their_own(wongar: Command, beside: Path) -> None:
    for name in ("one", "two"):
        (beside / f"{name}.rules").write_text(f"variant {name} of g\n", encoding="utf-8")
    words = entry("g.hello", "Base: {player} {kind}.") + entry("g/one.hello", "First: {player} {kind}.")
    write(beside, "messages.po", HEADER + words)
    told = {}
    for name in ("g", "one", "two"):
        path = str(beside / f"{name}.rules")
        assert "R0503" not in wongar("validate", path, "--lang", "en").out
        told[name] = wongar("play", path, "--seats", "random,random", "--seed", "1", "--lang", "en").out
    assert "Base:" in told["g"]
    assert "First:" in told["one"]
    assert "Base:" in told["two"]
