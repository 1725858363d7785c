"""The options of a decision: numbered, and found again in what somebody types."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from wongar_dsl.bots import tells_solution
from wongar_dsl.engine import Move, State, notation
from wongar_dsl.narration import Narrator
from wongar_dsl.table.numbering import Numbering
from wongar_dsl.text.suggest import did_you_mean

#: How near a misspelt word must be to one of an option (1 would be the same).
NEAR = 0.75
#: More options than this are not listed: they are asked for part by part.
MOST_LISTED = 400
#: Parts of a move are numbered by all that there could be, as long as no number is larger.
LARGEST_NUMBER = 99
#: A word that more options have than these tells nothing about which of them is meant.
MOST_PARTLY = 4
#: A word of no more letters than this is no word that somebody chose.
SHORT = 2


@dataclass(frozen=True)
class Entry:
    """An option: its number, the move, how it is written and said, which open card it is about, and in a few words
    what it would bring, and in fewer."""

    number: int
    move: Move
    notation: str
    text: str
    card: str = ""
    outlook: str = ""
    outlook_in_short: str = ""


@dataclass(frozen=True)
class Menu:
    """What can be chosen now.

    Where there are too many options, `part` says which part of a move is asked for (0: the option, then its arguments),
    and the move of an entry is one of those that have this part.  Numbers are no entries then: `numbers` are the moves
    by the number that can be said.
    """

    entries: tuple[Entry, ...]
    part: int | None = None
    numbers: Mapping[int, Move] = field(default_factory=dict)

    @classmethod
    def of(
        cls, state: State, narrator: Narrator, chosen: tuple[int, ...] = (), numbering: Numbering | None = None,
        listed: int = MOST_LISTED,
    ) -> Menu:  # fmt: skip
        """The options of the one who decides; `chosen` are the first parts of the move, where they are known.

        `numbering` remembers the numbers of the menus before; more options than are to be `listed` are asked for part
        by part.
        """
        decision = state.decision
        assert decision is not None
        moves = _shown(state)
        narrowed = len(moves) > listed
        if narrowed:
            moves = [m for m in moves if m.raw[: len(chosen)] == chosen]
        if len(moves) > listed:
            return _part_of(state, narrator, moves, len(chosen))
        numbers = _by_last_part(moves) if narrowed else (numbering or Numbering()).of(state, moves)
        texts = ((m, state.write(m), narrator.option(state, m)) for m in moves)
        entries = (Entry(i, m, w, t) for i, (m, w, t) in zip(numbers, texts, strict=True))
        return cls(tuple(sorted(entries, key=lambda entry: entry.number)))

    def exact(self, text: str) -> Entry | None:
        """The option with this number or notation."""
        if text.isascii() and text.isdigit():
            # No number has so many digits, and Python refuses to read some thousands.
            number = int(text) if len(text) < 19 else 0
            if number in self.numbers:
                return Entry(number, self.numbers[number], text, text)
            return next((e for e in self.entries if e.number == number), None)
        squeezed = re.sub(r"\s+", "", text)
        return next((e for e in self.entries if re.sub(r"\s+", "", e.notation) == squeezed), None)

    def meant(self, text: str) -> Entry | None:
        """The one option with this number or notation, or that these words can mean."""
        said = self.said(text)
        return self.exact(text) or (said[0] if len(said) == 1 else None)

    def ranges(self) -> list[tuple[int, int]]:
        """The numbers that there are, as first and last of each row of them."""
        rows: list[tuple[int, int]] = []
        for number in sorted({*self.numbers, *(e.number for e in self.entries)}):
            if rows and rows[-1][1] == number - 1:
                rows[-1] = (rows[-1][0], number)
            else:
                rows.append((number, number))
        return rows

    def counted(self, number: str) -> list[Entry]:
        """The options in whose words a number stands that is none of theirs: *area 1*, which is option 13."""
        return [e for e in self.entries if number in plain_words(e.text)] if self.exact(number) is None else []

    def said(self, text: str) -> list[Entry]:
        """The options that these words can mean: the whole text, else all of its words or their beginnings."""
        # Brackets are for notation, where a slip must not turn into another choice.
        wanted = plain_words(text) if "(" not in text else []
        whole = [e for e in self.entries if plain_words(e.text) == wanted]
        if whole or not wanted:
            return whole
        said = [e for e in self.entries if _mentions(plain_words(f"{e.text} {e.card}"), wanted)]
        # Who says `b1` means the column that is named by its letter.
        return said or [
            e for e in self.entries if any(map(str.isalpha, text)) and plain_words(e.notation)[1:] == wanted
        ]

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

    def partly(self, text: str) -> list[Entry]:
        """The options that single words of a text mean, where no option has all of them.

        A word that many options have tells nothing, and one of two letters begins too many others.
        """
        words = {e: plain_words(f"{e.text} {e.card}") for e in self.entries}
        said = [word for word in plain_words(text) if len(word) > SHORT] if "(" not in text else []
        meant = ({e for e in self.entries if _mentions(words[e], [word])} for word in said)
        found = set[Entry]().union(*(some for some in meant if len(some) <= MOST_PARTLY))
        return [e for e in self.entries if e in found]


def offers(state: State, numbering: Numbering) -> dict[Move, int]:
    """The moves that a menu lists, each with its number; none where they are asked for part by part."""
    moves = _shown(state) if state.decision is not None else []
    return dict(zip(moves, numbering.of(state, moves), strict=True)) if 0 < len(moves) <= MOST_LISTED else {}


def _shown(state: State) -> list[Move]:
    """The moves that can be made; but whoever is to find a solution is not shown any."""
    decision = state.decision
    assert decision is not None
    return [m for m in state.legal_moves() if not tells_solution(decision.options[m.option])]


def _by_last_part(moves: Sequence[Move]) -> Sequence[int]:
    """The numbers of moves of which the first parts are chosen: by the last one, where they differ in nothing else."""
    parts = [move.raw[-1] for move in moves]
    if len({move.raw[:-1] for move in moves}) > 1 or not _short(parts):
        return range(1, len(moves) + 1)
    return [part + 1 for part in parts]


def _short(parts: Collection[int]) -> bool:
    """Whether parts of moves can be numbered by all that there could be, and no number is long."""
    return min(parts, default=0) >= 0 and max(parts, default=0) < LARGEST_NUMBER


def _part_of(state: State, narrator: Narrator, moves: Sequence[Move], part: int) -> Menu:
    """The first part, from `part` on, in which moves differ."""
    decision = state.decision
    assert decision is not None
    firsts: dict[int, Move] = {}
    while len(firsts) < 2:
        firsts = {}
        for move in moves:
            firsts.setdefault(move.raw[part] if part < len(move.raw) else -1, move)
        part += 1
    part -= 1
    kind = decision.options[moves[0].option].parameters[part - 1][1] if part else None
    if kind is not None and kind.kind == "number":
        return Menu((), part, firsts)
    model = state.game.model
    entries = []
    # A part has the same number whenever it can be chosen, unless that would be a long one.
    stable = _short(firsts)
    for number, (value, move) in enumerate(firsts.items(), 1):
        if kind is None:
            written, said = decision.options[value].name, narrator.option_name(decision, value)
        else:
            written = notation.write_value(model, kind, value)
            said = narrator.words.value(narrator.value(kind, value), narrator.scope)
        entries.append(Entry(value + 1 if stable else number, move, written, said))
    return Menu(tuple(entries), part)


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
