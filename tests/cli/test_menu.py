"""Layout of the option list."""

from __future__ import annotations

import pytest

from tests.cli.command import Command, choices_in
from wongar_dsl.cli.play.menu import spoken_menu
from wongar_dsl.engine import Move
from wongar_dsl.nlg.words import Term, Translator, available
from wongar_dsl.session.options.menu import Menu, MenuEntry
from wongar_dsl.session.options.option_groups import common_text


def test_menu_names_the_card_in_each_area(wongar: Command) -> None:
    save = wongar.home / "save.json"
    result = wongar(
        *("play", "wongar", "--seats", "human:Anna,greedy,random", "--seed", "308", "--lang", "de"),
        *("--save", str(save)),
        answers="urahne\nlinse\n",
    )
    assert "Karte aus dem … nehmen" in result.out
    assert "5 Hände-Gebiet: Karte „Urahne“" in result.out
    assert choices_in(save)[0] == "take(hands)"


def test_help_does_not_repeat_the_name_of_the_option(wongar: Command) -> None:
    out = wongar("play", "goofspiel", "--seats", "human,random", "--seed", "3", "--lang", "de", answers="? 1\n").out
    assert "Auch zu tippen als: play(one)\n" in out
    assert "\nEins\n" not in out


@pytest.mark.parametrize(
    ("language", "rule"),
    [
        ("en", "Twice, a match goes from heap C into the box."),
        ("de", "Zweimal kommt ein Streichholz von Haufen C in die Schachtel."),
        ("nl", "Tweemaal komt uit hoop C een lucifer in het doosje."),
        ("it", "Per due volte un fiammifero va dal mucchio C nella scatola."),
    ],
)
def test_help_explains_an_option_that_only_its_name_describes(wongar: Command, language: str, rule: str) -> None:
    path = wongar.home / "bare.rules"
    path.write_text(
        "variant bare of nim\n    source house rule\n\nadd to choice turn before take\n    twice_out\n"
        "        repeat 2 times\n            move 1 match from matches of heap_c to box quietly\n",
        encoding="utf-8",
    )
    seats = ("--seats", "human,human", "--seed", "3", "--lang", language)
    out = wongar("play", str(path), *seats, answers="? 1\n? 2\n").out
    assert "1 Twice out\n" in out
    assert out.count(rule) == 1


def test_common_text_of_options_is_factored_out() -> None:
    assert common_text(["ins A-Feld ziehen", "ins B-Feld ziehen"]) == ("ins … ziehen", ["A-Feld", "B-Feld"])
    assert common_text(["ins A-Feld ziehen", "ins B-Haus ziehen"]) == ("ins … ziehen", ["A-Feld", "B-Haus"])
    assert common_text(["-1", "-2"]) == ("", ["-1", "-2"])


@pytest.mark.parametrize("language", available())
def test_factored_text_splits_at_sensible_places(language: str) -> None:
    """A comma stays with the text after the gap, and brackets stay paired."""
    words = Translator.load(language, strict=True)
    lands = [Term(name, "tongiaki") for name in ("manua", "hiva", "rapanui", "atiu", "upolu")]
    for beaches in (("beach_1",) * 5, ("beach_1", "beach_2", "beach_3", "beach_4", "beach_5")):
        texts = [
            words.say("tongiaki.decision.turn.fetch", land=land, strand=Term(beach, "tongiaki"))
            for land, beach in zip(lands, beaches, strict=True)
        ]
        head, gaps = common_text(texts)
        assert head.count("…") == 1
        assert not head.startswith("…")
        assert "… ," not in head
        for gap, text in zip(gaps, texts, strict=True):
            assert gap[-1] not in ",;:."
            assert gap.count("(") == gap.count(")")
            assert head.removesuffix(":").replace("…", gap) == text


@pytest.mark.parametrize("language", available())
def test_no_option_begins_with_a_second_number(language: str) -> None:
    words = Translator.load(language, strict=True)
    texts = [
        words.say("nim.decision.turn.take", n=n, chosen=Term(heap, "nim"))
        for heap in ("heap_a", "heap_b")
        for n in (1, 2, 3)
    ]
    assert not any(gap[0].isdigit() for gap in common_text(texts)[1])
    assert not any(gap[0].isdigit() for gap in common_text(texts[3:])[1])


def test_options_with_only_a_common_ending_are_not_factored() -> None:
    texts = ["Manua nehmen", "Hiva nehmen"]
    assert common_text(texts) == ("", texts)


def test_quotation_marks_stay_paired() -> None:
    texts = ["Play “disc” here", "Play “cube” here"]
    assert common_text(texts) == ("Play … here", ["“disc”", "“cube”"])
    assert common_text(["Play “a b”", "Play “a c”"]) == ("Play …", ["“a b”", "“a c”"])
    assert common_text(["Put one (x y)", "Put two (z y)"]) == ("Put …", ["one (x y)", "two (z y)"])


@pytest.mark.parametrize("language", available())
def test_forecast_is_separated_from_the_card_of_an_option(language: str) -> None:
    moves = [Move(0, (number,)) for number in range(2)]
    menu = Menu(tuple(MenuEntry(n, move, "", f"Here {n}", "card", "so: 3") for n, move in enumerate(moves, 1)))
    plain = Menu(tuple(MenuEntry(n, move, "", f"Here {n}", "", "good") for n, move in enumerate(moves, 1)))
    words = Translator.load(language)
    assert spoken_menu(menu, words) == ["1 Here 1: card; so: 3", "2 Here 2: card; so: 3"]
    assert spoken_menu(plain, words) == ["1 Here 1: good", "2 Here 2: good"]
