"""The cache: it returns only complete entries that no other user can have written."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from wongar_dsl.base.storage.cache import PACKAGE, Cache, _source_files, memoised


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    cache = Cache(tmp_path / "kept")
    cache.save([1, 2, 3], "key", "part")
    assert cache.load("key", "part") == [1, 2, 3]
    return cache


def entry(folder: Path) -> Path:
    (path,) = folder.glob("*.bin")
    return path


class Planted:
    """Object that runs code when unpickled."""

    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, ("planted",)


@pytest.mark.parametrize(
    "content", [b"", b"x", pickle.dumps(5), pickle.dumps(Planted()), b"\0" * 32 + pickle.dumps(Planted()), b"\0" * 99]
)
def test_damaged_entry_is_ignored_and_replaced(
    cache: Cache, tmp_path: Path, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    entry(tmp_path / "kept").write_bytes(content)
    assert cache.load("key", "part") is None
    assert not Path("planted").exists()
    cache.save("again", "key", "part")
    assert cache.load("key", "part") == "again"


def test_entry_of_another_key_is_not_returned(cache: Cache, tmp_path: Path) -> None:
    content = entry(tmp_path / "kept").read_bytes()
    cache.save("other", "other")
    for path in (tmp_path / "kept").glob("*.bin"):
        path.write_bytes(content)
    assert cache.load("other") is None
    assert cache.load("key", "part") == [1, 2, 3]


def moved_and_linked(path: Path) -> None:
    path.symlink_to(path.rename(path.with_name("elsewhere")))


def replaced_by_a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize(
    "tamper",
    [moved_and_linked, replaced_by_a_pipe, *(partial(Path.chmod, mode=mode) for mode in (0o620, 0o602, 0o666))],
)
def test_entry_that_others_can_change_is_not_used_but_replaced(
    cache: Cache, tmp_path: Path, tamper: Callable[[Path], None]
) -> None:
    file = entry(tmp_path / "kept")
    tamper(file)
    assert cache.load("key", "part") is None
    cache.save("again", "key", "part")
    assert cache.load("key", "part") == "again"
    assert not file.is_symlink()


@pytest.mark.parametrize("tamper", [moved_and_linked, partial(Path.chmod, mode=0o777)])
def test_folder_that_others_can_change_is_not_used(
    cache: Cache, tmp_path: Path, tamper: Callable[[Path], None]
) -> None:
    tamper(tmp_path / "kept")
    assert cache.load("key", "part") is None
    cache.save("new", "new")
    assert len(list((tmp_path / "kept").iterdir())) == 1


def test_entry_of_another_owner_is_not_used(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getuid", lambda: 4242)
    assert cache.load("key", "part") is None


def test_leftover_of_a_killed_write_is_deleted_by_the_first_write_of_a_process(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "kept")
    cache.folder.mkdir(mode=0o700)
    for name, age in (("new-old", 10**9), ("new-young", None)):
        (tmp_path / "kept" / name).write_text("")
        if age is not None:
            os.utime(tmp_path / "kept" / name, (age, age))
    cache.save("new", "new")
    leftovers = [p.name for p in (tmp_path / "kept").iterdir() if not p.name.endswith(".bin")]
    assert leftovers == ["new-young"]


def test_values_are_remembered_up_to_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wongar_dsl.base.storage.cache._in_memory", {})
    monkeypatch.setattr("wongar_dsl.base.storage.cache.MAX_CACHED", 2)
    made = []

    def word(text: str, cache: Cache | None = None) -> str:
        return memoised(lambda: made.append(text) or text.upper(), cache, "word", text)

    assert [word("a"), word("b"), word("a")] == ["A", "B", "A"]
    assert made == ["a", "b"]
    assert [word("c", Cache(tmp_path)), word("d"), word("e"), word("c", Cache(tmp_path))] == ["C", "D", "E", "C"]
    assert made == ["a", "b", "c", "d", "e"]
    assert [word("d"), word("a")] == ["D", "A"]
    assert made[5:] == ["d", "a"]


def test_failed_computation_is_not_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wongar_dsl.base.storage.cache._in_memory", {})
    with pytest.raises(ZeroDivisionError):
        memoised(lambda: 1 // 0, None, "word", "a")
    assert memoised(lambda: 5, None, "word", "a") == 5


def test_sources_of_every_package_are_part_of_the_keys() -> None:
    """An entry that was written before a change of the program is not read after it."""
    names = {name for name, _, _ in _source_files(PACKAGE)}
    assert {"pipeline.py", "model.py", "translator.py", "interpreter.py", "grammar.lark", "cache.py"} <= names
