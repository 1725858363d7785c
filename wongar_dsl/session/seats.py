"""Setup of a game as a player requests it: seats, names, number of seats and settings; and the decisions of bots.

Errors are values that a front end words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Literal

from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.engine import Game, Move, notation
from wongar_dsl.engine.bots import MCTS_PREFIX, CancelToken, bot, decision_rng, is_bot, thinking_time, time_rng
from wongar_dsl.engine.library import Rules
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.nlg.words import Listing, Text, Value, quoted

SetupFault = Literal[
    "bad_seat", "bad_name", "same_name", "mixed_name", "bad_number_of_seats", "other_number_of_seats", "bad_option",
    "no_options", "bad_value",
]  # fmt: skip


class SessionSetupError(ValueError):
    """Invalid seat, name or setting: `reason` names the message, `details` are its arguments."""

    def __init__(self, reason: SetupFault, **details: Value) -> None:
        self.reason, self.details = reason, details
        super().__init__(reason)


KINDS = ("human", "easy", "medium", "hard", "greedy", "random", "bot:quick", "bot:slow", "mcts:1000")
#: Kinds with a second part after a colon, before the name.
KINDS_WITH_PARAMETER = ("bot", "mcts")
MAX_NAME_LENGTH = 20
#: Invisible characters.
INVISIBLE_CHARACTERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
#: Letters and digits that look like Latin letters, and these letters (after Unicode TR39).
_LOOKALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТУХԌԚԜавеѕіјкмнорстухԁһӏԛԝпгьΑΒΕΖΗΙΚΜΝΟΡΤΥΧαβεικνορτυχγηωՏԼՕՍօսհոցզաɑɡɩʏı01|",
    "ABESIJKMHOPCTYXGQWabesijkmhopctyxdhlqwnrbABEZHIKMNOPTYXabeikvoptuxynwSLOUouhngqwagiyiOll",
)
#: Scripts that may be mixed within a word.
_MIXABLE_SCRIPTS = frozenset(("LATIN", "CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO"))
_TAG = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,3}")
#: Names for unnamed players: with different initials, and common in many languages.
NAMES = ("Ada", "Ben", "Cleo", "Dario", "Eva", "Finn", "Greta", "Hugo", "Ines", "Juri", "Kim", "Lena")


def read_seats(text: str) -> tuple[Seat, ...]:
    """Return the seats listed in a text; raise `SessionSetupError` for an invalid one."""
    seats = []
    for part in text.split(","):
        part, language = _with_language(part.strip())
        kind, _, name = part.partition(":")
        if kind in KINDS_WITH_PARAMETER:
            more, _, name = name.partition(":")
            kind = f"{kind}:{more}"
        if kind not in KINDS and not (kind.startswith(MCTS_PREFIX) and is_bot(kind)):
            raise SessionSetupError("bad_seat", seat=quoted(kind), known=Listing(tuple(map(Text, KINDS))))
        if language and kind != "human":
            seat = quoted(f"{part}@{language}")
            raise SessionSetupError("bad_seat", seat=seat, known=Listing(tuple(map(Text, KINDS))))
        seats.append(Seat(kind.removeprefix("bot:"), clean_name(name), language))
    named = [lookalike_key(s.name) for s in seats if s.name]
    if len(set(named)) < len(named):
        raise SessionSetupError("same_name")
    return tuple(seats)


def _with_language(part: str) -> tuple[str, str]:
    """Return a seat without its language suffix, and the language; an @ without a language is part of the name."""
    seat, _, language = part.rpartition("@")
    return (seat, language) if seat and _TAG.fullmatch(language) else (part, "")


def clean_name(name: str) -> str:
    """Return a player's name in normal form; raise `SessionSetupError` if it is invalid."""
    name = " ".join(unicodedata.normalize("NFC", name).split())
    if len(name) > MAX_NAME_LENGTH or not name.isprintable() or (name and not _is_visible(name)):
        raise SessionSetupError("bad_name", name=quoted(name[:MAX_NAME_LENGTH]), n=MAX_NAME_LENGTH)
    if any(map(_mixes_scripts, name.split())):
        raise SessionSetupError("mixed_name", name=quoted(name))
    return name


def _mixes_scripts(word: str) -> bool:
    """Return whether a word mixes scripts that are never written together, such as Latin and Cyrillic."""
    letters = (sign for sign in unicodedata.normalize("NFKC", word) if unicodedata.category(sign) in ("Lu", "Ll", "Lo"))
    scripts = {re.split(r"[ -]", unicodedata.name(sign, ""))[0] for sign in letters}
    return len(scripts) > 1 and not scripts <= _MIXABLE_SCRIPTS


def _is_visible(name: str) -> bool:
    """Return whether a name has visible characters, and no piled-up marks that exceed its line."""
    kinds = [unicodedata.category(sign)[0] if sign not in INVISIBLE_CHARACTERS else "Z" for sign in name]
    piled = any(kinds[start : start + 3] == ["M"] * 3 for start in range(len(kinds)))
    return not piled and any(kind in "LNSP" for kind in kinds)


def lookalike_key(name: str) -> str:
    """Return a key that is equal for names that look the same: case is folded, look-alikes become Latin letters."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKD", name).translate(_LOOKALIKES).casefold())


def names_of(seats: Sequence[Seat]) -> tuple[str, ...]:
    """Return the players' names, with an unused name for each unnamed player."""
    used = {lookalike_key(s.name) for s in seats}
    initials = {s.name[:1].upper() for s in seats if s.name}
    result = []
    for number, seat in enumerate(seats):
        name = seat.name
        if not name:
            free = [n for n in NAMES if lookalike_key(n) not in used]
            distinct = [n for n in free if n[0] not in initials]
            name = (distinct or free or [f"{number + 1}"])[0]
            used.add(lookalike_key(name))
            initials.add(name[0])
        result.append(name)
    return tuple(result)


def letters_of(names: Sequence[str]) -> tuple[str, ...]:
    """Return a letter for each player to use in pictures: the initials if these differ, else A, B, C."""
    initials = [n[:1].upper() for n in names]
    if len(set(initials)) == len(initials) and all(i.isalpha() and len(i) == 1 for i in initials):
        return tuple(initials)
    return tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i % 26] for i in range(len(names)))


def create_game(rules: Rules, seats: int, settings: Sequence[str], backend: str, cache: Cache | None) -> Game:
    """Return the game for a number of seats and settings `name=value`; raise `SessionSetupError` if invalid."""
    chosen = read_settings(rules, settings)
    check_seats(rules, seats)
    return rules.game(seats, chosen, backend, cache)


def check_seats(rules: Rules, seats: int) -> None:
    """Raise `SessionSetupError` if the game cannot be played with this number of players."""
    low, high = rules.model.players
    if low == high != seats:
        raise SessionSetupError("other_number_of_seats", n=low, given=seats)
    if not low <= seats <= high:
        raise SessionSetupError("bad_number_of_seats", n=seats, low=low, high=high)


def read_settings(rules: Rules, given: Sequence[str]) -> dict[str, int]:
    """Return the settings `name=value`; raise `SessionSetupError` for unknown names and forbidden values."""
    result: dict[str, int] = {}
    for text in given:
        name, sign, value = text.partition("=")
        setting = rules.model.settings.get(name.strip())
        if setting is None or not sign:
            if not rules.model.settings:
                raise SessionSetupError("no_options", option=quoted(name))
            valid = Listing(tuple(Text(n) for n in rules.model.settings))
            raise SessionSetupError("bad_option", option=quoted(text), known=valid)
        kind, _, low, high = setting
        read = notation.read_value(rules.model, kind, value.strip(), rules.model.players[1])
        if read is None or (kind.kind == "number" and not low <= read <= high):
            if kind.kind == "number":
                raise SessionSetupError("bad_value", option=quoted(name), value=quoted(value), low=low, high=high)
            values = (rules.model.value_name(kind, number) for number in range(rules.model.size(kind, 1)))
            allowed = Listing(tuple(map(Text, ("yes", "no") if kind.kind == "truth" else values)))
            raise SessionSetupError("bad_value", option=quoted(name), value=quoted(value), allowed=allowed)
        result[name.strip()] = read
    return result


def decide(match: Match, cancel: CancelToken | None = None) -> tuple[Move, int]:
    """Return the move of the bot to play and its simulated thinking time in milliseconds; `cancel` cancels the search.

    The random stream depends only on the seed, the seat and the decision number, so that the decision can be
    reproduced.
    """
    seat, number = match.state.seat, len(match.steps)
    match.state.options()  # Listed before the state is copied, so that the copy and the move that follows share them.
    kind = match.seats[seat].kind
    took = thinking_time(match.state, kind, time_rng(match.seed, seat, number))
    return bot(kind, cancel).choose(match.state.copy(), decision_rng(match.seed, seat, number), match.past), took
