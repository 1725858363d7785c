"""The options of a decision: numbered, and found again in what somebody types."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, islice

from wongar_dsl import ir
from wongar_dsl.engine import Move, State
from wongar_dsl.narration import Narrator

#: So many options are named as examples.
EXAMPLES = 4


@dataclass(frozen=True)
class Entry:
    """An option: its number, the move, how it is written and said, and which open card it is about."""

    number: int
    move: Move
    notation: str
    text: str
    card: str = ""


@dataclass(frozen=True)
class Menu:
    """What can be chosen now."""

    entries: tuple[Entry, ...]

    @classmethod
    def of(cls, state: State, narrator: Narrator) -> Menu:
        """The options of the one who decides."""
        decision = state.decision
        assert decision is not None
        # Whoever is to find a solution is not shown any.
        moves = [m for m in state.legal_moves() if not _tells_solution(decision.options[m.option])]
        texts = ((m, state.write(m), narrator.option(state, m)) for m in moves)
        return cls(tuple(Entry(i, m, w, t) for i, (m, w, t) in enumerate(texts, 1)))

    def examples(self) -> list[str]:
        """The first of each kind of option, in words; a few of them."""
        firsts = (next(group).text for _, group in groupby(self.entries, key=lambda e: e.move.option))
        return list(islice(firsts, EXAMPLES))

    def exact(self, text: str) -> Entry | None:
        """The option with this number or notation."""
        if text.isascii() and text.isdigit():
            return self.entries[int(text) - 1] if 0 < int(text) <= len(self.entries) else None
        squeezed = re.sub(r"\s+", "", text)
        return next((e for e in self.entries if re.sub(r"\s+", "", e.notation) == squeezed), None)

    def said(self, text: str) -> list[Entry]:
        """The options that these words can mean: the whole text, else all of its words or their beginnings."""
        # Brackets are for notation, where a slip must not turn into another choice.
        wanted = plain_words(text) if "(" not in text else []
        whole = [e for e in self.entries if plain_words(e.text) == wanted]
        if whole or not wanted:
            return whole
        return [e for e in self.entries if _mentions(plain_words(f"{e.text} {e.card}"), wanted)]


def _tells_solution(option: ir.OptionSpec) -> bool:
    return any(kind.kind == "coverings" for _, kind in option.parameters)


def plain_words(text: str) -> list[str]:
    """The words of a text, in small letters and without signs."""
    return re.findall(r"[^\W_]+", text.casefold())


def _mentions(words: Sequence[str], wanted: Sequence[str]) -> bool:
    rest = list(words)
    for word in wanted:
        at = next((i for i, w in enumerate(rest) if w.startswith(word)), None)
        if at is None:
            return False
        del rest[at]
    return True
