"""The command in a language of which only files are there: Swedish, in `tests/data/languages`.

What its words lack would be said in English, sentence by sentence; each such sentence is counted here, and each term
that is shown by its name.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from wongar_dsl.words import Words
from wongar_dsl.words.arguments import Term, Value
from wongar_dsl.words.locale import Locale
from wongar_dsl.words.negotiation import ENGLISH
from wongar_dsl.words.realiser import PLAIN, Realiser
from wongar_dsl.words.slots import SlotSpec

from .command import Command

LANGUAGES = Path(__file__).parents[1] / "data" / "languages"
SWEDISH = ("--lang", "sv", "--words", str(LANGUAGES))

#: Two variants, and the words of their names.
LARGE = "variant large of nim\n\nset first_matches[heap_a] to 3\nset first_matches[heap_b] to 4\n"
FIVE = """variant five of connect_four

replace play
    repeat
        for each p in player
            p chooses turn
                drop(foot: cell where can_drop(foot))
                    set height of foot to height of foot + 1
                    let here = step(foot, north, height of foot - 1)
                    set owner of here to p
                    tell dropped(player: p, here)
                    if some l in lines of 5 through here where (every c in l has owner of c is p)
                        p wins
                otherwise
                    nobody wins
"""
NAMES = "games: {nim/large: {large: stora högar}, connect_four/five: {five: fem i rad}}\n"


@pytest.fixture
def borrowed(wongar: Command, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is said in English, or by its name in the rules, since the language has no words for it."""
    found: list[str] = []
    say, unknown = Words._say, Realiser._unknown

    def counted(self: Words, locale: Locale, name: str, game: str | None, args: dict[str, Value]) -> str | None:
        said = say(self, locale, name, game, args)
        if said is not None and locale.lexicon.code == ENGLISH:
            found.append(name)
        return said

    def named(self: Realiser, term: Term, request: SlotSpec = PLAIN, game: str | None = None) -> str:
        # A cell of a board is called by its name in every language.
        found.extend([term.name] if not re.fullmatch(r"[a-z]\d+", term.name) else [])
        return unknown(self, term, request, game)

    # Nothing of the surroundings asks for English either.
    monkeypatch.setenv("LANG", "sv_SE.UTF-8")
    monkeypatch.setattr(Words, "_say", counted)
    monkeypatch.setattr(Realiser, "_unknown", named)
    return found


@pytest.fixture
def variants(tmp_path: Path) -> Mapping[str, str]:
    """Rule files of variants, with Swedish words beside them."""
    (tmp_path / "locales" / "sv").mkdir(parents=True)
    (tmp_path / "locales" / "sv" / "lexicon.yaml").write_text(NAMES, encoding="utf-8")
    for name, text in {"large": LARGE, "five": FIVE}.items():
        (tmp_path / f"{name}.rules").write_text(text, encoding="utf-8")
    return {name: str(tmp_path / f"{name}.rules") for name in ("large", "five")}


#: What is typed at the table: help, refusals of all sorts, every command, and a game to its end.
NIM = """1
hej
?
? 4
? 99
regler
take(heap_c, 9)
logg
ångra
språk xx
spara
bord
99
ta 3 hög C
1
1
"""
CONNECT_FOUR = "a\nhej\n?\nregler\ndrop(a2)\nångra\nångra\nbord\n" + "".join(f"{1 + n % 7}\n" for n in range(40))


@pytest.mark.parametrize(
    ("game", "answers", "parts"),
    [
        (
            "nim",
            NIM,
            [
                "Anna, hur många tändstickor från vilken hög?",
                "Ta 3 tändstickor från hög C",
                "”hej” passar inte på något alternativ.",
                "Bara 3 tändstickor ligger i hög C.",
                "Anna tar 3 tändstickor från hög C.",
                "Taget tillbaka.",
                "Spelet är slut. Ben vinner.",
            ],
        ),
        (
            "connect_four",
            CONNECT_FOUR,
            [
                "Anna, i vilken kolumn?",
                "Anna släpper en bricka, som landar på a1.",
                "A2 ligger på rad 2, men det behövs rad 1.",
            ],
        ),
    ],
)
def test_a_game_is_played_to_its_end_without_another_language(
    wongar: Command, borrowed: list[str], tmp_path: Path, game: str, answers: str, parts: list[str]
) -> None:
    save = str(tmp_path / "game.json")
    seats = ("--seats", "human:Anna,greedy", "--seed", "3", "--save", save)
    played = wongar("play", game, *seats, *SWEDISH, answers=answers)
    assert played.code == 0
    for part in parts:
        assert part in played.out + played.err
    for way in ((), ("--every-step",), ("--articles",)):
        told = wongar("log", save, *way, *SWEDISH)
        assert told.code == 0
        assert "Spelet är slut." in told.out
    assert borrowed == []


def test_the_rulebook_is_printed_without_another_language(wongar: Command, borrowed: list[str]) -> None:
    for form in ("text", "md"):
        done = wongar("rulebook", "nim", "--format", form, *SWEDISH)
        assert done.code == 0
        assert "Hen väljer en hög och ett tal från 1 till antalet tändstickor i den här högen." in done.out
    assert borrowed == []


@pytest.mark.parametrize(
    ("variant", "base", "parts"),
    [
        (
            "large",
            "nim",
            ["Från ”Nim” till ”Nim (stora högar)”", "10 tändstickor (förut: 6)", "hög B: 4 i stället för 2"],
        ),
        (
            "five",
            "connect_four",
            ["en linje med 5 i stället för 4 rutor genom landningsrutan", "efter 26 beslut skiljs de två åt."],
        ),
    ],
)
def test_a_variant_is_compared_without_another_language(
    wongar: Command, borrowed: list[str], variants: Mapping[str, str], variant: str, base: str, parts: list[str]
) -> None:
    done = wongar("diff", base, variants[variant], *(("--position",) if variant == "five" else ()), *SWEDISH)
    assert done.code == 0
    for part in parts:
        assert part in done.out
    assert borrowed == []


def test_what_is_wrong_on_the_command_line_is_told_without_another_language(
    wongar: Command, borrowed: list[str]
) -> None:
    for wrong in (("--seats", "x,y"), ("--sede", "1"), ("--set", "a=1")):
        done = wongar("play", "nim", *wrong, *SWEDISH)
        assert done.code == 2
        assert re.search(r"[åäö”]", done.err)
    assert borrowed == []


def test_a_borrowed_sentence_is_counted(wongar: Command, borrowed: list[str]) -> None:
    wongar("rulebook", "goofspiel", *SWEDISH)
    assert "goofspiel" in borrowed
    wongar("play", "goofspiel", "--seats", "human,greedy", *SWEDISH, answers="")
    assert any(name.startswith("goofspiel.decision.") for name in borrowed)


def test_a_language_in_the_folder_of_the_user_is_spoken_where_the_surroundings_ask_for_it(wongar: Command) -> None:
    shutil.copytree(LANGUAGES / "sv", wongar.home / "data" / "wongar" / "locales" / "sv")
    for variable in ("LANG", "LC_ALL", "WONGAR_LANG"):
        with wongar.patch.context() as patch:
            patch.setenv(variable, "sv_FI.UTF-8")
            assert "Spela ett spel." in wongar("--help").out
    wongar.patch.setenv("LANG", "sv_SE.UTF-8")
    assert "Det finns inget språk ”xx”." in wongar("rulebook", "nim", "--lang", "xx").err
    assert "Play a game." in wongar("--help", "--lang", "en").out


def test_how_much_is_missing_is_told(wongar: Command) -> None:
    folder = ("--words", str(LANGUAGES))
    whole = wongar("words", "sv", "--game", "nim", *folder, "--lang", "sv")
    assert whole.code == 0
    assert "sv: 5 av 5 meningar är översatta; meningar och begrepp kvar att göra: 0; fel: 0" in whole.out
    part = wongar("words", "sv", "--game", "goofspiel", *folder, "--lang", "en")
    assert part.code == 0
    assert re.search(r"sv: 0 of \d+ sentences translated; sentences and terms still to do: \d+; wrong: 0", part.out)
