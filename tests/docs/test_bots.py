"""Statements about bots in `docs/bots.md` are correct."""

from __future__ import annotations

from pathlib import Path

from wongar_dsl.engine.bots import BOTS, MctsBot, bot
from wongar_dsl.lab import blunders, schedule
from wongar_dsl.session.forecast import hint
from wongar_dsl.session.seats.seat_spec import KINDS

PAGE = (Path(__file__).parents[2] / "docs" / "bots.md").read_text(encoding="utf-8")


def test_page_names_all_bots_and_budgets() -> None:
    assert all(f"`{name}`" in PAGE for name in KINDS if name != "human")
    levels = [bot(name) for name in ("easy", "medium", "hard")]
    budgets = [f"{level._budget.iterations:,}" for level in levels if isinstance(level, MctsBot)]
    assert f"that tries out {budgets[0]}, {budgets[1]} or {budgets[2]} games" in PAGE
    assert set(BOTS) <= {name.removeprefix("bot:") for name in KINDS}


def test_page_states_the_limits_of_the_program() -> None:
    words = {3: "three", 4: "four", 6: "six"}
    assert f"up to {words[hint.MAX_HINTS]} options" in PAGE
    assert f"up to {words[blunders.MAX_TURNING_POINTS]} moments" in PAGE
    assert f"{words[blunders.RECHECK_FACTOR]} times the iterations" in PAGE
    assert f"more than {schedule.MAX_SEATINGS} orders" in PAGE
    assert blunders.MIN_SWING == 0.1
