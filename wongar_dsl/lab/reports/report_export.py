"""Export of a report as data: JSON by arm, and a tidy CSV table with one figure per row."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any

from wongar_dsl.lab.inference import DifferenceEstimate, Estimate
from wongar_dsl.lab.metrics import MetricKey
from wongar_dsl.lab.reports.report_data import ArmReport, ChoiceFigures, Comparison, Report, SeatFigures, Spread

#: Number of decimal places of figures.
PLACES = 6
#: Columns of the table; cells that do not apply to a figure are empty.
COLUMNS = (
    "arm", "rules", "option", "option_value", "figure", "seat", "bot", "origin", "decision", "choice", "parameter",
    "thing", "part", "group", "article", "file", "value", "low", "high", "p", "adjusted", "significant",
)  # fmt: skip
Row = dict[str, object]


# ---- JSON ----------------------------------------------------------------------------------------------------------


def as_json(report: Report) -> dict[str, Any]:
    """Return the arms by the name of their rules, in a sweep with the value of its setting.

    An arm's comparison with the baseline is its entry `against`.
    """
    names = arm_names(report)
    arms = {name: _arm(arm) for name, arm in zip(names, report.arms, strict=True)}
    for comparison in report.comparisons:
        arms[names[comparison.after]]["against"] = _comparison(comparison, names)
    return arms


def arm_names(report: Report) -> tuple[str, ...]:
    """Return a unique name for each arm."""
    if report.sweep is not None:
        option = report.sweep.option
        return tuple(
            f"{arm.rules} {option}={value}" for arm, value in zip(report.arms, report.sweep.values, strict=True)
        )
    first, *rest = (arm.rules for arm in report.arms)
    return first, *(f"{name} 2" if name == first else name for name in rest)


def _arm(arm: ArmReport) -> dict[str, Any]:
    ended = arm.games - arm.unfinished
    # Without points, a winner counts 1 and a loser -1.
    decided = ended - arm.drawn
    plain = [round((2 * seat.won - decided) / ended, 4) if ended else 0.0 for seat in arm.seats]
    length = arm.length
    return {
        "games": arm.games,
        "unfinished": arm.unfinished,
        "win_shares": [round(seat.wins.value, 4) for seat in arm.seats],
        "mean_scores": [
            round(seat.points.value, 4) if seat.points is not None else mean
            for seat, mean in zip(arm.seats, plain, strict=True)
        ],
        "shared_wins": arm.shared,
        "decisions": {
            "mean": round(length.mean.value, 4) if length is not None else 0.0,
            "shortest": length.least if length is not None else 0,
            "longest": length.most if length is not None else 0,
        },
        "name": arm.name,
        "settings": dict(arm.settings),
        "bots": list(arm.bots),
        "rotate": arm.rotate,
        "seed": arm.seed,
        "drawn": arm.drawn,
        "scored": arm.scored,
        "fewest_win": arm.fewest,
        "first": arm.first,
        "seats": [_seat(seat) for seat in arm.seats],
        "starter": _seat(arm.starter) if arm.starter is not None else None,
        "entrants": [
            {"bot": row.bot, "wins": _estimate(row.wins), "points": _estimate(row.points)} for row in arm.entrants
        ],
        "length": _spread(arm.length),
        "points": _spread(arm.points),
        "gap": _spread(arm.lead_history.gap),
        "lead_changes": _spread(arm.lead_history.changes),
        "decided": _spread(arm.lead_history.decided),
        "lead": [
            {"part": row.part / 1000, "gap": _estimate(row.gap), "right": _estimate(row.right)}
            for row in arm.lead_history.lead
        ],
        "choices": [_choice(choice) for choice in arm.choices],
        "articles": [
            {
                "article": row.name, "keyword": row.keyword, "file": row.file, "line": row.line, "games": row.games,
                "lines": row.lines, "missed": [list(stretch) for stretch in row.missed],
                "steps": [{"line": step.line, "games": step.games} for step in row.steps],
            }
            for row in arm.articles
        ],
    }  # fmt: skip


def _seat(seat: SeatFigures) -> dict[str, Any]:
    return {
        "wins": _estimate(seat.wins),
        "won": seat.won,
        "points": _estimate(seat.points),
        "origins": {part.origin: _estimate(part.points) for part in seat.origins},
    }


def _choice(choice: ChoiceFigures) -> dict[str, Any]:
    return {
        "decision": choice.decision,
        "choice": choice.option,
        "parameter": choice.parameter,
        "thing": choice.thing,
        "offered": choice.offered,
        "taken": choice.taken,
        "forced": choice.forced,
        **{
            name: {"players": group.players, "wins": _estimate(group.wins), "points": _estimate(group.points)}
            for name, group in (("took", choice.took), ("declined", choice.declined))
        },
        "wins": _effect(choice.wins),
        "points": _effect(choice.points),
    }


def _comparison(comparison: Comparison, names: Sequence[str]) -> dict[str, Any]:
    return {
        "rules": names[comparison.before],
        "games": comparison.games,
        "figures": [
            {
                **_about(figure.key), "main": figure.main, "before": round(figure.before, PLACES),
                "after": round(figure.after, PLACES), "difference": _effect(figure.effect),
            }
            for figure in comparison.figures
        ],
        "only_before": [_about(key) for key in comparison.only_before],
        "only_after": [_about(key) for key in comparison.only_after],
    }  # fmt: skip


def _about(key: MetricKey) -> dict[str, Any]:
    """Return the key of a figure without fields that do not apply; exported seats count from 1."""
    fields = {
        "seat": key.seat + 1 if key.seat >= 0 else "", "origin": key.origin, "decision": key.decision,
        "choice": key.option, "parameter": key.parameter, "thing": key.thing,
    }  # fmt: skip
    return {"figure": figure_name(key)} | {name: value for name, value in fields.items() if value != ""}


def figure_name(key: MetricKey) -> str:
    """Return the name of a figure in exported data."""
    return {"changes": "lead_changes"}.get(key.measure, key.measure.replace(" ", "_"))


def _estimate(figure: Estimate | None) -> dict[str, float | None] | None:
    if figure is None:
        return None
    return {"value": round(figure.value, PLACES), "low": _finite(figure.low), "high": _finite(figure.high)}


def _effect(figure: DifferenceEstimate | None) -> dict[str, object] | None:
    if figure is None:
        return None
    return {
        "value": round(figure.value, PLACES), "low": _finite(figure.low), "high": _finite(figure.high),
        "p": _likely(figure.p), "adjusted": _likely(figure.adjusted), "significant": figure.significant,
    }  # fmt: skip


def _spread(figure: Spread | None) -> dict[str, object] | None:
    if figure is None:
        return None
    return {
        "mean": _estimate(figure.mean), "deviation": round(figure.deviation, PLACES), "least": figure.least,
        "most": figure.most, "quartiles": list(figure.quartiles),
        "bins": [[bar.low, bar.high, bar.count] for bar in figure.bins],
    }  # fmt: skip


def _finite(number: float) -> float | None:
    """Return a bound, or None if it is infinite."""
    return round(number, PLACES) if abs(number) < float("inf") else None


def _likely(p: float) -> float:
    """Return a probability with six significant digits."""
    return float(f"{p:.6g}")


# ---- CSV -----------------------------------------------------------------------------------------------------------


def as_csv(report: Report) -> str:
    """Return the table as text, with the column names in the first line."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    for number, arm in enumerate(report.arms):
        head: Row = {"arm": number + 1, "rules": arm.rules}
        if report.sweep is not None:
            head |= {"option": report.sweep.option, "option_value": report.sweep.values[number]}
        for row in _of_arm(arm):
            writer.writerow(head | row)
        for comparison in report.comparisons:
            if comparison.after == number:
                for row in _of_comparison(comparison):
                    writer.writerow(head | row)
    return out.getvalue()


def _of_arm(arm: ArmReport) -> Iterator[Row]:
    counts = {"games": arm.games, "unfinished": arm.unfinished, "drawn": arm.drawn, "shared": arm.shared}
    yield from ({"figure": name, "value": count} for name, count in counts.items())
    for seat in arm.seats:
        yield from _of_seat(seat, "", {"seat": seat.seat + 1, "bot": "" if arm.rotate else arm.bots[seat.seat]})
    if arm.starter is not None:
        yield from _of_seat(arm.starter, "starter_", {})
    for entrant in arm.entrants:
        yield {"figure": "entrant_wins", "bot": entrant.bot, **_values(entrant.wins)}
        if entrant.points is not None:
            yield {"figure": "entrant_points", "bot": entrant.bot, **_values(entrant.points)}
    spreads = {
        "length": arm.length, "points": arm.points, "gap": arm.lead_history.gap,
        "lead_changes": arm.lead_history.changes, "decided": arm.lead_history.decided,
    }  # fmt: skip
    for name, spread in spreads.items():
        if spread is not None:
            yield {"figure": name, **_values(spread.mean)}
            least = {"least": spread.least, "most": spread.most, "deviation": round(spread.deviation, PLACES)}
            quartiles = dict(zip(("quarter", "median", "three_quarters"), spread.quartiles, strict=True))
            for part, value in (least | quartiles).items():
                yield {"figure": f"{name}_{part}", "value": value}
    for lead in arm.lead_history.lead:
        yield {"figure": "lead_gap", "part": lead.part / 1000, **_values(lead.gap)}
        yield {"figure": "lead_right", "part": lead.part / 1000, **_values(lead.right)}
    for choice in arm.choices:
        yield from _of_choice(choice)
    for article in arm.articles:
        where: Row = {"article": article.name, "file": article.file}
        yield {"figure": "article_games", **where, "value": article.games}
        yield {"figure": "article_lines", **where, "value": article.lines}
        missed = sum(last - first + 1 for first, last in article.missed)
        yield {"figure": "article_lines_missed", **where, "value": missed}


def _of_seat(seat: SeatFigures, prefix: str, head: Row) -> Iterator[Row]:
    yield {"figure": f"{prefix}wins", **head, **_values(seat.wins)}
    yield {"figure": f"{prefix}won", **head, "value": seat.won}
    if seat.points is not None:
        yield {"figure": f"{prefix}points", **head, **_values(seat.points)}
    for part in seat.origins:
        yield {"figure": f"{prefix}origin", "origin": part.origin, **head, **_values(part.points)}


def _of_choice(choice: ChoiceFigures) -> Iterator[Row]:
    head: Row = {
        "decision": choice.decision, "choice": choice.option, "parameter": choice.parameter, "thing": choice.thing
    }  # fmt: skip
    for name, count in (("offered", choice.offered), ("taken", choice.taken), ("forced", choice.forced)):
        yield {"figure": name, **head, "value": count}
    for name, group in (("took", choice.took), ("declined", choice.declined)):
        yield {"figure": "players", "group": name, **head, "value": group.players}
        if group.wins is not None:
            yield {"figure": "wins", "group": name, **head, **_values(group.wins)}
        if group.points is not None:
            yield {"figure": "points", "group": name, **head, **_values(group.points)}
    for name, effect in (("wins", choice.wins), ("points", choice.points)):
        if effect is not None:
            yield {"figure": name, "group": "difference", **head, **_differs(effect)}


def _of_comparison(comparison: Comparison) -> Iterator[Row]:
    group = f"difference from {comparison.before + 1}"
    yield {"figure": "pairs", "group": group, "value": comparison.games}
    for figure in comparison.figures:
        yield {**_about(figure.key), "group": group, **_differs(figure.effect)}


def _values(figure: Estimate) -> Row:
    estimate = _estimate(figure)
    return {name: "" if value is None else value for name, value in (estimate or {}).items()}


def _differs(figure: DifferenceEstimate) -> Row:
    effect = _effect(figure) or {}
    return {name: "" if value is None else value for name, value in effect.items()} | {
        "significant": int(figure.significant)
    }
