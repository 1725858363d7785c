"""The tutorial can be followed line by line in each language, and shows what then comes of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.command import LANGUAGES, surroundings
from tests.docs.walkthrough import ELLIPSIS, Reader, Step, changed, fits, renewed, rewritten, steps_of, typed

DOCS = Path(__file__).parents[2] / "docs"
FILES = {language: DOCS / f"tutorial{'' if language == 'en' else f'.{language}'}.md" for language in LANGUAGES}
#: So many places may show less than all that comes.
MOST_ELISIONS = 8


def steps(language: str) -> list[Step]:
    return list(steps_of(FILES[language].read_text(encoding="utf-8")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_step_comes_to_what_is_shown(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rewriting: bool
) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {**surroundings(tmp_path), "COLUMNS": "80"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("os.fsync", lambda _: None)
    reader = Reader(monkeypatch, steps(language), tmp_path)
    reader.follow()
    if rewriting:
        text = FILES[language].read_text(encoding="utf-8")
        FILES[language].write_text(rewritten(text, reader.seen), encoding="utf-8")
    assert reader.seen == {} or rewriting, "\n".join(f"$ {s.text}\n{seen}" for s, seen in reader.seen.items())
    page = (tmp_path / "tutorial" / "my_nim" / "friend" / "fair.html").read_text(encoding="utf-8")
    assert f'lang="{language}"' in page


def same(step: Step, language: str) -> tuple[str, ...]:
    """What a step does in every language: remarks and words are in the language of the author."""
    text = step.text.replace(f"WONGAR_LANG={language}", "WONGAR_LANG=").replace(f"words {language} ", "words ")
    text = re.sub("^([-+ ]?)#.*$", r"\1#", text, flags=re.M)
    if "locales" in step.file:
        text = ""
    text = re.sub(r"^( *- name: ).*$", r"\1", text, flags=re.M)
    # The words at the table are those of the language.
    answers = [answer for answer in typed(step) if not answer.strip().isalpha()]
    return step.sort, text, step.file.replace(f"locales/{language}/", "locales//"), *answers, str(len(typed(step)))


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_all_languages_have_the_same_steps(language: str) -> None:
    assert [same(step, language) for step in steps(language)] == [same(step, "en") for step in steps("en")]
    headings = {code: re.findall(r"^#+", FILES[code].read_text(encoding="utf-8"), re.M) for code in (language, "en")}
    assert headings[language] == headings["en"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reader_is_told_which_file_to_change_and_sees_what_comes(language: str) -> None:
    text = FILES[language].read_text(encoding="utf-8")
    for found in re.finditer(r"^```\w+ (\S+)(?: shown)?$", text, re.M):
        above = text[: found.start()].rsplit("\n\n", 4)[1:]
        assert f"`{found[1]}`" in "".join(above) or any("```" in part for part in above), found[0]
    assert text.count(f"\n{ELLIPSIS}\n") <= MOST_ELISIONS
    assert sum(bool(step.output.strip()) for step in steps(language) if step.sort == "command") > 20


def test_each_language_leads_to_the_others_and_the_readme_to_all_of_them() -> None:
    for language, file in FILES.items():
        text = file.read_text(encoding="utf-8")
        assert {other.name for other in FILES.values()} - {file.name} <= set(re.findall(r"\]\(([\w.]+)\)", text))
        for link in re.findall(r"\]\(([\w./]+)(?:#[\w-]+)?\)", text):
            assert (DOCS / link).is_file(), (language, link)
    for page in ("README.md", "CONTRIBUTING.md"):
        text = (DOCS.parent / page).read_text(encoding="utf-8")
        assert all(f"docs/{file.name}" in text for file in FILES.values()), page


def test_what_a_document_leaves_out_stays_left_out_when_it_is_written_anew() -> None:
    output = "one\ntwo\nthree\nfour\nfive\n"
    assert fits("one\n…\nfive\n", output)
    assert not fits("one\n…\nfour\n", output)
    assert not fits("one\ntwo\nthree\nfour\nfive\n…\n", output)
    assert not fits("One\ntwo\nthree\nfour\nfive\n", output)
    assert renewed("one\n…\nsix\n", output) == "one\n…\nfive\n"
    assert renewed("uno\n…\n", output) == "one\n…\n"
    assert renewed("one\n", output) == output


def test_a_step_that_shows_something_else_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.rules").write_text("one\ntwo\n", encoding="utf-8")
    document = "```console\n$ wongar explain r0206\nerror\n```\n```text a.rules shown\ntwo\n```\n"
    reader = Reader(monkeypatch, list(steps_of(document)), tmp_path)
    reader.follow()
    (output,) = reader.seen.values()
    assert output.startswith("error R0206")
    assert output in rewritten(document, reader.seen)
    for wrong in ("```text a.rules shown\nthree\n```\n", "```diff a.rules\n-three\n```\n", "```console\n$ rm a\n```\n"):
        with pytest.raises(AssertionError):
            Reader(monkeypatch, list(steps_of(wrong)), tmp_path).follow()
    changed(tmp_path / "a.rules", " one\n-two\n+three\n")
    assert (tmp_path / "a.rules").read_text(encoding="utf-8") == "one\nthree\n"
