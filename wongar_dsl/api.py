"""What programs do with games: the functions of the public interface, which `docs/python.md` describes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wongar_dsl import engine, library
from wongar_dsl.backends import RuleFault
from wongar_dsl.backends.chance import Purpose, derive
from wongar_dsl.backends.chance import start as stream
from wongar_dsl.engine import Game, State
from wongar_dsl.engine.events import EVERYTHING
from wongar_dsl.engine.match import Match, Seat

# What speaks takes time to import.
if TYPE_CHECKING:
    from wongar_dsl.model.declarations import Setting
    from wongar_dsl.narration.narrator import Narrator


@dataclass(frozen=True, slots=True)
class About:
    """What can be said of a game before it is loaded: its name, the fewest and the most players, and what can be set.

    A setting has what the rules give it (`start`), and what it may be at the least and at the most (`low`, `high`).
    """

    name: str
    seats: tuple[int, int]
    settings: Mapping[str, Setting]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: after how many decisions, who has won (seats from 0), and the score of each seat."""

    length: int
    winners: tuple[int, ...]
    scores: tuple[int, ...]


def games() -> tuple[str, ...]:
    """The games that come with the program, each followed by its variants: `game`, `game/variant`."""
    return library.shipped_names()


def about(name: str | Path) -> About:
    """What a game is like, by its name or the path of its rule file; raises `RulesError`."""
    rules = library.load(name)
    return About(rules.name, rules.model.players, dict(rules.model.settings))


def load(
    name: str | Path,
    seats: int | None = None,
    settings: Mapping[str, int] | None = None,
    backend: str = "auto",
    cache: str | Path | None = None,
) -> Game:
    """A game ready to be played.

    `name` is a game that comes with the program, one of its variants (`game/variant`, several as `game+one+other`), or
    the path of a rule file.  `seats` is how many play (without it the fewest), `settings` are numbers for settings of
    the rules, `backend` is one of `BACKENDS`, and `cache` a folder that keeps what was read and compiled for the next
    time.  Raises `RulesError` with all diagnostics where the rules are wrong, ValueError for seats or settings that
    they do not allow, and KeyError for an unknown backend.
    """
    kept = library.Cache(Path(cache)) if cache is not None else None
    rules = library.load(name, kept)
    return rules.game(rules.model.players[0] if seats is None else seats, settings, backend, kept)


def observe(state: State, seat: int | None) -> dict[str, Any]:
    """What a seat sees of a state, or with None somebody who only watches, by the names of the rules.

    Values are numbers, truths, names, None, lists and dictionaries of these: it can be written as JSON.
    """
    from wongar_dsl.engine.observation import observe as seen

    return seen(state, seat)


def begin(game: Game, seed: int, seats: Sequence[str] = ()) -> Match:
    """A match: a game that keeps its history.

    `seats` says of each seat who plays there (`human`, or the name of a bot; all are human without it), which only
    records tell.  Raises `PlayFault` where the rules go wrong in the setup, and ValueError for another number of seats.
    """
    kinds = tuple(seats) or ("human",) * game.seats
    if len(kinds) != game.seats:
        raise ValueError(f"there are {game.seats} seats, not {len(kinds)}")
    return Match.begin(game, [Seat(kind) for kind in kinds], seed, game.rules_hash)


def record(match: Match, seat: int | None = EVERYTHING) -> Iterator[str]:
    """A match as lines of JSON: a header, the setup, a line for each decision, and at the end the result.

    All of it, or only what may be seen from a seat, or with None by somebody who only watches.
    """
    from wongar_dsl.engine.transcript import lines

    return lines(match, seat)


def playouts(game: Game, n: int, seed: int = 0, longest: int = engine.MAX_DECISIONS) -> Iterator[Outcome]:
    """The first `n` random games of the series of a seed; each is broken off after so many decisions.

    They are the same on every backend.  Raises `PlayFault` where the rules go wrong.
    """
    for number in range(n):
        own = derive(seed, number)
        state = State(game, game.backend.start(own))
        try:
            length, _ = game.backend.playout(state.cells, stream(own, Purpose.SAMPLING), longest)
        except RuleFault as fault:
            raise engine.play_fault(fault) from None
        yield Outcome(length, state.winners, state.scores)


def narrator(game: Game, language: str, names: Sequence[str] = ()) -> Narrator:
    """Who tells of a game in a language, with the words that lie beside its rules.

    `names` are those of the players, `1`, `2`, … without it.  Raises `WordsError` for a language that is not there, and
    ValueError for another number of names.
    """
    from wongar_dsl.narration.narrator import Narrator
    from wongar_dsl.words import Words

    called = tuple(names) or tuple(str(seat + 1) for seat in range(game.seats))
    if len(called) != game.seats:
        raise ValueError(f"there are {game.seats} seats, not {len(called)}")
    return Narrator(game, Words.load(language, game.words), called)


def rulebook(name: str | Path, language: str, seats: int | None = None) -> str:
    """The rules of a game as Markdown, for all numbers of players or for one of them.

    Raises `RulesError`, `WordsError` for a language that is not there, and ValueError for a number of seats.
    """
    from wongar_dsl.narration.narrator import title
    from wongar_dsl.prose.markdown import markdown
    from wongar_dsl.prose.outline import rulebook as written
    from wongar_dsl.prose.reading import Reading
    from wongar_dsl.words import Words

    rules = library.load(name)
    low, high = rules.model.players
    if seats is not None and not low <= seats <= high:
        raise ValueError(f"{low} to {high} can play, not {seats}")
    words = Words.load(language, rules.words_beside)
    reading = Reading(written(rules.model, words, seats), words, title(words, rules.name))
    return "".join(f"{line}\n" for line in markdown(reading))
