"""The options of a decision: numbered, grouped by name, and found again in what somebody types."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from wongar_dsl import ir
from wongar_dsl.engine import Move, State, notation
from wongar_dsl.narration import Narrator
from wongar_dsl.text.suggest import did_you_mean
from wongar_dsl.text.width import pad
from wongar_dsl.text.width import width as cells_of

from ..terminal.screen import Line, Piece, clipped

#: How near a misspelt word must be to one of an option (1 would be the same).
NEAR = 0.75

#: Longer groups are shown with what their options have in common said once.
FEW = 4
MANY = 12


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

    def lines(self, width: int) -> list[Line]:
        """The menu in columns, each group of options on lines of its own."""
        digits = len(str(len(self.entries)))
        lines: list[Line] = []
        for entries in self._groups():
            head, short = factored([e.text for e in entries]) if len(entries) > FEW else ("", [e.text for e in entries])
            if head:
                lines.append([("strong", head)])
            short = [f"{s}: {e.card}" if e.card else s for e, s in zip(entries, short, strict=True)]
            cell = min(width - 1, max(map(cells_of, short)) + digits + 4)
            columns = max(1, (width - 1) // cell)
            rows = -(-len(entries) // columns)
            for row in range(rows):
                line: list[Piece] = []
                for entry, said in list(zip(entries, short, strict=True))[row::rows]:
                    text = clipped(said, cell - digits - 3)
                    line += [("number", f"{entry.number:>{digits}} "), ("", pad(text, cell - digits - 1))]
                lines.append(line)
        return lines

    def _groups(self) -> Iterator[list[Entry]]:
        """The entries by option; where these are many, by all arguments but the last as well."""
        for _, group in groupby(self.entries, key=lambda e: e.move.option):
            entries = list(group)
            if len(entries) <= MANY:
                yield entries
                continue
            for _, part in groupby(entries, key=lambda e: e.move.arguments[:-1]):
                yield list(part)

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

    def near(self, text: str) -> list[Entry]:
        """The options that somebody meant who misspelt one, in words or in notation; none if nothing is near."""
        words = {e: plain_words(f"{e.text} {e.card}") for e in self.entries}
        known = {word for own in words.values() for word in own}
        meant = [_respelt(word, known) for word in plain_words(text)]
        if all(meant) and "(" not in text:
            return [e for e in self.entries if _mentions(words[e], [word or "" for word in meant])]
        parts = notation.split(text)
        if parts is None:
            return []
        written = {e: notation.split(e.notation) or ("", ()) for e in self.entries}
        name = did_you_mean(f"{parts[0]} ", (own for own, _ in written.values()), NEAR)
        inside = {", ".join(own[1]): e for e, own in written.items() if own[0] == name}
        near = did_you_mean(f"{', '.join(parts[1])} ", inside, NEAR)
        return [inside[near]] if near else []


def _tells_solution(option: ir.OptionSpec) -> bool:
    return any(kind.kind == "coverings" for _, kind in option.parameters)


def factored(texts: Sequence[str]) -> tuple[str, list[str]]:
    """What the texts have in common, with a gap (*Take the card from … .*), and what stands in the gap of each.

    Cut is only between words: a sign that follows a word stays with what it closes, brackets and quotation marks stay
    in pairs, and a gap begins with a word, since it stands behind the number of its option.
    """
    tokens = [_TOKEN.findall(text) for text in texts]
    one, shortest = tokens[0], min(map(len, tokens))
    before = next((i for i in range(shortest) if len({t[i] for t in tokens}) > 1), shortest)
    while before and not one[before - 1].isspace():
        before -= 1
    room = shortest - before
    after = next((i for i in range(room) if len({t[-1 - i] for t in tokens}) > 1), room)

    def gaps() -> list[list[str]]:
        return [t[before : len(t) - after] for t in tokens]

    while after and not (one[-after].isspace() or one[-after] in _FOLLOWING):
        after -= 1
    if not all(map(_paired, gaps())):
        after = 0
    while before and not (one[before - 1].isspace() and all(map(_paired, gaps())) and all(map(_opens, gaps()))):
        before -= 1
    if not before or any(gap[-1] in _FOLLOWING for gap in gaps()):
        after = 0
    head, tail = "".join(one[:before]), "".join(one[len(one) - after :])
    if not any(map(str.isalpha, head)):
        return "", list(texts)  # What only ends alike reads better in one piece.
    said = ["".join(gap) for gap in gaps()]
    ending = _common_tail(said)
    common = f"{head}…{ending}{tail}"
    colon = "" if head.endswith(": ") and common.endswith("…") else ":"
    return common + colon, [text.removesuffix(ending) for text in said]


#: Words with what is inside of them, blanks, and each other sign on its own.
_TOKEN = re.compile(r"\w+(?:[’'.-]\w+)*|\s+|\S")
#: Signs that a text can go on with behind a gap.
_FOLLOWING = frozenset(",;:.!?…")


def _opens(gap: Sequence[str]) -> bool:
    """Whether a gap begins with what can stand behind a number: a word, also in brackets or quotation marks."""
    first = next((token for token in gap if not token.isspace()), " ")
    return first[0].isalpha() or unicodedata.category(first[0]) in ("Ps", "Pi")


def _paired(gap: Sequence[str]) -> bool:
    """Whether brackets and quotation marks open and close within a gap."""
    return sum(unicodedata.category(token[0]) in ("Ps", "Pe", "Pi", "Pf") for token in gap) % 2 == 0


def _common_tail(gaps: Sequence[str]) -> str:
    """What all gaps end with from their last hyphen on (*-Gebiet*), or nothing."""
    tails = {gap[gap.rfind("-") :] if "-" in gap[1:] else "" for gap in gaps}
    return tails.pop() if len(tails) == 1 else ""


def plain_words(text: str) -> list[str]:
    """The words of a text, in small letters and without signs."""
    return re.findall(r"[^\W_]+", text.casefold())


def _respelt(word: str, known: Iterable[str]) -> str | None:
    """The word itself if a known one begins like it, else the nearest beginning of one, else None."""
    if any(own.startswith(word) for own in known):
        return word
    return did_you_mean(word, {own[: len(word) + more] for own in known for more in (0, 1)}, NEAR)


def _mentions(words: Sequence[str], wanted: Sequence[str]) -> bool:
    rest = list(words)
    for word in wanted:
        at = next((i for i, w in enumerate(rest) if w.startswith(word)), None)
        if at is None:
            return False
        del rest[at]
    return True
