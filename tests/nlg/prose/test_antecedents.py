"""Pronouns, possessives, *this player* and *the card* are used only while a single thing can be meant."""

from __future__ import annotations

import re
from itertools import product
from textwrap import indent

import pytest

from wongar_dsl.language.semantics import Model
from wongar_dsl.nlg.prose.document.translation_checks import find_ambiguous_names

from .books import LANGUAGES, assert_told, model, small, text_of_book, told, variant, words

GAME = """
board square
    grid 2 by 2
remember lord of each square: player
remember calm of each player: yes or no = no
remember gold of each player: number 0 to 9
remember chief: player
score points
play
    for each p in player
        if calm of p
            end game
        p gains 1 points
{body}
winner p
    most gold of p
"""


def game(body: str) -> Model:
    """Return a game of three players in which each of them, `p`, does something."""
    return small(GAME.format(body=indent(body, " " * 8)), "3")


#: Conditions that mention another person than `p`.
OTHERS = (
    "(some q in player where q is not p and gold of q > 3)",
    "(no q in player where q is not p and gold of q > gold of p)",
    "(some q in player where gold of q > 3) and gold of p > 3",
    "(every q in player has gold of q > 3)",
    "gold of left of p > 3",
    "gold of p > gold of right of p",
    "gold of chief > 3",
    "chief is not p and calm of p",
    "(first q in player with most gold of q) is not p",
    "(number of q in player where gold of q > 3) = 1",
    "gold of player(1) > 3",
    "gold of p > 3 and calm of left of p",
    "(some q in player where (no r in player where r is not q and gold of r > 3))",
    "(every q in player has (some r in player where r is not q and calm of r))",
)
HIS = {"en": "their", "de": "sein", "nl": "zijn", "it": "suo"}
THIS = {"en": "this player", "de": r"diese[rs] Spieler", "nl": "deze speler", "it": "questo giocatore"}


@pytest.mark.parametrize("condition", ["gold of p > 3", "calm of p", "gold of p > 3 and not calm of p"])
def test_a_possession_of_the_only_person_is_theirs(condition: str) -> None:
    rules = game(f"if {condition}\n    set calm of p to yes")
    assert_told(rules, "play", {language: rf",[^,]*\b{his} calm \w+ [^,]*$" for language, his in HIS.items()})


RIVAL = "first q in player with most gold of q"
#: Ways to bring another person than `p` into reach of an effect.
INTRODUCTIONS = (
    "if gold of left of chief > 3\n    {effect}",
    "if gold of lord[a1] > 3\n    {effect}",
    "if gold of left of lord[a1] > gold of p\n    {effect}",
    "if chief is p\n    set calm of p to yes\notherwise if gold of left of chief > 3\n    {effect}",
    "if gold of p > 3\n    if gold of chief > 3\n        {effect}",
    f"let rival = {RIVAL}\nif gold of rival > 3\n    {{effect}}",
    f"let rival = {RIVAL}\nif gold of left of rival > 3\n    {{effect}}",
    f"let rival = {RIVAL}\nif rival is not p and gold of rival > gold of p\n    {{effect}}",
    f"let rival = {RIVAL}\nset gold of chief to 2\nif gold of left of rival > 3\n    {{effect}}",
    "let rival = left of p\nif gold of rival > 3\n    {effect}",
    "let rival = chief\nif gold of rival > 3\n    {effect}",
    "let rival = lord[a1]\nif gold of left of rival > 3\n    {effect}",
    "let rival = lord[a1]\nset lord[a1] to left of p\nif gold of rival > 3\n    {effect}",
    "let rival = random q in player where q is not p\nif gold of rival > 3\n    {effect}",
    "chief gains 2 points\n{effect}",
    "left of p gains 2 points\n{effect}",
    f"let rival = {RIVAL}\nrival gains 2 points\n{{effect}}",
    f"let rival = {RIVAL}\nif gold of rival > 3\n    rival gains 2 points\n    {{effect}}",
    "for each q in player where q is not p\n    {effect}\n    q gains 2 points",
    "for each q in player where gold of q > gold of p\n    {effect}\n    q gains 2 points",
    "for each q in player where q is not p\n    if gold of q > 3\n        {effect}",
    "if (number of q in player where gold of q > 3) = 1\n    let best = first q in player where gold of q > 3\n"
    "    {effect}\n    best gains 2 points",
)
#: Ways to refer to `p`, each with a number that marks its line.
REFERENCES = (
    "p loses 7 points",
    "set gold of p to 7",
    "left of p loses 7 points",
    "set gold of left of p to 7",
    "p gains gold of p + 7 points",
)
POSSESSIVE = {"en": "their", "de": r"(sein|ihr)\w*", "nl": "(zijn|hun)", "it": r"(su|propri)\w+"}
PERSON = {
    "en": r"\bthe player(?: “(?P<name>\w+)”)?",
    "de": r"\b(?:de[rsmn]|vom|zum) Spielers?(?: „(?P<name>\w+)“)?",
    "nl": r"\bde speler(?: “(?P<name>\w+)”)?",
    "it": r"giocatore(?: «(?P<name>\w+)»)?",
}


@pytest.mark.parametrize(
    ("introduction", "reference"),
    [
        *product((f"if {condition}\n    {{effect}}" for condition in OTHERS), REFERENCES[:2]),
        *product(INTRODUCTIONS, REFERENCES),
    ],
)
def test_a_person_is_named_again_while_another_one_is_in_reach(introduction: str, reference: str) -> None:
    rules = game(introduction.format(effect=reference))
    assert [*find_ambiguous_names(rules, [words(language) for language in LANGUAGES])] == []
    for language in LANGUAGES:
        [line] = (line for line in told(rules, "play", language) if "7" in line)
        effect = line[line.rindex(", ") :] if ", " in line else line
        *_, named = re.finditer(PERSON[language], effect, re.IGNORECASE)
        assert named["name"] in (None, "p"), line
        # A bare noun is only clear if no other person in reach has it.
        quoted = {*re.findall(r"[“„«](\w+)[”“»]", line)}
        assert named["name"] == "p" or quoted.isdisjoint({"q", "r", "rival", "best"}), line
        assert re.search(THIS[language], effect) is None, line
        before = effect[: named.start()] if reference.startswith("p ") else effect
        assert re.search(rf"\b{POSSESSIVE[language]}\b", before, re.IGNORECASE) is None, line


PLACES = """
board square
    grid 2 by 2
cards leaf
    oak
deck leaves of leaf total 9
    9 oak
heap store holds leaf, seen by all
slot shown of each square holds leaf, seen by all
score points

setup
    fill store with leaves

play
    for each p in player
        p chooses turn
            take({options})
                move shown of here to store
                {body}
            rest
                nothing

winner p
    most points of p
"""
HERE = "here: square where shown of here is not empty"
BOTH = f"{HERE}, there: square where there is not here and shown of there is not empty"
MOVED = "move shown of there to shown of here"


@pytest.mark.parametrize(
    ("options", "body"),
    [
        (BOTH, (MOVED,)),
        (HERE, ("move shown of a1 to shown of here",)),
        (HERE, ("for each there in square where there is not here", f"    {MOVED}")),
        (HERE, ("for each there in square touching here", f"    {MOVED}")),
        (HERE, ("let there = random other in square touching here", MOVED)),
    ],
)
def test_the_place_of_a_card_is_told_where_several_are_in_play(options: str, body: tuple[str, ...]) -> None:
    inner = "    " * (len(body) > 1 and body[0].startswith("for"))
    statements = (*body, f"{inner}move shown of here to store")
    rules = small(PLACES.format(options=options, body=f"\n{' ' * 16}".join(statements)))
    for language in LANGUAGES:
        assert "square" in told(rules, "play", language)[-1]


CHOICE = """p chooses way
    give(q: player where q is not p)
        set gold of q to 3
        set gold of p to 4
        q gains 2 points
        p loses 5 points
    take(q: player where q is not p)
        set gold of p to 6
        set gold of q to 7
        p gains 8 points
        q loses 9 points
    otherwise
        nothing"""
#: The noun of the lines with a number, by language.
OTHER = {"en": "other player", "de": r"andere[rn]? Spieler", "nl": "andere speler", "it": "altro giocatore"}


def test_chooser_and_chosen_player_are_told_apart_in_each_option() -> None:
    rules = game(CHOICE)
    for language in LANGUAGES:
        for number in "3456789":
            [line] = (line for line in told(rules, "play", language) if number in line)
            assert (re.search(OTHER[language], line) is not None) == (number in "379"), line


LARGEST = "(no h in stack where (some k in stack where k is not h and size of matches of k > size of matches of h))"
#: Rules with two things of one sort in reach: the game, the step, and the statements.
PAIRS = (
    ("nim", "before taken in play", f"if {LARGEST}\n        p wins"),
    (
        "nim",
        "before taken in play",
        "let biggest = first h in stack with most size of matches of h\n    if biggest is not chosen\n"
        "        move 1 match from matches of chosen to box\n"
        "    if size of matches of biggest > size of matches of chosen\n"
        "        move 1 match from matches of biggest to box",
    ),
    (
        "nim",
        "before taken in play",
        "for each k in stack where k is not chosen\n"
        "        if (some m in stack where m is not k and size of matches of m = size of matches of k)\n"
        "            move 1 match from matches of chosen to matches of k",
    ),
    (
        "ubongo",
        "after rule take_gems",
        "if (some c in gem where (some d in gem where d is not c and count of d in collection of p > "
        "count of c in collection of p))\n        set standing of p to field_2",
    ),
)
THERE = {"en": r"(?<!“)\bthere\b(?! is)", "de": r"\bdort\b", "nl": r"\bdaar\b", "it": r"\blì\b"}
#: A phrase that introduces a quoted name.
INTRODUCED = r"(?:\b(?:an?|another|no|every|first|other|adjacent) \w+|^\W*The \w+(?= “\w+” is at this moment)) “(\w+)”"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "step", "statements"), PAIRS)
def test_neither_of_two_things_is_called_there(game: str, step: str, statements: str, language: str) -> None:
    found = variant(game, f"{step}\n    {statements}")
    base, changed = ({*text_of_book(rules, language).splitlines()} for rules in (model(game), found))
    added = [line for line in changed - base if re.search(r"[“„«]\w[”“»]|[“„«](there|biggest)", line)]
    assert added
    for line in added:
        assert re.search(THERE[language], line) is None, line
    if language == "en":
        text = "\n".join(changed)
        quoted = {*re.findall(r"“([a-z]+)”", "\n".join(added))}
        assert quoted <= {*re.findall(INTRODUCED, text, re.MULTILINE)}, added


#: Statements about others than a player whom the text has not spoken of, and whether a later word says who that is.
OTHERS_FIRST = (
    ("for each q in player where q is not finder\n        set takes_part of q to no", False),
    ("for each q in player where q is not finder and size of rituals_held of q < 2\n        draw_ritual(q)", False),
    ("if (some q in player where q is not finder and points of q > 4)\n        draw_ritual(holder of elder)", False),
    ("if (no q in player where q is not finder and points of q > 4)\n        draw_ritual(holder of elder)", False),
    ("if (no q in player where q is not finder and points of q > 4)\n        draw_ritual(finder)", True),
)
FINDER = {"en": "the ancestor", "de": "des Urahnen", "nl": "de voorvader", "it": "dell’Antenato"}
EXCLUDED = {
    "en": "except|not", "de": "außer|als der|mitgezählt", "nl": "behalve|dan|meegeteld", "it": "tranne|non|senza",
}  # fmt: skip


@pytest.mark.parametrize(("statement", "said_later"), OTHERS_FIRST)
def test_others_are_others_than_somebody(statement: str, said_later: bool) -> None:
    changed = variant("wongar", f"before rule turn_up_cards\n    {statement}")
    for language in LANGUAGES:
        line = told(changed, "turn_up_cards", language)[0]
        assert line.count(FINDER[language]) == 1, line
        assert said_later or re.search(EXCLUDED[language], line), line


@pytest.mark.parametrize("last", ["loser gains 4", "winner_of_kind gains 4", "winner_of_kind takes elder"])
def test_a_pronoun_does_not_reach_into_steps_of_two_persons(last: str) -> None:
    changed = variant(
        "wongar",
        "before ceremony_scored in rule scoring\n"
        "    let loser = first p in player clockwise from winner_of_kind with fewest ground[here, p, kind]\n"
        "    if loser is not winner_of_kind\n        loser takes boomerang\n"
        "        winner_of_kind gains 1 points for scorpions\n"
        f"        {last}{' points for scorpions' * last.endswith('4')}",
    )
    for language in LANGUAGES:
        assert re.search(r"[“„«]winner of kind[”“»]", told(changed, "scoring", language)[-1])


#: Steps that speak of two heaps, and the names that tell them apart.
TWO_HEAPS = (
    ("let lucky = random h in stack", "lucky is not chosen", ("chosen",)),
    ("let lucky = first h in stack", "chosen is not lucky and matches of lucky is empty", ("lucky",)),
    ("for each h in stack", "h is not (first g in stack with most size of matches of g)", ("g",)),
    ("for each h in stack", "h is (first g in stack with fewest size of matches of g)", ("g",)),
    ("for each h in stack", "h is chosen", ("chosen",)),
)
#: Phrases for the order of mention, which the order of the heaps could be taken for.
BY_ORDER = {
    "en": "the (first|other) heap(?! [“g]| for)",
    "de": "de[rmns] (ersten?|anderen?) Haufens?(?! „|, bei)",
    "nl": "de (eerste|andere) hoop(?! “| waarbij)",
    "it": "(il|al|del|dal|nel) (primo|altro) mucchio(?! «| per)",
}
HEAP_NOW = {"en": "this heap", "de": "diese[rsmn]? Haufen", "nl": "deze hoop", "it": "questo mucchio"}
THEIR_NEIGHBOUR = {"en": "their left", "de": "sein linker", "nl": "zijn linker", "it": "suo vicino"}


@pytest.mark.parametrize(("step", "condition", "names"), TWO_HEAPS)
def test_two_things_of_a_kind_are_told_apart_by_their_names(step: str, condition: str, names: tuple[str, ...]) -> None:
    indent = "    " if step.startswith("for") else ""
    changed = variant(
        "nim", f"after taken in play\n    {step}\n    {indent}if {condition}\n    {indent}    left of p wins"
    )
    for language in LANGUAGES:
        text = told(changed, "play", language)
        for name in names:
            assert re.search(f"[“„«]{name}[”“»]", "\n".join(text)), text
        assert not re.search(BY_ORDER[language], "\n".join(text)), text
        for line in text:
            assert len(re.findall(HEAP_NOW[language], line, re.IGNORECASE)) <= 1, line
            # The neighbour is not one of the heap.
            assert THEIR_NEIGHBOUR[language] not in line, line


VARIANT = """before turned_up in play
    if ({domain}) > 0
        player(1) gains 77 points
"""
DOMAINS = (
    "number of q in player where (no r in player where points of r > points of q)",
    "number of q in player where (some r in player where points of r < points of q)",
    "number of q in player where size of holding of q > 1 and (no r in player where points of r < points of q)",
)
#: The words before the second part of a comparison, which no relative clause breaks off.
THAN = {"en": "than", "de": "als", "nl": "dan", "it": "(?:del|di)"}


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_comparison_names_both_things(domain: str) -> None:
    changed = variant("goofspiel", VARIANT.format(domain=domain))
    for language in LANGUAGES:
        [text] = (line for line in told(changed, "play", language) if "77" in line)
        assert re.search(rf"\b{THAN[language]} [\w ]+[„“«]q[“”»]", text), text
