"""Words about a value, a zone, a definition or an option are not used if a variant changes what they say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.nlg.prose.books import LANGUAGES, rules_of
from tests.nlg.prose.books import model as model_of
from wongar_dsl.engine.library import load
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Model
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


SOLVED = model_of("ubongo").code.rules["solved"].span.source.text.partition("rule solved")[2].partition("\n\n")[0]
COPY = re.sub(r"    source .*\n", "", f"rule solved{SOLVED}")
BESIDE = "    me gains 2 points for islands_of_2"
#: Changes of what a sentence says: the game, the change, and the value, zone or definition that it is about.
OUTDATING = (
    *(("ubongo", change, "changes.finished") for change in (
        "set finished in rule play_round to 1",
        "remove finished from rule play_round",
        "replace remember finished: number 0 to 4 = 1",
        "rule more()\n    set finished to 1\nafter play\n    more()",
        "replace rule lay_gems()\n    set finished to 1",
    )),
    # A removed call counts for what its rule sets.
    ("tongiaki", "remove nobody_served from rule increase", "changes.served"),
    ("tongiaki", "before play\n    for each b in beach\n        set served of b to yes", "changes.served"),
    # The end of a pile belongs to the pile.
    *(("wongar", f"before rule final_scoring\n    move {end} of area_pile of emu to taken of player(1) quietly", key)
      for end in ("top", "bottom") for key in ("changes.area_pile", "changes.taken")),
    ("nim", "before play\n    move all of matches of heap_a to box quietly", "changes.matches"),
    ("goofspiel", "replace define offer(p: player) = 0", "define.offer"),
    ("kuhn_poker", "replace define strength(p: player) = 0", "define.strength"),
)  # fmt: skip


@pytest.mark.parametrize(("game", "change", "key"), OUTDATING)
def test_words_about_what_a_variant_changes_are_dropped(game: str, change: str, key: str) -> None:
    changes, name = variant_of(game, change).changes, key.partition(".")[2]
    assert changes[key] >= OTHER
    assert still_used(sentences_about(game, name), game, {key: changes[key]}) == []


@pytest.mark.parametrize("change", [f"before rule increase\n{BESIDE}", f"after rule landing\n{BESIDE}"])
def test_a_gain_beside_a_rule_leaves_the_words_for_its_marks(change: str) -> None:
    rules, about = variant_of("tongiaki", change), sentences_about("tongiaki", "served")
    assert len(about) == 4
    assert still_used(about, "tongiaki", rules.changes) == [(lang, word) for lang in LANGUAGES for word in about]


def test_a_copy_of_a_rule_changes_nothing() -> None:
    rules = variant_of("ubongo", f"replace {COPY}")
    assert [key for key in rules.changes if key.startswith(("changes.", "choice."))] == []


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


@pytest.mark.parametrize("game", GAMES)
def test_the_sentence_of_a_call_gives_way_with_its_rule_unless_it_is_a_mere_name(game: str) -> None:
    named = {word: word.partition(".")[2] for word in sentences(game, r"rule\.\w+")}
    assert [word for word, rule in named.items() if rule not in ENGLISH.guards.get(word, ())] == []
