"""`wongar words`, languages in other folders, and the check of words beside rule files."""

from __future__ import annotations

import io
import json
import re
import shlex
import shutil
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from wongar_dsl.engine import Game
from wongar_dsl.engine.library import load
from wongar_dsl.nlg.translation import MessageInventory, state_of

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


#: The inventories of several games, with those games, by the identities of their models.
_inventories: dict[tuple[int, ...], tuple[Sequence[Game], MessageInventory]] = {}


@pytest.fixture(autouse=True)
def collect_shipped_messages_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Share the inventory of all shipped games, which the commands only read."""
    collect = MessageInventory.collect

    def shared(games: Sequence[Game], scoped: bool = False) -> MessageInventory:
        models = tuple(id(game.model) for game in games)
        if scoped or len(models) < 5:
            return collect(games, scoped)
        if models not in _inventories:
            _inventories[models] = games, collect(games)
        return _inventories[models][1]

    monkeypatch.setattr(MessageInventory, "collect", staticmethod(shared))


def english_source(name: str) -> str:
    from wongar_dsl.nlg.words.locale import load_locale

    return load_locale("en", ()).catalog.entries[name].english[0]


@pytest.fixture
def french_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "words" / "fr"
    folder.mkdir(parents=True)
    (folder / "lexicon.yaml").write_text(FRENCH, encoding="utf-8")
    sentence = TAKEN.format(
        english_source("nim.taken"), "{player} [prend|prennent|prendre] {token:num} {stack:de def}."
    )
    (folder / "classics.po").write_text(HEADER + sentence, encoding="utf-8")
    return folder


@pytest.fixture
def folder_with_words(tmp_path: Path) -> Path:
    """Return the folder of a rule file with English words beside it."""
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


@cache
def inventory_of_nim() -> MessageInventory:
    return MessageInventory.collect([load("nim").game(2)])


@pytest.mark.parametrize("language", LANGUAGES)
def test_messages_of_the_program_have_no_errors(language: str) -> None:
    """Those of games are checked in tests/nlg/words/test_games.py."""
    state = state_of(language, inventory_of_nim(), ())
    assert state.wrong == state.incomplete == ()


def test_only_errors_make_the_check_fail(wongar: Command, french_folder: Path) -> None:
    po = french_folder / "classics.po"
    partial = wongar("words", "fr", "--game", "nim", "--words", str(french_folder.parent), "--lang", "en")
    assert partial.code == 0
    assert "fr: 1 of 8 sentences translated; sentences and terms still to do: 7; wrong: 0" in partial.out
    assert "no entry for nim.decision.turn" in partial.out
    po.write_text(po.read_text(encoding="utf-8").replace("{stack:de def}", "{stack:de deff}"), encoding="utf-8")
    result = wongar("words", "fr", "--game", "nim", "--words", str(french_folder.parent), "--lang", "en")
    assert f"{po}:8: " in result.out
    assert "“deff” means nothing in a slot" in result.out
    assert "did you mean “def”?" in result.out
    assert result.code == 1


def test_play_reports_a_wrong_sentence_once(wongar: Command, french_folder: Path) -> None:
    po = french_folder / "classics.po"
    playing = ["play", "nim", "--seats", "random,random", "--lang", "fr", "--words", str(french_folder.parent)]
    assert "wongar words" not in wongar(*playing).err
    po.write_text(po.read_text(encoding="utf-8").replace("prendre] {token:num}", "prendre] {jeton}"), encoding="utf-8")
    result = wongar(*playing)
    assert result.err.count("1 entry in the words for fr contains an error") == 1
    command = re.search(r"wongar (words .*)", result.err)
    assert command is not None
    assert "has a slot “jeton”" in wongar(*shlex.split(command[1]), "--lang", "en").out


def test_unknown_message_or_folder_is_reported(wongar: Command, tmp_path: Path) -> None:
    for arguments, told in ((("it", "--say", "nim.takn"), "nim.taken"), (("--words", str(tmp_path / "none")), "none")):
        result = wongar("words", *arguments, "--lang", "it")
        assert (result.code, result.out) == (2, "")
        assert told in result.err


def test_update_adds_sentences_comments_and_references(wongar: Command, french_folder: Path) -> None:
    po = french_folder / "classics.po"
    po.write_text(po.read_text(encoding="utf-8").replace(english_source("nim.taken"), "Old."), encoding="utf-8")
    result = wongar("words", "fr", "--update", "--words", str(french_folder.parent), "--lang", "en")
    assert result.code == 0, result.err
    text = po.read_text(encoding="utf-8")
    assert "changed: 1" in result.out
    assert "#. stack: heap_a, heap_b, heap_c" in text
    assert "nim.rules:" in text
    assert "no-python-brace-format" in text
    assert '#| msgid "Old."' in text
    entry_text = next(block for block in text.split("\n\n") if 'msgctxt "nim.taken"' in block)
    assert "fuzzy" in entry_text
    assert "{token:num} {stack:de def}" in entry_text
    checked = read_po(io.BytesIO(po.read_bytes()), abort_invalid=True).check()
    assert [list(errors) for _, errors in checked if errors] == []
    # A second update changes nothing.
    second = wongar("words", "fr", "--update", "--words", str(french_folder.parent), "--lang", "en")
    assert "new: 0, changed: 0" in second.out
    assert po.read_text(encoding="utf-8") == text


def test_language_beside_a_rule_file_is_found(wongar: Command, folder_with_words: Path) -> None:
    shutil.copytree(folder_with_words / "locales" / "en", folder_with_words / "locales" / "fr")
    (folder_with_words / "locales" / "fr" / "lexicon.yaml").write_text(FRENCH, encoding="utf-8")
    po = (folder_with_words / "locales" / "fr" / "messages.po").read_text(encoding="utf-8")
    (folder_with_words / "locales" / "fr" / "messages.po").write_text(
        po.replace('msgstr ""\n', 'msgstr "{player} dit bonjour."\n')
    )
    seats = ["--seats", "random,random", "--seed", "1"]
    assert "dit bonjour" in wongar("play", str(folder_with_words / "g.rules"), *seats, "--lang", "fr").out


def test_language_in_the_user_folder_is_found_and_listed(wongar: Command, french_folder: Path) -> None:
    shutil.copytree(french_folder.parent, wongar.home / "data" / "wongar" / "locales")
    assert "de, en, fr, it or nl" in " ".join(wongar("--help", "--lang", "en").out.split())
    said = wongar("words", "--say", "nim.taken", "--lang", "fr").out
    for count, heap in (("1 allumette", "A"), ("5 allumettes", "A"), ("0 allumette", "B")):
        assert f"Anna prend {count} du tas {heap}." in said


HOSTILE = {
    "division": HEADER.replace("(n > 1)", "n/(n-1)"),
    "negative": HEADER.replace("(n > 1)", "n-100"),
    "escape": HEADER + entry("g.hello", "{player} \x1b]0;pwn\x07 {kind}"),
    "bidi": HEADER + entry("g.hello", "{player} \u202e {kind}"),
    "attribute": HEADER + entry("g.hello", "{player.__class__} {kind}"),
    "open brace": HEADER + entry("g.hello", "{player {kind}"),
    "quotation mark": HEADER + entry("g.hello", '{player} "says" {kind}'),
    "no catalog": "nonsense",
}


@pytest.mark.parametrize("sort", HOSTILE)
def test_hostile_catalog_gets_one_clear_message(wongar: Command, folder_with_words: Path, sort: str) -> None:
    write(folder_with_words, "messages.po", HOSTILE[sort])
    rules = str(folder_with_words / "g.rules")
    result = wongar("validate", rules, "--lang", "en")
    assert result.code == 1
    assert result.out.count("error R0503") == 1
    assert "messages.po:" in result.out
    assert "in order" not in result.out
    played = wongar("play", rules, "--seats", "random,random", "--seed", "1", "--lang", "en")
    assert (f"wongar validate {rules}" in played.err) is (sort in ("attribute", "open brace"))
    for shown in (result.out, result.err, played.out, played.err):
        assert not any(letter in shown for letter in "\x1b\x07\u202e")
        assert "Traceback" not in shown
        assert "should not" not in shown


def test_catalog_name_with_control_characters_is_escaped(wongar: Command, folder_with_words: Path) -> None:
    write(folder_with_words, "a\x1b]0;pwn\x07\u202e.po", "nonsense")
    for arguments in (["validate"], ["play", "--seats", "random,random"]):
        result = wongar(arguments[0], str(folder_with_words / "g.rules"), *arguments[1:])
        assert result.code == 1
        assert not any(letter in result.out + result.err for letter in "\x1b\x07\u202e")


def test_missing_decisions_and_options_get_skeleton_entries(wongar: Command, folder_with_words: Path) -> None:
    wongar.patch.chdir(folder_with_words)
    (folder_with_words / "locales" / "it").mkdir()
    (folder_with_words / "locales" / "it" / "lexicon.yaml").write_text("games: {}\n", encoding="utf-8")
    rules = "g.rules"
    before = wongar("validate", rules, "--lang", "en").out
    assert "“g.decision.turn.pick”" in before
    assert "locales/en/messages.po" in before
    result = wongar("validate", rules, "--write-words", "--lang", "en")
    files = [f"locales/{code}/{name}" for code in ("en", "it") for name in ("lexicon.yaml", "messages.po")]
    assert sorted(re.findall("^(.*): entries to fill in", result.out, re.M)) == files
    # An empty lexicon starts a language.
    assert (folder_with_words / files[2]).read_text(encoding="utf-8").startswith("games:\n  g:\n")
    text = (folder_with_words / "locales" / "en" / "messages.po").read_text(encoding="utf-8")
    assert 'msgctxt "g.decision.turn.pick"' in text
    assert "#. x: apple, pear" in text
    # An entry that is not filled in is still reported as missing.
    assert "“g.decision.turn.pick”" in wongar("validate", rules, "--lang", "en").out


def test_suggested_entries_resolve_the_warning_once_filled_in(wongar: Command, folder_with_words: Path) -> None:
    rules = str(folder_with_words / "g.rules")
    (folder_with_words / "locales" / "de").mkdir()
    (folder_with_words / "locales" / "de" / "messages.po").write_text(HEADER, encoding="utf-8")
    shown = json.loads(wongar("validate", rules, "--format", "json", "--lang", "en").out)["diagnostics"]
    assert {diagnostic["code"] for diagnostic in shown} == {"R0501", "R0502"}
    output = wongar("validate", rules, "--lang", "en").out
    for paste in (paste for diagnostic in shown for paste in diagnostic["pastes"]):
        assert paste["text"] in output
        file = Path(paste["file"])
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        last = paste["below"].split()[-1] if paste["below"] else ""
        index = text.index(last) + len(last) + 1 if last else len(text)
        file.write_text(f"{text[:index]}{paste['text']}\n{text[index:]}", encoding="utf-8")
    assert "gender: m, f, n" in (folder_with_words / "locales" / "de" / "lexicon.yaml").read_text(encoding="utf-8")
    # An empty entry is not written a second time.
    before = wongar("validate", rules, "--write-words", "--lang", "en").out
    assert "To be filled in:" in " ".join(before.split())
    # An English sentence is the msgid, which is never empty; only the fuzzy flag marks it as a draft.
    assert "en/messages.po:" in before
    assert " ".join(before.split()).count("the word “fuzzy” above it") == before.count("en/messages.po:")
    assert "entries to fill in" not in before
    for po in folder_with_words.glob("locales/*/*.po"):
        text = po.read_text(encoding="utf-8").replace(", fuzzy", "").replace("#, fuzzy\n", "")
        if po.parent.name != "en":
            text = re.sub(r'msgid "(.+)"\nmsgstr ""', r'msgid "\1"\nmsgstr "\1"', text)
        po.write_text(text, encoding="utf-8")
    for lexicon in folder_with_words.glob("locales/*/lexicon.yaml"):
        text = lexicon.read_text(encoding="utf-8").replace('gender: ""', "gender: f").replace(': ""', ": word")
        lexicon.write_text(text, encoding="utf-8")
    after = wongar("validate", rules, "--lang", "en").out
    assert "R0501" not in after
    assert "R0502" not in after


def test_a_wrong_number_in_an_answer_is_refused(wongar: Command, folder_with_words: Path) -> None:
    """The rules have two players, and one of them chooses one kind."""
    rules, hello = str(folder_with_words / "g.rules"), entry("g.hello", "{player} says {kind:indef}.")
    question = entry("g.question.play", "What may I choose?")
    answers = {
        "One of two kinds.": 0,
        "One of {apple:def} and {pear:def}.": 0,
        "Three pears.": 1,
        "One of {apple:def} and {plum:def}.": 1,
    }
    for answer, faults in answers.items():
        write(folder_with_words, "messages.po", HEADER + hello + question + entry("g.answer.play", answer))
        out = wongar("validate", rules, "--lang", "en").out
        assert out.count("R0503") == faults, answer
    assert "plum" in out
    write(folder_with_words, "messages.po", HEADER + hello + entry("g.answer.play", "Three pears."))
    out = " ".join(wongar("validate", rules, "--lang", "en").out.split())
    assert "“g.answer.play” says “Three”, a number that none of its articles gives" in out
    assert "needs “g.question.play” beside it" in out


def test_unknown_language_folder_gets_a_suggestion(wongar: Command, folder_with_words: Path) -> None:
    (folder_with_words / "locales" / "en").rename(folder_with_words / "locales" / "deutsch")
    result = wongar("validate", str(folder_with_words / "g.rules"), "--lang", "en")
    assert result.out.count("R0504") == 1
    assert "did you mean “de”?" in result.out


def test_unused_entries_get_suggestions(wongar: Command, folder_with_words: Path) -> None:
    write(folder_with_words, "messages.po", HEADER + entry("g.helo", "Hello.") + entry("h.hello", "Hello."))
    lexicon = "games:\n  g:\n    appel: {like: s, stem: apple}\n    pear: {like: s, stem: pear}\n"
    write(folder_with_words, "lexicon.yaml", lexicon)
    out = wongar("validate", str(folder_with_words / "g.rules"), "--lang", "en").out
    assert "did you mean “g.hello”?" in out
    assert "did you mean “apple”?" in out
    assert out.count("R0503") == 3
