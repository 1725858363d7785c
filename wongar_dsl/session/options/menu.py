"""Numbered options of a decision, and the parsing of typed input into an option."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from wongar_dsl.base.did_you_mean import did_you_mean
from wongar_dsl.engine import Move, State, notation
from wongar_dsl.engine.bots import reveals_solution
from wongar_dsl.engine.match import Match
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.session.options.forced_moves import forced_move
from wongar_dsl.session.options.option_numbers import OptionNumbers

#: Minimum similarity of a misspelt word to a word of an option (1: equal).
MIN_SIMILARITY = 0.75
#: Maximum number of listed options; a longer menu is chosen from part by part.
MAX_LISTED_OPTIONS = 400
#: Largest stable number of a part of a move; beyond it, parts are numbered in order.
MAX_OPTION_NUMBER = 99
#: Maximum number of options that a single word may match to count as a hint at them.
MAX_PARTIAL_MATCHES = 4
#: Words of at most this length are ignored when single words are matched.
MAX_SHORT_WORD = 2


@dataclass(frozen=True)
class MenuEntry:
    """Option of a menu: number, move, notation and text.

    `title` is the part of the text that typed words are compared with; empty if it is the whole text. `card` names the
    open card that it concerns; `forecast_line` is its forecast in a line, `short_forecast` a shorter one. `several`:
    the text states several effects.
    """

    number: int
    move: Move
    notation: str
    text: str
    card: str = ""
    forecast_line: str = ""
    short_forecast: str = ""
    title: str = ""
    several: bool = False

    @classmethod
    def of(cls, number: int, move: Move, state: State, narrator: Narrator) -> MenuEntry:
        """Return the entry of a move of the state's decision."""
        text = narrator.option(state, move)
        title, several = narrator.option_title(state, move, text), narrator.tells_several(state, move)
        return cls(number, move, state.write(move), text, title=title, several=several)

    @cached_property
    def words(self) -> Counter[str]:
        """The words that select this entry; a number that the text spells out is selected by its digits too."""
        digits = Counter(word for word in plain_words(self.notation)[1:] if word.isdigit())
        return Counter(plain_words(f"{self.title or self.text} {self.card}")) | digits


@dataclass(frozen=True)
class Menu:
    """Options of the current decision.

    With too many options, `part` is the part of a move to choose (0: the option, then its arguments), and an entry's
    move is one example with this part. For numeric parts there are no entries; `numbers` maps each valid number to a
    move. `function_words` are words of the language that name no option alone.
    """

    entries: tuple[MenuEntry, ...]
    part: int | None = None
    numbers: Mapping[int, Move] = field(default_factory=dict)
    function_words: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls, state: State, narrator: Narrator, chosen: tuple[int, ...] = (), numbering: OptionNumbers | None = None,
        listed: int = MAX_LISTED_OPTIONS,
    ) -> Menu:  # fmt: skip
        """Return the menu of the deciding player; `chosen` are the parts of the move chosen so far.

        `numbering` keeps the numbers of earlier menus. A menu of more than `listed` options is chosen from part by
        part.
        """
        decision = state.decision
        assert decision is not None
        moves = _listed_moves(state)
        narrowed = len(moves) > listed
        if narrowed:
            moves = [m for m in moves if m.raw[: len(chosen)] == chosen]
        if len(moves) > listed:
            menu = _menu_of_part(state, narrator, moves, len(chosen))
            return replace(menu, function_words=narrator.words.function_words)
        numbers = _by_last_part(moves) if narrowed else (numbering or OptionNumbers()).of(state, moves)
        entries = (MenuEntry.of(i, move, state, narrator) for i, move in zip(numbers, moves, strict=True))
        in_order = tuple(sorted(entries, key=lambda entry: entry.number))
        return cls(in_order, function_words=narrator.words.function_words)

    def exact(self, text: str) -> MenuEntry | None:
        """Return the option with this number or notation, or None."""
        if text.isascii() and text.isdigit():
            # No valid number is that long, and Python refuses to parse thousands of digits.
            number = int(text) if len(text) < 19 else 0
            if number in self.numbers:
                return MenuEntry(number, self.numbers[number], text, text)
            return next((e for e in self.entries if e.number == number), None)
        without_space = re.sub(r"\s+", "", text)
        return next((e for e in self.entries if re.sub(r"\s+", "", e.notation) == without_space), None)

    def match_one(self, text: str) -> MenuEntry | None:
        """Return the only option that this number, notation or text can mean; None if there are none or several."""
        matches = self.match_words(text)
        return self.exact(text) or (matches[0] if len(matches) == 1 else None)

    def ranges(self) -> list[tuple[int, int]]:
        """Return the valid numbers as ranges (first, last)."""
        rows: list[tuple[int, int]] = []
        for number in sorted({*self.numbers, *(e.number for e in self.entries)}):
            if rows and rows[-1][1] == number - 1:
                rows[-1] = (rows[-1][0], number)
            else:
                rows.append((number, number))
        return rows

    def options_naming_number(self, number: str) -> list[MenuEntry]:
        """Return the options whose text contains this number, if it is no option's number.

        Example: *area 1* is option 13.
        """
        return [e for e in self.entries if number in plain_words(e.text)] if self.exact(number) is None else []

    def match_words(self, text: str) -> list[MenuEntry]:
        """Return the options that a text can mean.

        These are the options with this text, else those that differ from their like by exactly these words, else those
        with all words or word beginnings of the text. A word that distinguishes an option is not the beginning of one
        that its like share: with *drop in column d*, `d` is the column. Words that stand only in an explanation behind
        the title of an option do not select it, and neither do function words alone, unless they distinguish it.
        """
        query = plain_words(text)
        exact = [e for e in self.entries if query and plain_words(e.text) == query]
        # A typing error in notation must not select another option.
        if exact or not query or is_notation(text):
            return exact
        shared = _shared_words(self.entries)
        distinctive = [(e, e.words - shared[e.move.option]) for e in self.entries]
        exact = [e for e, own in distinctive if own and Counter(query) - shared[e.move.option] == own]
        if exact:
            return exact
        values = [word for word in query if any(word in own for _, own in distinctive)]
        named = values or not self.function_words.issuperset(query)
        matches = [
            e
            for e, own in distinctive
            if named and _mentions([*e.words.elements()], query) and _mentions([*own.elements()], values)
        ]
        # `b1` is the column named by that letter.
        return matches or [
            e for e in self.entries if any(map(str.isalpha, text)) and plain_words(e.notation)[1:] == query
        ]

    def match_misspelt(self, text: str) -> list[MenuEntry]:
        """Return the options that a misspelt text or notation resembles."""
        words = {e: plain_words(f"{e.text} {e.card}") for e in self.entries}
        vocabulary = {word for parsed in words.values() for word in parsed}
        corrected = [_respelt(word, vocabulary) for word in plain_words(text)]
        if all(corrected) and not is_notation(text):
            return [e for e in self.entries if _mentions(words[e], [word or "" for word in corrected])]
        parts = notation.split(text)
        if parts is None:
            return []
        written = {e: notation.split(e.notation) or ("", ()) for e in self.entries}
        name = did_you_mean(f"{parts[0]} ", (parsed for parsed, _ in written.values()), MIN_SIMILARITY)
        inside = {", ".join(parsed[1]): e for e, parsed in written.items() if parsed[0] == name}
        near = did_you_mean(f"{', '.join(parts[1])} ", inside, MIN_SIMILARITY)
        return [inside[near]] if near else []

    def match_partly(self, text: str) -> list[MenuEntry]:
        """Return the options that single words of a text match, for texts that no option matches as a whole.

        Very short words, and words of many options, are ignored.
        """
        words = {e: plain_words(f"{e.text} {e.card}") for e in self.entries}
        query = [word for word in plain_words(text) if len(word) > MAX_SHORT_WORD] if not is_notation(text) else []
        matches = ({e for e in self.entries if _mentions(words[e], [word])} for word in query)
        result = set[MenuEntry]().union(*(some for some in matches if len(some) <= MAX_PARTIAL_MATCHES))
        return [e for e in self.entries if e in result]


def assign_numbers(state: State, numbering: OptionNumbers) -> dict[Move, int]:
    """Number the listed moves, keeping new numbers in `numbering`; empty for a menu chosen part by part."""
    moves = _listed_moves(state) if state.decision is not None else []
    return dict(zip(moves, numbering.of(state, moves), strict=True)) if 0 < len(moves) <= MAX_LISTED_OPTIONS else {}


def _listed_moves(state: State) -> list[Move]:
    """Return the legal moves, without solutions of a puzzle that the player has to find."""
    decision = state.decision
    assert decision is not None
    return [m for m in state.legal_moves() if not reveals_solution(decision.options[m.option])]


def _by_last_part(moves: Sequence[Move]) -> Sequence[int]:
    """Return the numbers of moves by their last part, or consecutive numbers if they differ elsewhere too."""
    parts = [move.raw[-1] for move in moves]
    if len({move.raw[:-1] for move in moves}) > 1 or not _can_be_numbers(parts):
        return range(1, len(moves) + 1)
    return [part + 1 for part in parts]


def _can_be_numbers(parts: Collection[int]) -> bool:
    """Return whether parts of moves can have their own values as option numbers, all of them short."""
    return min(parts, default=0) >= 0 and max(parts, default=0) < MAX_OPTION_NUMBER


def _menu_of_part(state: State, narrator: Narrator, moves: Sequence[Move], part: int) -> Menu:
    """Return a menu of the first part, from `part` on, in which the moves differ."""
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
    # A part always has the same number, unless that would be a long one.
    stable = _can_be_numbers(firsts)
    for number, (value, move) in enumerate(firsts.items(), 1):
        if kind is None:
            written, spoken = decision.options[value].name, narrator.option_name(decision, value)
        else:
            written = notation.write_value(model, kind, value)
            spoken = narrator.words.value(narrator.value(kind, value), narrator.scope)
        entries.append(MenuEntry(value + 1 if stable else number, move, written, spoken))
    return Menu(tuple(entries), part)


def is_notation(text: str) -> bool:
    """Return whether a text begins like a move in notation: a name and a bracket."""
    return re.match(r"\s*\w+\s*\(", text) is not None


def plain_words(text: str) -> list[str]:
    """Return the words of a text in lower case, without punctuation."""
    return re.findall(r"[^\W_]+", text.casefold())


def _shared_words(entries: Iterable[MenuEntry]) -> dict[int, Counter[str]]:
    """Return the words that all moves of an option share, by option."""
    shared: dict[int, Counter[str]] = {}
    for entry in entries:
        words = entry.words
        shared[entry.move.option] = shared.get(entry.move.option, words) & words
    return shared


def _respelt(word: str, known: Iterable[str]) -> str | None:
    """Return the word if a known word starts with it, else the most similar beginning of a known word, else None."""
    if any(candidate.startswith(word) for candidate in known):
        return word
    return did_you_mean(word, {candidate[: len(word) + more] for candidate in known for more in (0, 1)}, MIN_SIMILARITY)


def _mentions(words: Sequence[str], wanted: Sequence[str]) -> bool:
    rest = list(words)
    for word in wanted:
        index = next((i for i, w in enumerate(rest) if w.startswith(word)), None)
        if index is None:
            return False
        del rest[index]
    return True


def renumber(numbering: OptionNumbers, match: Match, known: int = 0) -> int:
    """Replay the decisions of the human seats from step `known` on into a numbering.

    If called for all steps in order, every option gets the number that it had when the match was played. Return the
    number of steps processed.
    """
    for number in range(known, len(match.steps)):
        if match.seats[match.steps[number].seat].kind == "human":
            _number_options(numbering, State(match.game, match.state_before(number)))
    if not match.state.over and match.seats[match.state.seat].kind == "human":
        _number_options(numbering, match.state)
    return len(match.steps)


def _number_options(numbering: OptionNumbers, state: State) -> None:
    # Publicly forced moves were not shown and have no numbers.
    if forced_move(state) != "public":
        assign_numbers(state, numbering)
