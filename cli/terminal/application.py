"""Terminal of a full screen: input, output, clock, and the styles for prompt_toolkit."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from prompt_toolkit.input import Input
from prompt_toolkit.output import Output
from prompt_toolkit.styles import Attrs, Style

from .screen import COLOURS, STYLES


def _style(codes: str) -> str:
    """Convert the codes of a style for prompt_toolkit, whose old versions have no "dim"."""
    words = {"1": "bold", "4": "underline", "7": "reverse"} | ({"2": "dim"} if "dim" in Attrs._fields else {})
    for number, colour in enumerate(COLOURS):
        bright = f"ansibright{colour}".replace("ansibrightwhite", "ansiwhite")
        words |= {f"3{number}": f"ansi{colour}", f"4{number}": f"bg:ansi{colour}"}
        words |= {f"9{number}": bright, f"10{number}": f"bg:{bright}"}
    return " ".join(words[code] for code in codes.split(";") if code in words)


STYLE = Style.from_dict({name: _style(codes) for name, codes in STYLES.items() if name})


@dataclass(frozen=True)
class Terminal:
    """Input, output and clock of a full screen; tests supply their own."""

    colour: bool = True
    unicode: bool = True
    input: Input | None = None
    output: Output | None = None
    clock: Callable[[], float] = time.monotonic
