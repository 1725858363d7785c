"""Repeated mentions in rulebooks, and names that stand for things without words of their own."""

from __future__ import annotations

import re

import pytest

from wongar_dsl.language import ast as s
from wongar_dsl.language.semantics import Model
from wongar_dsl.nlg.prose.micro.sentence_plan import text_of
from wongar_dsl.nlg.prose.pipeline import plan_of

from .books import LANGUAGES, assert_told, lines_of, model, rules_of, shipped, small, text_of_book, told, variant, words


def wongar_with(before: str, after: str) -> Model:
    """Return the model of Wongar with one part of its rules replaced."""
    text = shipped("wongar").sources[-1].text
    assert before in text
    return rules_of("wongar.rules", text.replace(before, after, 1))


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
def test_card_at_an_end_of_a_pile_is_told_with_its_pile_after_a_move(first: str, end: str) -> None:
    """*The top card* would be the one that was moved."""
    rules = small(PILE.format(first=first.format(end=end), end=end))
    for language in LANGUAGES:
        assert "stock" in lines_of(rules, "act", language)[-1]


ELSE = "is not a scorpion card, the top card is turned up in this area"
STRIKES = "                scorpion_uncovered(finder, here)\n            otherwise\n"


@pytest.mark.parametrize(
    ("rule", "before", "after", "pattern", "expected"),
    [
        ("place_first_tokens", "1 kind from bag of owner", "2 kind from bag of owner", "drawn at random", False),
        ("place_first_tokens", "weighted by bag[owner, k]", "weighted by supply[owner, k]", "drawn at random", False),
        ("scorpion_strikes", "if behind > 0", "if behind > 1", r"If [^.]*fewer [^.]*\.$", True),
        ("turn_up_cards", STRIKES, STRIKES.replace("scorpion_uncovered(finder, here)", "nothing"), ELSE, True),
        ("four_rituals", "repeat 4 times\n        draw_ritual(me)", "repeat 4 times\n        nothing", ".", False),
    ],
)
def test_idioms_hold_only_for_what_they_say(rule: str, before: str, after: str, pattern: str, expected: bool) -> None:
    lines = lines_of(wongar_with(before, after), rule)
    assert bool(re.search(pattern, " ".join(lines))) is expected, lines


def test_fixed_number_of_players_keeps_the_loop_wording() -> None:
    rules = model("wongar")
    [article] = (a for a in rules.code.articles if a.name.text == "place_first_tokens")
    assert isinstance(article, s.Procedure)
    plans, _ = plan_of(rules, article, words("de"), 3)
    lines = [unit.text for unit in text_of(plans, words("de"), rules.scope)]
    assert any(line.startswith("Für jeden Spieler werden so viele Spielsteine, wie die Startzahl") for line in lines)


CONDITIONAL = """
remember gold of each player: number
remember rounds: number = 1
play
    repeat 5 times
        set rounds to rounds + 1
        for each p in player
            if (gold of p if rounds > 3 otherwise rounds) {} (4 if rounds > 2 otherwise gold of p)
                set gold of p to gold of p + 1
    end game
winner p
    most (-1 if rounds > 3 otherwise gold of p)
"""
IN_BRACKETS = {
    "en": r"\(if rounds is more than 3, and otherwise rounds\).*\(if rounds is more than 2, and otherwise",
    "de": r"\(wenn rounds größer ist als 3, sonst rounds\).*\(wenn rounds größer ist als 2, sonst",
    "nl": r"\(als rounds groter is dan 3, en anders rounds\).*\(als rounds groter is dan 2, en anders",
    "it": r"\(se rounds è maggiore di 3, altrimenti rounds\).*\(se rounds è maggiore di 2, altrimenti",
}


@pytest.mark.parametrize("sign", ["=", "!=", "<", ">", "<=", ">="])
def test_conditional_operands_are_in_brackets(sign: str) -> None:
    assert_told(small(CONDITIONAL.format(sign)), "play", IN_BRACKETS)


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


@pytest.mark.parametrize(("statement", "on_tonga"), BEACHES)
def test_no_index_of_a_place_is_lost(statement: str, on_tonga: bool) -> None:
    changed = variant("tongiaki", f"after rule increase\n    {statement}")
    for language in LANGUAGES:
        before, after = (lines_of(rules, "increase", language) for rules in (model("tongiaki"), changed))
        added = " ".join(line for line in after if line not in before)
        assert OF_THE_ISLAND[language] in added
        assert ("Tonga" in added) == on_tonga


#: Adverbs and demonstratives for a place.
THIS_PLACE = {
    "en": r"\bthere\b|this cell", "de": r"\bdort\b|diesem Feld", "nl": r"\bdaar\b|deze cel",
    "it": r"\blì\b|questa cella",
}  # fmt: skip
QUAY = """
board cell
    grid 3 by 3
enum freight = rice
enum season = spring, autumn
figure ship on cell
tokens quay of each cell holds freight, seen by all
tokens plot of each cell of each season holds freight, seen by all
remember home of each player: cell = b2
score points
setup
    set place of ship to a1
play
    for each a in cell where plot[a, spring, rice] > 1
        move 1 rice from plot[a1, spring] to plot[a1, autumn]
    repeat
        for each p in player
            p chooses load
                take(here: cell)
                    if {}
                        p gains 1 points
                otherwise
                    nobody wins
"""


@pytest.mark.parametrize(
    ("asked", "is_clear"),
    [
        ("quay[here, rice] > 2", True),
        ("place of ship is home of p and quay[here, rice] > 2", False),
        ("place of ship is step(home of p, south) and quay[here, rice] > 2", False),
    ],
)
def test_place_is_named_behind_another_one_and_with_its_other_indices(asked: str, is_clear: bool) -> None:
    rules = small(QUAY.format(asked))
    for language, pattern in THIS_PLACE.items():
        assert bool(re.search(pattern, told(rules, "play", language)[-1])) is is_clear
    text = " ".join(lines_of(rules, "play"))
    assert (text.count("spring"), text.count("autumn")) == (2, 1)


AGAIN = """
score points
play
    for each p in player
        let left_over = points of p
        let favoured = p
        let twice = no
        repeat while left_over > 2
            set left_over to left_over - 1
            set twice to yes
        p chooses going
            far
                set favoured to left of p
            near
                nothing
        if twice
            favoured gains left_over points
    end game
winner p
    most points of p
"""
LINES = {
    "en": (
        "The number “left over” is at first their points.",
        "The player “favoured” is at first the player “p”.",
        "“twice” is “no”.",
        "As long as the number “left over” is more than 2:",
        "The number “left over” falls by 1.",
        "“twice” becomes “yes”.",
        "The player “favoured” is now the left-hand neighbour of the player “p”.",
        "If “twice” is “yes”, the player “favoured” gains",
    ),
    "de": (
        "Der Spieler „favoured“ ist zuerst der Spieler „p“.",
        "„twice“ steht auf „nein“.",
        "„twice“ wird auf „ja“ gesetzt.",
        "Wenn „twice“ auf „ja“ steht, erhält der Spieler „favoured“",
    ),
}


@pytest.mark.parametrize("language", LINES)
def test_reassigned_value_is_mentioned_by_name(language: str) -> None:
    lines = [line.lstrip() for line in lines_of(small(AGAIN), "play", language)]
    assert [begin for begin in LINES[language] if not any(line.startswith(begin) for line in lines)] == []


ESTATE = """
enum plot = north_plot, south_plot
enum piece = pebble
enum spice = saffron, pepper
board land
    grid 3 by 3
tokens pot holds piece, seen by all
tokens own of each player holds piece, seen by all
tokens purse of each player of each spice holds spice, seen by all
remember owner of each plot: player
remember height of each land: number 0 to 9
score gems
rule prize_of(n: number) gives number
    if n > 2
        give 7
    give 1
setup
    fill pot with {0} pebble
play
    repeat 3 times
        for each p in player
            p chooses turn
                claim(one: plot, other: plot where other is not one and owner of other is not p)
                    set owner of one to p
                    set owner of other to left of p
                build(here: land where height of here < 9)
                    set height of here to 3
                    if height of here > 2
                        set height of here to 4
                grab
                    move {0} pebble from pot to own of p
                win(n: 1 to 3)
                    p gains prize_of(n) gems
                    p gains 1 gems
                rest
                    set owner of north_plot to p
                    set owner of south_plot to p
            p chooses packing
                pack(n: 1 to 2) if purse[p, saffron, pepper] >= n
                    move n pepper from purse[p, saffron] to purse[p, pepper]
                otherwise
                    nothing
    nobody wins
"""
#: A value without a term and the words for the two things that it belongs to, and the word before such a thing.
TWO = {
    "en": ("owner of plot “one”", "owner of the other plot", "of"),
    "de": ("owner von plot „one“", "owner vom anderen plot", "von"),
    "nl": ("owner van plot “one”", "owner van de andere plot", "van"),
    "it": ("owner di plot «one»", "owner dell’altro plot", "di"),
}
#: Words for a chosen number of one's own things.
OWN = {"en": "of their own pepper", "de": "eigene pepper", "nl": "eigen pepper", "it": "propri pepper"}
#: The verbs for one and for several things without a term.
GO = {"en": ("goes", "go"), "de": ("kommt", "kommen"), "nl": ("komt", "komen"), "it": ("va", "vanno")}


def test_names_fit_the_sentence_and_values_are_told_with_what_they_belong_to() -> None:
    for language, (one, other, of) in TWO.items():
        text = text_of_book(small(ESTATE.format(20)), language, "play").casefold()
        assert [text.count(phrase) for phrase in (one, other)] == [1, 1], text
        assert text.count("height") == text.count(f"height {of} ") == 4
        # Names that are plurals or end in *of*
        assert re.search(r"\b1 gem[ .]", text)
        assert "1 gems" not in text
        assert "prize " in text
        assert f"prize of {of}" not in text
        assert OWN[language] in text
        assert "prose." not in text


@pytest.mark.parametrize("number", [1, 2, 20])
def test_verb_agrees_with_a_number_of_things_without_a_term(number: int) -> None:
    for language in LANGUAGES:
        text = text_of_book(small(ESTATE.format(number)), language)
        wanted, other = GO[language] if number == 1 else reversed(GO[language])
        moves = [line for line in text.splitlines() if f"{number} pebble " in line and len(line.split()) > 3]
        assert len(moves) == 2
        assert all(wanted in line.split() and other not in line.split() for line in moves)


SPICES = """
enum spice = saffron, pepper
tokens purse of each player holds spice, seen by all
tokens market holds spice, seen by all
setup
    fill market with 5 saffron
    fill market with 5 pepper
play
    {}
    player(2) wins
"""
BUY = "move 1 s from market to purse of player(1)"
SALES = (
    f"for each s in spice\n        {BUY}",
    f"for each s in spice where market[s] > 1\n        {BUY.replace('1', '2', 1)}",
    f"let s = random t in spice weighted by market[t]\n    {BUY}",
    f"player(1) chooses sale\n        buy(s: spice where market[s] > 2)\n            {BUY}\n"
    "        otherwise\n            nothing",
    f"player(1) chooses sale\n        buy(s: spice)\n            {BUY}",
)
#: The word for the kind, and words that would repeat the noun.
KIND = {
    "en": ("kind", "spice of (this )?spice"), "de": ("Sorte", "spice von (diesem )?spice"),
    "nl": ("soort", "spice van (deze )?spice"), "it": ("tipo", "spice di (questo )?spice"),
}  # fmt: skip


@pytest.mark.parametrize("statement", SALES)
def test_things_called_like_their_kinds_are_of_this_kind(statement: str) -> None:
    rules = small(SPICES.format(statement))
    for language, (kind, twice) in KIND.items():
        text = " ".join(told(rules, "play", language))
        assert kind in text, text
        assert not re.search(twice, text), text
