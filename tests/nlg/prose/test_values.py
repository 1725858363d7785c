"""Sentences about values that rules set, exchange and compare: their owner, their subject, and missing values."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.nlg.narration.told import change, game_of, narrator, write_words
from wongar_dsl.nlg.translation import missing_text_warnings

from .books import LANGUAGES, assert_told, model, small, text_of_book, told, variant

#: Changes of a game, the declaration that tells them, and the words that its text must have.
SAID = (
    ("wongar", "winner", "replace winner p\n    most 1", {
        "en": "All players win together.", "de": "Alle Spieler gewinnen gemeinsam.", "nl": "Alle spelers winnen samen.",
        "it": "Tutti i giocatori vincono insieme.",
    }),
    ("ubongo", "play_round", """before rule play_round
    if count of green in collection of starter > 2
        set finished to 1
""", {
        "en": "in their collection", "de": "in seiner Sammlung", "nl": "in zijn verzameling",
        "it": "nella sua collezione",
    }),
    ("kuhn_poker", "settle", """before rule settle
    for each q in player where q is not p
        if rank of holding of q is king
            q gains 3 chips
            p loses 3 chips
""", {
        "en": "The player “q” gains 3", "de": "Der Spieler „q“ erhält 3", "nl": "De speler “q” krijgt 3",
        "it": "Il giocatore «q» guadagna 3",
    }),
    ("goofspiel", "play", """before won in play
    for each q in player where q is not best
        for each r in player where r is not q
            r gains 1 points
            if r is best
                q loses 2 points
""", {
        "en": "The player “best” gains as many", "de": "Der Spieler „best“ erhält so viele",
        "nl": "De speler “best” krijgt zoveel", "it": "Il giocatore «best» guadagna un numero",
    }),
    ("nim", "play", """table next_heap
    heap_a heap_b
    heap_b heap_c
    heap_c heap_a
after taken in play
    for each h in stack where size of matches of h >= 2
        move 1 match from matches of h to matches of next_heap[h]
""", {
        "en": "into the heap in the table", "de": "den Haufen in der Tabelle", "nl": "in de hoop in de tabel",
        "it": "nel mucchio che la tabella",
    }),
    ("wongar", "play_round", """before rule play_round
    for each q in player
        for each here in area
            for each k in token where ground[here, q, k] > 1
                move ground[here, q, k] div 2 k from ground[here, q] to supply of q
""", {
        "en": "kind of the player as the", "de": "Sorte des Spielers, wie", "nl": "soort van de speler als",
        "it": "tipo del giocatore pari",
    }),
    ("wongar", "play_round", """before rule play_round
    if position of place of elder = 2
        player(position of holder of elder) gains 1 points for scorpions
""", {
        "en": "reading order[)] of the area of the elder is 2, the player whose seat number is the seat number of",
        "de": "Gebiets des Ältesten gleich 2 ist, erhält der Spieler, dessen Platznummer die Platznummer",
        "nl": "van de stamoudste gelijk is aan 2, krijgt de speler met als plaatsnummer het plaatsnummer",
        "it": "dell’Anziano è uguale a 2, il giocatore il cui numero di posto è il numero di posto del",
    }),
    ("tongiaki", "take_turn", """add to choice turn before pass
    visit(land: island where ships_of(me, land) > 0)
        for each near in island where near is not land and on_map(near)
            if (some strand in beach where complete(near, strand))
                I gain 1 points for royal_islands
""", {
        "en": "on the other island and no berth is free", "de": "auf der anderen Insel einen Liegeplatz",
        "nl": "op het andere eiland een ligplaats", "it": "un ormeggio sull’altra isola",
    }),
    ("tongiaki", "take_turn", """before rule take_turn
    for each land in island where on_map(land)
        let chief = first q in player clockwise after me with most ships_of(q, land)
        if ships_of(chief, land) > 2
            chief gains 1 points for royal_islands
""", {
        "en": "The player “chief” is the player “q” for whom", "de": "Der Spieler „chief“ ist der Spieler „q“, bei dem",
        "nl": "De speler “chief” is de speler “q” bij wie", "it": "Il giocatore «chief» è il giocatore «q» per cui",
    }),
    ("nim", "setup", """after setup
    let h = first h2 in stack with fewest matches[h2, match]
    move matches[h, match] match from matches of h to box
""", {
        "en": "in the first heap.* from this heap", "de": "auf dem ersten Haufen.* von diesem Haufen",
        "nl": "Uit de eerste hoop.* in deze hoop", "it": "nel primo mucchio.* da questo mucchio",
    }),
    ("nim", "play", "allow take in choice turn only if position of p > 1 or size of box < 5", {
        "en": "the seat number of the player", "de": "die Platznummer des Spielers",
        "nl": "het plaatsnummer van de speler", "it": "il numero di posto del giocatore",
    }),
    ("goofspiel", "play", """before play
    for each p in player
        if points of p > points of left of p
            p gains 1 points
        if points of p < points of left of p
            p gains 1 points
""", {
        "en": "more points than their left-hand neighbour.*fewer points than their left-hand neighbour",
        "de": "mehr Punkte hat als sein linker Nachbar.*weniger Punkte hat als sein linker Nachbar",
        "nl": "meer punten heeft dan zijn linkerbuur.*minder punten heeft dan zijn linkerbuur",
        "it": "più punti del suo vicino di sinistra.*meno punti del suo vicino di sinistra",
    }),
    # An Italian hand has an article except as a place.
    ("goofspiel", "play", "before play\n    for each p in player\n        if holding of p is not empty\n"
     "            p gains 1 points", {"it": "Se la mano non è vuota.*gioca una carta dalla mano"}),
    ("tongiaki", "emigrate", "set goal of sail in choice emigration to"
     " island where leads_to(land, way, goal) and worth[goal] >= worth[land]", {
        "en": "an island that is the destination of this route is at least",
        "de": "einer Insel, die das Ziel dieses Wegs ist,", "nl": "een eiland dat het doel van deze route is,",
        "it": "un’isola che è la meta di questa rotta è almeno",
    }),
    # The first value of an enumeration is told apart from nobody.
    *(("tongiaki", "increase", f"after rule increase\n    set discovered to {island}\n    if discovered is {island}\n"
       "        nobody wins", {"en": f"{name} becomes the island reached[.] "
                              f"If the island reached is {name}, the game ends and nobody wins[.]"})
      for island, name in (("tonga", "Tonga"), ("niue", "Niue"))),
    ("connect_four", "play", "before play\n    set owner of a1 to nobody", {"en": "The owner of a1 is now nobody[.]"}),
    *(("wongar", "take_turn", f"after rule take_turn\n    if ({asked})\n        I gain 1 points for scorpions", {
        "en": "If they have no token of any kind in the supply, they gain",
        "de": "Wenn er keinen Spielstein von irgendeiner Sorte im Vorrat hat, erhält er",
        "nl": "Als hij geen speelsteen van enige soort in de voorraad heeft, krijgt hij",
        "it": "Se non ha nessun segnalino di alcun tipo nella riserva, guadagna",
      }) for asked in (
        "every k in token has supply[me, k] = 0", "every k in token has not (supply[me, k] > 0)",
        "no k in token where supply[me, k] > 0", "not (some k in token where supply[me, k] > 0)",
    )),
)  # fmt: skip


@pytest.mark.parametrize(("base", "name", "change", "patterns"), SAID)
def test_it_is_said_of_whom(base: str, name: str, change: str, patterns: dict[str, str]) -> None:
    assert_told(variant(base, change), name, patterns)


SWAPPER = """slot lifted holds area_card, seen by all

before play
    for each p in player
        p chooses swapping
            swap(here: area, there: area where there is not here)
                move face_up of here to lifted quietly
                move face_up of there to face_up of here quietly
                move lifted to face_up of there as swapped(player: p, here, there)
            decline
                tell swap_declined(player: p)
"""
#: Languages of the variant: what its two messages say, and then the sentence of the rulebook and the prompt.
TEXTS = {
    "en": (
        "{player} [swaps|swap] the cards of {here} and {there}.",
        "{player} [leaves|leave] the cards alone.",
        "the face-up card of the area “here” and the face-up card of the other area change places.",
        "Anna, your turn: swap the cards of any area and another area or leave the cards alone.",
    ),
    "de": (
        "{player} [vertauscht|vertauschen] die Karten {here:gen} und {there:gen}.",
        "{player} [lässt|lassen] die Karten liegen.",
        "tauschen die aufgedeckte Karte des Gebiets „here“ und die aufgedeckte Karte des anderen Gebiets die Plätze.",
        "Anna, du bist dran: die Karten eines beliebigen Gebiets und eines anderen Gebiets vertauschen oder die Karten "
        "liegen lassen.",
    ),
    "nl": (
        "{player} [verwisselt|verwisselen] de kaarten van {here} en {there}.",
        "{player} [laat|laten] de kaarten met rust.",
        "wisselen de open kaart van het gebied “here” en de open kaart van het andere gebied van plaats.",
        "Anna, je bent aan de beurt: de kaarten van een willekeurig gebied en een ander gebied verwisselen of de "
        "kaarten met rust laten.",
    ),
    "it": (
        "{player} [scambia|scambiano|scambiare] le carte {here:di} e {there:di}.",
        "{player} [lascia|lasciano|lasciare] le carte dove sono.",
        "la carta scoperta dell’area «here» e la carta scoperta dell’altra area si scambiano di posto.",
        "Anna, tocca a te: scambiare le carte di una qualsiasi area e di un’altra area o lasciare le carte dove sono.",
    ),
}


def test_choice_is_named_by_the_messages_of_the_options(tmp_path: Path) -> None:
    for language, (swapped, declined, *_) in TEXTS.items():
        entries = {"swapped": (TEXTS["en"][0], swapped), "swap_declined": (TEXTS["en"][1], declined)}
        write_words(tmp_path, "", {f"wongar/changed.{name}": texts for name, texts in entries.items()}, language)
    game = game_of(tmp_path, change("wongar", SWAPPER), 3)
    state, _ = game.start(1)
    assert state.decision is not None
    assert state.decision.name == "swapping"
    for language, (*_, prompt) in TEXTS.items():
        assert narrator(game, language).prompt(state) == prompt
    lacking = missing_text_warnings(game, [tmp_path / "locales"], tmp_path / "locales")
    assert not [d for d in lacking if "decision.swapping" in str(d.arguments.get("name"))]


PLACES = """
enum camp = left_end, right_end
cards picture
    sun
    moon
slot shown of each camp holds picture, seen by all
{place} lifted holds picture, seen by all
play
    player(1) chooses turn
        swap(here: camp, there: camp where there is not here)
            move shown of {one} to lifted
            move shown of there to shown of {other}
            move {lifted} to shown of {last}
        rest
            nothing
    nobody wins
"""


@pytest.mark.parametrize(
    ("place", "one", "other", "last", "is_exchange"),
    [
        ("slot", "here", "here", "there", True),
        ("slot", "here", "there", "there", False),
        ("slot", "here", "here", "here", False),
        ("slot", "there", "here", "there", False),
        ("pile", "here", "here", "there", False),
    ],
)
def test_other_movements_are_no_exchange(place: str, one: str, other: str, last: str, is_exchange: bool) -> None:
    lifted = "top of lifted" if place == "pile" else "lifted"
    rules = small(PLACES.format(place=place, one=one, other=other, last=last, lifted=lifted))
    assert_told(rules, "play", {"en": "change places"}, is_exchange)


#: Parts of the games' own sentences for setting a value, which are used only for values that they are true of.
RAISED = {"en": "raises the stake", "de": "den Einsatz auf", "nl": "de inzet tot", "it": "porta la posta"}
DETERMINED = {"en": "determined", "de": "steht damit fest", "nl": "staat daarmee vast", "it": "stabilita"}
#: Words for the place at which a value is usually set back.
PLACE = {"en": "(beginning|round)", "de": "(Beginn|Runde)", "nl": "(begin|ronde)", "it": "(inizio|giro)"}
NEAR_5 = {language: f"{place}[^.]*5|5[^.]*{place}" for language, place in PLACE.items()}
#: Words for *this player*, for the end of a repeated round, and for what a superlative compares.
THIS = {"en": "this player", "de": r"diese[rs] Spieler", "nl": "deze speler", "it": "questo giocatore"}
EFFECT_ON_THIS = {language: f", [^,]*{this}[^,]*$" for language, this in THIS.items()}
UNTIL = {
    "en": "until the last round has been played", "de": "bis die letzte Runde gespielt ist",
    "nl": "totdat de laatste ronde gespeeld is", "it": "è stato giocato l’ultimo giro",
}  # fmt: skip
COMPARED = {
    "en": r"\(comparing only", "de": r"\(verglichen werden nur", "nl": r"\(alleen", "it": r"\(si confrontano solo",
}  # fmt: skip
SAME = "holder of ancestor is holder of elder"
#: Conditions, and whether the holder is the only one whom they name.
HOLDERS = (
    (SAME, True),
    (f"{SAME} and phase of scorpion is late", True),
    (f"{SAME} or holder of elder is holder of boomerang", False),
    (f"{SAME} and holder of boomerang is player(1)", False),
    (f"{SAME} and (some q in player where q is not holder of elder and points of q > 3)", False),
    (f"{SAME} and points of left of holder of elder > 3", False),
)
ADVANCES = "after rule elder_privilege\n    repeat until last_round\n        scorpion_advances()"
#: Changes, and whether a declaration has these words then.
TRUE_WORDS: tuple[tuple[str, str, str, dict[str, str], bool], ...] = (
    # A stake is raised only to its upper bound.
    *(("kuhn_poker", "settle", f"before rule settle\n    set stake of p to {value}", RAISED, value == "2")
      for value in ("2", "1", "3 - stake of p", "stake of left of p", "lowest stake of q for q in player")),
    # A sentence without the index needs it in the value.
    ("tongiaki", "look_ahead", "", DETERMINED, True),
    ("tongiaki", "increase", "after rule increase\n    set ahead[land, northeast] to island_card(tonga)", DETERMINED,
     False),
    # Another name for a known thing is no condition.
    ("tongiaki", "increase", "set strand of place in choice new_ship to beach where free(land, strand) > 0",
     {"en": "an island is the island"}, False),
    # If `increase` leaves beaches marked or does not mark them, the landing must state it.
    ("tongiaki", "landing", "", {"en": "has now received a ship|receive a ship again"}, False),
    ("tongiaki", "landing", "replace rule nobody_served()\n    nothing", {"en": "has now received a ship"}, True),
    ("tongiaki", "landing", "remove nobody_served from rule increase", {"en": "receive a ship again"}, True),
    # A reset sentence is true at any place.
    ("ubongo", "take_gems", "after rule take_gems\n    if size of collection of p > 5\n        set finished to 0",
     NEAR_5, False),
    # *This player* is the only holder that a condition names, and not one of a remark.
    *(("wongar", "pass_boomerang",
       f"after rule pass_boomerang\n    if {condition}\n        draw_ritual(holder of elder)", EFFECT_ON_THIS, only)
      for condition, only in HOLDERS),
    *(("wongar", "choose_first_holders", f"set first_holder in rule choose_first_holders to player({seat})",
       {language: f"(?i){this}" for language, this in THIS.items()}, False) for seat in (1, 2)),
    # Words for the end of a repeated round hold for that loop only.
    ("wongar", "play", ADVANCES, UNTIL, True),
    ("wongar", "elder_privilege", ADVANCES, UNTIL, False),
    # Words of a game for a superlative do not hide what is compared.
    *(("goofspiel", "play", f"before tied in play\n    for each q in player{condition} with most offer(q)\n"
       "        q gains 1 points", COMPARED, bool(condition)) for condition in ("", " where points of q > 3")),
)  # fmt: skip


@pytest.mark.parametrize(("base", "name", "change", "patterns", "expected"), TRUE_WORDS)
def test_words_are_used_where_they_are_true(
    base: str, name: str, change: str, patterns: dict[str, str], expected: bool
) -> None:
    assert_told(variant(base, change), name, patterns, expected)


#: Statements of Tongiaki that set values back which are at their start before a turn.
@pytest.mark.parametrize(
    "statement", ["something_new()", "nobody_served()", "forget_ahead()", "set discovered to nobody"]
)
def test_a_condition_of_an_idle_reset_is_told(statement: str) -> None:
    changed = variant("tongiaki", f"before rule take_turn\n    if supply[me, ship] > 4\n        {statement}")
    for language in LANGUAGES:
        text = told(changed, "take_turn", language)[0]
        assert len(text[text.index("4") :].split(", ")) == 2, text


@pytest.mark.parametrize("statement", ["left of p wins", "nobody wins", "end game"])
def test_statements_after_the_end_of_the_game_are_not_told(statement: str) -> None:
    changed = variant("nim", f"before wins in play\n    {statement}")
    for language in LANGUAGES:
        before, after = (told(rules, "play", language) for rules in (model("nim"), changed))
        assert len(before) == len(after)
        assert before != after
        ends = [text_of_book(rules, language, "end").splitlines()[3:] for rules in (model("nim"), changed)]
        assert len(ends[0]) == len(ends[1])
        assert ends[0] != ends[1]


GUESTS = """remember guest of each cell: player
remember favourite of each player: cell
after marked in play
    if guest of here is not nobody and favourite of p is nobody
        set guest of here to left of p
    for each c in cell where guest of c is nobody
        set guest of c to p
    if some c in cell where guest of c is not p and guest of c is not nobody
        set favourite of p to here
"""
#: Sentences for a thing without a value and with one, and wrong ones that call the value itself missing or present.
HAVING = {
    "en": ("has no (?:guest|favourite)", "has guest", "missing|present"),
    "de": ("keinen (?:guest|favourite) hat", "(?<!keinen )guest hat", "fehl|da ist"),
    "nl": ("geen (?:guest|favourite) heeft", "(?<!geen )guest heeft", "ontbreek"),
    "it": ("non ha nessun (?:guest|favourite)", "ha guest", "manca|c’è"),
}


def test_a_thing_has_a_value_or_none() -> None:
    changed = variant("tictactoe", GUESTS)
    for language, patterns in HAVING.items():
        text = " ".join(told(changed, "play", language))
        assert [len(re.findall(pattern, text)) for pattern in patterns] == [2, 2, 0]


#: An assignment in an option, and a part of the line that tells it; None if no player learns anything by it.
PEEKS = {
    "set peeked of p to top of stack": "peeked",
    "set warned to yes": None,
    "if top of stack is trap\n                        set warned to yes": "warned",
    "let c = top of stack\n                    set shown_kind to c": "shown kind",
    "note(top of stack)": "shown kind",
    "set shown_kind to first_of()": "shown kind",
    "set laid_aside to top of stack": None,
}
PEEKING = """
cards tile
    trap
    gem
deck box of tile
    3 trap, 3 gem
pile stack holds tile, seen by nobody
remember peeked of each player: tile, seen by owner
remember laid_aside: tile, seen by nobody
remember shown_kind: tile
remember warned: yes or no = no
setup
    fill stack with box
    shuffle stack
define first_of() = top of stack
rule note(c: tile)
    set shown_kind to c
play
    repeat 3 times
        for each p in player
            p chooses turn
                look
                    {deed}
                stop
                    nothing
    nobody wins
"""


@pytest.mark.parametrize("deed", PEEKS)
def test_a_value_by_which_a_player_learns_what_is_hidden_is_told(deed: str) -> None:
    """Even if no rule reads it: players see it at the table."""
    text = text_of_book(small(PEEKING.format(deed=deed)), "en").casefold()
    names = ("peeked", "warned", "shown kind", "laid aside")
    assert [n for n in names if re.search(rf"{n}\b.* (is|becomes) ", text)] == [PEEKS[deed]] * bool(PEEKS[deed])


LAMPS = """
enum glow = red, white
board coast
    row cape bay
    cape touches bay
    bay touches cape
cards lamp
    lit(light: glow)
    dark
cards flag
    plain(dye: glow)
deck lamps of lamp
    2 lit(red), 1 lit(white), 1 dark
deck flags of flag
    2 plain(red), 1 plain(white)
figure ghost on coast held by player
figure guard on coast held by player
pile stock holds lamp, seen by all
pile rest holds lamp, seen by all
hand grip of each player holds lamp, seen by owner
pile mast holds flag, seen by all
hand bundle of each player holds flag, seen by owner
remember owner of each coast: player
remember team of each player: glow
remember mood of each player: glow = red
remember favourite: glow
remember trump: glow
score points
setup
    fill stock with lamps
    fill mast with flags
    draw_teams()
    set trump to red
    set holder of guard to player(1)
rule draw_teams()
    for each p in player
        set team of p to random g in glow
play
    {}
    set owner of cape to player(1)
    set favourite to white
    set place of ghost to bay
    set holder of ghost to player(2)
    set mood of player(1) to white
    player(2) wins
"""
GAINS = "\n        player(1) gains 77 points"
#: Statements with an equation of values that may both be missing: the equation also says so, since it holds then.
DOUBTFUL = (
    f"if owner of cape is owner of bay{GAINS}",
    f"if light of top of stock is light of top of rest{GAINS}",
    f"if light of top of stock is favourite{GAINS}",
    f"if dye of top of mast is favourite{GAINS}",
    f"if top of stock is top of rest{GAINS}",
    f"if holder of ghost is owner of cape{GAINS}",
    f"for each l in grip of player(1) where light of l is favourite{GAINS}",
    "player(1) chooses two\n        pair(a: grip of player(1), b: grip of player(1) where light of a is light of b)\n"
    "            player(1) gains 77 points\n        otherwise\n            nothing",
    f"let cape_owner = owner of cape\n    if cape_owner is owner of bay{GAINS}",
    f"if some c in coast where c is not cape and owner of c is owner of cape{GAINS}",
)
#: Comparisons with a value that always exists, or is known to exist.
CERTAIN = (
    f"if owner of cape is player(1){GAINS}",
    f"if team of player(1) is team of player(2){GAINS}",
    f"if team of player(1) is light of top of stock{GAINS}",
    f"if mood of player(1) is favourite{GAINS}",
    f"if trump is favourite{GAINS}",
    f"if holder of guard is holder of ghost{GAINS}",
    f"if owner of cape is not nobody and owner of cape is owner of bay{GAINS}",
    f"if not (owner of cape is nobody or owner of cape is not owner of bay){GAINS}",
    f"if stock is not empty and top of stock is top of rest{GAINS}",
    f"if favourite is red and favourite is light of top of stock{GAINS}",
    f"for each f in bundle of player(1) where dye of f is favourite{GAINS}",
    f"if (first p in player with most points of p) is owner of cape{GAINS}",
)
BOTH = {"en": "both are missing", "de": "beide fehlen", "nl": "beide ontbreken", "it": "mancano entrambi"}
NOT_BOTH = {
    "en": "not both are missing", "de": "nicht beide fehlen", "nl": "niet beide ontbreken",
    "it": "non mancano entrambi",
}  # fmt: skip


@pytest.mark.parametrize("statement", DOUBTFUL)
def test_values_that_are_both_missing_are_equal_and_do_not_differ(statement: str) -> None:
    assert_told(small(LAMPS.format(statement)), "play", BOTH)
    *before, equation = statement.partition(" where " if " where " in statement else "if ")
    assert_told(small(LAMPS.format("".join(before) + " is not ".join(equation.rsplit(" is ", 1)))), "play", NOT_BOTH)


@pytest.mark.parametrize("statement", CERTAIN)
def test_a_value_that_is_there_is_not_called_missing(statement: str) -> None:
    assert_told(small(LAMPS.format(statement)), "play", BOTH, expected=False)
