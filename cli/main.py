"""The command `wongar`: selects the language, runs the subcommand, and turns exceptions into messages.

Every subcommand is a function `<name>_command` of a module in `commands`, which is imported only when it is called. Its
entry in the list of commands is the message `cli.<name>.short`.
"""

from __future__ import annotations

import atexit
import gc
import io
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from wongar_dsl.base.diagnostics import Diagnostic
from wongar_dsl.nlg.words import Text, Translator, quoted
from wongar_dsl.nlg.words.languages import ENGLISH

from .declarations import COMMANDS, flag, text_option
from .errors import FAILURE, INTERRUPTED, SUCCESS, USAGE, UserError, os_error_text
from .language import (
    absent_folder,
    languages,
    record_language_folders,
    requested_language,
    select_language,
    transliterate_streams,
)
from .terminal.screen import OutputLost, echo, standard_streams, terminal_width, uses_colours

if TYPE_CHECKING:
    from click import ClickException


# At exit Python would search all objects for garbage, which takes longer than drawing a table.
atexit.register(gc.freeze)


class CommandGroup(click.Group):
    """The click group of subcommands, which are imported lazily."""

    def __init__(self, words: Translator) -> None:
        super().__init__(
            "wongar",
            help=words.say("cli.help"),
            no_args_is_help=False,
            invoke_without_command=True,
            callback=_show_help,
            params=common_options(words),
            options_metavar=words.say("cli.usage.options"),
            subcommand_metavar=words.say("cli.usage.command"),
            context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
        )
        self._words = words
        version = flag("--version", "cli.version.help", expose_value=False, is_eager=True, callback=_show_version)
        self.params.append(version(words))

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the subcommands in the order of the help text."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a subcommand by name, with the common options."""
        if cmd_name not in COMMANDS:
            return None
        command = COMMANDS[cmd_name].build(cmd_name, self._words)
        if not any("--lang" in option.opts for option in command.params):
            command.params += common_options(self._words)
        command.options_metavar = self._words.say("cli.usage.options")
        install_translation(self._words)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of subcommands without importing them."""
        with formatter.section(click.core._("Commands")):  # type: ignore[attr-defined]
            formatter.write_dl([(name, self._words.say(f"cli.{name}.short")) for name in COMMANDS])


@click.pass_context
def _show_help(ctx: click.Context) -> None:
    """Show the help text if no subcommand is given."""
    if ctx.invoked_subcommand is None:
        echo(ctx.get_help())


def common_options(words: Translator) -> list[click.Parameter]:
    """Return the options of every command. Their values are read before click runs; here click only accepts them."""
    lang = text_option("--lang", "cli.lang.metavar", "cli.lang.help", {"languages": languages()}, expose_value=False)
    folder = text_option("--words", "cli.folder.metavar", "cli.words.folder.help", expose_value=False)
    return [lang(words), folder(words)]


def installed_version() -> str:
    """Return the version of the installed distribution."""
    from importlib.metadata import version  # Few commands need it.

    return version("wongar")


def _show_version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        echo(f"wongar {installed_version()}")
        ctx.exit()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    with standard_streams():
        return _guarded(list(sys.argv[1:] if arguments is None else arguments))


def _guarded(given: list[str]) -> int:
    """Run the command, turn every exception into a message, and return the exit code."""
    words = None
    try:
        transliterate_streams()
        record_language_folders(given)
        words = select_language(requested_language(given))
        transliterate_streams(words.lexicon.transliteration)
        missing = absent_folder()
        if missing is not None:
            raise UserError(words.say("cli.words.no_folder", path=quoted(str(missing))), USAGE)
        install_translation(words)
        code = _run(given, words)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        return FAILURE  # The reader of the output has closed the pipe.
    except KeyboardInterrupt:
        echo(err=True)
        return INTERRUPTED
    except UserError as refused:
        echo(refused.text, err=True)
        return refused.code
    except Exception as error:
        # Last resort: a user never sees a traceback.
        if os.environ.get("WONGAR_DEBUG") and not isinstance(error, OutputLost):
            raise
        words = words or Translator.load(ENGLISH)
        if isinstance(error, OutputLost):
            echo(words.say("cli.output_lost", what=quoted(os_error_text(error.cause, words))), err=True)
        else:
            echo(words.say("cli.failure", what=quoted(f"{type(error).__name__}: {error}")), err=True)
        return FAILURE


def _run(given: list[str], words: Translator) -> int:
    """Run the command and return its exit code; raise `UserError` for what prevents it."""
    try:
        result = CommandGroup(words).main(
            given, prog_name="wongar", standalone_mode=False, obj=requested_language(given)
        )
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.exceptions.Abort:
        return INTERRUPTED
    except click.ClickException as error:
        echo(translated_error(error, words).rstrip("\n"), err=True)
        return error.exit_code
    except Exception as error:
        from .load_game import diagnostics_of, refusal  # Only errors need it.

        if diagnostics := diagnostics_of(error):
            return print_diagnostics(diagnostics, words)
        if (refused := refusal(error, words)) is None:
            raise
        raise refused from None
    return result if isinstance(result, int) else SUCCESS


def print_diagnostics(diagnostics: Sequence[object], words: Translator) -> int:
    """Print diagnostics on the error stream and return the exit code."""
    from wongar_dsl.nlg.diagnostic_text import render_text

    def shown(diagnostic: Diagnostic) -> Diagnostic:
        # A missing file has no line to show, and its message names it already.
        span = diagnostic.span
        already_named = span is not None and not span.source.text and span.source.name in diagnostic.arguments.values()
        return replace(diagnostic, span=None) if already_named else diagnostic

    colour = uses_colours(sys.stderr)
    printable_diagnostics = [shown(diagnostic) for diagnostic in diagnostics if isinstance(diagnostic, Diagnostic)]
    echo(render_text(printable_diagnostics, words.say, terminal_width(), colour), err=True, has_codes=colour)
    return FAILURE


#: A phrase between the straight quotation marks of click's messages.
_QUOTED = re.compile(r"(?<!\w)'([^'\n]*)'(?!\w)")


def install_translation(words: Translator) -> None:
    """Replace the gettext functions in all loaded click modules."""
    entries = words.verbatim("click.")

    def gettext(text: str) -> str:
        return entries.get(text, (text,))[0]

    def ngettext(one: str, many: str, n: int) -> str:
        forms = entries.get(one, (one, many))
        plural = words.plural(n) if one in entries else int(n != 1)
        return forms[min(plural, len(forms) - 1)]

    functions = {"_": gettext, "ngettext": ngettext}
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == click.__name__:
            for attribute in functions.keys() & vars(module).keys():
                setattr(module, attribute, functions[attribute])


def translated_error(error: ClickException, words: Translator) -> str:
    """Return click's message for a usage error, with the quotation marks of the language."""
    buffer = io.StringIO()
    error.show(file=buffer)
    return _QUOTED.sub(lambda match: words.say("engine.quoted", text=Text(match[1])), buffer.getvalue())
