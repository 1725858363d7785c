"""Hostile rule files as bytes, with the codes of the possible diagnostics (none: the game must play)."""

from __future__ import annotations

from collections.abc import Iterator

HEAD = "game bad\n    players 2 to 3\n    source house rule\n\n"
END = "\nwinner p\n    most points of p\n"
BIG = 1_000_000_000


def game(body: str, declared: str = "") -> str:
    return f"{HEAD}score points\n{declared}\nplay\n{body}    end game\n{END}"


def chain(length: int, width: int, last: str) -> str:
    """Return rules that each call the next one `width` times."""
    links = (f"rule a{i}()\n" + f"    a{i + 1}()\n" * width for i in range(length))
    return "remember r: number 0 to 10 = 0\n" + "".join(links) + f"rule a{length}()\n{last}"


def definition_chain(length: int, width: int) -> str:
    links = (f"define a{i}() = " + " + ".join([f"a{i + 1}()"] * width) + "\n" for i in range(length))
    return "remember r: number = 0\n" + "".join(links) + f"define a{length}() = r\n"


def comma_separated_names(stem: str, count: int) -> str:
    return ", ".join(f"{stem}{i}" for i in range(count))


ASK = "    for each p in player\n        p chooses x\n            go\n                nothing\n"
CARDS = "cards c\n    aa\ndeck d of c\n    {} aa\npile s holds c, seen by all\nsetup\n    fill s with d\n"
K = f"enum k = {comma_separated_names('k', 90)}\n"


def hostile_files() -> Iterator[tuple[str, str | bytes, str]]:
    # long
    yield "10 MB", "# x\n" * 2_600_000, "R0002"
    yield "a long word", "a" * 290_000, "R0105"
    yield "a long line", "a " * 145_000, "R0105"
    yield "many articles", HEAD + "option a = 1\n" * 20_000, "R0414"
    yield "many errors", HEAD + "optoin a = 1\n" * 1990, "R0101"
    yield "a long rule", game("    iff players > 3\n        nothing\n" * 900), "R0101"
    yield "many unknown names", game("".join(f"    set w{i} to w{i + 1}\n" for i in range(900))), "R0201"
    yield (
        "many names",
        HEAD + "".join(f"enum a{j} = {comma_separated_names(f'v{j}_', 98)}\n" for j in range(300)),
        "R0412",
    )
    yield "a long text", HEAD.replace("source", f'book x "{"a" * 100_000}"\n    source'), "R0105"
    yield "nothing but lines", "\n" * 290_000, "R0110"
    yield "many lets", game("".join(f"    let x{i} = {i}\n" for i in range(1900))), "R0204"
    # deep
    yield "deep blocks", game("".join("    " * (i + 1) + "if yes\n" for i in range(200))), "R0104"
    yield "24 blocks", game("".join("    " * (i + 1) + "if yes\n" for i in range(22)) + "    " * 23 + "nothing\n"), ""
    yield "deep brackets", game("    let x = " + "(" * 90 + "1" + ")" * 90 + "\n"), "R0104"
    yield "brackets in lines", game("    let x = " + "(\n        " * 1900 + "1" + ")\n        " * 1900), "R0414 R0107"
    yield "nots", game("    if " + "not " * 190 + "yes\n        nothing\n"), ""
    yield "minuses", game("    let x = " + "- " * 190 + "1\n    tell m(x)\n"), ""
    yield "ofs", game("    for each p in player\n        let x = " + "left of " * 95 + "p\n        tell m(x)\n"), ""
    deep = "".join(f"number of x{i} in player where 1 = " for i in range(14))
    yield "numbers of numbers", game(f"    let z = {deep}1\n    tell m(z)\n"), ""
    yield (
        "numbers of many numbers",
        game(f"    let z = {deep.replace('player', '0 to 999')}1\n    tell m(z)\n"),
        "R0601",
    )
    yield "closing brackets", HEAD + ")\n]\n" * 1000, "R0414 R0101"
    # huge counts
    yield "a huge deck", game("", CARDS.format(BIG)), "R0414"
    yield "a huge pile", game("", f"cards c\n    aa\npile s holds at most {BIG} c, seen by all\n"), "R0414"
    yield "huge zones", game("", K + "tokens s of each k of each k of each k holds k, seen by all\n"), "R0414"
    yield "a huge memory", game("", K + "remember s of each k of each k of each k of each k: number = 0\n"), "R0414"
    yield "many cards", game("", K + "cards c\n    aa(x: k, y: k, z: k, u: k)\n"), "R0414"
    yield "a huge table", game("", f"table t\n    0 1\n    {BIG} 1\n"), "R0414"
    yield "a huge track", game("", f"enum k = aa\ntrack t\n    aa {BIG} spaces\n"), "R0414"
    yield "a huge grid", game("", f"board b\n    grid {BIG} by {BIG}\n"), "R0414"
    yield "huge hexagons", game("", f"board b\n    hexagons radius {BIG}\n"), "R0414"
    yield "many players", HEAD.replace("to 3", f"to {BIG}") + game("")[len(HEAD) :], "R0305"
    board_text = "board b\n    row ba bb\n    ba touches bb\n    bb touches ba\n"
    yield "far away", game(f"    for each x in b within {BIG} of ba\n        tell m(x)\n", board_text), ""
    yield "large numbers", game("    let x = " + f"{BIG} * " * 90 + "1\n    tell m(x)\n"), "R0603"
    yield (
        "growing numbers",
        game("    let x = 3\n    repeat 99999 times\n        set x to x * x\n    tell m(x)\n"),
        "R0603",
    )
    yield "doubling", game("    let x = 3\n    repeat 99999 times\n        set x to x + x\n    tell m(x)\n"), "R0603"
    # long at play
    r = "remember r: number 0 to 10 = 0\n"
    yield "an endless loop", game("    repeat\n        nothing\n"), "R0407"
    yield "a loop that goes back", game("    repeat while r < 5\n        set r to 0\n", r), "R0422"
    rule_text = r + "rule again()\n    set r to 1\n"
    yield "a loop in a rule", game("    repeat while r < 5\n        again()\n", rule_text), "R0422"
    yield "many times", game(f"    repeat {BIG} times\n        nothing\n"), "R0601"
    yield (
        "many many times",
        game("    repeat 99999 times\n        repeat 99999 times\n            set r to 1\n", r),
        "R0601",
    )
    yield "a long way", game(f"    for each x in 0 to {BIG}\n        nothing\n"), "R0601"
    yield "a long count", game(f"    let z = number of x in 0 to {BIG}\n    tell m(z)\n"), "R0601"
    yield "many shuffles", game("    repeat 99999 times\n        shuffle s\n", CARDS.format(2000)), "R0601"
    yield "many messages", game("    repeat 4000000 times\n        tell m(x: 1)\n"), "R0601"
    yield (
        "a loop of decisions",
        game("    repeat\n        for each p in player\n            p chooses x\n                go\n"),
        "R0407",
    )
    yield "calls that multiply", game("    a0()\n", chain(30, 3, "    set r to r\n")), "R0601"
    yield "decisions that multiply", game("    a0()\n", chain(30, 3, ASK)), "many_decisions"
    yield "definitions that multiply", game("    set r to a0()\n", definition_chain(30, 3)), "R0414"
    yield "a long chain", game("    a0()\n", chain(1500, 1, "    set r to r\n")), "R0104"
    yield "a long chain of decisions", game("    a0()\n", chain(1500, 1, ASK)), "R0104"
    yield "a long chain of definitions", game("    set r to a0()\n", definition_chain(1500, 1)), "R0104"
    yield "a ring", game("    a()\n", "rule a()\n    b()\nrule b()\n    a()\n"), "R0408"
    yield "a rule in itself", game("    a()\n", "rule a()\n    a()\n"), "R0408"
    yield "definitions in a ring", game("    tell m(x: a())\n", "define a() = b()\ndefine b() = a()\n"), "R0408"
    many_options = ASK.replace("go", "go(a: 0 to 99999, b: 0 to 99999)")
    yield "many options", game(many_options), "R0601"
    options_text = "".join(f"            go{i}\n                nothing\n" for i in range(900))
    yield (
        "many written options",
        game(f"    for each p in player\n        tell turn(player: p)\n        p chooses x\n{options_text}"),
        "",
    )
    # strange letters
    yield "NUL", game("    nothing\0\n"), "R0103"
    yield "not UTF-8", b"game \xff\xfe\n", "R0003"
    yield "UTF-16", "game x\n".encode("utf-16"), "R0003"
    yield "byte order mark", "\ufeff" + game(""), ""
    yield "unseen letters", game("    let \u202ex = \u0661\n    let \u200bx = 1\n    let x\u2028 = 1\n"), "R0103"
    yield "digits of others", HEAD.replace("2 to 3", "２ to ３"), "R0103"
    yield "form feeds", game("    nothing\x0c\n\x0b    nothing\n"), "R0103"
    yield "carriage returns", game("").replace("\n", "\r"), "R0103"
    yield "letters that look alike", game("    for each р in player\n        р gains 1 points\n"), "R0103"
    yield "nothing", "", "R0110"
    yield "a comment", "# x", "R0110"
    yield "spaces", "   \n \n", "R0110"
    # names of Python
    python = ["None", "Exception", "import", "print", "class_", "exec", "eval", "lambda", "self", "state", "cells"]
    python += ["len", "range", "v0", "int", "list", "dict"]
    body = "".join(f"    set {n} to {n} + 1\n" for n in python) + "    yield(len)\n"
    declarations = "".join(f"remember {n}: number = 0\n" for n in python)
    rule = "rule yield(async: number)\n    let open = async\n    tell raise(open)\n"
    yield "names of Python", game(body, declarations + rule), ""
    yield "a variant of itself", "variant x of bad\n", "R0005 R0006"
