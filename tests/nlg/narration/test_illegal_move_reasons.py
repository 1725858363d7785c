"""Explanations of illegal moves: the failing condition, with the names of the position."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.cli.commands.test import run_file
from wongar_dsl.engine import Game, State
from wongar_dsl.nlg.words import Translator
from wongar_dsl.nlg.words.clause import Verb, parse_marks
from wongar_dsl.nlg.words.locale import load_locale

from .told import change, game_of, reasons, reasons_at_start, shipped, write_words

#: Games in which the second option leads to the illegal move.
SECOND = {"ubongo": 1}


def position_at(game: Game, seed: int, decision: str, nth: int = 0) -> State:
    """Play the same option repeatedly up to the first decision with a name."""
    state, _ = game.start(seed)
    while state.decision is None or state.decision.name != decision:
        moves = state.legal_moves()
        state.apply(moves[nth % len(moves)])
    return state


#: Refused moves with their reasons in two languages each.
GOLDENS: list[tuple[str, int, int, str, str, dict[str, str]]] = [
    (
        "wongar", 3, 2, "double_deed", "fetch(cube)",
        {"en": "You have no cube in any area that touches the kangaroo area.",
         "de": "Du hast keinen Würfel in irgendeinem Gebiet, das ans Känguru-Gebiet grenzt."},
    ),
    (
        "wongar", 3, 1, "deed", "remove(3)",
        {"nl": "Cleo heeft geen schijfje in het kangoeroegebied.",
         "it": "Cleo non ha nessun disco nell’area del canguro."},
    ),
    # Not “you cannot be chosen” or “the fish area cannot be chosen”, since that gives no reason.
    (
        "wongar", 3, 1, "deed", "remove(1)",
        {"en": "It has to be another player.",
         "de": "Es muss ein anderer Spieler sein."},
    ),
    (
        "wongar", 3, 1, "deed", "send(kangaroo)",
        {"nl": "Het moet een ander gebied zijn.",
         "it": "Deve essere un’altra area."},
    ),
    (
        "wongar", 3, 1, "ancestor_walk", "walk(goanna)",
        {"en": "The goanna area does not touch the area of the ancestor.",
         "de": "Das Waran-Gebiet grenzt nicht ans Gebiet des Urahnen."},
    ),
    (
        "wongar", 3, 1, "ritual_choice", "play(double_ritual)",
        {"nl": "Je hebt geen dubbele ritueelkaart in de hand.",
         "it": "Non hai nessuna carta rituale doppia in mano."},
    ),
    (
        "tongiaki", 3, 1, "turn", "pass",
        {"en": "You still have 13 ships in your supply and you have a ship on Tonga.",
         "de": "Du hast noch 13 Schiffe in deinem Vorrat und hast auf Tonga ein Schiff."},
    ),
    (
        "ubongo", 2, 1, "trip", "go(field_6)",
        {"nl": "De afstand van veld 6 tot aan het veld van je pion is 4; toegestaan is hoogstens 3.",
         "it": "La distanza dalla casella 6 alla casella della tua pedina è 4, ma può essere al massimo 3."},
    ),
    (
        "connect_four", 2, 1, "turn", "drop(c2)",
        {"en": "C2 lies in row 2, but row 1 is needed.",
         "de": "C2 liegt in Reihe 2, nötig ist Reihe 1."},
    ),
    (
        "nim", 2, 1, "turn", "take(heap_c, 4)",
        {"nl": "In hoop C liggen maar 3 lucifers.",
         "it": "Nel mucchio C si trovano solo 3 fiammiferi."},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("name", "seats", "seed", "decision", "move", "texts"), GOLDENS)
def test_refusal_states_the_failing_condition(
    name: str, seats: int, seed: int, decision: str, move: str, texts: dict[str, str]
) -> None:
    game = shipped(name).game(seats)
    state = position_at(game, seed, decision, SECOND.get(name, 0))
    assert {language: reasons(game, state, move, language, state.seat)[0] for language in texts} == texts


def test_missing_unique_card_has_a_definite_article() -> None:
    # It must not read “you have no one in your hand”.
    game = shipped("goofspiel").game(2)
    state, _ = game.start(4)
    for _ in range(2):
        state.apply(state.read("play(one)"))
    assert [reasons(game, state, "play(one)", language, state.seat)[0] for language in ("en", "de", "nl", "it")] == [
        "You do not have the one in your hand.",
        "Du hast die Eins nicht auf der Hand.",
        "Je hebt de één niet in de hand.",
        "Non hai l’uno in mano.",
    ]


def test_spectator_sees_the_refusal_with_the_players_name() -> None:
    game = shipped("wongar").game(3)
    state = position_at(game, 1, "ritual_choice")
    assert [reasons(game, state, "play(double_ritual)", language)[0] for language in ("en", "de")] == [
        "Anna has no double ritual card in their hand.",
        "Anna hat keine doppelte Ritualkarte auf der Hand.",
    ]


def test_refusal_lists_its_declarations_in_the_language_of_the_reader_and_their_sources() -> None:
    game = shipped("tongiaki").game(3)
    _, articles, *cited = reasons(game, position_at(game, 1, "turn"), "found(hiva)", "en", 0)
    assert articles == "Rulebook: A turn, Terms"
    assert [line.partition(" Tongiaki")[0] for line in cited] == ["Source:", "Source: ruling, based on", "Source:"]
    nim = shipped("nim").game(2)
    assert reasons_at_start(nim, "take(heap_a, 4)", "de")[1] == "Spielregel: Spielverlauf"
    assert reasons_at_start(nim, "take(heap_a, 4)", "de", None)[1] == "– Spielverlauf (play, nim.rules:27)"


LEAD_GAME = """
score points
play
    repeat
        for each p in player
            p chooses turn
                gain
                    p gains 1 points
                stop if points of p > points of left of p
                    end game
                otherwise
                    end game
winner p
    most points of p
"""


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "The rulebook says: Choose “stop” (only if the player has more points than their left-hand neighbour)."),
        ("de", "steht: „Stop“ wählen (nur wenn der Spieler mehr points hat als sein linker Nachbar)."),
        ("nl", "In de spelregels staat: “Stop” kiezen (alleen als de speler meer points heeft dan zijn linkerbuur)."),
        ("it", "dice: Scegliere «stop» (solo se il giocatore ha più points del suo vicino di sinistra)."),
    ],
)
def test_player_reads_the_rulebook_instead_of_the_rule_file(tmp_path: Path, language: str, said: str) -> None:
    """A condition without words is quoted from the rule file only for authors of rules."""
    game = game_of(tmp_path, LEAD_GAME)
    sentence, *sources = reasons_at_start(game, "stop", language)
    assert sentence.endswith(said)
    assert not any(name in line for line in sources for name in ("(play", ".rules"))
    written, place, *_ = reasons_at_start(game, "stop", language, None)
    assert "points of p > points of left of p" in written
    assert "small.rules:" in place


UNWORDED_GAME = """
enum stone = slate, marble, chalk
remember best: stone
setup
    set best to slate
play
    repeat 2 times
        for each p in player
            p chooses turn
                jump if best > marble
                    set best to chalk
                rest
                    nothing
    nobody wins
"""


def test_a_line_without_words_is_not_explained_by_a_sentence_around_it(tmp_path: Path) -> None:
    """The sentence for the whole rule says nothing about the condition."""
    sentence, *_ = reasons_at_start(game_of(tmp_path, UNWORDED_GAME), "jump")
    assert "best > marble" in sentence
    assert sentence.count(".") == 1


DISTANT = """replace effect elder_card for me at here: area
    source house rule
    I choose elder_walk
        walk(there: area within 1 of place of elder)
            move elder to there quietly"""


def test_variant_condition_changes_the_refusal(tmp_path: Path) -> None:
    game = game_of(tmp_path, change("wongar", DISTANT), 3)
    state = position_at(game, 1, "elder_walk")
    legal = {state.write(move) for move in state.legal_moves()}
    refused = {f"walk({area})" for area in game.model.boards["area"].areas} - legal
    texts = {reasons(game, state, move, "en", state.seat)[0] for move in refused}
    assert "The fish area is more than one step away from the area of the elder." in texts
    assert not any("2 steps" in text for text in texts)


SHORE = """
enum token = shell, stone
tokens beach of each player holds token, seen by all
tokens bag of each player holds token, seen by owner
define busy(p: player) =
    beach[p, shell] > 1 and (bag[p, stone] > 0 or beach[p, stone] > 2)
setup
    for each p in player
        fill beach of p with 2 shell
        fill bag of p with 2 stone
play
    repeat
        for each p in player
            p chooses turn
                give(kind: token where not (kind is shell and busy(p)), n: 1 to 2 where n < 2)
                    nothing
                keep if no q in player where beach[q, shell] > 1
                    nothing
                peek if no q in player where q is not p and bag[q, stone] > 1
                    nothing
                all if (every q in player has beach[q, stone] > 0)
                    nothing
                over
                    p wins
"""
SHORE_TERMS = """
    token: {sg: token, pl: tokens}
    shell: {sg: shell, pl: shells}
    stone: {sg: stone, pl: stones}
    beach: {sg: beach, pl: beaches, place: on}
    bag: {sg: bag, pl: bags}
"""
STRAIT = """
enum token = boat
enum port = near, far
enum heading = east, west
enum quay = first_quay, second_quay
tokens moored of each port of each quay of each player holds token, seen by all
remember clear of each port of each heading: yes or no = no
play
    for each p in player
        p chooses turn
            sail(start: port, way: heading where clear[start, way])
                nothing
            land(wharf: port, berth: quay where moored[wharf, berth, p, boat] > 0)
                nothing
            stay
                p wins
"""
STRAIT_TERMS = """
    near: Nearport
    far: Farport
    boat: {sg: boat, pl: boats}
    heading: {sg: direction, pl: directions}
    play.way: {sg: route, pl: routes}
    first_quay: quay 1
    second_quay: quay 2
    moored: {sg: quay, pl: quays}
"""
STRAIT_SENTENCES = {
    "small.state.clear": "{two} [is|are|be] clear.",
    "small.state.clear.not": "{two} [is|are|be] not clear.",
    "small.at.moored": "{two}",
    "small.of.moored": "{one:of}",
}


@pytest.mark.parametrize(
    ("text", "move", "reason"),
    [
        # First failing part of a conjunction, the fact behind a negation, and the parts of a definition.
        (SHORE, "give(shell, 1)", "You have 2 shells on your beach and you still have 2 stones in your bag."),
        (SHORE, "give(stone, 2)", "At most 1 is possible."),
        # The player who fails the condition is named; hidden pieces are not revealed.
        (SHORE, "keep", "You have 2 shells on your beach."),
        (SHORE, "peek", "Another player has more than one stone in their bag."),
        (SHORE, "all", "You have no stone on your beach."),
        # Each sentence omits the port, and the parameter has the term "route".
        (STRAIT, "sail(near, west)", "The route from Nearport to the west is not clear."),
        (STRAIT, "land(far, second_quay)", "You have no boat in quay 2 of Farport."),
    ],
)
def test_failing_part_of_a_condition_is_stated(tmp_path: Path, text: str, move: str, reason: str) -> None:
    terms, sentences = (STRAIT_TERMS, STRAIT_SENTENCES) if text is STRAIT else (SHORE_TERMS, None)
    write_words(tmp_path, f"games:\n  small:\n    small: Small{terms}", sentences)
    assert reasons_at_start(game_of(tmp_path, text), move)[0] == reason


RING = """
play
    repeat
        for each p in player
            p chooses step without going round
                stay
                    nothing
                over
                    p wins
"""


def test_repeated_choice_is_refused_with_its_reason(tmp_path: Path) -> None:
    game = game_of(tmp_path, RING, 1)
    state, _ = game.start(1)
    state.apply(state.read("stay"))
    text = (
        "In derselben Situation hast du das schon gewählt; "
        "zuerst kommt an die Reihe, was du am seltensten gewählt hast."
    )
    assert reasons(game, state, "stay", "de", 0) == [text]


#: Offers of the best values only, a move that is none of them, and its reason in English.
EXTREMES = [
    (
        "nim", "chosen of take in choice turn to stack where size of matches of chosen > 0 with most size of matches of"
        " chosen", "take(heap_a, 1)", "The number of matches in heap A is 1; the highest value, 3, is needed.",
    ),
    (
        "tictactoe", "here of mark in choice turn to cell with fewest row of here + column of here", "mark(b1)",
        "The row of b1 plus the column of b1 is 3; the lowest value, 2, is needed.",
    ),
    (
        "goofspiel", "bidden of play in choice bidding to holding of p with most worth of bidden", "play(two)",
        "The value of the two is 2; the highest value, 3, is needed.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("name", "offer", "move", "text"), EXTREMES)
def test_a_move_that_is_not_the_best_of_its_kind_is_refused_with_its_measure(
    name: str, offer: str, move: str, text: str, tmp_path: Path
) -> None:
    assert reasons_at_start(game_of(tmp_path, change(name, f"set {offer}")), move)[0] == text


@pytest.mark.parametrize(
    ("language", "verb", "form"),
    [
        ("en", "[has|have]", "have"),
        ("de", "[nimmt|nehmen]", "nimmst"),
        ("de", "[darf|dürfen]", "darfst"),
        ("de", "[tritt|treten]", "trittst"),
        ("de", "[gilt|gelten]", "giltst"),
        ("de", "[wartet|warten]", "wartest"),
        ("nl", "[heeft|hebben]", "hebt"),
        ("it", "[tocca|toccano|toccare]", "tocchi"),
        ("it", "[prende|prendono|prendere]", "prendi"),
        ("it", "[può|possono|poter]", "puoi"),
    ],
)
def test_verbs_have_a_second_person_form(language: str, verb: str, form: str) -> None:
    [marked_verb] = [part for part in parse_marks(verb) if isinstance(part, Verb)]
    assert load_locale(language, ()).lexicon.addressed_form(marked_verb) == form


def test_failing_case_explains_the_illegal_move(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "nim.cases.yaml"
    file.write_text(
        "game: nim\ncases:\n- name: too many\n  players: 2\n  moves: ['take(heap_a, 2)']\n", encoding="utf-8"
    )
    assert not run_file(file, Translator.load("de"))
    assert "    Auf Haufen A liegt nur ein Streichholz.\n" in capsys.readouterr().out


HELD_GAME = """
board land
    row north south
    rows offset by half
figure box on land held by player
setup
    player(1) takes box quietly
    move box to north quietly
play
    repeat 3 times
        for each p in player
            p chooses turn
                grab if holder of box is not p
                    p takes box
                hold if p is not holder of box
                    p takes box
                rest
                    nothing
    player(1) wins
"""


@pytest.mark.parametrize(
    ("language", "said"), [("de", "Du bist "), ("nl", "Je bent "), ("it", "Sei "), ("en", "You are ")]
)
def test_the_reader_is_the_subject_of_an_identity(language: str, said: str, tmp_path: Path) -> None:
    game = game_of(tmp_path, HELD_GAME)
    for move in ("grab", "hold"):
        assert reasons_at_start(game, move, language)[0].startswith(said)
