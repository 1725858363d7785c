"""Text in pictures fits its space in any font."""

from __future__ import annotations

import pytest

from wongar_dsl.render.component_svg.svg import ELLIPSIS, fit_text, text_width, wrap_text

#: Widths in DejaVu Sans Bold, a wide font, in hundredths of the font size.
BOLD = {"i": 34, "r": 50, "m": 105, "W": 111, "ä": 68, "Ö": 86, "8": 70, "„": 66, "–": 50, "&": 88}
LONG = "Der Spieler setzt einen Spielstein in ein Gebiet, in dem höchstens zwei andere Spielsteine liegen."


@pytest.mark.parametrize(("letter", "width"), BOLD.items())
def test_letter_widths_cover_a_wide_font(letter: str, width: int) -> None:
    assert text_width(letter * 10, 100, bold=True) >= 10 * width - 20


@pytest.mark.parametrize("room", [30, 60, 200, 900])
@pytest.mark.parametrize(
    "text", [LONG, "Donaudampfschifffahrtsgesellschaft", "一二三四五六七八", "", "a\nb", "h31_31" * 9]
)
def test_wrapped_lines_fit_and_keep_all_letters(text: str, room: int) -> None:
    lines = wrap_text(text, 20, room)
    assert all(text_width(line, 20) <= room or len(line) == 1 for line in lines)
    assert "".join(lines).replace("-", "").replace(" ", "") == "".join(text.split())


def test_text_uses_the_largest_fitting_size_and_is_cut_last() -> None:
    sizes = (40, 30, 20)
    assert fit_text("short", 400, 100, sizes).size == 40
    small = fit_text(LONG, 400, 120, sizes)
    assert small.size == 20 or small.height <= 120
    cut = fit_text(LONG * 5, 300, 120, sizes)
    assert cut.size == 20
    assert cut.height <= 120
    assert cut.lines[-1].endswith(ELLIPSIS)
    assert all(text_width(line, 20) <= 300 for line in cut.lines)
    # A word is not cut if a smaller size shows it completely.
    assert fit_text("Wasserkarte", text_width("Wasserkarte", 20), 200, sizes).lines == ("Wasserkarte",)
