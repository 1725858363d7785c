"""`docs/translating.md` describes all features correctly, and its walk-through works."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from tests.cli.command import Command, isolated_environment
from wongar_dsl.engine.library import load
from wongar_dsl.nlg.prose.document.translation_checks import sentences_of
from wongar_dsl.nlg.words.arguments import (
    ADDRESSED,
    Attribute,
    Genitive,
    Listing,
    NounPhrase,
    PlayerName,
    Relative,
    Sentence,
    Term,
    Value,
)
from wongar_dsl.nlg.words.clause import parse_template
from wongar_dsl.nlg.words.lexicon_reader import RESERVED, SECTIONS
from wongar_dsl.nlg.words.locale import Locale, load_locale

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "translating.md").read_text(encoding="utf-8")
LANGUAGES = ROOT / "tests" / "data" / "languages"

PLAYER, SUPPLY = NounPhrase(Term("player"), ("def",)), NounPhrase(Term("supply"), ("def",))
CARD, ONE_CARD = NounPhrase(Term("card"), ("def",)), NounPhrase(Term("card"), ("indef",))
THEIRS = Attribute("prose.of.one", {"owner": PLAYER})
#: Values of the slots in the sentences.
VALUES: dict[str, Value] = {
    **{name: Term(name) for name in ("pile", "card", "area", "direction")},
    "player": PLAYER,
    "name": PlayerName("Anna"),
    "players": Listing((PlayerName("Anna"), PlayerName("Eva"))),
    "hers": Genitive(Term("card"), (PlayerName("Anna"),)),
    "supply": SUPPLY,
    "ritual_pile": NounPhrase(Term("ritual_pile", "wongar"), ("def",)),
    "has": Sentence("prose.has", {"player": PLAYER, "what": ONE_CARD, "place": SUPPLY}),
    "gets": Sentence("prose.gets", {"player": NounPhrase(Term("player"), pronoun=True), "what": ONE_CARD}),
    "has_none": Sentence(
        "prose.has", {"player": PLAYER, "what": NounPhrase(Term("card"), ("not_any",)), "place": SUPPLY}
    ),
    "has_there": Sentence("prose.has", {"player": PLAYER, "what": ONE_CARD, "place": replace(SUPPLY, there=True)}),
    "is_not": Sentence("prose.is.not", {"what": PLAYER, "other": NounPhrase(Term("winner"), ("def",))}),
    "empty": Sentence("prose.empty", {"place": SUPPLY}),
    "who": NounPhrase(
        Term("player"), ("def",), (Relative("prose.has", "player", {"what": ONE_CARD, "place": SUPPLY}),)
    ),
    "full": NounPhrase(Term("supply"), ("indef",), (Relative("prose.lies", "place", {"what": ONE_CARD}),)),
    "own": NounPhrase(Term("supply"), own=True),
    "you": NounPhrase(ADDRESSED),
    "your_supply": NounPhrase(Term("supply"), own=True, whose=NounPhrase(ADDRESSED)),
    "theirs": NounPhrase(Term("card"), ("def",), (THEIRS,)),
    "each": NounPhrase(Term("card"), ("every",), (THEIRS,)),
}


def rows(header: str) -> list[list[str]]:
    """Return the cells of the table that begins with `header`, without code marks."""
    table = GUIDE.partition(header)[2].partition("\n\n")[0].splitlines()[2:]
    cells = ([cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in table)
    return [[cell.replace(r"\|", "|") for cell in row] for row in cells]


@cache
def locale(language: str) -> Locale:
    return load_locale(language, [LANGUAGES], strict=True)


FEATURES = rows("| language | feature |")


@pytest.mark.parametrize("row", FEATURES, ids=lambda row: f"{row[0]}: {row[2]}")
def test_features_work_as_documented(row: list[str]) -> None:
    language, _, sentence, slots, expected = row
    number = re.search(r"n = (\d+)", slots)
    values = {**VALUES, **({"n": int(number[1])} if number else {})}
    template = parse_template(sentence.strip("`"))
    assert template.names <= set(values)
    # Only sentences with a marked verb are capitalised in the table.
    before = "" if template.clause is not None else "x "
    text = locale(language).sentence(parse_template(before + sentence.strip("`")), values, "wongar")
    assert text == before + expected


def test_table_has_examples_of_all_languages() -> None:
    assert {row[0] for row in FEATURES} == {"de", "nl", "it", "en", "sv"}


def test_all_reserved_words_are_explained() -> None:
    explained = " ".join(f"{row[0]} {row[1]}" for row in rows("| word | meaning | example |"))
    assert [word for word in RESERVED if f"`{word}`" not in explained] == []


def test_all_lexicon_sections_are_explained() -> None:
    explained = {name for row in rows("| section |") for name in re.findall(r"`(\w+)[:`]", row[0])}
    assert explained == SECTIONS


@pytest.mark.parametrize("language", ["de", "nl", "it", "en", "sv"])
def test_all_languages_have_the_required_words(language: str) -> None:
    required = " ".join(
        GUIDE.partition("Every language has the determiners")[2].partition("under\nthese names")[0].split()
    )
    determiners, adjectives, places = re.split("the adjectives|the places", required)
    lexicon = locale(language).lexicon
    assert set(re.findall(r"`(\w+)`", determiners)) <= set(lexicon.determiners)
    assert set(re.findall(r"`(\w+)`", adjectives)) <= set(lexicon.adjectives)
    assert set(re.findall(r"`(\w+)`", places)) <= set(lexicon.places)


def test_all_optional_sentences_of_games_are_explained() -> None:
    explained = {
        name.partition(".")[0] for row in rows("| name of the sentence | says |") for name in row[0].split("`")[1::2]
    } - {""}
    offered = {
        name.partition(".")[0]
        for game in ("nim", "connect_four", "kuhn_poker", "goofspiel")
        for name, _ in sentences_of(load(game).model)
        if not name.removesuffix(".by").endswith((".rule", ".fills"))
    }
    assert offered | {"MESSAGE", "about", "clock", "title"} == explained


def test_example_sentences_exist_in_the_catalog() -> None:
    entries = {text for entry in load_locale("en", ()).catalog.entries.values() for text in entry.english}
    examples = [row[2].strip("`") for row in rows("| name of the sentence | says |") if row[2].startswith("`")]
    assert len(examples) > 10
    assert [example for example in examples if not {example, f"{example}."} & entries] == []


def test_walkthrough_quotes_the_files() -> None:
    lexicon = (LANGUAGES / "sv" / "lexicon.yaml").read_text(encoding="utf-8").splitlines()
    shown = GUIDE.partition("## A walk-through")[2].partition("```yaml\n")[2].partition("```")[0].splitlines()
    assert len(shown) > 10
    assert [line for line in shown if line.removeprefix("   ") not in lexicon] == []
    entries = locale("sv").catalog.entries
    for name, text in re.findall(r"`(prose\.\w+)` is `([^`]+)`", GUIDE.partition("## A walk-through")[2]):
        assert entries[name].texts == (" ".join(text.split()),)


def test_walkthrough_commands_print_the_output_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in isolated_environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(ROOT)
    wongar = Command(tmp_path, monkeypatch, capsys)
    blocks = re.findall(r"```\n +\$ wongar (.*)\n((?: +.*\n)+?) +```", GUIDE.partition("## A walk-through")[2])
    assert len(blocks) == 2
    for command, output in blocks:
        done = wongar(*command.split())
        assert done.code == 0
        assert [line for line in output.splitlines() if line.strip() not in done.out] == []
