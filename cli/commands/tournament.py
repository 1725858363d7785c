"""`wongar tournament`: bots against each other in every order of the seats, their shares of the wins, and ratings."""

from __future__ import annotations

import csv
import io
import json
import time
from typing import TYPE_CHECKING

import click

from wongar_dsl.words import Listing, Text, Words, quoted

from ..errors import Refusal
from ..terminal.progress import Progress
from ..terminal.screen import Screen, echo, echo_data
from .options import format_option, game_argument, number_option, table_options, text_option
from .simulate import STOPPED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wongar_dsl.lab.ratings import Rating
    from wongar_dsl.lab.tournament import Outcome, Plan, Result

    from ..opening import Opening

#: With more games, a tournament would never end.
MOST = 10_000_000
#: What stands where a bot would meet itself, and how far columns are apart.
NOTHING, GAP = "–", 2


def command(words: Words) -> click.Command:
    """The click command."""

    def run(
        game: str, bots: str, games: int, seats: int | None, seed: int | None, jobs: int, form: str,
        options: tuple[str, ...], backend: str,
    ) -> int:  # fmt: skip
        from ..opening import opening

        names = _names(bots, words)
        opened = opening(game, words)
        plan = _plan(game, opened, names, games, seats, seed or 0, options, backend)
        results, ended = _played(plan, jobs, words)
        if results:
            _tell(plan, opened, results, form, words)
        if ended is None:
            return 0
        if isinstance(ended, KeyboardInterrupt):
            return STOPPED
        raise ended

    return click.Command(
        "tournament",
        callback=run,
        help=words.say("cli.tournament.help"),
        params=[
            game_argument(words),
            _bots_option(words),
            number_option(words, "--games", "cli.tournament.games.help", 1, MOST, default=100),
            number_option(words, "--seats", "cli.seatcount.help"),
            number_option(words, "--jobs", "cli.jobs.help", 1, 256, default=1),
            format_option(words, "text", "json", "csv"),
            *table_options(words),
        ],
    )


def _bots_option(words: Words) -> click.Option:
    option = text_option(words, ["--bots"], "cli.bots.metavar", "cli.bots.help", known=_known())
    option.required = True
    return option


def _known() -> Listing:
    """The bots that there are, with examples of those that search for so many games or seconds."""
    from wongar_dsl.bots import BOTS, SEARCHING

    return Listing(tuple(Text(name) for name in (*BOTS, f"{SEARCHING}1000", f"{SEARCHING}1s")))


def _plan(
    game: str, opened: Opening, bots: tuple[str, ...], games: int, seats: int | None, seed: int,
    options: Sequence[str], backend: str,
) -> Plan:  # fmt: skip
    """The tournament that is asked for; raises `Refusal`."""
    from wongar_dsl.lab.tournament import Plan

    from ..cache import cache
    from ..opening import tell_backend

    low, high = opened.rules.model.players
    made = opened.deal(seats or min(max(low, 2), high), options, backend)
    tell_backend(made, backend, opened.words)
    if made.seats < 2:
        raise Refusal(opened.words.say("cli.tournament.alone"), 2)
    plan = Plan(game, bots, made.seats, 0, seed, tuple(made.settings.items()), backend, str(cache().folder))
    # As many openings as it takes until the meeting with the fewest orders has had so many games.
    return plan.with_games(games)


def _names(text: str, words: Words) -> tuple[str, ...]:
    """The bots that a text lists; raises `Refusal` unless there are two, all different."""
    from wongar_dsl.bots import is_bot, takes_time

    names = tuple(part.strip() for part in text.split(","))
    for name in names:
        if not is_bot(name):
            raise Refusal(words.say("cli.no_such_bot", bot=quoted(name), known=_known()), 2)
        if takes_time(name):
            echo(words.say("cli.tournament.by_time", bot=Text(name)), err=True)
    if len(names) < 2 or len(set(names)) < len(names):
        raise Refusal(words.say("cli.tournament.few_bots"), 2)
    return names


def _played(plan: Plan, jobs: int, words: Words) -> tuple[list[Result], BaseException | None]:
    """The games, and what ended them before their time: Ctrl-C, rules that went wrong, processes that were lost, or
    anything else."""
    from wongar_dsl.lab.processes import Processes, WorkersLost
    from wongar_dsl.lab.tournament import play

    progress = Progress(words, plan.games)
    results: list[Result] = []
    ended: BaseException | None = None
    try:
        with Processes(jobs, time.monotonic) as executor:
            for one in play(plan, executor, progress):
                results.append(one)
                progress.done = len(results)
    except WorkersLost:
        ended = Refusal(words.say("cli.simulation.workers_lost"))
    except (KeyboardInterrupt, Exception) as cause:  # Whatever happens, hours of games are not lost with it.
        ended = cause
    finally:
        progress.over()
    if ended is not None:
        echo(words.say("cli.simulated.stopped", done=len(results), n=plan.games), err=True)
    return results, ended


def _tell(plan: Plan, opened: Opening, results: Sequence[Result], form: str, words: Words) -> None:
    """Tell what came of the games, in the form that was asked for."""
    from wongar_dsl.lab.tournament import outcome

    if form == "csv":
        echo_data(_csv(plan, results))
        return
    found = outcome(plan, results)
    ratings = _ratings(plan, found, words)
    if form == "json":
        echo_data(json.dumps(_data(plan, found, ratings), indent=2))
    else:
        from wongar_dsl.narration.narrator import title

        _show(Screen(), words, title(opened.words, opened.rules.name), plan, found, ratings)


def _ratings(plan: Plan, found: Outcome, words: Words) -> tuple[Rating, ...]:
    """The ratings; none where nothing was played, or where the library for them is not there, which is told."""
    from wongar_dsl.lab.ratings import RatingsMissing, ratings

    try:
        return ratings(found.comparisons, plan.seed) if found.openings else ()
    except RatingsMissing:
        echo(words.say("cli.tournament.no_ratings", command=Text("pip install 'wongar[ratings]'")), err=True)
        return ()


# ---- what is shown -------------------------------------------------------------------------------------------------


def _show(screen: Screen, words: Words, called: str, plan: Plan, found: Outcome, ratings: Sequence[Rating]) -> None:
    say = words.say
    screen.text(say("cli.tournament.title", rules=Text(called), seats=plan.seats), "strong")
    screen.text(say("cli.tournament.games", openings=found.openings, n=found.games))
    if found.left_out:
        screen.text(say("cli.tournament.left_out", n=found.left_out))
    if found.stopped:
        screen.text(say("cli.tournament.unusual", n=found.stopped))
    if not found.openings:
        return
    for met in found.met:
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
        _table(screen, words, plan, found)
    if ratings:
        screen.line()
        screen.text(say("cli.tournament.ratings"), "strong")
        order = sorted(range(len(ratings)), key=lambda bot: -round(ratings[bot].rating))
        width = max(map(words.width, plan.bots))
        for bot in order:
            rating = ratings[bot]
            shown = {name: _signed(words, getattr(rating, name)) for name in ("rating", "low", "high")}
            told = say("cli.tournament.rating", None, **shown)
            screen.line([("", " " * GAP + words.pad(plan.bots[bot], width) + " " * GAP + told)])


def _signed(words: Words, number: float) -> Text:
    """A number with its sign."""
    whole = round(number)
    return Text(("+" if whole > 0 else "−" if whole < 0 else "±") + words.number(abs(whole)))


def _table(screen: Screen, words: Words, plan: Plan, found: Outcome) -> None:
    """The share of the wins of each row against each column."""
    pairs = {met.meeting: met.shares for met in found.met if len(met.meeting) == 2}
    shares = {(s.bot, t.bot): s.share for one, two in pairs.values() for s, t in ((one, two), (two, one))}
    rows = [["", *plan.bots]]
    for number, name in enumerate(plan.bots):
        cells = [shares.get((number, other)) for other in range(len(plan.bots))]
        rows.append([name, *(NOTHING if cell is None else words.percent(cell, 1) for cell in cells)])
    widths = [max(map(words.width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        first, *others = (
            words.pad(cell, width, "right" if at else "left")
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        screen.line([("", " " * GAP + (" " * GAP).join((first, *others)))])


# ---- as data -------------------------------------------------------------------------------------------------------


def _data(plan: Plan, found: Outcome, ratings: Sequence[Rating]) -> dict[str, object]:
    """What came of it, for JSON: shares with their intervals by meeting, and the ratings."""

    def rounded(*values: float) -> list[float]:
        return [round(value, 4) for value in values]

    return {
        "rules": plan.rules,
        "settings": dict(plan.settings),
        "seats": plan.seats,
        "seed": plan.seed,
        "bots": list(plan.bots),
        "openings": found.openings,
        "games": found.games,
        "left_out": found.left_out,
        "unusually_long": found.stopped,
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
            for met in found.met
        ],
        "ratings": {
            name: {"rating": round(one.rating), "interval": [round(one.low), round(one.high)]}
            for name, one in zip(plan.bots, ratings, strict=False)
        },
    }


def _csv(plan: Plan, results: Sequence[Result]) -> str:
    """Every game with a row for each seat."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["game", "opening", "seat", "bot", "share", "decided", "finished", "decisions"])
    for number, one in enumerate(results, 1):
        for seat, (bot, share) in enumerate(zip(one.seating, one.shares, strict=True), 1):
            whole = [number, one.opening + 1, seat, plan.bots[bot], round(share, 4)]
            rows.writerow([*whole, int(one.decided), int(one.finished), one.decisions])
    return text.getvalue().rstrip("\n")
