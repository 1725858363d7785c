"""Command-line usage: languages, help, exit codes, and completeness of the catalogs."""

from __future__ import annotations

import ast
import re
import string
from pathlib import Path
from typing import get_args, get_type_hints

import click
import pytest
from babel.messages.pofile import read_po

import wongar_dsl
from tests.cli.command import LANGUAGES, Command
from wongar_dsl.base.diagnostic_codes import CODES
from wongar_dsl.cli.commands.rules.explain import example, parse_code
from wongar_dsl.engine.undo.undo_policy import UndoBarrier
from wongar_dsl.nlg.words import Translator, builtin_folder

ROOT = Path(__file__).resolve().parents[2]
CLI = Path(str(__import__("wongar_dsl.cli.main").cli.main.__file__)).parent
COMMANDS = ("play", "resume", "log", "games", "rulebook", "new", "pack", "watch", "perft", "simulate", "tournament")


def catalog(language: str, name: str = "cli.po") -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    messages = {}
    with builtin_folder().joinpath(language, name).open("rb") as file:
        for message in read_po(file):
            if message.id:
                ids = message.id if isinstance(message.id, tuple | list) else (message.id,)
                texts = message.string if isinstance(message.string, tuple | list) else (message.string,)
                assert message.context
                assert message.context not in messages, message.context
                messages[message.context] = (tuple(ids), tuple(texts))
    return messages


@pytest.mark.parametrize("name", ["cli.po", "reasons.po"])
@pytest.mark.parametrize("language", ["de", "nl", "it"])
def test_every_message_is_translated(language: str, name: str) -> None:
    english, translated = catalog("en", name), catalog(language, name)
    assert translated.keys() == english.keys()
    for message, (ids, texts) in translated.items():
        assert ids == english[message][0]
        assert all(texts), message
        for text, source in zip(texts, ids, strict=True):
            slots = {name for _, name, _, _ in string.Formatter().parse(text) if name}
            source_slots = {name for _, name, _, _ in string.Formatter().parse(source) if name}
            assert slots <= source_slots, message
            assert slots >= source_slots - {"kind"}, message


def test_messages_in_code_and_catalog_match() -> None:
    entries = catalog("en")
    elsewhere = {
        n for f in builtin_folder().joinpath("en").iterdir() if f.name.endswith(".po") for n in catalog("en", f.name)
    }
    used = set()
    texts = (path.read_text(encoding="utf-8") for f in (CLI, Path(wongar_dsl.__path__[0])) for path in f.rglob("*.py"))
    for text in texts:
        # Most files have no such text; parsing them takes long.
        for node in ast.walk(ast.parse(text)) if re.search(r"""["'](cli|engine)\.|SessionSetupError""", text) else ():
            match node:
                case ast.Constant(value=str(value)) if re.fullmatch(r"(cli|engine)(\.\w+)+", value):
                    used.add(value)
                # `SessionSetupError` carries a reason, for which the command has a message.
                case ast.Call(func=ast.Name(id="SessionSetupError"), args=[ast.Constant(value=reason)]):
                    used.add(f"cli.{reason}")
    # The reasons why a step is final are listed in the type of `UndoBarrier.reason`.
    used |= {f"cli.cannot_undo.{reason}" for reason in get_args(get_type_hints(UndoBarrier)["reason"])}
    assert used - elsewhere == set()
    stems = ("cli.kind.", "cli.command.", "cli.save.")
    unused = {
        n for n in entries if n.startswith("cli.") and not n.startswith(stems) and not n.endswith(".short")
    } - used
    assert unused == set()


#: Modules of click with messages for programmers, shells, other systems, or unused prompts.
NOT_OURS = {"_termui_impl.py", "_winconsole.py", "shell_completion.py", "termui.py", "utils.py"}


def test_relevant_messages_of_click_are_in_the_catalog() -> None:
    entries = {ids[0] for name, (ids, _) in catalog("en").items() if name.startswith("click.")}
    used = set()
    for path in sorted(Path(str(click.__file__)).parent.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if path.name not in NOT_OURS else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("_", "ngettext"):
                first = node.args[0]
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    used.add(first.value)
    ours = {
        text for text in used
        if not re.search(r"[Dd]eprecat|iterable|declaration|defined|UUID|Choice\(|dynamic|same flag|executable|"
                         r"[Cc]onfirm|continue|start character|format|len_type|prog", text)
    }  # fmt: skip
    assert ours - entries == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_is_in_one_language(wongar: Command, language: str) -> None:
    foreign = re.compile(r"Usage|Options|Show this|required|default:|OPTIONS|COMMAND\b|\bcli\.")
    for arguments in ((), ("--help",), *((name, "--help") for name in COMMANDS)):
        result = wongar(*arguments, "--lang", language)
        assert result.code == 0
        if language != "en":
            assert not foreign.search(result.out), result.out
        assert "cli." not in result.out


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("play", "--seed", "x"), 2),
        (("play", "--sed", "1"), 2),
        (("play", "wongar", "extra"), 2),
        (("plai",), 2),
        (("play", "wongar", "--backend", "abacus"), 2),
        (("play", "wongar", "--seats", "human"), 2),
        (("play", "wongar", "--seats", "human,devil,random"), 2),
        (("play", "wongar", "--seats", "human:Al,human:al,random"), 2),
        (("play", "wongar", "--seats", f"human:{'x' * 50},random,random"), 2),
        (("play", "wongar", "--set", "nonsense=1"), 2),
        (("play", "wongar", "--set", "cards_bonus=1000"), 2),
        (("play", "wongar", "--set", "sting=perhaps"), 2),
        (("play", "wongar", "--set", "sting"), 2),
        (("play",), 2),
        (("play", "nothing.rules"), 1),
        (("play", "nothing"), 1),
        (("play", "/"), 1),
        (("log", "/no/such/file"), 1),
        (("simulate", "wongar", "--seats", "human,random,random"), 2),
        (("perft", "wongar", "--depth", "0"), 2),
        (("perft", "wongar", "--seats", "9"), 2),
    ],
)
def test_usage_errors_are_reported_in_the_language(wongar: Command, arguments: tuple[str, ...], code: int) -> None:
    messages = set()
    for language in ("de", "en"):
        result = wongar(*arguments, "--lang", language)
        assert result.code == code
        assert result.err
        assert "Traceback" not in result.err
        assert "schiefgegangen" not in result.err
        assert "cli." not in result.err
        messages.add(result.err)
    assert len(messages) == 2


@pytest.mark.parametrize("arguments", [("explain", "R99"), ("words", "de", "--say", "nim.takn")])
def test_suggestion_is_a_separate_sentence(wongar: Command, arguments: tuple[str, ...]) -> None:
    assert re.search(r"\. Meintest du „.*“\?$", wongar(*arguments, "--lang", "de").err.strip())


def test_perft_formats_numbers_by_language(wongar: Command) -> None:
    rows = wongar("perft", "nim", "--depth", "2", "--lang", "de").out.splitlines()[1:-1]
    assert [re.search(r"\d+,\d$", row) is not None for row in rows] == [True, True]


def test_setting_of_the_rules_can_be_changed(wongar: Command) -> None:
    result = wongar("play", "wongar", "--seats", "random,random,random", "--seed", "7", "--set", "cards_bonus=50")
    assert "50 victory points" in result.out


def test_unknown_language_error_lists_known_languages(wongar: Command) -> None:
    for arguments in (("--lang", "tlh"), ("play", "wongar", "--lang=tlh"), ("words", "tlh")):
        result = wongar(*arguments)
        assert (result.code, result.out) == (2, "")
        assert all(language in result.err for language in (*LANGUAGES, "tlh"))


def test_language_sources_have_a_precedence(wongar: Command) -> None:
    def games_output() -> str:
        return wongar("games").out

    def output_contains(text: str) -> bool:
        return text in games_output()

    wongar.patch.setenv("LANG", "it_IT.UTF-8")
    assert output_contains("giocatori")
    wongar.patch.setenv("LC_MESSAGES", "nl_BE.UTF-8")
    assert output_contains("spelers")
    wongar.patch.setenv("LC_ALL", "de_AT.UTF-8")
    assert output_contains("Personen")
    wongar.patch.setenv("LANGUAGE", "xx:it")
    assert output_contains("giocatori")
    config = wongar.home / "config" / "wongar" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('lang = "nl"\n')
    assert output_contains("spelers")
    wongar.patch.setenv("WONGAR_LANG", "de")
    assert output_contains("Personen")
    assert "giocatori" in wongar("games", "--lang", "it").out
    config.write_text("\x00 nonsense")
    wongar.patch.delenv("WONGAR_LANG")
    assert output_contains("giocatori")


@pytest.mark.parametrize("language", LANGUAGES)
def test_internal_error_shows_no_traceback(wongar: Command, language: str) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("\x1b[2Jhidden")

    wongar.patch.setattr("wongar_dsl.cli.play.terminal_session.LineSession.run", fail)
    result = wongar("play", "wongar", "--seats", "random,random,random", "--lang", language)
    assert result.code == 1
    assert "Traceback" not in result.err + result.out
    assert "ZeroDivisionError" in result.err
    assert "\x1b" not in result.err


def test_run_time_error_of_rules_is_a_diagnostic(wongar: Command) -> None:
    rules = wongar.home / "broken.rules"
    rules.write_text(
        "game broken\n    players 2\n    source house rule\n\nscore points\n\nplay\n    for each p in player\n"
        "        p chooses turn\n            fail\n                impossible\n"
        "            go\n                nothing\n"
        "    end game\n\nwinner p\n    most points of p\n"
    )
    save = wongar.home / "save.json"
    arguments = ("play", str(rules), "--seats", "human,human", "--lang", "de", "--save", str(save))
    result = wongar(*arguments, answers="go\nfail\n")
    assert result.code == 1, result.out + result.err
    assert "R0604" in result.out + result.err
    assert '"go"' in save.read_text()


@pytest.mark.parametrize("code", CODES)
def test_every_code_is_explained_with_an_example(code: str) -> None:
    shown = example(code)
    assert shown
    assert all(line.strip() for line in shown)


@pytest.mark.parametrize("text", ["r206", "R206", "206", "r0206"])
def test_code_is_recognised_in_several_spellings(text: str) -> None:
    assert parse_code(text) == "R0206"


def test_every_listed_code_has_a_description(wongar: Command) -> None:
    listed = re.findall(r"^(R\d{4}) +(.*)$", wongar("explain").out, re.M)
    assert listed
    assert [code for code, text in listed if not re.search("[a-z]{3}", text)] == []


def test_unknown_language_error_explains_how_to_add_one(wongar: Command) -> None:
    assert "make a folder named by its code" in wongar("words", "tlh").err


def test_explain_lists_reserved_words(wongar: Command) -> None:
    listed = wongar("explain").out.partition("cannot be names:")[2]
    assert {"after", "side", "count", "has"} <= set(listed.replace(",", " ").split())


@pytest.mark.parametrize("language", LANGUAGES)
def test_setting_without_a_value_gets_a_syntax_hint(wongar: Command, language: str) -> None:
    result = wongar("play", "ubongo", "--set", "sandglass", "--lang", language)
    assert result.code == 2
    assert re.search(r"[A-Z]+=[A-Z]+", result.err)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_has_a_summary_sentence(wongar: Command, language: str) -> None:
    summed_up = re.findall(r"^  [a-z]+ {2,}(.+)$", wongar("--help", "--lang", language).out, re.MULTILINE)
    assert len(summed_up) >= 10
    assert [text for text in summed_up if text != f"{text[0].upper()}{text[1:].rstrip('.')}."] == []


@pytest.mark.parametrize("language", ["de", "nl", "it", "en"])
def test_optional_arguments_are_in_brackets(language: str) -> None:
    from wongar_dsl.cli.main import CommandGroup

    words = Translator.load(language, strict=True)
    group = CommandGroup(words)
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        for argument in command.params:
            if isinstance(argument, click.Argument) and argument.metavar and argument.nargs == 1:
                assert argument.metavar.startswith("[") is not argument.required, (name, argument.metavar)
