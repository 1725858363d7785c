"""Prompts and options without written messages are worded from the rules, in every language."""

from __future__ import annotations

import re
from itertools import combinations, permutations
from pathlib import Path
from textwrap import indent

import pytest

from tests.nlg.prose.books import text_of_book
from wongar_dsl.engine import Game
from wongar_dsl.language import ast as s
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.narration.option_text import RuleTexts
from wongar_dsl.nlg.prose.content import statements
from wongar_dsl.nlg.translation import missing_text_warnings
from wongar_dsl.nlg.words import Translator

from .told import LANGUAGES, change, game_of, narrator, shipped, write_words

RULES = """
enum token = disc, cube
board site
    row north_camp south_camp
    rows offset by half
cards picture
    sun
    moon

deck pictures_deck of picture total 8
    4 sun, 4 moon

pile stock holds picture, seen by nobody
hand holding of each player holds picture
heap discards holds picture, seen by all
tokens supply of each player holds token, seen by all
tokens camp of each site of each player holds token, seen by all
score points

setup
    fill stock with pictures_deck
    shuffle stock quietly
    for each p in player
        fill supply of p with 5 disc
        fill supply of p with 5 cube
        repeat 2 times
            move top of stock to holding of p quietly

play
    repeat 6 times
        for each p in player
            p chooses opening
                draw
                    move top of stock to holding of p quietly
                rest
                    nothing
            p chooses turn
                throw(card: holding of p)
                    move card from holding of p to discards quietly
                    p gains 1 points quietly
                settle(kind: token, here: site, n: 1 to 2) if supply[p, kind] >= n
                    move n kind from supply of p to camp[here, p] quietly
                give(who: player)
                    who gains 2 points quietly
                rest
                    nothing
    end game

winner p
    most points of p
"""
#: English terms; other languages show the names of the rules.
TERMS = """
    small: {like: s, stem: Pictures game}
    picture: {like: s, stem: picture}
    sun: {like: s, stem: sun}
    moon: {like: s, stem: moon}
    disc: {like: s, stem: disc}
    cube: {like: s, stem: cube}
    stock: {like: s, stem: stock}
    holding: {like: s, stem: hand}
    discards: {like: s, stem: discard pile}
    supply: {sg: supply, pl: supplies}
    camp: {like: s, stem: camp}
    north_camp: {like: s, stem: north camp}
    south_camp: {like: s, stem: south camp}
    points: {like: s, stem: point}
    site: {like: s, stem: site}
    rest: rest
    give: give
"""


def written(folder: Path, rules: str) -> Game:
    write_words(folder, f"games:\n  small:{TERMS}")
    return game_of(folder, rules)


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return written(tmp_path_factory.mktemp("pictures"), RULES)


def option_texts(game: Game, language: str = "en") -> list[str]:
    """Return the texts of the options of the first decision."""
    state, _ = game.start(1)
    return [narrator(game, language).option(state, move) for move in state.legal_moves()]


def test_game_with_only_terms_gets_prompts_and_options(pictures: Game) -> None:
    teller, (state, _) = narrator(pictures), pictures.start(1)
    assert teller.prompt(state) == "Anna, your turn: put the top picture of the stock into your hand or rest."
    # A hidden card is named by its place.
    assert option_texts(pictures) == ["Put the top picture of the stock into your hand", "Rest"]
    state.apply(state.legal_moves()[0])
    options = [teller.option(state, move) for move in state.legal_moves()]
    told = {"Put the sun into the discard pile and gain a point", "Put 2 discs from your supply into the north camp"}
    assert told <= {*options}
    # Another player gains something, so the effect is not an action of the chooser; missing arguments follow the text.
    assert options[-3:] == ["Give: Anna", "Give: Bert", "Rest"]
    assert len({*options}) == len(options)
    # A prompt does not list three or more options.
    assert teller.prompt(state) == "It is Anna’s turn."


FRESH = """replace play
    repeat
        for each p in player
            p chooses opening
                put_away
                    move 2 match from matches of heap_c to box quietly
                hand_over
                    move all of matches of heap_c to matches of heap_a quietly
            p wins
"""
PROMPTS = {
    "de": "Anna, du bist dran: 2 Streichhölzer von Haufen C in die Schachtel legen oder alle Streichhölzer von Haufen C"
    " auf Haufen A legen.",
    "nl": "Anna, je bent aan de beurt: 2 lucifers uit hoop C in het doosje leggen of alle lucifers uit hoop C in hoop A"
    " leggen.",
    "it": "Anna, tocca a te: mettere 2 fiammiferi dal mucchio C nella scatola o mettere tutti i fiammiferi dal mucchio"
    " C nel mucchio A.",
    "en": "Anna, your turn: put 2 matches from heap C into the box or put all matches from heap C into heap A.",
}


def test_a_prompt_joins_two_options_in_every_language(tmp_path: Path) -> None:
    game = game_of(tmp_path, change("nim", FRESH))
    state, _ = game.start(1)
    assert {language: narrator(game, language).prompt(state) for language in PROMPTS} == PROMPTS


def test_only_options_without_a_wording_are_reported(pictures: Game) -> None:
    """Only an option that no rule can word needs a message; prompts need none."""
    diagnostics = missing_text_warnings(pictures, pictures.word_folders)
    assert [d.arguments["name"] for d in diagnostics if d.code == "R0502"] == ["small.decision.turn.give"]


def test_written_messages_take_precedence() -> None:
    game = shipped("nim").game(2)
    assert "your turn" not in narrator(game).prompt(game.start(1)[0])
    assert not any("box" in option for option in option_texts(game))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Move one of your own discs from the kangaroo area to the emu area"),
        ("de", "Eine eigene Linse aus dem Känguru-Gebiet ins Emu-Gebiet verschieben"),
        ("nl", "Een eigen schijfje uit het kangoeroegebied naar het emoegebied verschuiven"),
        ("it", "Spostare un tuo disco dall’area del canguro nell’area dell’emù"),
    ],
)
def test_option_addresses_the_chooser_and_names_known_values(language: str, text: str) -> None:
    """Another option of the rule has a parameter with the name of an outer variable."""
    game = shipped("wongar").game(3)
    state, _ = game.start(26)
    while state.decision is None or state.decision.name != "whither":
        moves = state.legal_moves()
        # In a ceremony play the last card, which is a double card.
        state.apply(moves[-2 if state.decision is not None and state.decision.name == "ritual_choice" else 0])
    words = Translator.load(language)
    deed = RuleTexts(game, words, ("Anna", "Max", "Iris")).option(state, state.read("send(emu)"))
    assert deed is not None
    assert words.capital(words.say(deed.sentence.message, game.name, **deed.sentence.values)) == text


#: The sentence of a message, an option in its words, and the condition of that option in the rulebook.
SWAPPED = {
    "en": (
        "{player} [swaps|swap] {here:def} and {there:def}.",
        "Swap heap A and heap B",
        "heap “there” is more than the number of matches in the heap “here”",
    ),
    "de": (
        "{player} [tauscht|tauschen] {here:def acc} mit {there:def dat}.",
        "Den Haufen A mit dem Haufen B tauschen",
        "Haufen „there“ größer ist als die Zahl der Streichhölzer auf dem Haufen „here“",
    ),
    "nl": (
        "{player} [ruilt|ruilen] {here:def} met {there:def}.",
        "Hoop A met hoop B ruilen",
        "hoop “there” groter is dan het aantal lucifers in de hoop “here”",
    ),
    "it": (
        "{player} [scambia|scambiano|scambiare] {here:def} con {there:def}.",
        "Scambiare il mucchio A con il mucchio B",
        "mucchio «there» è maggiore del numero dei fiammiferi nel mucchio «here»",
    ),
}
SWAP = """add to choice turn
    swap(here: stack, there: stack where size of matches of there > size of matches of here)
        move all of matches of here to box quietly
        move all of matches of there to matches of here quietly
        {} as swapped(player: p, here, there)"""


@pytest.mark.parametrize("language", sorted(SWAPPED))
@pytest.mark.parametrize("deed", ["move all of box to matches of there", "move 1 match from box to matches of there"])
def test_option_with_one_reported_statement_is_named_by_its_message(deed: str, language: str, tmp_path: Path) -> None:
    """Also where the statement moves all of something, so that no number chooses the form of the sentence."""
    message, shown, condition = SWAPPED[language]
    write_words(tmp_path, "", {"nim.swapped": (SWAPPED["en"][0], message if language != "en" else "")}, language)
    game = game_of(tmp_path, change("nim", SWAP.format(deed)))
    assert shown in option_texts(game, language)
    missing = missing_text_warnings(game, game.word_folders)
    assert not any("swap" in str(d.arguments["name"]) for d in missing if d.code == "R0502")
    # Compared things of one kind are distinguished by their names.
    assert condition in text_of_book(game.model, language, own=narrator(game, language).words)


#: Options of a variant that lack or rename a parameter of the text that the base has for them.
CHANGED_OPTIONS = (
    ("take(chosen: stack where size of matches of chosen > 0)", "move all of matches of chosen to box"),
    ("take(origin: stack, n: 1 to size of matches of origin)", "move n match from matches of origin to box"),
    ("take(n: 1 to size of matches of heap_c)", "move n match from matches of heap_c to box"),
)


@pytest.mark.parametrize(("option", "deed"), CHANGED_OPTIONS)
def test_texts_written_for_other_parameters_are_not_used(option: str, deed: str, tmp_path: Path) -> None:
    choice = f"p chooses turn\n    {option}\n        {deed}\n    otherwise\n        p wins"
    play = f"replace play\n    repeat\n        for each p in player\n{indent(choice, ' ' * 12)}"
    base, changed = shipped("nim").game(2, backend="reference"), game_of(tmp_path, change("nim", play))
    for language in LANGUAGES:
        one, other = (narrator(game, language).prompt(game.start(1)[0]) for game in (base, changed))
        assert one != other
        for shown in (option_texts(game, language) for game in (base, changed)):
            assert not any("decision" in text or "take" in text.split() for text in shown), shown
            assert len({*shown}) == len(shown)


#: Options with a second move, and their texts.
TRADED = {
    ("nim", "turn",
     "trade(one: stack, other: stack, goal: stack) if matches[one, match] > 1 and matches[other, match] > 1",
     "move 2 match from matches of one to box quietly\n"
     "        move 2 match from matches of other to matches of goal quietly"): {
        "en": "Put 2 matches from heap B into the box and put 2 matches from heap C into heap A",
        "de": "2 Streichhölzer von Haufen B in die Schachtel legen und 2 Streichhölzer von Haufen C auf Haufen A legen",
        "nl": "2 lucifers uit hoop B in het doosje leggen en 2 lucifers uit hoop C in hoop A leggen",
        "it": "Mettere 2 fiammiferi dal mucchio B nella scatola e mettere 2 fiammiferi dal mucchio C nel mucchio A",
    },
    ("goofspiel", "bidding", "two(c: holding of p, d: holding of p where d is not c)",
     "move c from holding of p to spent quietly\n"
     "        move d from holding of p to bid of p as bid(player: p, card: d)"): {
        "en": "Put the one onto the discard pile and put down the two as your bid",
        "it": "Mettere l’uno nel mazzo degli scarti e giocare il due, che diventa la tua offerta",
    },
    ("nim", "turn", "hand_on(n: 2 to 3) if matches[heap_c, match] >= n",
     "discard(n)\n\nrule discard(amount: number)\n    move amount match from matches of heap_c to box quietly"): {
        "en": "Put 2 matches from heap C into the box",
    },
    ("goofspiel", "bidding", "withdraw(c: holding of p)",
     "move c from holding of p to bid of p as bid(player: p, card: c)\n"
     "        move c from bid of p to spent quietly"): {
        "en": "Put down the one as your bid and put the one from your bid onto the discard pile",
    },
    ("goofspiel", "bidding", "earn(c: holding of p)",
     "p gains 2 points quietly\n        move c from holding of p to bid of p as bid(player: p, card: c)"): {
        "en": "Gain 2 points and put down the one as your bid",
    },
    ("kuhn_poker", "opening", "exchange",
     "move holding of p to stock quietly\n        let d = random c in stock\n"
     "        move d from stock to holding of p quietly"): {
        "en": "Put your hand card into the stock and receive a random card from the stock as your hand card",
        "de": "Deine Handkarte auf den Stapel legen und eine zufällige Karte vom Stapel als deine Handkarte erhalten",
    },
}  # fmt: skip


@pytest.mark.parametrize("option", TRADED)
def test_the_second_move_of_an_option_is_told(option: tuple[str, ...], tmp_path: Path) -> None:
    """Words after the text of an option would seem to name the thing that was moved."""
    name, decision, choice, deed = option
    game = game_of(tmp_path, change(name, f"add to choice {decision}\n    {choice}\n        {deed}"))
    for language, text in TRADED[option].items():
        options = option_texts(game, language)
        assert text in options
        assert not any(":" in text for text in options)


#: Effects of an option, each with a number or a zone that its text has to tell.
EFFECTS = {
    "p gains 2 points quietly": "2",
    "p loses 3 points quietly": "3",
    "left of p gains 4 points quietly": "4",
    "move 5 disc from supply of p to camp[north_camp, p] quietly": "5",
    "move 6 cube from supply of left of p to supply of p quietly": "6",
    "set debt to 7": "7",
    "set pledge of p to 8": "8",
    "set pledge of left of p to 9": "9",
    "move 1 disc from camp[north_camp, p] to camp[south_camp, p] quietly": "south_camp",
    "move 12 cube from camp[north_camp, p] to camp[south_camp, p] quietly": "12",
    "move all of holding of p to discards quietly": "discards",
    "if points of p > 10\n                        p gains 11 points quietly": "11",
    "repeat 14 times\n                        p gains points of p points quietly": "14",
    "pay(p, 13)": "13",
}
DEEDS = [d for size in (1, 2) for d in permutations(EFFECTS, size)] + [*combinations(EFFECTS, 3)][::9]


@pytest.fixture(scope="module")
def effects(tmp_path_factory: pytest.TempPathFactory) -> Game:
    options = "".join(
        f"                deed_{number}\n" + "".join(f"                    {effect}\n" for effect in deed)
        for number, deed in enumerate(DEEDS)
    )
    head, _, rest = RULES.partition("            p chooses opening\n")
    rest = rest[rest.index("    end game") :].replace("points of p", "points of p + debt + pledge of p")
    state = "remember debt: number 0 to 20 = 0\nremember pledge of each player: number 0 to 20 = 0\n"
    rule = "rule pay(p: player, n: number)\n    p loses n points quietly\n\nplay"
    head = head.replace("score points\n", f"score points\n{state}").replace("play\n", f"{rule}\n")
    head = head.replace("5 disc", "15 disc").replace("5 cube", "15 cube")
    return written(tmp_path_factory.mktemp("effects"), f"{head}            p chooses turn\n{options}{rest}")


@pytest.mark.parametrize(("number", "language"), list(enumerate(LANGUAGES)))
def test_every_effect_of_an_option_is_told(effects: Game, number: int, language: str) -> None:
    """In its text, or else in the rule that explains its bare name; the languages share the pairs and triples."""
    told, (state, _) = narrator(effects, language), effects.start(1)
    wordless, shares = 0, 0
    for move in state.legal_moves():
        deed = DEEDS[move.option]
        if len(deed) > 1 and move.option % len(LANGUAGES) != number:
            continue
        shown, rule = told.option(state, move), told.option_rule(state, move)
        wordless, shares = wordless + bool(rule), shares + 1
        for effect in deed:
            sign = EFFECTS[effect]
            sign = sign if sign.isdigit() else told.words.term(sign, effects.name)
            assert re.search(rf"\b{sign}", rule or shown), (shown, rule, deed)
        assert not re.search(r"(?i)\b(offer|prose)\.", shown), (shown, deed)
    assert 0 < wordless < shares


#: A game whose options have no words of their own, so that the rulebook explains them, and cards with the same effects.
EXPLAINED = """
cards tile
    sun
deck box of tile
    9 sun
pile stack holds tile
remember laps: number 0 to 20 = 0
remember hops: number 0 to 20 = 0
score points
effect sun for me
    if laps > 1
        me gains 2 points
        set laps to 0
    if hops > 1
        me gains 2 points
        set hops to 0
    set laps to laps + 1
setup
    fill stack with box
play
    for each p in player
        p chooses turn
            jump
                if laps > 1
                    p gains 2 points
                    set laps to laps + 1
                if hops > 1
                    p gains 2 points
                    set hops to hops + 1
            turn_up
                perform top of stack for p
    nobody wins
"""


def explained(folder: Path, language: str) -> tuple[Narrator, str]:
    game = game_of(folder, EXPLAINED)
    told, (state, _) = narrator(game, language), game.start(1)
    return told, told.option_rule(state, state.legal_moves()[0])


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_on_an_option_or_card_shows_all_lines_and_what_belongs_to_each_condition(
    tmp_path: Path, language: str
) -> None:
    """Including lines that occur twice, and steps after a condition."""
    told, rule = explained(tmp_path, language)
    depths = []
    for text in (rule, told.card("sun")):
        assert text is not None
        lines = text.split("\n")
        depths.append([(len(line) - len(line.lstrip(" –"))) // 2 for line in lines])
        leads = [line for line in lines if line.endswith(":")]
        assert sum("2 points" in line for line in lines) == 2, text
        assert sum("laps" in lead for lead in leads) == sum("hops" in lead for lead in leads) == 1, text
    assert depths == [[0, 1, 2, 2, 1, 2, 2], [0, 1, 1, 0, 1, 1, 0]]


def test_help_quotes_a_line_without_words_in_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(statements.STATEMENT_VERBALISERS, s.Gain)
    assert explained(tmp_path, "en")[1].split("\n")[1:3] == [
        "– If laps is more than 1:",
        "  – [p gains 2 points – small.rules:27]",
    ]
