"""Broken rule files: typical errors of authors, one per file, with their diagnostics.

A row has a title, the text in the good file, its replacement, the code of the only diagnostic, and the kind of
correction. `SUGGESTED`: replacing the marked text corrects it. `ADVISED`: following the hint or the message corrects
it, which names something to leave out, insert or indent. `EXPLAINED`: the message explains it in words that a program
cannot apply.
"""

from __future__ import annotations

from typing import NamedTuple

from wongar_dsl.base.diagnostics import Diagnostic

SUGGESTED, ADVISED, EXPLAINED = "suggested", "advised", "explained"


class Broken(NamedTuple):
    """One error in a good file."""

    title: str
    good: str
    bad: str
    code: str
    mended: str


GAME = """\
game heaps
    players 2 to 4
    book club "Rules of the club"
    source house rule

enum stack = heap_a, heap_b, heap_c
enum piece = stone, pebble

tokens matches of each stack holds piece, seen by all
tokens box holds piece, seen by all
score points

board square
    grid 3 by 3

remember last: number 0 to 20 = 0
remember starter: player
option most_taken = 3 in 1 to 5

table first_matches
    heap_a 1
    heap_b 2
    heap_c 3

setup
    for each h in stack
        fill matches of h with first_matches[h] stone
    set starter to player(1)

play
    repeat
        for each p in player clockwise from starter
            if last < 20
                set last to last + 1
            otherwise
                set last to 0
            take_some(p)

rule take_some(p: player)
    p chooses turn
        take(chosen: stack, n: 1 to least(most_taken, size of matches of chosen))
            move n stone from matches of chosen to box as taken(player: p, n, token, stack)
            p gains n points
            if every h in stack has matches of h is empty
                p wins
        stay if last > 3
            p loses 1 points
        otherwise
            end game

define is_late() = last > 10 and (last < 20 or not size of box = 0)

rule finish()
    if is_late()
        repeat 2 times
            nobody wins

winner p
    most points of p
"""
GAME = GAME.replace("            take_some(p)\n\n", "            take_some(p)\n        finish()\n\n")

IN_GAME = [
    # ---- blocks and options ----
    Broken(
        "else among options", "        otherwise\n            end", "        else\n            end", "R0215", SUGGESTED
    ),
    Broken(
        "sonst among options",
        "        otherwise\n            end",
        "        sonst\n            end",
        "R0215",
        SUGGESTED,
    ),
    Broken(
        "altrimenti among options",
        "        otherwise\n            end",
        "        altrimenti\n            end",
        "R0215",
        SUGGESTED,
    ),
    Broken(
        "anders among options",
        "        otherwise\n            end",
        "        anders\n            end",
        "R0215",
        SUGGESTED,
    ),
    Broken(
        "default among options",
        "        otherwise\n            end",
        "        default\n            end",
        "R0215",
        SUGGESTED,
    ),
    Broken("option called case", "stay if last", "case if last", "R0215", EXPLAINED),
    Broken("option called then", "stay if last", "then if last", "R0215", EXPLAINED),
    Broken(
        "else in a rule",
        "            otherwise\n                set",
        "            else\n                set",
        "R0101",
        SUGGESTED,
    ),
    Broken(
        "else with a colon",
        "            otherwise\n                set",
        "            otherwise:\n                set",
        "R0101",
        ADVISED,
    ),
    Broken(
        "elif",
        "            otherwise\n                set",
        "            elif last = 20\n                set",
        "R0101",
        SUGGESTED,
    ),
    Broken(
        "else if",
        "            otherwise\n                set",
        "            else if last = 20\n                set",
        "R0101",
        SUGGESTED,
    ),
    Broken("body of an option not indented", "            move n stone", "        move n stone", "R0102", EXPLAINED),
    Broken(
        "body of a loop not indented",
        "        repeat 2 times\n            nobody wins",
        "        repeat 2 times\n        nobody wins",
        "R0107",
        EXPLAINED,
    ),
    Broken("then", "if is_late()", "if is_late() then", "R0101", ADVISED),
    Broken("dann", "if is_late()", "if is_late() dann", "R0101", ADVISED),
    Broken("colon", "if is_late()", "if is_late():", "R0101", ADVISED),
    Broken("brace", "if is_late()", "if is_late() {", "R0101", ADVISED),
    Broken("wenn", "if is_late()", "wenn is_late()", "R0101", SUGGESTED),
    Broken("se", "if is_late()", "se is_late()", "R0101", SUGGESTED),
    Broken("when", "if is_late()", "when is_late()", "R0101", SUGGESTED),
    Broken("loop with a count", "repeat 2 times", "loop 2 times", "R0101", SUGGESTED),
    Broken("times forgotten", "repeat 2 times", "repeat 2", "R0107", SUGGESTED),
    Broken("2x", "repeat 2 times", "repeat 2x", "R0101", SUGGESTED),
    Broken("for in", "for each h in stack", "for h in stack", "R0101", SUGGESTED),
    Broken("for each of", "for each h in stack", "for each h of stack", "R0101", SUGGESTED),
    Broken("foreach", "for each h in stack", "foreach h in stack", "R0101", SUGGESTED),
    # ---- statements ----
    Broken("assignment", "set last to last + 1", "last = last + 1", "R0101", SUGGESTED),
    Broken("plus equals", "set last to last + 1", "last += 1", "R0101", SUGGESTED),
    Broken("plus plus", "set last to last + 1", "last++", "R0101", SUGGESTED),
    Broken("add to", "set last to last + 1", "add 1 to last", "R0101", SUGGESTED),
    Broken("increase by", "set last to last + 1", "increase last by 1", "R0101", SUGGESTED),
    Broken("set equals", "set last to last + 1", "set last = last + 1", "R0101", SUGGESTED),
    Broken("set without to", "set last to 0", "set last 0", "R0101", SUGGESTED),
    Broken("let for set with be", "set starter to player(1)", "set starter be player(1)", "R0101", SUGGESTED),
    Broken(
        "to before from",
        "move n stone from matches of chosen to box",
        "move n stone to box from matches of chosen",
        "R0101",
        SUGGESTED,
    ),
    Broken("move into", "from matches of chosen to box", "from matches of chosen into box", "R0101", SUGGESTED),
    Broken(
        "put into",
        "move n stone from matches of chosen to box",
        "put n stone from matches of chosen into box",
        "R0101",
        SUGGESTED,
    ),
    Broken("negative filling", "with first_matches[h] stone", "with -5 stone", "R0305", EXPLAINED),
    Broken(
        "negative filling that is calculated", "with first_matches[h] stone", "with 2 - 7 stone", "R0305", EXPLAINED
    ),
    Broken("negative repetition", "repeat 2 times", "repeat -2 times", "R0305", EXPLAINED),
    Broken(
        "negative move",
        "move n stone from matches of chosen to box as taken(player: p, n, token, stack)",
        "move -1 stone from matches of chosen to box",
        "R0305",
        EXPLAINED,
    ),
    Broken("piece misspelt", "[h] stone", "[h] stoen", "R0201", SUGGESTED),
    Broken("piece in the plural", "[h] stone", "[h] stones", "R0201", SUGGESTED),
    Broken("piece that is no word of the language", "[h] stone", "[h] step", "R0201", SUGGESTED),
    Broken("piece called as a place", "[h] stone", "[h] spaces", "R0205", EXPLAINED),
    Broken("place misspelt", "to box as", "to bxo as", "R0201", SUGGESTED),
    Broken("place that is no word of the language", "to box as", "to bottom_box as", "R0201", EXPLAINED),
    Broken("player chooses", "p chooses turn", "player chooses turn", "R0205", EXPLAINED),
    Broken("player wins", "                p wins", "                player wins", "R0205", EXPLAINED),
    Broken("niemand gewinnt", "nobody wins", "niemand gewinnt", "R0101", SUGGESTED),
    Broken("nessuno vince", "nobody wins", "nessuno vince", "R0101", SUGGESTED),
    Broken("niemand wint", "nobody wins", "niemand wint", "R0101", SUGGESTED),
    Broken("is the winner", "                p wins", "                p is the winner", "R0101", SUGGESTED),
    Broken("game over", "end game", "game over", "R0101", SUGGESTED),
    Broken("gets", "p gains n points", "p gets n points", "R0101", SUGGESTED),
    Broken("erhält", "p gains n points", "p erhält n points", "R0101", SUGGESTED),
    Broken("the", "from matches of chosen", "from the matches of chosen", "R0101", SUGGESTED),
    Broken("capital letter", "repeat 2 times", "Repeat 2 times", "R0101", SUGGESTED),
    Broken("semicolon", "end game", "end game;", "R0101", ADVISED),
    Broken("bracket left open", "player(1)", "player(1", "R0107", ADVISED),
    Broken("bracket too many", "player(1)", "player(1))", "R0101", ADVISED),
    # ---- conditions ----
    Broken(
        "all from",
        "if every h in stack has matches of h is empty",
        "if all from stack have matches of h is empty",
        "R0101",
        SUGGESTED,
    ),
    Broken(
        "all of the",
        "if every h in stack has matches of h is empty",
        "if all of stack have matches of h is empty",
        "R0101",
        SUGGESTED,
    ),
    Broken(
        "line that ends with or",
        "(last < 20 or not size of box = 0)",
        "last < 20 or\n    not size of box = 0",
        "R0107",
        EXPLAINED,
    ),
    Broken("line that ends with and", "last > 10 and (last", "last > 10 and\n    (last", "R0107", EXPLAINED),
    Broken("double equals", "box = 0", "box == 0", "R0101", SUGGESTED),
    Broken("and as a sign", "last > 10 and", "last > 10 &&", "R0103", SUGGESTED),
    Broken("und", "last > 10 and", "last > 10 und", "R0101", SUGGESTED),
    Broken("oder", "20 or not", "20 oder not", "R0101", SUGGESTED),
    Broken("is greater than", "if last < 20", "if last is less than 20", "R0101", SUGGESTED),
    Broken("at least", "stay if last > 3", "stay if last is at least 3", "R0101", SUGGESTED),
    Broken("dot", "most points of p", "most p.points", "R0103", SUGGESTED),
    Broken("apostrophe", "most points of p", "most p's points", "R0103", SUGGESTED),
    Broken("typographic minus", "last + 1", "last – 1", "R0103", SUGGESTED),
    # ---- declarations ----
    Broken("players the wrong way round", "players 2 to 4", "players 4 to 2", "R0307", SUGGESTED),
    Broken("players with a hyphen", "players 2 to 4", "players 2-4", "R0101", SUGGESTED),
    Broken("players with a dash", "players 2 to 4", "players 2–4", "R0103", SUGGESTED),
    Broken("players with a colon", "players 2 to 4", "players: 2 to 4", "R0101", SUGGESTED),
    Broken("players from", "players 2 to 4", "players from 2 to 4", "R0101", SUGGESTED),
    Broken("players bis", "players 2 to 4", "players 2 bis 4", "R0101", SUGGESTED),
    Broken("option the wrong way round", "= 3 in 1 to 5", "= 3 in 5 to 1", "R0307", SUGGESTED),
    Broken("remembered range the wrong way round", "number 0 to 20", "number 20 to 0", "R0307", SUGGESTED),
    Broken("grid with x", "grid 3 by 3", "grid 3 x 3", "R0101", SUGGESTED),
    Broken("grid with a times sign", "grid 3 by 3", "grid 3 × 3", "R0103", SUGGESTED),
    Broken("grid without a space", "grid 3 by 3", "grid 3x3", "R0101", SUGGESTED),
    Broken("spaces in names", "heap_a, heap_b, heap_c\n", "heap a, heap b, heap c\n", "R0101", SUGGESTED),
    Broken("hyphen in a name", "enum stack", "enum my-stack", "R0101", EXPLAINED),
    Broken("colon for equals", "enum piece = stone", "enum piece: stone", "R0101", SUGGESTED),
    Broken("no equals", "enum piece = stone", "enum piece stone", "R0101", SUGGESTED),
    Broken("no commas", "stone, pebble", "stone pebble", "R0101", EXPLAINED),
    Broken("article misspelt", "enum piece", "enun piece", "R0101", SUGGESTED),
    Broken("capital article", "enum piece", "Enum piece", "R0101", SUGGESTED),
    Broken("no game", "game heaps\n    players 2 to 4\n", "players 2 to 4\n", "R0110", EXPLAINED),
    Broken(
        "no first line",
        'game heaps\n    players 2 to 4\n    book club "Rules of the club"\n    source house rule\n',
        "",
        "R0110",
        EXPLAINED,
    ),
    Broken(
        "file of another kind",
        GAME,
        "# Heaps\n\nTake **some** stones!\n\n- from one heap\n- as many as you like\n",
        "R0110",
        EXPLAINED,
    ),
    Broken("two plays", "winner p\n", "play\n    end game\n\nwinner p\n", "R0202", EXPLAINED),
    Broken("two setups", "winner p\n", "setup\n    set last to 3\n\nwinner p\n", "R0202", EXPLAINED),
    Broken("rule without brackets", "rule finish()", "rule finish", "R0107", SUGGESTED),
    Broken("typographic quotation marks", '"Rules of the club"', "„Rules of the club“", "R0103", SUGGESTED),
    Broken("guillemets", '"Rules of the club"', "«Rules of the club»", "R0103", SUGGESTED),
    Broken("umlaut in a name", ", pebble", ", pébble", "R0103", SUGGESTED),
]

BASE = """\
game heaps
    players 2 to 4
    source house rule

enum season = early, late
enum leader = alone, together
enum piece = stone, pebble
track clock
    early 2 spaces
    late 3 spaces
cards tile
    small
    large
deck pack of tile total 5
    2 small, 3 large

pile stack holds tile, seen by nobody
heap goal_of of each player holds tile, seen by all
heap discards holds tile, seen by all
tokens box holds piece, seen by all

remember rounds: number 0 to 20 = 0
score points
option cards_bonus = 8 in 0 to 100
option harsh = no

table points_for  early late
    alone     4 5
    together  2 3

setup
    fill stack with pack
    fill box with 9 stone

play
    repeat until rounds = 6
        set rounds to rounds + 1
        advance clock by 1
        for each p in player
            turn(p)
    end game

rule turn(p: player)
    p chooses turn
        take if stack is not empty
            move top of stack to goal_of of p
            p gains points_for[alone, early] points
        swap if harsh
            p gains points_for[together, late] points
        pass
    p chooses further
        draw if stack is not empty
            move top of stack to discards
        stop
            p gains cards_bonus points

winner p
    most points of p
    then most size of goal_of of p
"""

#: Parts below the first line of a variant: `good` there, `bad` in the broken one.
IN_VARIANT = [
    Broken("assignment to an option", "set cards_bonus to 12", "cards_bonus = 12", "R0101", SUGGESTED),
    Broken("assignment of a truth", "set harsh to yes", "harsh = yes", "R0101", SUGGESTED),
    Broken("set equals", "set cards_bonus to 12", "set cards_bonus = 12", "R0101", SUGGESTED),
    Broken("set without to", "set cards_bonus to 12", "set cards_bonus 12", "R0101", SUGGESTED),
    Broken("option in capitals", "set cards_bonus to 12", "Set cards_bonus to 12", "R0101", SUGGESTED),
    Broken("option declared again", "set cards_bonus to 12", "option cards_bonus = 12 in 0 to 20", "R0207", SUGGESTED),
    Broken("option misspelt", "set cards_bonus to 12", "set card_bonus to 12", "R0208", SUGGESTED),
    Broken("truth for a number", "set cards_bonus to 12", "set cards_bonus to yes", "R0301", EXPLAINED),
    Broken("number in quotation marks", "set cards_bonus to 12", 'set cards_bonus to "12"', "R0101", SUGGESTED),
    Broken(
        "column before row", "set points_for[alone, late] to 9", "set points_for[late, alone] to 9", "R0216", SUGGESTED
    ),
    Broken(
        "column that is none", "set points_for[alone, late] to 9", "set points_for[alone, lat] to 9", "R0213", SUGGESTED
    ),
    Broken(
        "calculated cell",
        "set points_for[alone, late] to 9",
        "set points_for[alone, late] to points_for[alone, late] - 1",
        "R0101",
        EXPLAINED,
    ),
    Broken("calculated number", "set cards_bonus to 12", "set cards_bonus to cards_bonus + 4", "R0101", EXPLAINED),
    Broken("calculated numbers", "set cards_bonus to 12", "set cards_bonus to 8 * 2", "R0101", EXPLAINED),
    Broken("negative number", "set small in pack to 3", "set small in pack to -1", "R0101", EXPLAINED),
    Broken(
        "option in another choice",
        "remove draw from choice further",
        "remove draw from choice turn",
        "R0213",
        SUGGESTED,
    ),
    Broken(
        "option allowed in another choice",
        "allow swap in choice turn only if rounds > 2",
        "allow swap in choice further only if rounds > 2",
        "R0213",
        SUGGESTED,
    ),
    Broken("stretch of a track that is none", "set late in clock to 4", "set lat in clock to 4", "R0213", SUGGESTED),
    Broken("players the wrong way round", "set players to 2 to 3", "set players to 3 to 2", "R0307", SUGGESTED),
    Broken("players with a hyphen", "set players to 2 to 3", "set players to 2-3", "R0101", SUGGESTED),
    Broken(
        "zone without of",
        "replace rule turn(p: player)\n    move all of goal_of of p to discards",
        "replace rule turn(p: player)\n    move all of goal_of p to discards",
        "R0101",
        SUGGESTED,
    ),
    Broken("add without to", "add to deck pack\n    2 small", "add deck pack\n    2 small", "R0101", SUGGESTED),
    Broken("else as an option", "add to choice turn\n    wait", "add to choice turn\n    else", "R0215", EXPLAINED),
    Broken("name of two words", "variant changed of heaps", "variant my changed of heaps", "R0101", SUGGESTED),
    Broken("for instead of of", "variant changed of heaps", "variant changed for heaps", "R0101", SUGGESTED),
]


def variant(body: str) -> str:
    """Return a variant with one change, or with the given first line."""
    head = body if body.startswith("variant ") else "variant changed of heaps"
    return f"{head}\n    source house rule\n" + ("" if body.startswith("variant ") else f"\n{body}\n")


def corrected(text: str, diagnostic: Diagnostic) -> str | None:
    """Return the text corrected by a diagnostic, or None if the diagnostic only explains."""
    span = diagnostic.span
    assert span is not None
    lines = text.split("\n")
    line = lines[span.line - 1]
    before, marked, after = (
        line[: span.column - 1],
        line[span.column - 1 : span.end_column - 1],
        line[span.end_column - 1 :],
    )
    expected = diagnostic.arguments.get("expected")
    if diagnostic.suggestion is not None:
        assert span.end_line == span.line, diagnostic
        lines[span.line - 1] = before + diagnostic.suggestion + after
    elif diagnostic.hint is not None and diagnostic.hint.name == "leave_out":
        assert marked == diagnostic.hint.arguments["word"], diagnostic
        lines[span.line - 1] = before.rstrip() + after
    elif diagnostic.code == "R0107" and expected in ((")",), ("]",)):
        lines[span.line - 1] = line.rstrip() + ")"
    else:
        return None
    return "\n".join(lines)
