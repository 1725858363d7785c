"""Export of a report as data: JSON by arm, and a tidy CSV table with one figure per row."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import Any

from wongar_dsl.lab.inference import DifferenceEstimate, Estimate
from wongar_dsl.lab.metrics import MetricKey
from wongar_dsl.lab.reports.report_data import (
    ArmReport,
    ChoiceFigures,
    ChoiceGroup,
    Comparison,
    Report,
    SeatFigures,
    Spread,
)

#: Number of decimal places of figures.
PLACES = 6
#: Columns of the table; cells that do not apply to a figure are empty.
COLUMNS = (
    "arm", "rules", "option", "option_value", "figure", "seat", "bot", "origin", "decision", "choice", "parameter",
    "thing", "part", "group", "article", "file", "value", "low", "high", "p", "adjusted", "significant",
)  # fmt: skip
#: Counts of a choice.
CHOICE_COUNTS = ("offered", "taken", "forced")
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
    plain = [(2 * seat.won - decided) / ended if ended else 0.0 for seat in arm.seats]
    scores = [mean if seat.points is None else seat.points.value for seat, mean in zip(arm.seats, plain, strict=True)]
    length = arm.length
    return {
        "games": arm.games,
        "unfinished": arm.unfinished,
        "win_shares": [round(seat.wins.value, 4) for seat in arm.seats],
        "mean_scores": [round(score, 4) for score in scores],
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
        "entrants": [{"bot": row.bot, "wins": _data(row.wins), "points": _data(row.points)} for row in arm.entrants],
        **{name: _data(spread) for name, spread in _spreads(arm).items()},
        "lead": [
            {"part": row.part / 1000, "gap": _data(row.gap), "right": _data(row.right)}
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


def _spreads(arm: ArmReport) -> dict[str, Spread | None]:
    """Return the distributions of an arm by their names in exported data."""
    course = arm.lead_history
    return {
        "length": arm.length, "points": arm.points, "gap": course.gap, "lead_changes": course.changes,
        "decided": course.decided,
    }  # fmt: skip


def _seat(seat: SeatFigures) -> dict[str, Any]:
    origins = {part.origin: _data(part.points) for part in seat.origins}
    return {"wins": _data(seat.wins), "won": seat.won, "points": _data(seat.points), "origins": origins}


def _choice_key(choice: ChoiceFigures) -> Row:
    """Return the names of a choice."""
    return {
        "decision": choice.decision, "choice": choice.option, "parameter": choice.parameter, "thing": choice.thing
    }  # fmt: skip


def _choice_groups(choice: ChoiceFigures) -> Mapping[str, ChoiceGroup]:
    return {"took": choice.took, "declined": choice.declined}


def _choice(choice: ChoiceFigures) -> Row:
    return {
        **_choice_key(choice),
        **{name: getattr(choice, name) for name in CHOICE_COUNTS},
        **{
            name: {"players": group.players, "wins": _data(group.wins), "points": _data(group.points)}
            for name, group in _choice_groups(choice).items()
        },
        "wins": _data(choice.wins),
        "points": _data(choice.points),
    }


def _comparison(comparison: Comparison, names: Sequence[str]) -> dict[str, Any]:
    return {
        "rules": names[comparison.before],
        "games": comparison.games,
        "figures": [
            {
                **_about(figure.key), "main": figure.main, "before": round(figure.before, PLACES),
                "after": round(figure.after, PLACES), "difference": _data(figure.effect),
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
    name = {"changes": "lead_changes"}.get(key.measure, key.measure.replace(" ", "_"))
    return {"figure": name} | {name: value for name, value in fields.items() if value != ""}


def _data(figure: Estimate | DifferenceEstimate | Spread | None) -> Row | None:
    """Return a figure by its parts; None stands for an infinite bound, and p-values have six significant digits."""
    match figure:
        case Estimate() | DifferenceEstimate():
            bounds = {
                name: round(bound, PLACES) if abs(bound) < inf else None
                for name, bound in (("low", figure.low), ("high", figure.high))
            }
            data: Row = {"value": round(figure.value, PLACES), **bounds}
            if isinstance(figure, DifferenceEstimate):
                data |= {name: float(f"{getattr(figure, name):.6g}") for name in ("p", "adjusted")}
                data["significant"] = figure.significant
            return data
        case Spread():
            return {
                "mean": _data(figure.mean), "deviation": round(figure.deviation, PLACES), "least": figure.least,
                "most": figure.most, "quartiles": list(figure.quartiles),
                "bins": [[bar.low, bar.high, bar.count] for bar in figure.bins],
            }  # fmt: skip
    return None


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
        rows = [*_of_arm(arm)]
        for comparison in report.comparisons:
            rows += _of_comparison(comparison) if comparison.after == number else ()
        # A figure that was not measured has no row.
        writer.writerows(head | _cells(figure) | about for about, figure in rows if figure is not None)
    return out.getvalue()


#: Description of a row, and its figure.
Figure = tuple[Row, Estimate | DifferenceEstimate | float | None]


def _cells(figure: Estimate | DifferenceEstimate | float | None) -> Row:
    """Return the cells of a figure."""
    if isinstance(figure, int | float):
        return {"value": figure}
    cells = {name: "" if value is None else value for name, value in (_data(figure) or {}).items()}
    return cells | {"significant": int(figure.significant)} if isinstance(figure, DifferenceEstimate) else cells


def _of_arm(arm: ArmReport) -> Iterator[Figure]:
    for name in ("games", "unfinished", "drawn", "shared"):
        yield {"figure": name}, getattr(arm, name)
    for seat in arm.seats:
        yield from _of_seat(seat, "", {"seat": seat.seat + 1, "bot": "" if arm.rotate else arm.bots[seat.seat]})
    if arm.starter is not None:
        yield from _of_seat(arm.starter, "starter_", {})
    for entrant in arm.entrants:
        yield {"figure": "entrant_wins", "bot": entrant.bot}, entrant.wins
        yield {"figure": "entrant_points", "bot": entrant.bot}, entrant.points
    for name, spread in _spreads(arm).items():
        if spread is not None:
            yield {"figure": name}, spread.mean
            ends = {"least": spread.least, "most": spread.most, "deviation": round(spread.deviation, PLACES)}
            quartiles = dict(zip(("quarter", "median", "three_quarters"), spread.quartiles, strict=True))
            for part, value in (ends | quartiles).items():
                yield {"figure": f"{name}_{part}"}, value
    for lead in arm.lead_history.lead:
        yield {"figure": "lead_gap", "part": lead.part / 1000}, lead.gap
        yield {"figure": "lead_right", "part": lead.part / 1000}, lead.right
    for choice in arm.choices:
        yield from _of_choice(choice)
    for article in arm.articles:
        missed = sum(last - first + 1 for first, last in article.missed)
        for name, n in (("games", article.games), ("lines", article.lines), ("lines_missed", missed)):
            yield {"figure": f"article_{name}", "article": article.name, "file": article.file}, n


def _of_seat(seat: SeatFigures, prefix: str, head: Row) -> Iterator[Figure]:
    for name in ("wins", "won", "points"):
        yield {"figure": prefix + name, **head}, getattr(seat, name)
    for part in seat.origins:
        yield {"figure": f"{prefix}origin", "origin": part.origin, **head}, part.points


def _of_choice(choice: ChoiceFigures) -> Iterator[Figure]:
    head = _choice_key(choice)
    for name in CHOICE_COUNTS:
        yield {"figure": name, **head}, getattr(choice, name)
    for group, figures in _choice_groups(choice).items():
        for name in ("players", "wins", "points"):
            yield {"figure": name, "group": group, **head}, getattr(figures, name)
    for name in ("wins", "points"):
        yield {"figure": name, "group": "difference", **head}, getattr(choice, name)


def _of_comparison(comparison: Comparison) -> Iterator[Figure]:
    group = f"difference from {comparison.before + 1}"
    yield {"figure": "pairs", "group": group}, comparison.games
    for figure in comparison.figures:
        yield {**_about(figure.key), "group": group}, figure.effect
