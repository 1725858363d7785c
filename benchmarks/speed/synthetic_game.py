"""Generated game of arbitrary size: number of seats, areas and kinds of cards."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

_RULES = """\
game growing
    players 2 to 6
    source house rule

board land
    grid {width} by {height}

cards card
{kinds}

deck all_cards of card
{deck}

pile stock holds card, seen by nobody
hand holding of each player holds card, seen by owner
pile spent holds card, seen by all
remember owner of each land: player

table worth
{worth}

score points

setup
    fill stock with all_cards
    shuffle stock

play
    repeat 20 times
        for each p in player
            if stock is not empty
                move top of stock to holding of p quietly
            p chooses turn
                settle(here: land where owner of here is nobody)
                    set owner of here to p
                    p gains 1 + (number of a in land touching here where owner of a is p) points
                use(c: holding of p)
                    move c from holding of p to spent quietly
                    p gains worth of c points
                pass
                    nothing
    end game

winner p
    most points of p
"""


@dataclass(frozen=True)
class Grown:
    """Size of a generated game; `side` is the side length of the square board."""

    seats: int = 2
    side: int = 4
    kinds: int = 8

    @property
    def areas(self) -> int:
        """Number of areas."""
        return self.side * self.side


#: In each series one parameter grows.
GROWN = (
    Grown(), Grown(seats=4), Grown(seats=6),
    Grown(side=8), Grown(side=16), Grown(side=32),
    Grown(kinds=32), Grown(kinds=128), Grown(kinds=512),
)  # fmt: skip


def written(grown: Grown, folder: Path) -> Path:
    """Write the rule file of such a game into a folder, and return its path."""
    names = [f"kind_{number}" for number in range(1, grown.kinds + 1)]
    text = _RULES.format(
        width=grown.side,
        height=grown.side,
        kinds="\n".join(f"    {name}" for name in names),
        deck="\n".join(f"    2 {name}" for name in names),
        worth="\n".join(f"    {name} {number % 9 + 1}" for number, name in enumerate(names)),
    )
    path = folder / f"growing_{grown.side}_{grown.kinds}.rules"
    path.write_text(text, encoding="utf-8")
    return path
