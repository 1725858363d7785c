"""Messages that report a step which a variant changed or removed: their sentences give way to substitutes."""

from __future__ import annotations

import pytest

from tests.nlg.prose.books import LANGUAGES, model, variant
from wongar_dsl.base.span import Source
from wongar_dsl.language.parser import parse
from wongar_dsl.language.variants.addressable_parts import steps_of
from wongar_dsl.language.variants.merge import MergedRules, apply_variant, from_game, reported_steps
from wongar_dsl.nlg.words import Translator
from wongar_dsl.nlg.words.locale import OTHERWISE, load_locale

GAMES = ("wongar", "tongiaki", "ubongo", "tictactoe", "connect_four", "nim", "kuhn_poker", "goofspiel")

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


def removals(game: str) -> Iterator[tuple[str, str]]:
    """Yield the messages of a game with a change that removes a step which they report."""
    for article in model(game).code.procedures:
        labels = [step.label for step in steps_of(article) if step.label]
        for report, steps in reported_steps(article.body).items():
            for name in (step.label for step in steps if step.label):
                if labels.count(name) == 1:
                    assert report.message.name is not None
                    yield report.message.name, f"remove {name} from {' '.join(filter(None, s.key_of(article)))}"


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
    entries = load_locale("en", ()).catalog.entries
    reports = {report for a in model(game).code.procedures for report, n in reported_steps(a.body).items() if n}
    assert [r.message.name for r in reports if f"{game}.{r.message.name}{OTHERWISE}" not in entries] == []
