"""Saves and stores deleted while a table is hosted: the host rewrites them and keeps the seats."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.web.hosting import Browser, Played, hosted, new_host, restarted
from wongar_dsl.engine.saves.saves import read_save


def delete_save(saves: Path, save: Path) -> None:
    save.unlink()


def replace_save(saves: Path, save: Path) -> None:
    shutil.copy(save, saves / "copy")
    (saves / "copy").replace(save)


def delete_folder(saves: Path, save: Path) -> None:
    shutil.rmtree(saves)


def delete_store(saves: Path, save: Path) -> None:
    shutil.rmtree(saves / "tables")


def delete_lock(saves: Path, save: Path) -> None:
    (saves / "tables" / "lock").unlink()


HARM = [delete_save, replace_save, delete_folder, delete_store, delete_lock]


def cookie_jars(played: Played) -> list[dict[str, str]]:
    return [dict(browser.client.cookies) for browser in played.seated]


@pytest.mark.parametrize("harm", HARM)
def test_table_survives_removed_files(harm: Callable[[Path, Path], None], tmp_path: Path) -> None:
    saves = tmp_path / "saves"
    with hosted(saves, "nim", ["human", "human"]) as played:
        played.play(2)
        save = played.table_session.session.path
        harm(saves, save)
        played.play(2)
        # A copy of the disk as after a kill.
        shutil.copytree(saves, tmp_path / "left")
        jars, key = cookie_jars(played), played.table_session.key
    assert len(read_save(tmp_path / "left" / save.name).choices) == 4
    with restarted(tmp_path / "left", key, jars) as restored:
        assert len(restored.table_session.match.steps) == 4
        assert all(isinstance(b, Browser) and b.get(b.key).status_code == 200 for b in restored.seated)


def test_second_host_is_refused_after_files_were_deleted(tmp_path: Path) -> None:
    from wongar_dsl.web.tables.store import StoreInUseError

    saves = tmp_path / "saves"
    with hosted(saves, "nim", ["human", "human"]) as played:
        for harm in (delete_folder, delete_lock):
            harm(saves, played.table_session.session.path)
            played.play(1)
            with pytest.raises(StoreInUseError):
                new_host(saves)


def test_deleted_files_are_rewritten_without_a_decision(tmp_path: Path) -> None:
    saves = tmp_path / "saves"
    with hosted(saves, "nim", ["human", "human"]) as played:
        played.play(1)
        assert not played.table_session.session.lost
        shutil.rmtree(saves)
        assert played.table_session.session.lost
        assert played.host.store.lost
        asyncio.run(played.host.run_exclusive(played.table_session, played.table_session.save))
        assert not played.table_session.session.lost
        assert not played.host.store.lost


def fail_with_full_disk(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_unsaved_decision_counts_and_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        browser = played.decider
        page = browser.page()
        form = {**browser.form(page), "choice": browser.choices(page)[0]}
        with monkeypatch.context() as broken:
            broken.setattr(os, "fsync", fail_with_full_disk)
            answer = browser.post(f"{browser.key}/move", form)
        assert answer.status_code == 200
        assert "Your decision counts" in answer.text
        assert len(played.table_session.match.steps) == 1
        # Repeating the form is accepted and has no effect.
        assert browser.post(f"{browser.key}/move", form).status_code == 303
        assert len(played.table_session.match.steps) == 1
        assert played.table_session.session.lost


def note(browser: Browser, language: str) -> str:
    """Return the error message on the page of a table."""
    assert browser.post(f"{browser.key}/settings", {"lang": language}).status_code in (303, 422)
    found = re.search(r'<p class="trouble" role="alert">([^<]*)', browser.page())
    return found[1] if found is not None else ""


@pytest.mark.parametrize("failing", ["decision", "settings"])
@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Die Partie lässt sich gerade nicht speichern. Sobald es geht, wird sie gespeichert."),
        ("en", "The game cannot be saved at the moment. It will be saved as soon as possible."),
        ("it", "Adesso la partita non si può salvare. Sarà salvata appena possibile."),
        ("nl", "De partij kan nu niet worden bewaard. Zodra het weer kan, wordt ze bewaard."),
    ],
)
def test_every_page_says_that_the_game_is_not_saved_until_it_is(
    failing: str, language: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        browsers, table_session = played.seated, played.table_session
        with monkeypatch.context() as broken:
            broken.setattr(os, "fsync", fail_with_full_disk)
            if failing == "decision":
                played.decider.choose()
                assert table_session.session.lost
            note(browsers[0], language)
            assert [note(browser, language) for browser in (*browsers, *browsers)] == [text] * 4
            assert table_session.unsaved
        version = table_session.version
        # Writing the store does not suffice if the save is missing.
        assert note(browsers[0], language) == (text if failing == "decision" else "")
        asyncio.run(played.host.run_exclusive(table_session, table_session.save))
        # The pages are told that the message no longer holds.
        assert table_session.version == version + 1
        assert [note(browser, language) for browser in browsers] == ["", ""]
