"""Results at the end of a game in a real browser: each player has a row without cut-off text."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.test_views import open_page
from tests.web.viewings import LANGUAGES, match, viewing

SIZES = ((1280, 800), (1024, 768), (390, 844), (360, 640))
#: Widest possible player names, and usual ones.
LONG = tuple(f"{letter}ilhelmina-Maximilia"[:20] for letter in "WMQBDG")
SHORT_NAMES = ("Anna", "Ben", "Cleo", "Dario", "Eva", "Finn")
#: Script that returns each cell's text, whether the screen or an ancestor element cuts it off, and whether it is drawn.
CUT_OFF = """[...document.querySelectorAll('.standings tbody :is(th, td)')].map(cell => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  const boxes = [...range.getClientRects()];
  let cut = boxes.some(box => box.left < 0 || box.right > innerWidth);
  for (let around = cell; around !== document.body; around = around.parentElement) {
    const edge = around.getBoundingClientRect();
    cut ||= around.scrollWidth > around.clientWidth + 1 && around.clientWidth > 0;
    cut ||= boxes.some(box => box.left < edge.left - 1 || box.right > edge.right + 1);
  }
  return [cell.textContent.trim(), cut, boxes.length > 0];
})"""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("names", [SHORT_NAMES, LONG], ids=["short", "long"])
@pytest.mark.parametrize(
    ("game", "seats", "seed"), [("wongar", 4, 2), ("wongar", 5, 3), ("tongiaki", 6, 1), ("ubongo", 4, 1)]
)
def test_each_player_has_a_complete_row(
    browser: Any, game: str, seats: int, seed: int, names: tuple[str, ...], language: str
) -> None:
    finished = match(game, seats, 5_000, seed, names)
    v = viewing(finished, language)
    table = open_page(browser, v, 1280)
    page = table.page
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        cells = page.evaluate(CUT_OFF)
        assert [text for text, cut, drawn in cells if cut or not drawn] == [], (width, height)
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        rows = page.locator(".standings tbody tr").all_inner_texts()
        assert len(rows) == seats
        for name in names[:seats]:
            assert sum(name in row for row in rows) == 1
        winners = {names[seat] for seat in finished.state.winners}
        assert {name for name in names for row in rows[: len(winners)] if name in row} == winners
    # Each row has a number for each origin.
    heads = page.locator(".standings thead th").count()
    assert page.locator(".standings tbody td").count() == heads * seats > seats
    table.close()
