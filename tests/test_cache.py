"""The cache: what only the user can have written, whole, else nothing."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import pytest

from wongar_dsl.cache import Cache, remembered


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    cache = Cache(tmp_path / "kept")
    cache.save([1, 2, 3], "key", "part")
    assert cache.load("key", "part") == [1, 2, 3]
    return cache


def entry(folder: Path) -> Path:
    (found,) = folder.glob("*.bin")
    return found


class Planted:
    """Runs code where it is read."""

    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, ("planted",)


@pytest.mark.parametrize(
    "content", [b"", b"x", pickle.dumps(5), pickle.dumps(Planted()), b"\0" * 32 + pickle.dumps(Planted()), b"\0" * 99]
)
def test_what_is_not_whole_is_made_anew(
    cache: Cache, tmp_path: Path, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    entry(tmp_path / "kept").write_bytes(content)
    assert cache.load("key", "part") is None
    assert not Path("planted").exists()
    cache.save("again", "key", "part")
    assert cache.load("key", "part") == "again"


def test_an_entry_of_another_key_is_none(cache: Cache, tmp_path: Path) -> None:
    kept = entry(tmp_path / "kept").read_bytes()
    cache.save("other", "other")
    for path in (tmp_path / "kept").glob("*.bin"):
        path.write_bytes(kept)
    assert cache.load("other") is None
    assert cache.load("key", "part") == [1, 2, 3]


def test_a_link_is_not_followed(cache: Cache, tmp_path: Path) -> None:
    file = entry(tmp_path / "kept")
    file.rename(tmp_path / "elsewhere")
    file.symlink_to(tmp_path / "elsewhere")
    assert cache.load("key", "part") is None
    cache.save("again", "key", "part")
    assert cache.load("key", "part") == "again"
    assert not file.is_symlink()


def test_a_folder_that_is_a_link_is_not_used(cache: Cache, tmp_path: Path) -> None:
    (tmp_path / "kept").rename(tmp_path / "elsewhere")
    (tmp_path / "kept").symlink_to(tmp_path / "elsewhere")
    before = sorted((tmp_path / "elsewhere").iterdir())
    assert cache.load("key", "part") is None
    cache.save("new", "new")
    assert sorted((tmp_path / "elsewhere").iterdir()) == before


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_an_entry_that_others_can_write_is_not_used(cache: Cache, tmp_path: Path, mode: int) -> None:
    entry(tmp_path / "kept").chmod(mode)
    assert cache.load("key", "part") is None


def test_a_folder_that_others_can_write_is_not_used(cache: Cache, tmp_path: Path) -> None:
    (tmp_path / "kept").chmod(0o777)
    assert cache.load("key", "part") is None
    cache.save("new", "new")
    assert len(list((tmp_path / "kept").iterdir())) == 1


def test_what_belongs_to_somebody_else_is_not_used(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getuid", lambda: 4242)
    assert cache.load("key", "part") is None


def test_a_pipe_is_not_waited_for(cache: Cache, tmp_path: Path) -> None:
    file = entry(tmp_path / "kept")
    file.unlink()
    os.mkfifo(file)
    assert cache.load("key", "part") is None


def test_what_a_killed_writer_left_is_swept(cache: Cache, tmp_path: Path) -> None:
    for name, age in (("new-old", 10**9), ("new-young", None)):
        (tmp_path / "kept" / name).write_text("")
        if age is not None:
            os.utime(tmp_path / "kept" / name, (age, age))
    cache.save("new", "new")
    left = [p.name for p in (tmp_path / "kept").iterdir() if not p.name.endswith(".bin")]
    assert left == ["new-young"]


def test_what_was_made_once_is_at_hand_until_there_is_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wongar_dsl.cache._remembered", {})
    monkeypatch.setattr("wongar_dsl.cache.AT_HAND", 2)
    made = []

    def word(text: str, cache: Cache | None = None) -> str:
        return remembered(lambda: made.append(text) or text.upper(), cache, "word", text)

    assert [word("a"), word("b"), word("a")] == ["A", "B", "A"]
    assert made == ["a", "b"]
    assert [word("c", Cache(tmp_path)), word("d"), word("e"), word("c", Cache(tmp_path))] == ["C", "D", "E", "C"]
    assert made == ["a", "b", "c", "d", "e"]
    assert [word("d"), word("a")] == ["D", "A"]
    assert made[5:] == ["d", "a"]


def test_what_cannot_be_made_is_not_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wongar_dsl.cache._remembered", {})
    with pytest.raises(ZeroDivisionError):
        remembered(lambda: 1 // 0, None, "word", "a")
    assert remembered(lambda: 5, None, "word", "a") == 5
