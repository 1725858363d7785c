"""Golden playthroughs: one game per variant and number of players, decision by decision.

A golden holds the seed, one line for the set-up and one for each decision: the seat, the number and a fingerprint of
the options, the choice, the messages, and a fingerprint of what each seat and a spectator see. `pytest tests/goldens
--rewrite-goldens` rewrites them; review the difference before you commit it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.properties.play import game, games
from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.engine import State
from wongar_dsl.engine.events import Event, event_json
from wongar_dsl.engine.hidden_information.observation import observe

HERE = Path(__file__).parent
SEED = 20_001
EVERY = [pytest.param(n, s, id=f"{n}-{s}") for n, s in games()]


def path_of(name: str, seats: int) -> Path:
    return HERE / name.split("/")[0] / f"{name.split('/')[-1]}-{seats}.txt"


def fingerprint(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def message_line(state: State, events: Sequence[Event]) -> str:
    """Return the messages of events, and a fingerprint of all events including the quiet ones."""
    plain_events = [event_json(state.game.model, state.game.fields, e) for e in events]
    names = [e.spec.message or e.spec.kind for e in events if e.told]
    return f"{' '.join(names) or '-'} [{fingerprint(plain_events)}]"


def view_fingerprints(state: State) -> str:
    """Return a fingerprint of the view of each seat, and last of a spectator."""
    return " ".join(fingerprint(observe(state, viewer)) for viewer in (*range(state.game.seats), None))


def playthrough(name: str, seats: int) -> Iterator[str]:
    """Yield the lines of the golden of a random game."""
    generator = Generator(SEED)
    state, opening = game(name, seats).start(SEED)
    yield f"{name}, {seats} players, seed {SEED}"
    yield f"setup: {message_line(state, opening)}"
    number = 0
    while not state.over:
        number += 1
        decision, seat, moves = state.decision, state.seat, state.legal_moves()
        assert decision is not None
        options = [state.write(m) for m in moves]
        move_number = generator.below(len(moves))
        seen = view_fingerprints(state)
        events = state.apply(moves[move_number])
        chosen = f"{options[move_number]}, one of {len(options)} [{fingerprint(options)}]"
        yield f"{number} seat {seat + 1} {decision.name}: {chosen}"
        yield f"    views {seen}"
        yield f"    {message_line(state, events)}"
    yield f"views {view_fingerprints(state)}"
    winners = " ".join(str(w + 1) for w in state.winners) or "nobody"
    yield f"scores {' '.join(map(str, state.scores))}, winners {winners}"


@pytest.mark.parametrize(("name", "seats"), EVERY)
def test_playthrough(name: str, seats: int, rewrite_goldens: bool) -> None:
    golden, played = path_of(name, seats), list(playthrough(name, seats))
    if rewrite_goldens:
        golden.parent.mkdir(exist_ok=True)
        golden.write_text("\n".join(played) + "\n", encoding="utf-8")
    expected = golden.read_text(encoding="utf-8").splitlines()
    for number, (old, new) in enumerate(zip(expected, played, strict=False), 1):
        assert new == old, f"{golden.name}, line {number}"
    assert len(played) == len(expected)


def test_every_game_and_variant_has_a_golden() -> None:
    existing = {path.relative_to(HERE).as_posix() for path in HERE.glob("*/*.txt")}
    expected = {path_of(name, seats).relative_to(HERE).as_posix() for name, seats in games()}
    assert expected - existing == set(), "pytest tests/goldens --rewrite-goldens writes what is missing"
    assert existing - expected == set(), "goldens of games that there are no more"
