"""Public Python interface, described in `docs/python.md`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from wongar_dsl import engine
from wongar_dsl.compiler.backends import RuleFault
from wongar_dsl.compiler.backends.rng import Purpose, derive
from wongar_dsl.compiler.backends.rng import start as stream
from wongar_dsl.engine import Game, State, library
from wongar_dsl.engine.events import EVERYTHING
from wongar_dsl.engine.hidden_information.observation import observe as seen
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.engine.saves import lines

# Imported lazily: narration takes time to import.
if TYPE_CHECKING:
    from wongar_dsl.language.semantics.model import Setting
    from wongar_dsl.nlg.narration.narrator import Narrator


@dataclass(frozen=True, slots=True)
class About:
    """Properties of a game before it is loaded: name, minimum and maximum number of players, and settings.

    `age` is the recommended minimum age in years, `minutes` the usual length of a game, from the shortest to the
    longest; None if the rules do not declare them.

    A setting has a default (`start`), a minimum (`low`) and a maximum (`high`).
    """

    name: str
    seats: tuple[int, int]
    settings: Mapping[str, Setting]
    age: int | None = None
    minutes: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of a game: number of decisions, winners (seats from 0), and the score of each seat."""

    length: int
    winners: tuple[int, ...]
    scores: tuple[int, ...]


def games() -> tuple[str, ...]:
    """Return the names of the built-in games, each followed by its variants: `game`, `game/variant`."""
    return library.builtin_names()


def about(name: str | Path) -> About:
    """Return the properties of a game, given its name or the path of its rule file.  Raises `RulesError`."""
    rules = library.load(name)
    age, _ = rules.model.box.get("age", (None, None))
    return About(rules.name, rules.model.players, dict(rules.model.settings), age, rules.model.box.get("minutes"))


def load(
    name: str | Path,
    seats: int | None = None,
    settings: Mapping[str, int] | None = None,
    backend: str = "auto",
    cache: str | Path | None = None,
) -> Game:
    """Return a game ready to be played.

    `name` is a built-in game, one of its variants (`game/variant`, several as `game+one+other`), or the path of a rule
    file.  `seats` is the number of players (default: the minimum), and `settings` are values for settings of the rules.
    `backend` is one of `BACKENDS`.  `cache` is a folder in which parsed and compiled rules are stored for the next
    time.  Raises `RulesError` with all diagnostics for invalid rules, ValueError for an invalid number of seats or
    setting, and KeyError for an unknown backend.
    """
    rule_cache = library.Cache(Path(cache)) if cache is not None else None
    rules = library.load(name, rule_cache)
    return rules.game(rules.model.players[0] if seats is None else seats, settings, backend, rule_cache)


def observe(state: State, seat: int | None) -> dict[str, Any]:
    """Return the state as visible to a seat, or with None to a spectator, by the names in the rules.

    Values are numbers, truth values, names, None, and lists and dictionaries of these, so that the result can be
    written as JSON.
    """
    return seen(state, seat)


def begin(game: Game, seed: int, seats: Sequence[str] = ()) -> Match:
    """Begin a match: a game with its history.

    `seats` says for each seat whether it is `human` or the name of a bot; only records use it.  Raises `PlayFault` if
    the rules fail during setup, and ValueError for a wrong number of seats.
    """
    kinds = tuple(seats) or ("human",) * game.seats
    if len(kinds) != game.seats:
        raise ValueError(f"there are {game.seats} seats, not {len(kinds)}")
    return Match.begin(game, [Seat(kind) for kind in kinds], seed, game.rules_hash)


def record(match: Match, seat: int | None = EVERYTHING) -> Iterator[str]:
    """Return a match as JSON lines: a header, the setup, a line for each decision, and the result at the end.

    With a seat, or None for a spectator, only visible information is included.
    """
    return lines(match, seat)


def playouts(game: Game, n: int, seed: int = 0, longest: int = engine.MAX_DECISIONS) -> Iterator[Outcome]:
    """Yield the first `n` random games of the series with this seed, each of at most `longest` decisions.

    The games are the same on every backend.  Raises `PlayFault` if the rules fail.
    """
    for number in range(n):
        game_seed = derive(seed, number)
        state = State(game, game.backend.start(game_seed))
        try:
            length, _ = game.backend.playout(state.cells, stream(game_seed, Purpose.SAMPLING), longest)
        except RuleFault as fault:
            raise engine.play_fault(fault) from None
        yield Outcome(length, state.winners, state.scores)


def narrator(game: Game, language: str, names: Sequence[str] = ()) -> Narrator:
    """Return a narrator that describes a game in a language, with the translations stored beside its rules.

    `names` are the names of the players, by default `1`, `2`, … Raises `WordsError` for an unknown language, and
    ValueError for a wrong number of names.
    """
    from wongar_dsl.nlg import narration, words

    called = tuple(names) or tuple(str(seat + 1) for seat in range(game.seats))
    if len(called) != game.seats:
        raise ValueError(f"there are {game.seats} seats, not {len(called)}")
    return narration.Narrator(game, words.Translator.load(language, game.word_folders), called)


def rulebook(
    name: str | Path,
    language: str,
    seats: int | None = None,
    style: Literal["teach", "reference"] = "teach",
    cache: str | Path | None = None,
) -> str:
    """Return the rules of a game as Markdown, for all numbers of players or for one: to learn it, or for reference.

    The book to learn from tells the examples in the case files beside the rules; `cache` is a folder as for `load`.
    Raises `RulesError`, `WordsError` for an unknown language, and ValueError for an invalid number of seats.
    """
    from wongar_dsl.nlg.narration import teaching_book as books
    from wongar_dsl.nlg.words import Translator

    rule_cache = library.Cache(Path(cache)) if cache is not None else None
    rules = library.load(name, rule_cache)
    low, high = rules.model.players
    if seats is not None and not low <= seats <= high:
        raise ValueError(f"{low} to {high} can play, not {seats}")
    words = Translator.load(language, rules.words_beside)
    if style == "teach":
        reading = books.teaching_book(rules, words, seats, cache=rule_cache).reading
    else:
        reading = books.read_rulebook(rules.model, words, rules.name, seats)
    return "".join(f"{line}\n" for line in books.markdown(reading))
