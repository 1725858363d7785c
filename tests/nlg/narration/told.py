"""Games of tests with the words beside them, and what players read of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from tests.small_games import write_rules
from wongar_dsl.engine import Game, IllegalMove, State
from wongar_dsl.engine.library import load
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.narration.illegal_move import explain
from wongar_dsl.nlg.words import Translator

LANGUAGES = ("de", "en", "it", "nl")
NAMES = ("Anna", "Bert", "Cleo", "Dora", "Emil")
shipped = cache(load)


def change(base: str, text: str) -> str:
    """Return the text of a variant of a bundled game."""
    return f"variant changed of {base}\n    source house rule\n\n{text}\n"


def catalog(entries: Mapping[str, str | tuple[str, str]], language: str = "en") -> str:
    """Return a catalog from English sentences, each with its translation for other languages."""
    head = f'msgid ""\nmsgstr ""\n"Language: {language}\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n'
    pairs = {name: (text, "") if isinstance(text, str) else text for name, text in entries.items()}
    return head + "".join(
        f'\n#, no-python-brace-format\nmsgctxt "{name}"\nmsgid "{english}"\nmsgstr "{translation}"\n'
        for name, (english, translation) in pairs.items()
    )


def write_words(
    folder: Path, lexicon: str = "", messages: Mapping[str, str | tuple[str, str]] | None = None, language: str = "en"
) -> Path:
    """Write the words of a language beside rules, and return the folder of all languages."""
    place = folder / "locales" / language
    place.mkdir(parents=True, exist_ok=True)
    if lexicon:
        (place / "lexicon.yaml").write_text(lexicon, encoding="utf-8")
    if messages:
        (place / "messages.po").write_text(catalog(messages, language), encoding="utf-8")
    return place.parent


def game_of(folder: Path, rules: str, seats: int = 2) -> Game:
    """Return the game of a variant, or of a small game from the text after its head."""
    if not rules.startswith("variant "):
        return load(write_rules(folder, rules, str(seats))).game(seats, backend="reference")
    (folder / "changed.rules").write_text(rules, encoding="utf-8")
    return load(folder / "changed.rules").game(seats, backend="reference")


def narrator(game: Game, language: str = "en") -> Narrator:
    """Return a narrator of a game with the words beside its rules."""
    return Narrator(game, Translator.load(language, game.word_folders), NAMES[: game.seats])


def reasons(game: Game, state: State, move: str, language: str = "en", reader: int | None = None) -> list[str]:
    """Return the reasons why a move is refused, for a player or for authors of rules (None)."""
    with pytest.raises(IllegalMove) as caught:
        state.read(move)
    return explain(caught.value, state, narrator(game, language), reader)


def reasons_at_start(game: Game, move: str, language: str = "en", reader: int | None = 0) -> list[str]:
    """Return the reasons at the first decision, of the first seat."""
    return reasons(game, game.start(1)[0], move, language, reader)
