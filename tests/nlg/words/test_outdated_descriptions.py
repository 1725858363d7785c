"""Words about a value, a zone, a definition or an option are not used if a variant changes what they say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path

import pytest

from tests.nlg.prose.books import LANGUAGES, rules_of
from tests.nlg.prose.books import model as model_of
from wongar_dsl.engine.library import load
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Model
from wongar_dsl.language.variants.merge import outdated_descriptions
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.prose.document.translation_checks import sentences_of
from wongar_dsl.nlg.words import Translator
from wongar_dsl.nlg.words.locale import ABOUT_CHANGES, ABOUT_OPTIONS, ALWAYS, OTHERWISE, load_locale, scope_of

GAMES = ("wongar", "tongiaki", "ubongo", "tictactoe", "connect_four", "nim", "kuhn_poker", "goofspiel")
ENGLISH = load_locale("en", ())
OTHER = frozenset({"other"})

#: Sorts of sentences that no such change makes untrue: names of calls, places and headings, and values themselves.
INDEPENDENT = frozenset({"rule", "gives", "is", "of", "at", "about", "begins", "first"})


def text_of_variant(game: str, change: str) -> str:
    return f"variant other of {game}\n    source house rule\n\n{change}\n"


def variant_of(game: str, change: str) -> Model:
    return rules_of("other", text_of_variant(game, change))


def sentences(game: str, pattern: str) -> list[str]:
    """Return the sentences of a game whose names match, but for those that are true of any change."""
    return [
        word
        for word in ENGLISH.catalog.entries
        if scope_of(word) == game
        and re.fullmatch(rf"[^.]+\.{pattern}", word)
        and not word.endswith(OTHERWISE)
        and ALWAYS not in ENGLISH.guards.get(word, ())
    ]


def sentences_about(game: str, name: str) -> list[str]:
    """Return the sentences that say how a value changes, what a zone holds or what a definition means."""
    return sentences(game, rf"(?:{'|'.join(ABOUT_CHANGES)})\.{name}(?:\.\w+)*")


def still_used(words: list[str], game: str, changes: Mapping[str, frozenset[str]]) -> list[tuple[str, str]]:
    used = []
    for language in LANGUAGES:
        said = Translator.load(language)
        before, after = (w._locale.catalog.entries for w in (said, said.without_outdated(f"{game}/other", changes)))
        used += [(language, word) for word in words if after.get(word) is not before.get(f"{word}{OTHERWISE}")]
    return used


def procedures(model: Model) -> list[s.Procedure]:
    return [article for article in model.code.articles if isinstance(article, s.Procedure)]


@pytest.mark.parametrize("game", GAMES)
def test_every_sort_of_sentence_is_guarded_or_independent(game: str) -> None:
    model = model_of(game)
    sorts = {name.partition(".")[0] for name, _ in sentences_of(model)} - model.messages.keys()
    assert sorts - ABOUT_CHANGES - ABOUT_OPTIONS - INDEPENDENT == set()


@pytest.mark.parametrize("game", ["wongar+initiated", "ubongo+hard", "ubongo+long"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_variants_of_the_games_keep_their_words(game: str, language: str) -> None:
    model, words = model_of(game), Translator.load(language)
    kept = words.without_outdated(model.scope, model.changes)._locale.catalog.entries
    lost = [name.partition(".") for name in words._locale.catalog.entries.keys() - kept.keys()]
    assert [name for game, _, name in lost if game == model.name and f"{model.scope}.{name}" not in kept] == []


# ---- values -----------------------------------------------------------------------------------------------------


def setting(model: Model, name: str) -> Iterator[str]:
    """Yield the lines of a change that sets a value, for each of its indices."""
    value = model.declared.remembered[name]
    letters = [f"index_{n}" for n, _ in enumerate(value.indices)]
    lines = [f"for each {letter} in {kind}" for letter, kind in zip(letters, value.indices, strict=True)]
    target = f"{name}[{', '.join(letters)}]" if len(letters) > 1 else " of ".join((name, *letters))
    lines.append(f"set {target} to {({'truth': 'yes', 'number': '1'}).get(value.type.kind, 'nobody')}")
    yield from ("    " * depth + line for depth, line in enumerate(lines, 1))


@pytest.mark.parametrize("game", GAMES)
def test_words_about_a_value_are_dropped_if_a_variant_sets_it_elsewhere(game: str) -> None:
    model = model_of(game)
    names = [name for name in model.declared.remembered if sentences_about(game, name)]
    lines = [line for name in names for line in setting(model, name)]
    rules = variant_of(game, "\n".join(("before play", "    nothing", *lines)))
    for key, name in ((f"changes.{name}", name) for name in names):
        assert still_used(sentences_about(game, name), game, {key: rules.changes[key]}) == []


@pytest.mark.parametrize(
    "change",
    [
        "set finished in rule play_round to 1",
        "remove finished from rule play_round",
        "replace remember finished: number 0 to 4 = 1",
        "rule more()\n    set finished to 1\nafter play\n    more()",
        "replace rule lay_gems()\n    set finished to 1",
    ],
)
def test_any_other_way_of_setting_a_value_counts(change: str) -> None:
    rules = variant_of("ubongo", change)
    assert rules.changes["changes.finished"] >= OTHER
    assert still_used(sentences_about("ubongo", "finished"), "ubongo", rules.changes) == []


def test_a_removed_call_counts_for_what_its_rule_sets() -> None:
    rules = variant_of("tongiaki", "remove nobody_served from rule increase")
    assert rules.changes["changes.served"] >= OTHER
    assert still_used(sentences_about("tongiaki", "served"), "tongiaki", rules.changes) == []


@pytest.mark.parametrize(("place", "rule"), [("before", "increase"), ("after", "landing")])
def test_a_gain_beside_a_rule_leaves_the_words_for_its_marks(place: str, rule: str) -> None:
    rules = variant_of("tongiaki", f"{place} rule {rule}\n    me gains 2 points for islands_of_2")
    used = [(language, word) for language in LANGUAGES for word in sentences_about("tongiaki", "served")]
    assert len(used) == 4 * len(LANGUAGES)
    assert still_used(sentences_about("tongiaki", "served"), "tongiaki", rules.changes) == used


def test_a_copy_of_a_rule_changes_nothing() -> None:
    text = model_of("ubongo").code.rules["solved"].span.source.text
    copy = re.search(r"^rule solved.*?(?=^#|^rule|^define)", text, re.MULTILINE | re.DOTALL)
    assert copy is not None
    rules = variant_of("ubongo", re.sub(r"    source .*\n", "", f"replace {copy[0]}"))
    assert [key for key in rules.changes if key.startswith(("changes.", "choice."))] == []


# ---- zones ------------------------------------------------------------------------------------------------------


ZONES = [(game, name) for game in GAMES for name in model_of(game).declared.zones if sentences_about(game, name)]


@pytest.mark.parametrize(("game", "name"), ZONES, ids=lambda part: part)
def test_words_about_a_zone_are_dropped_if_things_come_there_in_another_way(game: str, name: str) -> None:
    model, key = model_of(game), f"changes.{name}"
    deeds = [
        node
        for article in procedures(model)
        for node in s.walk(article)
        if isinstance(node, s.MoveTokens | s.Move | s.MoveAll)
    ]
    deed = next(node for node in deeds if key in {*outdated_descriptions(None, node, {})})
    for article in procedures(model):
        more = replace(article, body=(*article.body, deed))
        assert key in outdated_descriptions(article, more, {})
        assert key not in outdated_descriptions(more, article, {})
    assert still_used(sentences_about(game, name), game, {key: OTHER}) == []


@pytest.mark.parametrize("end", ["top", "bottom"])
def test_the_end_of_a_pile_belongs_to_the_pile(end: str) -> None:
    change = f"before rule final_scoring\n    move {end} of area_pile of emu to taken of player(1) quietly"
    changes = variant_of("wongar", change).changes
    assert {"changes.area_pile", "changes.taken"} <= changes.keys()


# ---- definitions ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_words_about_a_definition_are_dropped_if_a_variant_replaces_it(game: str) -> None:
    model, changes = model_of(game), list[str]()
    names = [name for name in model.code.defines if sentences_about(game, name)]
    for name in names:
        define = model.code.defines[name]
        pattern = rf"^(define {name}\([^)]*\)) =(.*?)\n(?=\n|#|    source)"
        written = re.search(pattern, define.span.source.text, re.MULTILINE | re.DOTALL)
        assert written is not None
        value = {"truth": f"not ({written[2]})", "number": "0"}.get(model.types[define.value].kind, "nobody")
        changes.append(f"replace {written[1]} = {value}")
    rules = variant_of(game, "\n".join(changes))
    for key, name in ((f"define.{name}", name) for name in names):
        assert still_used(sentences_about(game, name), game, {key: rules.changes[key]}) == []


# ---- options ----------------------------------------------------------------------------------------------------


def without_body(tree: object, option: s.Option) -> object:
    """Return a copy of a tree in which an option does nothing."""
    if tree is option:
        return replace(option, body=())
    if isinstance(tree, tuple):
        return tuple(without_body(part, option) for part in tree)
    if not isinstance(tree, s.Node):
        return tree
    return type(tree)(*(without_body(getattr(tree, part.name), option) for part in fields(tree)))


OPTIONS = [
    (game, article, f"{model_of(game).decision_names[node]}.{choice.name.text}", choice)
    for game in GAMES
    for article in procedures(model_of(game))
    for node in s.walk(article)
    if isinstance(node, s.Choose | s.ChooseSimultaneously)
    for choice in node.options
    if any(isinstance(deed, s.StatementNode) and (deed.changes or isinstance(deed, s.Call)) for deed in s.walk(choice))
]


@pytest.mark.parametrize(
    ("game", "article", "option", "choice"), OPTIONS, ids=lambda part: part if isinstance(part, str) else ""
)
def test_words_about_an_option_are_dropped_if_a_variant_takes_something_from_it(
    game: str, article: s.Procedure, option: str, choice: s.Option
) -> None:
    changed = without_body(article, choice)
    assert isinstance(changed, s.Procedure)
    keys = {key for key in outdated_descriptions(article, changed, {}) if key.startswith("choice.")}
    assert f"choice.{option}" in keys
    words = sentences(game, rf"(?:decision|option)\.{option}")
    words += sentences(game, rf"decision\.{option.partition('.')[0]}")
    assert still_used(words, game, dict.fromkeys(keys, OTHER)) == []
    more = replace(article, body=(*article.body, *choice.body))
    assert not any(key.startswith("choice.") for key in outdated_descriptions(article, more, {}))
    assert not [*outdated_descriptions(article, s.copied(article), {})]


OTHERS_MARK = "set owner in play to left of p"
NOTHING_TAKEN = "remove taken from play\nbefore wins in play\n    move 1 match from matches of heap_a to box quietly"


@pytest.mark.parametrize(
    ("game", "change", "language", "question", "option"),
    [
        ("tictactoe", OTHERS_MARK, "de", "ein freies Feld wählen", "„Setzen“ wählen: a3"),
        ("tictactoe", OTHERS_MARK, "nl", "een leeg veld kiezen", "“Zetten” kiezen: a3"),
        ("tictactoe", OTHERS_MARK, "it", "scegliere una casella libera", "Scegliere «segnare»: a3"),
        ("nim", NOTHING_TAKEN, "en", "choose a heap and a number", "Choose “take”: heap A, 1"),
    ],
)
def test_an_option_that_does_something_else_is_quoted(
    game: str, change: str, language: str, question: str, option: str, tmp_path: Path
) -> None:
    (tmp_path / "other.rules").write_text(text_of_variant(game, change), encoding="utf-8")
    played = load(tmp_path / "other.rules").game(2, backend="reference")
    narrator = Narrator(played, Translator.load(language), ["Anna", "Bert"])
    state, _ = played.start(1)
    assert question in narrator.prompt(state)
    assert narrator.option(state, state.legal_moves()[0]) == option


# ---- names of rules ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_the_sentence_of_a_call_gives_way_with_its_rule_unless_it_is_a_mere_name(game: str) -> None:
    named = {word: word.partition(".")[2] for word in sentences(game, r"rule\.\w+")}
    assert [word for word, rule in named.items() if rule not in ENGLISH.guards.get(word, ())] == []
