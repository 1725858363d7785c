from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from prompt_toolkit.input import PipeInput, create_pipe_input

from tests.cli.command import LANGUAGES, Command, isolated_environment
from wongar_dsl.cli.commands import diff
from wongar_dsl.engine.library import Rules, _shipped_rules
from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook
from wongar_dsl.nlg.words import Translator


@pytest.fixture
def wongar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    for name in ("WONGAR_LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG", "NO_COLOR", "WONGAR_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in isolated_environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("COLUMNS", "80")
    return Command(tmp_path, monkeypatch, capsys)


@pytest.fixture
def working_directory(wongar: Command) -> Path:
    """Return an empty folder, the working directory of the command."""
    folder = wongar.home / "mine"
    folder.mkdir()
    wongar.patch.chdir(folder)
    return folder


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    """Yield the pipe through which a test presses keys on a full screen."""
    with create_pipe_input() as pipe:
        yield pipe


@pytest.fixture(scope="session", autouse=True)
def plan_shipped_rulebooks_once() -> Iterator[None]:
    """Keep the rulebooks of shipped games, which `wongar diff` and `wongar games` only read, in each language."""
    plan = diff.rulebook_reading
    kept: dict[tuple[int, int, int | None], tuple[Rules, Translator, RealisedRulebook]] = {}

    def planned(rules: Rules, words: Translator, players: int | None = None) -> RealisedRulebook:
        shipped = _shipped_rules.get(rules.name)
        if shipped is None or shipped.rules is not rules or words.language not in LANGUAGES:
            return plan(rules, words, players)
        key = (id(rules), id(words._locale), players)
        if key not in kept:
            kept[key] = rules, words, plan(rules, words, players)
        return kept[key][2]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(diff, "rulebook_reading", planned)
        yield
