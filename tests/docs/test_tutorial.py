"""The tutorial can be followed step by step in each language, with the output shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.command import LANGUAGES, isolated_environment
from tests.docs.walkthrough import (
    ELLIPSIS,
    Reader,
    Step,
    apply_diff,
    matches_shown,
    steps_of,
    typed_lines,
    updated_document,
    updated_output,
)

DOCS = Path(__file__).parents[2] / "docs"
FILES = {language: DOCS / f"tutorial{'' if language == 'en' else f'.{language}'}.md" for language in LANGUAGES}
#: Maximum number of ellipses in the output shown.
MAX_ELISIONS = 8


def steps(language: str) -> list[Step]:
    return list(steps_of(FILES[language].read_text(encoding="utf-8")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_tutorial_steps_produce_the_output_shown(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rewrite_goldens: bool
) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {**isolated_environment(tmp_path), "COLUMNS": "80"}.items():
        monkeypatch.setenv(name, value)
    reader = Reader(monkeypatch, steps(language), tmp_path)
    reader.follow()
    if rewrite_goldens:
        text = FILES[language].read_text(encoding="utf-8")
        FILES[language].write_text(updated_document(text, reader.seen), encoding="utf-8")
    assert reader.seen == {} or rewrite_goldens, "\n".join(f"$ {s.text}\n{seen}" for s, seen in reader.seen.items())
    page = (tmp_path / "tutorial" / "my_nim" / "friend" / "fair.html").read_text(encoding="utf-8")
    assert f'lang="{language}"' in page


def neutral_content(step: Step, language: str) -> tuple[str, ...]:
    """Return the language-independent content of a step, without remarks and words of the author's language."""
    text = step.text.replace(f"WONGAR_LANG={language}", "WONGAR_LANG=").replace(f"words {language} ", "words ")
    text = re.sub("^([-+ ]?)#.*$", r"\1#", text, flags=re.M)
    if "locales" in step.file:
        text = ""
    text = re.sub(r"^( *- name: ).*$", r"\1", text, flags=re.M)
    # Words typed at the table depend on the language.
    answers = [answer for answer in typed_lines(step) if not answer.strip().isalpha()]
    return (
        step.sort,
        text,
        step.file.replace(f"locales/{language}/", "locales//"),
        *answers,
        str(len(typed_lines(step))),
    )


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_all_languages_have_the_same_steps(language: str) -> None:
    assert [neutral_content(step, language) for step in steps(language)] == [
        neutral_content(step, "en") for step in steps("en")
    ]
    headings = {code: re.findall(r"^#+", FILES[code].read_text(encoding="utf-8"), re.M) for code in (language, "en")}
    assert headings[language] == headings["en"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_files_to_change_are_named_before_the_change(language: str) -> None:
    text = FILES[language].read_text(encoding="utf-8")
    for block in re.finditer(r"^```\w+ (\S+)(?: shown)?$", text, re.M):
        above = text[: block.start()].rsplit("\n\n", 4)[1:]
        assert f"`{block[1]}`" in "".join(above) or any("```" in part for part in above), block[0]
    assert text.count(f"\n{ELLIPSIS}\n") <= MAX_ELISIONS
    assert sum(bool(step.output.strip()) for step in steps(language) if step.sort == "command") > 20


def test_tutorials_link_to_each_other_and_from_the_readme() -> None:
    for language, file in FILES.items():
        text = file.read_text(encoding="utf-8")
        assert {translation.name for translation in FILES.values()} - {file.name} <= set(
            re.findall(r"\]\(([\w.]+)\)", text)
        )
        for link in re.findall(r"\]\(([\w./]+)(?:#[\w-]+)?\)", text):
            assert (DOCS / link).is_file(), (language, link)
    for page in ("README.md", "CONTRIBUTING.md"):
        text = (DOCS.parent / page).read_text(encoding="utf-8")
        assert all(f"docs/{file.name}" in text for file in FILES.values()), page


def test_ellipses_are_kept_when_output_is_updated() -> None:
    output = "one\ntwo\nthree\nfour\nfive\n"
    assert matches_shown("one\n…\nfive\n", output)
    assert not matches_shown("one\n…\nfour\n", output)
    assert not matches_shown("one\ntwo\nthree\nfour\nfive\n…\n", output)
    assert not matches_shown("One\ntwo\nthree\nfour\nfive\n", output)
    assert updated_output("one\n…\nsix\n", output) == "one\n…\nfive\n"
    assert updated_output("uno\n…\n", output) == "one\n…\n"
    assert updated_output("one\n", output) == output


def test_deviating_output_is_detected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.rules").write_text("one\ntwo\n", encoding="utf-8")
    document = "```console\n$ wongar explain r0206\nerror\n```\n```text a.rules shown\ntwo\n```\n"
    reader = Reader(monkeypatch, list(steps_of(document)), tmp_path)
    reader.follow()
    (output,) = reader.seen.values()
    assert output.startswith("error R0206")
    assert output in updated_document(document, reader.seen)
    for wrong in ("```text a.rules shown\nthree\n```\n", "```diff a.rules\n-three\n```\n", "```console\n$ rm a\n```\n"):
        with pytest.raises(AssertionError):
            Reader(monkeypatch, list(steps_of(wrong)), tmp_path).follow()
    apply_diff(tmp_path / "a.rules", " one\n-two\n+three\n")
    assert (tmp_path / "a.rules").read_text(encoding="utf-8") == "one\nthree\n"
