"""Generators of attack files that are too large to store, by file name."""

from __future__ import annotations

from collections.abc import Callable

HEAD = "game {name}\n    players 2\n    source house rule\n"
END = "    nobody wins\n"


def _play(name: str, body: str, declared: str = "") -> str:
    return f"{HEAD.format(name=name)}{declared}play\n{body}{END}"


def _brackets(sign: str) -> str:
    """Return rules with a sum or difference over thousands of lines of maximum length."""
    line = f"        {' '.join(['1 ' + sign] * 60)}\n"
    return _play("many", f"    tell x(n: (\n{line * 1150}        1))\n")


def _coverings(areas: int, articles: int) -> str:
    """Return rules with coverings of large areas by pieces that fit almost everywhere."""
    row = "x" * 40
    pieces = "".join(f"    p{i} {row} {'.' * 19}x {row}\n" for i in range(50))
    fields = "".join(f"    a{i} {' '.join([row] * 40)}\n" for i in range(areas))
    coverings = "".join(
        f"coverings ans{j} of area by part\n" + "".join(f"    a{i} p0 p1\n" for i in range(areas))
        for j in range(articles)
    )
    return f"{HEAD.format(name='cover')}shapes part\n{pieces}shapes area\n{fields}{coverings}play\n{END}"


def _rays(name: str, body: str) -> str:
    return _play(name, body, "board sq\n    grid 63 by 63\n    touching diagonally\nremember o of each sq: player\n")


def _cases() -> str:
    """Return the maximum number of cases per file, each with a slow set-up."""
    return "game: casegame.rules\nplayers: 2\ncases:\n" + "".join(
        f"  - name: c{i}\n    seed: {i}\n" for i in range(20_000)
    )


MADE: dict[str, Callable[[], str]] = {
    "minusmany.rules": lambda: _brackets("-"),
    "plusmany.rules": lambda: _brackets("+"),
    "cover_hang.rules": lambda: _coverings(80, 40),
    "cover_dup.rules": lambda: _coverings(80, 1),
    "rays.rules": lambda: _rays(
        "rays",
        "".join(
            f"    for each here{i} in sq along {way} from a1\n        set o of here{i} to player(1)\n"
            for i, way in enumerate(["north", "east", "south", "west"] * 20)
        ),
    ),
    "within_1000000000.rules": lambda: _rays(
        "within",
        "".join(
            f"    for each here{i} in sq within {1_000_000_000 - i} of a1\n        set o of here{i} to player(1)\n"
            for i in range(60)
        ),
    ),
    "cards_40.rules": lambda: _play(
        "cards_40",
        "    tell x(n: size of q)\n",
        f"enum v = {', '.join(f'v{i}' for i in range(60))}\n"
        + "".join(f"cards c{n}\n    f{n}(a: v, b: v)\n" for n in range(40))
        + "pile q holds c0, seen by all\n",
    ),
    "many_rules.rules": lambda: _play(
        "many_rules",
        "".join(f"    n{i}(player(1))\n" for i in range(1200)),
        "".join(
            f"rule n{i}(p: player)\n    p chooses t{i}\n        a(x: 1 to 3)\n            nothing\n"
            "        b\n            nothing\n"
            for i in range(1200)
        ),
    ),
    "casegame.rules": lambda: (
        f"{HEAD.format(name='casegame')}remember n: number = 0\nsetup\n"
        "    repeat 100000 times\n        set n to (n + 1) mod 1000\n"
        f"play\n    player(1) chooses t\n        go\n            nothing\n{END}"
    ),
    "casegame.cases.yaml": _cases,
}
