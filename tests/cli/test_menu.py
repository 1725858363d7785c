"""The options as they are shown."""

from __future__ import annotations

from wongar_dsl.cli.play.menu import factored

from tests.cli.command import Command, taken


def test_the_menu_tells_which_card_lies_where(wongar: Command) -> None:
    save = wongar.home / "save.json"
    result = wongar(
        *("play", "wongar", "--seats", "human:Anna,greedy,random", "--seed", "5", "--lang", "de", "--save", str(save)),
        answers="urahne\nlinse\n",
    )
    assert "Karte aus dem …-Gebiet nehmen:" in result.out
    assert "5 Hände: Urahne" in result.out
    assert taken(save)[0] == "take(hands)"


def test_what_options_have_in_common_is_said_once() -> None:
    assert factored(["ins A-Feld ziehen", "ins B-Feld ziehen"]) == ("ins …-Feld ziehen:", ["A", "B"])
    assert factored(["ins A-Feld ziehen", "ins B-Haus ziehen"]) == ("ins … ziehen:", ["A-Feld", "B-Haus"])
    assert factored(["-1", "-2"]) == ("", ["-1", "-2"])
