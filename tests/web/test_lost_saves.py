"""Saves and stores deleted while a table is hosted: the host rewrites them and keeps the seats."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.web.hosting import Browser, Played, Tables, fail_with_full_disk, hosted, new_host, restarted, wait_until
from wongar_dsl.engine.saves import read_save
from wongar_dsl.web.store import StoreInUseError


def replace_save(saves: Path, save: Path) -> None:
    shutil.copy(save, saves / "copy")
    (saves / "copy").replace(save)


#: Harm done to the folder of saves and the save of a table.
HARM: dict[str, Callable[[Path, Path], object]] = {
    "no save": lambda saves, save: save.unlink(),
    "another save": replace_save,
    "no folder": lambda saves, save: shutil.rmtree(saves),
    "no store": lambda saves, save: shutil.rmtree(saves / "tables"),
    "no lock": lambda saves, save: (saves / "tables" / "lock").unlink(),
}


@pytest.mark.parametrize("harm", HARM)
def test_table_survives_removed_files(harm: str, tmp_path: Path) -> None:
    saves = tmp_path / "saves"
    with hosted(saves, "nim", ["human", "human"]) as played:
        played.play(2)
        save = played.table_session.session.path
        HARM[harm](saves, save)
        played.play(2)
        # A copy of the disk as after a kill.
        shutil.copytree(saves, tmp_path / "left")
        jars, key = played.cookies(), played.table_session.key
    assert len(read_save(tmp_path / "left" / save.name).choices) == 4
    with restarted(tmp_path / "left", key, jars) as restored:
        assert len(restored.table_session.match.steps) == 4
        assert all(b.get(b.key).status_code == 200 for b in restored.seated)


def test_second_host_is_refused_after_files_were_deleted(tmp_path: Path) -> None:
    saves = tmp_path / "saves"
    with hosted(saves, "nim", ["human", "human"]) as played:
        for harm in ("no folder", "no lock"):
            HARM[harm](saves, played.table_session.session.path)
            played.play(1)
            with pytest.raises(StoreInUseError):
                new_host(saves)


def test_deleted_files_are_rewritten_without_a_decision(nim: Played, tables: Tables) -> None:
    session, store = nim.table_session, nim.host.store
    nim.play(1)
    assert not session.session.lost
    shutil.rmtree(tables.saves)
    assert session.session.lost
    assert store.lost
    # It saves regularly.
    tables.time.now += 3600
    wait_until(lambda: session.session.path.is_file() and store.path.is_file())
    assert not session.session.lost


def test_unsaved_decision_counts_and_is_reported(nim: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    browser, form = nim.decider, nim.decider.choice_form()
    with monkeypatch.context() as broken:
        broken.setattr(os, "fsync", fail_with_full_disk)
        answer = browser.post(f"{browser.key}/move", form)
    assert answer.status_code == 200
    assert "Your decision counts" in answer.text
    # Repeating the form is accepted and has no effect.
    assert browser.send("move", form) == 303
    assert nim.steps == 1
    assert nim.table_session.session.lost


def note(browser: Browser, language: str) -> str:
    """Return the error message on the page of a table."""
    assert browser.post(f"{browser.key}/settings", {"lang": language}).status_code in (303, 422)
    found = re.search(r'<p class="trouble" role="alert">([^<]*)', browser.page())
    return found[1] if found is not None else ""


UNSAVED = {
    "de": "Die Partie lässt sich gerade nicht speichern. Sobald es geht, wird sie gespeichert.",
    "en": "The game cannot be saved at the moment. It will be saved as soon as possible.",
    "it": "Adesso la partita non si può salvare. Sarà salvata appena possibile.",
    "nl": "De partij kan nu niet worden bewaard. Zodra het weer kan, wordt ze bewaard.",
}


@pytest.mark.parametrize("failing", ["decision", "settings"])
def test_every_page_says_that_the_game_is_not_saved_until_it_is(
    failing: str, nim: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    browsers, session = nim.seated, nim.table_session
    with monkeypatch.context() as broken:
        broken.setattr(os, "fsync", fail_with_full_disk)
        if failing == "decision":
            nim.decider.choose()
            assert session.session.lost
        note(browsers[0], "en")
        for language, text in UNSAVED.items():
            assert [note(browser, language) for browser in browsers] == [text] * 2
        assert session.unsaved
    version = session.version
    # Writing the store does not suffice if the save is missing.
    assert note(browsers[0], "nl") == (UNSAVED["nl"] if failing == "decision" else "")
    asyncio.run(nim.host.run_exclusive(session, session.save))
    # The pages are told that the message no longer holds.
    assert session.version == version + 1
    assert [note(browser, "en") for browser in browsers] == ["", ""]
