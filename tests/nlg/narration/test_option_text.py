"""Prompts and options without written messages are worded from the rules, in every language."""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations, permutations
from pathlib import Path

import pytest

from wongar_dsl.engine import Game, State
from wongar_dsl.engine.library import load
from wongar_dsl.language import ast as s
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.narration.option_text import OptionTexts
from wongar_dsl.nlg.translation.missing_words import missing_text_warnings
from wongar_dsl.nlg.words import Translator

RULES = """game pictures
    players 2
    source house rule

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
TERMS = {
    "en": """
    pictures: {like: s, stem: Pictures game}
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
""",
    "de": """
    pictures: {gender: n, sg: Bilderspiel, sg.gen: Bilderspiels, pl: Bilderspiele, pl.dat: Bilderspielen}
    picture: {gender: n, sg: Bild, sg.gen: Bildes, pl: Bilder, pl.dat: Bildern}
    sun: {gender: f, sg: Sonne, pl: Sonnen, pl.dat: Sonnen}
    moon: {gender: m, sg: Mond, sg.gen: Mondes, pl: Monde, pl.dat: Monden}
    disc: {gender: f, sg: Scheibe, pl: Scheiben, pl.dat: Scheiben}
    cube: {gender: m, sg: Würfel, sg.gen: Würfels, pl: Würfel, pl.dat: Würfeln}
    stock: {gender: m, sg: Stapel, sg.gen: Stapels, pl: Stapel, pl.dat: Stapeln}
    holding: {gender: f, sg: Hand, pl: Hände, pl.dat: Händen}
    discards: {gender: m, sg: Ablagestapel, sg.gen: Ablagestapels, pl: Ablagestapel, pl.dat: Ablagestapeln}
    supply: {gender: m, sg: Vorrat, sg.gen: Vorrats, pl: Vorräte, pl.dat: Vorräten}
    camp: {gender: n, sg: Lager, sg.gen: Lagers, pl: Lager, pl.dat: Lagern}
    north_camp: {gender: n, sg: Nordlager, sg.gen: Nordlagers, pl: Nordlager, pl.dat: Nordlagern}
    south_camp: {gender: n, sg: Südlager, sg.gen: Südlagers, pl: Südlager, pl.dat: Südlagern}
    points: {gender: m, sg: Punkt, sg.gen: Punktes, pl: Punkte, pl.dat: Punkten}
    site: {gender: m, sg: Ort, sg.gen: Ortes, pl: Orte, pl.dat: Orten}
    rest: ruhen
    give: schenken
""",
    "nl": """
    pictures: {gender: het, sg: plaatjesspel, pl: plaatjesspellen}
    picture: {gender: het, sg: plaatje, pl: plaatjes}
    sun: {gender: de, sg: zon, pl: zonnen}
    moon: {gender: de, sg: maan, pl: manen}
    disc: {gender: de, sg: schijf, pl: schijven}
    cube: {gender: de, sg: kubus, pl: kubussen}
    stock: {gender: de, sg: stapel, pl: stapels}
    holding: {gender: de, sg: hand, pl: handen}
    discards: {gender: de, sg: aflegstapel, pl: aflegstapels}
    supply: {gender: de, sg: voorraad, pl: voorraden}
    camp: {gender: het, sg: kamp, pl: kampen}
    north_camp: {gender: het, sg: noordkamp, pl: noordkampen}
    south_camp: {gender: het, sg: zuidkamp, pl: zuidkampen}
    points: {gender: het, sg: punt, pl: punten}
    site: {gender: de, sg: plek, pl: plekken}
    rest: rusten
    give: schenken
""",
    "it": """
    pictures: {gender: m, sg: gioco delle figure, pl: giochi delle figure}
    picture: {gender: f, sg: figura, pl: figure}
    sun: {gender: m, sg: sole, pl: soli}
    moon: {gender: f, sg: luna, pl: lune}
    disc: {gender: m, sg: disco, pl: dischi}
    cube: {gender: m, sg: cubo, pl: cubi}
    stock: {gender: m, sg: mazzo, pl: mazzi}
    holding: {gender: f, sg: mano, pl: mani}
    discards: {gender: f, sg: pila degli scarti, pl: pile degli scarti}
    supply: {gender: f, sg: riserva, pl: riserve}
    camp: {gender: m, sg: campo, pl: campi}
    north_camp: {gender: m, sg: campo nord, pl: campi nord}
    south_camp: {gender: m, sg: campo sud, pl: campi sud}
    points: {gender: m, sg: punto, pl: punti}
    site: {gender: m, sg: luogo, pl: luoghi}
    rest: riposare
    give: regalare
""",
}


@cache
def pictures(folder: Path) -> Game:
    (folder / "pictures.rules").write_text(RULES, encoding="utf-8")
    for language, terms in TERMS.items():
        place = folder / "locales" / language
        place.mkdir(parents=True)
        (place / "lexicon.yaml").write_text(f"games:\n  pictures:{terms}", encoding="utf-8")
    return load(folder / "pictures.rules").game(2)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pictures")


def narrator(folder: Path, language: str) -> Narrator:
    return Narrator(pictures(folder), Translator.load(language, [folder / "locales"]), ("Anna", "Bert"))


def option_texts(told: Narrator, state: State) -> list[str]:
    return [told.option(state, move) for move in state.legal_moves()]


#: The first prompt, one text for each of two kinds of options, and the prompt with many options.
SAID = {
    "en": (
        "Anna, your turn: put the top picture of the stock into your hand or rest.",
        "Put the sun into the discard pile and gain a point",
        "Put 2 discs from your supply into the north camp",
        "It is Anna’s turn.",
    ),
    "de": (
        "Anna, du bist dran: das oberste Bild des Stapels in deine Hand legen oder ruhen.",
        "Die Sonne in den Ablagestapel legen und einen Punkt erhalten",
        "2 Scheiben aus deinem Vorrat ins Nordlager legen",
        "Anna ist am Zug.",
    ),
    "nl": (
        "Anna, je bent aan de beurt: het bovenste plaatje van de stapel in je hand leggen of rusten.",
        "De zon in de aflegstapel leggen en een punt krijgen",
        "2 schijven uit je voorraad in het noordkamp leggen",
        "Anna is aan de beurt.",
    ),
    "it": (
        "Anna, tocca a te: mettere la prima figura del mazzo nella tua mano o riposare.",
        "Mettere il sole nella pila degli scarti e guadagnare un punto",
        "Mettere 2 dischi dalla tua riserva nel campo nord",
        "Tocca ad Anna.",
    ),
}


@pytest.mark.parametrize("language", sorted(SAID))
def test_game_with_only_terms_gets_prompts_and_options(folder: Path, language: str) -> None:
    teller, (state, _) = narrator(folder, language), pictures(folder).start(1)
    question, throw, settle, turn = SAID[language]
    assert teller.prompt(state) == question
    state.apply(next(iter(state.legal_moves())))
    options = option_texts(teller, state)
    assert {throw, settle} <= {*options}
    # A prompt does not list three or more options.
    assert teller.prompt(state) == turn
    assert len({*options}) == len(options)


def test_arguments_missing_in_the_text_follow_it(folder: Path) -> None:
    """Another player gains something, so the effect is not an action of the chooser."""
    teller, (state, _) = narrator(folder, "en"), pictures(folder).start(1)
    state.apply(next(iter(state.legal_moves())))
    assert option_texts(teller, state)[-3:] == ["Give: Anna", "Give: Bert", "Rest"]


def test_hidden_card_is_named_by_its_place(folder: Path) -> None:
    teller, (state, _) = narrator(folder, "de"), pictures(folder).start(1)
    assert option_texts(teller, state) == ["Das oberste Bild des Stapels in deine Hand legen", "Ruhen"]


def test_only_options_without_a_wording_are_reported(folder: Path) -> None:
    """Only an option that no rule can word needs a message; prompts need none."""
    diagnostics = missing_text_warnings(pictures(folder), [folder / "locales"], folder / "locales")
    assert [d.arguments["name"] for d in diagnostics if d.code == "R0502"] == ["pictures.decision.turn.give"]


def test_written_messages_take_precedence() -> None:
    game = load("nim").game(2)
    teller, (state, _) = Narrator(game, Translator.load("en"), ("Anna", "Bert")), game.start(1)
    assert "your turn" not in teller.prompt(state)
    assert not any("box" in option for option in option_texts(teller, state))


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
    game = load("wongar").game(3)
    state, _ = game.start(26)
    while state.decision is None or state.decision.name != "whither":
        moves = state.legal_moves()
        # In a ceremony play the last card, which is a double card.
        state.apply(moves[-2 if state.decision is not None and state.decision.name == "ritual_choice" else 0])
    words = Translator.load(language)
    deed = OptionTexts(game, words, ("Anna", "Max", "Iris")).option(state, state.read("send(emu)"))
    assert deed is not None
    assert words.capital(words.say(deed.sentence.message, game.name, **deed.sentence.values)) == text


SWAPPED = {
    "en": ("{player} [swaps|swap] {here:def} and {there:def}.", "Swap heap A and heap B"),
    "de": ("{player} [tauscht|tauschen] {here:def acc} mit {there:def dat}.", "Den Haufen A mit dem Haufen B tauschen"),
    "nl": ("{player} [ruilt|ruilen] {here:def} met {there:def}.", "Hoop A met hoop B ruilen"),
    "it": (
        "{player} [scambia|scambiano|scambiare] {here:def} con {there:def}.",
        "Scambiare il mucchio A con il mucchio B",
    ),
}


@pytest.mark.parametrize("language", sorted(SWAPPED))
@pytest.mark.parametrize("deed", ["move all of box to matches of there", "move 1 match from box to matches of there"])
def test_option_with_one_reported_statement_is_named_by_its_message(deed: str, language: str, tmp_path: Path) -> None:
    """Also where the statement moves all of something, so that no number chooses the form of the sentence."""
    (tmp_path / "swap.rules").write_text(
        f"""variant swap of nim
    source house rule

add to choice turn
    swap(here: stack, there: stack where there is not here)
        move all of matches of here to box quietly
        move all of matches of there to matches of here quietly
        {deed} as swapped(player: p, here, there)
""",
        encoding="utf-8",
    )
    message, shown = SWAPPED[language]
    place = tmp_path / "locales" / language
    place.mkdir(parents=True)
    text = f'msgctxt "nim.swapped"\nmsgid "{SWAPPED["en"][0]}"\nmsgstr "{message if language != "en" else ""}"\n'
    header = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'
    (place / "messages.po").write_text(header + text, encoding="utf-8")
    game = load(tmp_path / "swap.rules").game(2)
    told = Narrator(game, Translator.load(language, [tmp_path / "locales"]), ("Anna", "Bert"))
    assert shown in option_texts(told, game.start(1)[0])


#: Options of a variant that lack or rename a parameter of the text that the base has for them.
CHANGED_OPTIONS = (
    ("take(chosen: stack where size of matches of chosen > 0)", "move all of matches of chosen to box"),
    ("take(origin: stack, n: 1 to size of matches of origin)", "move n match from matches of origin to box"),
    ("take(n: 1 to size of matches of heap_c)", "move n match from matches of heap_c to box"),
)


@pytest.mark.parametrize("language", ["de", "nl", "it", "en"])
@pytest.mark.parametrize(("option", "deed"), CHANGED_OPTIONS)
def test_texts_written_for_other_parameters_are_not_used(option: str, deed: str, language: str, tmp_path: Path) -> None:
    lines = ["variant other of nim", "    source house rule", "", "replace play", "    repeat"]
    lines += ["        for each p in player", "            p chooses turn", f"                {option}"]
    lines += [f"                    {deed}", "                otherwise", "                    p wins", ""]
    path = tmp_path / "other.rules"
    path.write_text("\n".join(lines), encoding="utf-8")
    base, changed = (load(name).game(2, backend="reference") for name in ("nim", path))
    words = Translator.load(language)
    prompts = []
    for game in (base, changed):
        state, _ = game.start(1)
        narrator = Narrator(game, words, ["Anna", "Bert"])
        prompts.append(narrator.prompt(state))
        shown = [narrator.option(state, move) for move in state.legal_moves()]
        assert not any("decision" in text or "take" in text.split() for text in shown), shown
        assert len({*shown}) == len(shown)
    assert prompts[0] != prompts[1]


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
    ("nim", "turn", "turn_over(one: stack)",
     "move all of matches of one to box quietly\n        move all of box to matches of heap_b quietly"): {
        "en": "Put all matches from heap C into the box and put all matches from the box into heap B",
        "de": "Alle Streichhölzer von Haufen C in die Schachtel legen und alle Streichhölzer aus der Schachtel auf"
        " Haufen B legen",
        "nl": "Alle lucifers uit hoop C in het doosje leggen en alle lucifers uit het doosje in hoop B leggen",
        "it": "Mettere tutti i fiammiferi dal mucchio C nella scatola e mettere tutti i fiammiferi dalla scatola nel"
        " mucchio B",
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
    (tmp_path / "trade.rules").write_text(
        f"variant trade of {name}\n    source house rule\n\nadd to choice {decision}\n    {choice}\n        {deed}\n",
        encoding="utf-8",
    )
    game = load(tmp_path / "trade.rules").game(2)
    for language, text in TRADED[option].items():
        told = Narrator(game, Translator.load(language), ("Anna", "Bert"))
        options = option_texts(told, game.start(1)[0])
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
DEEDS = [d for size in (1, 2) for d in permutations(EFFECTS, size)] + [*combinations(EFFECTS, 3)][::3]


@pytest.fixture(scope="module")
def effects(tmp_path_factory: pytest.TempPathFactory) -> tuple[Game, Path]:
    """Return a game with an option for each of `DEEDS`."""
    folder = tmp_path_factory.mktemp("effects")
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
    (folder / "pictures.rules").write_text(f"{head}            p chooses turn\n{options}{rest}", encoding="utf-8")
    for language, terms in TERMS.items():
        place = folder / "locales" / language
        place.mkdir(parents=True)
        (place / "lexicon.yaml").write_text(f"games:\n  pictures:{terms}", encoding="utf-8")
    return load(folder / "pictures.rules").game(2), folder / "locales"


@pytest.mark.parametrize("language", sorted(TERMS))
def test_every_effect_of_an_option_is_told(effects: tuple[Game, Path], language: str) -> None:
    """In its text, or else in the rule that explains its bare name."""
    game, locales = effects
    words = Translator.load(language, [locales])
    told, (state, _) = Narrator(game, words, ("Anna", "Bert")), game.start(1)
    wordless = 0
    for move in state.legal_moves():
        deed = DEEDS[move.option]
        shown, rule = told.option(state, move), told.option_rule(state, move)
        wordless += bool(rule)
        for effect in deed:
            sign = EFFECTS[effect]
            sign = sign if sign.isdigit() else words.term(sign, game.name)
            assert re.search(rf"\b{sign}", rule or shown), (shown, rule, deed)
        assert not re.search(r"(?i)\b(offer|prose)\.", shown), (shown, deed)
    assert 0 < wordless < len(DEEDS)


#: A game whose options have no words of their own, so that the rulebook explains them, and cards with the same effects.
EXPLAINED = """game explained
    players 2
    source house rule
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


@pytest.mark.parametrize("language", sorted(TERMS))
def test_help_on_an_option_or_card_shows_all_lines_and_what_belongs_to_each_condition(
    tmp_path: Path, language: str
) -> None:
    """Including lines that occur twice, and steps after a condition."""
    file = tmp_path / "explained.rules"
    file.write_text(EXPLAINED)
    game = load(file).game(2)
    told, (state, _) = Narrator(game, Translator.load(language), ("Anna", "Bert")), game.start(1)
    [jump, _] = state.legal_moves()
    depths = []
    for text in (told.option_rule(state, jump), told.card("sun")):
        assert text is not None
        lines = text.split("\n")
        depths.append([(len(line) - len(line.lstrip(" –"))) // 2 for line in lines])
        leads = [line for line in lines if line.endswith(":")]
        assert sum("2 points" in line for line in lines) == 2, text
        assert sum("laps" in lead for lead in leads) == sum("hops" in lead for lead in leads) == 1, text
    assert depths == [[0, 1, 2, 2, 1, 2, 2], [0, 1, 1, 0, 1, 1, 0]]


def test_help_quotes_a_line_without_words_in_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from wongar_dsl.nlg.prose.content import statements

    file = tmp_path / "explained.rules"
    file.write_text(EXPLAINED)
    game = load(file).game(2)
    monkeypatch.delitem(statements.STATEMENT_VERBALISERS, s.Gain)
    told, (state, _) = Narrator(game, Translator.load("en"), ("Anna", "Bert")), game.start(1)
    [jump, _] = state.legal_moves()
    assert told.option_rule(state, jump).split("\n")[1:3] == [
        "– If laps is more than 1:",
        "  – [p gains 2 points – explained.rules:27]",
    ]
