"""Style check of all text shown during random games, in every language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest

from tests.properties.play import game, names
from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.engine import IllegalMove, Move, State, library
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.narration.illegal_move_reasons import illegal_move_reason
from wongar_dsl.nlg.narration.narrator import EVERYTHING
from wongar_dsl.nlg.words import Translator, available
from wongar_dsl.nlg.words.lexicon import Lexicon
from wongar_dsl.nlg.words.locale import load_locale
from wongar_dsl.nlg.words.style_lint import text_faults

PLAYERS = ("Anna", "Max", "Iris", "Zoë", "Lou", "Emma")
#: Maximum number of illegal moves tried per option of a decision, and explained per check.
TRIED = 2
#: Maximum number of texts checked per game; further ones differ only in values.
MAX_TEXTS = 4_000


@cache
def narrators(name: str, seats: int) -> dict[str, Narrator]:
    played = game(name, seats)
    # A variant shares most texts with its game, so that two languages are enough.
    languages = available()[:: 2 if "/" in name else 1]
    return {code: Narrator(played, Translator.load(code), PLAYERS[:seats]) for code in languages}


def texts_of_game(name: str, seats: int, seed: int) -> Iterator[tuple[str, str]]:
    """Yield (language, text) for every text shown in one random game."""
    dice = Generator(seed)
    by_language = narrators(name, seats)
    state, events = game(name, seats).start(seed)
    checked: Counter[object] = Counter()
    while True:
        for code, narrator in by_language.items():
            texts = [narrator.event(event, viewer) for event in events for viewer in (EVERYTHING, None, 0)]
            yield from ((code, text) for text in texts if text)
        if state.over:
            return
        moves = state.legal_moves()
        refused = [(move, error) for move, error in _illegal_moves(state, dice) if _is_new(checked, state, move, error)]
        # A menu does not show solutions of puzzles, and only some options are checked.
        shown = [move for move in moves[:: 1 + len(moves) // 6] if not _is_solution(state, move)]
        for code, narrator in by_language.items():
            yield code, narrator.prompt(state)
            yield from ((code, narrator.option(state, move)) for move in shown)
            for move, error in refused:
                assert error.check is not None
                why = illegal_move_reason(narrator, state, move, error.check, state.seat)
                assert why is not None, (name, move, "has no words for why it cannot be made")
                yield code, why.text
        events = state.apply(moves[dice.below(len(moves))])


def _is_new(told_of: Counter[object], state: State, move: Move, error: IllegalMove) -> bool:
    """Count this check and return whether it was explained at most `TRIED` times."""
    check = state.decision, move.option, error.check
    told_of[check] += 1
    return told_of[check] <= TRIED


def _is_solution(state: State, move: Move) -> bool:
    decision = state.decision
    return decision is not None and any(
        kind.kind == "coverings" for _, kind in decision.options[move.option].parameters
    )


def _illegal_moves(state: State, dice: Generator) -> Iterator[tuple[Move, IllegalMove]]:
    """Yield some illegal moves with the reason for each."""
    model, decision = state.game.model, state.decision
    assert decision is not None
    for number, option in enumerate(decision.options):
        if any(kind.kind in {"number", "coverings"} for _, kind in option.parameters):
            continue
        domains = [range(model.size(kind, state.game.seats)) for _, kind in option.parameters]
        combinations = list(product(*domains))
        for _ in range(min(TRIED, len(combinations))):
            move = Move(number, combinations[dice.below(len(combinations))])
            try:
                state.require(move)
            except IllegalMove as error:
                yield move, error


@pytest.mark.parametrize("name", list(names()))
def test_texts_of_a_game_pass_the_style_check(name: str) -> None:
    seats = library.load(name).model.players[0]
    wrong = {}
    seen: set[tuple[str, str]] = set()
    for code, text in texts_of_game(name, seats, 11):
        if (code, text) not in seen and len(seen) < MAX_TEXTS:
            seen.add((code, text))
            for fault in text_faults(text, lexicon(code)):
                wrong[text] = fault
    assert wrong == {}
    assert len(seen) > 40


@cache
def lexicon(code: str) -> Lexicon:
    return load_locale(code, ()).lexicon
