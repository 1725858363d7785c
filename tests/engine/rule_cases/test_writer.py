"""Case files as text: values survive writing and reading, and existing content stays unchanged."""

from __future__ import annotations

import pytest

from wongar_dsl.engine.rule_cases.file import CaseError, YamlNode, parse_yaml
from wongar_dsl.engine.rule_cases.position_writer import Data, append_case, yaml_lines

CASE: dict[str, Data] = {"name": "new: it", "players": "2", "moves": [{"1": "place(disc, emu)"}, "stop"], "expect": {}}
TEXT = """\
# What it is about.
players: 2   # always

cases:
  # the first
  - name: one
    moves: [stop]

  - name: two   # and the second
    moves: [stop]
"""


def plain(node: YamlNode) -> Data:
    if isinstance(node.value, list):
        return [plain(item) for item in node.value]
    return {str(k): plain(v) for k, v in node.value.items()} if isinstance(node.value, dict) else node.value


@pytest.mark.parametrize(
    "text",
    ["", "a, b", "a: b", "#1", "- x", "-1", "no", "~", "“q”", 'q"q', "\\", "a\tb", " a", "[x]", "é", "---",
     "x:", "1/4"],
)  # fmt: skip
def test_any_text_survives_writing_and_reading(text: str) -> None:
    data: dict[str, Data] = {"a": text, "b": [text, {text: text}], "c": {"d": text}}
    assert plain(parse_yaml("\n".join(yaml_lines(data)))) == data


def test_long_data_is_written_on_several_lines() -> None:
    data: dict[str, Data] = {"pile": [f"card({n})" for n in range(60)], "deep": {"a": {"b": ["x" * 50, "y" * 90]}}}
    lines = yaml_lines(data, 4)
    assert plain(parse_yaml("\n".join(lines))) == data
    assert len(lines) > 4
    assert max(map(len, lines)) <= 120


def test_appending_a_case_changes_nothing_else() -> None:
    text, line = append_case(TEXT, CASE)
    assert text.startswith(TEXT)
    assert text.split("\n")[line - 1] == '  - name: "new: it"'
    assert plain(parse_yaml(text))["cases"][-1] == CASE  # type: ignore[call-overload, index]


@pytest.mark.parametrize("ending", ["", "\n\n\n", "\n# the end\n", "\n# game\ngame: it\n", "\n\ngame: it"])
def test_text_after_the_cases_stays(ending: str) -> None:
    text, line = append_case(TEXT.rstrip("\n") + ending, CASE)
    assert [part for part in text.split("\n") if part in TEXT.split("\n") + ending.split("\n") and part] == [
        part for part in TEXT.split("\n") + ending.split("\n") if part
    ]
    assert text.split("\n")[line - 1].strip().startswith("- name")


def test_line_endings_are_preserved() -> None:
    text, _ = append_case(TEXT.replace("\n", "\r\n"), CASE)
    assert text.count("\n") == text.count("\r\n")


def test_appended_case_has_the_indent_of_the_others() -> None:
    text, line = append_case("cases:\n- name: one\n", CASE)
    assert text.split("\n")[line - 1].startswith("- name")


@pytest.mark.parametrize(
    "text",
    ["cases: [{name: one}]\n", "cases:\n  -\n    name: one\n", "players: 2\n", "cases: []\n",
     "{cases: [{name: a}]}", "x:"],
)  # fmt: skip
def test_unsupported_layout_is_refused(text: str) -> None:
    with pytest.raises(CaseError):
        append_case(text, CASE)
