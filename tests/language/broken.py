"""A game and the base of a variant, in which typical errors of authors are made, and corrections of these errors."""

from __future__ import annotations

from wongar_dsl.base.diagnostics import Diagnostic

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
        finish()

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


def remaining_errors(diagnostic: Diagnostic, after: list[Diagnostic]) -> list[Diagnostic]:
    """Return syntax errors and wrong names up to the end of an applied suggestion, or the same error again."""
    span = diagnostic.span
    assert span is not None
    assert diagnostic.suggestion is not None
    end = span.column + len(diagnostic.suggestion)
    nearby = [d for d in after if d.span is not None and d.span.line == span.line and d.span.column < end]
    syntax = [d for d in nearby if d.code.startswith("R01") or d.code == "R0205"]
    return syntax or [d for d in nearby if d.code == diagnostic.code and d.arguments == diagnostic.arguments]
