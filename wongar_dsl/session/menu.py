"""Menu of a decision: its options with numbers and in groups, and the parsing of typed input into an option."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from math import prod
from typing import Literal

from wongar_dsl.base.did_you_mean import did_you_mean
from wongar_dsl.engine import IllegalMove, Move, State, notation
from wongar_dsl.engine.bots import is_puzzle_decision, reveals_solution
from wongar_dsl.engine.hidden_information.lookahead import are_options_public
from wongar_dsl.engine.match import Match
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.words import Translator


def forced_move(state: State) -> Literal["", "public", "private"]:
    """Return whether the deciding player has only one option, and whether the others can know that.

    `public`: everyone can see it. `private`: only this seat knows it, so no other seat may notice. Empty if there is a
    choice, a running clock or a puzzle.
    """
    decision = state.decision
    if decision is None or decision.clock is not None or is_puzzle_decision(decision):
        return ""
    if len(state.options()) != 1:
        return ""
    return "public" if not decision.simultaneous and are_options_public(state) else "private"


#: Maximum number of options with stable numbers; more are numbered in order, as three digits help no one.
MAX_STABLE_OPTIONS = 40


class OptionNumbers:
    """Assigns the numbers of options.

    If the declaration of a decision allows only few options, it determines their numbers. Otherwise an option keeps its
    first number. Numbers are kept for each seat, so that they reveal nothing to others; in a game without hidden
    information they are shared.
    """

    def __init__(self) -> None:
        self._seen: dict[tuple[str, int], dict[Move, int]] = {}

    def of(self, state: State, moves: Sequence[Move]) -> Sequence[int]:
        """Return a number for each move of the current decision."""
        declared = _by_declaration(state, moves)
        if declared is not None:
            return declared
        seen = self.seen(state)
        if len(seen.keys() | moves) > MAX_STABLE_OPTIONS:
            return range(1, len(moves) + 1)
        return [seen.setdefault(move, len(seen) + 1) for move in moves]

    def known(self, state: State, move: Move) -> int | None:
        """Return the number that a move always has or has had before, or None."""
        declared = _by_declaration(state, [move])
        return declared[0] if declared is not None else self.seen(state).get(move)

    def seen(self, state: State) -> dict[Move, int]:
        """Return the moves of the current decision that have kept a number since an earlier menu."""
        decision = state.decision
        assert decision is not None
        seat = state.seat if state.game.knowledge.has_secrets else -1
        return self._seen.setdefault((decision.name, seat), {})


def _by_declaration(state: State, moves: Sequence[Move]) -> list[int] | None:
    """Return the fixed number of each move, from the declared options; None if there could be too many."""
    decision, model = state.decision, state.game.model
    assert decision is not None
    first, offsets = 1, []
    sizes: list[list[int]] = []
    for option in decision.options:
        kinds = [kind for _, kind in option.parameters]
        if any(kind.kind == "number" for kind in kinds):
            return None
        offsets.append(first)
        sizes.append([model.size(kind, state.game.seats) for kind in kinds])
        first += prod(sizes[-1]) if not reveals_solution(option) else 0
        if first - 1 > MAX_STABLE_OPTIONS:
            return None
    numbers = []
    for move in moves:
        number = offsets[move.option]
        for place, value in enumerate(move.arguments, 1):
            number += value * prod(sizes[move.option][place:])
        if min(move.arguments, default=0) < 0:  # Moves with an empty argument (no player, no area) come last.
            first, number = first + 1, first
        numbers.append(number)
    return numbers


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
    people = {seat for seat, occupant in enumerate(match.seats) if occupant.kind == "human"}
    numbers = (number for number in range(known, len(match.steps)) if match.steps[number].seat in people)
    for state in (*(State(match.game, match.state_before(number)) for number in numbers), match.state):
        # Publicly forced moves were not shown and have no numbers.
        if not state.over and state.seat in people and forced_move(state) != "public":
            assign_numbers(state, numbering)
    return len(match.steps)


#: Maximum number of argument combinations of an option that are tried.
MAX_UNAVAILABLE = 300
#: Maximum number of digits of a typed number that can be an argument.
MAX_DIGITS = 9


def unavailable_moves(state: State, narrator: Narrator, text: str) -> list[IllegalMove]:
    """Return the errors of the illegal moves that these words, or misspelt ones, mean among all moves.

    Empty if they can mean a legal move too.
    """
    query = plain_words(text)
    if not query or is_notation(text) or state.decision is None:
        return []
    legal = Menu.of(state, narrator)
    named = {entry.text for entry in legal.entries} if legal.part is None else set()
    numbers = [int(word) for word in query if word.isascii() and word.isdigit() and len(word) <= MAX_DIGITS]
    illegal = (MenuEntry.of(0, move, state, narrator) for move in _illegal_moves(state, numbers))
    # Moves in the same words are the same option to a player.
    unavailable = [entry for entry in illegal if entry.text not in named]
    conceivable = replace(legal, entries=(*(legal.entries if named else ()), *unavailable))
    matches = conceivable.match_words(text) or ([] if legal.match_words(text) else conceivable.match_misspelt(text))
    if any(entry.number for entry in matches):
        return []
    meant = {entry.text for entry in matches}
    same = (entry for entry in unavailable if entry.text in meant)
    return [error for entry in same if (error := _refused(state, entry.move)) is not None]


def _refused(state: State, move: Move) -> IllegalMove | None:
    """Return the error of a move, or None if it is legal."""
    try:
        state.require(move)
    except IllegalMove as error:
        return error
    return None


def by_number(state: State, numbering: OptionNumbers, number: int) -> Move | None:
    """Return the illegal move that has this number, or None if no option ever has it."""
    if state.decision is None:
        return None
    legal = state.legal_moves()
    seen = (move for move in numbering.seen(state) if move not in legal)
    return next((move for move in (*seen, *_illegal_moves(state)) if numbering.known(state, move) == number), None)


def unavailable_options(state: State) -> list[tuple[Move, IllegalMove]]:
    """Return, for each option without a legal move, a move that fails only by the option's own condition.

    Each comes with its error. An option whose arguments are all impossible has none.
    """
    decision = state.decision
    assert decision is not None
    available_options = {move.option for move in state.legal_moves()}
    failures: dict[int, tuple[Move, IllegalMove]] = {}
    for move in _illegal_moves(state):
        if move.option in available_options or move.option in failures:
            continue
        error = _refused(state, move)
        if error is not None and error.check is not None and not error.check.parameter:
            failures[move.option] = move, error
    return [failures[option] for option in sorted(failures)]


def _illegal_moves(state: State, numbers: Sequence[int] = ()) -> list[Move]:
    """Return the illegal moves of the current decision, for each option with few enough argument combinations.

    Its numeric arguments are the given `numbers` and those of its legal moves, otherwise 1.
    """
    decision, model, seats = state.decision, state.game.model, state.game.seats
    assert decision is not None
    legal = dict.fromkeys(state.legal_moves())
    illegal: list[Move] = []
    for number, option in enumerate(decision.options):
        if reveals_solution(option):
            continue
        offered = [move.arguments for move in legal if move.option == number]
        values: list[Collection[int]] = [
            {*numbers, *(arguments[place] for arguments in offered)} or {1}
            if kind.kind == "number"
            else range(model.size(kind, seats))
            for place, (_, kind) in enumerate(option.parameters)
        ]
        if prod(map(len, values)) <= MAX_UNAVAILABLE:
            moves = (Move(number, arguments) for arguments in product(*values))
            illegal += [move for move in moves if move not in legal]
    return illegal


#: Groups of more than MAX_PLAIN_GROUP entries get a heading; options with more than MIN_GROUPED_OPTIONS split.
MAX_PLAIN_GROUP = 4
MIN_GROUPED_OPTIONS = 12


@dataclass(frozen=True, slots=True)
class OptionGroup:
    """Options shown together.

    `heading` holds their common words (empty if there are none); `texts` the remaining words of each option, with the
    open card that it concerns.
    """

    heading: str
    entries: tuple[MenuEntry, ...]
    texts: tuple[str, ...]


def group_options(all_entries: Sequence[MenuEntry], words: Translator) -> Iterator[OptionGroup]:
    """Yield the groups of a menu."""
    for entries in _groups(all_entries):
        # Common words of different options or effects are accidental.
        several = len({e.move.option for e in entries}) > 1 or any(e.several for e in entries)
        texts = [e.text for e in entries]
        head, short = common_text(texts) if len(entries) > MAX_PLAIN_GROUP and not several else ("", texts)
        labelled = (words.label(s) + e.card if e.card else s for e, s in zip(entries, short, strict=True))
        yield OptionGroup(_heading(head, words) if head else "", tuple(entries), tuple(labelled))


def _heading(common: str, words: Translator) -> str:
    """Return the common words as a heading that ends with the label mark, added only if missing."""
    mark = words.label("").strip()
    # A gap behind a final comma is clear without a sign, which a screen reader would read aloud.
    common = common.removesuffix(", …")
    return common if common.removesuffix("…").rstrip().endswith(mark) else words.label(common).rstrip()


def _groups(all_entries: Sequence[MenuEntry]) -> list[list[MenuEntry]]:
    """Return the entries by option; an option with many moves is split by all arguments except the last.

    If no group gets a heading and the numbers would not ascend, all entries form one group.
    """
    groups = list(_by_option(all_entries))
    numbers = [entry.number for group in groups for entry in group]
    if numbers != sorted(numbers) and all(len(group) <= MAX_PLAIN_GROUP for group in groups):
        return [list(all_entries)]
    return groups


def _by_option(all_entries: Sequence[MenuEntry]) -> Iterator[list[MenuEntry]]:
    options: dict[int, list[MenuEntry]] = {}
    for entry in all_entries:
        options.setdefault(entry.move.option, []).append(entry)
    for entries in options.values():
        if len(entries) <= MIN_GROUPED_OPTIONS:
            yield entries
            continue
        parts: dict[tuple[int, ...], list[MenuEntry]] = {}
        for entry in entries:
            parts.setdefault(entry.move.arguments[:-1], []).append(entry)
        yield from parts.values()


def common_text(texts: Sequence[str]) -> tuple[str, list[str]]:
    """Return the common words of the texts, with a gap (*Take the card from … .*), and the words that fill each gap.

    Cuts are made only between words. A sign stays with the word before it, and brackets and quotation marks stay
    paired. A gap begins with a word, because the option's number stands before it.
    """
    tokens = [_TOKEN.findall(text) for text in texts]
    first, shortest = tokens[0], min(map(len, tokens))
    before = next((i for i in range(shortest) if len({t[i] for t in tokens}) > 1), shortest)
    while before and not first[before - 1].isspace():
        before -= 1
    room = shortest - before
    after = next((i for i in range(room) if len({t[-1 - i] for t in tokens}) > 1), room)

    def gaps() -> list[list[str]]:
        return [t[before : len(t) - after] for t in tokens]

    while after and not (first[-after].isspace() or first[-after] in _FOLLOWING):
        after -= 1
    if not all(map(_is_balanced, gaps())):
        after = 0
    while before and not (
        first[before - 1].isspace() and all(_is_balanced(g) and _begins_with_word(g) for g in gaps())
    ):
        before -= 1
    if not before or any(gap[-1] in _FOLLOWING for gap in gaps()):
        after = 0
    head, tail = "".join(first[:before]), "".join(first[len(first) - after :])
    if not any(map(str.isalpha, head)):
        return "", list(texts)  # Texts with only a common ending read better in one piece.
    return f"{head}…{tail}", ["".join(gap) for gap in gaps()]


#: Tokens: words with inner signs, white space, and single other characters.
_TOKEN = re.compile(r"\w+(?:[’'.-]\w+)*|\s+|\S")
#: Signs that may follow a gap.
_FOLLOWING = frozenset(",;:.!?…")


def _begins_with_word(gap: Sequence[str]) -> bool:
    """Return whether a gap begins with a word, perhaps in brackets or quotation marks."""
    first = next((token for token in gap if not token.isspace()), " ")
    return first[0].isalpha() or unicodedata.category(first[0]) in ("Ps", "Pi")


def _is_balanced(gap: Sequence[str]) -> bool:
    """Return whether brackets and quotation marks are balanced within a gap."""
    return sum(unicodedata.category(token[0]) in ("Ps", "Pe", "Pi", "Pf") for token in gap) % 2 == 0
