"""Tongiaki cards match rulings T1 and T2."""

from __future__ import annotations

from collections import Counter

from wongar_dsl.engine.library import load

MODEL = load("tongiaki").model
ISLANDS = MODEL.enums["island"]
CURRENTS = MODEL.enums["current"]


def rows(table: str) -> dict[str, tuple[int, ...]]:
    data = MODEL.tables[table]
    width = data.sizes[1] if len(data.sizes) > 1 else 1
    names = MODEL.enums[data.keys[0].name]
    return {name: data.cells[i * width : (i + 1) * width] for i, name in enumerate(names)}


CARD_POINTS = {name: row[0] for name, row in rows("worth").items()}
BERTHS = {name: [n for n in row if n] for name, row in rows("berths").items()}
PIERS = {name: [b for b in row if b >= 0] for name, row in rows("piers").items()}


def test_card_counts_match_the_rulebook() -> None:
    assert Counter(CARD_POINTS.values()) == {0: 1, 2: 3, 3: 4, 4: 5, 5: 3}
    assert len(CURRENTS) == 16
    names = [f.name for f in MODEL.cards["ocean_card"].faces]
    assert len(set(names)) == 32


def test_tonga_has_six_equal_beaches_and_six_piers() -> None:
    assert BERTHS["tonga"] == [3] * 6
    assert rows("piers")["tonga"] == (0, 1, 2, 3, 4, 5)


def test_islands_have_beaches_berths_and_piers_within_bounds() -> None:
    for name in ISLANDS[1:]:
        beaches = BERTHS[name]
        assert 2 <= len(beaches) <= 3, name
        assert all(2 <= n <= 5 for n in beaches), name
        assert len(PIERS[name]) >= 3, name
        assert set(PIERS[name]) == set(range(len(beaches))), name
        assert all(1 <= PIERS[name].count(b) <= 3 for b in range(len(beaches))), name


def test_worthier_islands_have_fewer_berths() -> None:
    total = {name: sum(BERTHS[name]) for name in ISLANDS[1:]}
    for worth in (2, 3, 4):
        least = min(total[n] for n in total if CARD_POINTS[n] == worth)
        assert least >= max(total[n] for n in total if CARD_POINTS[n] == worth + 1)


def test_water_cards_connect_their_sides_pairwise() -> None:
    for name, trail in rows("trail").items():
        assert sorted(trail) == list(range(6)), name
        assert all(trail[opposite] == side != opposite for side, opposite in enumerate(trail)), name


def test_four_water_cards_have_no_danger_number() -> None:
    danger, trail = rows("danger"), rows("trail")
    free = [name for name, numbers in danger.items() if not any(numbers)]
    assert len(free) == 4
    for name in set(CURRENTS) - set(free):
        assert all(n in (2, 3, 4) for n in danger[name]), name
        assert all(danger[name][side] == danger[name][opposite] for side, opposite in enumerate(trail[name])), name
