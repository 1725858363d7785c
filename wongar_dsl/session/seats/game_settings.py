"""Setup of a game: number of seats and settings, as a player requests them."""

from __future__ import annotations

from collections.abc import Sequence

from wongar_dsl.base.storage.cache import Cache
from wongar_dsl.engine import Game, notation
from wongar_dsl.engine.library import Rules
from wongar_dsl.nlg.words import Listing, Text, quoted
from wongar_dsl.session.errors import SessionSetupError


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
            truth = kind.kind == "truth"
            names = (
                ("yes", "no") if truth else (rules.model.value_name(kind, i) for i in range(rules.model.size(kind, 1)))
            )
            allowed = Listing(tuple(Text(n) for n in names))
            raise SessionSetupError("bad_value", option=quoted(name), value=quoted(value), allowed=allowed)
        result[name.strip()] = read
    return result
