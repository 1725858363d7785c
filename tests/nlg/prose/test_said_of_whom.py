"""Sentences about several persons or things say of which one they speak."""

from __future__ import annotations

from pathlib import Path

import pytest

from .books import LANGUAGES, rules_in
from .test_antecedents import lines

#: The base game, the declaration to read, statements, and the words that the text must have.
EXCEPT = """before rule settle
    for each q in player where q is not p
        if rank of holding of q is king
            q gains 3 chips
            p loses 3 chips
"""
AFTER_LOOPS = """before won in play
    for each q in player where q is not best
        for each r in player where r is not q
            r gains 1 points
            if r is best
                q loses 2 points
"""
TABLE = """table next_heap
    heap_a heap_b
    heap_b heap_c
    heap_c heap_a
after taken in play
    for each h in stack where size of matches of h >= 2
        move 1 match from matches of h to matches of next_heap[h]
"""
OWNER = """before rule play_round
    for each q in player
        for each here in area
            for each k in token where ground[here, q, k] > 1
                move ground[here, q, k] div 2 k from ground[here, q] to supply of q
"""
TIED = """before rule take_turn
    for each land in island where on_map(land)
        let chief = first q in player clockwise after me with most ships_of(q, land)
        if ships_of(chief, land) > 2
            chief gains 1 points for royal_islands
"""
OMITTED = """add to choice turn before pass
    visit(land: island where ships_of(me, land) > 0)
        for each near in island where near is not land and on_map(near)
            if (some strand in beach where complete(near, strand))
                I gain 1 points for royal_islands
"""
RENAMED = """set strand of place in choice new_ship to beach where free(land, strand) > 0
"""
SEATS = """before rule play_round
    if position of place of elder = 2
        player(position of holder of elder) gains 1 points for scorpions
"""
STARTER = """before rule play_round
    if count of green in collection of starter > 2
        set finished to 1
"""
TOGETHER = """replace winner p
    most 1
"""
TEXTS = {
    ("wongar", "winner", TOGETHER): {
        "en": "All players win together.", "de": "Alle Spieler gewinnen gemeinsam.", "nl": "Alle spelers winnen samen.",
        "it": "Tutti i giocatori vincono insieme.",
    },
    ("ubongo", "play_round", STARTER): {
        "en": "in their collection", "de": "in seiner Sammlung", "nl": "in zijn verzameling",
        "it": "nella sua collezione",
    },
    ("kuhn_poker", "settle", EXCEPT): {
        "en": "The player “q” gains 3", "de": "Der Spieler „q“ erhält 3", "nl": "De speler “q” krijgt 3",
        "it": "Il giocatore «q» guadagna 3",
    },
    ("goofspiel", "play", AFTER_LOOPS): {
        "en": "The player “best” gains as many", "de": "Der Spieler „best“ erhält so viele",
        "nl": "De speler “best” krijgt zoveel", "it": "Il giocatore «best» guadagna un numero",
    },
    ("nim", "play", TABLE): {
        "en": "into the heap in the table", "de": "den Haufen in der Tabelle", "nl": "in de hoop in de tabel",
        "it": "nel mucchio che la tabella",
    },
    ("wongar", "play_round", OWNER): {
        "en": "kind of the player as the", "de": "Sorte des Spielers, wie", "nl": "soort van de speler als",
        "it": "tipo del giocatore pari",
    },
    ("wongar", "play_round", SEATS): {
        "en": "reading order) of the area of the elder is 2, the player whose seat number is the seat number of",
        "de": "Gebiets des Ältesten gleich 2 ist, erhält der Spieler, dessen Platznummer die Platznummer",
        "nl": "van de stamoudste gelijk is aan 2, krijgt de speler met als plaatsnummer het plaatsnummer",
        "it": "dell’Anziano è uguale a 2, il giocatore il cui numero di posto è il numero di posto del",
    },
    ("tongiaki", "take_turn", OMITTED): {
        "en": "on the other island and no berth is free", "de": "auf der anderen Insel einen Liegeplatz",
        "nl": "op het andere eiland een ligplaats", "it": "un ormeggio sull’altra isola",
    },
    ("tongiaki", "take_turn", TIED): {
        "en": "The player “chief” is the player “q” for whom", "de": "Der Spieler „chief“ ist der Spieler „q“, bei dem",
        "nl": "De speler “chief” is de speler “q” bij wie", "it": "Il giocatore «chief» è il giocatore «q» per cui",
    },
}  # fmt: skip


def text(folder: Path, base: str, name: str, change: str, language: str) -> str:
    path = folder / "changed.rules"
    path.write_text(f"variant changed of {base}\n    source house rule\n{change}", encoding="utf-8")
    return "\n".join(lines(rules_in(path), name, language))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("base", "name", "change"), TEXTS, ids=[base for base, *_ in TEXTS])
def test_it_is_said_of_whom(base: str, name: str, change: str, tmp_path: Path, language: str) -> None:
    said = text(tmp_path, base, name, change, language)
    assert TEXTS[base, name, change][language] in said, said


def test_another_name_for_a_known_thing_is_no_condition(tmp_path: Path) -> None:
    assert "an island is the island" not in text(tmp_path, "tongiaki", "increase", RENAMED, "en")
