"""How long an editor waits: `python -m benchmarks.editor` talks to `wongar lsp` about a rule file, as an editor does.

Completion, hover and outline are asked for at many places, also while the server reads the text anew; mistakes are
timed from the last of several keystrokes.  Times are those of the clock, so other work on the machine counts.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import sys
import time
from collections.abc import Awaitable
from pathlib import Path

from lsprotocol import types
from pygls.lsp.client import LanguageClient

START = [sys.executable, "-c", "import sys; from wongar_dsl.cli.main import main; sys.exit(main())", "lsp"]
#: What an editor may wait for, in seconds: an answer, and what is wrong after the last keystroke.
ANSWER, MISTAKES = 0.1, 0.6


class Editor:
    """An editor with one file open."""

    def __init__(self, path: Path) -> None:
        self.client = LanguageClient("benchmark", "1")
        self.told = asyncio.Event()
        self.uri, self.text = path.resolve().as_uri(), path.read_text(encoding="utf-8")
        self.document = types.TextDocumentIdentifier(self.uri)
        self.version = 1

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def told(params: types.PublishDiagnosticsParams) -> None:
            if params.uri == self.uri:
                self.told.set()

    async def open(self) -> float:
        """Start the server and open the file; gives the seconds until its mistakes were told."""
        begin = time.perf_counter()
        await self.client.start_io(*START)
        await self.client.initialize_async(types.InitializeParams(capabilities=types.ClientCapabilities()))
        self.client.initialized(types.InitializedParams())
        item = types.TextDocumentItem(self.uri, "game-rules", self.version, self.text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        await self.told.wait()
        return time.perf_counter() - begin

    def type(self, text: str) -> None:
        """Change the file."""
        self.version += 1
        change = types.TextDocumentContentChangeWholeDocument(text)
        document = types.VersionedTextDocumentIdentifier(version=self.version, uri=self.uri)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))

    async def mistakes(self, draw: random.Random) -> float:
        """The seconds from the last of five keystrokes until mistakes are told."""
        line = draw.randrange(self.text.count("\n"))
        lines = self.text.split("\n")
        for n in range(5):
            lines[line] += "x" if n else " x"
            self.type("\n".join(lines))
            await asyncio.sleep(0.05)
        self.told.clear()
        begin = time.perf_counter()
        self.type("\n".join(lines) + "\n")
        await self.told.wait()
        return time.perf_counter() - begin

    def anywhere(self, draw: random.Random) -> types.Position:
        """Some place in the text."""
        lines = self.text.split("\n")
        line = draw.randrange(len(lines))
        return types.Position(line, draw.randrange(len(lines[line]) + 1))


async def timed(answer: Awaitable[object]) -> float:
    """The seconds until an answer comes."""
    begin = time.perf_counter()
    await answer
    return time.perf_counter() - begin


async def measure(path: Path, rounds: int, seed: int) -> bool:
    """Print the table; gives whether nobody waits for too long."""
    draw, editor = random.Random(seed), Editor(path)
    print(f"{'opened':<12} {await editor.open():7.3f}")
    client, times = editor.client, {name: [] for name in ("completion", "hover", "outline")}
    for n in range(rounds):
        if n % 10 == 0:  # The server has something else to do, too.
            editor.type(editor.text + "\n" * (n % 20))
        at = editor.anywhere(draw)
        completion, hover = types.CompletionParams(editor.document, at), types.HoverParams(editor.document, at)
        times["completion"].append(await timed(client.text_document_completion_async(completion)))
        times["hover"].append(await timed(client.text_document_hover_async(hover)))
        outline = types.DocumentSymbolParams(editor.document)
        times["outline"].append(await timed(client.text_document_document_symbol_async(outline)))
    times["mistakes"] = [await editor.mistakes(draw) for _ in range(rounds // 10)]
    good = True
    print(f"{'seconds':<12} {'median':>7} {'95 %':>7} {'most':>7}")
    for name, seconds in times.items():
        late = sorted(seconds)[int(0.95 * len(seconds))]
        print(f"{name:<12} {statistics.median(seconds):7.3f} {late:7.3f} {max(seconds):7.3f}")
        good = good and late <= (MISTAKES if name == "mistakes" else ANSWER)
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()
    return good


def main() -> int:
    """Measure; 1 where somebody waits for too long."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", nargs="?", type=Path, default=Path("rules/tongiaki/tongiaki.rules"))
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    return int(not asyncio.run(measure(given.file, given.rounds, given.seed)))


if __name__ == "__main__":
    sys.exit(main())
