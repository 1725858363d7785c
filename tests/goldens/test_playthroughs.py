"""Golden playthroughs: a game of each variant for each number of players, decision by decision.

A golden holds the seed, one line for the setup and one for each decision: who decides what, how many options there are
(and a fingerprint of them), what was taken, the messages told, and a fingerprint of what each seat, and somebody who
only watches, may see.  `pytest tests/goldens --rewrite-goldens` writes them anew; look at what changed
before you keep it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.properties.play import game, games
from wongar_dsl.backends.chance import Generator
from wongar_dsl.engine import State
from wongar_dsl.engine.events import Event, plain
from wongar_dsl.engine.observation import observe

HERE = Path(__file__).parent
SEED = 20_001
EVERY = [pytest.param(n, s, id=f"{n}-{s}") for n, s in games()]


def path_of(name: str, seats: int) -> Path:
    return HERE / name.split("/")[0] / f"{name.split('/')[-1]}-{seats}.txt"


def fingerprint(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def told(state: State, events: Sequence[Event]) -> str:
    """The messages of events, and a fingerprint of all of them, the quiet ones too."""
    every = [plain(state.game.model, state.game.fields, e) for e in events]
    names = [e.spec.message or e.spec.kind for e in events if e.told]
    return f"{' '.join(names) or '-'} [{fingerprint(every)}]"


def views(state: State) -> str:
    """A fingerprint of what each seat sees, the last that of somebody who watches."""
    return " ".join(fingerprint(observe(state, viewer)) for viewer in (*range(state.game.seats), None))


def playthrough(name: str, seats: int) -> Iterator[str]:
    """A game played at random, as the lines of its golden."""
    generator = Generator(SEED)
    state, opening = game(name, seats).start(SEED)
    yield f"{name}, {seats} players, seed {SEED}"
    yield f"setup: {told(state, opening)}"
    number = 0
    while not state.over:
        number += 1
        decision, seat, moves = state.decision, state.seat, state.legal_moves()
        assert decision is not None
        options = [state.write(m) for m in moves]
        taken = generator.below(len(moves))
        seen = views(state)
        events = state.apply(moves[taken])
        chosen = f"{options[taken]}, one of {len(options)} [{fingerprint(options)}]"
        yield f"{number} seat {seat + 1} {decision.name}: {chosen}"
        yield f"    views {seen}"
        yield f"    {told(state, events)}"
    yield f"views {views(state)}"
    winners = " ".join(str(w + 1) for w in state.winners) or "nobody"
    yield f"scores {' '.join(map(str, state.scores))}, winners {winners}"


@pytest.mark.parametrize(("name", "seats"), EVERY)
def test_playthrough(name: str, seats: int, rewriting: bool) -> None:
    golden, played = path_of(name, seats), list(playthrough(name, seats))
    if rewriting:
        golden.parent.mkdir(exist_ok=True)
        golden.write_text("\n".join(played) + "\n", encoding="utf-8")
    expected = golden.read_text(encoding="utf-8").splitlines()
    for number, (old, new) in enumerate(zip(expected, played, strict=False), 1):
        assert new == old, f"{golden.name}, line {number}"
    assert len(played) == len(expected)


def test_no_game_or_variant_lacks_a_golden() -> None:
    there = {path.relative_to(HERE).as_posix() for path in HERE.glob("*/*.txt")}
    wanted = {path_of(name, seats).relative_to(HERE).as_posix() for name, seats in games()}
    assert wanted - there == set(), "pytest tests/goldens --rewrite-goldens writes what is missing"
    assert there - wanted == set(), "goldens of games that there are no more"
