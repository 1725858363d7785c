"""`wongar tournament`: bots against each other in every seat order, with win shares and ratings."""

from __future__ import annotations

import csv
import io
import json
import time
from collections.abc import Sequence

from wongar_dsl.engine.bots import depends_on_time, is_bot
from wongar_dsl.lab.inference import Rating, RatingsLibraryMissing, ratings
from wongar_dsl.lab.processes import ProcessExecutor, WorkersLost
from wongar_dsl.lab.tournament import GameResult, TournamentPlan, TournamentResult, outcome, play
from wongar_dsl.nlg.narration.narrator import title
from wongar_dsl.nlg.words import Text, Translator, quoted

from ..declarations import known_bots
from ..errors import SUCCESS, USAGE, UserError
from ..language import cache
from ..load_game import OpenedGame, open_game, warn_slow_backend
from ..terminal.screen import Progress, Screen, columns, echo, echo_data
from ..terminal.signals import interrupt_code

#: Placeholder where a bot would meet itself, and the distance between columns in characters.
NOTHING, GAP = "–", 2


def tournament_command(
    words: Translator, game: str, bots: str, games: int, seats: int | None, seed: int | None, jobs: int, form: str,
    options: tuple[str, ...], backend: str,
) -> int:  # fmt: skip
    """Run `wongar tournament`."""
    names = _names(bots, words)
    opened = open_game(game, words)
    plan = _plan(game, opened, names, games, seats, seed or 0, options, backend)
    results, ended = _played(plan, jobs, words)
    if results:
        _print_results(plan, opened, results, form, words)
    if ended is None:
        return SUCCESS
    if isinstance(ended, KeyboardInterrupt):
        return interrupt_code(ended)
    raise ended


def _plan(
    game: str, opened: OpenedGame, bots: tuple[str, ...], games: int, seats: int | None, seed: int,
    options: Sequence[str], backend: str,
) -> TournamentPlan:  # fmt: skip
    """Return the plan of the requested tournament; raise `UserError` if it is invalid."""
    low, high = opened.rules.model.players
    setup = opened.create_game(seats or min(max(low, 2), high), options, backend)
    warn_slow_backend(setup, backend, opened.words)
    if setup.seats < 2:
        raise UserError(opened.words.say("cli.tournament.alone"), USAGE)
    plan = TournamentPlan(game, bots, setup.seats, 0, seed, tuple(setup.settings.items()), backend, str(cache().folder))
    # Enough openings that the pairing with the fewest seat orders plays the requested number of games.
    return plan.with_games(games)


def _names(text: str, words: Translator) -> tuple[str, ...]:
    """Parse a comma-separated list of bots; raise `UserError` unless there are at least two, all different."""
    names = tuple(part.strip() for part in text.split(","))
    for name in names:
        if not is_bot(name):
            raise UserError(words.say("cli.no_such_bot", bot=quoted(name), known=known_bots("1000", "1s")), USAGE)
        if depends_on_time(name):
            echo(words.say("cli.tournament.by_time", bot=Text(name)), err=True)
    if len(names) < 2 or len(set(names)) < len(names):
        raise UserError(words.say("cli.tournament.few_bots"), USAGE)
    return names


def _played(plan: TournamentPlan, jobs: int, words: Translator) -> tuple[list[GameResult], BaseException | None]:
    """Return the results, and the exception that stopped the tournament, if any.

    This can be Ctrl-C, a fault in the rules or lost worker processes.
    """
    progress = Progress(words, plan.games)
    results: list[GameResult] = []
    ended: BaseException | None = None
    try:
        with ProcessExecutor(jobs, time.monotonic) as executor:
            for result in play(plan, executor, progress):
                results.append(result)
                progress.done = len(results)
    except WorkersLost:
        ended = UserError(words.say("cli.simulation.workers_lost"))
    except (KeyboardInterrupt, Exception) as cause:  # In every case, the games played so far are reported.
        ended = cause
    finally:
        progress.erase()
    if ended is not None:
        echo(words.say("cli.simulated.stopped", done=len(results), n=plan.games), err=True)
    return results, ended


def _print_results(
    plan: TournamentPlan, opened: OpenedGame, results: Sequence[GameResult], form: str, words: Translator
) -> None:
    """Print the results in the requested format."""
    if form == "csv":
        echo_data(_csv(plan, results))
        return
    summary = outcome(plan, results)
    ratings = _ratings(plan, summary, words)
    if form == "json":
        echo_data(json.dumps(_data(plan, summary, ratings), indent=2))
    else:
        _show(Screen(), words, title(opened.words, opened.rules.name), plan, summary, ratings)


def _ratings(plan: TournamentPlan, outcome: TournamentResult, words: Translator) -> tuple[Rating, ...]:
    """Return the ratings.

    Without a complete opening there are none. If the ratings library is not installed, print a notice and return none.
    """
    try:
        return ratings(outcome.comparisons, plan.seed) if outcome.openings else ()
    except RatingsLibraryMissing:
        echo(words.say("cli.tournament.no_ratings", command=Text("pip install 'wongar[ratings]'")), err=True)
        return ()


# ---- what is shown -------------------------------------------------------------------------------------------------


def _show(
    screen: Screen, words: Translator, game_title: str, plan: TournamentPlan, outcome: TournamentResult,
    ratings: Sequence[Rating],
) -> None:  # fmt: skip
    say = words.say
    screen.text(say("cli.tournament.title", rules=Text(game_title), seats=plan.seats), "strong")
    screen.text(say("cli.tournament.games", openings=outcome.openings, n=outcome.games))
    if outcome.left_out:
        screen.text(say("cli.tournament.left_out", n=outcome.left_out))
    if outcome.stopped:
        screen.text(say("cli.tournament.unusual", n=outcome.stopped))
    if not outcome.openings:
        return
    for met in outcome.results:
        screen.line()
        bots = Text(f" {NOTHING} ".join(plan.bots[bot] for bot in met.meeting))
        screen.text(say("cli.tournament.met", bots=bots, n=met.games), "strong")
        if met.drawn:
            screen.text(say("cli.tournament.drawn", n=met.drawn), "faint")
        for share in met.shares:
            verdict = {1: "more", 0: "even", -1: "less"}[share.verdict]
            values = {"share": share.share, "low": share.low, "high": share.high, "even": share.even}
            shown = {name: Text(words.percent(value, 1)) for name, value in values.items()}
            shown["bot"] = Text(plan.bots[share.bot])
            screen.text(" " * GAP + say(f"cli.tournament.share.{verdict}", None, **shown), indent=" " * GAP)
    if len(plan.bots) > 2:
        screen.line()
        screen.text(say("cli.tournament.against"), "strong")
        _table(screen, words, plan, outcome)
    if ratings:
        screen.line()
        screen.text(say("cli.tournament.ratings"), "strong")
        order = sorted(range(len(ratings)), key=lambda bot: -round(ratings[bot].rating))
        width = max(map(words.width, plan.bots))
        for bot in order:
            rating = ratings[bot]
            shown = {name: _signed(words, getattr(rating, name)) for name in ("rating", "low", "high")}
            line = say("cli.tournament.rating", None, **shown)
            screen.line([("", " " * GAP + words.pad(plan.bots[bot], width) + " " * GAP + line)])


def _signed(words: Translator, number: float) -> Text:
    """Format a number with its sign."""
    whole = round(number)
    return Text(("+" if whole > 0 else "−" if whole < 0 else "±") + words.number(abs(whole)))


def _table(screen: Screen, words: Translator, plan: TournamentPlan, outcome: TournamentResult) -> None:
    """Print the win shares of each row's bot against each column's bot."""
    pairs = {met.meeting: met.shares for met in outcome.results if len(met.meeting) == 2}
    shares = {
        (s.bot, t.bot): s.share
        for first_share, second_share in pairs.values()
        for s, t in ((first_share, second_share), (second_share, first_share))
    }
    rows = [["", *plan.bots]]
    for number, name in enumerate(plan.bots):
        cells = [shares.get((number, opponent)) for opponent in range(len(plan.bots))]
        rows.append([name, *(NOTHING if cell is None else words.percent(cell, 1) for cell in cells)])
    for line in columns(rows, words, range(1, len(plan.bots) + 1)):
        screen.line([("", " " * GAP + line)])


# ---- as data -------------------------------------------------------------------------------------------------------


def _data(plan: TournamentPlan, outcome: TournamentResult, ratings: Sequence[Rating]) -> dict[str, object]:
    """Return the outcome as JSON data: shares with confidence intervals per pairing, and the ratings."""

    def rounded(*values: float) -> list[float]:
        return [round(value, 4) for value in values]

    return {
        "rules": plan.rules,
        "settings": dict(plan.settings),
        "seats": plan.seats,
        "seed": plan.seed,
        "bots": list(plan.bots),
        "openings": outcome.openings,
        "games": outcome.games,
        "left_out": outcome.left_out,
        "unusually_long": outcome.stopped,
        "meetings": [
            {
                "bots": [plan.bots[bot] for bot in met.meeting],
                "games": met.games,
                "drawn": met.drawn,
                "won": rounded(*met.won),
                "shares": rounded(*(share.share for share in met.shares)),
                "intervals": [rounded(share.low, share.high) for share in met.shares],
                "even": rounded(*(share.even for share in met.shares)),
                "significant": [share.verdict != 0 for share in met.shares],
            }
            for met in outcome.results
        ],
        "ratings": {
            name: {"rating": round(rating.rating), "interval": [round(rating.low), round(rating.high)]}
            for name, rating in zip(plan.bots, ratings, strict=False)
        },
    }


def _csv(plan: TournamentPlan, results: Sequence[GameResult]) -> str:
    """Return every game as CSV, with one row for each seat."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["game", "opening", "seat", "bot", "share", "decided", "finished", "decisions"])
    for number, result in enumerate(results, 1):
        for seat, (bot, share) in enumerate(zip(result.seating, result.shares, strict=True), 1):
            whole = [number, result.opening + 1, seat, plan.bots[bot], round(share, 4)]
            rows.writerow([*whole, int(result.decided), int(result.finished), result.decisions])
    return text.getvalue().rstrip("\n")
