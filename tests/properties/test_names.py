"""Names do not matter to the engine: with all declared names replaced, the same game is played."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

import pytest

from tests.properties.play import names
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.compiler.ir import EVENTS
from wongar_dsl.engine import Game, library
from wongar_dsl.engine.events import Event
from wongar_dsl.language.ast import key_of
from wongar_dsl.language.parser import reserved_words
from wongar_dsl.language.semantics import Model
from wongar_dsl.language.semantics.builtins import TAKEN

#: Contextual keywords, which may be names elsewhere.
GRAMMAR = resources.files("wongar_dsl.language.parser").joinpath("grammar.lark").read_text(encoding="utf-8")
MEANING = frozenset(re.findall(r"[a-z]+", " ".join(re.findall(r'"[a-z ]+"|/[^/]+/', GRAMMAR)))) | TAKEN
#: Arguments that statements provide for their messages.
MEANING |= {name for kind in EVENTS.values() for name in (*kind.fields, *kind.more)}
WORD = re.compile(r'"[^"\n]*"|#[^\n]*|[A-Za-z][A-Za-z0-9_]*')


def declared_names(model: Model) -> set[str]:
    """Return every name that a game declares: declarations, values, options, messages, arguments, local names."""
    all_names = {name for _, name in map(key_of, model.merged.articles) if name}
    all_names |= {v for values in model.enums.values() for v in values}
    # A lattice generates the names of its areas: a1, h31_31.
    all_names |= {a for b in model.boards.values() for a in b.areas if not re.fullmatch(r"[a-z]+\d+(_\d+)?", a)}
    for sort in model.cards.values():
        all_names |= {f.kind for f in sort.faces} | set(sort.attributes)
    all_names |= {name for phases in model.tracks.values() for name, _ in phases}
    all_names |= {local.name for local in model.locals.values()}
    for message in model.messages.values():
        all_names |= {message.name, *(slot for slot, _ in message.slots)}
    for decision in model.decision_names.values():
        all_names.add(decision)
    return all_names


def write_scrambled_rules(name: str, folder: Path) -> Path:
    """Write the rule files of a game with all declared names replaced; return the path of the last file."""
    rules = library.load(name)
    replaceable = declared_names(rules.model) - kept_words(rules)
    new = {old: f"zz{i}_{old[::-1]}" for i, old in enumerate(sorted(replaceable))}

    def word(match: re.Match[str]) -> str:
        return new.get(match[0], match[0])

    last = folder
    for source, stem in zip(rules.sources, rules.name.split("/"), strict=True):
        last = folder / f"{stem}.rules"
        last.write_text(WORD.sub(word, source.text), encoding="utf-8")
    return last


def kept_words(rules: library.Rules) -> frozenset[str]:
    """Return the words that are not replaced: words of the language, and game names, which are file names."""
    return MEANING | reserved_words() | frozenset(rules.name.split("/"))


def numeric_record(game: Game, seed: int) -> list[object]:
    """Return the record of a random game in numbers: seat, options, choice and state at each decision."""
    generator, entries = Generator(seed), []
    state, events = game.start(seed)
    entries.append([e.values for e in events])
    while not state.over:
        moves = state.legal_moves()
        move = moves[generator.below(len(moves))]
        step_events = state.apply(move)
        entries.append((state.seat, moves, move, [e.values for e in step_events], state.cells[ir.FIRST_FREE :]))
    entries.append((state.winners, state.scores))
    return entries


@pytest.mark.parametrize("name", list(names()))
def test_scrambled_names_give_the_same_game(name: str, tmp_path: Path) -> None:
    original = library.load(name)
    scrambled_rules = library.load(write_scrambled_rules(name, tmp_path))
    shared_words = kept_words(original)
    assert not declared_names(scrambled_rules.model) & (declared_names(original.model) - shared_words)
    for seed, seats in enumerate({*original.model.players}):
        first, second = (numeric_record(rules.game(seats), seed) for rules in (original, scrambled_rules))
        assert first == second


# ---- variants of one line --------------------------------------------------------------------------------------------


def play_out(folder: Path, line: str, base: str = "wongar") -> tuple[Game, list[Event]]:
    """Load a variant with one change, play it to its end, and return it with all events."""
    path = folder / "mine.rules"
    path.write_text(f"variant mine of {base}\n\n{line}\n    source house rule\n", encoding="utf-8")
    rules, diagnostics = library.inspect(path)
    assert rules is not None, diagnostics
    assert not diagnostics
    game, generator = rules.game(4), Generator(3)
    state, events = game.start(3)
    all_events = [*events]
    while not state.over:
        moves = state.legal_moves()
        all_events += state.apply(moves[generator.below(len(moves))])
    return game, all_events


@pytest.mark.parametrize("base", ["wongar", "initiated"])
def test_variant_with_a_bonus_of_ten_points(tmp_path: Path, base: str) -> None:
    _, events = play_out(tmp_path, "set cards_bonus to 10", base)
    assert {dict(e.slots())["n"][1] for e in events if e.spec.message == "bonus"} == {10}


@pytest.mark.parametrize("base", ["wongar", "initiated"])
def test_variant_with_a_third_elder_card(tmp_path: Path, base: str) -> None:
    game, _ = play_out(tmp_path, "set elder_card in area_deck to 3", base)
    state, _ = game.start(1)
    face = game.model.cards["area_card"].index("elder_card")
    piles, slots = game.fields["area_pile"], game.fields["face_up"]
    for i in range(10):
        address = piles.base + i * piles.width
        pile = [*state.cells[address + 1 : address + 1 + state.cells[address]], state.cells[slots.base + i]]
        assert pile.count(face) == 3
        assert len(pile) == (16 if base == "wongar" else 15)


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        ("set row both_together of points_for to 6 8 11", (4, 5, 7, 3, 4, 6, 6, 8, 11)),
        ("set points_for[elder_alone, late] to 9", (4, 5, 7, 3, 4, 9, 2, 3, 5)),
        *((line, ()) for line in ("set ritual_scorpion in ritual_deck to 0", "set scorpion_card in area_deck to 0",
                                  "set scorpion_card in area_deck to 5", "set sting to no", "set players to 4")),
    ],
)  # fmt: skip
def test_other_one_line_variants_can_be_played(tmp_path: Path, line: str, cells: tuple[int, ...]) -> None:
    game, _ = play_out(tmp_path, line)
    assert not cells or game.model.tables["points_for"].cells == cells


def test_reconstructed_rules_are_marked() -> None:
    """Rules that an owner of the game may have to correct are marked in their source."""
    text = resources.files("wongar_dsl.rules").joinpath("wongar/wongar.rules").read_text(encoding="utf-8")
    for article in ("board area", "track scorpion"):
        block = text.split(article + "\n")[1].split("\n\n")[0]
        assert "source reconstruction" in block
    for article in ("table points_for ", "define ritual_left("):
        block = text.split(article)[1].split("\n\n")[0]
        assert "source inferred" in block
