"""Command-line usage: languages, help, refused arguments, exit codes, and completeness of the catalogs."""

from __future__ import annotations

import ast
import re
import shlex
from pathlib import Path
from typing import get_args, get_type_hints

import click
import pytest
from babel.messages.pofile import read_po

import wongar_dsl
from tests.cli.command import LANGUAGES, Command
from wongar_dsl.base.diagnostics import CODES
from wongar_dsl.cli.commands.explain import example, parse_code
from wongar_dsl.engine.undo_policy import UndoBarrier
from wongar_dsl.nlg.words import Text, Translator, builtin_folder

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
    # Each command has a sentence.
    summed_up = re.findall(r"^  [a-z]+ {2,}(.+)$", wongar("--help", "--lang", language).out, re.MULTILINE)
    assert len(summed_up) >= 10
    assert [text for text in summed_up if text != f"{text[0].upper()}{text[1:].rstrip('.')}."] == []
    # Defaults are stated.
    for command, name, default in (
        ("tournament", "cli.tournament.games.help", "100"), ("tournament", "cli.jobs.help", "1"),
        ("analyse", "cli.iterations.help", "1000"), ("perft", "cli.depth.help", "2"),
    ):  # fmt: skip
        help_text = " ".join(wongar(command, "--help", "--lang", language).out.split())
        assert Translator.load(language).say(name, n=Text(default)) in help_text, command


@pytest.mark.parametrize("arguments", [("explain", "R99"), ("words", "de", "--say", "nim.takn")])
def test_suggestion_is_a_separate_sentence(wongar: Command, arguments: tuple[str, ...]) -> None:
    assert re.search(r"\. Meintest du „.*“\?$", wongar(*arguments, "--lang", "de").err.strip())


def test_unknown_language_error_lists_known_languages(wongar: Command) -> None:
    for arguments in (("--lang", "tlh"), ("play", "wongar", "--lang=tlh"), ("words", "tlh")):
        result = wongar(*arguments)
        assert (result.code, result.out) == (2, "")
        assert all(language in result.err for language in (*LANGUAGES, "tlh"))
        assert "make a folder named by its code" in result.err or arguments[0] != "words"


def test_language_sources_have_a_precedence(wongar: Command) -> None:
    config = wongar.home / "config" / "wongar" / "config.toml"
    config.parent.mkdir(parents=True)
    told = {"it": "giocatori", "nl": "spelers", "de": "Spieler"}
    for name, value, language in (
        ("LANG", "it_IT.UTF-8", "it"), ("LC_MESSAGES", "nl_BE.UTF-8", "nl"), ("LC_ALL", "de_AT.UTF-8", "de"),
        ("LANGUAGE", "xx:it", "it"), ("config.toml", 'lang = "nl"\n', "nl"), ("WONGAR_LANG", "de", "de"),
    ):  # fmt: skip
        if name == config.name:
            config.write_text(value)
        else:
            wongar.patch.setenv(name, value)
        assert told[language] in wongar("games").out, name
    assert "giocatori" in wongar("games", "--lang", "it").out
    config.write_text("\x00 nonsense")
    wongar.patch.delenv("WONGAR_LANG")
    assert "giocatori" in wongar("games").out


def test_internal_error_shows_no_traceback(wongar: Command) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("\x1b[2Jhidden")

    wongar.patch.setattr("wongar_dsl.cli.play.terminal_session.LineSession.run", fail)
    result = wongar("play", "wongar", "--seats", "random,random,random", "--lang", "it")
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


def test_every_code_is_explained_with_an_example() -> None:
    for code in CODES:
        shown = example(code)
        assert shown, code
        assert all(line.strip() for line in shown), code


def test_every_listed_code_has_a_description(wongar: Command) -> None:
    listed = re.findall(r"^(R\d{4}) +(.*)$", wongar("explain").out, re.M)
    assert listed
    assert [code for code, text in listed if not re.search("[a-z]{3}", text)] == []
    reserved = wongar("explain").out.partition("cannot be names:")[2]
    assert {"after", "side", "count", "has"} <= set(reserved.replace(",", " ").split())
    assert {parse_code(text) for text in ("r206", "R206", "206", "r0206")} == {"R0206"}


def test_optional_arguments_are_in_brackets() -> None:
    from wongar_dsl.cli.main import CommandGroup

    group = CommandGroup(Translator.load("it", strict=True))
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        for argument in command.params:
            if isinstance(argument, click.Argument) and argument.metavar and argument.nargs == 1:
                assert argument.metavar.startswith("[") is not argument.required, (name, argument.metavar)


FILES = {
    "good.rules": "variant good of nim\n    source house rule\n",
    "a-b.rules": "variant good of nim\n    source house rule\n",
    "odd name.rules": "variant odd of nim\n    source house rule\n",
    "bad.rules": "variant bad of nim\nset nonsense to 1\n",
    "taken.variant": "mine",
    "unknown.cases.yaml": "game: nimm\nplayers: 2\ncases:\n  - name: a\n    moves: []\n",
    # Neither of two folders of a base is the place of a variant.
    "a/one.rules": "variant one of nim\n    source house rule\n",
    "b/two.rules": "variant two of nim\n    source house rule\n",
}
LONG = "x" * 61
#: Command lines by exit code.
REFUSED = {
    2: (
        "play --seed x", "play --sed 1", "play wongar extra", "plai", "play wongar --backend abacus", "play",
        "play wongar --seats human", "play wongar --seats human,devil,random",
        "play wongar --seats human:Al,human:al,random", f"play wongar --seats human:{LONG},random,random",
        "play wongar --set nonsense=1", "play wongar --set sting", "play wongar --set cards_bonus=1000",
        "play wongar --set sting=perhaps", "perft wongar --depth 0", "perft wongar --seats 9",
        "rulebook wongar --players 9", "watch nim", "watch wongar/initiated", "learn nim",
        "explain R0201 --pipeline nim", "test unknown.cases.yaml --playouts 3", "compile nim --out nim.h",
        "compile nim --out nim", "compile nim --prefix Nim*", "compile nim --prefix ''", "compile nim --seats 9",
        "compile nim --set nothing=1", "pack nim", "pack ubongo+hard+long", "pack good.rules --out short.txt",
        "pack good.rules --out taken.variant", "pack good.rules a-b.rules", "pack", "new 9x --from nim",
        "new ä --from nim", "new a/../../b --from nim", f"new {LONG} --from nim", "new rule --from nim",
        "new initiated --from wongar", "new x", "new x --from a-b.rules", "new x --from good.rules --dir elsewhere",
        "new good --from good.rules", "new x --from a/one.rules+b/two.rules", "analyse save.json --for 7",
        "analyse save.json --iterations 0", "play good.rules --from save.json --seed 3",
        "play good.rules --from save.json --seats human,human,human",
        "play good.rules --from save.json --save save.json", "play good.rules --from save.json --set no_such=1",
        "simulate", "simulate nim --until 0%", "simulate nim --until 50%", "simulate nim --until few",
        f"simulate nim --until {'9' * 99}", "simulate nim --vs nim --sweep x=1", "simulate nim --sweep x=1..3",
        "simulate wongar --sweep cards_bonus", "simulate wongar --sweep x=1..3",
        "simulate wongar --sweep cards_bonus=4..1", "simulate wongar --sweep cards_bonus=1..99999999999",
        "simulate wongar --sweep cards_bonus=1..9/0", "simulate wongar --sweep cards_bonus=1,,2",
        "simulate wongar --sweep cards_bonus=-3", "simulate nim --bots nobody", "simulate nim --bots mcts:1s",
        "simulate nim --bots ''", "simulate nim --bots random,random,random", "simulate nim --vs wongar",
        "simulate nim --bots random --seats random,random", "simulate nim --save /", "simulate nim --save good.rules",
        "simulate nim --resume", "simulate wongar --seats human,random,random", "tournament nim --bots greedy,devil",
        "tournament nim --bots greedy", "tournament nim --bots greedy,random,greedy", "tournament nim --bots ''",
        "tournament nim", "tournament ubongo --bots greedy,random --seats 1",
        "tournament nim --bots greedy,random --seats 7", "tournament nim --bots greedy,random --games 0",
        "tournament nim --bots greedy,random --format xml",
    ),
    1: (
        "test unknown.cases.yaml", "play nothing.rules", "play nothing", "play /", "log /no/such/file",
        "watch absent.rules", "watch nimm", "rulebook bad.rules", "explain --pipeline nimm",
        "compile nim --out no/folder/nim.c", "pack good.rules --out no/folder/x.variant", "pack nothing.rules",
        "pack 'odd name.rules'", "pack bad.rules", "new x --from nimm", "new x --from nim --dir /proc/none",
        "new x --from nim --dir no/such/folder", "new x --from bad.rules", "analyse /no/such/file",
        "play --from save.jsonx", "play nim --from good.rules", "simulate --resume", "simulate --resume good.rules",
        "simulate --resume /none/at/all", "simulate nim --games 3 --save good.rules/below.json",
        "simulate nim --games 3 --save 'a\0b'",
    ),
}  # fmt: skip


def files_in(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and "data" not in path.parts}


@pytest.mark.parametrize("code", REFUSED)
def test_invalid_arguments_are_refused_and_change_nothing(wongar: Command, code: int) -> None:
    wongar.patch.chdir(wongar.home)
    for name, text in FILES.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")
    wongar("play", "nim", "--seats", "human,human", "--save", "save.json", answers="1\n")
    before = files_in(wongar.home)
    for number, line in enumerate(REFUSED[code]):
        messages = []
        for language in (("de", "nl"), ("it", "en"))[number % 2]:
            result = wongar(*shlex.split(line), "--lang", language)
            # The result of a simulation that cannot be stored is shown.
            assert result.code == code, line
            assert code == 1 or not result.out, line
            assert result.err, line
            assert not any(part in result.err for part in ("cli.", "Traceback", "schiefgegangen")), line
            messages.append(result.err)
        assert messages[0] != messages[1], line
    assert files_in(wongar.home) == before
