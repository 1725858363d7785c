"""`wongar explain`: what a code means, and what to do about it."""

from __future__ import annotations

import click

from wongar_dsl.words import Text, Words, quoted

from ..errors import Refusal
from ..terminal.screen import echo


def command(words: Words) -> click.Command:
    """The click command."""
    say = words.say

    def run(code: str | None) -> int:
        from wongar_dsl.narration.diagnostics import general
        from wongar_dsl.text.codes import CODES
        from wongar_dsl.text.suggest import did_you_mean

        if code is None:
            for known in CODES:
                echo(f"{known}  {general(known, say)}")
            return 0
        wanted = code.upper()
        if wanted not in CODES:
            near = did_you_mean(wanted, CODES)
            advice = " " + say("report.suggestion", name=Text(near)) if near else ""
            raise Refusal(say("report.no_code", code=quoted(code)) + advice, 2)
        echo(f"{say(f'report.{CODES[wanted].value}')} {wanted}: {general(wanted, say)}\n")
        echo(say(f"{wanted}.explain"))
        return 0

    return click.Command(
        "explain",
        callback=run,
        help=say("report.explain_help"),
        params=[click.Argument(["code"], required=False, metavar="[R0000]")],
    )
