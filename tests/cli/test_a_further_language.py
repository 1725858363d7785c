"""The command in a language that consists of files only: Swedish, in `tests/data/languages`.

A sentence without a translation falls back to English. The tests record each fallback, and each term shown by its
identifier.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from wongar_dsl.nlg.words import Translator
from wongar_dsl.nlg.words.arguments import Term, Value
from wongar_dsl.nlg.words.languages import ENGLISH
from wongar_dsl.nlg.words.locale import Locale
from wongar_dsl.nlg.words.realiser import PLAIN, Realiser
from wongar_dsl.nlg.words.slots import SlotSpec

from .command import Command

LANGUAGES = Path(__file__).parents[1] / "data" / "languages"
SWEDISH = ("--lang", "sv", "--words", str(LANGUAGES))


@pytest.fixture
def fallbacks_to_english(wongar: Command, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the list of messages that fall back to English and of terms shown by their identifier."""
    fallbacks: list[str] = []
    say, unknown = Translator._say, Realiser._unknown

    def record_fallback(
        self: Translator, locale: Locale, name: str, game: str | None, args: dict[str, Value]
    ) -> str | None:
        sentence = say(self, locale, name, game, args)
        if sentence is not None and locale.lexicon.code == ENGLISH:
            fallbacks.append(name)
        return sentence

    def record_identifier(self: Realiser, term: Term, request: SlotSpec = PLAIN, game: str | None = None) -> str:
        # Cells of a board have the same name in every language.
        fallbacks.extend([term.name] if not re.fullmatch(r"[a-z]\d+", term.name) else [])
        return unknown(self, term, request, game)

    # The environment does not ask for English either.
    monkeypatch.setenv("LANG", "sv_SE.UTF-8")
    monkeypatch.setattr(Translator, "_say", record_fallback)
    monkeypatch.setattr(Realiser, "_unknown", record_identifier)
    return fallbacks


#: Input at the table: help, rejected input of all kinds, every command, and a whole game.
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


def test_whole_game_needs_no_english_fallback(wongar: Command, fallbacks_to_english: list[str], tmp_path: Path) -> None:
    save = str(tmp_path / "game.json")
    seats = ("--seats", "human:Anna,greedy", "--seed", "3", "--save", save)
    played = wongar("play", "nim", *seats, *SWEDISH, answers=NIM)
    assert played.code == 0
    for part in (
        "Anna, hur många tändstickor från vilken hög?", "Ta 3 tändstickor från hög C",
        "”hej” passar inte på något alternativ.", "Bara 3 tändstickor ligger i hög C.",
        "Anna tar 3 tändstickor från hög C.", "Taget tillbaka.", "Spelet är slut. Ben vinner.",
    ):  # fmt: skip
        assert part in played.out + played.err
    for flags in ((), ("--every-step",), ("--articles",)):
        log = wongar("log", save, *flags, *SWEDISH)
        assert log.code == 0
        assert "Spelet är slut." in log.out
    assert fallbacks_to_english == []


def test_other_commands_need_no_english_fallback(
    wongar: Command, fallbacks_to_english: list[str], tmp_path: Path
) -> None:
    (tmp_path / "large.rules").write_text("variant large of nim\n\nset first_matches[heap_b] to 4\n", encoding="utf-8")
    (tmp_path / "locales" / "sv").mkdir(parents=True)
    names = "games: {nim/large: {large: stora högar}}\n"
    (tmp_path / "locales" / "sv" / "lexicon.yaml").write_text(names, encoding="utf-8")
    diff = wongar("diff", "nim", str(tmp_path / "large.rules"), "--position", *SWEDISH)
    assert diff.code == 0
    assert "Från ”Nim” till ”Nim (stora högar)”" in diff.out
    assert "hög B: 4 i stället för 2" in diff.out
    assert "skiljs de två åt." in diff.out
    for form in ("text", "md"):
        done = wongar("rulebook", "nim", "--format", form, *SWEDISH)
        assert done.code == 0
        assert "Du väljer en hög och ett tal från 1 till antalet tändstickor i den här högen." in done.out
    for arguments in (("--seats", "x,y"), ("--sede", "1"), ("--set", "a=1")):
        done = wongar("play", "nim", *arguments, *SWEDISH)
        assert done.code == 2
        assert re.search(r"[åäö”]", done.err)
    whole = wongar("words", "sv", "--game", "nim", *SWEDISH)
    assert whole.code == 0
    assert "sv: 8 av 8 meningar är översatta; meningar och begrepp kvar att göra: 0; fel: 0" in whole.out
    assert fallbacks_to_english == []


def test_fallback_to_english_is_recorded(wongar: Command, fallbacks_to_english: list[str]) -> None:
    wongar("rulebook", "goofspiel", *SWEDISH)
    assert "goofspiel" in fallbacks_to_english


def test_environment_selects_a_language_in_the_user_folder(wongar: Command) -> None:
    shutil.copytree(LANGUAGES / "sv", wongar.home / "data" / "wongar" / "locales" / "sv")
    for variable in ("LANG", "LC_ALL", "WONGAR_LANG"):
        with wongar.patch.context() as patch:
            patch.setenv(variable, "sv_FI.UTF-8")
            assert "Spela ett spel." in wongar("--help").out
    wongar.patch.setenv("LANG", "sv_SE.UTF-8")
    assert "Det finns inget språk ”xx”." in wongar("rulebook", "nim", "--lang", "xx").err
    assert "Play a game." in wongar("--help", "--lang", "en").out
