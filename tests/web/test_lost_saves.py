"""Saves and the store that are taken away while a table is hosted: they are written anew, and nobody loses a seat."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.web.hosting import Browser, Played, going_on, hosted, new_host
from wongar_dsl.engine.saves import read_save


def no_save(saves: Path, save: Path) -> None:
    save.unlink()


def another_save(saves: Path, save: Path) -> None:
    shutil.copy(save, saves / "copy")
    (saves / "copy").replace(save)


def no_folder(saves: Path, save: Path) -> None:
    shutil.rmtree(saves)


def no_store(saves: Path, save: Path) -> None:
    shutil.rmtree(saves / "tables")


def no_lock(saves: Path, save: Path) -> None:
    (saves / "tables" / "lock").unlink()


HARM = [no_save, another_save, no_folder, no_store, no_lock]


def cookies(played: Played) -> list[dict[str, str]]:
    return [dict(browser.client.cookies) for browser in played.seated]


@pytest.mark.parametrize("harm", HARM)
def test_a_table_goes_on_whatever_was_removed(harm: Callable[[Path, Path], None], tmp_path: Path) -> None:
    saves = tmp_path / "saves"
    with hosted(saves, "nim", ["human", "human"]) as played:
        played.play(2)
        save = played.sitting.table.path
        harm(saves, save)
        played.play(2)
        # As after a kill: what is on the disk now is all that there is.
        shutil.copytree(saves, tmp_path / "left")
        came, key = cookies(played), played.sitting.key
    assert len(read_save(tmp_path / "left" / save.name).choices) == 4
    with going_on(tmp_path / "left", key, came) as again:
        assert len(again.sitting.match.steps) == 4
        assert all(isinstance(b, Browser) and b.get(b.key).status_code == 200 for b in again.seated)


def test_another_host_still_finds_the_tables_in_use(tmp_path: Path) -> None:
    from wongar_dsl.web.store import StoreInUseError

    saves = tmp_path / "saves"
    with hosted(saves, "nim", ["human", "human"]) as played:
        for harm in (no_folder, no_lock):
            harm(saves, played.sitting.table.path)
            played.play(1)
            with pytest.raises(StoreInUseError):
                new_host(saves)


def test_what_nobody_decides_about_is_written_anew_too(tmp_path: Path) -> None:
    saves = tmp_path / "saves"
    with hosted(saves, "nim", ["human", "human"]) as played:
        played.play(1)
        assert not played.sitting.table.lost
        shutil.rmtree(saves)
        assert played.sitting.table.lost
        assert played.host.store.lost
        asyncio.run(played.host.do(played.sitting, played.sitting.save))
        assert not played.sitting.table.lost
        assert not played.host.store.lost


def test_a_decision_that_cannot_be_kept_counts_and_is_said_to_be_unsaved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with hosted(tmp_path, "nim", ["human", "human"]) as played:
        browser = played.asked
        page = browser.page()
        form = {**browser.form(page), "choice": browser.choices(page)[0]}
        with monkeypatch.context() as broken:
            broken.setattr(os, "fsync", full)
            answer = browser.post(f"{browser.key}/move", form)
        assert answer.status_code == 200
        assert "Your decision counts" in answer.text
        assert len(played.sitting.match.steps) == 1
        # The same form again is not refused: it has been done.
        assert browser.post(f"{browser.key}/move", form).status_code == 303
        assert len(played.sitting.match.steps) == 1
        assert played.sitting.table.lost
