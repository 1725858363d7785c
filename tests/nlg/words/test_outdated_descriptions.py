"""Words about a value, a zone, a definition, an option or a step are not used if a variant changes what they say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.nlg.narration.told import change as changed
from tests.nlg.narration.told import game_of, narrator
from tests.nlg.prose.books import LANGUAGES, model, variant
from wongar_dsl.base.span import Source
from wongar_dsl.language.parser import parse
from wongar_dsl.language.variants.merge import MergedRules, apply_variant, from_game, reported_steps
from wongar_dsl.nlg.prose.document.translation_checks import sentences_of
from wongar_dsl.nlg.words import Translator
from wongar_dsl.nlg.words.locale import ABOUT_CHANGES, ABOUT_OPTIONS, ALWAYS, OTHERWISE, load_locale, scope_of

GAMES = ("wongar", "tongiaki", "ubongo", "tictactoe", "connect_four", "nim", "kuhn_poker", "goofspiel")
ENGLISH = load_locale("en", ())
OTHER = frozenset({"changed"})

#: Sorts of sentences that no such change makes untrue: names of calls, places and headings, and values themselves.
INDEPENDENT = frozenset({"rule", "gives", "is", "of", "at", "about", "begins", "first"})


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
        before, after = (w._locale.catalog.entries for w in (said, said.without_outdated(f"{game}/changed", changes)))
        used += [(language, word) for word in words if after.get(word) is not before.get(f"{word}{OTHERWISE}")]
    return used


@pytest.mark.parametrize("game", GAMES)
def test_every_sort_of_sentence_is_guarded_or_independent(game: str) -> None:
    rules = model(game)
    sorts = {name.partition(".")[0] for name, _ in sentences_of(rules)} - rules.messages.keys()
    assert sorts - ABOUT_CHANGES - ABOUT_OPTIONS - INDEPENDENT == set()


@pytest.mark.parametrize("game", ["wongar+initiated", "ubongo+hard", "ubongo+long"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_variants_of_the_games_keep_their_words(game: str, language: str) -> None:
    rules, words = model(game), Translator.load(language)
    kept = words.without_outdated(rules.scope, rules.changes)._locale.catalog.entries
    lost = [name.partition(".") for name in words._locale.catalog.entries.keys() - kept.keys()]
    assert [name for game, _, name in lost if game == rules.name and f"{rules.scope}.{name}" not in kept] == []


SOLVED = model("ubongo").code.rules["solved"].span.source.text.partition("rule solved")[2].partition("\n\n")[0]
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
    changes, name = variant(game, change).changes, key.partition(".")[2]
    assert changes[key] >= OTHER
    assert still_used(sentences_about(game, name), game, {key: changes[key]}) == []


@pytest.mark.parametrize("change", [f"before rule increase\n{BESIDE}", f"after rule landing\n{BESIDE}"])
def test_a_gain_beside_a_rule_leaves_the_words_for_its_marks(change: str) -> None:
    rules, about = variant("tongiaki", change), sentences_about("tongiaki", "served")
    assert len(about) == 4
    assert still_used(about, "tongiaki", rules.changes) == [(lang, word) for lang in LANGUAGES for word in about]


def test_a_copy_of_a_rule_changes_nothing() -> None:
    rules = variant("ubongo", f"replace {COPY}")
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
    game_told = game_of(tmp_path, changed(game, change))
    told, (state, _) = narrator(game_told, language), game_told.start(1)
    assert question in told.prompt(state)
    assert told.option(state, state.legal_moves()[0]) == option


@pytest.mark.parametrize("game", GAMES)
def test_the_sentence_of_a_call_gives_way_with_its_rule_unless_it_is_a_mere_name(game: str) -> None:
    named = {word: word.partition(".")[2] for word in sentences(game, r"rule\.\w+")}
    assert [word for word, rule in named.items() if rule not in ENGLISH.guards.get(word, ())] == []


RULES = """game hoard
    players 2
    source house rule

cards card
    red
    blue

pile stack holds card, seen as a number
pile discards holds card, seen as a number
heap hoard of each player holds card, seen by all

remember keeper: player
remember taken: number = 0
remember last: number = 0
score points of each player

play
    set taken to taken + 1
    set keeper to player(1)
    tell keeper_found(player: keeper)
    for each p in player
        move top of stack to hoard of p quietly
    set last to 2
    tell dealt
    shuffle discards quietly
    p chooses turn
        keep
            move top of discards to hoard of p quietly
        throw
            move bottom of discards to stack quietly
            tell thrown(player: p)
    if taken > 3
        player(1) gains 1 points as scored(player: p, n)
"""


def merged(*variants: str) -> MergedRules:
    """Return the rules of the small game with the changes of one variant, and of others that build on it."""
    rules = from_game(parse(Source("hoard.rules", RULES))[0])
    assert rules is not None
    for name, changes in zip("vw", variants, strict=False):
        tree, wrong = parse(Source(f"{name}.rules", f"variant {name} of hoard\n    source house rule\n\n{changes}\n"))
        rules, diagnostics = apply_variant(rules, tree)
        assert (*wrong, *diagnostics) == ()
    return rules


@pytest.mark.parametrize(
    ("changes", "outdated"),
    [
        # A message behind the step, directly or after a loop.
        ("remove taken from play", {"keeper_found"}),
        ("remove hoard from play", {"dealt"}),
        ("remove last from play", {"dealt"}),
        ("set last in play to 3", {"dealt"}),
        ("remove last from play\nafter hoard in play\n    set last to 3", {"dealt"}),
        ("after last in play\n    set last to 3", {"dealt"}),
        # The last message of the block for the steps behind it.
        ("remove discards from play", {"dealt"}),
        # The message names the new value, but not that nothing is set.
        ("set keeper in play to player(2)", set()),
        ("remove keeper from play\nafter taken in play\n    set keeper to player(2)", set()),
        ("remove keeper from play", {"keeper_found"}),
        # A step that has a message of its own, or is new, or stays where it is.
        ("remove scored from play", set()),
        ("before dealt in play\n    shuffle stack quietly", set()),
        ("before play\n    set taken to 2", set()),
        # The steps of an option, which no message outside it reports.
        ("remove keep from choice turn", set()),
    ],
)
def test_a_message_is_outdated_by_a_change_of_what_it_reports(changes: str, outdated: set[str]) -> None:
    assert {key for key in merged(changes).changes() if key.startswith("message.")} == {
        f"message.{name}" for name in outdated
    }


#: Rules that a variant replaces, with its own steps after the messages.
REPLACED = """replace play
    set keeper to player(2)
    tell keeper_found(player: keeper)
    move top of stack to hoard of player(1) quietly
    tell dealt
    p_chooses(player(1))

rule p_chooses(p: player)
    p chooses extra
        burn
            set last to 3
            move top of discards to hoard of p quietly
        keep
            nothing
"""


@pytest.mark.parametrize(
    ("change", "outdated"),
    [
        ("remove keeper from play", {"message.keeper_found"}),
        ("remove hoard from play", {"message.dealt"}),
        ("remove last from rule p_chooses", {"choice.extra.burn"}),
        ("set last in rule p_chooses to 4", {"changes.last"}),
        ("remove dealt from play", set()),
    ],
)
def test_a_change_of_what_another_variant_wrote_counts(change: str, outdated: set[str]) -> None:
    by_second = {key for key, variants in merged(REPLACED, change).changes().items() if "w" in variants}
    assert by_second - {"play", "rule.p_chooses"} >= outdated
    assert outdated or by_second == {"play"}


#: Changes of a step that a message of the log reports: another step, or another value that the message does not name.
REPORTED = (
    ("wongar", "round_begins", "remove round from play"),
    ("wongar", "first_holders", "remove boomerang from rule choose_first_holders"),
    ("tongiaki", "departs", "remove at_sea from rule put_to_sea"),
    ("ubongo", "placed", "remove standing from setup"),
    ("tictactoe", "marked", "set owner in play to left of p"),
    ("kuhn_poker", "betted", "remove stake from play"),
    ("kuhn_poker", "called", "set stake in rule answer to 1"),
)


@pytest.mark.parametrize(("game", "message", "change"), REPORTED)
def test_the_log_does_not_report_a_removed_step_or_another_value(game: str, message: str, change: str) -> None:
    for language in LANGUAGES:
        words = Translator.load(language)
        fitting = words.without_outdated(f"{game}/changed", variant(game, change).changes)
        after, before = (w._locale.catalog.entries for w in (fitting, words))
        assert after[f"{game}.{message}"] is before[f"{game}.{message}{OTHERWISE}"], language
        if change.startswith("set"):
            assert [n for n in after if n.startswith(f"{game}.{message}.") and not n.endswith(OTHERWISE)] == []


@pytest.mark.parametrize("game", GAMES)
def test_every_report_of_a_step_has_a_substitute(game: str) -> None:
    entries = ENGLISH.catalog.entries
    reports = {report for a in model(game).code.procedures for report, n in reported_steps(a.body).items() if n}
    assert [r.message.name for r in reports if f"{game}.{r.message.name}{OTHERWISE}" not in entries] == []
