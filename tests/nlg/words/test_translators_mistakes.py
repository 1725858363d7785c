"""Reports of translators' mistakes: file, line, problem and remedy."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from wongar_dsl.engine import library
from wongar_dsl.nlg.diagnostic_text import advice, message
from wongar_dsl.nlg.translation import MessageInventory, TranslationState, state_of, sync_catalog, words_fault
from wongar_dsl.nlg.words import Translator
from wongar_dsl.nlg.words.catalog_check import LintFinding

LEXICON = """\
name: Français
features: {number: [sg, pl], gender: [m, f]}
numbers: {one: sg, many: pl, other: pl}
sounds: {vowel: a e i o u é h}
required: [sg, pl]
quotation: [«, »]
patterns: {s: {sg: ~, pl: ~s}}
determiners:
  def: {m: le, f: la, m.vowel: l’, f.vowel: l’, pl: les}
  indef: {m: un, f: une, pl: des}
prepositions: {de: "", dans: ""}
contractions: {de le: du, de les: des}
games:
  nim:
    nim: Nim
    match: {gender: f, sg: allumette, pl: allumettes}
    piece: {gender: f, like: s, stem: allumette}
    heap_a: {gender: m, sg: tas A, pl: tas A}
    heap_b: {gender: m, sg: tas B, pl: tas B}
    heap_c: {gender: m, sg: tas C, pl: tas C}
    stack: {gender: m, sg: tas, pl: tas}
    matches: {gender: m, sg: tas, pl: tas}
    box: {gender: f, sg: boîte, pl: boîtes}
    take: prendre
"""
SENTENCES = {
    "nim.taken": "{player} [prend|prennent|prendre] {token:num} {stack:de def}.",
    "nim.decision.turn": "{player}, combien d’allumettes, et de quel tas\N{NARROW NO-BREAK SPACE}?",
    "nim.decision.turn.take": "Prendre {n:match} {chosen:de def}",
    "nim.rules.1": "À tour de rôle, chacun prend une ou plusieurs allumettes. Qui prend la dernière gagne.",
    "nim.at.matches": "{one}",
    "nim.begins.play": "les joueurs choisissent qui [commence|commencent], puis jouent à tour de rôle.",
    "nim.example.no_more_matches_can_be_taken_from_a_heap_than_lie_in_it": "Prendre des allumettes",
    "nim.example.an_empty_heap_alone_wins_nothing_the_last_match_does": "La fin de la partie",
}

Change = Callable[[str], str]


@pytest.fixture(scope="module")
def inventory() -> MessageInventory:
    rules = library.load("nim")
    return MessageInventory.collect([rules.game(rules.model.players[0])])


@pytest.fixture(scope="module")
def catalog(inventory: MessageInventory, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a complete French catalog of nim, based on the file written by `--update`."""
    folder = tmp_path_factory.mktemp("made") / "fr"
    sync_catalog(folder, "fr", inventory)
    text = (folder / "classics.po").read_text(encoding="utf-8")
    # The rule that is written depends on the version of CLDR in Babel: some have a form for millions.
    text, replaced = re.subn(r"nplurals=\d; plural=.*;", "nplurals=2; plural=(n > 1);", text)
    assert replaced == 1
    for name, sentence in SENTENCES.items():
        empty = re.compile(rf'(msgctxt "{re.escape(name)}"\nmsgid ".*"\nmsgstr )""')
        text, replaced = empty.subn(lambda entry, sentence=sentence: f'{entry[1]}"{sentence}"', text)
        assert replaced == 1, name
    return text


@dataclass
class French:
    """A French translation of nim in which a test makes a mistake."""

    folder: Path
    inventory: MessageInventory

    def state(self) -> TranslationState:
        return state_of("fr", self.inventory, [self.folder.parent], "nim")

    def change(self, file: str, old: str, new: str) -> int:
        """Replace text in a file and return the line of the replacement."""
        text = (self.folder / file).read_text(encoding="utf-8")
        assert text.count(old) >= 1, old
        (self.folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")
        return text[: text.index(old)].count("\n") + 1

    def report_of(self, finding: LintFinding) -> str:
        """Return the text of the finding as printed by `wongar words`."""
        say = Translator.load("en", strict=True).say
        result = words_fault(finding)
        return f"{message(result, say)} {advice(result, say)}"


@pytest.fixture
def french(tmp_path: Path, inventory: MessageInventory, catalog: str) -> French:
    folder = tmp_path / "fr"
    folder.mkdir()
    (folder / "lexicon.yaml").write_text(LEXICON, encoding="utf-8")
    (folder / "classics.po").write_text(catalog, encoding="utf-8")
    return French(folder, inventory)


def test_correct_translation_has_no_findings(french: French) -> None:
    state = french.state()
    assert (state.done, state.all) == (8, 8)
    assert (state.incomplete, state.wrong) == ((), ())


PO, YAML = "classics.po", "lexicon.yaml"
DUPLICATE_ENTRY = '\nmsgctxt "nim.taken"\nmsgid "x"\nmsgstr "y"\n'
TOKEN = "prendre] {token:num}"
PLURAL_RULE = "this plural rule does not give one of the forms for every number. hint: Use the “Plural-Forms” line"
BAD_YAML = "not a valid words file. Only mappings, lists and text are allowed. hint: Indent"

#: Original text, replacement, and a part of the report, by file; `{}` stands for any text.
MISTAKES = {
    PO: [
        ("{chosen:de def}", "{chosn:de def}", "“chosn” that nothing fills. did you mean “chosen”?"),
        ("[prend|prennent|prendre]", "[prend] [+vi]", "the verb marks in “{}” cannot be parsed."),
        (" {stack:de def}.", ".", "leaves out the slot “stack”. hint: Use each slot"),
        ("k:de def}", "k:de deff}", "“deff” means nothing in a slot of this language. did you mean “def”?"),
        (TOKEN, "prendre] {token:num num}", "only one word like “num”. hint: After the colon"),
        ("{stack:de def}.", "{stack:de def.", "cannot be parsed. hint: Use each slot"),
        (TOKEN, "prendre] token:num}", "cannot be parsed. hint: Use each slot"),
        ('"nim.taken"', '"nim.takken"', "nim.takken is not used anywhere. did you mean “nim.taken”?"),
        ('"nim.taken"', '"nimm.taken"', "nimm.taken is not used anywhere. did you mean “nim.taken”?"),
        ('msgctxt "nim.taken"\n', "", "lacks its message name (msgctxt). hint: Compare"),
        ("plural=(n > 1)", "plural=(n >> 1 x)", PLURAL_RULE),
        ("nplurals=2", "nplurals=1", PLURAL_RULE),
        (TOKEN, 'prendre] "{token:num}', "a straight quotation mark inside the text. hint: Use the quotation marks"),
        (TOKEN, "prendre] „{token:num}“", "this language has « ». hint: Use the marks"),
        ("{stack:de def}.", "{stack:de def} .", "has a space too many, or one too few. hint: Take out the space"),
    ],
    YAML: [
        (
            ", sg: allumette, pl: allumettes",
            ", sg: allumette",
            "has to state its form pl. hint: Give the word this form",
        ),
        ("{gender: f, sg", "{sg", "does not state its gender: m or f. hint: Write `gender:`"),
        ("{gender: f, sg", "{gender: fem, sg", "“fem” means nothing here; this language has: m and f. hint: Use one"),
        (
            "{gender: f, sg",
            "{gendr: f, sg",
            "“gendr” means nothing here; this language has: {}. did you mean “gender”?",
        ),
        ("pl: allumettes", "plur: allumettes", "“plur” means nothing here; this language has: {}. did you mean “pl”?"),
        ("sg: allumette,", "sg: „allumette“,", "this language has « ». hint: Use the marks"),
        ("like: s, ", "like: z, ", "no pattern “z”; this language has: s. hint: Use one"),
        ("s, stem", "s, stam", "“stam” means nothing here; this language has: {}. did you mean “stem”?"),
        ("{sg: ~, pl:", "{sg: ~, pll:", "“pll” means nothing here; this language has: {}. did you mean “pl”?"),
        ("contractions:", "contractons:", "no section “contractons”. did you mean “contractions”?"),
        ("one: sg", "one: sing", "“sing” means nothing here; this language has: {}. did you mean “sg”?"),
        ("many: pl, ", "", "“numbers” lacks the form many. hint: Give the word this form"),
        ("    heap_b", " heap_b", BAD_YAML),
        ("nim: Nim", "nim: Nim: le jeu", BAD_YAML),
        ("    heap_b", "\theap_b", "the line is indented with a tab. hint: Indent with spaces"),
        ("    heap_b: {", "    heap_a: {", "“heap_a” is given twice. hint: Delete one of the two"),
        ("heap_b:", "heap_bb:", "“heap_bb” is not used anywhere. did you mean “heap_b”?"),
        ("  nim:\n", "  nimm:\n", "no game “nimm”. did you mean “nim”?"),
    ],
}


@pytest.mark.parametrize(("file", "mistake"), [(file, mistake) for file in MISTAKES for mistake in MISTAKES[file]])
def test_mistake_is_reported_once_with_line_and_remedy(french: French, file: str, mistake: tuple[str, ...]) -> None:
    old, new, expected = mistake
    line = french.change(file, old, new)
    state = french.state()
    assert len(state.wrong) == 1, [french.report_of(finding) for finding in state.wrong]
    finding = state.wrong[0]
    assert finding.file == str(french.folder / file)
    # An entry begins a few lines before its sentence; a quotation mark follows it.
    assert line - 5 <= finding.line <= line + 1
    pattern = re.escape(expected).replace(re.escape("{}"), ".*")
    assert re.search(pattern, french.report_of(finding)), french.report_of(finding)


@pytest.mark.parametrize("file", ["more.po", PO])
def test_duplicate_entry_is_reported_at_the_second_place(french: French, file: str) -> None:
    path = french.folder / file
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    path.write_text(text + DUPLICATE_ENTRY, encoding="utf-8")
    (finding,) = french.state().wrong
    assert (finding.name, finding.file) == ("words.entry_twice", str(path))
    assert finding.line == text.count("\n") + (2 if text else 3)


NOT_FUZZY = '#, no-python-brace-format\nmsgctxt "nim.taken"'


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (NOT_FUZZY, '#, fuzzy\nmsgctxt "nim.taken"', "marked as fuzzy. hint: Check"),
        ("[takes|take] {token:num}", "took {token:num}", "English sentence that has changed. hint: Run"),
        (SENTENCES["nim.taken"], "", "nim.taken is not translated. hint: Write your sentence"),
        ('"nim.taken"', '"ludo.xyz"', "no entry for nim.taken. hint: Run `wongar words` with `--update`"),
    ],
)
def test_unfinished_entries_are_reported_but_are_no_mistakes(french: French, old: str, new: str, expected: str) -> None:
    french.change(PO, old, new)
    state = french.state()
    assert (state.done, state.all, state.wrong) == (7, 8, ())
    (finding,) = state.incomplete
    assert expected in french.report_of(finding)


def test_missing_plural_form_is_reported(inventory: MessageInventory, tmp_path: Path) -> None:
    folder = tmp_path / "fr"
    sync_catalog(folder, "fr", inventory)
    (folder / YAML).write_text(LEXICON, encoding="utf-8")
    text = (folder / "cli.po").read_text(encoding="utf-8")
    entry = re.search(r'msgctxt "(cli\.[^"]*)"\nmsgid ".*"\nmsgid_plural ".*"\nmsgstr\[0\] ""', text)
    assert entry is not None
    (folder / "cli.po").write_text(text.replace(entry[0], entry[0][:-1] + 'x"'), encoding="utf-8")
    wrong = [finding for finding in state_of("fr", inventory, [tmp_path]).wrong if finding.about == entry[1]]
    assert [finding.name for finding in wrong] == ["words.missing_plural"]
    assert wrong[0].line


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufeff" + text,
        lambda text: text + '\n#~ msgctxt "nim.gone"\n#~ msgid "x"\n#~ msgstr "y"\n',
        lambda text: text.replace('"Language: fr\\n"', '"Language: fr\\n"\n"X-Generator: Poedit 3\\n"'),
        lambda text: text.replace('"Plural-Forms: nplurals=2; plural=(n > 1);\\n"\n', ""),
    ],
)
def test_catalogs_saved_by_editors_are_accepted(french: French, change: Change) -> None:
    text = (french.folder / PO).read_text(encoding="utf-8")
    (french.folder / PO).write_bytes(change(text).encode())
    assert (french.state().done, french.state().wrong) == (8, ())


def test_fault_of_a_translation_has_the_line_of_its_msgstr(french: French) -> None:
    french.change(PO, TOKEN, "prendre] {token:nun}")
    (finding,) = french.state().wrong
    assert (french.folder / PO).read_text(encoding="utf-8").splitlines()[finding.line - 1].startswith("msgstr")


def test_invalid_utf8_is_reported_with_its_line(french: French) -> None:
    data = (french.folder / PO).read_bytes()
    (french.folder / PO).write_bytes(data.replace("À tour".encode(), "À tour".encode("latin-1")))
    (finding,) = french.state().wrong
    assert finding.name == "words.not_utf8"
    assert finding.line == data[: data.index("À tour".encode())].count(b"\n") + 1


def test_spaces_before_marks_follow_the_lexicon(french: French) -> None:
    french.change(PO, "\N{NARROW NO-BREAK SPACE}?", " ?")
    assert [finding.name for finding in french.state().wrong] == ["words.spacing"]
    french.change(YAML, "quotation:", 'apart: ["?", "!"]\nquotation:')
    assert french.state().wrong == ()
