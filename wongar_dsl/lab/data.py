"""A report as data for other programs: JSON by sets of rules, and a tidy table with one figure a row."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any

from wongar_dsl.lab.report import (
    ChoiceFigures,
    Comparison,
    Effect,
    Estimate,
    Findings,
    Key,
    Report,
    SeatFigures,
    Spread,
)

#: So many decimal places have figures.
PLACES = 6
#: The columns of the table; what does not matter for a figure is empty there.
COLUMNS = (
    "arm", "rules", "option", "option_value", "figure", "seat", "bot", "origin", "decision", "choice", "parameter",
    "thing", "part", "group", "article", "file", "value", "low", "high", "p", "adjusted", "significant",
)  # fmt: skip
Row = dict[str, object]


# ---- JSON ----------------------------------------------------------------------------------------------------------


def as_json(report: Report) -> dict[str, Any]:
    """The arms by the name of their rules, in a sweep with the value of its option; what an arm is compared with, and
    how, stands in it as `against`."""
    names = arm_names(report)
    found = {name: _arm(arm) for name, arm in zip(names, report.arms, strict=True)}
    for comparison in report.comparisons:
        found[names[comparison.after]]["against"] = _comparison(comparison, names)
    return found


def arm_names(report: Report) -> tuple[str, ...]:
    """A name for each arm, all different."""
    if report.sweep is not None:
        option = report.sweep.option
        return tuple(
            f"{arm.rules} {option}={value}" for arm, value in zip(report.arms, report.sweep.values, strict=True)
        )
    first, *rest = (arm.rules for arm in report.arms)
    return first, *(f"{name} 2" if name == first else name for name in rest)


def _arm(arm: Findings) -> dict[str, Any]:
    ended = arm.games - arm.unfinished
    # Without points, whoever wins has one, and whoever loses one less than none.
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
            {"bot": one.bot, "wins": _estimate(one.wins), "points": _estimate(one.points)} for one in arm.entrants
        ],
        "length": _spread(arm.length),
        "points": _spread(arm.points),
        "gap": _spread(arm.course.gap),
        "lead_changes": _spread(arm.course.changes),
        "decided": _spread(arm.course.decided),
        "lead": [
            {"part": one.part / 1000, "gap": _estimate(one.gap), "right": _estimate(one.right)}
            for one in arm.course.lead
        ],
        "choices": [_choice(choice) for choice in arm.choices],
        "articles": [
            {
                "article": one.name, "keyword": one.keyword, "file": one.file, "line": one.line, "games": one.games,
                "lines": one.lines, "missed": [list(stretch) for stretch in one.missed],
                "steps": [{"line": step.line, "games": step.games} for step in one.steps],
            }
            for one in arm.articles
        ],
    }  # fmt: skip


def _seat(seat: SeatFigures) -> dict[str, Any]:
    return {
        "wins": _estimate(seat.wins),
        "won": seat.won,
        "points": _estimate(seat.points),
        "origins": {one.origin: _estimate(one.points) for one in seat.origins},
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
                **_about(one.key), "main": one.main, "before": round(one.before, PLACES),
                "after": round(one.after, PLACES), "difference": _effect(one.effect),
            }
            for one in comparison.figures
        ],
        "only_before": [_about(key) for key in comparison.only_before],
        "only_after": [_about(key) for key in comparison.only_after],
    }  # fmt: skip


def _about(key: Key) -> dict[str, Any]:
    """What a figure is about, without what does not matter; seats count from 1, as they do elsewhere in data."""
    told = {
        "seat": key.seat + 1 if key.seat >= 0 else "", "origin": key.origin, "decision": key.decision,
        "choice": key.option, "parameter": key.parameter, "thing": key.thing,
    }  # fmt: skip
    return {"figure": figure_name(key)} | {name: value for name, value in told.items() if value != ""}


def figure_name(key: Key) -> str:
    """What a figure is called in data."""
    return {"changes": "lead_changes"}.get(key.measure, key.measure.replace(" ", "_"))


def _estimate(found: Estimate | None) -> dict[str, float | None] | None:
    if found is None:
        return None
    return {"value": round(found.value, PLACES), "low": _finite(found.low), "high": _finite(found.high)}


def _effect(found: Effect | None) -> dict[str, object] | None:
    if found is None:
        return None
    return {
        "value": round(found.value, PLACES), "low": _finite(found.low), "high": _finite(found.high),
        "p": _likely(found.p), "adjusted": _likely(found.adjusted), "significant": found.significant,
    }  # fmt: skip


def _spread(found: Spread | None) -> dict[str, object] | None:
    if found is None:
        return None
    return {
        "mean": _estimate(found.mean), "deviation": round(found.deviation, PLACES), "least": found.least,
        "most": found.most, "quartiles": list(found.quartiles),
        "bins": [[one.low, one.high, one.count] for one in found.bins],
    }  # fmt: skip


def _finite(number: float) -> float | None:
    """A bound; None where there is none."""
    return round(number, PLACES) if abs(number) < float("inf") else None


def _likely(p: float) -> float:
    """A probability, with six digits that count."""
    return float(f"{p:.6g}")


# ---- the table -----------------------------------------------------------------------------------------------------


def as_csv(report: Report) -> str:
    """The table as text, with a first line that names the columns."""
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


def _of_arm(arm: Findings) -> Iterator[Row]:
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
        "length": arm.length, "points": arm.points, "gap": arm.course.gap, "lead_changes": arm.course.changes,
        "decided": arm.course.decided,
    }  # fmt: skip
    for name, spread in spreads.items():
        if spread is not None:
            yield {"figure": name, **_values(spread.mean)}
            least = {"least": spread.least, "most": spread.most, "deviation": round(spread.deviation, PLACES)}
            quartiles = dict(zip(("quarter", "median", "three_quarters"), spread.quartiles, strict=True))
            for part, value in (least | quartiles).items():
                yield {"figure": f"{name}_{part}", "value": value}
    for lead in arm.course.lead:
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
    for one in seat.origins:
        yield {"figure": f"{prefix}origin", "origin": one.origin, **head, **_values(one.points)}


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
    for one in comparison.figures:
        yield {**_about(one.key), "group": group, **_differs(one.effect)}


def _values(found: Estimate) -> Row:
    told = _estimate(found)
    return {name: "" if value is None else value for name, value in (told or {}).items()}


def _differs(found: Effect) -> Row:
    told = _effect(found) or {}
    return {name: "" if value is None else value for name, value in told.items()} | {
        "significant": int(found.significant)
    }
