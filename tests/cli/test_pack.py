"""`wongar pack`: a variant as one file that others can play; hostile packs are refused."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from .command import LANGUAGES, Command

RULES = "variant short of nim\n    source house rule\n\nset first_matches[heap_a] to 2\n"
LONGER = "variant longer of short\n    source house rule\n\nset first_matches[heap_b] to 5\n"
CASES = "players: 2\ncases:\n  - name: more\n    expect: {position: {matches: {heap_a: 2}}}\n"
LEXICON = "name: Not ours\ngames:\n  nim:\n    short: Kurz\n  wongar:\n    short: Elsewhere\n"
CATALOG = """
msgctxt "nim.rules.short"
msgid "Two matches on the first heap."
msgstr "Zwei Hölzer auf dem ersten Haufen."

msgctxt "cli.yes"
msgid "yes y"
msgstr "nein"
"""


@pytest.fixture
def working_directory(working_directory: Path) -> Path:
    """Return the working directory: a variant with a case and with words, some of them for other games."""
    files = {
        "short.rules": RULES,
        "longer.rules": LONGER,
        "short.cases.yaml": CASES,
        "short.lesson.yaml": "seed: 7\nseats: [human, easy]\nhints:\n  - name: first\n    when: {decision: turn}\n",
        # A language that is not shipped with the program.
        "locales/sv/lexicon.yaml": "games: {nim/short: {short: kort}}\n",
        "locales/de/lexicon.yaml": LEXICON,
        "locales/de/messages.po": CATALOG,
    }
    for name, text in files.items():
        path = working_directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return working_directory


@pytest.fixture
def pack(wongar: Command, working_directory: Path) -> Path:
    """Return the pack of that variant, alone in a folder that becomes the working directory."""
    folder = wongar.home / "friend"
    folder.mkdir()
    assert wongar("pack", "short.rules", "--out", str(folder / "short.variant")).code == 0
    wongar.patch.chdir(folder)
    return folder / "short.variant"


def test_pack_is_playable_validated_and_tested(wongar: Command, pack: Path) -> None:
    played = wongar("play", "short.variant", "--seats", "random,random", "--seed", "1", "--lang", "de")
    assert (played.code, played.err) == (0, "")
    assert "Kurz" in played.out
    assert wongar("validate", "short.variant").code == 0
    tested = wongar("test", "short.variant")
    assert (tested.code, tested.out) == (
        0,
        "1 case passed in short.variant/short.cases.yaml (rules: short.variant/short.rules)\n",
    )
    assert "Nim (Kurz)" in wongar("games", "short.variant", "--lang", "de").out
    assert "set first_matches" not in wongar("show", "short.variant", "--plain").out
    learnt = wongar("learn", "short.variant", "--lang", "de")
    assert "Kurz" in learnt.out
    assert "(Computer, leicht)" in learnt.out
    refused = wongar("new", "mine", "--from", pack.name)
    assert (refused.code, "rule file itself" in refused.err) == (2, True)
    resumed = wongar("log", str(wongar.saves()[0]), "--lang", "de")
    assert (resumed.code, resumed.err) == (0, "")


def test_pack_holds_only_words_of_its_game(pack: Path) -> None:
    text = pack.read_text(encoding="utf-8")
    assert all(word in text for word in ("Zwei Hölzer", "Kurz", "kort"))
    assert not any(word in text for word in ("cli.yes", "Elsewhere", "Not ours", "longer"))


def test_pack_is_reproducible_for_all_line_endings(wongar: Command, working_directory: Path) -> None:
    wongar("pack", "short.rules", "--out", "a.variant")
    os.utime("short.rules", (1, 1))
    (working_directory / "short.rules").write_bytes(b"\xef\xbb\xbf" + RULES.replace("\n", "\r\n").encode())
    wongar("pack", "short.rules", "--out", "b.variant")
    wongar("pack", "a.variant", "--out", "c.variant")
    first = (working_directory / "a.variant").read_bytes()
    assert (working_directory / "b.variant").read_bytes() == first
    assert (working_directory / "c.variant").read_bytes() == first


def test_combination_is_packed_with_its_dependencies(wongar: Command, working_directory: Path) -> None:
    assert wongar("pack", "nim+longer+longer").code == 0  # A variant named twice counts once.
    pack = working_directory / "longer.variant"
    assert pack.read_text(encoding="utf-8").startswith("packed variant 1\nplay nim+short.rules+longer.rules\n")
    for name in ("short.rules", "longer.rules"):
        (working_directory / name).unlink()
    assert wongar("validate", str(pack)).code == 0
    assert "Nim (Kurz, longer)" in wongar("games", str(pack), "--lang", "de").out
    assert wongar("validate", f"nim+{pack.name}").code == 0


def test_changed_base_is_reported_with_the_differences(wongar: Command, pack: Path) -> None:
    text = pack.read_text(encoding="utf-8")
    changed = text.replace("  play ", "  play 0").replace("  zone box ", "  zone bag ")
    pack.write_text(changed, encoding="utf-8")
    result = wongar("play", pack.name, "--seats", "random,random", "--seed", "1", "--lang", "it")
    assert result.code == 0
    message = " ".join(result.err.split())
    assert all(name in message for name in ("R0010", "play", "box", "bag"))
    assert "zone " not in message
    assert "first_matches" not in message


def test_error_caused_by_a_changed_base_mentions_the_base(wongar: Command, pack: Path) -> None:
    text = pack.read_text(encoding="utf-8").replace("first_matches[heap_a]", "gone[heap_a]")
    pack.write_text(text.replace("  table first_matches ", "  table gone "), encoding="utf-8")
    result = wongar("play", pack.name)
    assert result.code == 1
    assert "R0206" in result.err
    assert "a table (“gone”) and a table (“first_matches”)" in " ".join(result.err.split())


HOSTILE = {
    "empty": lambda text: b"",
    "cut": lambda text: text.encode()[:200],
    "zip": lambda text: b"PK\x03\x04" + bytes(1000),
    "zeros": lambda text: bytes(10_000_000),
    "latin": lambda text: text.replace("Hölzer", "H\u00f6lzer").encode("latin-1"),
    "newer": lambda text: text.replace("variant 1", "variant 99", 1).encode(),
    "upwards": lambda text: text.replace("file short.rules", "file ../short.rules").encode(),
    "absolute": lambda text: text.replace("file short.cases.yaml", "file /etc/short.cases.yaml").encode(),
    "deeper": lambda text: text.replace("locales/de/messages.po", "locales/de/x/messages.po").encode(),
    "twice": lambda text: text.replace("file short.cases.yaml", "file short.rules").encode(),
    "missing": lambda text: text.replace("play nim+short.rules", "play nim+other.rules").encode(),
    "elsewhere": lambda text: text.replace("play nim+short.rules", "play nim+../mine/short.rules").encode(),
    "line": lambda text: text.replace("\nend\n", "\nlink short.rules\nend\n").encode(),
    "sentence": lambda text: text.replace('"nim.rules.short"', '"cli.yes"').encode(),
    "split": lambda text: text.replace('msgctxt "nim.rules.short"', 'msgctxt ""\n  "cli.yes"').encode(),
    "term": lambda text: text.replace("    nim:", "    wongar:").encode(),
    "grammar": lambda text: text.replace("  games:", '  name: "Nobody"\n  games:').encode(),
    "nested": lambda text: text.replace('"Kurz"', "[" * 100_000).encode(),
}


def test_hostile_pack_is_refused_with_a_message(wongar: Command, pack: Path) -> None:
    text = pack.read_text(encoding="utf-8")
    before = sorted(path for path in wongar.home.rglob("*") if "data" not in path.parts)
    for number, (name, made) in enumerate(HOSTILE.items()):
        language = LANGUAGES[number % len(LANGUAGES)]
        pack.write_bytes(made(text))
        result = wongar("play", pack.name, "--seats", "random,random", "--lang", language)
        assert (result.code, result.out) == (1, ""), name
        assert "R0009" in result.err, name
        assert "hint." not in result.err
        assert wongar("test", pack.name, "--lang", language).code == 1, name
    assert sorted(path for path in wongar.home.rglob("*") if "data" not in path.parts) == before
    pack.unlink()
    (pack.parent / "secret").write_text("top secret", encoding="utf-8")
    pack.symlink_to("secret")
    result = wongar("play", pack.name)
    assert (result.code, result.out, "top secret" in result.err) == (1, "", False)
