"""Repeated mentions in rulebooks, and statements combined into one sentence."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.small_games import write_rules
from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Model, Type
from wongar_dsl.nlg.prose.context import ProseContext
from wongar_dsl.nlg.prose.game_facts import GameFacts
from wongar_dsl.nlg.prose.micro.name_bindings import by_term
from wongar_dsl.nlg.prose.micro.plan_text import text_of
from wongar_dsl.nlg.prose.pipeline import plan_of
from wongar_dsl.nlg.prose.verbalisation_log import VerbalisationLog

from .books import LANGUAGES, model, plans_of, rules_in, rules_of, shipped, text_of_book, units_of, words


def rule_lines(rules: Model, name: str, language: str = "en") -> tuple[str, ...]:
    """Return the lines of a declaration whose nodes are all verbalised."""
    [article] = (a for a in rules.code.articles if name in (a.name.text, a.keyword))
    assert isinstance(article, s.Procedure | s.Define)
    _, account = plans_of(rules, article)
    assert not [*account.unreported(article.value if isinstance(article, s.Define) else article.body)]
    return tuple(unit.text for unit in units_of(rules, article, language))


@cache
def wongar(name: str, language: str = "en") -> tuple[str, ...]:
    return rule_lines(model("wongar"), name, language)


def wongar_with(path: Path, before: str, after: str) -> Model:
    """Return the model of Wongar with one part of its rules replaced."""
    text = shipped("wongar").sources[-1].text
    assert before in text
    path = path / "wongar.rules"
    path.write_text(text.replace(before, after, 1), encoding="utf-8")
    return rules_in(path)


def test_place_is_named_with_its_area_once() -> None:
    lines = wongar("lay_area_cards")
    assert sum("the pile of area cards of this area" in line for line in lines) == 1
    assert "The top card of the pile of area cards is turned up in this area." in lines


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("de", "Sie kommt unter den Gebietskartenstapel."),
        ("nl", "Hij komt onder de gebiedskaartenstapel."),
        ("it", "Va sotto il mazzetto di carte-area."),
        ("en", "It goes under the pile of area cards."),
    ],
)
def test_card_of_the_preceding_condition_is_a_pronoun(language: str, line: str) -> None:
    assert line in wongar("lay_area_cards", language)


def test_moved_card_is_no_longer_the_top_card() -> None:
    lines = wongar("lay_area_cards")
    after = lines[lines.index("It goes under the pile of area cards.") + 1]
    assert after == "The top card of the pile of area cards is turned up in this area."


PILE = """
cards card
    red
    blue
deck pack of card
    2 red, 2 blue
pile stock holds card, seen as a number
heap bin holds card, seen by all
score points
setup
    fill stock with pack
    act(player(1))
play
    player(1) wins
rule act(p: player)
    {first}
    if {end} of stock is red
        p gains 2 points
"""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("end", ["top", "bottom"])
@pytest.mark.parametrize(
    "first",
    [
        "move {end} of stock to bin",
        "if {end} of stock is blue\n        move {end} of stock to bin",
        "if {end} of stock is blue\n        p gains 1 points\n        move {end} of stock to bin",
        "let drawn = {end} of stock\n    move {end} of stock to bin",
    ],
)
def test_card_at_an_end_of_a_pile_is_told_with_its_pile_after_a_move(
    tmp_path: Path, first: str, end: str, language: str
) -> None:
    """*The top card* would be the one that was moved."""
    rules = rules_in(write_rules(tmp_path, PILE.format(first=first.format(end=end), end=end)))
    assert "stock" in rule_lines(rules, "act", language)[-1]


def test_weighted_draw_is_worded_as_a_random_draw() -> None:
    drawn = "as many tokens as the starting number of this area says are drawn at random from the cloth bag"
    assert any(drawn in line for line in wongar("place_first_tokens"))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("move 1 kind from bag of owner", "move 2 kind from bag of owner"),
        ("weighted by bag[owner, k]", "weighted by supply[owner, k]"),
    ],
)
def test_other_weighted_draws_are_described_stepwise(tmp_path: Path, before: str, after: str) -> None:
    lines = rule_lines(wongar_with(tmp_path, before, after), "place_first_tokens")
    assert not any("drawn at random" in line for line in lines)


def test_condition_implied_by_an_amount_is_omitted() -> None:
    assert wongar("scorpion_strikes")[-1] == (
        "The finder of the scorpion loses as many victory points as there are players who have fewer victory points "
        "than them."
    )


def test_condition_not_implied_by_an_amount_is_stated(tmp_path: Path) -> None:
    lines = rule_lines(wongar_with(tmp_path, "if behind > 0", "if behind > 1"), "scorpion_strikes")
    assert lines[-1].startswith("If ")


def test_nested_loops_are_not_worded_with_nested_each() -> None:
    assert wongar("final_scoring") == (
        "For every kind of which a player has taken an area card, every player who has taken the most area cards of "
        "this kind gains 8 victory points.",
    )


def test_parameter_is_named_by_its_only_argument() -> None:
    assert any(line.startswith("The holder of the ancestor turns up") for line in wongar("turn_up_cards"))


def test_card_effect_without_a_place_names_none() -> None:
    lines = rule_lines(model("wongar/initiated"), "take_turn")
    assert "The player carries out the effect of this area card in this area." in lines
    assert "The player carries out the effect of this area card." in lines


def test_missing_choice_is_described_before_its_effect() -> None:
    assert wongar("take_turn")[1] == "If that is not possible, they miss this turn."


@pytest.mark.parametrize(
    ("language", "theirs"),
    [
        ("de", "in dessen Vorrat"),
        ("nl", "in diens voorraad"),
        ("it", "riserva di quel giocatore"),
        ("en", "that player’s supply"),
    ],
)
def test_possessive_of_another_player_is_unambiguous(language: str, theirs: str) -> None:
    assert any(theirs in line for line in wongar("ritual", language))


def test_disjunction_names_its_subject_once() -> None:
    assert wongar("is_for") == ("A ritual card counts for a kind if it is a double ritual card or of this kind.",)


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("de", "Auf jeden Haufen kommen so viele Streichhölzer, wie die Anfangsgröße dieses Haufens beträgt."),
        ("nl", "In elke hoop komen zoveel lucifers als de begingrootte van deze hoop bedraagt."),
    ],
)
def test_verb_agrees_with_moved_pieces_not_with_their_destination(language: str, line: str) -> None:
    assert rule_lines(model("nim"), "setup", language) == (line,)


@pytest.mark.parametrize(("shape", "name"), [("easy_1", "leicht 1"), ("L5", "L5")])
def test_shape_uses_its_term_if_present(shape: str, name: str) -> None:
    rules = model("ubongo")
    [kind] = (kind for kind in rules.shapes if shape in rules.enums[kind])
    context = ProseContext(rules, VerbalisationLog(), words("de"), (), GameFacts.of(rules))
    thing = by_term(context, Type("enum", kind), rules.enums[kind].index(shape))
    assert words("de").value(thing, rules.scope) == name


def test_fixed_number_of_players_keeps_the_loop_wording() -> None:
    rules = model("wongar")
    [article] = (a for a in rules.code.articles if a.name.text == "place_first_tokens")
    assert isinstance(article, s.Procedure)
    plans, _ = plan_of(rules, article, words("de"), 3)
    lines = [unit.text for unit in text_of(plans, words("de"), rules.scope)]
    assert any(line.startswith("Für jeden Spieler werden so viele Spielsteine, wie die Startzahl") for line in lines)


def test_else_branch_states_the_negated_condition(tmp_path: Path) -> None:
    strikes = "                scorpion_uncovered(finder, here)\n            otherwise\n"
    game = wongar_with(tmp_path, strikes, "                nothing\n            otherwise\n")
    lines = rule_lines(game, "turn_up_cards")
    assert (
        "If the top card of the pile of area cards is not a scorpion card, the top card is turned up in this area."
        in lines
    )


def test_empty_loop_is_omitted(tmp_path: Path) -> None:
    game = wongar_with(
        tmp_path, "    repeat 4 times\n        draw_ritual(me)\n", "    repeat 4 times\n        nothing\n"
    )
    assert rule_lines(game, "four_rituals") == ()


CONDITIONAL = """game conditional
    players 2 to 3
    source house rule

remember gold of each player: number
remember rounds: number = 1

play
    repeat 5 times
        set rounds to rounds + 1
        for each p in player
            if (gold of p if rounds > 3 otherwise rounds) SIGN (4 if rounds > 2 otherwise gold of p)
                set gold of p to gold of p + 1
    end game

winner p
    most (-1 if rounds > 3 otherwise gold of p)
"""


@pytest.mark.parametrize("sign", ["=", "!=", "<", ">", "<=", ">="])
@pytest.mark.parametrize(
    ("language", "left", "right"),
    [
        ("en", "(if rounds is more than 3, and otherwise rounds)", "(if rounds is more than 2, and otherwise"),
        ("de", "(wenn rounds größer ist als 3, sonst rounds)", "(wenn rounds größer ist als 2, sonst"),
        ("nl", "(als rounds groter is dan 3, en anders rounds)", "(als rounds groter is dan 2, en anders"),
        ("it", "(se rounds è maggiore di 3, altrimenti rounds)", "(se rounds è maggiore di 2, altrimenti"),
    ],
)
def test_conditional_operands_are_in_brackets(sign: str, language: str, left: str, right: str) -> None:
    changed = rules_of("conditional.rules", CONDITIONAL.replace("SIGN", sign))
    text = " ".join(text_of_book(changed, language).split())
    assert left in text
    assert right in text


THERE = "berth[land, strand, me, ship]"
NEXT = "berth[land, strand, left of me, ship]"
ON_TONGA = "berth[tonga, strand, me, ship]"
GAINS = "me gains 1 points for islands_of_2"
#: Statements that speak of a beach of the island, and of another island's.
BEACHES = (
    (f"for each strand in beach where {NEXT} > 1\n        {GAINS}", False),
    (f"for each strand in beach where {NEXT} = 0\n        {GAINS}", False),
    (f"for each strand in beach where {NEXT} > {THERE}\n        {GAINS}", False),
    (f"for each strand in beach with most {THERE}\n        {GAINS}", False),
    (f"for each strand in beach\n        if {THERE} > 1\n            {GAINS}", False),
    (f"if (number of strand in beach where {THERE} > 1) > 2\n        {GAINS}", False),
    (f"if (every strand in beach where {THERE} > 1 has {NEXT} > 1)\n        {GAINS}", False),
    (f"for each strand in beach where {NEXT} > 1 and {ON_TONGA} > 0\n        {GAINS}", True),
    (f"if (no strand in beach where {THERE} > 1 and {ON_TONGA} > 1)\n        {GAINS}", True),
    (f"if (every strand in beach where {THERE} > 1 has {ON_TONGA} > 1)\n        {GAINS}", True),
)
OF_THE_ISLAND = {"en": "of the island", "de": "der Insel", "nl": "van het eiland", "it": "dell’isola"}


@pytest.mark.parametrize("language", OF_THE_ISLAND)
@pytest.mark.parametrize(("statement", "on_tonga"), BEACHES)
def test_no_index_of_a_place_is_lost(statement: str, on_tonga: bool, language: str) -> None:
    rule = f"variant shore of tongiaki\n    source house rule\nafter rule increase\n    {statement}\n"
    changed = rules_of("shore.rules", rule)
    before, after = (rule_lines(rules, "increase", language) for rules in (model("tongiaki"), changed))
    added = " ".join(line for line in after if line not in before)
    assert OF_THE_ISLAND[language] in added
    assert ("Tonga" in added) == on_tonga


def test_tokens_on_an_area_are_told_with_its_other_indices(tmp_path: Path) -> None:
    rules = """
enum grain = rye
enum season = spring, autumn
board square
    grid 2 by 2
tokens plot of each square of each season holds grain, seen by all
score points
play
    for each a in square where plot[a, spring, rye] > 1
        move 1 rye from plot[a1, spring] to plot[a1, autumn]
    end game
winner p
    most points of p
"""
    text = " ".join(rule_lines(rules_in(write_rules(tmp_path, rules)), "play"))
    assert (text.count("spring"), text.count("autumn")) == (2, 1)


def test_first_mention_in_a_sentence_introduces_the_thing() -> None:
    smallest = "let h = first h2 in stack with fewest matches[h2, match]"
    moved = "move matches[h, match] match from matches of h to box"
    changed = rules_of(
        "emptied.rules", f"variant emptied of nim\n    source house rule\nafter setup\n    {smallest}\n    {moved}\n"
    )
    for language, first, second in (
        ("en", "in the first heap", "from this heap"),
        ("de", "auf dem ersten Haufen", "von diesem Haufen"),
        ("nl", "Uit de eerste hoop", "in deze hoop"),
        ("it", "nel primo mucchio", "da questo mucchio"),
    ):
        text = rule_lines(changed, "setup", language)[-1]
        assert 0 <= text.index(first) < text.index(second)


#: Adverbs and demonstratives for a place.
THIS_PLACE = {
    "en": r"\bthere\b|this cell", "de": r"\bdort\b|diesem Feld", "nl": r"\bdaar\b|deze cel",
    "it": r"\blì\b|questa cella",
}  # fmt: skip
QUAY = """
board cell
    grid 3 by 3
enum freight = rice
figure ship on cell
tokens quay of each cell holds freight, seen by all
remember home of each player: cell = b2
score points
setup
    set place of ship to a1
play
    repeat
        for each p in player
            p chooses load
                take(here: cell)
                    if {asked}
                        p gains 1 points
                otherwise
                    nobody wins
"""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("asked", "is_clear"),
    [
        ("quay[here, rice] > 2", True),
        ("place of ship is home of p and quay[here, rice] > 2", False),
        ("place of ship is step(home of p, south) and quay[here, rice] > 2", False),
    ],
)
def test_place_is_named_behind_the_description_of_another_one(
    tmp_path: Path, asked: str, is_clear: bool, language: str
) -> None:
    rules = rules_in(write_rules(tmp_path, QUAY.format(asked=asked)))
    text = "\n".join(rule_lines(rules, "play", language))
    assert (re.search(THIS_PLACE[language], text) is not None) is is_clear, text
