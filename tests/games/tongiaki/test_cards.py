"""The cards are as the rulings T1 and T2 say."""

from __future__ import annotations

from collections import Counter

from wongar_dsl.library import load

MODEL = load("tongiaki").model
ISLANDS = MODEL.enums["island"]
CURRENTS = MODEL.enums["current"]


def rows(table: str) -> dict[str, tuple[int, ...]]:
    data = MODEL.tables[table]
    width = data.sizes[1] if len(data.sizes) > 1 else 1
    names = MODEL.enums[data.keys[0].name]
    return {name: data.cells[i * width : (i + 1) * width] for i, name in enumerate(names)}


WORTH = {name: row[0] for name, row in rows("worth").items()}
BERTHS = {name: [n for n in row if n] for name, row in rows("berths").items()}
PIERS = {name: [b for b in row if b >= 0] for name, row in rows("piers").items()}


def test_there_are_as_many_cards_as_the_rulebook_lists() -> None:
    assert Counter(WORTH.values()) == {0: 1, 2: 3, 3: 4, 4: 5, 5: 3}
    assert len(CURRENTS) == 16
    names = [f.name for f in MODEL.cards["ocean_card"].faces]
    assert len(set(names)) == 32


def test_tonga_has_six_beaches_of_three_berths_and_a_pier_to_each_side() -> None:
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
        least = min(total[n] for n in total if WORTH[n] == worth)
        assert least >= max(total[n] for n in total if WORTH[n] == worth + 1)


def test_each_water_card_joins_its_six_sides_pairwise() -> None:
    for name, trail in rows("trail").items():
        assert sorted(trail) == list(range(6)), name
        assert all(trail[other] == side != other for side, other in enumerate(trail)), name


def test_four_water_cards_have_no_number_all_others_only_trails_with_one() -> None:
    danger, trail = rows("danger"), rows("trail")
    free = [name for name, numbers in danger.items() if not any(numbers)]
    assert len(free) == 4
    for name in set(CURRENTS) - set(free):
        assert all(n in (2, 3, 4) for n in danger[name]), name
        assert all(danger[name][side] == danger[name][other] for side, other in enumerate(trail[name])), name
